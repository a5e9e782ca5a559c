//! The HTTP contract, against the whole application in process.
#![allow(
    clippy::unwrap_used,
    clippy::indexing_slicing,
    reason = "a test that cannot go on has failed"
)]

mod access;
mod activities;
mod ai_budgets;
mod ai_calls;
mod assignments;
mod attempts;
mod audit;
mod bad_days;
mod bad_input;
mod classmates;
mod cloning;
mod cohorts;
mod courses;
mod cursors;
mod detection;
mod document;
mod edge;
mod erasing;
mod event_types;
mod events;
mod examples;
mod expand;
mod explaining;
mod generating;
mod generation_steps;
mod generations;
mod grade_receipts;
mod grade_reuse;
mod grading;
mod grading_races;
mod grading_runs;
mod handbook;
mod idempotency;
mod injection;
mod isolation;
mod keys;
mod learners;
mod lessons;
mod lists;
mod mass_assignment;
mod plans;
mod progress;
mod queries;
mod rate_limits;
mod recordings;
mod reopening;
mod routes;
mod school;
mod scorm;
mod scorm_download;
mod scorm_launches;
mod scorm_learners;
mod scorm_media;
mod scorm_policy;
mod scorm_preview;
mod scorm_sessions;
mod scorm_sharing;
mod scripting;
mod secrets;
mod submissions;
mod tokens;
mod tutor;
mod units;
mod users;
mod webhook_endpoints;
mod webhook_redeliveries;
mod webhooks;
mod whole_courses;
mod workspaces;
mod world;
