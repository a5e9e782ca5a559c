//! People as CSV: a line of names for the columns (`email`, and `name`, `role`, `cohort` where wanted), then a line each.

use std::collections::BTreeMap;

use csv::{ReaderBuilder, StringRecord};
use lyceum_domain::identity::users::NewMember;
use lyceum_wire::common::Command;
use lyceum_wire::identity::users::{CreateUser, UserRole};

use super::report::Problem;

const COLUMNS: [&str; 4] = ["email", "name", "role", "cohort"];

/// People, valid by the service's own rules.
#[derive(Debug)]
pub struct PeopleFile {
    /// One for each address, in order.
    pub people: Vec<PersonRow>,
    /// Who is to be in which cohort.
    pub places: Vec<PlaceRow>,
}

#[derive(Debug)]
pub struct PersonRow {
    pub line: usize,
    pub user: CreateUser,
    /// Whether the file says what they are.
    pub says_role: bool,
}

#[derive(Debug)]
pub struct PlaceRow {
    pub line: usize,
    pub email: String,
    /// An id or a name.
    pub cohort: String,
}

impl PeopleFile {
    /// How many things it makes.
    pub fn size(&self) -> usize {
        self.people.len() + self.places.len()
    }
}

/// Reads people.
pub fn parse(text: &str) -> Result<PeopleFile, Vec<Problem>> {
    let mut reader = ReaderBuilder::new()
        .trim(csv::Trim::All)
        .flexible(true)
        .from_reader(text.as_bytes());
    let columns = match reader.headers() {
        Ok(header) => columns(header)?,
        Err(error) => return Err(vec![Problem::at(1, error.to_string())]),
    };
    let mut reading = PeopleReader::default();
    for record in reader.records() {
        match record {
            Ok(record) => reading.row(&columns, &record),
            Err(error) => {
                let line = error.position().map_or(1, |place| number(place.line()));
                reading.problem(line, error.to_string());
            }
        }
    }
    if reading.people.is_empty() && reading.problems.is_empty() {
        reading.problem(1, "there is nobody in it");
    }
    if reading.problems.is_empty() {
        let (people, places) = (reading.people, reading.places);
        return Ok(PeopleFile { people, places });
    }
    Err(reading.problems)
}

/// Which column is where.
type Columns = BTreeMap<&'static str, usize>;

fn columns(header: &StringRecord) -> Result<Columns, Vec<Problem>> {
    let mut columns = Columns::new();
    let mut problems = Vec::new();
    for (place, name) in header.iter().enumerate() {
        let lower = name.to_ascii_lowercase();
        match COLUMNS.iter().find(|known| **known == lower) {
            None => problems.push(format!(
                "there is no column {name:?}; those are {}",
                COLUMNS.join(", ")
            )),
            Some(known) => {
                if columns.insert(known, place).is_some() {
                    problems.push(format!("the column {known} is there twice"));
                }
            }
        }
    }
    if !columns.contains_key("email") {
        problems.push("the first line names the columns, and email is one of them".to_owned());
    }
    if problems.is_empty() {
        return Ok(columns);
    }
    let told = problems.into_iter().map(|says| Problem::at(1, says));
    Err(told.collect())
}

#[derive(Default)]
struct PeopleReader {
    people: Vec<PersonRow>,
    places: Vec<PlaceRow>,
    problems: Vec<Problem>,
    /// Where an address was read first.
    seen: BTreeMap<String, usize>,
}

impl PeopleReader {
    fn problem(&mut self, line: usize, says: impl Into<String>) {
        self.problems.push(Problem::at(line, says));
    }

