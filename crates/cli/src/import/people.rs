//! People of a file into a service. They are recognised by their addresses, and never changed.

use std::collections::{BTreeMap, BTreeSet};

use anyhow::{Context, bail};
use lyceum_wire::identity::users::UserView;
use lyceum_wire::learning::cohorts::CohortView;
use lyceum_wire::learning::enrollments::EnrollStudent;

use super::Imported;
use super::once::{Once, ROUNDS};
use super::people_file::{PeopleFile, PersonRow, PlaceRow};
use super::report::{Problem, Report};

/// Brings who is missing, once every cohort is known.
pub async fn bring(once: &Once<'_>, file: &PeopleFile) -> anyhow::Result<Imported> {
    let places = match known_places(once, file).await? {
        Ok(places) => places,
        Err(problems) => return Ok(Err(problems)),
    };
    let mut report = Report::default();
    let mut ids = BTreeMap::new();
    for row in &file.people {
        let user = person(once, row, &mut report).await;
        if let Some(user) = user.with_context(|| format!("line {}", row.line))? {
            compare(row, &user, &mut report);
            ids.insert(row.user.email.as_str(), user.id);
        }
        once.progress.add(1);
    }
    for (cohort, rows) in &places {
        enroll(once, cohort, rows, &ids, &mut report).await?;
    }
    Ok(Ok(report))
}

/// Rows by the ids of their cohorts.
type Places<'f> = BTreeMap<String, Vec<&'f PlaceRow>>;

async fn known_places<'f>(
    once: &Once<'_>,
    file: &'f PeopleFile,
) -> anyhow::Result<Result<Places<'f>, Vec<Problem>>> {
    let mut places = Places::new();
    if file.places.is_empty() {
        return Ok(Ok(places));
    }
    let cohorts = once.client.cohorts().list().collect().await?;
    let mut problems = Vec::new();
    for row in &file.places {
        match cohort_of(&cohorts, &row.cohort) {
            Ok(id) => places.entry(id).or_default().push(row),
            Err(says) => problems.push(Problem::at(row.line, says)),
        }
    }
    Ok(if problems.is_empty() {
        Ok(places)
    } else {
        Err(problems)
    })
}

/// By its id, or by a name that no other has.
fn cohort_of(cohorts: &[CohortView], named: &str) -> Result<String, String> {
    if let Some(cohort) = cohorts.iter().find(|it| it.id == named) {
        return Ok(cohort.id.clone());
    }
    let called: Vec<&CohortView> = cohorts.iter().filter(|it| it.name == named).collect();
    match called.as_slice() {
        [] => Err(format!("there is no cohort {named}")),
        [only] => Ok(only.id.clone()),
        many => {
            let ids: Vec<&str> = many.iter().map(|it| it.id.as_str()).collect();
            Err(format!(
                "{named} is the name of several cohorts; say which: {}",
                ids.join(", ")
            ))
        }
    }
}

/// Who has this address, made where nobody had; nobody only in a dry run.
async fn person(
    once: &Once<'_>,
    row: &PersonRow,
    report: &mut Report,
) -> anyhow::Result<Option<UserView>> {
    let users = once.client.users();
    let theirs = users.list().filter("email", &row.user.email);
    for round in 0..ROUNDS {
        let found = theirs.clone().collect().await?;
        if let Some(user) = found.into_iter().next() {
            if round == 0 {
                report.there("users");
            } else {
                report.made("users");
            }
            return Ok(Some(user));
        }
        if once.is_dry {
            report.made("users");
            return Ok(None);
        }
        once.make(&row.user, round, |new| users.create(new)).await?;
    }
    bail!(
        "the service says that {} is there, and does not show them",
        row.user.email
    )
}

fn compare(row: &PersonRow, user: &UserView, report: &mut Report) {
    let name = row.user.name.as_deref();
    if name.is_some_and(|name| name != user.name) {
        report.differs(
            row.line,
            format!("{} is called {:?}", user.email, user.name),
        );
    }
    let role = serde_json::json!(row.user.role);
    if row.says_role && role.as_str() != Some(user.role.as_str()) {
        report.differs(row.line, format!("{} is {}", user.email, user.role));
    }
}

async fn enroll(
    once: &Once<'_>,
    cohort: &str,
    rows: &[&PlaceRow],
    ids: &BTreeMap<&str, String>,
    report: &mut Report,
) -> anyhow::Result<()> {
    let there = once.client.cohorts().students(cohort).collect().await?;
    let there: BTreeSet<String> = there.into_iter().map(|it| it.user_id).collect();
    for row in rows {
        let user_id = ids.get(row.email.as_str());
        if user_id.is_some_and(|id| there.contains(id)) {
            report.there("enrollments");
        } else if once.is_dry {
            report.made("enrollments");
        } else {
            let student = EnrollStudent {
                user_id: user_id.cloned(),
                ..EnrollStudent::default()
            };
            match once.client.cohorts().enroll(cohort, &student).await {
                Ok(_) => report.made("enrollments"),
                // Somebody else was faster; a cohort that is full is a conflict too.
                Err(error) if is_taken(&error) => report.there("enrollments"),
                Err(error) => return Err(error).with_context(|| format!("line {}", row.line)),
            }
        }
        once.progress.add(1);
    }
    Ok(())
}

fn is_taken(error: &lyceum_client::ClientError) -> bool {
    let detail = error.detail().filter(|_| error.status() == Some(409));
    detail.is_some_and(|detail| detail.fields.contains_key("user_id"))
}
