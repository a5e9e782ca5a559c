//! `lyceum verify-grades`: whether every grade history is still what was sealed.

use std::path::PathBuf;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use anyhow::{Context, bail, ensure};
use lyceum_application::App;
use lyceum_application::grading::certificates::verifying::{self, CheckedChain};
use lyceum_application::grading::verification::{self, Checked, Scope};
use lyceum_domain::identity::workspaces::PlatformCode;
use lyceum_domain::ids::{SubmissionId, WorkspaceId};
use lyceum_store::DatabaseUrl;
use lyceum_wire::grading::grades::VerificationView;
use serde_json::{Value, json};
use tokio::runtime::Handle;

use crate::settings::Settings;
use lyceum_service::assemble::assemble;
use lyceum_terminal::interruption::{Interruption, telling};
use lyceum_terminal::progress::{LongWork, Progress};
use lyceum_terminal::say;

mod exported;

/// Which histories are looked at.
#[derive(Debug, clap::Args)]
pub struct VerifyGradesArguments {
    /// Code of the platform; all of them when absent.
    #[arg(long, value_name = "CODE")]
    workspace: Option<String>,

    /// The submission (`sub_…`); all of them when absent.
    #[arg(long, value_name = "ID")]
    submission: Option<String>,

    /// Certificates from a file, as `GET /v1/assignments/{id}/certificate/records` answered; no database is opened.
    #[arg(long, value_name = "FILE", conflicts_with_all = ["workspace", "submission"])]
    records: Option<PathBuf>,

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
    chains: usize,
    broken_chains: Vec<CheckedChain>,
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

    fn add_chain(&mut self, checked: CheckedChain) {
        self.chains += 1;
        if checked.found.first_broken.is_some() {
            self.broken_chains.push(checked);
        }
    }
}

/// Walks over them, and says where one does not hold.
///
/// # Errors
/// If one does not hold, a value is none, or storage fails.
pub async fn run(settings: &Settings, arguments: &VerifyGradesArguments) -> anyhow::Result<()> {
    if let Some(file) = &arguments.records {
        return exported::run(file, arguments.json);
    }
    // A mistyped folder would be made and hold nothing, and everything in it would hold.
    if let DatabaseUrl::Sqlite(file) = settings.storage()?.database() {
        ensure!(file.exists(), "there is no database {}", file.display());
    }
    let interruption = Interruption::listen()?;
    let app = assemble(&settings.decided()?)?.app;
    let scope = scope(&app, arguments).await?;
    let totals = Arc::new(Mutex::new(Totals::default()));
    let walking = interruption.unless({
        let work = Progress::counting("grade histories checked:");
        let work = LongWork::new(work, interruption.clone());
        let (runtime, totals) = (Handle::current(), Arc::clone(&totals));
        // On a thread of its own: on SQLite reading waits for nobody, and a signal must be heard meanwhile.
        move || runtime.block_on(walk(&app, scope, &work, &totals))
    });
    let walked = walking.await;
    let totals = std::mem::take(&mut *locked(&totals));
    walked.map_err(|error| telling(error, || so_far(&totals)))?;
    if scope.submission.is_some() && totals.submissions == 0 {
        bail!("--submission: no graded submission has this id");
    }
    tell(&totals, arguments.json);
    match (totals.broken.len(), totals.broken_chains.len()) {
        (0, 0) => Ok(()),
        (0, 1) => bail!("1 chain of certificates does not hold"),
        (0, many) => bail!("{many} chains of certificates do not hold"),
        (1, _) => bail!("1 grade history does not hold"),
        (many, _) => bail!("{many} grade histories do not hold"),
    }
}

fn locked(totals: &Mutex<Totals>) -> MutexGuard<'_, Totals> {
    totals.lock().unwrap_or_else(PoisonError::into_inner)
}

fn so_far(totals: &Totals) -> String {
    let (checked, broken) = (totals.submissions, totals.broken.len());
    format!(
        "{checked} grade histories were checked, and {broken} of them do not hold; others were not looked at"
    )
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

async fn walk(
    app: &App,
    scope: Scope,
    work: &LongWork,
    totals: &Mutex<Totals>,
) -> anyhow::Result<()> {
    let mut after = None;
    loop {
        let step = app
            .read(move |tx| verification::step(tx, scope, after))
            .await?;
        let found = u64::try_from(step.checked.len())?;
        step.checked
            .into_iter()
            .for_each(|one| locked(totals).add(one));
        work.advance(found)?;
        after = step.next;
        if after.is_none() {
            break;
        }
    }
    if scope.submission.is_some() {
        return Ok(());
    }
    walk_certificates(app, scope, work, totals).await
}

async fn walk_certificates(
    app: &App,
    scope: Scope,
    work: &LongWork,
    totals: &Mutex<Totals>,
) -> anyhow::Result<()> {
    let mut after = None;
    loop {
        let (checked, next) = app
            .read(move |tx| verifying::step(tx, scope.workspace, after))
            .await?;
        // They are no grade histories, and a signal is heard all the same.
        work.advance(0)?;
        for one in checked {
            locked(totals).add_chain(one);
        }
        after = next;
        if after.is_none() {
            return Ok(());
        }
    }
}

fn tell(totals: &Totals, as_json: bool) {
    if as_json {
        say!("{}", document(totals));
        return;
    }
    for Checked {
        workspace_id,
        submission_id,
        trash_id,
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
        let trash = trash_id.map(|id| format!("  (in the trash: {id})"));
        let trash = trash.unwrap_or_default();
        say!(
            "{workspace_id}  {submission_id}  {grade}  record {place}  {}{trash}",
            broken.reason
        );
    }
    for one in &totals.broken_chains {
        let Some((record, reason)) = one.found.first_broken else {
            continue;
        };
        say!(
            "{}  {}  certificates  record {record}  {reason}",
            one.workspace_id,
            one.assignment_id
        );
    }
    if totals.chains > 0 {
        say!(
            "{} chains of certificates, {} broken",
            totals.chains,
            totals.broken_chains.len()
        );
    }
    say!(
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
            "trash_id": one.trash_id.map(|id| id.to_string()),
            "first_broken": view.first_broken,
        })
    });
    let broken_chains = totals.broken_chains.iter().filter_map(|one| {
        let (record, reason) = one.found.first_broken?;
        Some(json!({
            "workspace_id": one.workspace_id.to_string(),
            "assignment_id": one.assignment_id.to_string(),
            "record": record,
            "reason": reason.as_str(),
        }))
    });
    json!({
        "certificates": {"chains": totals.chains, "broken": broken_chains.collect::<Vec<_>>()},
        "holds": totals.broken.is_empty() && totals.broken_chains.is_empty(),
        "submissions": totals.submissions,
        "records": totals.records,
        "unsealed": totals.unsealed,
        "erased": totals.erased,
        "broken": broken.collect::<Vec<_>>(),
    })
}
