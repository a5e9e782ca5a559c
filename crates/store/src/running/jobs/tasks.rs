//! What is to be done, as it stands in the row of a job: a kind, a subject and a payload. Rows outlive the version that
//! wrote them, so this only grows.

use lyceum_domain::identity::spenders::Spender;
use lyceum_domain::running::jobs::{Job, JobKind};
use serde_json::{Value, json};

const RUN: &str = "run";
const SPENDER: &str = "spender";
const NAME: &str = "name";
const PIECES: &str = "pieces";
const PLACE: &str = "place";

/// What a task needs to know beside its subject.
pub fn payload(task: &Job) -> Value {
    match task {
        Job::GradeSubmission {
            run,
            spender: Spender::Staff,
            ..
        } => json!({ RUN: run }),
        Job::GradeSubmission { run, spender, .. } => {
            json!({ RUN: run, SPENDER: spender.to_string() })
        }
        Job::ExplainGrade { name, .. } => json!({ NAME: name }),
        Job::RemovePieces { pieces, .. } => json!({ PIECES: pieces }),
        Job::GradeBatchItem { place, .. } => json!({ PLACE: place }),
        Job::GenerateSyllabus { .. }
        | Job::GenerateContent { .. }
        | Job::ExportScorm { .. }
        | Job::RemoveArchive { .. }
        | Job::RemoveRecording { .. }
        | Job::MendArchive { .. }
        | Job::TendCertificate { .. }
        | Job::TendBatch { .. }
        | Job::InspectMedia { .. }
        | Job::EaseDueDates { .. }
        | Job::WriteRows { .. }
        | Job::RemoveMedia { .. } => json!({}),
    }
}

/// The task of a row, if this version knows what is meant.
pub fn task(kind: &str, subject: &str, payload: &Value) -> Option<Job> {
    Some(match JobKind::parse(kind)? {
        JobKind::GradeSubmission => Job::GradeSubmission {
            submission: subject.parse().ok()?,
            run: u32::try_from(payload.get(RUN)?.as_u64()?).ok()?,
            spender: spender(payload)?,
        },
        JobKind::ExplainGrade => Job::ExplainGrade {
            submission: subject.parse().ok()?,
            name: payload.get(NAME)?.as_str()?.to_owned(),
        },
        JobKind::GenerateSyllabus => Job::GenerateSyllabus {
            generation: subject.parse().ok()?,
        },
        JobKind::GenerateContent => Job::GenerateContent {
            generation: subject.parse().ok()?,
        },
        JobKind::ExportScorm => Job::ExportScorm {
            package: subject.parse().ok()?,
        },
        JobKind::MendArchive => Job::MendArchive {
            origin: subject.parse().ok()?,
        },
        JobKind::TendCertificate => Job::TendCertificate {
            certificate: subject.parse().ok()?,
        },
        JobKind::TendBatch => Job::TendBatch {
            batch: subject.parse().ok()?,
        },
        JobKind::GradeBatchItem => Job::GradeBatchItem {
            batch: subject.parse().ok()?,
            place: u32::try_from(payload.get(PLACE)?.as_u64()?).ok()?,
        },
        JobKind::InspectMedia => Job::InspectMedia {
            media: subject.parse().ok()?,
        },
        JobKind::EaseDueDates => Job::EaseDueDates {
            assignment: subject.parse().ok()?,
        },
        JobKind::WriteRows => Job::WriteRows {
            bulk: subject.parse().ok()?,
        },
        JobKind::RemoveArchive => match payload.get(PIECES) {
            Some(pieces) => Job::RemovePieces {
                generation: subject.parse().ok()?,
                pieces: texts(pieces)?,
            },
            None => Job::remove_file(subject.to_owned()),
        },
    })
}

/// Who spends, where it is not staff; rows of before there were others say nothing of it.
fn spender(payload: &Value) -> Option<Spender> {
    match payload.get(SPENDER) {
        Some(named) => Spender::parse(named.as_str()?).ok(),
        None => Some(Spender::Staff),
    }
}

