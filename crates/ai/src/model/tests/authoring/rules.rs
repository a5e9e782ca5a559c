//! Every rule of drafts: one document that keeps it, one that breaks it.

use lyceum_domain::authoring::activities::ActivityKind;
use lyceum_domain::text::LanguageTag;
use rstest::rstest;
use serde_json::{Value, json};

use super::documents::{SOURCE, activities, changed, lesson, sample, unit};
use crate::model::authoring::{read_activities, read_lesson};
use crate::model::syllabus::read_unit;

/// What an answer is told about the rules it breaks.
fn told<T>(read: Result<T, Vec<String>>) -> String {
    read.err().unwrap_or_default().join("; ")
}

#[rstest]
#[case("unit", ActivityKind::Video)]
#[case("lesson", ActivityKind::Video)]
#[case("quiz", ActivityKind::Quiz)]
#[case("flashcards", ActivityKind::Flashcards)]
#[case("explainer", ActivityKind::Explainer)]
#[case("podcast", ActivityKind::Podcast)]
#[case("reflection", ActivityKind::Reflection)]
fn answers_that_keep_all_rules_are_taken(#[case] name: &str, #[case] kind: ActivityKind) {
    let document = sample(name);
    let broken = match name {
        "unit" => told(read_unit(&document, &unit())),
        "lesson" => told(read_lesson(&document, &lesson())),
        _ => told(read_activities(&document, &activities(kind, 1))),
    };
    assert_eq!(broken, "");
}

#[rstest]
#[case("/language", json!("de"), "language en")]
#[case("/lessons", json!([]), "1 to 8 lessons")]
#[case("/lessons/0/title", json!("There"), "stands twice")]
#[case("/lessons/0/minutes", json!(9), "10 to 90 minutes")]
#[case("/lessons/0/minutes", json!(30), "must add up to 60, not 40")]
#[case("/lessons/0/key_points", json!([]), "needs key points")]
#[case("/lessons/0/objective", json!("Know the trays"), "can be observed")]
#[case("/activities/0/lesson_index", json!(1), "lesson_index")]
fn a_plan_of_a_unit_is_refused(#[case] at: &str, #[case] value: Value, #[case] rule: &str) {
    let told = told(read_unit(&changed(sample("unit"), at, value), &unit()));
    assert!(told.contains(rule), "{told}");
}

#[rstest]
#[case("/language", json!("de"), "language en")]
#[case("/sections/0/kind", json!("concept"), "")]
#[case("/sections/1/kind", json!("hook"), "kind concept")]
#[case("/sections/2/kind", json!("hook"), "kind example")]
#[case("/sections/4/kind", json!("hook"), "kind check")]
#[case("/minutes", json!(2), "must be 3 to 30")]
#[case("/minutes", json!(8), "must have 720 to 1280 words")]
#[case("/sections/1/source_ids", json!(["p1"]), "do not exist")]
#[case("/sections/0/heading", json!(" "), "needs a heading")]
#[case("/key_terms/0/term", json!("spore bank"), "must stand in the text")]
#[case("/objectives", json!(["Understand cooling"]), "can be observed")]
#[case("/objectives", json!([]), "needs an objective")]
fn a_lesson_is_refused(#[case] at: &str, #[case] value: Value, #[case] rule: &str) {
    let told = told(read_lesson(
        &changed(sample("lesson"), at, value),
        &lesson(),
    ));
    assert!(
        told.contains(rule) && rule.is_empty() == told.is_empty(),
        "{told}"
    );
}

#[rstest]
#[case("<script>x</script>", "raw HTML")]
#[case("![x](http://e.example/x.png)", "no images")]
#[case("[x](http://e.example)", "no links")]
#[case("See https://e.example/x", "stands in no source")]
#[case("\n## Too high", "level 3")]
#[case("\n#### Low enough, and `<b>` is code", "")]
fn what_markdown_of_a_lesson_may_hold(#[case] added: &str, #[case] rule: &str) {
    let mut document = sample("lesson");
    let text = document["sections"][1]["markdown"].as_str().unwrap();
    document["sections"][1]["markdown"] = json!(format!("{text} {added}").replace(" \n", "\n\n"));
    let told = told(read_lesson(&document, &lesson()));
    assert!(
        told.contains(rule) && rule.is_empty() == told.is_empty(),
        "{told}"
    );
}

#[test]
fn a_lesson_of_planned_minutes_has_a_third_of_them_to_all_as_text() {
    let mut task = lesson();
    task.minutes = 9;
    assert_eq!(read_lesson(&sample("lesson"), &task).unwrap().minutes, 9);
    task.minutes = 30;
    assert!(told(read_lesson(&sample("lesson"), &task)).contains("must be 10 to 30"));
}

