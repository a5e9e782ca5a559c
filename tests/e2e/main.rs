//! The real binary, from outside: over sockets, by signals, in a browser.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    reason = "a test that cannot go on has failed"
)]

mod background;
mod backup;
mod bad_days;
mod buckets;
mod client;
mod cohorts;
mod command_line;
mod commands;
mod console;
mod contract;
mod crash;
mod crowds;
mod day;
mod deliveries;
mod demo;
mod disk;
mod doctor;
mod durability;
mod endpoints;
mod eval;
mod everyday;
mod export;
mod framing;
mod fsck;
mod generators;
mod gradebook;
mod guides;
mod handbook;
mod hostile;
mod import;
mod interruptions;
mod keys;
mod listening;
mod mail;
mod node;
mod patience;
mod personal_data;
mod poison;
mod proposals;
mod python;
mod quiet_log;
mod reference;
mod refusals;
mod release;
mod rotate;
mod sample_course;
mod scim;
mod scorm;
mod scorm_accessibility;
mod scorm_courses;
mod scorm_languages;
mod scorm_lms;
mod scorm_places;
mod scorm_preview;
mod scorm_schemas;
mod scorm_service;
mod speechless;
mod standing;
mod start;
mod statistics;
mod stopping;
mod storage;
mod submissions;
mod tls;
mod tracing;
mod trail;
mod trying;
mod typescript_client;
mod updating;
mod uploads;
mod usage;
mod verify_grades;
mod version_before;
mod walk;
mod watching;
mod webhooks;
mod wire;
mod writing;

use support::{service, traces};
