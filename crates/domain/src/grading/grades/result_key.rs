//! What makes two gradings the same question, so that the second needs no answer of its own.

use serde_json::{Value, json};

use super::GradingTask;
use crate::authoring::rubric::canonical;
use crate::grading::seals::hash_of;
use crate::points::Points;

/// Names the canonical form that the key is taken of.
const FORMAT: &str = "lyceum-result-1";
/// Names the canonical form that the hash of a grader is taken of.
const GRADER: &str = "lyceum-grader-1";

impl GradingTask {
    /// SHA-256 of everything that fixes a grade but the text: rubric, task, guidance, language, style, examples, the model
    /// that answered (`samples` times), and the version of prompt or engine, with which its constants and word lists are fixed.
    /// Two grades of one hash were given by the same grader.
    pub fn grader_hash(&self, model: &str, grading_version: &str, samples: u8) -> String {
        let anchors = self.anchors.iter();
        let anchors: Vec<&str> = anchors.map(|anchor| anchor.grade_id.as_str()).collect();
        let grader: Value = json!({
            "format": GRADER,
            "rubric_hash": self.rubric.hash(),
            "assignment_name": self.assignment_name,
            "instructions": self.instructions,
            "course_instructions": self.course_instructions,
            "course_language": self.course_language,
            "tone": self.feedback.tone.to_string(),
            "verbosity": self.feedback.verbosity.to_string(),
            "language": self.feedback.language.to_string(),
            "anchors": anchors,
            "model": model,
            "grading_version": grading_version,
            "samples": samples,
        });
        hash_of(&canonical(&grader))
    }

    /// SHA-256 of everything that a result depends on: text, rubric, task, guidance, language, style, examples, and
    /// the model and prompt asked (`samples` times), out of `max_score`. Nothing of who handed in.
    pub fn result_key(
        &self,
        model: &str,
        grading_version: &str,
        samples: u8,
        max_score: Points,
    ) -> String {
        let Self {
            assignment_name,
            instructions,
            rubric,
            submission,
            course_instructions,
            course_language,
            feedback,
            anchors,
            // Masked before anything leaves, so that no result can depend on them.
            private: _,
            // As it was asked for; what that leads to is what counts.
            model: _,
        } = self;
        let anchors: Vec<&str> = anchors
            .iter()
            .map(|anchor| anchor.grade_id.as_str())
            .collect();
        let key: Value = json!({
            "format": FORMAT,
            "text_hash": hash_of(submission),
            "rubric_hash": rubric.hash(),
            "assignment_name": assignment_name,
            "instructions": instructions,
            "course_instructions": course_instructions,
            "course_language": course_language,
            "tone": feedback.tone.to_string(),
            "verbosity": feedback.verbosity.to_string(),
            "language": feedback.language.to_string(),
            "anchors": anchors,
            "model": model,
            "grading_version": grading_version,
            "samples": samples,
            "max_score": max_score.hundredths(),
        });
        hash_of(&canonical(&key))
    }
}
