//! What is sent over each protocol and to each kind of server, and what is made of the answers.

use lyceum_ai::{LanguageModel, Profile, ProviderSettings, ServerSettings, Structured, provider};
use lyceum_ports::drafting::ai::AiProvider;
use lyceum_ports::drafting::ai_calls::Meter;
use rstest::rstest;
use serde_json::{Value, json};
use std::time::{Duration, Instant};
use url::Url;

use crate::scripted_provider::{Answer, Play, Request, ScriptedProvider, chat};
use crate::{KEY, Kind, day, day_with, model, right, settings, task};

async fn request(profile: Profile, path: &str, structured: Structured) -> Request {
    let answer = if profile == Profile::Anthropic {
        Kind::Anthropic
    } else {
        Kind::OpenAi
    };
    let server = ScriptedProvider::playing([answer.says(&right())]).await;
    let origin = server.base_url().replace("/v1", "");
    let url = Url::parse(&format!("{origin}{path}")).unwrap();
    let mut settings = ServerSettings::new(profile, url, Some(KEY.to_owned()), "asked-1");
    settings.structured = Some(structured);
    let answered = model(settings).answer_quiz(task(), &Meter::default()).await;
    assert_eq!(answered.unwrap().value.answers["q1"], "a");
    server.requests().remove(0)
}

#[rstest]
#[case(Profile::OpenAi, "/v1", "/v1/chat/completions")]
#[case(Profile::Generic, "/v1/", "/v1/chat/completions")]
#[case(Profile::Generic, "/v1/chat/completions", "/v1/chat/completions")]
#[case(Profile::Azure, "", "/openai/v1/chat/completions")]
#[case(Profile::Azure, "/openai/v1", "/openai/v1/chat/completions")]
#[case(
    Profile::Azure,
    "/openai/deployments/d?api-version=2024-10-21",
    "/openai/deployments/d/chat/completions?api-version=2024-10-21"
)]
#[case(Profile::Anthropic, "", "/v1/messages")]
#[case(Profile::Anthropic, "/v1", "/v1/messages")]
#[tokio::test]
async fn questions_go_to_the_right_place_with_the_key_in_the_right_header(
    #[case] profile: Profile,
    #[case] path: &str,
    #[case] target: &str,
) {
    let request = request(profile, path, Structured::JsonSchema).await;
    assert_eq!(request.target, target);
    let bearer = format!("Bearer {KEY}");
    let wanted = if profile == Profile::Azure {
        ("api-key", KEY)
    } else if profile == Profile::Anthropic {
        ("x-api-key", KEY)
    } else {
        ("authorization", bearer.as_str())
    };
    assert_eq!(request.header(wanted.0), wanted.1);
    let with_key = request
        .headers
        .iter()
        .filter(|(_, value)| value.contains(KEY));
    assert_eq!(with_key.count(), 1);
}

fn members(body: &Value, among: &[&str]) -> Vec<String> {
    let members = body.as_object().unwrap().keys();
    let wanted = members.filter(|name| among.contains(&name.as_str()));
    wanted.cloned().collect()
}

#[rstest]
#[case(Profile::OpenAi, &["max_completion_tokens", "seed", "store"])]
#[case(Profile::Azure, &["max_completion_tokens", "seed"])]
#[case(Profile::Ollama, &["max_tokens", "seed", "temperature"])]
#[case(Profile::Vllm, &["max_completion_tokens", "seed", "temperature"])]
#[case(Profile::LlamaCpp, &["max_tokens", "seed", "temperature"])]
#[case(Profile::LmStudio, &["max_tokens", "seed", "temperature"])]
#[case(Profile::Generic, &["max_tokens"])]
#[case(Profile::Anthropic, &["max_tokens"])]
#[tokio::test]
async fn each_kind_of_server_is_sent_what_it_takes(
    #[case] profile: Profile,
    #[case] wanted: &[&str],
) {
    let all = [
        "max_tokens",
        "max_completion_tokens",
        "seed",
        "store",
        "temperature",
        "user",
        "stream",
    ];
    let body = request(profile, "/v1", Structured::JsonSchema).await.body;
    assert_eq!(members(&body, &all), wanted);
}

