//! Activities that are drafted for a lesson on their own: drafted together, each quiz checked, each podcast spoken.

use lyceum_domain::authoring::activities::ActivityKind;
use lyceum_domain::drafting::drafts::ActivitiesTask;
use lyceum_domain::drafting::generation_steps::StepKey;
use lyceum_domain::drafting::syllabus::ActivityDraft;
use lyceum_ports::drafting::ai::AiError;

use super::quiz_check::{self, QuizReport, QuizSource};
use super::speech::{self, Spoken};
use super::steps::{Drafted, Steps, Stop, tasks};

/// Drafted activities, and what became of the keys of quizzes and the sound of podcasts.
#[derive(Debug, Clone)]
pub struct DraftedActivities {
    pub drafts: Vec<ActivityDraft>,
    pub quizzes: Vec<QuizReport>,
    pub spoken: Spoken,
}

/// Drafts them.
pub async fn draft(
    steps: &Steps<'_>,
    task: ActivitiesTask,
) -> Result<Drafted<DraftedActivities>, Stop> {
    let drafted = ask(steps, StepKey::activities(), task.clone()).await?;
    let all: Vec<Drafted<ActivityDraft>> = drafted
        .value
        .iter()
        .map(|one| drafted.with(one.clone()))
        .collect();
    if task.kind == ActivityKind::Quiz && !steps.is_built_in() {
        let checks = (0..all.len()).map(|at| StepKey::one_activity(at).check());
        steps.plan(checks.collect()).await?;
    }
    let source = source_of(&task);
    let checked = all.into_iter().enumerate().map(|(at, one)| {
        let again = async |key: StepKey| one_more(steps, key, &task).await;
        let source = &source;
        Box::pin(async move {
            let step = StepKey::one_activity(at);
            quiz_check::checked(steps, source, &step, one, again).await
        })
    });
    let checked = steps.side_by_side(checked.collect::<Vec<_>>()).await?;
    let mut made = DraftedActivities {
        drafts: Vec::new(),
        quizzes: Vec::new(),
        spoken: Spoken::default(),
    };
    for (one, report) in checked {
        made.drafts.push(one.value);
        made.quizzes.extend(report);
    }
    let scripts = made.drafts.iter_mut().enumerate();
    let scripts = scripts.map(|(at, draft)| (StepKey::one_activity(at), draft));
    made.spoken = speech::record(steps, &source.language, scripts.collect()).await?;
    Ok(drafted.with(made))
}

/// What the quiz is answered from: the lesson, or what stood in for it.
fn source_of(task: &ActivitiesTask) -> QuizSource {
    let frame = &task.frame;
    let lesson = if task.content.trim().is_empty() {
        [frame.brief.as_str(), frame.source_text.as_str()].join("\n\n")
    } else {
        task.content.clone()
    };
    QuizSource {
        language: frame.language.to_string(),
        lesson,
        model: frame.model.clone(),
    }
}

async fn ask(
    steps: &Steps<'_>,
    key: StepKey,
    task: ActivitiesTask,
) -> Result<Drafted<Vec<ActivityDraft>>, Stop> {
    let (kind, asked) = (task.kind, tasks::activities(&task));
    let ask = steps.ask(key, asked, async |meter| {
        let mut answered = steps.app.ai.draft_activities(task, meter).await?;
        answered.value.retain(|draft| draft.kind == kind);
        if answered.value.is_empty() {
            let sentence = format!("there is no {kind} in it");
            return Err(AiError::InvalidOutput(sentence));
        }
        Ok(answered)
    });
    ask.await
}

async fn one_more(
    steps: &Steps<'_>,
    key: StepKey,
    task: &ActivitiesTask,
) -> Result<Drafted<ActivityDraft>, Stop> {
    let task = ActivitiesTask {
        count: 1,
        ..task.clone()
    };
    let drafted = ask(steps, key, task).await?;
    let first = drafted.value.first().cloned().ok_or(Stop::Over)?;
    Ok(drafted.with(first))
}
