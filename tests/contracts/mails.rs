//! What every repository of mails keeps to: who gets one to send, whose turn it is, and what is left of it.

use std::collections::BTreeMap;
use std::time::Duration;

use crate::cases::cases;
use crate::sample;
use crate::sample::id;
use crate::sample::people;
use crate::stores::{OpenStore, Stores};
use lyceum_domain::ids::WorkspaceId;
use lyceum_domain::notifying::letters::{Letter, MailTemplate};
use lyceum_domain::notifying::mails::{
    MailFailure, MailOutcome, MailState, MailTrouble, OutgoingMail,
};
use lyceum_domain::text::LanguageTag;
use lyceum_domain::{Stamp, Timestamp};
use lyceum_ports::notifying::mails::MAIL_SHARE;
use lyceum_ports::store::StoreError;

cases![Stores:
    a_mail_is_read_as_it_was_written_and_says_nothing_once_it_is_over,
    a_mail_is_one_worker_s_until_its_lease_ends_and_a_late_one_settles_nothing,
    what_is_not_due_waits,
    a_thousand_mails_of_one_workspace_keep_no_other_waiting,
    mails_to_an_address_are_counted_by_text_and_time,
    what_a_lost_node_held_is_sent_by_another,
    what_was_put_off_by_a_clock_that_was_ahead_waits_as_long_as_was_meant,
    old_mails_are_forgotten_and_those_of_a_workspace_go_with_it,
];

fn at(seconds: u64) -> Timestamp {
    sample::now().plus(Duration::from_secs(seconds))
}

/// The `n`-th mail, to the `n`-th address, due `n` seconds after samples are made.
fn mail(workspace: Option<WorkspaceId>, n: u64) -> OutgoingMail {
    let letter = Letter::sample(MailTemplate::SignInLink, at(3_600));
    OutgoingMail {
        id: id(n),
        workspace_id: workspace,
        to: people::email(n),
        language: LanguageTag::english(),
        template: letter.template(),
        withheld: n.is_multiple_of(2),
        not_after: at(3_600),
        state: MailState::Pending {
            next_attempt_at: at(n),
            letter: Some(letter),
        },
        attempts: 0,
        last_error: None,
        stamp: Stamp::new(sample::now()),
    }
}

async fn store_with(stores: &Stores, mails: Vec<OutgoingMail>) -> OpenStore {
    let store = stores.open().await;
    store
        .write(move |tx| {
            for workspace in 1..=3 {
                tx.workspaces().insert(&sample::workspace(workspace))?;
            }
            mails.iter().try_for_each(|mail| tx.mails().insert(mail))
        })
        .await
        .unwrap();
    store
}

/// What a node takes after so many seconds.
async fn claim(
    store: &OpenStore,
    (node, seconds): (u64, u64),
    turn: &mut Option<String>,
    limit: u16,
) -> Vec<OutgoingMail> {
    let before = turn.clone();
    let (mails, after) = store
        .write(move |tx| {
            let mut turn = before.clone();
            let lease = sample::lease(node, at(seconds));
            let mails = tx.mails().claim(&lease, &mut turn, limit)?;
            Ok((mails, turn))
        })
        .await
        .unwrap();
    *turn = after;
    mails
}

async fn settle(store: &OpenStore, mail: &OutgoingMail) -> bool {
    let mail = mail.clone();
    let settled = store.write(move |tx| tx.mails().settle(&mail)).await;
    settled.unwrap()
}

async fn find(store: &OpenStore, n: u64) -> Option<OutgoingMail> {
    store.read(move |tx| tx.mails().find(id(n))).await.unwrap()
}

fn ended(mail: &OutgoingMail, outcome: MailOutcome, seconds: u64) -> OutgoingMail {
    let mut mail = mail.clone();
    mail.end_attempt(outcome, 128, at(seconds));
    mail
}

fn busy() -> MailOutcome {
    MailOutcome::Failed(MailFailure::passing(MailTrouble::Refused, Some(451)))
}

