//! A course as Markdown: `#` is its name, `##` a unit, `###` a lesson, and what stands below is their text.

use std::collections::BTreeMap;
use std::ops::Range;

use lyceum_domain::Invalid;
use lyceum_wire::authoring::courses::CreateCourse;
use lyceum_wire::authoring::lessons::CreateLesson;
use lyceum_wire::authoring::units::CreateUnit;
use lyceum_wire::common::Command;
use pulldown_cmark::{Event, HeadingLevel, Options, Parser, Tag};

use super::report::Problem;

/// A course, valid by the service's own rules.
#[derive(Debug, PartialEq, Eq)]
pub struct CourseFile {
    pub line: usize,
    pub name: String,
    pub language: String,
    pub hours: Option<i64>,
    pub description: String,
    pub units: Vec<UnitText>,
}

#[derive(Debug, PartialEq, Eq)]
pub struct UnitText {
    pub line: usize,
    pub name: String,
    pub description: String,
    pub lessons: Vec<LessonText>,
}

#[derive(Debug, PartialEq, Eq)]
pub struct LessonText {
    pub line: usize,
    pub name: String,
    pub content: String,
}

impl CourseFile {
    /// How many things it makes.
    pub fn size(&self) -> usize {
        let lessons: usize = self.units.iter().map(|unit| unit.lessons.len()).sum();
        1 + self.units.len() + lessons
    }

    pub fn new_course(&self) -> CreateCourse {
        CreateCourse {
            name: self.name.clone(),
            language: self.language.clone(),
            description: Some(self.description.clone()),
            hours: self.hours,
            ..CreateCourse::default()
        }
    }
}

/// Reads a course.
pub fn parse(text: &str) -> Result<CourseFile, Vec<Problem>> {
    let mut reading = CourseReader::default();
    let (settings, body) = reading.front_matter(text);
    let sections = sections(body.text, body.first_line);
    let course = reading.course(&settings, sections);
    reading.check(&settings, &course);
    if reading.problems.is_empty() {
        return Ok(course);
    }
    reading.problems.sort_by_key(|problem| problem.line);
    Err(reading.problems)
}

/// What stands between the lines of `---` at the top: values with their lines.
type FrontMatter = BTreeMap<String, (usize, String)>;

/// What follows the front matter.
struct Body<'t> {
    text: &'t str,
    first_line: usize,
}

/// A heading, and the text up to the next; the first has none where something stands above all headings.
struct Section {
    line: usize,
    level: Option<HeadingLevel>,
    name: String,
    text: String,
}

#[derive(Default)]
struct CourseReader {
    problems: Vec<Problem>,
}

impl CourseReader {
    fn problem(&mut self, line: usize, says: impl Into<String>) {
        self.problems.push(Problem::at(line, says));
    }

