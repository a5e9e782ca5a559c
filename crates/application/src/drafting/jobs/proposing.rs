//! Keeping what was drafted for a person to decide about, piece by piece, where it would else land.

use lyceum_domain::Stamp;
use lyceum_domain::authoring::activities::Activity;
use lyceum_domain::authoring::courses::Course;
use lyceum_domain::authoring::lessons::Lesson;
use lyceum_domain::authoring::provenance::Provenance;
use lyceum_domain::authoring::units::Unit;
use lyceum_domain::drafting::generation_steps::StepKey;
use lyceum_domain::drafting::pieces::{
    Piece, PieceDraft, PieceKind, PiecePlace, PieceState, PieceTexts,
};
use lyceum_domain::drafting::syllabus::{ActivityDraft, LessonDraft, UnitDraft};
use lyceum_domain::ids::PieceId;
use lyceum_domain::json::JsonObject;
use lyceum_domain::text::Name;
use serde_json::{Value, json};

use super::activities_steps::DraftedActivities;
use super::draft_writer::DraftWriter;
use super::lesson_steps::DraftedLesson;
use super::quiz_check::QuizReport;
use super::support_check::SupportReport;
use super::text_check;
use crate::authoring::versions;
use crate::drafting::drafts;
use crate::prelude::*;

/// Adds to the result of a generation how many pieces wait, where they do.
pub fn tell(pieces: Option<u32>, result: &mut Value) {
    if let (Some(pieces), Some(members)) = (pieces, result.as_object_mut()) {
        members.insert("pieces".to_owned(), json!(pieces));
    }
}

/// What was found out about lessons and quizzes, by the steps that drafted them.
pub type Findings<'a> = (&'a [SupportReport], &'a [QuizReport]);

