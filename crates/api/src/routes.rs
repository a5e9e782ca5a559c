//! The route table: every path there is, who may call it, and what answers.
//!
//! A route stands here or nowhere: the service, the documentation and the tests that walk over every route
//! are made from this list.

use lyceum_application::access::Requirement;
use lyceum_domain::scopes::Scope::{ReadCourses, WriteCourses};

use crate::courses;
use crate::route::Route;

const READ_COURSES: Requirement = Requirement::all(&[ReadCourses]);
const WRITE_COURSES: Requirement = Requirement::all(&[WriteCourses]);

/// Every route.
#[rustfmt::skip]
pub fn all() -> Vec<Route> {
    vec![
        Route::new("POST", "/v1/courses", "createCourse", "Create a course", WRITE_COURSES, courses::create),
        Route::new("GET", "/v1/courses", "listCourses", "List courses", READ_COURSES, courses::list),
        Route::new("GET", "/v1/courses/{id}", "retrieveCourse", "Retrieve a course", READ_COURSES, courses::retrieve),
        Route::new("PATCH", "/v1/courses/{id}", "updateCourse", "Update a course", WRITE_COURSES, courses::update),
        Route::new("DELETE", "/v1/courses/{id}", "deleteCourse", "Delete a course and everything below it", WRITE_COURSES, courses::delete),
        Route::new("POST", "/v1/courses/{id}/publish", "publishCourse", "Publish a draft", WRITE_COURSES, courses::publish),
        Route::new("POST", "/v1/courses/{id}/archive", "archiveCourse", "Archive a course", WRITE_COURSES, courses::archive),
        Route::new("POST", "/v1/courses/{id}/unarchive", "unarchiveCourse", "Publish an archived course again", WRITE_COURSES, courses::unarchive),
    ]
}
