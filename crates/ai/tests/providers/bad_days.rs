//! Bad days: each ends in an answer or in the right error, with the right number of requests, all in the books.

use std::time::Duration;

use lyceum_ports::drafting::ai::{AiError, AiProvider};
use lyceum_ports::drafting::ai_calls::CallOutcome::{Answered, Invalid, Refused, Unavailable};
use lyceum_ports::drafting::ai_calls::Meter;
use rstest::rstest;
use serde_json::json;

use crate::scripted_provider::{Answer, Play, ScriptedProvider, chat, chat_ending, message_ending};
use crate::{KEY, Kind, complaint, day, day_with, model, right, settings, status, task, wrong};

fn is_invalid(error: &AiError) -> bool {
    matches!(error, AiError::InvalidOutput(_))
}

fn is_refused(error: &AiError) -> bool {
    matches!(error, AiError::Refused(_))
}

#[rstest]
#[tokio::test]
async fn fenced_and_chatty_answers_are_read(
    #[values(Kind::OpenAi, Kind::Anthropic)] kind: Kind,
    #[values("```json\n{}\n```", "Sure! Here it is: {} Anything else?")] around: &str,
) {
    let day = day(kind, [kind.says(&around.replace("{}", &right()))]).await;
    assert_eq!(day.answer().value.answers["q1"], "a");
    assert_eq!(day.outcomes(), [Answered]);
}

#[rstest]
#[tokio::test]
async fn what_breaks_a_rule_is_repaired_once(
    #[values(Kind::OpenAi, Kind::Anthropic)] kind: Kind,
    #[values("", "{\"answers\": [", "I am sorry.", "{\"answers\": [{}]}")] broken: &str,
) {
    let broken = if broken.is_empty() {
        wrong()
    } else {
        broken.to_owned()
    };
    let good = day(kind, [kind.says(&broken), kind.says(&right())]).await;
    assert_eq!(good.answer().value.answers["q1"], "a");
    assert_eq!(good.outcomes(), [Invalid, Answered]);
    let said = good.requests[1]["messages"].to_string();
    assert!(said.contains("breaks these rules"), "{said}");

    let bad = day(kind, [kind.says(&broken), kind.says(&wrong())]).await;
    assert!(is_invalid(bad.error()), "{:?}", bad.error());
    assert_eq!(bad.outcomes(), [Invalid, Invalid]);
}

#[rstest]
#[tokio::test]
async fn a_cut_off_answer_gets_twice_the_budget_once(
    #[values(Kind::OpenAi, Kind::Anthropic)] kind: Kind,
) {
    let good = day(kind, [kind.cut_off("{\"answers\""), kind.says(&right())]).await;
    assert_eq!(good.answer().usage.tokens_out, 40);
    assert_eq!(good.outcomes(), [Invalid, Answered]);
    let budget = |at: usize| {
        let body = &good.requests[at];
        body["max_tokens"]
            .as_u64()
            .or(body["max_completion_tokens"].as_u64())
    };
    assert_eq!(budget(1).unwrap(), 2 * budget(0).unwrap());

    let bad = day(
        kind,
        [kind.cut_off("{"), kind.cut_off("{"), kind.says(&right())],
    )
    .await;
    assert!(is_invalid(bad.error()), "{:?}", bad.error());
    assert_eq!(bad.outcomes(), [Invalid, Invalid]);
}

#[rstest]
#[case(Kind::OpenAi, chat_ending("", "content_filter"), "filter")]
#[case(Kind::OpenAi, Answer::json(200, &json!({"choices": [{"finish_reason": "stop",
    "message": {"content": null, "refusal": "I cannot."}}]})), "declined")]
#[case(Kind::Anthropic, message_ending("", "refusal"), "declined")]
#[case(
    Kind::Anthropic,
    message_ending("", "model_context_window_exceeded"),
    "context"
)]
#[tokio::test]
async fn a_model_that_does_not_want_to_is_not_asked_again(
    #[case] kind: Kind,
    #[case] answer: Answer,
    #[case] said: &str,
) {
    let day = day(kind, [answer.play()]).await;
    assert!(is_refused(day.error()) && day.error().to_string().contains(said));
    assert_eq!(day.outcomes(), [Refused]);
}

