//! Certificates from a file that a service gave out: whoever has it needs neither the service nor its database to make them again.

use std::path::Path;

use anyhow::{Context, bail};
use lyceum_domain::grading::certificates::recomputing::ReleaseVerification;
use lyceum_terminal::say;
use lyceum_wire::grading::certificate_records::CertificateRecordsView;
use serde_json::{Value, json};

/// Makes the certificates of the file again, and says where they are not what follows from it.
///
/// # Errors
/// If the file cannot be read, holds something else, or does not hold.
pub fn run(file: &Path, as_json: bool) -> anyhow::Result<()> {
    let bytes = std::fs::read(file).with_context(|| format!("cannot read {}", file.display()))?;
    let not_records = || format!("{} holds no records of certificates", file.display());
    let shown: CertificateRecordsView = serde_json::from_slice(&bytes).with_context(not_records)?;
    let found = shown.recompute().with_context(not_records)?;
    if as_json {
        say!("{}", document(&shown.assignment_id, &found));
    } else {
        say!("{}", line(&shown.assignment_id, &found));
    }
    if found.first_broken.is_some() {
        bail!("1 chain of certificates does not hold");
    }
    Ok(())
}

fn line(assignment: &str, found: &ReleaseVerification) -> String {
    if let Some((record, reason)) = found.first_broken {
        return format!("{assignment}  certificates  record {record}  {reason}");
    }
    format!(
        "{assignment}  certificates  {} records hold ({} draws of secret seeds, {} tries not shown yet)",
        found.records, found.sealed_draws, found.withheld
    )
}

fn document(assignment: &str, found: &ReleaseVerification) -> Value {
    let broken = found.first_broken.map(|(record, reason)| {
        json!({"assignment_id": assignment, "record": record, "reason": reason.as_str()})
    });
    json!({
        "assignment_id": assignment,
        "records": found.records,
        "sealed_draws": found.sealed_draws,
        "withheld": found.withheld,
        "holds": broken.is_none(),
        "first_broken": broken,
    })
}
