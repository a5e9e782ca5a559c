//! A syllabus from a brief, without a model: units of neighbouring topics, lessons, quizzes, a task.
//!
//! Says only what the brief says. What it does not say stays a gap that the outline points at.

use lyceum_domain::authoring::activities::{ActivityContent, ActivityKind};
use lyceum_domain::authoring::courses::Hours;
use lyceum_domain::drafting::drafts::UnitTask;
use lyceum_domain::drafting::syllabus::{
    ActivityDraft, AssignmentDraft, LessonDraft, SyllabusBrief, SyllabusDraft, UnitDraft,
};
use lyceum_domain::text::Name;

use super::naming::{folded, telling_phrase};
use super::parting::{LessonPlan, Parting, joined_paragraphs, paragraph_starts};
use super::topics::{Topic, name, topics};
use crate::language::Language;
use crate::outline::{
    Course, Labels, LessonOutline, Origin, QuizMade, QuizSource, Task, assignment, cards, markdown,
    pairs, quiz, reflection, selection,
};
use crate::passages::{about, passages};
use crate::quoting::shorten;
use crate::template::fill;
use crate::words::fold;

/// Version of the algorithm.
pub(crate) const VERSION: &str = "builtin-outline-2";

/// Said where headings and questions are in another language than the course.
const NO_WORDS: &str = "Headings and questions are in English, because the built-in engine has no words for this course's language.";

/// Minutes that quizzes, cards and tasks are proposed for.
const QUIZ_MINUTES: u32 = 10;
const CARD_MINUTES: u32 = 10;
const TASK_MINUTES: std::ops::RangeInclusive<u32> = 10..=40;
/// Minutes that one sentence of a brief or a source can fill, explained and practised; more is stretched.
const MINUTES_PER_FACT: u32 = 30;
/// What a lesson should take when there is a choice, in minutes.
const LESSON_MINUTES: u32 = 30;
/// Most of a source that one unit is drafted from, in characters.
const MAX_UNIT_SOURCE: usize = 12_000;
/// Most topics of a unit that is drafted on its own.
const MAX_UNIT_TOPICS: usize = 8;
/// Most key points of a lesson.
const MAX_KEY_POINTS: usize = 8;
/// Most key points of a lesson that has a text.
const POINTS_OF_TEXT: usize = 5;
/// Longest summary of a lesson, in characters.
const SUMMARY_CHARS: usize = 300;

/// Most lessons that are named where no question is about them.
const MAX_NAMED: usize = 8;

/// What all parts of a draft share.
struct Draft<'a> {
    labels: &'static Labels,
    language: Language,
    brief: &'a SyllabusBrief,
    topics: Vec<Topic>,
    all_facts: Vec<String>,
    /// The facts as they are compared.
    whole: Vec<String>,
    /// What the facts can be asked about.
    course: Course,
    all_names: Vec<String>,
}

/// A unit, and those of its lessons that no question is about.
struct DraftedUnit {
    unit: UnitDraft,
    left_out: Vec<String>,
}

/// Drafts a syllabus; the same brief always gets the same one.
pub(crate) fn draft(brief: &SyllabusBrief) -> SyllabusDraft {
    let language = Language::of_tag(brief.language.as_str());
    let units = usize::from((brief.hours.get() / 2).clamp(2, 8));
    let topics = topics(
        &brief.brief,
        &brief.source_text,
        &brief.course_name,
        language,
        units * 2,
    );
    Draft::of(brief, language, topics).syllabus(units)
}