#[rstest]
#[case(Structured::JsonSchema, &["response_format"], false)]
#[case(Structured::Tool, &["tool_choice", "tools"], false)]
#[case(Structured::JsonObject, &["response_format"], true)]
#[case(Structured::PromptOnly, &[], true)]
#[tokio::test]
async fn chat_completions_know_four_ways_to_a_shape(
    #[case] way: Structured,
    #[case] wanted: &[&str],
    #[case] in_words: bool,
) {
    let body = request(Profile::OpenAi, "/v1", way).await.body;
    assert_eq!(
        members(&body, &["response_format", "tools", "tool_choice"]),
        wanted
    );
    let system = body["messages"][0]["content"].as_str().unwrap();
    assert_eq!(system.contains("\"lesson_tells\""), in_words);
    let schema = match way {
        Structured::JsonSchema => &body["response_format"]["json_schema"]["schema"],
        Structured::Tool => &body["tools"][0]["function"]["parameters"],
        Structured::JsonObject | Structured::PromptOnly => return,
    };
    assert_eq!(schema["required"], json!(["answers"]));
}

#[tokio::test]
async fn messages_have_their_system_text_apart() {
    let request = request(Profile::Anthropic, "", Structured::JsonSchema).await;
    assert_eq!(request.header("anthropic-version"), "2023-06-01");
    let body = request.body;
    assert!(body["system"].as_str().unwrap().contains("You take a quiz"));
    let roles: Vec<&str> = body["messages"]
        .as_array()
        .unwrap()
        .iter()
        .filter_map(|it| it["role"].as_str())
        .collect();
    assert_eq!(roles, ["user", "user"]);
    assert_eq!(body["output_config"]["format"]["type"], "json_schema");
    assert_eq!(
        body["output_config"]["format"]["schema"]["required"],
        json!(["answers"])
    );
}

#[tokio::test]
async fn members_of_a_schema_keep_their_order_on_the_way() {
    let server = ScriptedProvider::playing([Kind::OpenAi.says(&right())]).await;
    let mut settings = settings(Kind::OpenAi, &server);
    settings.structured = Some(Structured::PromptOnly);
    model(settings)
        .answer_quiz(task(), &Meter::default())
        .await
        .unwrap();
    let told = server.bodies()[0]["messages"][0]["content"].to_string();
    assert!(told.find("passage").unwrap() < told.find("lesson_tells\\\": {").unwrap());
}

#[rstest]
#[case(Kind::OpenAi, json!({"model": "m", "choices": [{"finish_reason": "tool_calls", "message": {"content": null,
    "tool_calls": [{"type": "function", "function": {"name": "quiz_answers", "arguments": right()}}]}}]}))]
#[case(Kind::Anthropic, json!({"model": "m", "stop_reason": "tool_use", "content": [
    {"type": "text", "text": "Let me see."},
    {"type": "tool_use", "name": "quiz_answers", "input": serde_json::from_str::<Value>(&right()).unwrap()}]}))]
#[tokio::test]
async fn answers_come_back_as_arguments_of_a_tool(#[case] kind: Kind, #[case] body: Value) {
    let script = [Answer::json(200, &body).play()];
    let day = day_with(kind, script, |settings| {
        settings.structured = Some(Structured::Tool);
    })
    .await;
    assert_eq!(day.answer().value.answers["q1"], "a");
    // Nothing was said of tokens, so they are guessed.
    assert!(day.calls[0].estimated && day.calls[0].usage.tokens_out > 0);
}

