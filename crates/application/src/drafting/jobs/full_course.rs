//! Writing out a planned course: the text of every lesson, the content of every activity, each a step of its own.
//!
//! Names, minutes and the order of things are the plan's and stay.

use lyceum_domain::authoring::activities::ActivityKind;
use lyceum_domain::drafting::drafts::{ActivitiesTask, LessonTask};
use lyceum_domain::drafting::generation_steps::StepKey;
use lyceum_domain::drafting::syllabus::{ActivityDraft, LessonDraft, SyllabusDraft, UnitDraft};
use lyceum_ports::drafting::ai::{AiError, Answered};

use super::course_task::CourseTask;
use super::quiz_check::{self, QuizReport, QuizSource};
use super::steps::{Drafted, Steps, Stop, tasks};
use super::support_check::{self, SupportReport};

/// A lesson, written out.
pub struct WrittenLesson {
    pub lesson: LessonDraft,
    /// Which model answered which step.
    pub models: Vec<(StepKey, String)>,
    pub quizzes: Vec<QuizReport>,
    pub support: Option<SupportReport>,
    pub warnings: Vec<String>,
}

/// The steps that writing out a plan takes.
pub fn keys(steps: &Steps<'_>, task: &CourseTask, plan: &SyllabusDraft) -> Vec<StepKey> {
    let is_checked = !steps.is_built_in();
    let is_read = support_check::is_wanted(steps, &task.brief.source_text);
    let mut keys = Vec::new();
    for (u, unit) in plan.units.iter().enumerate() {
        for (l, lesson) in unit.lessons.iter().enumerate() {
            let key = StepKey::lesson(u, l);
            let support = is_read.then(|| key.support());
            keys.push(key);
            keys.extend(support);
            for (a, activity) in lesson.activities.iter().enumerate() {
                let key = StepKey::activity(u, l, a);
                let check = key.check();
                keys.push(key);
                if is_checked && activity.kind == ActivityKind::Quiz {
                    keys.push(check);
                }
            }
        }
    }
    keys
}

/// Every activity of a course, with the step that drafts it.
pub fn activities(plan: &mut SyllabusDraft) -> Vec<(StepKey, &mut ActivityDraft)> {
    let mut all = Vec::new();
    for (u, unit) in plan.units.iter_mut().enumerate() {
        for (l, lesson) in unit.lessons.iter_mut().enumerate() {
            let drafts = lesson.activities.iter_mut().enumerate();
            all.extend(drafts.map(|(a, draft)| (StepKey::activity(u, l, a), draft)));
        }
    }
    all
}

/// Writes out every lesson, in order; lessons do not need each other.
pub async fn write(
    steps: &Steps<'_>,
    task: &CourseTask,
    plan: &SyllabusDraft,
) -> Result<Vec<Vec<WrittenLesson>>, Stop> {
    let mut all = Vec::new();
    for (u, unit) in plan.units.iter().enumerate() {
        for l in 0..unit.lessons.len() {
            all.push(Box::pin(write_lesson(steps, task, unit, (u, l))));
        }
    }
    let mut written = steps.side_by_side(all).await?.into_iter();
    let of_unit = |unit: &UnitDraft| written.by_ref().take(unit.lessons.len()).collect();
    Ok(plan.units.iter().map(of_unit).collect())
}

async fn write_lesson(
    steps: &Steps<'_>,
    task: &CourseTask,
    unit: &UnitDraft,
    (u, l): (usize, usize),
) -> Result<WrittenLesson, Stop> {
    let mut lesson = unit.lessons.get(l).cloned().ok_or(Stop::Over)?;
    let key = StepKey::lesson(u, l);
    let wanted = lesson_task(task, unit, &lesson);
    let frame = wanted.frame.clone();
    let text = text(steps, &key, wanted).await?;
    let support = support_check::looked_at(steps, &frame, &key, &text).await?;
    let mut written = WrittenLesson {
        models: vec![(key, text.model)],
        quizzes: Vec::new(),
        support,
        warnings: Vec::new(),
        lesson: lesson.clone(),
    };
    lesson.content = text.value.content;
    if !text.value.summary.trim().is_empty() {
        lesson.summary = text.value.summary;
    }
    if !text.value.objectives.is_empty() {
        lesson.objectives = text.value.objectives;
    }
    for a in 0..lesson.activities.len() {
        let of_lesson = OfLesson {
            steps,
            task,
            unit,
            lesson: &lesson,
        };
        let (activity, key) = (of_lesson.planned(a)?, StepKey::activity(u, l, a));
        let (drafted, report) = of_lesson.activity(&key, a).await?;
        let Some(drafted) = drafted else {
            let kept = format!("{key}: the lesson says too little, so what was planned stays");
            written.warnings.push(kept);
            continue;
        };
        written.models.push((key, drafted.model));
        written.quizzes.extend(report);
        let content = drafted.value.content;
        if let Some(place) = lesson.activities.get_mut(a) {
            *place = ActivityDraft {
                content,
                ..activity
            };
        }
    }
    written.lesson = lesson;
    Ok(written)
}

