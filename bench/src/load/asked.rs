//! What a load asks for, and how it is seen that the answer is one to that.

use serde_json::Value;

/// A new course of the size that real ones have; its name stands where [`NAME`] does.
const COURSE: &str = include_str!("course.json");
/// See [`COURSE`].
pub const NAME: &str = "{name}";

/// Something that is stored.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Target {
    path: String,
    /// The first id of its answer; empty for an answer that has none.
    id: String,
}

/// What is asked for.
#[derive(Debug, Clone, Default)]
pub struct Asked {
    /// One of these at random: a row that was just read costs less than the next.
    targets: Vec<Target>,
    /// How many of a hundred requests make a new course, with a name and an idempotency key of its own.
    pub new_of_hundred: u32,
}

impl Asked {
    /// These courses.
    pub fn courses(ids: &[String]) -> Self {
        let target = |id: &String| Target {
            path: format!("/v1/courses/{id}"),
            id: id.clone(),
        };
        Self {
            targets: ids.iter().map(target).collect(),
            new_of_hundred: 0,
        }
    }

    /// What is answered there with this, as long as nothing is changed.
    pub fn answered(paths_and_answers: impl IntoIterator<Item = (String, String)>) -> Self {
        let target = |(path, answer): (String, String)| Target {
            path,
            id: first_id(&answer).to_owned(),
        };
        Self {
            targets: paths_and_answers.into_iter().map(target).collect(),
            new_of_hundred: 0,
        }
    }

    /// Nothing but new courses.
    pub fn new_courses() -> Self {
        Self {
            targets: Vec::new(),
            new_of_hundred: 100,
        }
    }

    /// The same of somebody who has but one answer.
    #[must_use]
    pub fn always_answered_with(mut self, answer: &str) -> Self {
        for target in &mut self.targets {
            first_id(answer).clone_into(&mut target.id);
        }
        self
    }

    /// The first that is asked for.
    pub fn example(&self) -> &str {
        self.targets
            .first()
            .map_or("POST /v1/courses", |target| target.path.as_str())
    }

    /// A line for each, as the script reads them.
    pub fn lines(&self) -> String {
        let line = |Target { path, id }: &Target| format!("{path}\t{id}\n");
        self.targets.iter().map(line).collect()
    }
}

/// The first id in a body.
fn first_id(body: &str) -> &str {
    let behind = body.split_once("\"id\":\"").map(|(_, behind)| behind);
    behind
        .and_then(|behind| behind.split_once('"'))
        .map_or("", |(id, _)| id)
}

/// A course as the load makes them, with this name.
///
/// # Errors
/// Never, as long as the file is JSON.
pub fn new_course(name: &str) -> serde_json::Result<Value> {
    serde_json::from_str(&COURSE.replace(NAME, name))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_answer_is_known_by_its_first_id() {
        let asked = Asked::courses(&["crs_1".to_owned(), "crs_2".to_owned()]);
        assert_eq!(
            asked.lines(),
            "/v1/courses/crs_1\tcrs_1\n/v1/courses/crs_2\tcrs_2\n"
        );
        assert_eq!(asked.example(), "/v1/courses/crs_1");
        let page = r#"{"object":"list","data":[{"id":"crs_9","ai":{"id":"no"}}]}"#;
        let limit = asked.always_answered_with(page);
        assert_eq!(
            limit.lines(),
            "/v1/courses/crs_1\tcrs_9\n/v1/courses/crs_2\tcrs_9\n"
        );
        let pages = [("/a", page), ("/b", r#"{"data":[]}"#)];
        let pages = pages.map(|(path, answer)| (path.to_owned(), answer.to_owned()));
        assert_eq!(Asked::answered(pages).lines(), "/a\tcrs_9\n/b\t\n");
    }

    #[test]
    fn a_new_course_has_the_name_that_it_is_given() {
        assert_eq!(new_course("Seven").unwrap()["name"], "Seven");
        assert_eq!(COURSE.matches(NAME).count(), 1);
        let described = new_course(NAME).unwrap()["description"].to_string().len();
        assert!((1_000..2_000).contains(&described), "{described}");
    }
}