#[rstest]
#[case(json!(["p1"]), "")]
#[case(json!([]), "must name the source passages")]
#[case(json!(["p2"]), "do not exist")]
fn concepts_name_the_passages_they_are_from(#[case] ids: Value, #[case] rule: &str) {
    let mut task = lesson();
    task.frame.source_text = SOURCE.to_owned();
    let told = told(read_lesson(
        &changed(sample("lesson"), "/sections/1/source_ids", ids),
        &task,
    ));
    assert!(
        told.contains(rule) && rule.is_empty() == told.is_empty(),
        "{told}"
    );
}

#[test]
fn a_section_shares_words_with_the_passages_it_names() {
    let mut task = lesson();
    task.frame.source_text = "Salt mines lie deep below the mountains.".to_owned();
    let document = changed(sample("lesson"), "/sections/1/source_ids", json!(["p1"]));
    assert!(told(read_lesson(&document, &task)).contains("says nothing of"));
}

fn choice(text: &str, correct: bool) -> Value {
    json!({"id": text, "text": text, "correct": correct, "rationale": "r"})
}

#[rstest]
#[case("/language", json!("fr"), "language en")]
#[case("/activities/0/questions/0/stem", json!(" "), "needs a stem")]
#[case("/activities/0/questions/0/options/1/correct", json!(true), "exactly one")]
#[case("/activities/0/questions/0/options/0/correct", json!(false), "exactly one")]
#[case("/activities/0/questions/0/options", json!([choice("toxins", true), choice("spores", false)]), "3 to 5 options")]
#[case("/activities/0/questions/1/options/1/correct", json!(false), "at least two correct")]
#[case("/activities/0/questions/1/options/2/correct", json!(true), "and a wrong one")]
#[case("/activities/0/questions/2/options/0/id", json!("yes"), "ids true and false")]
#[case("/activities/0/questions/2/kind", json!("short_text"), "has no options")]
#[case("/activities/0/questions/0/options/1/text", json!("TOXINS are *not* destroyed by it"), "texts that differ")]
#[case("/activities/0/questions/0/options/1/text", json!("None of the above is right"), "all of the above")]
#[case("/activities/0/questions/0/options/1/text", json!("It is a microwave oven that heats only the surface of the food and so on"), "similar length")]
#[case("/activities/0/questions/0/options/1/rationale", json!(""), "rationale")]
#[case("/activities/0/questions/0/source_quote", json!("reheating destroys toxins"), "word for word")]
#[case("/activities/0/questions/0/source_quote", json!(""), "word for word")]
#[case("/activities/0/questions/0/source_quote", json!("in the warm middle of the pot"), "holds the right answer")]
#[case("/activities/0/questions/0/lesson_key_point", json!(9), "lesson_key_point")]
#[case("/activities/0/questions/1/id", json!("q1"), "ids of questions must differ")]
#[case("/activities/0/questions/2/stem", json!("Which of these speed up the cooling of stocks?"), "nearly the same")]
#[case("/activities/0/questions", json!([]), "must be 3 questions")]
fn a_quiz_is_refused(#[case] at: &str, #[case] value: Value, #[case] rule: &str) {
    let document = changed(sample("quiz"), at, value);
    let told = told(read_activities(
        &document,
        &activities(ActivityKind::Quiz, 1),
    ));
    assert!(told.contains(rule), "{told}");
}

#[test]
fn the_key_is_not_mostly_the_longest_option() {
    let options = json!([
        choice("toxins stay behind", true),
        choice("it takes long", false),
        choice("it gets dry", false)
    ]);
    let document = changed(sample("quiz"), "/activities/0/questions/0/options", options);
    let task = activities(ActivityKind::Quiz, 1);
    assert!(told(read_activities(&document, &task)).contains("the longest one"));
    // One of two may be.
    let lid = "/activities/0/questions/1/options/2/text";
    let document = changed(document, lid, json!("a lid on the pot"));
    assert_eq!(told(read_activities(&document, &task)), "");
}