/// Proposes units with all that is in them, behind those of a course; how many pieces that are.
pub fn units(
    tx: &mut dyn Tx,
    ctx: &Context,
    by: &DraftWriter,
    course: &Course,
    (units, findings): (&[UnitDraft], Findings<'_>),
) -> Result<u32, Error> {
    let there = tx.units().of_courses(ctx.workspace_id(), &[course.id])?;
    let last = there.last().map(|unit| unit.id.to_string());
    let mut pieces = Pieces::of(by, PiecePlace::Course(course.id), last);
    for (u, unit) in units.iter().enumerate() {
        let parent = pieces.unit(tx, ctx, unit)?;
        for (l, lesson) in unit.lessons.iter().enumerate() {
            let key = StepKey::lesson(u, l);
            let support = findings.0.iter().find(|report| report.is_of(&key));
            let wanted = (lesson, by.provenance_of(&key));
            let parent = pieces.lesson(tx, ctx, Some(parent), wanted, support)?;
            for (a, activity) in lesson.activities.iter().enumerate() {
                let key = StepKey::activity(u, l, a);
                let quiz = findings.1.iter().find(|report| report.is_of(&key));
                let wanted = (activity, by.provenance_of(&key));
                pieces.activity(tx, ctx, Some(parent), wanted, quiz)?;
            }
        }
        pieces.assignments(tx, ctx, parent, unit)?;
    }
    Ok(pieces.made)
}

/// Proposes lessons with their activities, behind those of a unit; how many pieces that are.
pub fn lessons(
    tx: &mut dyn Tx,
    ctx: &Context,
    by: &DraftWriter,
    unit: &Unit,
    lessons: &[LessonDraft],
) -> Result<u32, Error> {
    let there = tx.lessons().of_units(ctx.workspace_id(), &[unit.id])?;
    let last = there.last().map(|lesson| lesson.id.to_string());
    let mut pieces = Pieces::of(by, PiecePlace::Unit(unit.id), last);
    for lesson in lessons {
        let parent = pieces.lesson(tx, ctx, None, (lesson, by.provenance()), None)?;
        for activity in &lesson.activities {
            pieces.activity(tx, ctx, Some(parent), (activity, by.provenance()), None)?;
        }
    }
    Ok(pieces.made)
}

/// Proposes another text for a lesson: as the lesson would be with it.
pub fn lesson(
    tx: &mut dyn Tx,
    ctx: &Context,
    by: &DraftWriter,
    lesson: &Lesson,
    drafted: &DraftedLesson,
) -> Result<u32, Error> {
    let would_be = drafts::redrafted(lesson, &drafted.draft, by.provenance(), ctx.now);
    let draft = LessonDraft {
        name: would_be.name.to_string(),
        summary: would_be.summary.to_string(),
        objectives: would_be.objectives.as_slice().to_vec(),
        content: would_be.content.to_string(),
        minutes: would_be.duration.get(),
        activities: Vec::new(),
    };
    let texts = PieceTexts {
        checks: of_lesson(&draft, drafted.support.first()),
        before: Some(versions::of_lesson(lesson)?),
        draft: PieceDraft::Lesson(draft),
    };
    let mut pieces = Pieces::of(by, PiecePlace::Lesson(lesson.id), None);
    pieces.put(tx, ctx, None, by.provenance(), &texts)?;
    Ok(pieces.made)
}

/// Proposes activities, behind those of a lesson; how many pieces that are.
pub fn activities(
    tx: &mut dyn Tx,
    ctx: &Context,
    by: &DraftWriter,
    lesson: &Lesson,
    drafted: &DraftedActivities,
) -> Result<u32, Error> {
    let there = tx
        .activities()
        .of_lessons(ctx.workspace_id(), &[lesson.id])?;
    let last = there.last().map(|activity| activity.id.to_string());
    let mut pieces = Pieces::of(by, PiecePlace::Lesson(lesson.id), last);
    for (at, draft) in drafted.drafts.iter().enumerate() {
        let quiz = quiz_of(drafted, at);
        pieces.activity(tx, ctx, None, (draft, by.provenance()), quiz)?;
    }
    Ok(pieces.made)
}

/// Proposes another content for an activity, under its own name.
pub fn activity(
    tx: &mut dyn Tx,
    ctx: &Context,
    by: &DraftWriter,
    activity: &Activity,
    (draft, drafted): (&ActivityDraft, &DraftedActivities),
) -> Result<u32, Error> {
    let at = drafted.drafts.iter().position(|one| one == draft);
    let quiz = at.and_then(|at| quiz_of(drafted, at));
    let draft = ActivityDraft {
        name: activity.name.to_string(),
        ..draft.clone()
    };
    let texts = PieceTexts {
        checks: of_activity(&draft, quiz),
        before: Some(versions::of_activity(activity)?),
        draft: PieceDraft::Activity(draft),
    };
    let mut pieces = Pieces::of(by, PiecePlace::Activity(activity.id), None);
    pieces.put(tx, ctx, None, by.provenance(), &texts)?;
    Ok(pieces.made)
}

fn quiz_of(drafted: &DraftedActivities, at: usize) -> Option<&QuizReport> {
    let step = StepKey::one_activity(at);
    drafted.quizzes.iter().find(|report| report.is_of(&step))
}

/// The pieces of one generation, as they are put there one behind the other.
struct Pieces<'a> {
    by: &'a DraftWriter,
    place: PiecePlace,
    /// Behind what those come that are in no other piece.
    behind: Option<String>,
    made: u32,
}

impl<'a> Pieces<'a> {
    const fn of(by: &'a DraftWriter, place: PiecePlace, behind: Option<String>) -> Self {
        Self {
            by,
            place,
            behind,
            made: 0,
        }
    }

    fn unit(&mut self, tx: &mut dyn Tx, ctx: &Context, unit: &UnitDraft) -> Result<PieceId, Error> {
        let draft = UnitDraft {
            lessons: Vec::new(),
            assignments: Vec::new(),
            ..unit.clone()
        };
        let texts = new(PieceDraft::Unit(draft), JsonObject::new());
        self.put(tx, ctx, None, self.by.provenance(), &texts)
    }

