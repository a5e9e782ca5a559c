//! What is written into the books, and what the books do not allow.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex};

use lyceum_ai::Price;
use lyceum_domain::ids::AiReservationId;
use lyceum_domain::money::MicroUsd;
use lyceum_ports::drafting::ai::{AiError, AiProvider, Usage};
use lyceum_ports::drafting::ai_calls::{AiFeature, Allowance, CallOutcome, Meter};
use lyceum_ports::drafting::ai_reservations::SharedBudget;
use rstest::rstest;

use crate::scripted_provider::{Play, ScriptedProvider};
use crate::{Kind, day, day_with, model, right, settings, status, task, wrong};

fn price() -> BTreeMap<String, Price> {
    let price = Price {
        input: MicroUsd::new(1_000_000),
        output: MicroUsd::new(10_000_000),
        cached: Some(MicroUsd::new(500_000)),
    };
    BTreeMap::from([("asked-1".to_owned(), price)])
}

#[rstest]
#[tokio::test]
async fn a_call_is_written_down_with_all_that_is_known(
    #[values(Kind::OpenAi, Kind::Anthropic)] kind: Kind,
) {
    let day = day_with(kind, [kind.says(&right())], |settings| {
        settings.prices = price();
    })
    .await;
    let call = &day.calls[0];
    assert_eq!(call.feature, AiFeature::Checking);
    assert_eq!(call.host, "127.0.0.1");
    assert_eq!(call.model_asked, "asked-1");
    assert_eq!(call.model.as_deref(), Some("scripted-1"));
    assert_eq!(call.request_id.as_deref(), Some("req_scripted"));
    let usage = Usage {
        tokens_in: 100,
        tokens_out: 20,
        tokens_cached: 40,
    };
    assert_eq!((call.usage, call.estimated), (usage, false));
    // 60 fresh at 1, 40 cached at 0.5, 20 written at 10.
    assert_eq!(call.cost, Some(MicroUsd::new(60 + 20 + 200)));
    assert_eq!(call.outcome, CallOutcome::Answered);
    assert_eq!(call.sent, ["lesson_text", "quiz_questions"]);
    assert_eq!(
        (day.answer().usage, day.answer().cost),
        (call.usage, call.cost)
    );
}

#[tokio::test]
async fn an_answer_costs_all_that_it_took() {
    let kind = Kind::OpenAi;
    let script = [
        status(500).play(),
        kind.cut_off("{"),
        kind.says(&wrong()),
        kind.says(&right()),
    ];
    let day = day_with(kind, script, |settings| settings.prices = price()).await;
    assert_eq!(day.outcomes().len(), 4);
    assert_eq!(day.calls[0].cost, Some(MicroUsd::ZERO));
    assert_eq!(day.answer().usage.tokens(), 360);
    assert_eq!(day.answer().cost, Some(MicroUsd::new(840)));
    let latency: std::time::Duration = day.calls.iter().map(|call| call.latency).sum();
    assert_eq!(day.answer().latency, latency);
}

#[tokio::test]
async fn what_nobody_priced_has_no_cost() {
    let day = day(Kind::OpenAi, [Kind::OpenAi.says(&right())]).await;
    assert_eq!((day.answer().cost, day.calls[0].cost), (None, None));
}

#[rstest]
#[tokio::test]
async fn what_may_not_be_spent_is_not_sent(#[values(Kind::OpenAi, Kind::Anthropic)] kind: Kind) {
    let server = ScriptedProvider::playing([kind.says(&wrong()), kind.says(&right())]).await;
    let mut settings = settings(kind, &server);
    settings.prices = price();
    let model = model(settings);
    let spend = |millionths: u64| Allowance {
        tokens: None,
        cost: Some(MicroUsd::new(millionths)),
    };
    let poor = Meter::new(spend(1_000));
    let error = model.answer_quiz(task(), &poor).await.unwrap_err();
    assert!(matches!(error, AiError::BudgetExceeded(_)), "{error:?}");
    assert!(server.requests().is_empty() && poor.take().is_empty());
    // Enough for one answer of 8 000 tokens, and then not for the repair of it.
    let enough = Meter::new(spend(81_500));
    let error = model.answer_quiz(task(), &enough).await.unwrap_err();
    assert!(matches!(error, AiError::BudgetExceeded(_)), "{error:?}");
    assert_eq!(server.requests().len(), 1);
    assert_eq!(enough.take().len(), 1);
}

