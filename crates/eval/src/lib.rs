//! Evaluating graders: how well do they agree with people, what do they cost, what do they fall for.
//!
//! A grader is asked through [`lyceum_ports::drafting::ai::AiProvider`] and its proposals go through
//! [`lyceum_domain::grading::grades::judge`], just as those of a submission do. Nothing here knows a provider's protocol, the
//! database or the command line, and no text of a learner gets into a report.

pub mod asking;
pub mod bootstrap;
pub mod cache;
pub mod compare;
pub mod dataset;
pub mod evaluation;
pub mod gates;
pub mod injections;
pub mod metrics;
pub mod numbers;
pub mod page;
pub mod release;
pub mod report;
pub mod run;
pub mod tricks;

#[cfg(test)]
mod tests;
