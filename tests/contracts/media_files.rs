//! What every repository of media files keeps to.

use lyceum_domain::Stamp;
use lyceum_domain::authoring::media::{
    Caption, MediaContent, MediaDescription, MediaFile, MediaKind, MediaState, MediaType,
    StoredFile, UploadedFile, file_name,
};
use lyceum_domain::ids::WorkspaceId;
use lyceum_domain::text::LongText;
use lyceum_ports::authoring::media_files::{MediaFileFilter, MediaUse};
use lyceum_ports::page::PageRequest;
use lyceum_ports::store::StoreError;
use serde_json::json;

use crate::cases::cases;
use crate::sample;
use crate::sample::content;
use crate::sample::id;
use crate::stores::{OpenStore, Stores};

cases![Stores:
    a_media_file_comes_back_as_it_was_stored_whatever_became_of_it,
    a_media_file_is_found_by_what_was_uploaded_unless_that_is_not_kept,
    media_files_are_listed_newest_first_and_by_what_they_are,
    what_is_kept_is_summed_up_by_workspace,
    texts_that_refer_to_a_media_file_are_found_in_one_workspace,
];

fn here() -> WorkspaceId {
    id(1)
}

fn elsewhere() -> WorkspaceId {
    id(2)
}

fn pending() -> MediaState {
    MediaState::Pending {
        estimated_ready_at: content::later(),
    }
}

fn ready(media_type: MediaType) -> MediaState {
    let file = |size_bytes, dimensions| StoredFile {
        media_type,
        size_bytes,
        sha256: "f".repeat(64),
        dimensions,
    };
    MediaState::Ready(MediaContent {
        file: file(20, Some((1_280, 720))),
        smaller: vec![file(5, Some((640, 360))), file(7, None)],
        duration_ms: Some(1_500),
        notes: vec!["The place where it was taken was removed.".to_owned()],
    })
}

fn refused() -> MediaState {
    MediaState::Error {
        code: "damaged".to_owned(),
        message: "It ends too soon.".to_owned(),
    }
}

/// The `n`-th media file, whose upload has the hash of the number `upload`.
fn media(workspace: WorkspaceId, n: u64, upload: u64, state: MediaState) -> MediaFile {
    MediaFile {
        workspace_id: workspace,
        id: id(n),
        uploaded: UploadedFile {
            file_name: file_name("Kühlung.png"),
            size_bytes: 3,
            sha256: format!("{upload:064}"),
        },
        uploaded_by: id(9),
        description: MediaDescription::default(),
        state,
        metadata: content::metadata(&json!({"shelf": "A"})),
        stamp: Stamp::new(sample::now()),
    }
}

async fn store_with(stores: &Stores, files: Vec<MediaFile>) -> OpenStore {
    let store = stores.open().await;
    store
        .write(move |tx| {
            content::put_workspaces(tx)?;
            files
                .iter()
                .try_for_each(|one| tx.media_files().insert(one))
        })
        .await
        .unwrap();
    store
}

async fn find(store: &OpenStore, workspace: WorkspaceId, n: u64) -> Option<MediaFile> {
    let found = store.read(move |tx| tx.media_files().find(workspace, id(n)));
    found.await.unwrap()
}

async fn listed(store: &OpenStore, filter: MediaFileFilter) -> Vec<MediaFile> {
    let page = PageRequest::first(10);
    let found = store.read(move |tx| tx.media_files().page(here(), &filter, &page));
    found.await.unwrap().items
}

async fn a_media_file_comes_back_as_it_was_stored_whatever_became_of_it(stores: &Stores) {
    let mut one = media(here(), 1, 1, pending());
    let store = store_with(stores, vec![one.clone()]).await;
    assert_eq!(find(&store, here(), 1).await, Some(one.clone()));
    assert_eq!(find(&store, elsewhere(), 1).await, None);
    one.description = MediaDescription {
        title: Caption::parse(content::difficult_text().as_str()).unwrap(),
        alt_text: Some(Caption::default()),
        license: Caption::parse("CC0").unwrap(),
        source: Caption::parse("a shelf").unwrap(),
    };
    for state in [ready(MediaType::Jpeg), refused()] {
        one.state = state;
        one.stamp.touch(content::later());
        let changed = one.clone();
        store
            .write(move |tx| tx.media_files().update(&changed))
            .await
            .unwrap();
        assert_eq!(find(&store, here(), 1).await, Some(one.clone()));
    }
    let stale = one.clone();
    let refused = store.write(move |tx| tx.media_files().update(&stale)).await;
    assert!(matches!(refused, Err(StoreError::Stale)), "{refused:?}");
    let found = store.read(|tx| tx.media_files().with_ids(here(), &[id(1), id(7)]));
    assert_eq!(found.await.unwrap(), [one]);
    let none = store.read(|tx| tx.media_files().with_ids(elsewhere(), &[id(1)]));
    assert_eq!(none.await.unwrap(), []);
}

