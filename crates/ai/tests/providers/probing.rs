//! How it is found out what a server can do, and what is done where it cannot.

use lyceum_ai::{LanguageModel, Profile, ServerSettings, Structured};
use lyceum_ports::drafting::ai::AiProvider;
use lyceum_ports::drafting::ai_calls::{CallOutcome, Meter};
use rstest::rstest;
use serde_json::{Value, json};
use url::Url;

use crate::scripted_provider::{
    Answer, Play, Request, ScriptedProvider, chat, message, probe_answer,
};
use crate::{Kind, right, status, task};

fn unsure(profile: Profile, server: &ScriptedProvider) -> LanguageModel {
    let url = Url::parse(&server.base_url()).unwrap();
    let mut settings = ServerSettings::new(profile, url, None, "asked-1");
    settings.first_pause = std::time::Duration::from_millis(1);
    LanguageModel::new(settings).unwrap()
}

/// How a request wants its answer shaped.
fn way(body: &Value) -> &'static str {
    match body["response_format"]["type"].as_str() {
        Some("json_schema") => "json_schema",
        Some("json_object") => "json_object",
        _ if body["output_config"].is_object() => "json_schema",
        _ if body["tools"].is_array() => "tool",
        _ => "prompt_only",
    }
}

fn by_tool(arguments: &str) -> Answer {
    Answer::json(
        200,
        &json!({"choices": [{"finish_reason": "tool_calls", "message": {"content": null,
        "tool_calls": [{"type": "function", "function": {"name": "x", "arguments": arguments}}]}}]}),
    )
}

/// A good answer in the form that was asked for.
fn good(request: &Request) -> Play {
    if request.is_probe() {
        if way(&request.body) == "tool" && request.target.contains("chat") {
            return by_tool("{\"probe_word\": \"lyceum\"}").play();
        }
        return probe_answer(request).play();
    }
    match way(&request.body) {
        "tool" if request.target.contains("chat") => by_tool(&right()).play(),
        _ if request.target.contains("messages") => message(&right()).play(),
        _ => chat(&right()).play(),
    }
}

/// A server that knows some ways; it rejects the others, or ignores that it was asked for them.
async fn server_with(known: &'static [&'static str], rejects: bool) -> ScriptedProvider {
    let server = ScriptedProvider::deciding(move |request| {
        let way = way(&request.body);
        if known.contains(&way) || (way == "prompt_only" && !request.is_probe()) {
            return good(request);
        }
        let words = format!("response_format or tool_choice '{way}' is not supported");
        match (rejects, request.is_probe()) {
            (true, _) => Answer::json(400, &json!({"error": words})).play(),
            (false, true) => chat("lyceum").play(),
            (false, false) => chat("Dear teacher, the answer is a.").play(),
        }
    });
    server.await.with_probes()
}

fn ways(server: &ScriptedProvider) -> Vec<&'static str> {
    server.bodies().iter().map(way).collect()
}

#[rstest]
#[case(&["json_schema"], &["json_schema"], Structured::JsonSchema)]
#[case(&["tool"], &["json_schema", "tool"], Structured::Tool)]
#[case(&["json_object"], &["json_schema", "tool", "json_object"], Structured::JsonObject)]
#[case(&[], &["json_schema", "tool", "json_object"], Structured::PromptOnly)]
#[tokio::test]
async fn a_server_is_asked_in_the_best_way_it_knows(
    #[case] known: &'static [&'static str],
    #[case] probed: &[&str],
    #[case] found: Structured,
    #[values(true, false)] rejects: bool,
) {
    let server = server_with(known, rejects).await;
    let model = unsure(Profile::Generic, &server);
    assert_eq!(model.structured(""), None);
    let meter = Meter::default();
    let answered = model.answer_quiz(task(), &meter).await.unwrap();
    assert_eq!(answered.value.answers["q1"], "a");
    assert_eq!(model.structured("asked-1"), Some(found));
    let mut wanted = probed.to_vec();
    wanted.push(found.as_str());
    assert_eq!(ways(&server), wanted);
    // Probes are in the books, and carry nothing of anybody.
    let calls = meter.take();
    assert_eq!(calls.len(), wanted.len());
    assert!(
        calls[..probed.len()]
            .iter()
            .all(|call| call.sent.is_empty())
    );
    // Once is enough.
    model.answer_quiz(task(), &meter).await.unwrap();
    assert_eq!(server.requests().len(), wanted.len() + 1);
}

#[tokio::test]
async fn lm_studio_is_never_asked_for_any_json_object() {
    let server = server_with(&[], true).await;
    let model = unsure(Profile::LmStudio, &server);
    model.answer_quiz(task(), &Meter::default()).await.unwrap();
    assert_eq!(ways(&server), ["json_schema", "tool", "prompt_only"]);
}

#[tokio::test]
async fn an_older_model_of_anthropic_is_made_to_use_a_tool() {
    let server = ScriptedProvider::deciding(|request| {
        if way(&request.body) == "json_schema" {
            let error = json!({"type": "error", "error": {"type": "invalid_request_error",
                "message": "output_config: Extra inputs are not permitted"}});
            return Answer::json(400, &error).play();
        }
        let document = if request.is_probe() {
            "{\"probe_word\": \"lyceum\"}"
        } else {
            &right()
        };
        let input: Value = serde_json::from_str(document).unwrap();
        let body =
            json!({"content": [{"type": "tool_use", "input": input}], "stop_reason": "tool_use"});
        Answer::json(200, &body).play()
    });
    let server = server.await.with_probes();
    let model = unsure(Profile::Anthropic, &server);
    let answered = model.answer_quiz(task(), &Meter::default()).await.unwrap();
    assert_eq!(answered.value.answers["q1"], "a");
    assert_eq!(ways(&server), ["json_schema", "tool", "tool"]);
    assert_eq!(
        server.bodies()[2]["tool_choice"],
        json!({"type": "tool", "name": "quiz_answers"})
    );
}

