//! Callers: key, person, platform and membership, found together.

use std::sync::Arc;

use lyceum_domain::identity::keys::ApiKey;
use lyceum_domain::identity::users::{Person, User};
use lyceum_domain::identity::workspaces::Workspace;
use lyceum_ports::identity::callers::{Caller, CallerRepository, Introduction, PlatformName};

use crate::database::memory::{Memory, Stamps};
use crate::identity::keys::KeyRow;
use crate::identity::users::{PersonRow, UserRow};
use crate::identity::workspaces::WorkspaceRow;
use crate::mapping::schema::{access_stamps, api_keys, people, users, workspaces};
use crate::prelude::*;

type CallerRows = (KeyRow, PersonRow, Option<WorkspaceRow>, Option<UserRow>);

/// One statement, because each is a journey where the database is another machine. Platforms are named in one of two
/// ways, which are two queries.
macro_rules! at_platform {
    ($conn:ident, $lookup:ident, $is_it:expr) => {{
        let is_member = users::workspace_id
            .nullable()
            .eq(workspaces::id.nullable())
            .and(users::person_id.eq(api_keys::person_id));
        let query = api_keys::table
            .inner_join(people::table.on(people::id.eq(api_keys::person_id)))
            .left_join(workspaces::table.on($is_it))
            .left_join(users::table.on(is_member))
            .filter(api_keys::lookup.eq($lookup));
        let found = on_either!(
            $conn,
            query
                .select((
                    KeyRow::as_select(),
                    PersonRow::as_select(),
                    Option::<WorkspaceRow>::as_select(),
                    Option::<UserRow>::as_select(),
                ))
                .first::<CallerRows>($conn)
        );
        found.optional()
    }};
}

impl Session<'_> {
    /// What the database says now of changes to whom and what this is about.
    pub(crate) fn stamps_of(&mut self, caller: &Caller) -> Result<Stamps, StoreError> {
        let person = caller.person.id.to_string();
        let workspace = caller.place.as_ref().map(|(there, _)| there.id.to_string());
        // Of both at once, so that it is one statement of one text.
        let either = access_stamps::id
            .eq(&person)
            .or(access_stamps::id.eq(workspace.as_ref().unwrap_or(&person)));
        let query = access_stamps::table
            .filter(either)
            .select((access_stamps::id, access_stamps::value));
        let found = self.run(|conn| on_either!(conn, query.load::<(String, i64)>(conn)))?;
        let of = |id: &String| found.iter().find(|(known, _)| known == id);
        Ok(Stamps {
            person: of(&person).map(|(_, stamp)| *stamp),
            workspace: workspace.as_ref().and_then(of).map(|(_, stamp)| *stamp),
        })
    }

    fn rows_of(&mut self, introduction: &Introduction) -> Result<Option<CallerRows>, StoreError> {
        let lookup = introduction.lookup.as_str();
        self.run(|conn| match &introduction.platform {
            Some(PlatformName::Code(code)) => {
                at_platform!(conn, lookup, workspaces::platform_code.eq(code.to_string()))
            }
            Some(PlatformName::Uuid(uuid)) => {
                at_platform!(conn, lookup, workspaces::platform_uuid.eq(uuid.to_string()))
            }
            None => key_and_person(conn, lookup),
        })
    }
}

fn key_and_person(conn: &mut AnyConnection, lookup: &str) -> QueryResult<Option<CallerRows>> {
    let query = api_keys::table
        .inner_join(people::table.on(people::id.eq(api_keys::person_id)))
        .filter(api_keys::lookup.eq(lookup));
    let found = on_either!(
        conn,
        query
            .select((KeyRow::as_select(), PersonRow::as_select()))
            .first::<(KeyRow, PersonRow)>(conn)
    );
    Ok(found
        .optional()?
        .map(|(key, person)| (key, person, None, None)))
}

fn caller((key, person, workspace, user): CallerRows) -> Result<Caller, StoreError> {
    let workspace = workspace.map(Workspace::try_from).transpose()?;
    let user = user.map(User::try_from).transpose()?;
    Ok(Caller {
        key: ApiKey::try_from(key)?,
        person: Person::try_from(person)?,
        place: workspace.map(|workspace| (Arc::new(workspace), user.map(Arc::new))),
    })
}

impl CallerRepository for Session<'_> {
    fn find(&mut self, introduction: &Introduction) -> Result<Option<Arc<Caller>>, StoreError> {
        let known = self.memory().and_then(|memory| memory.caller(introduction));
        if let Some(known) = known
            && (self.takes_at_their_word(introduction, &known)
                || self.stamps_of(&known.caller)? == known.stamps)
        {
            return Ok(Some(known.caller));
        }
        let found = self.rows_of(introduction)?;
        let Some(caller) = found.map(caller).transpose()? else {
            return Ok(None);
        };
        let memory = self.memory();
        let Some(memory) = memory.filter(|_| Memory::is_worth_keeping(introduction, &caller))
        else {
            return Ok(Some(Arc::new(caller)));
        };
        let stamps = self.stamps_of(&caller)?;
        Ok(Some(memory.keep(introduction, caller, stamps)))
    }
}
