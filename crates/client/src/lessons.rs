//! Lessons of units, and who is done with them.

use std::time::Duration;

use lyceum_wire::authoring::lessons::{CreateLesson, LessonView, MoveLesson, UpdateLesson};
use lyceum_wire::authoring::versions::VersionView;
use lyceum_wire::deleted::Deleted;
use lyceum_wire::drafting::generations::{GenerateActivities, GenerateContent, GenerationView};
use lyceum_wire::drafting::tutor::{AskTutor, TutorReplyView};
use lyceum_wire::exporting::previews::PreviewView;
use lyceum_wire::learning::progress::{CompleteLesson, ProgressView};

use crate::call::Call;
use crate::client::{Client, path};
use crate::listing::Listing;
use crate::wait::{Started, started};

/// A tutor's answer may take a model a minute.
const TUTOR_PATIENCE: Duration = Duration::from_secs(70);

impl Client {
    /// Lessons of units, and who is done with them.
    pub fn lessons(&self) -> Lessons {
        Lessons(self.clone())
    }
}

/// Lessons of units, and who is done with them.
#[derive(Debug, Clone)]
pub struct Lessons(Client);

impl Lessons {
    /// Makes a lesson.
    pub fn create(&self, new: &CreateLesson) -> Call<LessonView> {
        self.0.post("/v1/lessons", new)
    }

    /// Lists lessons.
    pub fn list(&self) -> Listing<LessonView> {
        self.0.list("/v1/lessons")
    }

    /// Shows a lesson.
    pub fn retrieve(&self, id: &str) -> Call<LessonView> {
        self.0.get(&path("lessons", id, ""))
    }

    /// Changes a lesson: what is not named stays as it is.
    pub fn update(&self, id: &str, change: &UpdateLesson) -> Call<LessonView> {
        self.0.patch(&path("lessons", id, ""), change)
    }

    /// Lists what a lesson was before it was changed.
    pub fn versions(&self, id: &str) -> Listing<VersionView> {
        self.0.list(&path("lessons", id, "/versions"))
    }

    /// Deletes a lesson and everything below it; `in_use` once learners have used it, unless by
    /// [`force`](Call::force).
    pub fn delete(&self, id: &str) -> Call<Deleted> {
        self.0.delete(&path("lessons", id, ""))
    }

    /// Has AI draft the text of a lesson.
    pub fn generate(&self, id: &str, wanted: &GenerateContent) -> Call<Started<GenerationView>> {
        started(self.0.post(&path("lessons", id, "/generate"), wanted))
    }

    /// Has AI draft activities for a lesson.
    pub fn generate_activities(
        &self,
        id: &str,
        wanted: &GenerateActivities,
    ) -> Call<Started<GenerationView>> {
        started(
            self.0
                .post(&path("lessons", id, "/activities/generate"), wanted),
        )
    }

    /// Moves a lesson to another place.
    pub fn relocate(&self, id: &str, wanted: &MoveLesson) -> Call<LessonView> {
        self.0.post(&path("lessons", id, "/move"), wanted)
    }

    /// Notes that a student is done with a lesson.
    pub fn complete(&self, id: &str, wanted: &CompleteLesson) -> Call<ProgressView> {
        self.0.post(&path("lessons", id, "/complete"), wanted)
    }

    /// Gives out where a lesson is played as it is saved, for half an hour.
    pub fn preview(&self, id: &str) -> Call<PreviewView> {
        self.0.act(&path("lessons", id, "/preview"))
    }

    /// Asks the tutor about a lesson; an attempt takes as long as a model does, up to a minute.
    pub fn ask_tutor(&self, id: &str, wanted: &AskTutor) -> Call<TutorReplyView> {
        self.0
            .post(&path("lessons", id, "/tutor"), wanted)
            .within(TUTOR_PATIENCE)
    }

    /// Lists one's own talk with the tutor about a lesson.
    pub fn tutor_replies(&self, id: &str) -> Listing<TutorReplyView> {
        self.0.list(&path("lessons", id, "/tutor"))
    }
}
