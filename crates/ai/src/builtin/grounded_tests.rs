//! Courses drafted from a source text: everything is from it, nothing of it is lost, and it says who made it.

use std::collections::BTreeSet;

use lyceum_domain::authoring::activities::ActivityKind;
use lyceum_domain::authoring::courses::Hours;
use lyceum_domain::drafting::drafts::{ActivitiesTask, DraftFrame, LessonTask, UnitTask};
use lyceum_domain::drafting::syllabus::{ActivityDraft, SyllabusBrief, SyllabusDraft};
use lyceum_domain::text::LanguageTag;
use proptest::prelude::*;
use rstest::rstest;
use serde_json::{Value, json};

use super::authoring::{activities, lesson};
use super::drafting::{draft, unit_lessons};
use crate::language::Language;
use crate::outline::Labels;

const COFFEE: &str = "# Coffee

## Roasting

Roasting turns green coffee beans into brown ones. At about 196 degrees the beans pop; roasters call this the first \
crack. Dark roasts are heated beyond the second crack, at about 224 degrees.

Roasted beans release carbon dioxide for several days. This is why fresh coffee rests before brewing.

## Extraction

Extraction is the share of the coffee's mass that ends up in the water. An extraction between 18 and 22 percent tastes \
balanced. Water between 92 and 96 degrees extracts well.";

fn brief(source: &str, language: &str, hours: i64) -> SyllabusBrief {
    SyllabusBrief {
        course_name: "Coffee basics".to_owned(),
        language: LanguageTag::parse(language).unwrap(),
        brief: "A course for new baristas who have never made espresso.".to_owned(),
        hours: Hours::parse(hours).unwrap(),
        instructions: String::new(),
        source_text: source.to_owned(),
        model: String::new(),
    }
}

fn frame(source: &str) -> DraftFrame {
    DraftFrame {
        course_name: "Coffee basics".to_owned(),
        course_description: String::new(),
        language: LanguageTag::english(),
        instructions: String::new(),
        unit_name: "Extraction".to_owned(),
        unit_description: String::new(),
        brief: String::new(),
        source_text: source.to_owned(),
        model: String::new(),
    }
}

/// The text of a lesson: what stands under the heading of its name.
fn body(draft: &SyllabusDraft) -> Vec<String> {
    let texts = draft.lessons().map(|lesson| {
        let (_, behind) = lesson
            .content
            .split_once(&format!("## {}\n\n", lesson.name))
            .unwrap();
        behind.split("\n\n## ").next().unwrap().to_owned()
    });
    texts.collect()
}

fn quizzes(draft: &SyllabusDraft) -> Vec<&ActivityDraft> {
    let all = draft.lessons().flat_map(|lesson| &lesson.activities);
    all.filter(|one| one.kind == ActivityKind::Quiz).collect()
}

#[test]
fn lessons_are_the_paragraphs_of_the_source_and_nothing_of_the_brief() {
    let draft = draft(&brief(COFFEE, "en", 2));
    let bodies = body(&draft);
    assert!(
        bodies[0].contains("first crack. Dark roasts are"),
        "{bodies:?}"
    );
    assert!(
        bodies[0].contains(".\n\nRoasted beans release"),
        "{bodies:?}"
    );
    for sentence in [
        "green coffee beans",
        "rests before brewing",
        "tastes balanced",
        "extracts well",
    ] {
        assert_eq!(
            bodies.iter().filter(|text| text.contains(sentence)).count(),
            1,
            "{sentence}"
        );
    }
    let lesson = draft.lessons().next().unwrap();
    assert!(
        lesson
            .content
            .starts_with("> Put together by the built-in engine")
    );
    assert!(lesson.content.contains("not by a language model"));
    assert!(lesson.content.contains("> For the teacher: add an example"));
    let all: String = draft
        .lessons()
        .map(|lesson| lesson.content.as_str())
        .collect();
    assert!(!all.contains("never made espresso"), "{all}");
    assert!(
        all.contains("- **Extraction**: the share of the coffee's mass"),
        "{all}"
    );
    // It begins with "This", and says nothing alone.
    assert!(!all.contains("- This is why"), "{all}");
}

#[test]
fn every_unit_ends_in_a_quiz_and_a_task_that_can_be_graded_by_its_content() {
    let draft = draft(&brief(COFFEE, "en", 4));
    assert_eq!(quizzes(&draft).len(), draft.units.len());
    for unit in &draft.units {
        let [task] = unit.assignments.as_slice() else {
            panic!("{unit:?}")
        };
        assert_eq!(task.rubric.criteria.len(), 3);
        let points = task.rubric.criteria[0].texts("key_points");
        assert!(
            points.len() >= 3 && points.iter().all(|point| COFFEE.contains(point)),
            "{points:?}"
        );
    }
}

