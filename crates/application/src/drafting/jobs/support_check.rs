//! Looking for support in the source: a lesson that a model wrote from a text is read beside it once more, and the author
//! is told which of its sentences no passage supports. The lesson stays as it is.

use lyceum_domain::drafting::drafts::DraftFrame;
use lyceum_domain::drafting::generation_steps::StepKey;
use lyceum_domain::drafting::support::{
    DoubtedSentence, ReadSentence, SourceStanding, SupportCheck, is_all_of_the_source,
    lesson_sentences, unsupported_share,
};
use lyceum_domain::drafting::syllabus::LessonDraft;
use lyceum_ports::drafting::ai::{AiError, Answered, BUILT_IN, SupportTask};
use lyceum_ports::drafting::ai_calls::Meter;
use serde_json::{Value, json};

use super::steps::{Drafted, Steps, Stop, tasks};

/// What became of a lesson's sentences.
#[derive(Debug, Clone, PartialEq)]
pub struct SupportReport {
    step: StepKey,
    check: Option<SupportCheck>,
}

/// Whether lessons of this source are looked at when a model writes them. The built-in engine writes none of its own:
/// what it takes from a source stands there.
pub fn is_wanted(steps: &Steps<'_>, source_text: &str) -> bool {
    !steps.is_built_in() && !source_text.trim().is_empty()
}

/// Reads a lesson beside its source; nothing to tell where it has none, or where nobody wrote anything of their own.
pub async fn looked_at(
    steps: &Steps<'_>,
    frame: &DraftFrame,
    step: &StepKey,
    drafted: &Drafted<LessonDraft>,
) -> Result<Option<SupportReport>, Stop> {
    let source = frame.source_text.as_str();
    if source.trim().is_empty() || drafted.model == BUILT_IN {
        return Ok(None);
    }
    let sentences = lesson_sentences(&drafted.value.content);
    let read = read(steps, frame, step.support(), sentences).await?;
    Ok(Some(SupportReport {
        step: step.clone(),
        check: read.map(|read| SupportCheck::of(source, &read)),
    }))
}

async fn read(
    steps: &Steps<'_>,
    frame: &DraftFrame,
    key: StepKey,
    sentences: Vec<String>,
) -> Result<Option<Vec<ReadSentence>>, Stop> {
    let task = SupportTask {
        language: frame.language.to_string(),
        sentences,
        source_text: frame.source_text.clone(),
        model: frame.model.clone(),
    };
    let asked = tasks::support(&task);
    let read = steps.ask_another(key, asked, async |meter| {
        if is_all_of_the_source(&task.source_text, &task.sentences) {
            return Ok(steps.no_answer(own(task.sentences), meter));
        }
        asked_of(steps, task, meter).await
    });
    read.await
}

/// The source's own sentences, about which nobody need be asked.
fn own(sentences: Vec<String>) -> Vec<ReadSentence> {
    let standing = SourceStanding::Supported;
    let read = sentences.into_iter();
    read.map(|text| ReadSentence { text, standing }).collect()
}

/// What is said of each sentence, kept with it: whoever reads the answer later may cut a lesson otherwise.
async fn asked_of(
    steps: &Steps<'_>,
    task: SupportTask,
    meter: &Meter,
) -> Result<Answered<Vec<ReadSentence>>, AiError> {
    let sentences = task.sentences.clone();
    let answered = steps.app.ai.check_support(task, meter).await?;
    if answered.value.len() != sentences.len() {
        let sentence = "something must be said of every sentence, once".to_owned();
        return Err(AiError::InvalidOutput(sentence));
    }
    Ok(answered.map(|standings| {
        let read = sentences.into_iter().zip(standings);
        read.map(|(text, standing)| ReadSentence { text, standing })
            .collect()
    }))
}

/// Adds to the result of a generation what reports say, lesson by lesson and together.
pub fn tell(reports: &[SupportReport], result: &mut Value) {
    let checks = reports.iter().filter_map(|report| report.check.as_ref());
    let share = unsupported_share(checks).and_then(|share| u32::try_from(share).ok());
    if let Some(members) = result.as_object_mut() {
        let told = reports.iter().map(SupportReport::to_json).collect();
        members.insert("support".to_owned(), told);
        let share = share.map(|thousandths| f64::from(thousandths) / 1_000.0);
        members.insert("unsupported_share".to_owned(), json!(share));
    }
}

/// What a person should look at.
pub fn warnings(reports: &[SupportReport]) -> impl Iterator<Item = String> {
    reports.iter().filter_map(SupportReport::warning)
}

impl SupportReport {
    /// Whether it is about the lesson that this step wrote.
    pub fn is_of(&self, step: &StepKey) -> bool {
        self.step == *step
    }

    /// As it is told.
    pub fn to_json(&self) -> Value {
        let check = self.check.as_ref();
        let doubted = check.map_or(&[][..], |check| check.doubted.as_slice());
        json!({
            "step": self.step.as_str(),
            "checked": check.is_some(),
            "sentences": check.map(|check| check.claims),
            "unsupported_sentences": check.map(|check| check.unsupported),
            "unsupported": doubted.iter().map(named).collect::<Value>(),
        })
    }

    /// What a person should look at.
    pub fn warning(&self) -> Option<String> {
        let check = self.check.as_ref().filter(|check| check.unsupported > 0)?;
        Some(format!(
            "{}: {} of {} sentences are supported by no passage of the source; check them",
            self.step, check.unsupported, check.claims
        ))
    }
}

fn named(sentence: &DoubtedSentence) -> Value {
    let DoubtedSentence { text, reason } = sentence;
    json!({"text": text, "reason": reason.as_str()})
}