#[tokio::test]
async fn a_schema_that_is_too_much_for_a_server_is_asked_for_otherwise() {
    let server = ScriptedProvider::deciding(|request| {
        if !request.is_probe() && way(&request.body) == "json_schema" {
            let error =
                json!({"error": {"message": "Invalid schema for response_format: too deep"}});
            return Answer::json(400, &error).play();
        }
        good(request)
    });
    let server = server.await.with_probes();
    let model = unsure(Profile::Generic, &server);
    let meter = Meter::default();
    assert!(model.answer_quiz(task(), &meter).await.is_ok());
    assert_eq!(ways(&server), ["json_schema", "json_schema", "tool"]);
    assert_eq!(model.structured(""), Some(Structured::Tool));
    assert_eq!(meter.take().len(), 3);
}

#[tokio::test]
async fn what_the_operator_chose_is_neither_probed_nor_changed() {
    let server = server_with(&["json_object"], true).await;
    let url = Url::parse(&server.base_url()).unwrap();
    let mut settings = ServerSettings::new(Profile::Generic, url, None, "asked-1");
    settings.structured = Some(Structured::JsonSchema);
    let model = LanguageModel::new(settings).unwrap();
    let error = model
        .answer_quiz(task(), &Meter::default())
        .await
        .unwrap_err();
    assert_eq!(error.code(), "provider_refused");
    assert_eq!(ways(&server), ["json_schema"]);
}

#[tokio::test]
async fn members_that_a_server_does_not_take_are_left_out() {
    let server = ScriptedProvider::deciding(|request| {
        let refused = ["seed", "store", "max_completion_tokens"];
        let found = refused.iter().find(|name| request.body.get(name).is_some());
        match found {
            Some(name) => {
                let words = format!("Unrecognized request argument supplied: {name}");
                Answer::json(400, &json!({"error": {"message": words}})).play()
            }
            None => good(request),
        }
    });
    let server = server.await.with_probes();
    let model = unsure(Profile::OpenAi, &server);
    assert!(model.answer_quiz(task(), &Meter::default()).await.is_ok());
    // Three corrections, then the probe that holds, then the question: nothing is rejected twice.
    assert_eq!(server.requests().len(), 5);
    assert_eq!(model.structured(""), Some(Structured::JsonSchema));
}

#[rstest]
#[case(503, 3)]
#[case(401, 1)]
#[case(404, 1)]
#[tokio::test]
async fn nothing_is_learned_from_a_server_that_does_not_answer(
    #[case] code: u16,
    #[case] requests: usize,
) {
    let mut script = vec![status(code).play(); requests];
    script.push(chat("{\"probe_word\": \"lyceum\"}").play());
    script.push(chat(&right()).play());
    let server = ScriptedProvider::playing(script).await.with_probes();
    let model = unsure(Profile::Generic, &server);
    let meter = Meter::default();
    assert!(model.answer_quiz(task(), &meter).await.is_err());
    assert_eq!(server.requests().len(), requests);
    assert_eq!(model.structured(""), None);
    assert!(model.answer_quiz(task(), &meter).await.is_ok());
    assert_eq!(model.structured(""), Some(Structured::JsonSchema));
    assert_eq!(meter.take().len(), requests + 2);
}

#[tokio::test]
async fn a_model_that_only_thinks_about_the_probe_is_trusted() {
    let script = [Kind::OpenAi.cut_off(""), chat(&right()).play()];
    let server = ScriptedProvider::playing(script).await.with_probes();
    let model = unsure(Profile::OpenAi, &server);
    let meter = Meter::default();
    assert!(model.answer_quiz(task(), &meter).await.is_ok());
    assert_eq!(model.structured(""), Some(Structured::JsonSchema));
    assert_eq!(meter.take()[0].outcome, CallOutcome::Answered);
}

#[tokio::test]
async fn two_questions_at_once_probe_once() {
    let server = ScriptedProvider::deciding(good).await;
    let model = unsure(Profile::Generic, &server);
    let meter = Meter::default();
    let both = tokio::join!(
        model.answer_quiz(task(), &meter),
        model.answer_quiz(task(), &meter),
    );
    assert!(both.0.is_ok() && both.1.is_ok());
    assert_eq!((server.probes().len(), server.requests().len()), (1, 2));
}

#[tokio::test]
async fn who_waits_for_a_probe_in_vain_does_not_try_again() {
    let script = vec![status(503).play(); 9];
    let server = ScriptedProvider::playing(script).await.with_probes();
    let model = unsure(Profile::Generic, &server);
    let meter = Meter::default();
    let all = tokio::join!(
        model.answer_quiz(task(), &meter),
        model.answer_quiz(task(), &meter),
        model.answer_quiz(task(), &meter),
    );
    for result in [all.0, all.1, all.2] {
        assert!(result.unwrap_err().is_transient());
    }
    assert_eq!(server.requests().len(), 3);
}