#[tokio::test]
async fn what_does_not_fit_the_context_is_not_sent() {
    let day = day_with(Kind::OpenAi, [], |settings| {
        settings.context_tokens = Some(8_000);
    })
    .await;
    assert!(
        day.error().to_string().contains("set to 8000"),
        "{:?}",
        day.error()
    );
    assert!(day.requests.is_empty());
}

#[tokio::test]
async fn a_call_that_is_given_up_is_in_the_books() {
    let server = ScriptedProvider::playing([Play::Hang]).await;
    let model = model(settings(Kind::OpenAi, &server));
    let meter = Meter::default();
    let mut call = std::pin::pin!(model.answer_quiz(task(), &meter));
    while server.requests().is_empty() {
        let step = std::time::Duration::from_millis(5);
        assert!(tokio::time::timeout(step, call.as_mut()).await.is_err());
    }
    // Whoever asked has gone; leaving the scope would do the same.
    call.set(model.answer_quiz(task(), &meter));
    let calls = meter.take();
    assert_eq!(calls.len(), 1);
    assert_eq!(calls[0].outcome, CallOutcome::Unavailable);
    assert!(calls[0].estimated && calls[0].usage.tokens_in > 0);
}

/// A purse that others spend from as well: what was set aside for how many tokens, and what was taken back.
#[derive(Debug, Default)]
struct Purse {
    asked: Mutex<Vec<u64>>,
    taken_back: Mutex<Vec<AiReservationId>>,
}

fn reservation() -> AiReservationId {
    "air_00000000000000000000000001".parse().unwrap()
}

#[async_trait::async_trait]
impl SharedBudget for Purse {
    async fn set_aside(
        &self,
        estimate: Usage,
        cost: Option<MicroUsd>,
    ) -> Result<AiReservationId, AiError> {
        assert!(cost.is_some());
        let mut asked = self.asked.lock().unwrap();
        asked.push(estimate.tokens());
        if asked.len() > 1 {
            return Err(AiError::BudgetExceeded("others were faster".to_owned()));
        }
        Ok(reservation())
    }

    async fn take_back(&self, id: AiReservationId) {
        self.taken_back.lock().unwrap().push(id);
    }
}

#[tokio::test]
async fn what_others_spend_as_well_is_set_aside_before_anything_is_sent() {
    let kind = Kind::OpenAi;
    let server = ScriptedProvider::playing([kind.says(&wrong()), kind.says(&right())]).await;
    let mut settings = settings(kind, &server);
    settings.prices = price();
    let model = model(settings);
    let purse = Arc::new(Purse::default());
    let shared: Arc<dyn SharedBudget> = purse.clone();
    let meter = Meter::default().sharing(Some(shared));
    let error = model.answer_quiz(task(), &meter).await.unwrap_err();
    assert!(matches!(error, AiError::BudgetExceeded(_)), "{error:?}");
    // The repair of the first answer was not sent, because nothing could be set aside for it.
    assert_eq!(server.requests().len(), 1);
    let calls = meter.take();
    assert_eq!(calls.len(), 1);
    assert_eq!(calls[0].reservation, Some(reservation()));
    let asked = purse.asked.lock().unwrap();
    assert!(
        asked
            .iter()
            .all(|tokens| *tokens >= calls[0].usage.tokens()),
        "{asked:?}"
    );
    assert!(purse.taken_back.lock().unwrap().is_empty());
}

#[tokio::test]
async fn what_was_set_aside_for_a_call_that_is_not_made_is_taken_back() {
    let server = ScriptedProvider::playing([]).await;
    let purse = Arc::new(Purse::default());
    let shared: Arc<dyn SharedBudget> = purse.clone();
    let meter = Meter::default().sharing(Some(shared));
    let set_aside = meter.reserve(Usage::default(), Some(MicroUsd::ZERO)).await;
    meter.take_back(set_aside.unwrap()).await;
    assert_eq!(*purse.taken_back.lock().unwrap(), [reservation()]);
    assert!(server.requests().is_empty());
}