async fn a_mail_is_read_as_it_was_written_and_says_nothing_once_it_is_over(stores: &Stores) {
    let written = vec![mail(None, 1), mail(Some(id(1)), 2)];
    let store = store_with(stores, written.clone()).await;
    for (n, mail) in (1..).zip(&written) {
        assert_eq!(find(&store, n).await.as_ref(), Some(mail));
    }
    assert_eq!(find(&store, 3).await, None);
    let taken = claim(&store, (1, 10), &mut None, 10).await;
    let outcomes = [
        (MailOutcome::Sent, MailState::Sent),
        (MailOutcome::Dropped, MailState::Dropped),
    ];
    for (mail, (outcome, state)) in taken.iter().zip(outcomes) {
        let over = ended(mail, outcome, 11);
        assert!(settle(&store, &over).await);
        let found = store.read(move |tx| tx.mails().find(over.id)).await;
        assert_eq!(found.unwrap().unwrap().state, state);
    }
    assert!(claim(&store, (1, 9_999), &mut None, 10).await.is_empty());
}

async fn a_mail_is_one_worker_s_until_its_lease_ends_and_a_late_one_settles_nothing(
    stores: &Stores,
) {
    let store = store_with(stores, vec![mail(None, 1)]).await;
    let [first] =
        <[OutgoingMail; 1]>::try_from(claim(&store, (1, 1), &mut None, 10).await).unwrap();
    assert_eq!(first.attempts, 1);
    assert!(claim(&store, (2, 2), &mut None, 10).await.is_empty());
    let lease = sample::lease(1, at(1));
    let later = lease.until.since(at(0)).as_secs() + 1;
    let [second] =
        <[OutgoingMail; 1]>::try_from(claim(&store, (2, later), &mut None, 10).await).unwrap();
    assert_eq!(second.attempts, 2);
    assert!(!settle(&store, &ended(&first, MailOutcome::Sent, later)).await);
    assert!(settle(&store, &ended(&second, busy(), later)).await);
    let again = find(&store, 1).await.unwrap();
    assert_eq!(again.last_error.as_deref(), Some("refused (451)"));
    assert!(matches!(
        &again.state,
        MailState::Pending {
            letter: Some(_),
            ..
        }
    ));
    let third = claim(&store, (1, later + 60), &mut None, 10).await;
    let sent = ended(&third[0], MailOutcome::Sent, later + 61);
    assert!(settle(&store, &sent).await);
    assert!(!settle(&store, &sent).await, "what is over stays so");
}

async fn what_is_not_due_waits(stores: &Stores) {
    let store = store_with(stores, vec![mail(None, 5), mail(None, 9)]).await;
    assert!(claim(&store, (1, 4), &mut None, 10).await.is_empty());
    let due = claim(&store, (1, 5), &mut None, 10).await;
    assert_eq!(due.iter().map(|mail| mail.id).collect::<Vec<_>>(), [id(5)]);
}

async fn a_thousand_mails_of_one_workspace_keep_no_other_waiting(stores: &Stores) {
    let mut mails: Vec<OutgoingMail> = (1..=1_000).map(|n| mail(Some(id(1)), n)).collect();
    mails.push(mail(Some(id(2)), 1_001));
    mails.push(mail(None, 1_002));
    let store = store_with(stores, mails).await;
    let mut turn = None;
    let taken = claim(&store, (1, 2_000), &mut turn, 8).await;
    let mut by_party: BTreeMap<Option<WorkspaceId>, u16> = BTreeMap::new();
    for mail in &taken {
        *by_party.entry(mail.workspace_id).or_default() += 1;
    }
    let expected = [(None, 1), (Some(id(1)), MAIL_SHARE), (Some(id(2)), 1)];
    assert_eq!(by_party, BTreeMap::from(expected));
    assert!(
        claim(&store, (1, 2_001), &mut turn, 8).await.is_empty(),
        "it has its share"
    );
    let of_the_first = taken.iter().find(|mail| mail.workspace_id == Some(id(1)));
    assert!(
        settle(
            &store,
            &ended(of_the_first.unwrap(), MailOutcome::Sent, 2_002)
        )
        .await
    );
    let next = claim(&store, (1, 2_003), &mut turn, 8).await;
    assert_eq!(next.len(), 1);
    assert_eq!(
        next[0].id,
        id(u64::from(MAIL_SHARE) + 1),
        "the longest waiting"
    );
}