/// Drafts lessons for a unit; those that it has already are not drafted again, unless there is nothing else.
pub(crate) fn unit_lessons(task: &UnitTask) -> Vec<LessonDraft> {
    let frame = &task.frame;
    let language = Language::of_tag(frame.language.as_str());
    let given = [&frame.brief, &frame.unit_description];
    let given = given.into_iter().find(|text| !text.trim().is_empty());
    let brief = SyllabusBrief {
        course_name: frame.unit_name.clone(),
        language: frame.language.clone(),
        brief: given.map_or_else(|| task.objectives.join("\n\n"), Clone::clone),
        hours: Hours::DEFAULT,
        instructions: frame.instructions.clone(),
        source_text: frame.source_text.clone(),
        model: frame.model.clone(),
    };
    let is_new = |name: &str| {
        !task
            .lesson_names
            .iter()
            .any(|known| fold(known) == fold(name))
    };
    let topic = format!(
        "{} {} {}",
        frame.unit_name,
        brief.brief,
        task.objectives.join(" ")
    );
    let source = source_about(&brief.source_text, &topic, language);
    let mut topics = topics(
        &brief.brief,
        &source,
        &frame.unit_name,
        language,
        MAX_UNIT_TOPICS,
    );
    topics.truncate(MAX_UNIT_TOPICS);
    if topics.iter().any(|topic| is_new(&topic.name)) {
        topics.retain(|topic| is_new(&topic.name));
    }
    let draft = Draft::of(&brief, language, topics);
    let mut lessons = draft
        .unit(&draft.topics, task.minutes, task.lesson_names.len())
        .unit
        .lessons;
    if lessons.iter().any(|lesson| is_new(&lesson.name)) {
        lessons.retain(|lesson| is_new(&lesson.name));
    }
    lessons
}

impl<'a> Draft<'a> {
    fn of(brief: &'a SyllabusBrief, language: Language, topics: Vec<Topic>) -> Self {
        let facts = topics.iter().flat_map(|topic| topic.facts.clone());
        let all_facts: Vec<String> = facts.collect();
        Self {
            labels: Labels::of(language),
            language,
            brief,
            course: Course::of(&all_facts, language),
            whole: folded(&all_facts),
            all_facts,
            all_names: topics.iter().map(|topic| topic.name.clone()).collect(),
            topics,
        }
    }

    fn syllabus(&self, wanted: usize) -> SyllabusDraft {
        let groups = group(&self.topics, wanted.min(self.topics.len()).max(1));
        let groups = self.at_least_two(groups);
        let unit_minutes =
            self.brief.hours.minutes() / u32::try_from(groups.len()).unwrap_or(1).max(1);
        let mut left_out = Vec::new();
        let mut units = Vec::new();
        for (at, group) in groups.iter().enumerate() {
            let drafted = self.unit(group, unit_minutes, at);
            left_out.extend(drafted.left_out);
            units.push(drafted.unit);
        }
        let names: Vec<&str> = units.iter().map(|unit| unit.name.as_str()).collect();
        let values = [("course", self.course()), ("units", names.join("; "))];
        SyllabusDraft {
            summary: fill_all(self.labels.summary, &values),
            assumptions: self.assumptions(&left_out),
            units,
        }
    }

    /// What is to be checked, the most important first.
    fn assumptions(&self, left_out: &[String]) -> Vec<String> {
        let [few_topics, times] = self.labels.assumptions;
        let mut assumptions = Vec::new();
        if Labels::known(self.language).is_none() {
            assumptions.push(NO_WORDS.to_owned());
        }
        if self.topics.iter().all(|topic| topic.facts.is_empty()) {
            assumptions.push(few_topics.to_owned());
        }
        let facts = u32::try_from(self.all_facts.len()).unwrap_or(u32::MAX);
        if self.brief.hours.minutes() > facts.saturating_mul(MINUTES_PER_FACT) {
            let hours = self.brief.hours.get().to_string();
            assumptions.push(fill(self.labels.stretched, &[("hours", &hours)]));
        }
        if !left_out.is_empty() {
            let mut named: Vec<String> = left_out
                .iter()
                .take(MAX_NAMED)
                .map(|name| self.labels.quoted(name))
                .collect();
            if left_out.len() > MAX_NAMED {
                named.push("…".to_owned());
            }
            let lessons = self.enumeration(&named);
            assumptions.push(fill(self.labels.left_out, &[("lessons", &lessons)]));
        }
        assumptions.push(times.to_owned());
        assumptions
    }

