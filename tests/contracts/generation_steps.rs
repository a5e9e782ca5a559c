//! What every repository of generation steps keeps to.

use std::collections::BTreeMap;

use crate::cases::cases;
use crate::sample;
use crate::sample::content;
use crate::sample::id;
use crate::stores::{OpenStore, Stores};
use lyceum_domain::authoring::activities::{ActivityContent, ActivityKind};
use lyceum_domain::authoring::quiz_checks::TakenQuiz;
use lyceum_domain::authoring::rubric::Rubric;
use lyceum_domain::drafting::generation_steps::{
    GenerationStep, Outcome, StepCost, StepKey, StepResult, StepStatus,
};
use lyceum_domain::drafting::generations::{Generation, GenerationState};
use lyceum_domain::drafting::speech::SpokenPiece;
use lyceum_domain::drafting::support::{ReadSentence, SourceStanding};
use lyceum_domain::drafting::syllabus::{
    ActivityDraft, AssignmentDraft, LessonDraft, SyllabusDraft, UnitDraft,
};
use lyceum_domain::ids::WorkspaceId;
use lyceum_domain::money::MicroUsd;
use serde_json::json;

cases![Stores:
    whatever_came_of_a_step_comes_back_as_it_was,
    a_nul_of_a_model_does_not_stop_it_from_being_kept,
    steps_come_in_their_order_and_change_in_place,
    a_result_stays_when_its_step_is_stored_without_one,
    only_what_generations_that_came_to_nothing_left_is_taken_over,
    what_has_landed_is_forgotten_wherever_it_is_kept,
    steps_go_with_their_generation,
];

fn here() -> WorkspaceId {
    id(1)
}

/// A generation of the one target, in this state.
fn generation(n: u64, state: GenerationState) -> Generation {
    Generation {
        state,
        ..content::generation(here(), n)
    }
}

fn failed(n: u64) -> Generation {
    let state = GenerationState::Error {
        code: "provider_refused".to_owned(),
        message: "no".to_owned(),
    };
    generation(n, state)
}

/// Two workspaces, these generations, and these steps with what came of them.
async fn store_with(
    stores: &Stores,
    generations: Vec<Generation>,
    steps: Vec<(GenerationStep, StepResult)>,
) -> OpenStore {
    let store = stores.open().await;
    store
        .write(move |tx| {
            content::put_workspaces(tx)?;
            for generation in &generations {
                tx.generations().insert(generation)?;
            }
            for (step, result) in &steps {
                tx.generation_steps().keep(step, result)?;
            }
            Ok::<_, lyceum_ports::store::StoreError>(())
        })
        .await
        .unwrap();
    store
}

fn planned(generation: u64, key: StepKey, position: u32) -> GenerationStep {
    GenerationStep::planned(here(), id(generation), key, position, sample::now())
}

/// A step that was answered when asked with this.
fn answered(generation: u64, key: StepKey, hash: &str) -> GenerationStep {
    let mut step = planned(generation, key, 0);
    hash.clone_into(&mut step.task_hash);
    let cost = StepCost {
        tokens_in: u64::from(u32::MAX) + 1,
        tokens_out: 2,
        cost: Some(MicroUsd::new(3)),
        latency_ms: 4,
    };
    step.answer("model-1", "prompt-2", cost, content::later());
    step
}

fn activity() -> ActivityDraft {
    let cards = json!({"cards": [{"id": "c1", "front": "漢字", "back": "«x»"}]});
    let cards = cards.as_object().cloned().unwrap();
    ActivityDraft {
        kind: ActivityKind::Flashcards,
        name: "Cards".to_owned(),
        content: ActivityContent::parse(ActivityKind::Flashcards, cards).unwrap(),
        minutes: 5,
    }
}

fn lesson() -> LessonDraft {
    LessonDraft {
        name: "Cooling".to_owned(),
        summary: "S".to_owned(),
        objectives: vec!["Cool".to_owned()],
        content: "# Text\n\n> «quoted»".to_owned(),
        minutes: 30,
        activities: vec![activity()],
    }
}

