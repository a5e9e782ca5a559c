//! What every repository of remembered replies keeps to.

use std::sync::Arc;
use std::time::Duration;

use crate::cases::cases;
use crate::sample;
use crate::sample::id;
use crate::sample::people;
use crate::stores::{OpenStore, Stores};
use lyceum_domain::Timestamp;
use lyceum_ports::running::idempotency::{RememberedReply, ReplyKey};
use lyceum_ports::store::StoreError;
use tokio::task::JoinSet;

cases![Stores:
    a_reply_comes_back_to_whoever_sent_the_key_where_it_was_sent,
    a_reply_that_is_too_old_does_not_count_and_is_replaced,
    forgetting_takes_what_is_older_and_counts_it,
    the_same_request_many_times_at_once_is_done_once,
];

fn minutes_ago(minutes: u64) -> Timestamp {
    sample::now().minus(Duration::from_mins(minutes))
}

fn remembered(text: &str, at: Timestamp) -> RememberedReply {
    RememberedReply {
        created_at: at,
        ..people::reply(text)
    }
}

async fn remember(store: &OpenStore, key: ReplyKey, reply: RememberedReply) {
    store
        .write(move |tx| tx.idempotency().remember(&key, &reply))
        .await
        .unwrap();
}

async fn find(store: &OpenStore, key: ReplyKey, oldest: Timestamp) -> Option<RememberedReply> {
    store
        .read(move |tx| tx.idempotency().find(&key, oldest))
        .await
        .unwrap()
}

async fn a_reply_comes_back_to_whoever_sent_the_key_where_it_was_sent(stores: &Stores) {
    let store = stores.open().await;
    let mine = people::reply_key(id(1), Some(id(1)));
    let of_the_account = people::reply_key(id(1), None);
    remember(&store, mine.clone(), people::reply("mine")).await;
    remember(&store, of_the_account.clone(), people::reply("account")).await;
    let long_ago = minutes_ago(60);
    assert_eq!(
        find(&store, mine.clone(), long_ago).await,
        Some(people::reply("mine"))
    );
    assert_eq!(
        find(&store, of_the_account, long_ago).await,
        Some(people::reply("account"))
    );
    for other in [
        people::reply_key(id(2), Some(id(1))),
        people::reply_key(id(1), Some(id(2))),
        ReplyKey {
            key: "another-key".to_owned(),
            ..mine
        },
    ] {
        assert_eq!(find(&store, other, long_ago).await, None);
    }
}

async fn a_reply_that_is_too_old_does_not_count_and_is_replaced(stores: &Stores) {
    let store = stores.open().await;
    let key = people::reply_key(id(1), None);
    remember(&store, key.clone(), remembered("old", minutes_ago(60))).await;
    assert_eq!(find(&store, key.clone(), minutes_ago(59)).await, None);
    assert!(find(&store, key.clone(), minutes_ago(60)).await.is_some());
    let mut fresh = people::reply("fresh");
    fresh.fingerprint = "another".to_owned();
    remember(&store, key.clone(), fresh.clone()).await;
    assert_eq!(find(&store, key, minutes_ago(59)).await, Some(fresh));
}

async fn forgetting_takes_what_is_older_and_counts_it(stores: &Stores) {
    let store = stores.open().await;
    for n in 1..=5 {
        let key = people::reply_key(id(n), None);
        remember(&store, key, remembered("any", minutes_ago(n))).await;
    }
    let forgotten = store
        .write(|tx| tx.idempotency().forget_before(minutes_ago(3), 100))
        .await
        .unwrap();
    assert_eq!(forgotten, 2);
    let long_ago = minutes_ago(60);
    for (n, kept) in [(3, true), (4, false)] {
        let found = find(&store, people::reply_key(id(n), None), long_ago).await;
        assert_eq!(found.is_some(), kept, "{n}");
    }
}

async fn the_same_request_many_times_at_once_is_done_once(stores: &Stores) {
    let store = stores.open().await;
    let mut requests = JoinSet::new();
    for n in 1..=12 {
        let store = Arc::clone(&store.store);
        requests.spawn(async move {
            let answer: Result<String, StoreError> = store
                .write(move |tx| {
                    let key = people::reply_key(id(1), None);
                    if let Some(reply) = tx.idempotency().find(&key, minutes_ago(60))? {
                        return Ok(reply.reply);
                    }
                    tx.workspaces().insert(&sample::workspace(n))?;
                    let answer = format!("made {n}");
                    tx.idempotency().remember(&key, &people::reply(&answer))?;
                    Ok(answer)
                })
                .await;
            answer.unwrap()
        });
    }
    let answers = requests.join_all().await;
    assert!(answers.iter().all(|one| *one == answers[0]), "{answers:?}");
    let mut made = 0;
    for n in 1..=12 {
        let found = store.read(move |tx| tx.workspaces().find(id(n))).await;
        made += usize::from(found.unwrap().is_some());
    }
    assert_eq!(made, 1);
}