    fn is_grounded(&self) -> bool {
        !self.brief.source_text.trim().is_empty()
    }

    fn course(&self) -> String {
        name(&self.brief.course_name)
    }

    /// A single topic becomes four parts in two units, so that every course has a beginning and a rest.
    fn at_least_two(&self, groups: Vec<Vec<Topic>>) -> Vec<Vec<Topic>> {
        let [only] = groups.as_slice() else {
            return groups;
        };
        let topic = only.first().cloned().unwrap_or_default();
        if self.is_grounded() && topic.facts.len() >= 2 {
            return halves(topic, &self.whole, self.language);
        }
        let size = topic.facts.len().div_ceil(self.labels.stages.len()).max(1);
        let mut chunks = topic.facts.chunks(size);
        let mut part = |stage: &str| Topic {
            name: fill(stage, &[("topic", &topic.name)]),
            facts: chunks.next().unwrap_or_default().to_vec(),
            goals: topic.goals.clone(),
        };
        let [first, second, third, fourth] = self.labels.stages.map(&mut part);
        vec![vec![first, second], vec![third, fourth]]
    }

    fn unit(&self, group: &[Topic], minutes: u32, at: usize) -> DraftedUnit {
        let names: Vec<String> = group.iter().map(|topic| topic.name.clone()).collect();
        let unit_name = joined(&names);
        let lessons_wanted = usize::try_from(minutes / LESSON_MINUTES)
            .unwrap_or(4)
            .clamp(2, 4);
        let parting = Parting {
            labels: self.labels,
            language: self.language,
            whole: &self.whole,
            grounded: self.is_grounded(),
            starts: paragraph_starts(&self.brief.source_text),
        };
        let plans = parting.plans(group, lessons_wanted);
        let task_minutes = (minutes / 4).clamp(*TASK_MINUTES.start(), *TASK_MINUTES.end());
        let facts: Vec<String> = group.iter().flat_map(|topic| topic.facts.clone()).collect();
        let terms = pairs(&facts, self.language);
        let has_cards = terms.len() >= 3;
        let extra = QUIZ_MINUTES + task_minutes + if has_cards { CARD_MINUTES } else { 0 };
        let count = u32::try_from(plans.len()).unwrap_or(1).max(1);
        let each = (minutes.saturating_sub(extra) / count).clamp(10, 90);
        let mut lessons: Vec<LessonDraft> = plans
            .iter()
            .enumerate()
            .map(|(index, plan)| self.lesson(plan, at + index, each))
            .collect();
        let (made, left_out) = self.quiz(&plans);
        if let Some(lesson) = lessons.last_mut() {
            if has_cards {
                let label = self.labels.flashcards;
                lesson.activities.extend(self.activity(
                    ActivityKind::Flashcards,
                    label,
                    &unit_name,
                    cards(&terms),
                    CARD_MINUTES,
                ));
            }
            lesson
                .activities
                .extend(self.closing(&unit_name, made.content));
        }
        DraftedUnit {
            unit: UnitDraft {
                description: fill(
                    self.labels.unit_description,
                    &[("topics", &self.quoted(&names))],
                ),
                objectives: self.unit_objectives(group, at),
                lessons,
                assignments: vec![self.task(group, task_minutes)],
                name: unit_name,
            },
            left_out,
        }
    }

    /// The quiz of a unit asks about each of its lessons.
    fn quiz(&self, plans: &[LessonPlan]) -> (QuizMade, Vec<String>) {
        let lessons: Vec<Vec<String>> = plans.iter().map(|plan| plan.facts.clone()).collect();
        let headings: Vec<String> = self
            .all_names
            .iter()
            .cloned()
            .chain(plans.iter().map(|plan| plan.name.clone()))
            .collect();
        let made = quiz(
            self.labels,
            &QuizSource {
                lessons: &lessons,
                course: &self.course,
                headings: &headings,
            },
        );
        let left_out = made.left_out.iter().filter_map(|at| plans.get(*at));
        let left_out = left_out.map(|plan| plan.name.clone()).collect();
        (made, left_out)
    }