    fn front_matter<'t>(&mut self, text: &'t str) -> (FrontMatter, Body<'t>) {
        let mut settings = FrontMatter::new();
        let Some(rest) = text.strip_prefix("---\n") else {
            return (
                settings,
                Body {
                    text,
                    first_line: 1,
                },
            );
        };
        let (mut line, mut at) = (1, 0);
        for row in rest.split_inclusive('\n') {
            line += 1;
            at += row.len();
            let row = row.trim();
            if row == "---" {
                let text = rest.get(at..).unwrap_or_default();
                let first_line = line + 1;
                return (settings, Body { text, first_line });
            }
            self.setting(&mut settings, line, row);
        }
        self.problem(1, "the front matter has no end: a line of ---");
        (
            settings,
            Body {
                text: "",
                first_line: line,
            },
        )
    }

    fn setting(&mut self, settings: &mut FrontMatter, line: usize, row: &str) {
        if row.is_empty() || row.starts_with('#') {
            return;
        }
        let Some((name, value)) = row.split_once(':') else {
            self.problem(line, "the front matter has lines such as `language: en`");
            return;
        };
        let (name, value) = (name.trim(), value.trim().trim_matches(['"', '\'']));
        if !matches!(name, "language" | "hours") {
            self.problem(line, format!("{name} is neither language nor hours"));
        } else if let Some((before, _)) = settings.get(name) {
            let says = format!("{name} is said on line {before} already");
            self.problem(line, says);
        } else {
            settings.insert(name.to_owned(), (line, value.to_owned()));
        }
    }

    fn course(&mut self, settings: &FrontMatter, sections: Vec<Section>) -> CourseFile {
        let mut course = CourseFile {
            line: 1,
            name: String::new(),
            language: self.language(settings),
            hours: self.hours(settings),
            description: String::new(),
            units: Vec::new(),
        };
        for section in sections {
            self.take(&mut course, section);
        }
        if course.name.is_empty() {
            self.problem(course.line, "there is no title: a line that begins with #");
        } else if course.units.is_empty() {
            self.problem(course.line, "there is no unit: a line that begins with ##");
        }
        course
    }

    fn language(&mut self, settings: &FrontMatter) -> String {
        if let Some((_, language)) = settings.get("language") {
            return language.clone();
        }
        self.problem(1, "say the language at the top: ---, `language: en`, ---");
        "en".to_owned()
    }

    fn hours(&mut self, settings: &FrontMatter) -> Option<i64> {
        let (line, text) = settings.get("hours")?;
        let hours = text.parse().ok();
        if hours.is_none() {
            self.problem(*line, format!("hours is a whole number, not {text}"));
        }
        hours
    }

    fn take(&mut self, course: &mut CourseFile, section: Section) {
        let Section {
            line, name, text, ..
        } = section;
        match section.level {
            None => self.problem(line, "text before the title"),
            Some(_) if name.is_empty() => self.problem(line, "a heading without words"),
            Some(HeadingLevel::H1) if !course.name.is_empty() => {
                self.problem(line, "a second title; units begin with ##");
            }
            Some(HeadingLevel::H1) => {
                course.line = line;
                course.name = name;
                course.description = text;
            }
            Some(HeadingLevel::H2) => course.units.push(UnitText {
                line,
                name,
                description: text,
                lessons: Vec::new(),
            }),
            Some(_) => match course.units.last_mut() {
                Some(unit) => unit.lessons.push(LessonText {
                    line,
                    name,
                    content: text,
                }),
                None => self.problem(line, "a lesson (###) without a unit (##) above it"),
            },
        }
    }

    /// By the rules of the service, and by ours: a name says which of several is meant.
    fn check(&mut self, settings: &FrontMatter, course: &CourseFile) {
        if !course.name.is_empty() {
            self.valid(course.new_course(), |field| {
                settings.get(field).map_or(course.line, |(line, _)| *line)
            });
        }
        let units = course.units.iter().map(|unit| (unit.line, &unit.name));
        self.distinct("unit", units);
        for unit in &course.units {
            self.valid(unit.new_unit(""), |_| unit.line);
            let lessons = unit.lessons.iter().map(|it| (it.line, &it.name));
            self.distinct("lesson of this unit", lessons);
            for lesson in &unit.lessons {
                self.valid(lesson.new_lesson(""), |_| lesson.line);
            }
        }
    }

    fn valid(&mut self, new: impl Command, line_of: impl Fn(&str) -> usize) {
        if let Err(wrong) = new.checked() {
            for invalid in wrong {
                let Invalid { field, .. } = &invalid;
                self.problem(line_of(field), invalid.to_string());
            }
        }
    }

    fn distinct<'n>(&mut self, what: &str, named: impl Iterator<Item = (usize, &'n String)>) {
        let mut seen: BTreeMap<&str, usize> = BTreeMap::new();
        for (line, name) in named {
            if let Some(before) = seen.insert(name, line) {
                let says = format!("the {what} on line {before} is called {name} too");
                self.problem(line, says);
            }
        }
    }
}

impl UnitText {
    pub fn new_unit(&self, course_id: &str) -> CreateUnit {
        CreateUnit {
            course_id: course_id.to_owned(),
            name: self.name.clone(),
            description: Some(self.description.clone()),
            ..CreateUnit::default()
        }
    }
}

impl LessonText {
    pub fn new_lesson(&self, unit_id: &str) -> CreateLesson {
        CreateLesson {
            unit_id: unit_id.to_owned(),
            name: self.name.clone(),
            content: Some(self.content.clone()),
            ..CreateLesson::default()
        }
    }
}

/// The body, cut at its headings of the first three levels.
fn sections(body: &str, first_line: usize) -> Vec<Section> {
    let line_of = |at: usize| first_line + body.get(..at).unwrap_or_default().matches('\n').count();
    let headings = headings(body);
    let ends = headings.iter().skip(1).map(|next| next.place.start);
    let ends = ends.chain([body.len()]);
    let above = headings
        .first()
        .map_or(body.len(), |first| first.place.start);
    let above = body.get(..above).unwrap_or_default();
    let mut sections = Vec::new();
    if !above.trim().is_empty() {
        let blank = above.len() - above.trim_start().len();
        sections.push(Section {
            line: line_of(blank),
            level: None,
            name: String::new(),
            text: String::new(),
        });
    }
    for (heading, end) in headings.iter().zip(ends) {
        sections.push(Section {
            line: line_of(heading.place.start),
            level: Some(heading.level),
            name: heading.name.trim().to_owned(),
            text: text_of(body.get(heading.place.end..end).unwrap_or_default()),
        });
    }
    sections
}

