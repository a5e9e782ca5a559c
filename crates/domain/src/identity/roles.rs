//! What someone is in a workspace; what that permits is in [`super::scopes`].

use crate::words::words;

words!(
    /// What someone is in a workspace.
    Role {
        /// Everything, including deleting the workspace.
        Owner = "owner",
        /// Everything but deleting the workspace.
        Admin = "admin",
        /// Courses, students, submissions, grades.
        Teacher = "teacher",
        /// Learns.
        Student = "student",
    }
);