    /// What a unit ends with: its quiz, or where nothing is worth asking a prompt to think about it.
    fn closing(&self, unit: &str, quiz: Option<ActivityContent>) -> Option<ActivityDraft> {
        let (kind, label, content) = match quiz {
            Some(quiz) => (ActivityKind::Quiz, self.labels.quiz, Some(quiz)),
            None => (
                ActivityKind::Reflection,
                self.labels.reflection,
                reflection(self.labels, unit),
            ),
        };
        self.activity(kind, label, unit, content, QUIZ_MINUTES)
    }

    fn activity(
        &self,
        kind: ActivityKind,
        label: &str,
        topic: &str,
        content: Option<ActivityContent>,
        minutes: u32,
    ) -> Option<ActivityDraft> {
        Some(ActivityDraft {
            kind,
            name: self.named(label, topic),
            content: content?,
            minutes,
        })
    }

    fn named(&self, label: &str, topic: &str) -> String {
        let text = fill(label, &[("topic", topic)]);
        Name::clamp(&text, &self.course()).as_str().to_owned()
    }

    /// What the brief wants people to be able to do, or else one verb per topic.
    fn unit_objectives(&self, group: &[Topic], at: usize) -> Vec<String> {
        let goals: Vec<String> = group
            .iter()
            .flat_map(|topic| topic.goals.clone())
            .take(6)
            .collect();
        if !goals.is_empty() {
            return goals;
        }
        let objectives = group.iter().enumerate().take(6);
        objectives
            .map(|(index, topic)| self.objective(&topic.name, at + index))
            .collect()
    }

    /// Verbs climb from understanding to judging, and start again.
    fn objective(&self, topic: &str, at: usize) -> String {
        let templates = self.labels.objectives;
        let template = templates.iter().cycle().nth(at % templates.len());
        fill(
            template.unwrap_or(&"{topic}"),
            &[("topic", &self.labels.quoted(topic))],
        )
    }

    fn lesson(&self, plan: &LessonPlan, at: usize, minutes: u32) -> LessonDraft {
        let objective = self.objective(&plan.name, at);
        let grounded = self.is_grounded() && !plan.facts.is_empty();
        let key_points = match plan.facts.as_slice() {
            [] => self.open_points(&plan.topic),
            facts if grounded => selection(facts, self.language, POINTS_OF_TEXT),
            facts => facts.iter().take(MAX_KEY_POINTS).cloned().collect(),
        };
        let starts = paragraph_starts(&self.brief.source_text);
        let text = joined_paragraphs(&plan.facts, &starts);
        let terms = pairs(&plan.facts, self.language);
        let outline = LessonOutline {
            topic: &plan.name,
            objective: &objective,
            text: if grounded { &text } else { &[] },
            key_points: &key_points,
            terms: if grounded { &terms } else { &[] },
            origin: if grounded {
                Origin::Source
            } else {
                Origin::Brief
            },
        };
        LessonDraft {
            summary: self.lesson_summary(plan, grounded),
            content: markdown(self.labels, &outline),
            objectives: vec![objective],
            minutes,
            activities: Vec::new(),
            name: plan.name.clone(),
        }
    }

    fn lesson_summary(&self, plan: &LessonPlan, grounded: bool) -> String {
        match plan.facts.first() {
            Some(fact) if grounded => shorten(fact, SUMMARY_CHARS).to_owned(),
            _ => {
                let topic = self.labels.quoted(&plan.name);
                fill(self.labels.lesson_summary, &[("topic", &topic)])
            }
        }
    }

    fn open_points(&self, topic: &str) -> Vec<String> {
        let (topic, course) = (
            self.labels.quoted(topic),
            self.labels.quoted(&self.course()),
        );
        let points = self.labels.open_points.iter();
        points
            .map(|point| fill(point, &[("topic", &topic), ("course", &course)]))
            .collect()
    }