#[rstest]
#[tokio::test]
async fn an_answer_tells_where_it_came_from(#[values(Kind::OpenAi, Kind::Anthropic)] kind: Kind) {
    let day = day(kind, [kind.says(&right())]).await;
    let answered = day.answer();
    assert_eq!(
        (answered.model_asked.as_str(), answered.model.as_str()),
        ("asked-1", "scripted-1")
    );
    assert_eq!(answered.raw, right());
    assert_eq!(answered.prompt_version, "answer-quiz-2");
    assert!(answered.latency > Duration::ZERO);
}

#[tokio::test]
async fn no_more_requests_are_sent_at_once_than_allowed() {
    let slow = Play::After(Duration::from_millis(60), chat(&right()));
    let server = ScriptedProvider::playing(vec![slow; 3]).await;
    let mut settings = settings(Kind::OpenAi, &server);
    settings.concurrency = 1;
    // Waiting for a turn takes nothing of the time for the answer.
    settings.drafting_timeout = Duration::from_secs(20);
    let model = model(settings);
    let (started, meter) = (Instant::now(), Meter::default());
    let all = tokio::join!(
        model.answer_quiz(task(), &meter),
        model.answer_quiz(task(), &meter),
        model.answer_quiz(task(), &meter),
    );
    assert!(all.0.is_ok() && all.1.is_ok() && all.2.is_ok());
    assert!(started.elapsed() >= Duration::from_millis(180));
}

#[tokio::test]
async fn only_models_that_are_allowed_resolve() {
    let server = ScriptedProvider::playing([]).await;
    let mut settings = settings(Kind::OpenAi, &server);
    let resolved = |settings: &ServerSettings, name: &str| {
        let model = LanguageModel::new(settings.clone()).unwrap();
        model
            .resolve(name)
            .map(|found| (found.model, found.built_in))
    };
    let found = |name: &str| Some((name.to_owned(), false));
    assert_eq!(resolved(&settings, "anything"), found("anything"));
    settings.models = vec!["other".to_owned()];
    assert_eq!(resolved(&settings, "anything"), None);
    assert_eq!(resolved(&settings, " other "), found("other"));
    assert_eq!(resolved(&settings, ""), found("asked-1"));
    assert_eq!(
        resolved(&settings, "builtin"),
        Some(("builtin".to_owned(), true))
    );
    let mut asked = task();
    asked.model = "anything".to_owned();
    let answered = model(settings).answer_quiz(asked, &Meter::default()).await;
    assert_eq!(answered.unwrap_err().code(), "provider_refused");
    assert!(server.requests().is_empty());
}

#[tokio::test]
async fn making_a_provider_needs_no_network() {
    let server = ScriptedProvider::playing([]).await.with_probes();
    let mut settings = settings(Kind::OpenAi, &server);
    settings.structured = None;
    let made = provider(ProviderSettings::Server(settings)).unwrap();
    assert_eq!(made.default_model(), "asked-1");
    assert!(!made.speaks());
    assert!(server.requests().is_empty());
}

#[rstest]
#[case(json!({"id": "q", "type": "multiple_choice", "options": [{"id": "a"}, {"id": "b"}]}), json!({"options": ["a", "b"]}), json!(["a", "b"]))]
#[case(json!({"id": "q", "type": "true_false"}), json!({"truth": false}), json!(false))]
#[case(json!({"id": "q", "type": "short_text"}), json!({"text": " two hours "}), json!("two hours"))]
#[case(json!({"id": "q", "type": "numeric"}), json!({"text": "2,5"}), json!(2.5))]
#[case(json!({"id": "q", "type": "cloze", "blanks": [{"id": "x"}]}), json!({"parts": [{"id": "x", "text": "two"}]}), json!({"x": "two"}))]
#[case(json!({"id": "q", "type": "matching", "pairs": {"lefts": [{"id": "l", "text": "L"}], "rights": ["R", "S"]}}), json!({"parts": [{"id": "l", "text": "R"}]}), json!({"l": "R"}))]
#[case(json!({"id": "q", "type": "ordering", "items": [{"text": "A"}, {"text": "B"}]}), json!({"order": ["B", "A"]}), json!(["B", "A"]))]
#[case(json!({"id": "q", "type": "true_false"}), json!({"lesson_tells": false}), Value::Null)]
#[tokio::test]
async fn a_quiz_is_answered_in_the_shape_of_an_attempt(
    #[case] question: Value,
    #[case] given: Value,
    #[case] wanted: Value,
) {
    let mut answer = crate::answer_to("q");
    answer["options"] = json!([]);
    for (name, value) in given.as_object().unwrap() {
        answer[name] = value.clone();
    }
    let document = json!({"answers": [answer]}).to_string();
    let server = ScriptedProvider::playing([Kind::OpenAi.says(&document)]).await;
    let mut task = task();
    task.quiz.insert("questions".to_owned(), json!([question]));
    let model = model(settings(Kind::OpenAi, &server));
    let answered = model.answer_quiz(task, &Meter::default()).await.unwrap();
    let answer = answered.value.answers.get("q").cloned().unwrap_or_default();
    assert_eq!(answer, wanted);
}

