//! People and their memberships in rows.

use lyceum_domain::identity::invitations::{Consent, Invitation, InvitationStatus};
use lyceum_domain::identity::users::{Person, Role, Suspension, User, UserKind};
use lyceum_domain::identity::workspaces::Workspace;
use lyceum_domain::ids::InvitationId;
use lyceum_domain::ids::PersonId;
use lyceum_domain::ids::UserId;
use lyceum_domain::json::Metadata;
use lyceum_domain::text::{Email, LanguageTag, Name, TimeZone};
use lyceum_ports::identity::users::{UserFilter, UserRepository};

use crate::identity::workspaces::WorkspaceRow;
use crate::mapping::conditions::has;
use crate::mapping::schema::{people, users, workspaces};
use crate::prelude::*;

row! {
    /// A membership as it is stored; enrolments are read together with theirs.
    #[derive(Queryable, Selectable, Insertable, AsChangeset)]
    #[diesel(table_name = users, primary_key(workspace_id, id), treat_none_as_null = true)]
    pub struct UserRow of User {
        workspace_id: WorkspaceId,
        id: UserId,
        person_id: PersonId,
        kind: UserKind,
        email: Email,
        name: Option<Name>,
        role: Role,
        language: Option<LanguageTag>,
        timezone: Option<TimeZone>,
        external_id: Option<String>,
        metadata: Metadata,
        invited_by: Option<UserId>,
        suspension: Option<Suspension>,
        sessions_ended_at: Option<Timestamp>,
        ..consent: (consent: String, answered_at: Option<Moment>),
        ..stamp: (created_at: Moment, updated_at: Moment, version: i64),
    }
}

kept_as_text!(InvitationStatus, Role, Suspension, UserKind);

impl Stored for Consent {
    type Columns = (String, Option<Moment>);

    fn columns(&self) -> Self::Columns {
        (self.status().columns(), self.at().columns())
    }

    fn read((said, answered_at): Self::Columns) -> Result<Self, StoreError> {
        let consent = Self::of(Stored::read(said)?, rows::moment(answered_at));
        consent.ok_or_else(|| corrupt("an answer without its moment"))
    }
}

row! {
    /// A person as they are stored; callers are read with theirs.
    #[derive(Queryable, Selectable, Insertable)]
    #[diesel(table_name = people)]
    pub struct PersonRow of Person {
        id: PersonId,
        email: Email,
        created_at: Timestamp,
    }
}

fn place((user, workspace): (UserRow, WorkspaceRow)) -> Result<(User, Workspace), StoreError> {
    Ok((user.try_into()?, workspace.try_into()?))
}

impl Session<'_> {
    /// With who made each, as far as they are still there.
    fn with_inviters(
        &mut self,
        places: Vec<(User, Workspace)>,
    ) -> Result<Vec<Invitation>, StoreError> {
        let (workspaces, inviters): (Vec<String>, Vec<String>) = places
            .iter()
            .filter_map(|(user, _)| Some((user.workspace_id, user.invited_by?)))
            .map(|(workspace, inviter)| (workspace.to_string(), inviter.to_string()))
            .unzip();
        let found = if inviters.is_empty() {
            Vec::new()
        } else {
            self.run(|conn| {
                let query = users::table
                    .filter(users::workspace_id.eq_any(workspaces))
                    .filter(users::id.eq_any(inviters));
                on_either!(
                    conn,
                    CachedByText(query.select(UserRow::as_select())).load(conn)
                )
            })?
        };
        let known = found.into_iter().map(User::try_from);
        let known = known.collect::<Result<Vec<_>, _>>()?;
        let whole = |(user, workspace): (User, Workspace)| {
            let is_inviter =
                |one: &&User| Some(one.id) == user.invited_by && one.workspace_id == workspace.id;
            let invited_by = known.iter().find(is_inviter).cloned();
            Invitation {
                user,
                workspace,
                invited_by,
            }
        };
        Ok(places.into_iter().map(whole).collect())
    }
}

