//! What jobs do for generations: the steps that AI is asked for, and what is made of them.

mod activities_steps;
pub(crate) mod content;
mod course_task;
mod draft_writer;
mod full_course;
pub(crate) mod generation;
mod lesson_steps;
mod proposing;
mod quiz_check;
pub(crate) mod remove_recording;
mod replace;
mod speech;
mod steps;
mod support_check;
pub(crate) mod syllabus;
mod text_check;
