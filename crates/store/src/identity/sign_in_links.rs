//! Links that let people in, in rows: everything but their secrets.

use lyceum_domain::identity::keys::SecretHash;
use lyceum_domain::identity::sign_in::SignInMethod;
use lyceum_domain::identity::sign_in_links::{INVITATION_SHOWN, InvitedTo, SignInLink};
use lyceum_domain::ids::{MailId, PersonId, UserId};
use lyceum_domain::text::Email;
use lyceum_ports::identity::sign_in_links::SignInLinkRepository;

use crate::mapping::schema::sign_in_links;
use crate::prelude::*;

row! {
    /// A link without the moment of its use.
    #[derive(Queryable, Selectable, Insertable)]
    #[diesel(table_name = sign_in_links)]
    struct SignInLinkRow of SignInLink {
        hash: SecretHash,
        person_id: Option<PersonId>,
        email: Email,
        browser: Option<SecretHash>,
        method: SignInMethod,
        created_at: Timestamp,
        expires_at: Timestamp,
        ..invites: (workspace_id: Option<String>, user_id: Option<String>, mail_id: Option<String>),
    }
}

impl Stored for Option<InvitedTo> {
    type Columns = (Option<String>, Option<String>, Option<String>);

    fn columns(&self) -> Self::Columns {
        let workspace = self.map(|to| to.workspace_id.to_string());
        let user = self.map(|to| to.user_id.to_string());
        let mail = self.and_then(|to| to.mail_id.map(|id| id.to_string()));
        (workspace, user, mail)
    }

    fn read((workspace, user, mail): Self::Columns) -> Result<Self, StoreError> {
        match (workspace, user) {
            (None, None) => Ok(None),
            (Some(workspace), Some(user)) => Ok(Some(InvitedTo {
                workspace_id: Stored::read(workspace)?,
                user_id: <UserId as Stored>::read(user)?,
                mail_id: <Option<MailId> as Stored>::read(mail)?,
            })),
            _ => Err(corrupt("an invitation of nobody")),
        }
    }
}

impl Session<'_> {
    /// Ends the invitations of a member that still work; those alone that went by no mail, if that is said.
    fn end_those_of(
        &mut self,
        (workspace, member): (WorkspaceId, UserId),
        only_shown: bool,
        at: Timestamp,
    ) -> Result<(), StoreError> {
        let mut query = diesel::update(sign_in_links::table)
            .filter(sign_in_links::workspace_id.eq(workspace.to_string()))
            .filter(sign_in_links::user_id.eq(member.to_string()))
            .filter(sign_in_links::expires_at.gt(Moment(at)))
            .into_boxed();
        if only_shown {
            query = query.filter(sign_in_links::mail_id.is_null());
        }
        let query = query.set(sign_in_links::expires_at.eq(Moment(at)));
        self.run(|conn| query.execute(conn)).map(drop)
    }
}

impl SignInLinkRepository for Session<'_> {
    fn insert(&mut self, link: &SignInLink) -> Result<(), StoreError> {
        let row = SignInLinkRow::from(link);
        self.run(|conn| {
            diesel::insert_into(sign_in_links::table)
                .values(&row)
                .execute(conn)
        })
        .map(drop)
    }

    fn find(
        &mut self,
        hash: &SecretHash,
        now: Timestamp,
    ) -> Result<Option<SignInLink>, StoreError> {
        let found = self.run(|conn| {
            sign_in_links::table
                .find(hash.as_str())
                .filter(sign_in_links::used_at.is_null())
                .filter(sign_in_links::expires_at.gt(Moment(now)))
                .select(SignInLinkRow::as_select())
                .first(conn)
                .optional()
        })?;
        found.map(SignInLink::try_from).transpose()
    }

    fn redeem(&mut self, hash: &SecretHash, now: Timestamp) -> Result<bool, StoreError> {
        // Checked and used up in one statement: no two callers can both find it unused.
        let used = self.run(|conn| {
            diesel::update(sign_in_links::table)
                .filter(sign_in_links::hash.eq(hash.as_str()))
                .filter(sign_in_links::used_at.is_null())
                .filter(sign_in_links::expires_at.gt(Moment(now)))
                .set(sign_in_links::used_at.eq(Moment(now)))
                .execute(conn)
        })?;
        Ok(used == 1)
    }

    fn invitations(
        &mut self,
        workspace: WorkspaceId,
        members: &[UserId],
    ) -> Result<Vec<SignInLink>, StoreError> {
        let members: Vec<String> = members.iter().map(ToString::to_string).collect();
        let found = self.run(|conn| {
            sign_in_links::table
                .filter(sign_in_links::workspace_id.eq(workspace.to_string()))
                .filter(sign_in_links::user_id.eq_any(&members))
                .order((sign_in_links::user_id, sign_in_links::created_at.desc()))
                .select(SignInLinkRow::as_select())
                .load(conn)
        })?;
        let links = found.into_iter().map(SignInLink::try_from);
        let mut links = links.collect::<Result<Vec<_>, _>>()?;
        links.dedup_by_key(|link| link.invites.map(|to| to.user_id));
        Ok(links)
    }

    fn end_invitations(
        &mut self,
        workspace: WorkspaceId,
        member: UserId,
        at: Timestamp,
    ) -> Result<(), StoreError> {
        self.end_those_of((workspace, member), false, at)
    }

    fn end_shown_invitations(
        &mut self,
        workspace: WorkspaceId,
        member: UserId,
        at: Timestamp,
    ) -> Result<(), StoreError> {
        self.end_those_of((workspace, member), true, at)
    }

    fn forget_expired(&mut self, oldest: Timestamp, limit: u16) -> Result<u64, StoreError> {
        let expired: Vec<String> = self.run(|conn| {
            sign_in_links::table
                .filter(sign_in_links::expires_at.lt(Moment(oldest)))
                .filter(
                    sign_in_links::user_id
                        .is_null()
                        .or(sign_in_links::expires_at.lt(Moment(oldest.minus(INVITATION_SHOWN)))),
                )
                .order(sign_in_links::expires_at.asc())
                .limit(limit.into())
                .select(sign_in_links::hash)
                .load(conn)
        })?;
        let forgotten = self.run(|conn| {
            diesel::delete(sign_in_links::table)
                .filter(sign_in_links::hash.eq_any(&expired))
                .execute(conn)
        })?;
        rows::number(rows::stored_number(forgotten))
    }
}
