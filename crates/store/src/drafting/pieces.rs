//! Pieces of generations in rows.

use lyceum_domain::drafting::pieces::{
    Piece, PieceDecision, PieceKind, PiecePlace, PieceState, PieceStatus, PieceTexts,
};
use lyceum_domain::ids::{GenerationId, PieceId, UserId};
use lyceum_domain::json::JsonObject;
use lyceum_ports::drafting::pieces::PieceRepository;

use crate::authoring::siblings::{self, Start};
use crate::drafting::step_documents;
use crate::mapping::schema::generation_pieces;
use crate::prelude::*;

row! {
    /// Everything but the texts, which are big and seldom wanted.
    #[derive(Queryable, Selectable, Insertable, AsChangeset)]
    #[diesel(table_name = generation_pieces, primary_key(workspace_id, id))]
    #[diesel(treat_none_as_null = true, treat_none_as_default_value = false)]
    struct PieceRow of Piece {
        workspace_id: WorkspaceId,
        id: PieceId,
        generation_id: GenerationId,
        position: u32,
        parent_id: Option<PieceId>,
        kind: PieceKind,
        name: String,
        model: String,
        source_hash: Option<String>,
        after_id: Option<String>,
        ..place: (
            course_id: Option<String>,
            unit_id: Option<String>,
            lesson_id: Option<String>,
            activity_id: Option<String>,
        ),
        ..state: (
            status: String,
            decided_by: Option<String>,
            decided_at: Option<Moment>,
            result_id: Option<String>,
        ),
        ..stamp: (created_at: Moment, updated_at: Moment, version: i64),
    }
}

kept_as_text!(PieceKind);

impl Stored for PiecePlace {
    type Columns = (
        Option<String>,
        Option<String>,
        Option<String>,
        Option<String>,
    );

    fn columns(&self) -> Self::Columns {
        match self {
            Self::Course(id) => (Some(id.to_string()), None, None, None),
            Self::Unit(id) => (None, Some(id.to_string()), None, None),
            Self::Lesson(id) => (None, None, Some(id.to_string()), None),
            Self::Activity(id) => (None, None, None, Some(id.to_string())),
        }
    }

    fn read(columns: Self::Columns) -> Result<Self, StoreError> {
        match columns {
            (Some(id), None, None, None) => rows::id(&id).map(Self::Course),
            (None, Some(id), None, None) => rows::id(&id).map(Self::Unit),
            (None, None, Some(id), None) => rows::id(&id).map(Self::Lesson),
            (None, None, None, Some(id)) => rows::id(&id).map(Self::Activity),
            _ => Err(corrupt("a piece for nothing, or for two things".to_owned())),
        }
    }
}

impl Stored for PieceState {
    /// The word, who decided and when, and what came of it.
    type Columns = (String, Option<String>, Option<Moment>, Option<String>);

    fn columns(&self) -> Self::Columns {
        let decision = self.decision();
        (
            self.status().to_string(),
            decision
                .and_then(|decision| decision.by)
                .map(|id| id.to_string()),
            decision.map(|decision| Moment(decision.at)),
            self.result().map(str::to_owned),
        )
    }

    fn read((status, by, at, result): Self::Columns) -> Result<Self, StoreError> {
        let by: Option<UserId> = rows::optional_id(by.as_ref())?;
        let decision = at.map(|Moment(at)| PieceDecision { by, at });
        let status: PieceStatus = rows::read(PieceStatus::parse(&status))?;
        match (status, decision, result) {
            (PieceStatus::Proposed, None, None) => Ok(Self::Proposed),
            (PieceStatus::Accepted, Some(decision), Some(result)) => {
                Ok(Self::Accepted(decision, result))
            }
            (PieceStatus::Discarded, Some(decision), None) => Ok(Self::Discarded(decision)),
            (PieceStatus::Proposed | PieceStatus::Accepted | PieceStatus::Discarded, ..) => {
                Err(corrupt(format!("a piece that is {status} by halves")))
            }
        }
    }
}