fn syllabus() -> SyllabusDraft {
    SyllabusDraft {
        summary: "All".to_owned(),
        units: vec![UnitDraft {
            name: "U".to_owned(),
            description: "D".to_owned(),
            objectives: Vec::new(),
            lessons: vec![lesson()],
            assignments: vec![AssignmentDraft {
                name: "A".to_owned(),
                instructions: "Do".to_owned(),
                rubric: Rubric::overall(),
                minutes: 40,
            }],
        }],
        assumptions: vec!["None".to_owned()],
    }
}

fn taken() -> TakenQuiz {
    let answers = json!({"q1": ["a", "b"], "q2": 0.1, "q3": null});
    TakenQuiz {
        answers: answers.as_object().cloned().unwrap(),
        implausible: BTreeMap::from([("q1".to_owned(), vec!["c".to_owned()])]),
    }
}

fn sentences() -> Vec<ReadSentence> {
    let read = SourceStanding::ALL.iter().map(|standing| ReadSentence {
        text: format!("«{standing}» 漢字"),
        standing: *standing,
    });
    read.collect()
}

fn spoken() -> SpokenPiece {
    SpokenPiece {
        blob: "speech/gen_1/1/1.1.pcm".to_owned(),
        bytes: u64::from(u32::MAX) + 1,
        sample_rate: 24_000,
    }
}

async fn whatever_came_of_a_step_comes_back_as_it_was(stores: &Stores) {
    let results = [
        syllabus().into_result(),
        vec![lesson()].into_result(),
        lesson().into_result(),
        vec![activity()].into_result(),
        Some(taken()).into_result(),
        Some(TakenQuiz::default()).into_result(),
        None::<TakenQuiz>.into_result(),
        Some(sentences()).into_result(),
        Some(Vec::<ReadSentence>::new()).into_result(),
        None::<Vec<ReadSentence>>.into_result(),
        spoken().into_result(),
    ];
    let steps: Vec<_> = results
        .into_iter()
        .enumerate()
        .map(|(at, result)| (answered(10, StepKey::unit(at + 10), "h"), result))
        .collect();
    let store = store_with(stores, vec![failed(10)], steps.clone()).await;
    let kept = store.read(|tx| tx.generation_steps().results(here(), id(10)));
    let mut kept = kept.await.unwrap();
    kept.sort_by(|(one, _), (two, _)| one.cmp(two));
    let wanted: Vec<_> = steps
        .iter()
        .map(|(step, result)| (step.key.clone(), result.clone()))
        .collect();
    assert_eq!(kept, wanted);
    let read = store.read(|tx| tx.generation_steps().of(here(), &[id(10)]));
    let wanted: Vec<_> = steps.into_iter().map(|(step, _)| step).collect();
    assert_eq!(read.await.unwrap(), wanted);
}

async fn a_nul_of_a_model_does_not_stop_it_from_being_kept(stores: &Stores) {
    let text = LessonDraft {
        content: "a\0b".to_owned(),
        ..lesson()
    };
    let step = (
        answered(10, StepKey::only_lesson(), "h"),
        text.into_result(),
    );
    let store = store_with(stores, vec![failed(10)], vec![step]).await;
    let kept = store.read(|tx| tx.generation_steps().results(here(), id(10)));
    let (_, result) = kept.await.unwrap().remove(0);
    assert_eq!(LessonDraft::from_result(result).unwrap().content, "ab");
}

async fn steps_come_in_their_order_and_change_in_place(stores: &Stores) {
    let store = store_with(stores, vec![failed(10), failed(11)], Vec::new()).await;
    let mut last = planned(10, StepKey::lesson(0, 9), 10);
    let steps = [last.clone(), planned(10, StepKey::lesson(0, 1), 2)];
    let other = planned(11, StepKey::outline(), 0);
    let all = [steps[0].clone(), steps[1].clone(), other.clone()];
    store
        .write(move |tx| {
            all.iter()
                .try_for_each(|step| tx.generation_steps().put(step))
        })
        .await
        .unwrap();
    last.fail(true, StepCost::default(), content::later());
    let changed = last.clone();
    store
        .write(move |tx| tx.generation_steps().put(&changed))
        .await
        .unwrap();
    let read = store.read(|tx| tx.generation_steps().of(here(), &[id(10), id(11)]));
    assert_eq!(read.await.unwrap(), [steps[1].clone(), last, other]);
    let none = store.read(|tx| tx.generation_steps().of(here(), &[]));
    assert_eq!(none.await.unwrap(), []);
}

