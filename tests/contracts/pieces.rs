//! What every repository of pieces keeps to.

use crate::cases::cases;
use crate::sample;
use crate::sample::content;
use crate::sample::id;
use crate::stores::{OpenStore, Stores};
use lyceum_domain::Stamp;
use lyceum_domain::authoring::activities::{ActivityContent, ActivityKind};
use lyceum_domain::drafting::pieces::{
    Piece, PieceDecision, PieceDraft, PieceKind, PiecePlace, PieceState, PieceStatus, PieceTexts,
};
use lyceum_domain::drafting::syllabus::{ActivityDraft, AssignmentDraft, LessonDraft, UnitDraft};
use lyceum_domain::ids::{PieceId, WorkspaceId};
use lyceum_ports::page::PageRequest;
use lyceum_ports::store::StoreError;
use serde_json::json;

cases![Stores:
    a_piece_of_every_kind_comes_back_as_it_was_stored,
    what_became_of_it_is_stored_only_over_the_version_before_it,
    another_workspace_cannot_find_change_or_list_it,
    a_piece_for_what_is_elsewhere_is_refused,
    pages_go_in_order_and_the_status_narrows_them,
];

fn here() -> WorkspaceId {
    id(1)
}

fn elsewhere() -> WorkspaceId {
    id(2)
}

fn piece(n: u64, kind: PieceKind, place: PiecePlace) -> Piece {
    Piece {
        workspace_id: here(),
        id: id(n),
        generation_id: id(1),
        position: u32::try_from(n).unwrap(),
        parent_id: Some(id(99)).filter(|_| n.is_multiple_of(2)),
        kind,
        name: "«N»".to_owned(),
        place,
        after_id: Some("unt_before".to_owned()).filter(|_| !n.is_multiple_of(2)),
        model: "m".to_owned(),
        source_hash: Some("ab".to_owned()),
        state: PieceState::Proposed,
        stamp: Stamp::new(sample::now()),
    }
}

fn unit(n: u64) -> Piece {
    piece(n, PieceKind::Unit, PiecePlace::Course(id(1)))
}

fn texts(kind: PieceKind) -> PieceTexts {
    let objectives = vec!["Cool".to_owned(), "漢字".to_owned()];
    let draft = match kind {
        PieceKind::Unit => PieceDraft::Unit(UnitDraft {
            name: "U".to_owned(),
            description: "D".to_owned(),
            objectives,
            lessons: Vec::new(),
            assignments: Vec::new(),
        }),
        PieceKind::Lesson => PieceDraft::Lesson(LessonDraft {
            name: "L".to_owned(),
            summary: "S".to_owned(),
            objectives,
            content: "# «Text»".to_owned(),
            minutes: 30,
            activities: Vec::new(),
        }),
        PieceKind::Activity => PieceDraft::Activity(ActivityDraft {
            kind: ActivityKind::Reflection,
            name: "A".to_owned(),
            content: ActivityContent::stored(content::object(&json!({"prompt": "Why?", "n": 1.5}))),
            minutes: 5,
        }),
        PieceKind::Assignment => PieceDraft::Assignment(AssignmentDraft {
            name: "T".to_owned(),
            instructions: "Do it.".to_owned(),
            rubric: content::rubric(),
            minutes: 60,
        }),
    };
    PieceTexts {
        draft,
        before: (kind == PieceKind::Lesson).then(|| content::object(&json!({"content": "Old."}))),
        checks: content::object(&json!({"warnings": ["Look."]})),
    }
}

/// Workspaces 1 and 2 with a course, a unit and a lesson each, a generation in the first, and these pieces.
async fn store_with(stores: &Stores, pieces: Vec<Piece>) -> OpenStore {
    let store = stores.open().await;
    store
        .write(move |tx| {
            content::put_lessons(tx)?;
            tx.generations().insert(&content::generation(here(), 1))?;
            pieces
                .iter()
                .try_for_each(|one| tx.pieces().insert(one, &texts(one.kind)))
        })
        .await
        .unwrap();
    store
}

async fn a_piece_of_every_kind_comes_back_as_it_was_stored(stores: &Stores) {
    let all = vec![
        unit(1),
        piece(2, PieceKind::Lesson, PiecePlace::Unit(id(1))),
        piece(3, PieceKind::Lesson, PiecePlace::Lesson(id(1))),
        piece(4, PieceKind::Activity, PiecePlace::Lesson(id(1))),
        piece(5, PieceKind::Assignment, PiecePlace::Course(id(1))),
    ];
    let store = store_with(stores, all.clone()).await;
    for stored in &all {
        let id = stored.id;
        let found = store.read(move |tx| {
            let piece = tx.pieces().find(here(), id)?;
            Ok((piece, tx.pieces().texts(here(), id)?))
        });
        let found: Result<_, StoreError> = found.await;
        let wanted = (Some(stored.clone()), Some(texts(stored.kind)));
        assert_eq!(found.unwrap(), wanted);
    }
    let found = store.read(|tx| tx.pieces().of_generation(here(), id(1)));
    assert_eq!(found.await.unwrap(), all);
}