#[rstest]
#[case("/activities/0/cards", json!([]), "2 to 20 cards")]
#[case("/activities/0/cards/0/back", json!("word ".repeat(41)), "at most 40 words")]
#[case("/activities/0/cards/0/back", json!("danger ZONE"), "on the front")]
#[case("/activities/0/cards/0/back", json!(" "), "a front and a back")]
#[case("/activities/0/cards/1/front", json!("Food is {{cooled}} within {{90 minutes}}"), "exactly one")]
#[case("/activities/0/cards/1/front", json!("Food is cooled fast"), "exactly one")]
#[case("/activities/0/cards/1/kind", json!("question"), "not of kind cloze")]
#[case("/activities/0/cards/2/source_quote", json!("a deep pot has much surface"), "word for word")]
#[case("/activities/0/cards/2/front", json!("what is *the* danger zone?"), "fronts of cards must differ")]
#[case("/activities/0/cards/2/id", json!("c1"), "ids of cards must differ")]
fn cards_are_refused(#[case] at: &str, #[case] value: Value, #[case] rule: &str) {
    let document = changed(sample("flashcards"), at, value);
    let told = told(read_activities(
        &document,
        &activities(ActivityKind::Flashcards, 1),
    ));
    assert!(told.contains(rule), "{told}");
}

#[rstest]
#[case("/activities/0/steps", json!([]), "3 to 8 steps")]
#[case("/activities/0/steps/0/text", json!("Short words. ".repeat(61)), "at most 120 words, not 122")]
#[case("/activities/0/steps/0/heading", json!(""), "a heading and a text")]
#[case("/activities/0/steps/0/text", json!("<img src=x>"), "raw HTML")]
#[case("/activities/0/steps/0/text", json!("and so on ".repeat(39)), "at most 16 words on average")]
#[case("/activities/0/worked_example/answer", json!("2 degrees"), "last solution step")]
#[case("/activities/0/worked_example/answer", json!(""), "last solution step")]
#[case("/activities/0/check_question/answer", json!(" "), "check_question needs")]
fn an_explainer_is_refused(#[case] at: &str, #[case] value: Value, #[case] rule: &str) {
    let document = changed(sample("explainer"), at, value);
    let told = told(read_activities(
        &document,
        &activities(ActivityKind::Explainer, 1),
    ));
    assert!(told.contains(rule), "{told}");
}

#[rstest]
#[case("/activities/0/segments/0/section", json!("topic"), "start with the intro")]
#[case("/activities/0/segments/19/section", json!("topic"), "end with recap and outro")]
#[case("/activities/0/segments/2/text", json!("word ".repeat(190)), "at most 900 characters")]
#[case("/activities/0/segments/2/text", json!("Cool [laughs] it"), "spoken words only")]
#[case("/activities/0/segments/2/text", json!("Cool **it**"), "spoken words only")]
#[case("/activities/0/segments/2/text", json!("Cool to 8 degrees"), "spell out numbers")]
#[case("/activities/0/segments/2/text", json!("go to www.e.example"), "no addresses")]
#[case("/activities/0/segments/2/text", json!(" "), "must not be empty")]
#[case("/activities/0/segments", json!([]), "637 to 862 words, not 0")]
#[case("/activities/0/segments/2/speaker", json!("guest"), "more than 3 segments in a row")]
#[case("/activities/0/segments/0/text", json!("Welcome to the kitchen talk."), "voices are synthetic")]
#[case("/activities/0/show_notes", json!(["Cooling."]), "voices are synthetic")]
#[case("/activities/0/speakers/1/id", json!("host"), "one host and one guest")]
fn a_podcast_is_refused(#[case] at: &str, #[case] value: Value, #[case] rule: &str) {
    let mut document = changed(sample("podcast"), at, value);
    if rule.contains("in a row") {
        document["activities"][0]["segments"][4]["speaker"] = json!("guest");
    }
    let told = told(read_activities(
        &document,
        &activities(ActivityKind::Podcast, 1),
    ));
    assert!(told.contains(rule), "{told}");
}

#[test]
fn a_podcast_mentions_every_key_point_of_its_lesson() {
    let mut task = activities(ActivityKind::Podcast, 1);
    task.content
        .push_str("\n\n## Salt\n\nSalt mines lie deep below Alpine mountains.");
    let told = told(read_activities(&sample("podcast"), &task));
    assert!(told.contains("must mention \"Salt mines"), "{told}");
}

#[test]
fn an_answer_in_another_language_is_found_by_its_small_words() {
    let german =
        "Die Bleche sind flach und das Wasser ist kalt, weil es nicht in der Küche steht. ";
    let document = changed(sample("reflection"), "/activities/0/prompt", json!(german));
    let mut task = activities(ActivityKind::Reflection, 1);
    assert!(told(read_activities(&document, &task)).contains("language en"));
    task.frame.language = LanguageTag::parse("de").unwrap();
    let document = changed(document, "/language", json!("de-AT"));
    assert_eq!(told(read_activities(&document, &task)), "");
}

#[test]
fn fewer_activities_than_asked_for_are_refused() {
    let task = activities(ActivityKind::Reflection, 2);
    assert!(told(read_activities(&sample("reflection"), &task)).contains("must be 2 activities"));
}