fn texts(list: &Value) -> Option<Vec<String>> {
    let texts = list.as_array()?.iter();
    texts.map(|text| text.as_str().map(str::to_owned)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    const ID: &str = "01h455vb4pex5vsknk084sn02q";

    /// A row of every kind as it has ever been written, and the task that it is.
    fn rows() -> Vec<(&'static str, String, Value, Job)> {
        let id = |prefix: &str| format!("{prefix}_{ID}");
        let submission = id("sub").parse().unwrap();
        let generation = id("gen").parse().unwrap();
        let package = id("scp").parse().unwrap();
        let run = |spender| Job::GradeSubmission {
            submission,
            run: 7,
            spender,
        };
        let name = || "d41d8cd9-8f00-b204-e980-0998ecf8427e".to_owned();
        let kept = vec!["speech/one".to_owned(), "speech/two".to_owned()];
        vec![
            (
                "grade_submission",
                id("sub"),
                json!({"run": 7}),
                run(Spender::Staff),
            ),
            (
                "grade_submission",
                id("sub"),
                json!({"run": 7, "spender": "learners"}),
                run(Spender::Learners),
            ),
            (
                "grade_submission",
                id("sub"),
                json!({"run": 7, "spender": id("scp")}),
                run(Spender::Package(package)),
            ),
            (
                "explain_grade",
                id("sub"),
                json!({"name": name()}),
                Job::ExplainGrade {
                    submission,
                    name: name(),
                },
            ),
            (
                "generate_syllabus",
                id("gen"),
                json!({}),
                Job::GenerateSyllabus { generation },
            ),
            (
                "generate_content",
                id("gen"),
                json!({}),
                Job::GenerateContent { generation },
            ),
            (
                "export_scorm",
                id("scp"),
                json!({}),
                Job::ExportScorm { package },
            ),
            (
                "remove_archive",
                id("scp"),
                json!({}),
                Job::RemoveArchive { origin: package },
            ),
            (
                "remove_archive",
                "lesson-1.mp3".to_owned(),
                json!({}),
                Job::RemoveRecording {
                    name: "lesson-1.mp3".to_owned(),
                },
            ),
            (
                "remove_archive",
                id("gen"),
                json!({"pieces": ["speech/one", "speech/two"]}),
                Job::RemovePieces {
                    generation,
                    pieces: kept,
                },
            ),
            (
                "remove_archive",
                id("med"),
                json!({}),
                Job::RemoveMedia {
                    media: id("med").parse().unwrap(),
                },
            ),
            (
                "mend_archive",
                id("scp"),
                json!({}),
                Job::MendArchive { origin: package },
            ),
            (
                "tend_certificate",
                id("crt"),
                json!({}),
                Job::TendCertificate {
                    certificate: id("crt").parse().unwrap(),
                },
            ),
            (
                "tend_batch",
                id("bat"),
                json!({}),
                Job::TendBatch {
                    batch: id("bat").parse().unwrap(),
                },
            ),
            (
                "grade_batch_item",
                id("bat"),
                json!({"place": 7}),
                Job::GradeBatchItem {
                    batch: id("bat").parse().unwrap(),
                    place: 7,
                },
            ),
            (
                "inspect_media",
                id("med"),
                json!({}),
                Job::InspectMedia {
                    media: id("med").parse().unwrap(),
                },
            ),
            (
                "ease_due_dates",
                id("asg"),
                json!({}),
                Job::EaseDueDates {
                    assignment: id("asg").parse().unwrap(),
                },
            ),
            (
                "write_rows",
                id("blk"),
                json!({}),
                Job::WriteRows {
                    bulk: id("blk").parse().unwrap(),
                },
            ),
        ]
    }

    #[test]
    fn every_row_ever_written_is_understood_and_would_be_written_alike() {
        let mut kinds: Vec<&str> = rows().iter().map(|(kind, ..)| *kind).collect();
        kinds.dedup();
        let all: Vec<&str> = JobKind::ALL.iter().map(|kind| kind.as_str()).collect();
        assert_eq!(kinds, all, "a row of every kind");
        for (kind, subject, row, expected) in rows() {
            assert_eq!(task(kind, &subject, &row), Some(expected.clone()), "{kind}");
            assert_eq!(expected.kind().as_str(), kind);
            assert_eq!(expected.subject(), subject);
            assert_eq!(payload(&expected), row, "{kind}");
        }
    }

    #[test]
    fn what_makes_no_sense_is_no_task() {
        let subject = format!("sub_{ID}");
        assert_eq!(task("dance", &subject, &json!({})), None);
        assert_eq!(task("grade_submission", &subject, &json!({})), None);
        assert_eq!(task("grade_submission", "crs_1", &json!({"run": 1})), None);
        let nobody = json!({"run": 1, "spender": "nobody"});
        assert_eq!(task("grade_submission", &subject, &nobody), None);
    }
}