impl PieceRepository for Session<'_> {
    fn insert(&mut self, piece: &Piece, texts: &PieceTexts) -> Result<(), StoreError> {
        let row = PieceRow::from(piece);
        let draft = step_documents::written_piece(&texts.draft)?;
        let was = texts.before.clone().unwrap_or_default().columns();
        let mut checks = texts.checks.columns();
        step_documents::drop_nul(&mut checks.0);
        self.put_row(|conn| {
            diesel::insert_into(generation_pieces::table)
                .values((
                    &row,
                    generation_pieces::draft.eq(draft),
                    generation_pieces::was.eq(was),
                    generation_pieces::checks.eq(checks),
                ))
                .execute(conn)
        })
    }

    fn find(&mut self, workspace: WorkspaceId, id: PieceId) -> Result<Option<Piece>, StoreError> {
        let found = self.run(|conn| {
            generation_pieces::table
                .find((workspace.to_string(), id.to_string()))
                .select(PieceRow::as_select())
                .first(conn)
                .optional()
        })?;
        found.map(Piece::try_from).transpose()
    }

    fn texts(
        &mut self,
        workspace: WorkspaceId,
        id: PieceId,
    ) -> Result<Option<PieceTexts>, StoreError> {
        let found: Option<(Json, Json, Json)> = self.run(|conn| {
            generation_pieces::table
                .find((workspace.to_string(), id.to_string()))
                .select((
                    generation_pieces::draft,
                    generation_pieces::was,
                    generation_pieces::checks,
                ))
                .first(conn)
                .optional()
        })?;
        let Some((draft, was, checks)) = found else {
            return Ok(None);
        };
        let was: JsonObject = Stored::read(was)?;
        Ok(Some(PieceTexts {
            draft: step_documents::read_piece(draft)?,
            before: Some(was).filter(|was| !was.is_empty()),
            checks: Stored::read(checks)?,
        }))
    }

    fn of_generation(
        &mut self,
        workspace: WorkspaceId,
        generation: GenerationId,
    ) -> Result<Vec<Piece>, StoreError> {
        let found = self.run(|conn| {
            generation_pieces::table
                .filter(generation_pieces::workspace_id.eq(workspace.to_string()))
                .filter(generation_pieces::generation_id.eq(generation.to_string()))
                .order((
                    generation_pieces::position.asc(),
                    generation_pieces::id.asc(),
                ))
                .select(PieceRow::as_select())
                .load(conn)
        })?;
        found.into_iter().map(Piece::try_from).collect()
    }

    fn update(&mut self, piece: &Piece) -> Result<(), StoreError> {
        let row = PieceRow::from(piece);
        self.change(&row.id, |conn| {
            let query = diesel::update(generation_pieces::table)
                .filter(generation_pieces::workspace_id.eq(&row.workspace_id))
                .filter(generation_pieces::id.eq(&row.id))
                .filter(generation_pieces::version.lt(row.version))
                .set(&row);
            on_either!(conn, CachedByText(query).execute(conn))
        })
    }

    fn page(
        &mut self,
        workspace: WorkspaceId,
        generation: GenerationId,
        status: Option<PieceStatus>,
        page: &PageRequest,
    ) -> Result<Page<Piece>, StoreError> {
        // As many as a course has things, so a page may look at them all.
        let walk = Walk::<ids::GenerationPiece>::over("generation_pieces", workspace, page)
            .sifting(status.is_some())
            .of_few(true)
            .by_place(page.sort.is_none());
        walk.take(self, |session, mut reach| {
            let mut query = generation_pieces::table
                .filter(generation_pieces::workspace_id.eq(workspace.to_string()))
                .filter(generation_pieces::generation_id.eq(generation.to_string()))
                .select(PieceRow::as_select())
                .limit(i64::from(page.limit) + 1)
                .into_boxed();
            for condition in reach.conditions() {
                query = query.filter(condition);
            }
            if let Some(status) = status {
                query = query.filter(generation_pieces::status.eq(status.to_string()));
            }
            if page.sort.is_some() {
                query = query.order(reach.order());
            } else {
                query = query.order((
                    generation_pieces::position.asc(),
                    generation_pieces::id.asc(),
                ));
                let place_of = |id: &str| {
                    session.run(|conn| {
                        generation_pieces::table
                            .find((workspace.to_string(), id))
                            .filter(generation_pieces::generation_id.eq(generation.to_string()))
                            .select(generation_pieces::position)
                            .first(conn)
                            .optional()
                    })
                };
                match siblings::start(page.after.as_ref(), place_of)? {
                    Start::Front => {}
                    Start::Behind { position, id } => {
                        query = query
                            .filter(generation_pieces::position.ge(position))
                            .filter(
                                generation_pieces::position
                                    .gt(position)
                                    .or(generation_pieces::id.gt(id)),
                            );
                    }
                    Start::Nowhere => return Ok(Page::empty()),
                }
            }
            let found = session.run(|conn| query.load::<PieceRow>(conn))?;
            let pieces = found
                .into_iter()
                .map(Piece::try_from)
                .collect::<Result<Vec<_>, _>>()?;
            Ok(reach.cut_by(pieces, |piece| Keyset {
                position: page.sort.is_none().then_some(piece.position),
                ..Keyset::of_id(piece.id.to_string())
            }))
        })
    }
}
