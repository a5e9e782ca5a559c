//! `lyceum verify-grades`: whether every grade history is still what was sealed.
#![allow(
    clippy::print_stdout,
    reason = "commands print to the operator's terminal"
)]

use anyhow::{Context, bail, ensure};
use lyceum_application::verification::{self, Checked, Scope};
use lyceum_application::{App, Error};
use lyceum_domain::submissions::SubmissionId;
use lyceum_domain::workspaces::{PlatformCode, WorkspaceId};
use lyceum_store::DatabaseUrl;
use lyceum_wire::grades::VerificationView;
use serde_json::{Value, json};

use crate::assemble::assemble;
use crate::settings::Settings;

/// Which histories are looked at.
#[derive(Debug, clap::Args)]
pub struct VerifyGradesArguments {
    /// Code of the platform; all of them when absent.
    #[arg(long, value_name = "CODE")]
    workspace: Option<String>,

    /// The submission (`sub_…`); all of them when absent.
    #[arg(long, value_name = "ID")]
    submission: Option<String>,

    /// Print one JSON document.
    #[arg(long)]
    json: bool,
}

/// What the walk counted.
#[derive(Debug, Default)]
struct Totals {
    submissions: usize,
    records: usize,
    unsealed: usize,
    erased: usize,
    broken: Vec<Checked>,
}

impl Totals {
    fn add(&mut self, checked: Checked) {
        self.submissions += 1;
        self.records += checked.found.records;
        self.unsealed += checked.found.unsealed;
        self.erased += checked.found.erased;
        if !checked.found.holds() {
            self.broken.push(checked);
        }
    }
}

/// Walks over them, and says where one does not hold.
///
/// # Errors
/// If one does not hold, a value is none, or storage fails.
pub async fn run(settings: &Settings, arguments: &VerifyGradesArguments) -> anyhow::Result<()> {
    // A mistyped folder would be made and hold nothing, and everything in it would hold.
    if let DatabaseUrl::Sqlite(file) = settings.database()? {
        ensure!(file.exists(), "there is no database {}", file.display());
    }
    let app = assemble(settings)?.app;
    let app = &app;
    let scope = scope(app, arguments).await?;
    let totals = walk(app, scope).await?;
    if scope.submission.is_some() && totals.submissions == 0 {
        bail!("--submission: no graded submission has this id");
    }
    tell(&totals, arguments.json);
    match totals.broken.len() {
        0 => Ok(()),
        1 => bail!("1 grade history does not hold"),
        many => bail!("{many} grade histories do not hold"),
    }
}

async fn scope(app: &App, arguments: &VerifyGradesArguments) -> anyhow::Result<Scope> {
    let submission = arguments.submission.as_deref();
    let submission = submission.map(str::parse::<SubmissionId>).transpose();
    let workspace = match &arguments.workspace {
        Some(code) => Some(workspace(app, code).await?),
        None => None,
    };
    Ok(Scope {
        workspace,
        submission: submission.context("--submission")?,
    })
}

async fn workspace(app: &App, code: &str) -> anyhow::Result<WorkspaceId> {
    let code = PlatformCode::parse(code).context("--workspace")?;
    let found = app
        .read(move |tx| Ok(tx.workspaces().find_by_code(&code)?))
        .await?;
    let found = found.context("--workspace: no platform has this code")?;
    Ok(found.id)
}

async fn walk(app: &App, scope: Scope) -> Result<Totals, Error> {
    let mut totals = Totals::default();
    let mut after = None;
    loop {
        let step = app
            .read(move |tx| verification::step(tx, scope, after))
            .await?;
        step.checked.into_iter().for_each(|one| totals.add(one));
        after = step.next;
        if after.is_none() {
            return Ok(totals);
        }
    }
}

fn tell(totals: &Totals, as_json: bool) {
    if as_json {
        println!("{}", document(totals));
        return;
    }
    for Checked {
        workspace_id,
        submission_id,
        found,
        miscounted: _,
    } in &totals.broken
    {
        let Some(broken) = &found.first_broken else {
            continue;
        };
        let grade = broken.grade_id.map(|id| id.to_string());
        let grade = grade.unwrap_or_else(|| "-".to_owned());
        let place = broken.sequence.map(|place| place.to_string());
        let place = place.unwrap_or_else(|| "-".to_owned());
        println!(
            "{workspace_id}  {submission_id}  {grade}  record {place}  {}",
            broken.reason
        );
    }
    println!(
        "{} submissions, {} records ({} unsealed, {} erased), {} broken",
        totals.submissions,
        totals.records,
        totals.unsealed,
        totals.erased,
        totals.broken.len()
    );
}

fn document(totals: &Totals) -> Value {
    let broken = totals.broken.iter().map(|one| {
        let view = VerificationView::from(&one.found);
        json!({
            "workspace_id": one.workspace_id.to_string(),
            "submission_id": one.submission_id.to_string(),
            "first_broken": view.first_broken,
        })
    });
    json!({
        "holds": totals.broken.is_empty(),
        "submissions": totals.submissions,
        "records": totals.records,
        "unsealed": totals.unsealed,
        "erased": totals.erased,
        "broken": broken.collect::<Vec<_>>(),
    })
}