async fn a_result_stays_when_its_step_is_stored_without_one(stores: &Stores) {
    let step = answered(10, StepKey::outline(), "h");
    let kept = vec![(step.clone(), syllabus().into_result())];
    let store = store_with(stores, vec![failed(10)], kept).await;
    store
        .write(move |tx| tx.generation_steps().put(&step))
        .await
        .unwrap();
    let results = store.read(|tx| tx.generation_steps().results(here(), id(10)));
    assert_eq!(results.await.unwrap().len(), 1);
}

async fn only_what_generations_that_came_to_nothing_left_is_taken_over(stores: &Stores) {
    let key = StepKey::outline();
    let mut elsewhere = failed(15);
    elsewhere.target_id = "crs_another".to_owned();
    let generations = vec![
        failed(10),
        generation(11, GenerationState::Canceled),
        generation(12, GenerationState::Ready(json!({}))),
        generation(
            13,
            GenerationState::Pending {
                estimated_ready_at: content::later(),
            },
        ),
        elsewhere,
    ];
    let left = |n: u64, hash: &str| {
        (
            answered(n, StepKey::outline(), hash),
            syllabus().into_result(),
        )
    };
    let steps = vec![
        left(10, "a"),
        left(11, "a"),
        left(12, "ready"),
        left(13, "pending"),
        left(15, "elsewhere"),
    ];
    let store = store_with(stores, generations, steps).await;
    let target = content::generation(here(), 10).target_id;
    let find = async |workspace: WorkspaceId, key: StepKey, hash: &'static str| {
        let target = target.clone();
        let found = store.read(move |tx| {
            tx.generation_steps()
                .left_behind(workspace, &target, &key, hash)
        });
        found.await.unwrap().map(|(step, _)| step.generation_id)
    };
    assert_eq!(find(here(), key.clone(), "a").await, Some(id(11)));
    for hash in ["ready", "pending", "elsewhere", "unheard of"] {
        assert_eq!(find(here(), key.clone(), hash).await, None, "{hash}");
    }
    assert_eq!(find(here(), StepKey::lessons(), "a").await, None);
    assert_eq!(find(id(2), key, "a").await, None);
}

async fn what_has_landed_is_forgotten_wherever_it_is_kept(stores: &Stores) {
    let mut elsewhere = failed(12);
    elsewhere.target_id = "crs_another".to_owned();
    let generations = vec![
        generation(10, GenerationState::Canceled),
        failed(11),
        elsewhere,
    ];
    let kept =
        |n: u64, key: StepKey, hash: &str| (answered(n, key, hash), syllabus().into_result());
    let steps = vec![
        kept(10, StepKey::outline(), "same"),
        kept(10, StepKey::unit(0), "other"),
        kept(11, StepKey::outline(), "same"),
        kept(12, StepKey::outline(), "same"),
    ];
    let store = store_with(stores, generations, steps).await;
    store
        .write(|tx| tx.generation_steps().forget_results(here(), id(11)))
        .await
        .unwrap();
    for (n, left) in [(10, 1), (11, 0), (12, 1)] {
        let results = store.read(move |tx| tx.generation_steps().results(here(), id(n)));
        assert_eq!(results.await.unwrap().len(), left, "{n}");
    }
    let accounts = store.read(|tx| tx.generation_steps().of(here(), &[id(11)]));
    let accounts = accounts.await.unwrap();
    assert_eq!(accounts[0].status, StepStatus::Ready);
    assert_eq!(accounts[0].cost.cost, Some(MicroUsd::new(3)));
}

async fn steps_go_with_their_generation(stores: &Stores) {
    let steps = vec![(
        answered(10, StepKey::outline(), "h"),
        syllabus().into_result(),
    )];
    let store = store_with(stores, vec![failed(10)], steps).await;
    let gone = store.write(|tx| tx.generations().delete(here(), id(10)));
    assert!(gone.await.unwrap());
    let left = store.read(|tx| tx.generation_steps().of(here(), &[id(10)]));
    assert_eq!(left.await.unwrap(), []);
}
