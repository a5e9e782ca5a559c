//! A course of a file into a service. It is recognised by a mark in its metadata, which title and language give; its
//! units and lessons by their names. What is there is never changed.

use std::collections::BTreeMap;

use anyhow::{Context, bail};
use lyceum_wire::authoring::courses::CourseView;
use lyceum_wire::authoring::lessons::LessonView;
use lyceum_wire::authoring::units::UnitView;
use lyceum_wire::common::{Command, FreeObject};
use serde_json::json;

use super::course_file::{CourseFile, LessonText, UnitText};
use super::once::{Once, ROUNDS, fingerprint};
use super::report::Report;

/// Where the mark stands in the metadata.
const MARK: &str = "lyceum_import";

/// Brings what is missing.
pub async fn bring(once: &Once<'_>, file: &CourseFile) -> anyhow::Result<Report> {
    let mut bringing = Bringing {
        once,
        file,
        report: Report::default(),
    };
    let course = bringing.course().await?;
    if let Some(course) = &course {
        bringing.compare_course(course);
        let units = bringing.units(&course.id).await?;
        bringing.lessons(&course.id, &units).await?;
    } else {
        bringing.would_make_everything();
    }
    bringing.report.course_id = course.map(|course| course.id);
    Ok(bringing.report)
}

struct Bringing<'a> {
    once: &'a Once<'a>,
    file: &'a CourseFile,
    report: Report,
}

/// Units by their names, with their ids.
type UnitIds = BTreeMap<String, String>;

