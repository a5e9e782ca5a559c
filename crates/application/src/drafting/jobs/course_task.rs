//! What a course is drafted from, as its generation asks for it.

use lyceum_domain::authoring::courses::{Course, Hours};
use lyceum_domain::drafting::drafts::DraftFrame;
use lyceum_domain::drafting::generations::{Generation, SyllabusContent};
use lyceum_domain::drafting::syllabus::{SyllabusBrief, UnitDraft};
use serde_json::Value;

use super::generation::{asked, model_of};

/// What a course is drafted from.
pub struct CourseTask {
    pub brief: SyllabusBrief,
    /// What the course is about: its description, or else the brief.
    pub description: String,
    pub content: SyllabusContent,
}

impl CourseTask {
    /// Of a course that is there; what the generation does not say is the course's.
    pub fn of(generation: &Generation, course: &Course) -> Self {
        let hours = generation.request.get("hours").and_then(Value::as_i64);
        let content = asked(generation, "content").map(SyllabusContent::parse);
        let brief = asked(generation, "brief").unwrap_or(course.description.as_str());
        let description = if course.description.is_blank() {
            brief
        } else {
            course.description.as_str()
        };
        Self {
            description: description.to_owned(),
            content: content
                .and_then(Result::ok)
                .unwrap_or(SyllabusContent::Outline),
            brief: SyllabusBrief {
                course_name: course.name.to_string(),
                language: course.language.clone(),
                brief: brief.to_owned(),
                hours: hours
                    .and_then(|hours| Hours::parse(hours).ok())
                    .unwrap_or(course.hours),
                instructions: course.ai.instructions.to_string(),
                source_text: asked(generation, "source_text")
                    .unwrap_or_default()
                    .to_owned(),
                model: model_of(generation, course).to_owned(),
            },
        }
    }

    /// Where something of a planned unit is drafted.
    pub fn frame(&self, unit: &UnitDraft, brief: String) -> DraftFrame {
        DraftFrame {
            course_name: self.brief.course_name.clone(),
            course_description: self.description.clone(),
            language: self.brief.language.clone(),
            instructions: self.brief.instructions.clone(),
            unit_name: unit.name.clone(),
            unit_description: unit.description.clone(),
            brief,
            source_text: self.brief.source_text.clone(),
            model: self.brief.model.clone(),
        }
    }
}
