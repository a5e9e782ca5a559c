//! Courses.

use lyceum_wire::authoring::courses::{
    CloneCourse, CourseCloneView, CourseView, CreateCourse, UpdateCourse,
};
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

    /// Makes a draft visible to learners.
    pub fn publish(&self, id: &str) -> Call<CourseView> {
        self.0.act(&path("courses", id, "/publish"))
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
