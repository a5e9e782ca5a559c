//! What every repository of conversations with the tutor keeps to.

use crate::cases::cases;
use crate::sample;
use crate::sample::id;
use crate::sample::learning::put_learners;
use crate::stores::{OpenStore, Stores};
use lyceum_domain::drafting::tutor::{Citation, TutorMove, TutorReply, TutorTurn};
use lyceum_domain::grading::grades::Evidence;
use lyceum_domain::ids::WorkspaceId;
use lyceum_ports::page::{Keyset, PageRequest};
use lyceum_ports::store::StoreError;

cases![Stores:
    a_conversation_comes_back_in_order_to_whose_it_is,
    a_user_pages_through_their_own_talk_newest_first,
    only_the_newest_turns_come_back_and_older_ones_can_be_forgotten,
    conversations_go_with_their_lesson_and_with_their_user,
    nothing_of_another_workspace_is_talked_about,
];

fn here() -> WorkspaceId {
    id(1)
}

fn elsewhere() -> WorkspaceId {
    id(2)
}

/// The `n`-th turn, of this user about lesson 1.
fn turn(user: u64, thread: u64, n: u64) -> TutorTurn {
    TutorTurn {
        workspace_id: here(),
        id: id(n),
        thread_id: id(thread),
        lesson_id: id(1),
        user_id: id(user),
        message: format!("«{n}»\nhow?"),
        reply: TutorReply {
            message: "漢字.".to_owned(),
            act: TutorMove::Explain,
            citations: vec![Citation {
                lesson_id: id(2),
                passage: Evidence {
                    start: 3,
                    end: 5,
                    quote: "漢字".to_owned(),
                },
            }],
            handoff_to_teacher: true,
        },
        hint_level: 2,
        model: "m".to_owned(),
        created_at: sample::now(),
    }
}

/// Students, lessons, and the turns given.
async fn store_with(stores: &Stores, turns: Vec<TutorTurn>) -> OpenStore {
    let store = stores.open().await;
    store
        .write(move |tx| {
            put_learners(tx)?;
            turns.iter().try_for_each(|turn| tx.tutor().insert(turn))
        })
        .await
        .unwrap();
    store
}

async fn newest(
    store: &OpenStore,
    workspace: WorkspaceId,
    user: u64,
    lesson: u64,
    thread: u64,
) -> Vec<TutorTurn> {
    store
        .read(move |tx| {
            tx.tutor()
                .newest(workspace, id(user), id(lesson), id(thread))
        })
        .await
        .unwrap()
}

async fn a_conversation_comes_back_in_order_to_whose_it_is(stores: &Stores) {
    let turns = vec![turn(1, 7, 11), turn(1, 7, 10), turn(1, 8, 12)];
    let store = store_with(stores, turns).await;
    let found = newest(&store, here(), 1, 1, 7).await;
    assert_eq!(found, [turn(1, 7, 10), turn(1, 7, 11)]);
    assert_eq!(newest(&store, here(), 2, 1, 7).await, []);
    assert_eq!(newest(&store, here(), 1, 2, 7).await, []);
    assert_eq!(newest(&store, here(), 1, 1, 9).await, []);
    assert_eq!(newest(&store, elsewhere(), 1, 1, 7).await, []);
}

async fn a_user_pages_through_their_own_talk_newest_first(stores: &Stores) {
    let mut elsewhere = turn(1, 9, 14);
    elsewhere.lesson_id = id(2);
    let turns = vec![
        turn(1, 7, 10),
        turn(1, 8, 11),
        turn(2, 9, 12),
        turn(1, 7, 13),
        elsewhere,
    ];
    let store = store_with(stores, turns).await;
    let page = async |thread: Option<u64>, limit, after: Option<Keyset>| {
        let request = PageRequest {
            after,
            ..PageRequest::first(limit)
        };
        let found = store.read(move |tx| {
            let thread = thread.map(id);
            tx.tutor().page(here(), id(1), id(1), thread, &request)
        });
        found.await.unwrap()
    };
    let first = page(None, 2, None).await;
    assert_eq!(first.items, [turn(1, 7, 13), turn(1, 8, 11)]);
    let rest = page(None, 2, first.next).await;
    assert_eq!(rest.items, [turn(1, 7, 10)]);
    let one = page(Some(7), 9, None).await;
    assert_eq!(one.items, [turn(1, 7, 13), turn(1, 7, 10)]);
}

async fn only_the_newest_turns_come_back_and_older_ones_can_be_forgotten(stores: &Stores) {
    let kept = u64::from(TutorTurn::KEPT);
    let mut turns: Vec<TutorTurn> = (100..100 + kept + 2).map(|n| turn(1, 7, n)).collect();
    turns.push(turn(2, 8, 50));
    let store = store_with(stores, turns).await;
    let ids = async || -> Vec<TutorTurn> { newest(&store, here(), 1, 1, 7).await };
    let found = ids().await;
    assert_eq!(found.len(), usize::from(TutorTurn::KEPT));
    assert_eq!(found.first(), Some(&turn(1, 7, 102)));
    store
        .write(|tx| {
            tx.tutor().forget_before(elsewhere(), id(7), id(200))?;
            tx.tutor().forget_before(here(), id(7), id(109))
        })
        .await
        .unwrap();
    let left = ids().await;
    assert_eq!(left, [turn(1, 7, 109), turn(1, 7, 110), turn(1, 7, 111)]);
    assert_eq!(newest(&store, here(), 2, 1, 8).await, [turn(2, 8, 50)]);
}

async fn conversations_go_with_their_lesson_and_with_their_user(stores: &Stores) {
    let mut about_another = turn(1, 8, 11);
    about_another.lesson_id = id(2);
    let mut of_another = turn(2, 9, 12);
    of_another.lesson_id = id(2);
    let turns = vec![turn(1, 7, 10), about_another.clone(), of_another];
    let store = store_with(stores, turns).await;
    store
        .write(|tx| {
            tx.lessons().delete(here(), id(1))?;
            tx.users().delete(here(), id(2))
        })
        .await
        .unwrap();
    assert_eq!(newest(&store, here(), 1, 1, 7).await, []);
    assert_eq!(newest(&store, here(), 2, 2, 9).await, []);
    assert_eq!(newest(&store, here(), 1, 2, 8).await, [about_another]);
}

async fn nothing_of_another_workspace_is_talked_about(stores: &Stores) {
    let store = store_with(stores, vec![]).await;
    let mut smuggled = turn(1, 7, 10);
    smuggled.workspace_id = elsewhere();
    let refused = store.write(move |tx| tx.tutor().insert(&smuggled)).await;
    assert!(matches!(refused, Err(StoreError::Dangling)), "{refused:?}");
}
