//! Courses.

use lyceum_wire::authoring::courses::{
    CloneCourse, CourseCloneView, CourseView, CreateCourse, UpdateCourse,
};
use lyceum_wire::authoring::moves::{MoveTogether, MovesView};
use lyceum_wire::authoring::versions::waiting::{CourseDraftView, PublishDraft};
use lyceum_wire::deleted::Deleted;
use lyceum_wire::drafting::generations::{GenerationView, StartSyllabus};

use crate::call::Call;
use crate::client::{Client, path};
use crate::listing::Listing;
use crate::wait::{Started, started};

impl Client {
    /// Courses.
    pub fn courses(&self) -> Courses {
        Courses(self.clone())
    }
}

/// Courses.
#[derive(Debug, Clone)]
pub struct Courses(Client);

impl Courses {
    /// Makes a draft.
    pub fn create(&self, new: &CreateCourse) -> Call<CourseView> {
        self.0.post("/v1/courses", new)
    }

    /// Lists courses.
    pub fn list(&self) -> Listing<CourseView> {
        self.0.list("/v1/courses")
    }

    /// Shows a course.
    pub fn retrieve(&self, id: &str) -> Call<CourseView> {
        self.0.get(&path("courses", id, ""))
    }

    /// Changes a course: what is not named stays as it is.
    pub fn update(&self, id: &str, change: &UpdateCourse) -> Call<CourseView> {
        self.0.patch(&path("courses", id, ""), change)
    }

    /// Deletes a course and everything below it; `in_use` once learners have used it, `course_in_use` while a cohort
    /// runs, unless by [`force`](Call::force).
    pub fn delete(&self, id: &str) -> Call<Deleted> {
        self.0.delete(&path("courses", id, ""))
    }

    /// Copies a course with its content, without cohorts and what students did.
    pub fn clone_course(&self, id: &str, wanted: &CloneCourse) -> Call<CourseCloneView> {
        self.0.post(&path("courses", id, "/clone"), wanted)
    }

    /// Moves several units, lessons or activities of a course so that they stand side by side in this order.
    pub fn move_together(&self, id: &str, wanted: &MoveTogether) -> Call<MovesView> {
        self.0.post(&path("courses", id, "/move"), wanted)
    }

    /// Makes a draft visible to learners.
    pub fn publish(&self, id: &str) -> Call<CourseView> {
        self.0.act(&path("courses", id, "/publish"))
    }

    /// Shows what waits to go live of a course: what was changed [`as a draft`](Call::draft).
    pub fn draft(&self, id: &str) -> Call<CourseDraftView> {
        self.0.get(&path("courses", id, "/draft"))
    }

    /// Has all that waits go live, or nothing: `changed_meanwhile` where somebody else was faster, and shows what waits then.
    pub fn publish_draft(&self, id: &str, seen: &PublishDraft) -> Call<CourseDraftView> {
        self.0.post(&path("courses", id, "/draft/publish"), seen)
    }

    /// Throws away all that waits, for good; shows what waits then.
    pub fn discard_draft(&self, id: &str) -> Call<CourseDraftView> {
        self.0.delete(&path("courses", id, "/draft"))
    }

    /// Throws away what waits for one thing of a course, for good.
    pub fn discard_draft_of(&self, id: &str, object_id: &str) -> Call<CourseDraftView> {
        self.discard_draft(id).query("object_id", object_id)
    }

    /// Takes a course out of use.
    pub fn archive(&self, id: &str) -> Call<CourseView> {
        self.0.act(&path("courses", id, "/archive"))
    }

    /// Publishes an archived course again.
    pub fn unarchive(&self, id: &str) -> Call<CourseView> {
        self.0.act(&path("courses", id, "/unarchive"))
    }

    /// Has AI draft a course's syllabus.
    pub fn generate_syllabus(
        &self,
        id: &str,
        wanted: &StartSyllabus,
    ) -> Call<Started<GenerationView>> {
        started(self.0.post(&path("courses", id, "/syllabus"), wanted))
    }
}