impl Bringing<'_> {
    async fn course(&mut self) -> anyhow::Result<Option<CourseView>> {
        let file = self.file;
        let mark = fingerprint(&format!("{}\n{}", file.language, file.name));
        let mut new = file.new_course();
        let tags = json!({ MARK: mark });
        new.metadata = tags.as_object().cloned().map(FreeObject);
        let courses = self.once.client.courses();
        let marked = courses.list().metadata(MARK, &mark);
        for round in 0..ROUNDS {
            let found = marked.clone().collect().await?;
            if let Some(course) = found.into_iter().next() {
                self.count("courses", round > 0);
                return Ok(Some(course));
            }
            if self.once.is_dry {
                return Ok(None);
            }
            self.once
                .make(&new, round, |new| courses.create(new))
                .await
                .with_context(|| at(file.line))?;
        }
        vanished(file.line)
    }

    fn count(&mut self, kind: &'static str, is_made: bool) {
        if is_made {
            self.report.made(kind);
        } else {
            self.report.there(kind);
        }
        self.once.progress.add(1);
    }

    fn would_make_everything(&mut self) {
        self.count("courses", true);
        for unit in &self.file.units {
            self.count("units", true);
            for _ in &unit.lessons {
                self.count("lessons", true);
            }
        }
    }

    fn compare_course(&mut self, course: &CourseView) {
        let Ok(wanted) = self.file.new_course().command() else {
            return;
        };
        if course.description != wanted.description.to_string() {
            self.report
                .differs(self.file.line, "the description of the course is another");
        }
        if self
            .file
            .hours
            .is_some_and(|hours| hours != course.duration.hours)
        {
            self.report
                .differs(self.file.line, "the hours of the course are others");
        }
    }

    async fn units(&mut self, course_id: &str) -> anyhow::Result<UnitIds> {
        let units = self.once.client.units();
        let of_course = units.list().filter("course_id", course_id);
        let mut counted = UnitIds::new();
        for round in 0..ROUNDS {
            let there = of_course.clone().collect().await?;
            let mut missing = Vec::new();
            for (place, unit) in self.file.units.iter().enumerate() {
                if counted.contains_key(&unit.name) {
                    continue;
                }
                if let Some(found) = there.iter().find(|it| it.name == unit.name) {
                    counted.insert(unit.name.clone(), found.id.clone());
                    self.count("units", round > 0);
                    self.compare_unit(unit, found);
                } else {
                    missing.push((place, unit));
                }
            }
            if self.once.is_dry {
                for _ in &missing {
                    self.count("units", true);
                }
                return Ok(counted);
            }
            let Some(((_, first), _)) = missing.split_first() else {
                return Ok(counted);
            };
            if round + 1 == ROUNDS {
                return vanished(first.line);
            }
            for (place, unit) in missing {
                let mut new = unit.new_unit(course_id);
                new.position = Some(i64::try_from(place)?);
                self.once
                    .make(&new, round, |new| units.create(new))
                    .await
                    .with_context(|| at(unit.line))?;
            }
        }
        Ok(counted)
    }

    fn compare_unit(&mut self, wanted: &UnitText, found: &UnitView) {
        let told = wanted.new_unit("").command();
        if told.is_ok_and(|told| told.description.to_string() != found.description) {
            let says = format!("the description of the unit {} is another", found.name);
            self.report.differs(wanted.line, says);
        }
    }

    async fn lessons(&mut self, course_id: &str, units: &UnitIds) -> anyhow::Result<()> {
        let lessons = self.once.client.lessons();
        let of_course = lessons.list().filter("course_id", course_id);
        let mut wanted = self.wanted_lessons(units)?;
        for round in 0..ROUNDS {
            let there = of_course.clone().collect().await?;
            let mut missing = Vec::new();
            for one in wanted {
                let is_it = |it: &&LessonView| {
                    Some(&it.unit_id) == one.unit_id && it.name == one.lesson.name
                };
                if let Some(found) = there.iter().find(is_it) {
                    self.count("lessons", round > 0);
                    self.compare_lesson(one.lesson, found);
                } else {
                    missing.push(one);
                }
            }
            if self.once.is_dry {
                for _ in &missing {
                    self.count("lessons", true);
                }
                return Ok(());
            }
            let Some(first) = missing.first() else {
                return Ok(());
            };
            if round + 1 == ROUNDS {
                return vanished(first.lesson.line);
            }
            for one in &missing {
                self.make_lesson(one, round).await?;
            }
            wanted = missing;
        }
        Ok(())
    }

    async fn make_lesson(&self, one: &PendingLesson<'_>, round: u8) -> anyhow::Result<()> {
        let unit_id = one.unit_id.map(String::as_str).unwrap_or_default();
        let mut new = one.lesson.new_lesson(unit_id);
        new.position = Some(one.place);
        let lessons = self.once.client.lessons();
        let made = self.once.make(&new, round, |new| lessons.create(new));
        made.await.with_context(|| at(one.lesson.line))
    }

    /// Every lesson of the file, with its unit, which is not there yet in a dry run.
    fn wanted_lessons<'f>(&self, units: &'f UnitIds) -> anyhow::Result<Vec<PendingLesson<'f>>>
    where
        Self: 'f,
    {
        let mut wanted = Vec::new();
        for unit in &self.file.units {
            for (place, lesson) in unit.lessons.iter().enumerate() {
                wanted.push(PendingLesson {
                    unit_id: units.get(&unit.name),
                    place: i64::try_from(place)?,
                    lesson,
                });
            }
        }
        Ok(wanted)
    }

    fn compare_lesson(&mut self, wanted: &LessonText, found: &LessonView) {
        let told = wanted.new_lesson("").command();
        if told.is_ok_and(|told| told.content.to_string() != found.content) {
            let says = format!("the text of the lesson {} is another", found.name);
            self.report.differs(wanted.line, says);
        }
    }
}

/// A lesson that shall be there.
struct PendingLesson<'f> {
    unit_id: Option<&'f String>,
    place: i64,
    lesson: &'f LessonText,
}

fn at(line: usize) -> String {
    format!("line {line}")
}

fn vanished<T>(line: usize) -> anyhow::Result<T> {
    bail!("line {line}: the service says that it is there, and does not show it")
}