#[tokio::test]
async fn options_that_give_themselves_away_are_named_also_where_the_lesson_does_not_tell() {
    let mut silent = crate::answer_to("q1");
    silent["lesson_tells"] = json!(false);
    silent["options"] = json!([]);
    silent["implausible"] = json!(["b"]);
    let document = json!({"answers": [silent]}).to_string();
    let day = day(Kind::OpenAi, [Kind::OpenAi.says(&document)]).await;
    let answered = day.answer();
    assert_eq!(answered.prompt_version, "answer-quiz-2");
    assert!(answered.value.answers.is_empty());
    assert_eq!(answered.value.implausible["q1"], ["b"]);
}

#[rstest]
#[case(json!({"type": "single_choice", "options": [{"id": "a"}]}), json!({"options": ["z"]}), "no option z")]
#[case(json!({"type": "single_choice", "options": [{"id": "a"}]}), json!({"options": ["a"], "implausible": ["z"]}), "implausible: there is no option z")]
#[case(json!({"type": "true_false"}), json!({"truth": true, "implausible": ["true"]}), "implausible: there is no option true")]
#[case(json!({"type": "single_choice", "options": [{"id": "a"}, {"id": "b"}]}), json!({"options": ["a", "b"]}), "exactly one option")]
#[case(json!({"type": "multiple_choice", "options": []}), json!({"options": []}), "at least one option")]
#[case(json!({"type": "true_false"}), json!({}), "truth must be")]
#[case(json!({"type": "numeric"}), json!({"text": "about two"}), "a number alone")]
#[case(json!({"type": "cloze", "blanks": [{"id": "x"}, {"id": "y"}]}), json!({"parts": [{"id": "x", "text": "1"}]}), "every part")]
#[case(json!({"type": "matching", "pairs": {"lefts": [{"id": "l"}], "rights": ["R"]}}), json!({"parts": [{"id": "l", "text": "X"}]}), "right sides")]
#[case(json!({"type": "ordering", "items": [{"text": "A"}, {"text": "B"}]}), json!({"order": ["A", "A"]}), "every item once")]
#[tokio::test]
async fn answers_that_do_not_fit_their_question_are_sent_back(
    #[case] mut question: Value,
    #[case] given: Value,
    #[case] rule: &str,
) {
    question["id"] = json!("q");
    let mut answer = crate::answer_to("q");
    answer["options"] = json!([]);
    for (name, value) in given.as_object().unwrap() {
        answer[name] = value.clone();
    }
    let said = Kind::OpenAi.says(&json!({"answers": [answer]}).to_string());
    let server = ScriptedProvider::playing([said.clone(), said]).await;
    let mut task = task();
    task.quiz.insert("questions".to_owned(), json!([question]));
    let model = model(settings(Kind::OpenAi, &server));
    let error = model
        .answer_quiz(task, &Meter::default())
        .await
        .unwrap_err();
    assert!(error.to_string().contains(rule), "{error}");
}
