//! Answers of a provider on disk, so that no request is paid for twice.
//!
//! One file per request, named by the request's hash. A file takes its name only when it is whole, and one that cannot
//! be read counts as absent.

use std::io::Write;
use std::path::{Path, PathBuf};

use lyceum_domain::authoring::rubric::canonical;
use lyceum_domain::grading::grades::GradingTask;
use lyceum_domain::hex;
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use sha2::{Digest, Sha256};

/// Version of what is stored; another one is not read.
const VERSION: u32 = 1;

/// Answers on disk.
#[derive(Debug, Clone)]
pub struct Cache {
    folder: PathBuf,
    /// Whether what is there already is passed over.
    fresh: bool,
}

#[derive(Serialize, Deserialize)]
struct Entry<T> {
    version: u32,
    key: String,
    response: T,
}

impl Cache {
    /// Answers in a folder, which is made if need be; `fresh` asks everything anew and overwrites.
    ///
    /// # Errors
    /// If the folder cannot be made.
    pub fn open(folder: &Path, fresh: bool) -> std::io::Result<Self> {
        std::fs::create_dir_all(folder)?;
        Ok(Self {
            folder: folder.to_owned(),
            fresh,
        })
    }

    /// What is stored for a request.
    pub fn get<T: DeserializeOwned>(&self, key: &str) -> Option<T> {
        if self.fresh {
            return None;
        }
        let text = std::fs::read(self.path(key)).ok()?;
        let entry: Entry<T> = serde_json::from_slice(&text).ok()?;
        (entry.version == VERSION && entry.key == key).then_some(entry.response)
    }

    /// Stores what a request was answered with.
    ///
    /// # Errors
    /// If the file cannot be written.
    pub fn put<T: Serialize>(&self, key: &str, response: &T) -> std::io::Result<()> {
        let entry = Entry {
            version: VERSION,
            key: key.to_owned(),
            response,
        };
        // A name of its own, so that two runs at once do not write into each other's file.
        let mut part = tempfile::Builder::new()
            .prefix(".part-")
            .tempfile_in(&self.folder)?;
        serde_json::to_writer(&mut part, &entry)?;
        part.flush()?;
        part.persist(self.path(key)).map_err(|error| error.error)?;
        Ok(())
    }

    fn path(&self, key: &str) -> PathBuf {
        self.folder.join(format!("{key}.json"))
    }
}

/// The hash of a request: of everything that could change its answer, and of nothing else.
///
/// `grader` says who is asked (address, model, version of the prompt); `sample` tells repetitions apart.
pub fn key(grader: &[&str], task: &GradingTask, sample: usize) -> String {
    let anchors: Vec<Value> = task
        .anchors
        .iter()
        .map(|anchor| {
            let points: Vec<Value> = anchor
                .points
                .iter()
                .map(|(id, points)| json!([id, points.hundredths()]))
                .collect();
            json!([anchor.text, points, anchor.reason])
        })
        .collect();
    let request = json!({
        "grader": grader,
        "sample": sample,
        "assignment_name": task.assignment_name,
        "instructions": task.instructions,
        "rubric": task.rubric.to_json(),
        "submission": task.submission,
        "course_instructions": task.course_instructions,
        "course_language": task.course_language,
        "feedback": [
            task.feedback.tone.as_str(),
            task.feedback.verbosity.as_str(),
            task.feedback.language.as_str(),
        ],
        "anchors": anchors,
        "private": task.private,
        "model": task.model,
    });
    hex::lower(&Sha256::digest(canonical(&request).as_bytes()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use lyceum_domain::authoring::assignments::FeedbackStyle;
    use lyceum_domain::authoring::rubric::Rubric;
    use lyceum_domain::grading::grades::Anchor;
    use lyceum_domain::points::Points;
    use lyceum_domain::text::LanguageTag;

    fn task() -> GradingTask {
        GradingTask {
            assignment_name: String::new(),
            instructions: "Why?".to_owned(),
            rubric: Rubric::overall(),
            submission: "Because.".to_owned(),
            course_instructions: String::new(),
            course_language: "en".to_owned(),
            feedback: FeedbackStyle::of_course(LanguageTag::english()),
            anchors: Vec::new(),
            private: Vec::new(),
            model: String::new(),
        }
    }

    #[test]
    fn what_is_stored_is_found_again_and_fresh_passes_over_it() {
        let folder = tempfile::tempdir().unwrap();
        let cache = Cache::open(folder.path(), false).unwrap();
        assert_eq!(cache.get::<String>("k"), None);
        cache.put("k", &"answer").unwrap();
        assert_eq!(cache.get::<String>("k").as_deref(), Some("answer"));
        let fresh = Cache::open(folder.path(), true).unwrap();
        assert_eq!(fresh.get::<String>("k"), None);
    }

    #[test]
    fn half_an_entry_and_one_of_another_name_count_as_absent() {
        let folder = tempfile::tempdir().unwrap();
        let cache = Cache::open(folder.path(), false).unwrap();
        cache.put("k", &"answer").unwrap();
        let whole = std::fs::read(folder.path().join("k.json")).unwrap();
        std::fs::write(folder.path().join("other.json"), &whole).unwrap();
        assert_eq!(cache.get::<String>("other"), None);
        for length in 0..whole.len() {
            std::fs::write(folder.path().join("k.json"), &whole[..length]).unwrap();
            assert_eq!(cache.get::<String>("k"), None, "{length} bytes");
        }
    }

    #[test]
    fn a_request_is_known_by_everything_that_could_change_its_answer() {
        let first = key(&["here", "m", "v1"], &task(), 0);
        let anchor = |points| Anchor {
            grade_id: "grd_1".to_owned(),
            text: "So.".to_owned(),
            points: vec![("overall".to_owned(), Points::whole(points))],
            reason: String::new(),
        };
        let with = |change: &dyn Fn(&mut GradingTask)| {
            let mut task = task();
            change(&mut task);
            key(&["here", "m", "v1"], &task, 0)
        };
        let keys = [
            first.clone(),
            key(&["there", "m", "v1"], &task(), 0),
            key(&["here", "m", "v2"], &task(), 0),
            key(&["here", "m", "v1"], &task(), 1),
            with(&|task| task.submission.push('!')),
            with(&|task| task.instructions.push('!')),
            with(&|task| task.rubric.criteria[0].max_points = Points::whole(9)),
            with(&|task| task.anchors = vec![anchor(1)]),
            with(&|task| task.anchors = vec![anchor(2)]),
            with(&|task| task.model = "other".to_owned()),
        ];
        let different: std::collections::BTreeSet<&String> = keys.iter().collect();
        assert_eq!(different.len(), keys.len());
        assert_eq!(first, key(&["here", "m", "v1"], &task(), 0));
    }
}
