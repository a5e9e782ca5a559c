//! Calls to AI providers, as they are kept.

use lyceum_domain::drafting::ai_calls::{AiCallRecord, AiFeature, CallOutcome};
use lyceum_domain::identity::spenders::Spender;
use lyceum_domain::ids::WorkspaceId;
use lyceum_domain::money::MicroUsd;

use crate::sample;
use crate::sample::id;

/// The `n`-th call of a workspace: a grading that was answered.
pub fn call(workspace: WorkspaceId, n: u64) -> AiCallRecord {
    AiCallRecord {
        workspace_id: workspace,
        id: id(n),
        spender: Spender::Staff,
        feature: AiFeature::Grading,
        subject_id: format!("sub_{n}"),
        host: "ai.example".to_owned(),
        model_asked: "small".to_owned(),
        model: Some("small-2026-08-01".to_owned()),
        request_id: Some("req_7f3a".to_owned()),
        tokens_in: 1_840,
        tokens_out: 412,
        tokens_cached: 1_024,
        estimated: false,
        cost: Some(MicroUsd::new(1_284)),
        latency_ms: 3_210,
        outcome: CallOutcome::Answered,
        sent: vec!["rubric".to_owned(), "submission_text".to_owned()],
        created_at: sample::now(),
    }
}
