//! Conversations with the tutor in rows.

use lyceum_domain::drafting::tutor::{Citation, TutorMove, TutorReply, TutorTurn};
use lyceum_domain::grading::grades::Evidence;
use lyceum_domain::ids::LessonId;
use lyceum_domain::ids::ThreadId;
use lyceum_domain::ids::TurnId;
use lyceum_domain::ids::UserId;
use lyceum_ports::drafting::tutor::TutorRepository;
use serde::{Deserialize, Serialize};

use crate::mapping::documents;
use crate::mapping::schema::tutor_turns;
use crate::prelude::*;

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
    hint_level: i64,
    act: String,
    model: String,
    citations: Json,
    handoff_to_teacher: bool,
}

/// How a citation is kept.
#[derive(Serialize, Deserialize)]
struct CitationDocument {
    lesson_id: String,
    start: usize,
    end: usize,
    quote: String,
}

impl From<&Citation> for CitationDocument {
    fn from(citation: &Citation) -> Self {
        let Citation { lesson_id, passage } = citation;
        Self {
            lesson_id: lesson_id.to_string(),
            start: passage.start,
            end: passage.end,
            quote: passage.quote.clone(),
        }
    }
}

impl TryFrom<CitationDocument> for Citation {
    type Error = StoreError;

    fn try_from(document: CitationDocument) -> Result<Self, StoreError> {
        Ok(Self {
            lesson_id: rows::id(&document.lesson_id)?,
            passage: Evidence {
                start: document.start,
                end: document.end,
                quote: document.quote,
            },
        })
    }
}

impl TryFrom<&TutorTurn> for TurnRow {
    type Error = StoreError;

    fn try_from(turn: &TutorTurn) -> Result<Self, StoreError> {
        let TutorTurn {
            workspace_id,
            id,
            thread_id,
            lesson_id,
            user_id,
            message,
            reply,
            hint_level,
            model,
            created_at,
        } = turn;
        let citations: Vec<CitationDocument> = reply.citations.iter().map(Into::into).collect();
        Ok(Self {
            workspace_id: workspace_id.to_string(),
            id: id.to_string(),
            thread_id: thread_id.to_string(),
            lesson_id: lesson_id.to_string(),
            user_id: user_id.to_string(),
            message: message.clone(),
            reply: reply.message.clone(),
            created_at: (*created_at).into(),
            hint_level: (*hint_level).into(),
            act: reply.act.to_string(),
            model: model.clone(),
            citations: documents::write(&citations)?,
            handoff_to_teacher: reply.handoff_to_teacher,
        })
    }
}

impl TryFrom<TurnRow> for TutorTurn {
    type Error = StoreError;

    fn try_from(row: TurnRow) -> Result<Self, StoreError> {
        let citations: Vec<CitationDocument> = documents::read(row.citations)?;
        let citations = citations.into_iter().map(Citation::try_from);
        Ok(Self {
            workspace_id: rows::id(&row.workspace_id)?,
            id: rows::id(&row.id)?,
            thread_id: rows::id(&row.thread_id)?,
            lesson_id: rows::id(&row.lesson_id)?,
            user_id: rows::id(&row.user_id)?,
            message: row.message,
            reply: TutorReply {
                message: row.reply,
                act: rows::read(TutorMove::parse(&row.act))?,
                citations: citations.collect::<Result<_, _>>()?,
                handoff_to_teacher: row.handoff_to_teacher,
            },
            hint_level: rows::number(row.hint_level)?,
            model: row.model,
            created_at: row.created_at.0,
        })
    }
}

impl TutorRepository for Session<'_> {
    fn insert(&mut self, turn: &TutorTurn) -> Result<(), StoreError> {
        let row = TurnRow::try_from(turn)?;
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

    fn page(
        &mut self,
        workspace: WorkspaceId,
        user: UserId,
        lesson: LessonId,
        thread: Option<ThreadId>,
        page: &PageRequest,
    ) -> Result<Page<TutorTurn>, StoreError> {
        let (order, conditions) = paging(self.conn, "tutor_turns", page)?;
        let mut query = tutor_turns::table
            .filter(tutor_turns::workspace_id.eq(workspace.to_string()))
            .filter(tutor_turns::lesson_id.eq(lesson.to_string()))
            .filter(tutor_turns::user_id.eq(user.to_string()))
            .select(TurnRow::as_select())
            .order(order)
            .limit(i64::from(page.limit) + 1)
            .into_boxed();
        if let Some(thread) = thread {
            query = query.filter(tutor_turns::thread_id.eq(thread.to_string()));
        }
        for condition in conditions {
            query = query.filter(condition);
        }
        let found = self.run(|conn| query.load::<TurnRow>(conn))?;
        let turns = found
            .into_iter()
            .map(TutorTurn::try_from)
            .collect::<Result<Vec<_>, _>>()?;
        Ok(Page::cut(turns, page.limit, |turn| {
            Keyset::of_id(turn.id.to_string())
        }))
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
