//! What our own databases keep to beside the contract that every store has (`tests/contracts`).
#![allow(
    clippy::unwrap_used,
    clippy::indexing_slicing,
    reason = "a test that cannot go on has failed"
)]

mod ai_reservations;
mod audit;
mod contention;
mod differences;
mod group_commit;
mod in_use;
mod notices;
mod pipelines;
mod plans;
mod pooler;
mod replica;
mod secrets;
mod sharding;
mod transactions;
mod unread;
mod versions;
mod walks;