#[rstest]
#[case(400, "JSON schema")]
#[case(401, "check the API key")]
#[case(403, "what the API key may use")]
#[case(404, "name of the model")]
#[case(413, "context size")]
#[case(302, "base URL")]
#[case(307, "base URL")]
#[case(402, "billing")]
#[tokio::test]
async fn a_no_is_final_and_says_what_to_check(
    #[values(Kind::OpenAi, Kind::Anthropic)] kind: Kind,
    #[case] code: u16,
    #[case] advice: &str,
) {
    // Whoever followed it would carry key and text elsewhere.
    let answer = status(code).with("location", "http://127.0.0.1:1/elsewhere");
    let day = day(kind, [answer.play()]).await;
    assert!(is_refused(day.error()) && day.error().to_string().contains(advice));
    assert_eq!(day.outcomes(), [Refused]);
    assert_eq!(day.calls[0].usage.tokens(), 0);
}

#[rstest]
#[case(
    Kind::OpenAi,
    429,
    complaint("insufficient_quota", "You exceeded your current quota.")
)]
#[case(Kind::OpenAi, 403, complaint("billing_hard_limit_reached", "Limit."))]
#[case(
    Kind::Anthropic,
    400,
    complaint("invalid_request_error", "Your credit balance is too low.")
)]
#[tokio::test]
async fn an_empty_purse_is_not_asked_again(
    #[case] kind: Kind,
    #[case] code: u16,
    #[case] body: serde_json::Value,
) {
    let day = day(kind, [Answer::json(code, &body).play()]).await;
    assert!(is_refused(day.error()) && day.error().to_string().contains("billing"));
    assert_eq!(day.outcomes(), [Refused]);
}

#[rstest]
#[case(&[("retry-after-ms", "5")])]
#[case(&[("retry-after", "0")])]
#[case(&[("retry-after", "0.01")])]
#[case(&[("retry-after", "Sun, 06 Nov 1994 08:49:37 GMT"), ("date", "Sun, 06 Nov 1994 08:49:37 GMT")])]
#[case(&[])]
#[tokio::test]
async fn a_busy_server_is_asked_again_when_it_says(
    #[values(Kind::OpenAi, Kind::Anthropic)] kind: Kind,
    #[case] headers: &[(&str, &str)],
) {
    let busy = headers.iter().fold(status(429), |answer, (name, value)| {
        answer.with(name, value)
    });
    let day = day(kind, [busy.play(), kind.says(&right())]).await;
    assert_eq!(day.answer().value.answers["q1"], "a");
    assert_eq!(day.outcomes(), [Unavailable, Answered]);
}

#[rstest]
#[case(Kind::OpenAi, 121)]
#[case(Kind::Anthropic, 61)]
#[tokio::test]
async fn a_wait_that_is_too_long_is_left_to_the_caller(#[case] kind: Kind, #[case] seconds: u64) {
    let busy = status(429).with("retry-after", &seconds.to_string());
    let day = day(kind, [busy.play()]).await;
    let wanted = Duration::from_secs(seconds);
    assert!(
        matches!(day.error(), AiError::Unavailable { retry_after: Some(wait), .. } if *wait == wanted)
    );
    assert_eq!(day.outcomes(), [Unavailable]);
}

#[rstest]
#[tokio::test]
async fn a_broken_server_is_asked_three_times(
    #[values(Kind::OpenAi, Kind::Anthropic)] kind: Kind,
    #[values(408, 409, 500, 503, 529)] code: u16,
) {
    let day = day(kind, vec![status(code).play(); 3]).await;
    assert!(day.error().is_transient(), "{:?}", day.error());
    assert_eq!(day.outcomes(), [Unavailable; 3]);
}