    fn lesson(
        &mut self,
        tx: &mut dyn Tx,
        ctx: &Context,
        parent: Option<PieceId>,
        (lesson, provenance): (&LessonDraft, Provenance),
        support: Option<&SupportReport>,
    ) -> Result<PieceId, Error> {
        let draft = LessonDraft {
            activities: Vec::new(),
            ..lesson.clone()
        };
        let checks = of_lesson(&draft, support);
        let texts = new(PieceDraft::Lesson(draft), checks);
        self.put(tx, ctx, parent, provenance, &texts)
    }

    fn activity(
        &mut self,
        tx: &mut dyn Tx,
        ctx: &Context,
        parent: Option<PieceId>,
        (draft, provenance): (&ActivityDraft, Provenance),
        quiz: Option<&QuizReport>,
    ) -> Result<PieceId, Error> {
        let checks = of_activity(draft, quiz);
        let texts = new(PieceDraft::Activity(draft.clone()), checks);
        self.put(tx, ctx, parent, provenance, &texts)
    }

    fn assignments(
        &mut self,
        tx: &mut dyn Tx,
        ctx: &Context,
        parent: PieceId,
        unit: &UnitDraft,
    ) -> Result<(), Error> {
        for draft in &unit.assignments {
            let checks = told(&text_check::of_assignment(draft), None);
            let texts = new(PieceDraft::Assignment(draft.clone()), checks);
            self.put(tx, ctx, Some(parent), self.by.provenance(), &texts)?;
        }
        Ok(())
    }

    fn put(
        &mut self,
        tx: &mut dyn Tx,
        ctx: &Context,
        parent_id: Option<PieceId>,
        provenance: Provenance,
        texts: &PieceTexts,
    ) -> Result<PieceId, Error> {
        let id = ctx.mint();
        let is_first = parent_id.is_none();
        let piece = Piece {
            workspace_id: ctx.workspace_id(),
            id,
            generation_id: self.by.generation(),
            position: self.made,
            parent_id,
            kind: texts.draft.kind(),
            name: name(&texts.draft),
            place: self.place,
            after_id: self.behind.clone().filter(|_| is_first),
            model: provenance.model.unwrap_or_default(),
            source_hash: provenance.source_hash,
            state: PieceState::Proposed,
            stamp: Stamp::new(ctx.now),
        };
        tx.pieces().insert(&piece, texts)?;
        self.made += 1;
        Ok(id)
    }
}

fn new(draft: PieceDraft, checks: JsonObject) -> PieceTexts {
    PieceTexts {
        draft,
        before: None,
        checks,
    }
}

/// What it will be called.
fn name(draft: &PieceDraft) -> String {
    let unnamed = match draft.kind() {
        PieceKind::Unit => "Unit",
        PieceKind::Lesson => "Lesson",
        PieceKind::Activity => "Activity",
        PieceKind::Assignment => "Assignment",
    };
    Name::clamp(draft.name(), unnamed).to_string()
}

fn of_lesson(draft: &LessonDraft, support: Option<&SupportReport>) -> JsonObject {
    let mut warnings = text_check::of_lesson(draft);
    warnings.extend(support.and_then(SupportReport::warning));
    told(
        &warnings,
        support.map(|report| ("support", report.to_json())),
    )
}

fn of_activity(draft: &ActivityDraft, quiz: Option<&QuizReport>) -> JsonObject {
    let mut warnings = text_check::of_activity(draft);
    warnings.extend(quiz.into_iter().flat_map(QuizReport::warnings));
    told(&warnings, quiz.map(|report| ("quiz", report.to_json())))
}

fn told(warnings: &[String], report: Option<(&str, Value)>) -> JsonObject {
    let report = report.map(|(name, report)| (name.to_owned(), report));
    std::iter::once(("warnings".to_owned(), Value::from(warnings)))
        .chain(report)
        .collect()
}