#[test]
fn questions_are_sentences_of_the_source_with_terms_of_one_shape() {
    // Wrong numbers have the unit of the right one, so there must be enough of them.
    let source = format!(
        "{COFFEE}\n\n## Milk\n\nSteamed milk is poured at 65 degrees into a warm cup. Milk burns when it reaches 80 degrees."
    );
    let draft = draft(&brief(&source, "en", 2));
    let mut choices = 0;
    for quiz in quizzes(&draft) {
        for question in quiz.content.as_map()["questions"].as_array().unwrap() {
            let said = question["explanation"].as_str().unwrap();
            let sentence = said.strip_prefix("The lesson says: ").unwrap();
            assert!(source.contains(sentence), "{sentence}");
            let options = question["options"].as_array().cloned().unwrap_or_default();
            let texts: Vec<&str> = options
                .iter()
                .filter_map(|one| one["text"].as_str())
                .collect();
            choices += usize::from(!texts.is_empty());
            assert!(texts.is_empty() || texts.len() == 4, "{texts:?}");
            for (at, text) in texts.iter().enumerate() {
                let others = texts.iter().enumerate().filter(|(other, _)| *other != at);
                assert!(
                    others.into_iter().all(|(_, other)| !other.contains(text)),
                    "{texts:?}"
                );
            }
        }
    }
    assert!(choices > 0);
}

#[rstest]
#[case(
    "en",
    "Cold water carries heat away quickly. An ice bath is a sink full of ice. Trays are 15 cm deep."
)]
#[case(
    "de",
    "Kaltes Wasser führt Wärme schnell ab. Ein Eisbad ist ein Becken voll Eis. Bleche sind 15 cm tief."
)]
#[case(
    "es",
    "El agua fría se lleva el calor. Un baño de hielo es una pila llena de hielo. Las bandejas tienen 15 cm."
)]
#[case(
    "fr",
    "L'eau froide emporte la chaleur. Un bain de glace est un évier plein de glace. Les bacs font 15 cm."
)]
#[case(
    "it",
    "L'acqua fredda porta via il calore. Un bagno di ghiaccio è una vasca piena di ghiaccio. Le teglie sono di 15 cm."
)]
#[case(
    "pt",
    "A água fria leva o calor. Um banho de gelo é uma pia cheia de gelo. As bandejas têm 15 cm."
)]
fn every_language_has_its_own_words(#[case] language: &str, #[case] source: &str) {
    let draft = draft(&brief(source, language, 1));
    let labels = Labels::of(Language::of_tag(language));
    for lesson in draft.lessons() {
        for heading in [
            labels.objective,
            labels.key_points,
            labels.example,
            labels.think_about,
        ] {
            assert!(
                lesson.content.contains(&format!("## {heading}")),
                "{}",
                lesson.content
            );
        }
        assert!(lesson.content.contains(labels.source_mark));
    }
    let all = body(&draft).join(" ");
    assert!(all.contains("15 cm"), "{all}");
    assert!(!quizzes(&draft).is_empty());
}

#[test]
fn a_source_is_data_and_no_markup() {
    let source = "The <script>x</script> runs. ![p](http://e.example/p.png) is a picture of it.";
    let draft = draft(&brief(source, "en", 1));
    let all = body(&draft).join(" ");
    assert!(all.contains("&lt;script>") && !all.contains("!["), "{all}");
}

#[rstest]
#[case(2, "en", false, false)]
#[case(300, "en", true, false)]
#[case(2, "sw", false, true)]
fn what_is_to_be_checked_is_said(
    #[case] hours: i64,
    #[case] language: &str,
    #[case] stretched: bool,
    #[case] english: bool,
) {
    let assumptions = draft(&brief(COFFEE, language, hours))
        .assumptions
        .join("\n");
    assert_eq!(
        assumptions.contains("for 300 hours"),
        stretched,
        "{assumptions}"
    );
    assert_eq!(
        assumptions.contains("are in English"),
        english,
        "{assumptions}"
    );
}

