//! The text of a lesson that is drafted on its own, looked at beside its source.

use lyceum_domain::drafting::drafts::LessonTask;
use lyceum_domain::drafting::generation_steps::StepKey;
use lyceum_domain::drafting::syllabus::LessonDraft;

use super::steps::{Drafted, Steps, Stop, tasks};
use super::support_check::{self, SupportReport};

/// A drafted lesson, and what became of its sentences.
#[derive(Debug, Clone)]
pub struct DraftedLesson {
    pub draft: LessonDraft,
    pub support: Vec<SupportReport>,
}

/// Drafts it.
pub async fn draft(steps: &Steps<'_>, task: LessonTask) -> Result<Drafted<DraftedLesson>, Stop> {
    let (key, frame, asked) = (
        StepKey::only_lesson(),
        task.frame.clone(),
        tasks::lesson(&task),
    );
    if support_check::is_wanted(steps, &frame.source_text) {
        steps.plan(vec![key.clone(), key.support()]).await?;
    }
    let ask = steps.ask(key.clone(), asked, async |meter| {
        steps.app.ai.draft_lesson(task, meter).await
    });
    let drafted = ask.await?;
    let support = support_check::looked_at(steps, &frame, &key, &drafted).await?;
    Ok(drafted.with(DraftedLesson {
        draft: drafted.value.clone(),
        support: support.into_iter().collect(),
    }))
}