async fn what_became_of_it_is_stored_only_over_the_version_before_it(stores: &Stores) {
    let store = store_with(stores, vec![unit(1)]).await;
    let decision = PieceDecision {
        by: Some(id(7)),
        at: sample::now(),
    };
    let states = [
        PieceState::Discarded(decision),
        PieceState::Proposed,
        PieceState::Accepted(
            PieceDecision {
                by: None,
                ..decision
            },
            "unt_1".to_owned(),
        ),
    ];
    let mut piece = unit(1);
    for state in states {
        piece.state = state;
        piece.stamp.touch(sample::now());
        let changed = piece.clone();
        store
            .write(move |tx| tx.pieces().update(&changed))
            .await
            .unwrap();
        let found = store.read(|tx| tx.pieces().find(here(), id(1))).await;
        assert_eq!(found.unwrap(), Some(piece.clone()));
    }
    let stale = piece.clone();
    let refused = store.write(move |tx| tx.pieces().update(&stale)).await;
    assert!(matches!(refused, Err(StoreError::Stale)), "{refused:?}");
    let found = store.read(|tx| tx.pieces().texts(here(), id(1))).await;
    assert_eq!(found.unwrap(), Some(texts(PieceKind::Unit)));
}

async fn another_workspace_cannot_find_change_or_list_it(stores: &Stores) {
    let store = store_with(stores, vec![unit(1)]).await;
    let seen = store.read(|tx| {
        let found = tx.pieces().find(elsewhere(), id(1))?;
        let texts = tx.pieces().texts(elsewhere(), id(1))?;
        let all = tx.pieces().of_generation(elsewhere(), id(1))?;
        let page = PageRequest::first(10);
        let page = tx.pieces().page(elsewhere(), id(1), None, &page)?;
        Ok((found, texts, all.len() + page.items.len()))
    });
    let seen: Result<_, StoreError> = seen.await;
    assert_eq!(seen.unwrap(), (None, None, 0));
    let mut foreign = Piece {
        workspace_id: elsewhere(),
        ..unit(1)
    };
    foreign.stamp.touch(sample::now());
    let refused = store.write(move |tx| tx.pieces().update(&foreign)).await;
    assert!(matches!(refused, Err(StoreError::Stale)), "{refused:?}");
}

async fn a_piece_for_what_is_elsewhere_is_refused(stores: &Stores) {
    let store = store_with(stores, vec![]).await;
    let foreign = piece(1, PieceKind::Unit, PiecePlace::Course(id(2)));
    let of_no_generation = Piece {
        generation_id: id(5),
        ..unit(1)
    };
    for wrong in [foreign, of_no_generation] {
        let refused = store
            .write(move |tx| tx.pieces().insert(&wrong, &texts(PieceKind::Unit)))
            .await;
        assert!(matches!(refused, Err(StoreError::Dangling)), "{refused:?}");
    }
}

async fn pages_go_in_order_and_the_status_narrows_them(stores: &Stores) {
    let discarded = |n| {
        let at = sample::now();
        let state = PieceState::Discarded(PieceDecision { by: None, at });
        Piece { state, ..unit(n) }
    };
    let all = vec![unit(5), unit(1), discarded(3), unit(2), discarded(4)];
    let store = store_with(stores, all).await;
    for (status, wanted) in [
        (None, vec![1, 2, 3, 4, 5]),
        (Some(PieceStatus::Proposed), vec![1, 2, 5]),
        (Some(PieceStatus::Discarded), vec![3, 4]),
        (Some(PieceStatus::Accepted), vec![]),
    ] {
        let (mut seen, mut page) = (Vec::<PieceId>::new(), PageRequest::first(2));
        loop {
            let next = page.clone();
            let got = store.read(move |tx| tx.pieces().page(here(), id(1), status, &next));
            let got = got.await.unwrap();
            seen.extend(got.items.iter().map(|one| one.id));
            match got.next {
                Some(after) => page.after = Some(after),
                None => break,
            }
        }
        let wanted: Vec<PieceId> = wanted.into_iter().map(id).collect();
        assert_eq!(seen, wanted, "{status:?}");
    }
}