#[test]
fn a_unit_and_a_lesson_take_what_the_source_says_about_them() {
    let task = UnitTask {
        frame: frame(COFFEE),
        objectives: Vec::new(),
        lesson_names: vec!["Roasting".to_owned()],
        minutes: 60,
    };
    let lessons = unit_lessons(&task);
    assert_eq!(lessons[0].name, "Extraction");
    assert!(lessons[0].content.contains("tastes balanced."));
    let task = |name: &str| LessonTask {
        frame: frame(COFFEE),
        name: name.to_owned(),
        summary: String::new(),
        objectives: Vec::new(),
        siblings: Vec::new(),
        minutes: 0,
    };
    let named = lesson(&task("Extraction"));
    assert!(!named.content.contains("first crack"), "{}", named.content);
    assert!(named.summary.starts_with("Extraction is the share"));
    assert!(
        lesson(&task("The second crack"))
            .content
            .contains("224 degrees")
    );
}

#[test]
fn a_lesson_that_was_planned_from_a_source_keeps_the_text_it_was_given() {
    // Without headings the plan divides the source; names alone would not find the parts again.
    let source = COFFEE
        .lines()
        .filter(|line| !line.starts_with('#'))
        .collect::<Vec<_>>()
        .join("\n");
    let plan = draft(&brief(&source, "en", 2));
    assert!(plan.lessons().count() >= 2);
    for planned in plan.lessons() {
        let mut frame = frame(&source);
        frame.brief.clone_from(&planned.content);
        let written = lesson(&LessonTask {
            frame,
            name: planned.name.clone(),
            summary: planned.summary.clone(),
            objectives: planned.objectives.clone(),
            siblings: Vec::new(),
            minutes: planned.minutes,
        });
        assert_eq!(written.content, planned.content);
    }
}

fn made(kind: ActivityKind) -> Value {
    let written = lesson(&LessonTask {
        frame: frame(COFFEE),
        name: "Extraction".to_owned(),
        summary: String::new(),
        objectives: Vec::new(),
        siblings: Vec::new(),
        minutes: 0,
    });
    let task = ActivitiesTask {
        frame: frame(""),
        lesson_name: "Extraction".to_owned(),
        objectives: written.objectives,
        content: written.content,
        siblings: Vec::new(),
        kind,
        count: 1,
        items: None,
        names: Vec::new(),
        unit_texts: Vec::new(),
    };
    Value::Object(activities(&task)[0].content.as_map().clone())
}

#[test]
fn a_podcast_says_what_its_voices_are_and_then_what_the_lesson_says() {
    let script = made(ActivityKind::Podcast);
    let parts = script["segments"].as_array().unwrap();
    let titles: Vec<&str> = parts
        .iter()
        .filter_map(|part| part["title"].as_str())
        .collect();
    assert_eq!(titles, ["Welcome", "The topic", "In short", "Goodbye"]);
    assert!(
        parts[0]["turns"][0]["text"]
            .as_str()
            .unwrap()
            .contains("synthetic")
    );
    assert!(
        script["show_notes"][0]
            .as_str()
            .unwrap()
            .contains("synthetic")
    );
    let told = parts[1]["turns"].to_string();
    assert!(
        told.contains("tastes balanced") && told.contains("extracts well"),
        "{told}"
    );
}

#[test]
fn an_explainer_has_a_place_for_an_example_and_the_lessons_terms() {
    let explainer = made(ActivityKind::Explainer);
    let sections = explainer["sections"].as_array().unwrap();
    assert_eq!(sections.last().unwrap()["heading"], "Example");
    assert_eq!(explainer["glossary"][0]["term"], "Extraction");
    let headings: BTreeSet<String> = sections
        .iter()
        .map(|one| one["heading"].to_string())
        .collect();
    assert_eq!(headings.len(), sections.len());
    assert_eq!(
        made(ActivityKind::Flashcards)["cards"][0]["front"],
        json!("Extraction")
    );
}

fn asked(quiz: &ActivityDraft) -> Vec<&Value> {
    let questions = quiz.content.as_map()["questions"].as_array().unwrap();
    questions.iter().map(|one| &one["source_quote"]).collect()
}

