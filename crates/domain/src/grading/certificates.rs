//! Certificates: what a teacher has to show before AI's grades of an assignment go out unseen, and what ends it.
//!
//! [`declaration`] fixes what is promised about which answers and draws the sample, [`testing`] holds AI's grades against
//! those that the teacher gave blind, [`standing`] says what may go out while a certificate is there and what its audits
//! make of it, [`records`] seals each step in a chain, and [`recomputing`] is how somebody else checks all of it from what
//! was kept. [`certification`] is one try as it is kept, [`ledger`] that try with the answers it is about, and [`gate`] the
//! little of it that decides where grades land; [`offer`] says before all of that whether a try is worth it. The statistics are those of [`release`](super::release). Nothing here reads a clock, makes a random number or
//! knows where anything is stored.
//!
//! The format is `lyceum-release-1`; `docs/ai-internals.md` describes it.

pub mod certification;
pub mod declaration;
pub mod gate;
pub mod ledger;
pub mod offer;
pub mod recomputing;
pub mod records;
pub mod standing;
pub mod statement;
pub mod testing;

#[cfg(test)]
mod lives;