impl UserRepository for Session<'_> {
    fn insert(&mut self, user: &User) -> Result<(), StoreError> {
        let row = UserRow::from(user);
        self.put_row(|conn| {
            let insert = diesel::insert_into(users::table).values(&row);
            on_either!(conn, CachedByText(insert).execute(conn))
        })
    }

    fn find(&mut self, workspace: WorkspaceId, id: UserId) -> Result<Option<User>, StoreError> {
        let found = self.run(|conn| {
            let found = users::table.find((workspace.to_string(), id.to_string()));
            let row = on_either!(conn, found.select(UserRow::as_select()).first(conn));
            row.optional()
        })?;
        found.map(User::try_from).transpose()
    }

    fn update(&mut self, user: &User) -> Result<(), StoreError> {
        let row = UserRow::from(user);
        self.change(&row.id, |conn| {
            let query = diesel::update(users::table)
                .filter(users::workspace_id.eq(&row.workspace_id))
                .filter(users::id.eq(&row.id))
                .filter(users::version.lt(row.version))
                .set(&row);
            on_either!(conn, CachedByText(query).execute(conn))
        })
    }

    fn delete(&mut self, workspace: WorkspaceId, id: UserId) -> Result<bool, StoreError> {
        let deleted = self.run(|conn| {
            diesel::delete(users::table)
                .filter(users::workspace_id.eq(workspace.to_string()))
                .filter(users::id.eq(id.to_string()))
                .execute(conn)
        })?;
        Ok(deleted == 1)
    }

    fn page(
        &mut self,
        workspace: WorkspaceId,
        filter: &UserFilter,
        page: &PageRequest,
    ) -> Result<Page<User>, StoreError> {
        let walk = Walk::<ids::User>::over("users", workspace, page)
            .along("email", filter.email.as_ref())
            .along("role", filter.role.map(Role::as_str))
            .sifting(filter.accepted.is_some() || filter.kind.is_some());
        walk.take(self, |session, mut reach| {
            let mut query = users::table
                .filter(users::workspace_id.eq(workspace.to_string()))
                .select(UserRow::as_select())
                .order(reach.order())
                .limit(i64::from(page.limit) + 1)
                .into_boxed();
            for condition in reach.conditions() {
                query = query.filter(condition);
            }
            if let Some(role) = filter.role {
                query = query.filter(users::role.eq(role.as_str()));
            }
            if let Some(email) = &filter.email {
                query = query.filter(users::email.eq(email.to_string()));
            }
            if let Some(kind) = filter.kind {
                query = query.filter(users::kind.eq(kind.as_str()));
            }
            if let Some(accepted) = filter.accepted {
                let word = InvitationStatus::Accepted.as_str();
                query = if accepted {
                    query.filter(users::consent.eq(word))
                } else {
                    query.filter(users::consent.ne(word))
                };
            }
            let found = session.run(|conn| query.load::<UserRow>(conn))?;
            let users = found
                .into_iter()
                .map(User::try_from)
                .collect::<Result<Vec<_>, _>>()?;
            Ok(reach.cut(users, |user| user.id.to_string()))
        })
    }

    fn all(&mut self, workspace: WorkspaceId, most: u16) -> Result<Vec<User>, StoreError> {
        let found = self.run(|conn| {
            let query = users::table
                .filter(users::workspace_id.eq(workspace.to_string()))
                .order(users::id.asc())
                .limit(i64::from(most));
            on_either!(
                conn,
                CachedByText(query.select(UserRow::as_select())).load(conn)
            )
        })?;
        found.into_iter().map(User::try_from).collect()
    }

    fn with_email(
        &mut self,
        workspace: WorkspaceId,
        email: &Email,
    ) -> Result<Option<User>, StoreError> {
        let found = self.run(|conn| {
            let found = users::table
                .filter(users::workspace_id.eq(workspace.to_string()))
                .filter(users::email.eq(email.as_str()));
            let row = on_either!(conn, found.select(UserRow::as_select()).first(conn));
            row.optional()
        })?;
        found.map(User::try_from).transpose()
    }

    fn known_or_new(&mut self, person: &Person) -> Result<Person, StoreError> {
        let row = PersonRow::from(person);
        let insert = diesel::insert_into(people::table).values(&row);
        // Diesel has no word for it that both databases understand.
        self.run(|conn| match conn {
            AnyConnection::Postgres(conn) => insert.on_conflict_do_nothing().execute(conn),
            AnyConnection::Sqlite(conn) => insert.on_conflict_do_nothing().execute(conn),
        })?;
        let known = self.find_person(&person.email)?;
        known.ok_or(StoreError::Stale)
    }

    fn insert_person(&mut self, person: &Person) -> Result<(), StoreError> {
        // Two requests may hear of the same person at once: the later one is run again, and then finds them.
        if self.find_person(&person.email)?.is_some() {
            return Err(StoreError::Taken { field: "email" });
        }
        let row = PersonRow::from(person);
        self.insert_absent(|conn| {
            diesel::insert_into(people::table)
                .values(&row)
                .execute(conn)
        })
    }

    fn find_person(&mut self, email: &Email) -> Result<Option<Person>, StoreError> {
        let found = self.run(|conn| {
            let found = people::table.filter(people::email.eq(email.as_str()));
            let row = on_either!(conn, found.select(PersonRow::as_select()).first(conn));
            row.optional()
        })?;
        found.map(Person::try_from).transpose()
    }

    fn person(&mut self, id: PersonId) -> Result<Option<Person>, StoreError> {
        let found = self.run(|conn| {
            let found = people::table.find(id.to_string());
            let row = on_either!(conn, found.select(PersonRow::as_select()).first(conn));
            row.optional()
        })?;
        found.map(Person::try_from).transpose()
    }

    fn memberships(&mut self, person: PersonId) -> Result<Vec<(User, Workspace)>, StoreError> {
        let found = self.run(|conn| {
            users::table
                .inner_join(workspaces::table.on(workspaces::id.eq(users::workspace_id)))
                .filter(users::person_id.eq(person.to_string()))
                .filter(users::consent.eq(InvitationStatus::Accepted.as_str()))
                .filter(users::suspension.is_null())
                .select((UserRow::as_select(), WorkspaceRow::as_select()))
                .order(users::id.asc())
                .load::<(UserRow, WorkspaceRow)>(conn)
        })?;
        found.into_iter().map(place).collect()
    }

    fn membership(
        &mut self,
        workspace: WorkspaceId,
        person: PersonId,
    ) -> Result<Option<(User, Workspace)>, StoreError> {
        let found = self.run(|conn| {
            users::table
                .inner_join(workspaces::table.on(workspaces::id.eq(users::workspace_id)))
                .filter(users::workspace_id.eq(workspace.to_string()))
                .filter(users::person_id.eq(person.to_string()))
                .select((UserRow::as_select(), WorkspaceRow::as_select()))
                .first::<(UserRow, WorkspaceRow)>(conn)
                .optional()
        })?;
        found.map(place).transpose()
    }

    fn invitations(
        &mut self,
        person: PersonId,
        status: InvitationStatus,
        page: &PageRequest,
    ) -> Result<Page<Invitation>, StoreError> {
        let (order, conditions) = paging(self.conn, "users", &of_memberships(page)?)?;
        let mut query = users::table
            .inner_join(workspaces::table.on(workspaces::id.eq(users::workspace_id)))
            .filter(users::person_id.eq(person.to_string()))
            .filter(users::consent.eq(status.as_str()))
            .select((UserRow::as_select(), WorkspaceRow::as_select()))
            .order(order)
            .limit(i64::from(page.limit) + 1)
            .into_boxed();
        for condition in conditions {
            query = query.filter(condition);
        }
        if let Some(text) = &page.narrowed.text {
            query = query.filter(has(self.conn, "workspaces.name", text));
        }
        let found = self.run(|conn| query.load::<(UserRow, WorkspaceRow)>(conn))?;
        let found = found.into_iter().map(place).collect::<Result<_, _>>()?;
        let found = self.with_inviters(found)?;
        Ok(Page::cut(found, page.limit, |one| {
            Keyset::of_id(one.id().to_string())
        }))
    }

    fn invitation(
        &mut self,
        person: PersonId,
        id: InvitationId,
    ) -> Result<Option<Invitation>, StoreError> {
        let found = self.run(|conn| {
            users::table
                .inner_join(workspaces::table.on(workspaces::id.eq(users::workspace_id)))
                .filter(users::person_id.eq(person.to_string()))
                .filter(users::id.eq(Invitation::membership(id).to_string()))
                .select((UserRow::as_select(), WorkspaceRow::as_select()))
                .first::<(UserRow, WorkspaceRow)>(conn)
                .optional()
        })?;
        let found = found.map(place).transpose()?;
        let mut found = self.with_inviters(found.into_iter().collect())?;
        Ok(found.pop())
    }

    fn with_ids(
        &mut self,
        workspace: WorkspaceId,
        ids: &[UserId],
    ) -> Result<Vec<User>, StoreError> {
        let ids: Vec<String> = ids.iter().map(ToString::to_string).collect();
        let found = self.run(|conn| {
            let query = users::table
                .filter(users::workspace_id.eq(workspace.to_string()))
                .filter(users::id.eq_any(ids));
            on_either!(
                conn,
                CachedByText(query.select(UserRow::as_select())).load(conn)
            )
        })?;
        found.into_iter().map(User::try_from).collect()
    }
}

/// The same page of the memberships that invitations are to, which have no text that invitations are searched in.
fn of_memberships(page: &PageRequest) -> Result<PageRequest, StoreError> {
    let mut of_memberships = page.clone();
    of_memberships.narrowed.text = None;
    if let Some(after) = &page.after {
        let after: InvitationId = rows::id(&after.id)?;
        of_memberships.after = Some(Keyset::of_id(Invitation::membership(after).to_string()));
    }
    Ok(of_memberships)
}