    fn row(&mut self, columns: &Columns, record: &StringRecord) {
        let line = record.position().map_or(1, |place| number(place.line()));
        let value = |name: &str| {
            let place = columns.get(name)?;
            record.get(*place).filter(|text| !text.is_empty())
        };
        if record.len() > columns.len() {
            self.problem(
                line,
                "more values than columns; put text with commas in quotation marks",
            );
            return;
        }
        let role = value("role");
        let user = CreateUser {
            email: value("email").unwrap_or_default().to_owned(),
            name: value("name").map(str::to_owned),
            role: role.and_then(role_of),
            ..CreateUser::default()
        };
        if let Some(unknown) = role.filter(|_| user.role.is_none()) {
            self.problem(
                line,
                format!("role is owner, admin, teacher or student, not {unknown}"),
            );
        }
        match user.clone().command() {
            Err(invalid) => self.problem(line, invalid.to_string()),
            // A file of people has no column that says otherwise.
            Ok(NewMember::Service(_)) => {}
            Ok(NewMember::Person(valid, _)) => {
                let email = valid.email.to_string();
                let cohort = value("cohort").map(str::to_owned);
                let user = CreateUser { email, ..user };
                self.person(line, user, role.is_some(), cohort);
            }
        }
    }

    fn person(&mut self, line: usize, user: CreateUser, says_role: bool, cohort: Option<String>) {
        let email = user.email.clone();
        let is_again = self.seen.contains_key(&email);
        if is_again {
            self.again(line, &user, cohort.is_some());
        } else {
            self.seen.insert(email.clone(), line);
            self.people.push(PersonRow {
                line,
                user,
                says_role,
            });
        }
        if let Some(cohort) = cohort {
            let is_there = |place: &PlaceRow| place.email == email && place.cohort == cohort;
            if self.places.iter().any(is_there) {
                self.problem(line, format!("{email} is in {cohort} already"));
            } else {
                self.places.push(PlaceRow {
                    line,
                    email,
                    cohort,
                });
            }
        }
    }

    /// Somebody may be in several cohorts, and is one person all the same.
    fn again(&mut self, line: usize, user: &CreateUser, has_cohort: bool) {
        let first = self.people.iter().find(|it| it.user.email == user.email);
        let Some(first) = first else { return };
        let before = first.line;
        if !has_cohort {
            self.problem(line, format!("{} is on line {before} already", user.email));
        } else if first.user.name != user.name || first.user.role != user.role {
            let says = format!(
                "name or role of {} is another than on line {before}",
                user.email
            );
            self.problem(line, says);
        }
    }
}

fn role_of(word: &str) -> Option<UserRole> {
    let word = word.to_ascii_lowercase();
    serde_json::from_value(serde_json::Value::String(word)).ok()
}

fn number(line: u64) -> usize {
    usize::try_from(line).unwrap_or(usize::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn columns_stand_in_any_order_and_somebody_may_be_in_two_cohorts() {
        let text = "Role,email,cohort,name\nteacher,Ada@Example.org,,\"Lovelace, Ada\"\n\
            ,ben@example.org,Spring,Ben\n,ben@example.org,coh_1,Ben\n";
        let file = parse(text).unwrap();
        let people: Vec<(&str, Option<&str>, Option<UserRole>)> = file
            .people
            .iter()
            .map(|it| {
                (
                    it.user.email.as_str(),
                    it.user.name.as_deref(),
                    it.user.role,
                )
            })
            .collect();
        let ada = (
            "ada@example.org",
            Some("Lovelace, Ada"),
            Some(UserRole::Teacher),
        );
        assert_eq!(people, [ada, ("ben@example.org", Some("Ben"), None)]);
        let places: Vec<(usize, &str)> = file
            .places
            .iter()
            .map(|it| (it.line, it.cohort.as_str()))
            .collect();
        assert_eq!(places, [(3, "Spring"), (4, "coh_1")]);
        assert_eq!(file.size(), 4);
    }

    #[test]
    fn every_problem_is_told_with_its_line() {
        let lines = |text: &str| -> Vec<usize> {
            let problems = parse(text).unwrap_err();
            problems.iter().map(|it| it.line).collect()
        };
        let text = "email,name,role,cohort\nnobody,,,\na@b.example,,boss,\nc@d.example,C,,X\nc@d.example,D,,Y\n\
            c@d.example,C,,X\nc@d.example,C,,\ne@f.example,a,b,c,d\n";
        assert_eq!(lines(text), [2, 3, 5, 6, 7, 8]);
        assert_eq!(lines("email,age\n"), [1]);
        assert_eq!(lines("name\nx\n"), [1]);
        assert_eq!(lines("email\n"), [1]);
        assert_eq!(lines(""), [1]);
    }
}