    /// The task about a unit; what its lessons say goes to the graders.
    fn task(&self, group: &[Topic], minutes: u32) -> AssignmentDraft {
        let names: Vec<String> = group.iter().map(|topic| topic.name.clone()).collect();
        let facts: Vec<String> = group.iter().flat_map(|topic| topic.facts.clone()).collect();
        let mut task = assignment(
            self.labels,
            &Task {
                topic: &joined(&names),
                topics: &self.quoted(&names),
                key_points: &selection(&facts, self.language, MAX_KEY_POINTS),
                minutes,
            },
        );
        task.name = self.named("{topic}", &task.name);
        task
    }

    fn quoted(&self, names: &[String]) -> String {
        let quoted: Vec<String> = names.iter().map(|name| self.labels.quoted(name)).collect();
        self.enumeration(&quoted)
    }

    fn enumeration(&self, names: &[String]) -> String {
        match names {
            [] => String::new(),
            [only] => only.clone(),
            [first @ .., last] => format!("{} {} {last}", first.join(", "), self.labels.and),
        }
    }
}

/// What of a source bears on a unit.
fn source_about(source: &str, topic: &str, language: Language) -> String {
    let chosen = about(passages(source), topic, language, MAX_UNIT_SOURCE);
    let texts: Vec<&str> = chosen.iter().map(|passage| passage.text).collect();
    texts.join("\n\n")
}

fn fill_all(template: &str, values: &[(&str, String)]) -> String {
    let values: Vec<(&str, &str)> = values
        .iter()
        .map(|(name, value)| (*name, value.as_str()))
        .collect();
    fill(template, &values)
}

/// A topic of a source as two, each with half of what is said, so that no part has nothing to say.
fn halves(mut topic: Topic, whole: &[String], language: Language) -> Vec<Vec<Topic>> {
    let facts = topic.facts.split_off(topic.facts.len().div_ceil(2));
    let stays = topic
        .facts
        .iter()
        .any(|fact| fold(fact).contains(&fold(&topic.name)));
    if !stays && let Some(phrase) = telling_phrase(&topic.facts, whole, language, &[]) {
        topic.name = name(&phrase);
    }
    let taken = [fold(&topic.name)];
    let phrase = telling_phrase(&facts, whole, language, &taken).map(|phrase| name(&phrase));
    let second = Topic {
        name: phrase.unwrap_or_else(|| format!("{} (2)", topic.name)),
        goals: topic.goals.clone(),
        facts,
    };
    vec![vec![topic], vec![second]]
}

/// Topics as one name; they may hold an "and" themselves, so another would not help.
fn joined(names: &[String]) -> String {
    shorten(&names.join(" · "), 200).to_owned()
}

/// Neighbouring topics put together until there are `wanted` groups: the smallest pair first, and of equals
/// the one that shares most words.
fn group(topics: &[Topic], wanted: usize) -> Vec<Vec<Topic>> {
    let mut groups: Vec<Vec<Topic>> = topics.iter().map(|topic| vec![topic.clone()]).collect();
    while groups.len() > wanted {
        let Some(at) = closest_pair(&groups) else {
            break;
        };
        let moved = groups.remove(at + 1);
        if let Some(group) = groups.get_mut(at) {
            group.extend(moved);
        }
    }
    groups
}

fn closest_pair(groups: &[Vec<Topic>]) -> Option<usize> {
    let pairs = groups.iter().zip(groups.iter().skip(1)).enumerate();
    pairs
        .min_by_key(|(_, (a, b))| (a.len() + b.len(), std::cmp::Reverse(shared_words(a, b))))
        .map(|(at, _)| at)
}

fn shared_words(a: &[Topic], b: &[Topic]) -> usize {
    let words = |group: &[Topic]| -> std::collections::BTreeSet<String> {
        let names = group.iter().flat_map(|topic| topic.name.split_whitespace());
        names
            .map(crate::words::fold)
            .filter(|word| word.chars().count() > 3)
            .collect()
    };
    words(a).intersection(&words(b)).count()
}
