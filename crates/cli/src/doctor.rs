//! `lyceum doctor`: what is wrong with this installation, and how to mend it. It looks, asks and changes nothing; it
//! also runs where nothing is set up yet.

mod database;
mod machine;
mod network;
mod pooler;
mod replica;

use std::process::ExitCode;

use serde_json::{Value, json};

use crate::settings::Settings;
use lyceum_terminal::say;

/// How it is told.
#[derive(Debug, Clone, Copy, clap::Args)]
pub struct DoctorArguments {
    /// Print one JSON document.
    #[arg(long)]
    json: bool,
}

/// What a look at one thing came to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Verdict {
    Fine,
    /// Not wrong, and worth knowing.
    Note,
    Problem,
}

impl Verdict {
    const fn as_str(self) -> &'static str {
        match self {
            Self::Fine => "fine",
            Self::Note => "note",
            Self::Problem => "problem",
        }
    }
}

/// What was found of one thing.
#[derive(Debug)]
struct Finding {
    id: &'static str,
    verdict: Verdict,
    says: String,
    /// What to do about it; empty where it is fine.
    mend: String,
}

impl Finding {
    fn fine(id: &'static str, says: impl Into<String>) -> Self {
        Self {
            id,
            verdict: Verdict::Fine,
            says: says.into(),
            mend: String::new(),
        }
    }

    fn note(id: &'static str, says: impl Into<String>, mend: impl Into<String>) -> Self {
        Self {
            verdict: Verdict::Note,
            mend: mend.into(),
            ..Self::fine(id, says)
        }
    }

    fn problem(id: &'static str, says: impl Into<String>, mend: impl Into<String>) -> Self {
        Self {
            verdict: Verdict::Problem,
            ..Self::note(id, says, mend)
        }
    }
}

/// Looks at everything; ends with 0 unless something is wrong.
///
/// # Errors
/// Never for what is wrong with the installation: that is what it tells.
pub async fn run(settings: &Settings, arguments: DoctorArguments) -> anyhow::Result<ExitCode> {
    let inner = settings.clone();
    let looked = tokio::task::spawn_blocking(move || {
        let mut findings = machine::findings(&inner);
        findings.extend(database::findings(&inner));
        findings.extend(network::findings(&inner));
        findings
    });
    let findings = looked.await?;
    tell(&findings, arguments.json);
    let is_well = !findings.iter().any(|one| one.verdict == Verdict::Problem);
    Ok(if is_well {
        ExitCode::SUCCESS
    } else {
        ExitCode::FAILURE
    })
}

fn tell(findings: &[Finding], as_json: bool) {
    if as_json {
        say!("{}", document(findings));
        return;
    }
    for one in findings {
        let mend = if one.mend.is_empty() {
            String::new()
        } else {
            format!(" -> {}", one.mend)
        };
        say!(
            "{:<8} {:<18} {}{mend}",
            one.verdict.as_str(),
            one.id,
            one.says
        );
    }
}

fn document(findings: &[Finding]) -> Value {
    let told = findings.iter().map(|one| {
        json!({
            "id": one.id,
            "verdict": one.verdict.as_str(),
            "says": one.says,
            "mend": one.mend,
        })
    });
    json!({
        "well": !findings.iter().any(|one| one.verdict == Verdict::Problem),
        "findings": told.collect::<Vec<_>>(),
    })
}
