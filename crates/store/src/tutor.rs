//! Conversations with the tutor in rows.

use diesel::prelude::*;
use lyceum_domain::lessons::LessonId;
use lyceum_domain::tutor::{ThreadId, TurnId, TutorTurn};
use lyceum_domain::users::UserId;
use lyceum_domain::workspaces::WorkspaceId;
use lyceum_ports::store::StoreError;
use lyceum_ports::tutor::TutorRepository;

use crate::columns::Moment;
use crate::rows;
use crate::schema::tutor_turns;
use crate::session::Session;

#[derive(Queryable, Selectable, Insertable)]
#[diesel(table_name = tutor_turns)]
struct TurnRow {
    workspace_id: String,
    id: String,
    thread_id: String,
    lesson_id: String,
    user_id: String,
    message: String,
    reply: String,
    created_at: Moment,
}

impl From<&TutorTurn> for TurnRow {
    fn from(turn: &TutorTurn) -> Self {
        let TutorTurn {
            workspace_id,
            id,
            thread_id,
            lesson_id,
            user_id,
            message,
            reply,
            created_at,
        } = turn;
        Self {
            workspace_id: workspace_id.to_string(),
            id: id.to_string(),
            thread_id: thread_id.to_string(),
            lesson_id: lesson_id.to_string(),
            user_id: user_id.to_string(),
            message: message.clone(),
            reply: reply.clone(),
            created_at: (*created_at).into(),
        }
    }
}

impl TryFrom<TurnRow> for TutorTurn {
    type Error = StoreError;

    fn try_from(row: TurnRow) -> Result<Self, StoreError> {
        Ok(Self {
            workspace_id: rows::id(&row.workspace_id)?,
            id: rows::id(&row.id)?,
            thread_id: rows::id(&row.thread_id)?,
            lesson_id: rows::id(&row.lesson_id)?,
            user_id: rows::id(&row.user_id)?,
            message: row.message,
            reply: row.reply,
            created_at: row.created_at.0,
        })
    }
}

impl TutorRepository for Session<'_> {
    fn insert(&mut self, turn: &TutorTurn) -> Result<(), StoreError> {
        let row = TurnRow::from(turn);
        self.run(|conn| {
            diesel::insert_into(tutor_turns::table)
                .values(&row)
                .execute(conn)
        })
        .map(drop)
    }

    fn newest(
        &mut self,
        workspace: WorkspaceId,
        user: UserId,
        lesson: LessonId,
        thread: ThreadId,
    ) -> Result<Vec<TutorTurn>, StoreError> {
        let mut found: Vec<TurnRow> = self.run(|conn| {
            tutor_turns::table
                .filter(tutor_turns::workspace_id.eq(workspace.to_string()))
                .filter(tutor_turns::thread_id.eq(thread.to_string()))
                .filter(tutor_turns::user_id.eq(user.to_string()))
                .filter(tutor_turns::lesson_id.eq(lesson.to_string()))
                .order(tutor_turns::id.desc())
                .limit(TutorTurn::KEPT.into())
                .select(TurnRow::as_select())
                .load(conn)
        })?;
        found.reverse();
        found.into_iter().map(TutorTurn::try_from).collect()
    }

    fn forget_before(
        &mut self,
        workspace: WorkspaceId,
        thread: ThreadId,
        turn: TurnId,
    ) -> Result<(), StoreError> {
        self.run(|conn| {
            let old = tutor_turns::table
                .filter(tutor_turns::workspace_id.eq(workspace.to_string()))
                .filter(tutor_turns::thread_id.eq(thread.to_string()))
                .filter(tutor_turns::id.lt(turn.to_string()));
            diesel::delete(old).execute(conn)
        })
        .map(drop)
    }
}