async fn mails_to_an_address_are_counted_by_text_and_time(stores: &Stores) {
    let at_once = |n: u64, seconds: u64, template| OutgoingMail {
        to: people::email(1),
        template,
        stamp: Stamp::new(at(seconds)),
        ..mail(None, n)
    };
    let store = store_with(
        stores,
        vec![
            at_once(1, 0, MailTemplate::SignInLink),
            at_once(2, 10, MailTemplate::SignInLink),
            at_once(3, 20, MailTemplate::SignInLink),
            at_once(4, 20, MailTemplate::Test),
            mail(None, 5),
        ],
    )
    .await;
    let counted = store
        .read(|tx| {
            let link = MailTemplate::SignInLink;
            let mut count = |n, since| tx.mails().count_since(&people::email(n), link, at(since));
            Ok([count(1, 0)?, count(1, 15)?, count(9, 0)?])
        })
        .await;
    assert_eq!(counted.unwrap(), [2, 1, 0], "withheld or not");
}

async fn what_a_lost_node_held_is_sent_by_another(stores: &Stores) {
    let store = store_with(stores, vec![mail(None, 1), mail(Some(id(1)), 3)]).await;
    assert_eq!(claim(&store, (1, 5), &mut None, 1).await.len(), 1);
    assert_eq!(claim(&store, (2, 5), &mut None, 1).await.len(), 1);
    let lost = sample::lease(1, at(5)).node;
    let released = store
        .write(move |tx| tx.mails().release_leases_of(&[lost], at(6)))
        .await;
    assert_eq!(released.unwrap(), 1);
    assert_eq!(claim(&store, (3, 6), &mut None, 9).await.len(), 1);
    let all = store.write(|tx| tx.mails().release_leases(at(7))).await;
    all.unwrap();
    assert_eq!(claim(&store, (3, 7), &mut None, 9).await.len(), 2);
}

async fn what_was_put_off_by_a_clock_that_was_ahead_waits_as_long_as_was_meant(stores: &Stores) {
    let store = store_with(stores, vec![mail(None, 1)]).await;
    let ahead = 100_000;
    let taken = claim(&store, (1, ahead), &mut None, 1).await;
    let long = OutgoingMail {
        not_after: at(2 * ahead),
        stamp: Stamp::new(at(ahead)),
        ..taken[0].clone()
    };
    assert!(settle(&store, &ended(&long, busy(), ahead)).await);
    let set = store
        .write(|tx| tx.mails().set_right(at(10), OutgoingMail::LEASE, 10))
        .await;
    assert_eq!(set.unwrap(), 1);
    assert!(claim(&store, (1, 14), &mut None, 1).await.is_empty());
    assert_eq!(claim(&store, (1, 15), &mut None, 1).await.len(), 1);
}

async fn old_mails_are_forgotten_and_those_of_a_workspace_go_with_it(stores: &Stores) {
    let old = OutgoingMail {
        stamp: Stamp::new(at(0)),
        ..mail(None, 1)
    };
    let young = OutgoingMail {
        stamp: Stamp::new(at(100)),
        ..mail(Some(id(1)), 2)
    };
    let store = store_with(stores, vec![old, young]).await;
    let forgotten = store
        .write(|tx| {
            let both = [
                tx.mails().forget_before(at(50), 10)?,
                tx.mails().forget_before(at(50), 10)?,
            ];
            Ok::<_, StoreError>(both)
        })
        .await;
    assert_eq!(forgotten.unwrap(), [1, 0]);
    assert!(find(&store, 1).await.is_none() && find(&store, 2).await.is_some());
    store
        .write(|tx| tx.workspaces().delete(id(1)).map(drop))
        .await
        .unwrap();
    assert!(find(&store, 2).await.is_none());
}