async fn a_media_file_is_found_by_what_was_uploaded_unless_that_is_not_kept(stores: &Stores) {
    let files = vec![
        media(here(), 1, 1, refused()),
        media(here(), 2, 1, pending()),
        media(here(), 3, 1, ready(MediaType::Png)),
        media(elsewhere(), 4, 2, pending()),
    ];
    let store = store_with(stores, files).await;
    for (upload, found) in [(1, Some(id(2))), (2, None)] {
        let hash = format!("{upload:064}");
        let known = store.read(move |tx| tx.media_files().with_upload(here(), &hash));
        assert_eq!(known.await.unwrap().map(|one| one.id), found);
    }
}

async fn media_files_are_listed_newest_first_and_by_what_they_are(stores: &Stores) {
    let files = vec![
        media(here(), 1, 1, ready(MediaType::Jpeg)),
        media(here(), 2, 2, ready(MediaType::Mp4)),
        media(here(), 3, 3, pending()),
        media(elsewhere(), 4, 1, ready(MediaType::Jpeg)),
    ];
    let store = store_with(stores, files).await;
    let of = |filter| async {
        let found = listed(&store, filter).await;
        found.into_iter().map(|one| one.id).collect::<Vec<_>>()
    };
    let all = MediaFileFilter::default();
    assert_eq!(of(all.clone()).await, [id(3), id(2), id(1)]);
    let kind = Some(MediaKind::Image);
    assert_eq!(
        of(MediaFileFilter {
            kind,
            ..all.clone()
        })
        .await,
        [id(1)]
    );
    let status = Some("ready".to_owned());
    assert_eq!(
        of(MediaFileFilter {
            status,
            ..all.clone()
        })
        .await,
        [id(2), id(1)]
    );
    let sha256 = Some(format!("{:064}", 2));
    assert_eq!(of(MediaFileFilter { sha256, ..all }).await, [id(2)]);
}

async fn what_is_kept_is_summed_up_by_workspace(stores: &Stores) {
    let files = vec![
        media(here(), 1, 1, ready(MediaType::Jpeg)),
        media(here(), 2, 2, pending()),
        media(here(), 3, 3, refused()),
        media(elsewhere(), 4, 1, pending()),
    ];
    let store = store_with(stores, files).await;
    for (workspace, bytes) in [(here(), 35), (elsewhere(), 3), (id(3), 0)] {
        let kept = store.read(move |tx| tx.media_files().kept_bytes(workspace));
        assert_eq!(kept.await.unwrap(), bytes);
    }
}

async fn texts_that_refer_to_a_media_file_are_found_in_one_workspace(stores: &Stores) {
    let one = media(here(), 1, 1, pending());
    let text = LongText::clamp(&format!("![](media:{})", one.id));
    let store = stores.open().await;
    store
        .write(move |tx| {
            content::put_units(tx)?;
            let mut referring = content::lesson(here(), 2);
            referring.content = text.clone();
            tx.lessons().insert(&referring)?;
            tx.lessons().insert(&content::lesson(elsewhere(), 3))?;
            tx.media_files().insert(&one)
        })
        .await
        .unwrap();
    let uses = async |workspace, n, limit| {
        let found = store.read(move |tx| tx.media_files().uses(workspace, id(n), limit));
        found.await.unwrap()
    };
    let [
        MediaUse {
            object, id: user, ..
        },
    ] = uses(here(), 1, 9).await.try_into().unwrap();
    assert_eq!(
        (object, user),
        ("lesson", content::lesson(here(), 2).id.to_string())
    );
    assert_eq!(uses(here(), 1, 0).await, []);
    assert_eq!(uses(here(), 3, 9).await, []);
    assert_eq!(uses(elsewhere(), 1, 9).await, []);
}