#[rstest]
#[tokio::test]
async fn a_page_of_a_gateway_is_an_outage_or_no_answer(
    #[values(Kind::OpenAi, Kind::Anthropic)] kind: Kind,
) {
    let page = "<html><body>Bad gateway</body></html>";
    let outage = day(kind, vec![Answer::text(502, page).play(); 3]).await;
    assert!(outage.error().is_transient());
    let strange = day(kind, [Answer::text(200, page).play()]).await;
    assert!(is_invalid(strange.error()), "{:?}", strange.error());
    assert_eq!(strange.outcomes(), [Invalid]);
}

#[rstest]
#[tokio::test]
async fn a_server_may_say_whether_to_ask_again(
    #[values(Kind::OpenAi, Kind::Anthropic)] kind: Kind,
) {
    let never = status(500).with("x-should-retry", "false");
    assert!(day(kind, [never.play()]).await.error().is_transient());
    let please = status(403).with("x-should-retry", "true");
    let day = day(kind, [please.play(), kind.says(&right())]).await;
    assert_eq!(day.answer().value.answers["q1"], "a");
}

#[rstest]
#[tokio::test]
async fn silence_and_dripping_end_with_our_patience(
    #[values(Kind::OpenAi, Kind::Anthropic)] kind: Kind,
    #[values(Play::Hang, Play::Drip)] play: Play,
) {
    let day = day_with(kind, [play.clone(), play], |settings| {
        // Long enough for a request to arrive where other work fills the machine.
        settings.drafting_timeout = Duration::from_secs(2);
        settings.max_attempts = 2;
    })
    .await;
    assert!(day.error().is_transient(), "{:?}", day.error());
    assert_eq!(day.outcomes(), [Unavailable; 2]);
    // It may have worked on it and charge for it.
    assert!(
        day.calls
            .iter()
            .all(|call| call.estimated && call.usage.tokens_in > 0)
    );
}

#[rstest]
#[tokio::test]
async fn a_flood_is_not_read_to_its_end(#[values(Kind::OpenAi, Kind::Anthropic)] kind: Kind) {
    let day = day(kind, [Play::Flood]).await;
    assert!(is_invalid(day.error()) && day.error().to_string().contains("1 MiB"));
    assert_eq!(day.outcomes(), [Invalid]);
}

#[rstest]
#[tokio::test]
async fn a_connection_that_breaks_is_made_again(
    #[values(Kind::OpenAi, Kind::Anthropic)] kind: Kind,
    #[values(Play::Reset, Play::Half(chat("a long enough answer")))] play: Play,
) {
    let day = day(kind, [play, kind.says(&right())]).await;
    assert_eq!(day.answer().value.answers["q1"], "a");
    assert_eq!(day.outcomes(), [Unavailable, Answered]);
}

#[tokio::test]
async fn a_server_that_is_away_is_unavailable() {
    let server = ScriptedProvider::playing([]).await;
    let mut settings = settings(Kind::OpenAi, &server);
    settings.base_url = url::Url::parse("http://127.0.0.1:1/v1").unwrap();
    let meter = Meter::default();
    let error = model(settings)
        .answer_quiz(task(), &meter)
        .await
        .unwrap_err();
    assert!(error.is_transient(), "{error:?}");
    let calls = meter.take();
    assert_eq!(calls.len(), 3);
    assert!(
        calls
            .iter()
            .all(|call| call.usage.tokens() == 0 && !call.estimated)
    );
}

#[rstest]
#[tokio::test]
async fn an_error_in_a_success_is_an_error(#[values(Kind::OpenAi, Kind::Anthropic)] kind: Kind) {
    let told = |kind: &str| Answer::json(200, &complaint(kind, "Oh.")).play();
    let good = day(kind, [told("overloaded_error"), kind.says(&right())]).await;
    assert_eq!(good.outcomes(), [Unavailable, Answered]);
    assert_eq!(good.answer().value.answers["q1"], "a");
    let outage = day(kind, vec![told("server_error"); 3]).await;
    assert!(outage.error().is_transient());
    // It had begun, and nobody says what it charges.
    let calls = outage.calls.iter();
    assert!(
        calls
            .into_iter()
            .all(|call| call.estimated && call.usage.tokens_in > 0)
    );
    let locked = day(kind, [told("authentication_error")]).await;
    assert!(locked.error().to_string().contains("check the API key"));
    assert_eq!(locked.outcomes(), [Refused]);
}

