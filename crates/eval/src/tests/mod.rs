//! Whole evaluations with a grader that does as it is told: what is asked, kept, spent and reported.

mod attacked;
mod graders;
mod released;
mod reported;
mod resumed;
mod tricked;
