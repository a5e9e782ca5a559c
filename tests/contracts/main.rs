//! The contract of every repository, run against SQLite and PostgreSQL alike.
#![allow(
    clippy::unwrap_used,
    clippy::indexing_slicing,
    reason = "a test that cannot go on has failed"
)]

mod activities;
mod ai_calls;
mod ai_reservations;
mod among;
mod assignments;
mod attempts;
mod audit;
mod backlog;
mod callers;
mod cohorts;
mod courses;
mod enrollments;
mod events;
mod fairness;
mod generation_steps;
mod generations;
mod grade_receipts;
mod grades;
mod idempotency;
mod job_moves;
mod jobs;
mod keys;
mod lessons;
mod narrowing;
mod nodes;
mod notices;
mod progress;
mod retention;
mod scorm_learners;
mod scorm_packages;
mod submissions;
mod tokens;
mod transactions;
mod tutor;
mod units;
mod users;
mod webhook_redeliveries;
mod webhooks;
mod with_ids;
mod workspaces;
