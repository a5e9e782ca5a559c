//! What activities are made of, by kind. The domain keeps members that nobody here knows, so every shape is open;
//! members that learners do not see, or that are still to be written, are not there, so few are required.

use serde_json::{Map, Value, json};

use super::discriminator::by;

/// Shapes by name; the content of a kind is `{Kind}Content`.
pub fn shapes() -> Map<String, Value> {
    let mut shapes = Map::new();
    let mut add = |name: &str, shape: Value| shapes.insert(name.to_owned(), shape);
    add(
        "QuizContent",
        open(
            "Questions that are scored.",
            &[],
            json!({
                "questions": list_of("QuizQuestion"),
                "shuffle": flag("Whether learners get the questions in another order."),
                "passing_percent": { "type": ["number", "null"], "minimum": 0, "maximum": 100, "description": "What it takes to pass; 70 when absent." },
                "show_answers": { "type": ["string", "null"], "description": "`never` or `after_submit`." },
                "max_attempts": { "type": ["integer", "null"], "minimum": 1, "maximum": 1000, "description": "How often a learner may try; without limit when absent." },
                "questions_per_attempt": { "type": ["integer", "null"], "minimum": 1, "description": "How many of the questions an attempt asks, drawn for each learner and attempt; all of them when absent." },
            }),
        ),
    );
    for (word, name, members) in questions() {
        add(&format!("{name}Question"), question(word, members));
    }
    add("QuizQuestion", quiz_question());
    add("QuizOption", option());
    add(
        "QuizBlank",
        open(
            "A blank of a text, named by its id in `{{…}}`.",
            &["id"],
            json!({ "id": text(), "accepted_answers": texts() }),
        ),
    );
    add(
        "QuizItem",
        open(
            "A thing to put in its place. Learners get them in another order and without ids.",
            &["text"],
            json!({ "id": optional_text(), "text": text() }),
        ),
    );
    add(
        "QuizPair",
        open(
            "Two things that belong together.",
            &["left", "right"],
            json!({ "id": optional_text(), "left": text(), "right": text() }),
        ),
    );
    add("QuizTornPairs", torn_pairs());
    for (name, shape) in other_kinds() {
        add(name, shape);
    }
    shapes
}

/// Types of questions: the word, the name, the members beside those that all have.
fn questions() -> [(&'static str, &'static str, Value); 9] {
    let cased = || flag("Whether upper and lower case differ.");
    let words = || json!({ "type": ["integer", "null"], "minimum": 0 });
    let choice = || json!({ "options": list_of("QuizOption") });
    [
        ("single_choice", "SingleChoice", choice()),
        ("multiple_choice", "MultipleChoice", choice()),
        (
            "true_false",
            "TrueFalse",
            json!({ "answer": flag("Whether it is true.") }),
        ),
        (
            "short_text",
            "ShortText",
            json!({ "accepted_answers": texts(), "case_sensitive": cased() }),
        ),
        (
            "numeric",
            "Numeric",
            json!({ "answer": optional_number(), "tolerance": optional_number(), "unit": optional_text() }),
        ),
        (
            "cloze",
            "Cloze",
            json!({ "text": optional_text(), "blanks": list_of("QuizBlank"), "case_sensitive": cased() }),
        ),
        (
            "ordering",
            "Ordering",
            json!({ "items": list_of("QuizItem") }),
        ),
        (
            "matching",
            "Matching",
            json!({ "pairs": {
                "oneOf": [list_of("QuizPair"), reference("QuizTornPairs")],
                "description": "Learners get both sides apart.",
            } }),
        ),
        (
            "open",
            "Open",
            json!({ "sample_answer": optional_text(), "min_words": words(), "max_words": words() }),
        ),
    ]
}

fn question(word: &str, members: Value) -> Value {
    let mut properties = json!({
        "id": optional_text(),
        "type": { "type": "string", "enum": [word] },
        "prompt": text(),
        "points": { "type": ["number", "null"], "minimum": 0, "description": "What it is worth; 1 when absent." },
        "explanation": optional_text(),
        "hint": optional_text(),
    });
    if let (Some(all), Value::Object(own)) = (properties.as_object_mut(), members) {
        all.extend(own);
    }
    open("A question.", &["type", "prompt"], properties)
}

fn quiz_question() -> Value {
    let of = questions().map(|(word, name, _)| (word.to_owned(), format!("{name}Question")));
    by("A question of a quiz, by its type.", "type", &of)
}