/// Without the empty lines around it.
fn text_of(slice: &str) -> String {
    let lines = slice.trim_end().split('\n');
    let lines = lines.skip_while(|line| line.trim().is_empty());
    lines.collect::<Vec<_>>().join("\n")
}

struct Heading {
    level: HeadingLevel,
    name: String,
    place: Range<usize>,
}

/// Those that stand by themselves: not in a quotation, a list, or a block of code.
fn headings(body: &str) -> Vec<Heading> {
    let (mut found, mut open) = (Vec::new(), None::<Heading>);
    let mut depth = 0_usize;
    for (event, place) in Parser::new_ext(body, Options::ENABLE_TABLES).into_offset_iter() {
        if let Event::Start(tag) = &event {
            if let Tag::Heading { level, .. } = tag
                && depth == 0
                && *level <= HeadingLevel::H3
            {
                let (level, name) = (*level, String::new());
                open = Some(Heading { level, name, place });
            }
            depth += 1;
        } else if let Event::End(_) = &event {
            depth = depth.saturating_sub(1);
            if depth == 0 {
                found.extend(open.take());
            }
        } else if let Some(heading) = &mut open {
            if let Event::Text(words) | Event::Code(words) = &event {
                heading.name.push_str(words);
            } else if matches!(event, Event::SoftBreak | Event::HardBreak) {
                heading.name.push(' ');
            }
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    const COURSE: &str = "---\nlanguage: en\nhours: 12\n---\n\n# Keeping `food` cold\n\nWhat a kitchen does.\n\n\
        ## Probes\n\nAbout probes.\n\n### Reading a probe\n\n#### Why\n\n```md\n## not a unit\n```\n\n> # nor a title\n\n\
        ### Cleaning it\n\nWith\nwater.\n\n## Ice\n";

    #[test]
    fn headings_become_a_course_and_what_is_below_them_their_text() {
        let course = parse(COURSE).unwrap();
        assert_eq!(course.name, "Keeping food cold");
        assert_eq!((course.language.as_str(), course.hours), ("en", Some(12)));
        assert_eq!(course.description, "What a kitchen does.");
        let [probes, ice] = &course.units[..] else {
            panic!("{course:?}")
        };
        assert_eq!((probes.name.as_str(), probes.line), ("Probes", 10));
        assert_eq!(probes.description, "About probes.");
        assert!(ice.name == "Ice" && ice.lessons.is_empty());
        let [reading, cleaning] = &probes.lessons[..] else {
            panic!("{probes:?}")
        };
        assert_eq!(
            reading.content,
            "#### Why\n\n```md\n## not a unit\n```\n\n> # nor a title"
        );
        assert_eq!(
            (cleaning.line, cleaning.content.as_str()),
            (24, "With\nwater.")
        );
        assert_eq!(course.size(), 5);
    }

    #[test]
    fn every_problem_is_told_with_its_line() {
        let told = |text: &str| -> Vec<(usize, String)> {
            let problems = parse(text).unwrap_err();
            let told = problems.into_iter().map(|it| (it.line, it.says));
            told.collect()
        };
        let long = "x".repeat(300);
        let text = format!(
            "---\nlanguage: e n\nhours: many\ncolour: red\n---\nHello\n\n### Lost\n\n# A\n\n# B\n\n## U\n\n## U\n\n### {long}\n\n###\n"
        );
        let found = told(&text);
        let lines: Vec<usize> = found.iter().map(|(line, _)| *line).collect();
        assert_eq!(lines, [2, 3, 4, 6, 8, 12, 16, 18, 20], "{found:#?}");
        assert!(found[0].1.contains("language"), "{found:?}");
        assert!(found[6].1.contains("line 14"), "{found:?}");
        assert!(found[7].1.contains("name"), "{found:?}");
        let empty = told("");
        assert_eq!(empty.len(), 2, "{empty:?}");
        let endless = told("---\nlanguage: en\n# A\n");
        assert_eq!(endless[0].0, 1, "{endless:?}");
        let bare = told("---\nlanguage: en\n---\n# A\n");
        assert_eq!(
            bare,
            [(4, "there is no unit: a line that begins with ##".to_owned())]
        );
    }
}