#[test]
fn the_quiz_that_closes_a_unit_asks_about_each_of_its_lessons() {
    let plan = draft(&brief(COFFEE, "en", 2));
    let texts: Vec<String> = plan.lessons().map(|one| one.content.clone()).collect();
    let task = |unit_texts: &[String]| ActivitiesTask {
        frame: frame(""),
        lesson_name: "Extraction".to_owned(),
        objectives: Vec::new(),
        content: texts.last().unwrap().clone(),
        siblings: vec!["Roasting".to_owned()],
        kind: ActivityKind::Quiz,
        count: 1,
        items: None,
        names: Vec::new(),
        unit_texts: unit_texts.to_vec(),
    };
    let of_lesson = activities(&task(&[]));
    let of_unit = activities(&task(&texts[..1]));
    let roasting = |quiz: &ActivityDraft| {
        let told = asked(quiz).into_iter().filter_map(Value::as_str);
        told.filter(|said| texts[0].contains(said)).count()
    };
    assert_eq!(roasting(&of_lesson[0]), 0);
    assert!(roasting(&of_unit[0]) > 0, "{of_unit:?}");
    // What a model wrote after its plan is another text.
    let strange = vec!["Roasting at 230 degrees turns green beans black.".to_owned()];
    assert_eq!(activities(&task(&strange)), of_lesson);
}

#[test]
fn a_brief_that_names_its_topics_gives_each_a_unit() {
    let mut asked = brief("", "en", 4);
    asked.course_name = "Food safety".to_owned();
    asked.brief = "Personal hygiene: when and how to wash hands. Temperature control: the danger zone between 5 and 63 \
degrees, cooking, cooling, reheating. Cross-contamination: raw and ready-to-eat food, colour-coded boards. Allergens: the \
fourteen, what to tell a guest."
        .to_owned();
    let names: Vec<String> = draft(&asked)
        .units
        .into_iter()
        .map(|unit| unit.name)
        .collect();
    assert_eq!(
        names,
        [
            "Personal hygiene · Temperature control",
            "Cross-contamination · Allergens"
        ]
    );
}

#[test]
fn where_nothing_is_worth_asking_a_unit_ends_with_a_prompt_and_the_plan_says_so() {
    let source = "# Talks\n\n## Meeting\n\nPeople came and went all day long. Nobody knew quite why they had come.\n\n## Parting\n\n\
They left as they had come before. Some of them waved for a while.";
    let drafted = draft(&brief(source, "en", 2));
    assert!(quizzes(&drafted).is_empty());
    let ends: Vec<ActivityKind> = drafted
        .units
        .iter()
        .filter_map(|unit| unit.lessons.last()?.activities.last().map(|one| one.kind))
        .collect();
    assert_eq!(ends, [ActivityKind::Reflection, ActivityKind::Reflection]);
    let said = drafted.assumptions.join("\n");
    assert!(said.contains("“Meeting” and “Parting”"), "{said}");
}

#[test]
fn open_points_and_marks_of_ours_are_never_asked_about() {
    let labels = Labels::of(Language::English);
    let point = "An example of “Roasting”: to be added by the teacher";
    let content = format!(
        "> {}\n\n## Key points\n\n- {point}\n- What “Roasting” means in the course “Coffee basics”",
        labels.built_in_mark
    );
    let task = |kind| ActivitiesTask {
        frame: frame(""),
        lesson_name: "Roasting".to_owned(),
        objectives: Vec::new(),
        content: content.clone(),
        siblings: Vec::new(),
        kind,
        count: 1,
        items: None,
        names: Vec::new(),
        unit_texts: Vec::new(),
    };
    assert_eq!(activities(&task(ActivityKind::Quiz)), []);
    assert_eq!(activities(&task(ActivityKind::Flashcards)), []);
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(40))]

    #[test]
    fn any_source_fills_exactly_the_hours(
        source in "([A-Z][a-z]{1,9}( [a-z]{1,9}| [0-9]{2}){2,7}[.!?]( |\n\n)){1,30}|\\PC{0,200}|[-#*:.a-z0-9 \n{}<>]{0,300}",
        hours in 1..=1000_i64,
    ) {
        let mut drafted = draft(&brief(&source, "en", hours));
        prop_assert_eq!(&drafted, &draft(&brief(&source, "en", hours)));
        drafted.fit_to(Hours::parse(hours).unwrap()).unwrap();
        let minutes: u32 = drafted.lessons().map(|lesson| lesson.minutes).sum();
        prop_assert_eq!(i64::from(minutes), hours * 60);
    }

    #[test]
    fn no_sentence_of_plain_prose_is_lost(sentences in prop::collection::vec("[A-Z][a-z]{3,9}( [a-z]{3,9}){4,7}\\.", 1..40), wide in 1..6_usize) {
        let paragraphs: Vec<String> = sentences.chunks(wide).map(|part| part.join(" ")).collect();
        let drafted = draft(&brief(&paragraphs.join("\n\n"), "en", 8));
        let all: String = drafted.lessons().map(|lesson| lesson.content.as_str()).collect();
        for sentence in &sentences {
            prop_assert!(all.contains(sentence), "{}", sentence);
        }
    }
}