fn option() -> Value {
    open(
        "Something to choose.",
        &["text"],
        json!({
            "id": optional_text(),
            "text": text(),
            "correct": flag("Whether it is right; learners are not told."),
            "feedback": optional_text(),
            "rationale": optional_text(),
        }),
    )
}

fn torn_pairs() -> Value {
    let side = open(
        "A left side.",
        &["id", "text"],
        json!({ "id": text(), "text": text() }),
    );
    open(
        "Pairs as learners get them.",
        &["lefts", "rights"],
        json!({ "lefts": { "type": "array", "items": side }, "rights": texts() }),
    )
}

fn other_kinds() -> [(&'static str, Value); 9] {
    let pages = |required: &[&str], properties| open("A part of it.", required, properties);
    [
        (
            "FlashcardsContent",
            open(
                "Cards with two sides.",
                &[],
                json!({ "cards": list_of("Flashcard") }),
            ),
        ),
        (
            "Flashcard",
            open(
                "A card.",
                &["front", "back"],
                json!({ "id": optional_text(), "front": text(), "back": text(), "hint": optional_text() }),
            ),
        ),
        (
            "ExplainerContent",
            open(
                "A thing explained step by step.",
                &[],
                json!({
                    "sections": list_of("ExplainerSection"),
                    "key_points": texts(),
                    "glossary": { "type": ["array", "null"], "items": pages(&["term", "definition"], json!({ "term": text(), "definition": text() })) },
                }),
            ),
        ),
        (
            "ExplainerSection",
            open(
                "A step.",
                &["body"],
                json!({
                    "id": optional_text(), "heading": optional_text(), "body": text(),
                    "visual": { "description": "A picture in words, or an object of the author's own making." },
                }),
            ),
        ),
        (
            "PodcastContent",
            open(
                "A spoken dialogue with its transcript.",
                &[],
                json!({
                    "language": optional_text(),
                    "speakers": { "type": "array", "items": pages(&["name"], json!({ "id": optional_text(), "name": text() })) },
                    "segments": list_of("PodcastSegment"),
                    "audio": { "oneOf": [reference("PodcastAudio"), { "type": "null" }] },
                }),
            ),
        ),
        (
            "PodcastSegment",
            open(
                "A part of the dialogue.",
                &["turns"],
                json!({
                    "title": optional_text(),
                    "turns": { "type": "array", "items": pages(&["speaker_id", "text"], json!({ "speaker_id": text(), "text": text() })) },
                }),
            ),
        ),
        (
            "PodcastAudio",
            open(
                "Its recording.",
                &[],
                json!({
                    "status": { "type": ["string", "null"], "description": "`none`, `pending`, `ready` or `error`." },
                    "url": optional_text(), "duration_ms": optional_number(),
                    "sha256": optional_text(), "size_bytes": optional_number(),
                }),
            ),
        ),
        (
            "VideoContent",
            open(
                "A video with captions and chapters.",
                &[],
                json!({
                    "url": optional_text(),
                    "captions": { "type": ["array", "null"], "items": pages(&["url"], json!({ "language": optional_text(), "label": optional_text(), "url": text() })) },
                    "chapters": { "type": ["array", "null"], "items": pages(&["title"], json!({ "title": text(), "start_seconds": optional_number() })) },
                }),
            ),
        ),
        (
            "ReflectionContent",
            open(
                "A prompt to think and write about.",
                &[],
                json!({ "prompt": optional_text(), "min_words": { "type": ["integer", "null"], "minimum": 0 } }),
            ),
        ),
    ]
}

fn open(description: &str, required: &[&str], properties: Value) -> Value {
    let mut shape = Map::from_iter([
        ("type".to_owned(), json!("object")),
        ("description".to_owned(), json!(description)),
        ("properties".to_owned(), properties),
        ("additionalProperties".to_owned(), json!(true)),
    ]);
    if !required.is_empty() {
        shape.insert("required".to_owned(), json!(required));
    }
    Value::Object(shape)
}

fn reference(name: &str) -> Value {
    json!({ "$ref": format!("#/components/schemas/{name}") })
}

fn list_of(name: &str) -> Value {
    json!({ "type": "array", "items": reference(name) })
}

fn text() -> Value {
    json!({ "type": "string" })
}

fn optional_text() -> Value {
    json!({ "type": ["string", "null"] })
}

fn optional_number() -> Value {
    json!({ "type": ["number", "null"] })
}

fn texts() -> Value {
    json!({ "type": "array", "items": { "type": "string" } })
}

fn flag(description: &str) -> Value {
    json!({ "type": ["boolean", "null"], "description": description })
}
