//! The real binary under faults: killed, paused, starved of disk, cut off from its database, its AI and its receivers.
//!
//! The rooms: a [`scene::Scene`] is a service with everything around it; [`writers`] write to it and a
//! [`journal::Journal`] notes what they were told; [`verdict`] holds the service to it afterwards. Every test is a
//! story of one fault. All of it happens from outside, over sockets and by signals; no part of the product is linked
//! in but the client's side of it.
//!
//! `FAULT_SEED=…` brings a run's choices again, `FAULT_LENGTH=long` makes the runs of `make test-faults` out of those of
//! `make test-all`, and `FAULT_FIGURES=file` collects a line of JSON per test.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    clippy::wildcard_enum_match_arm,
    reason = "a test that cannot go on has failed"
)]

mod api;
mod crowds;
mod deaf;
mod disks;
mod figures;
mod gradings;
mod inbox;
mod journal;
mod kills;
mod locks;
mod moody_ai;
mod nodes;
mod pauses;
mod postgres_crashes;
mod races;
mod receivers;
mod scene;
mod scrapes;
mod sqlite;
mod stops;
mod trash;
mod verdict;
mod writers;