#[tokio::test]
async fn an_error_in_a_choice_is_an_error() {
    let choice = json!({"choices": [{"finish_reason": "error", "message": {"content": "{\"ans"},
        "error": {"code": 502, "message": "The model went away."}}]});
    let script = [
        Answer::json(200, &choice).play(),
        Kind::OpenAi.says(&right()),
    ];
    let day = day(Kind::OpenAi, script).await;
    assert_eq!(day.answer().value.answers["q1"], "a");
    assert_eq!(day.outcomes(), [Unavailable, Answered]);
}

#[rstest]
#[tokio::test]
async fn strange_shapes_are_no_answer(
    #[values(Kind::OpenAi, Kind::Anthropic)] kind: Kind,
    #[values(
        "null",
        "[]",
        "{}",
        "{\"choices\": [], \"content\": 5}",
        "{\"choices\": [{\"message\": {\"content\": 5}}]}",
        "data: {}\n\ndata: [DONE]\n",
        ""
    )]
    body: &str,
) {
    let day = day(kind, [Answer::text(200, body).play()]).await;
    assert!(is_invalid(day.error()), "{:?}", day.error());
    assert_eq!(day.outcomes(), [Invalid]);
}

#[rstest]
#[tokio::test]
async fn a_key_that_is_echoed_goes_no_further(
    #[values(Kind::OpenAi, Kind::Anthropic)] kind: Kind,
    #[values(400, 401, 403, 404, 500)] code: u16,
) {
    // The middle of it falls where long messages are cut.
    let padding = "x".repeat(290);
    let body = complaint("bad", &format!("{KEY} {padding}{KEY}"));
    let answer = Answer::json(code, &body).with("x-request-id", KEY);
    let script = vec![answer.play(); 3];
    let day = day(kind, script).await;
    let shown = format!("{:?}", day.error());
    assert!(!shown.contains("sk-secret"), "{shown}");
}

#[rstest]
#[tokio::test]
async fn a_key_in_an_answer_is_not_kept(#[values(Kind::OpenAi, Kind::Anthropic)] kind: Kind) {
    let leaking = right().replace("Cool rice", KEY);
    let day = day(kind, [kind.says(&leaking)]).await;
    assert!(!day.answer().raw.contains(KEY), "{}", day.answer().raw);
}

#[rstest]
#[tokio::test]
async fn a_server_that_keeps_failing_is_left_alone(
    #[values(Kind::OpenAi, Kind::Anthropic)] kind: Kind,
) {
    let server = ScriptedProvider::playing([]).await;
    let model = model(settings(kind, &server));
    let meter = Meter::default();
    for _ in 0..3 {
        assert!(model.answer_quiz(task(), &meter).await.is_err());
    }
    assert_eq!(
        server.requests().len(),
        5,
        "the sixth try is not made any more"
    );
    let error = model.answer_quiz(task(), &meter).await.unwrap_err();
    assert!(
        matches!(error, AiError::LeftAlone { retry_after } if retry_after > Duration::from_secs(30)),
        "{error:?}"
    );
    assert_eq!(server.requests().len(), 5);
    assert_eq!(meter.take().len(), 5);
}

#[tokio::test]
async fn a_busy_server_is_not_left_alone() {
    let busy = status(429).with("retry-after-ms", "1");
    let server = ScriptedProvider::playing(vec![busy.play(); 12]).await;
    let model = model(settings(Kind::OpenAi, &server));
    for _ in 0..4 {
        let result = model.answer_quiz(task(), &Meter::default()).await;
        assert!(result.unwrap_err().is_transient());
    }
    assert_eq!(server.requests().len(), 12);
}
