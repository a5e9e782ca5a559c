//! What steps are asked with, as documents: only to be hashed. Whatever changes what AI is told belongs in here.

use lyceum_domain::drafting::drafts::{ActivitiesTask, DraftFrame, LessonTask, UnitTask};
use lyceum_domain::drafting::syllabus::SyllabusBrief;
use lyceum_ports::drafting::ai::{QuizTask, SpeechTask, SupportTask};
use serde_json::{Value, json};

pub fn syllabus(brief: &SyllabusBrief) -> Value {
    let SyllabusBrief {
        course_name,
        language,
        brief,
        hours,
        instructions,
        source_text,
        model,
    } = brief;
    json!({
        "course_name": course_name, "language": language.as_str(), "brief": brief, "hours": hours.get(),
        "instructions": instructions, "source_text": source_text, "model": model,
    })
}

pub fn unit(task: &UnitTask) -> Value {
    let UnitTask {
        frame: around,
        objectives,
        lesson_names,
        minutes,
    } = task;
    json!({
        "frame": frame(around), "objectives": objectives, "lesson_names": lesson_names, "minutes": minutes,
    })
}

pub fn lesson(task: &LessonTask) -> Value {
    let LessonTask {
        frame: around,
        name,
        summary,
        objectives,
        siblings,
        minutes,
    } = task;
    json!({
        "frame": frame(around), "name": name, "summary": summary, "objectives": objectives,
        "siblings": siblings, "minutes": minutes,
    })
}

pub fn activities(task: &ActivitiesTask) -> Value {
    let ActivitiesTask {
        frame: around,
        lesson_name,
        objectives,
        content,
        siblings,
        kind,
        count,
        items,
        names,
        unit_texts,
    } = task;
    let mut asked = json!({
        "frame": frame(around), "lesson_name": lesson_name, "objectives": objectives, "content": content,
        "siblings": siblings, "kind": kind.as_str(), "count": count, "names": names,
    });
    // Tasks that do not say are the same as before anybody could.
    if let (Some(items), Some(members)) = (items, asked.as_object_mut()) {
        members.insert("items".to_owned(), json!(items));
    }
    if let (false, Some(members)) = (unit_texts.is_empty(), asked.as_object_mut()) {
        members.insert("unit_texts".to_owned(), json!(unit_texts));
    }
    asked
}

pub fn quiz(task: &QuizTask) -> Value {
    let QuizTask {
        language,
        lesson,
        quiz,
        model,
    } = task;
    json!({"language": language, "lesson": lesson, "quiz": quiz, "model": model})
}

pub fn support(task: &SupportTask) -> Value {
    let SupportTask {
        language,
        sentences,
        source_text,
        model,
    } = task;
    json!({"language": language, "sentences": sentences, "source_text": source_text, "model": model})
}

pub fn speech(task: &SpeechTask) -> Value {
    let SpeechTask {
        text,
        language,
        speaker,
        instructions,
    } = task;
    json!({"text": text, "language": language, "speaker": speaker, "instructions": instructions})
}

fn frame(frame: &DraftFrame) -> Value {
    let DraftFrame {
        course_name,
        course_description,
        language,
        instructions,
        unit_name,
        unit_description,
        brief,
        source_text,
        model,
    } = frame;
    json!({
        "course_name": course_name, "course_description": course_description, "language": language.as_str(),
        "instructions": instructions, "unit_name": unit_name, "unit_description": unit_description,
        "brief": brief, "source_text": source_text, "model": model,
    })
}