async fn text(
    steps: &Steps<'_>,
    key: &StepKey,
    task: LessonTask,
) -> Result<Drafted<LessonDraft>, Stop> {
    let asked = tasks::lesson(&task);
    let ask = steps.ask(key.clone(), asked, async |meter| {
        let answered = steps.app.ai.draft_lesson(task, meter).await?;
        if answered.value.content.trim().is_empty() {
            let sentence = "the lesson has no text".to_owned();
            return Err(AiError::InvalidOutput(sentence));
        }
        Ok(answered)
    });
    ask.await
}

/// What the plan says of the lesson is its brief.
fn lesson_task(task: &CourseTask, unit: &UnitDraft, lesson: &LessonDraft) -> LessonTask {
    LessonTask {
        frame: task.frame(unit, lesson.content.clone()),
        name: lesson.name.clone(),
        summary: lesson.summary.clone(),
        objectives: lesson.objectives.clone(),
        siblings: siblings(unit, lesson),
        minutes: lesson.minutes,
    }
}

fn siblings(unit: &UnitDraft, lesson: &LessonDraft) -> Vec<String> {
    let names = unit.lessons.iter().map(|other| other.name.clone());
    names.filter(|name| *name != lesson.name).collect()
}

/// A lesson whose text is written, and whose activities are to be.
struct OfLesson<'a> {
    steps: &'a Steps<'a>,
    task: &'a CourseTask,
    unit: &'a UnitDraft,
    lesson: &'a LessonDraft,
}

impl OfLesson<'_> {
    fn planned(&self, a: usize) -> Result<ActivityDraft, Stop> {
        self.lesson.activities.get(a).cloned().ok_or(Stop::Over)
    }

    /// The content of an activity, its key checked; none where the built-in engine can make nothing of the text.
    async fn activity(
        &self,
        key: &StepKey,
        a: usize,
    ) -> Result<(Option<Drafted<ActivityDraft>>, Option<QuizReport>), Stop> {
        let Some(drafted) = self.content(key.clone(), a).await? else {
            return Ok((None, None));
        };
        let source = QuizSource {
            language: self.task.brief.language.to_string(),
            lesson: self.lesson.content.clone(),
            model: self.task.brief.model.clone(),
        };
        let first = drafted.clone();
        let again = async |second: StepKey| {
            let again = self.content(second, a).await?;
            Ok(again.unwrap_or(first))
        };
        let (drafted, report) =
            quiz_check::checked(self.steps, &source, key, drafted, again).await?;
        Ok((Some(drafted), report))
    }

    async fn content(
        &self,
        key: StepKey,
        a: usize,
    ) -> Result<Option<Drafted<ActivityDraft>>, Stop> {
        let planned = self.planned(a)?;
        let wanted = self.activities_task(&planned);
        let asked = tasks::activities(&wanted);
        let kind = planned.kind;
        let drafted = self.steps.ask(key, asked, async |meter| {
            match self.steps.app.ai.draft_activities(wanted, meter).await {
                Ok(answered) => only(kind, answered),
                Err(AiError::InputTooThin(_)) => Ok(self.steps.no_answer(Vec::new(), meter)),
                Err(error) => Err(error),
            }
        });
        let drafted = drafted.await?;
        let first = drafted.value.first().cloned();
        Ok(first.map(|draft| drafted.with(draft)))
    }

    fn activities_task(&self, planned: &ActivityDraft) -> ActivitiesTask {
        let names = self.lesson.activities.iter().map(|one| one.name.clone());
        ActivitiesTask {
            frame: self.task.frame(self.unit, String::new()),
            lesson_name: self.lesson.name.clone(),
            objectives: self.lesson.objectives.clone(),
            content: self.lesson.content.clone(),
            siblings: siblings(self.unit, self.lesson),
            kind: planned.kind,
            count: 1,
            items: None,
            names: names.filter(|name| *name != planned.name).collect(),
            unit_texts: self.unit_texts(planned),
        }
    }

    /// What the plan says of the unit's other lessons, for the only quiz of a unit that has several.
    fn unit_texts(&self, planned: &ActivityDraft) -> Vec<String> {
        let activities = self
            .unit
            .lessons
            .iter()
            .flat_map(|lesson| &lesson.activities);
        let quizzes = activities.filter(|one| one.kind == ActivityKind::Quiz);
        if planned.kind != ActivityKind::Quiz || quizzes.count() > 1 {
            return Vec::new();
        }
        let others = self.unit.lessons.iter();
        let others = others.filter(|lesson| lesson.name != self.lesson.name);
        others.map(|lesson| lesson.content.clone()).collect()
    }
}

/// The drafts of the kind that was asked for, if there is one with something in it.
fn only(
    kind: ActivityKind,
    mut answered: Answered<Vec<ActivityDraft>>,
) -> Result<Answered<Vec<ActivityDraft>>, AiError> {
    answered
        .value
        .retain(|draft| draft.kind == kind && !draft.content.as_map().is_empty());
    if answered.value.is_empty() {
        let sentence = format!("there is no {kind} in it");
        return Err(AiError::InvalidOutput(sentence));
    }
    Ok(answered)
}
