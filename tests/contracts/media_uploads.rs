//! What every repository of uploads in pieces keeps to.

use lyceum_domain::authoring::media::{Caption, MediaDescription, file_name};
use lyceum_domain::authoring::media_uploads::{DirectUpload, MediaUpload, UploadPiece};
use lyceum_domain::ids::WorkspaceId;
use lyceum_domain::{Stamp, Timestamp};
use lyceum_ports::authoring::media_uploads::OpenUploads;
use lyceum_ports::store::StoreError;
use serde_json::json;

use crate::cases::cases;
use crate::sample;
use crate::sample::content;
use crate::sample::id;
use crate::stores::{OpenStore, Stores};

cases![Stores:
    an_upload_comes_back_as_it_was_stored,
    an_upload_that_somebody_else_changed_is_stale,
    what_is_under_way_is_summed_up_by_workspace,
    what_is_over_is_forgotten_the_oldest_first,
    pieces_are_files_of_their_workspace,
    what_is_put_into_a_bucket_is_a_file_of_its_workspace,
];

fn here() -> WorkspaceId {
    id(1)
}

fn elsewhere() -> WorkspaceId {
    id(2)
}

/// The `n`-th upload of `n` bytes, whose time is over in `n` hours.
fn upload(workspace: WorkspaceId, n: u64) -> MediaUpload {
    let hours = i64::try_from(n).unwrap_or_default();
    MediaUpload {
        workspace_id: workspace,
        id: id(n),
        uploaded_by: id(9),
        file_name: file_name("Kühlung.mp4"),
        size_bytes: n,
        description: MediaDescription {
            title: Caption::parse(content::difficult_text().as_str()).unwrap(),
            alt_text: Some(Caption::default()),
            license: Caption::parse("CC0").unwrap(),
            source: Caption::parse("a shelf").unwrap(),
        },
        metadata: content::metadata(&json!({"shelf": "A"})),
        pieces: vec![piece("a"), piece("b")],
        direct: None,
        media: None,
        expires_at: after(hours),
        stamp: Stamp::new(sample::now()),
    }
}

fn after(hours: i64) -> Timestamp {
    Timestamp::from_unix_millis(sample::now().unix_millis() + hours * 3_600_000)
}

fn piece(name: &str) -> UploadPiece {
    UploadPiece {
        name: name.to_owned(),
        size_bytes: 5,
        sha256: "f".repeat(64),
    }
}

async fn store_with(stores: &Stores, uploads: Vec<MediaUpload>) -> OpenStore {
    let store = stores.open().await;
    let put = store.write(move |tx| {
        content::put_workspaces(tx)?;
        uploads
            .iter()
            .try_for_each(|one| tx.media_uploads().insert(one))
    });
    put.await.unwrap();
    store
}

async fn find(store: &OpenStore, workspace: WorkspaceId, n: u64) -> Option<MediaUpload> {
    let found = store.read(move |tx| tx.media_uploads().find(workspace, id(n)));
    found.await.unwrap()
}

async fn an_upload_comes_back_as_it_was_stored(stores: &Stores) {
    let mut one = upload(here(), 1);
    let store = store_with(stores, vec![one.clone()]).await;
    assert_eq!(find(&store, here(), 1).await, Some(one.clone()));
    assert_eq!(find(&store, elsewhere(), 1).await, None);
    one.media = Some(id(7));
    one.pieces.clear();
    one.stamp.touch(content::later());
    let changed = one.clone();
    let kept = store.write(move |tx| tx.media_uploads().update(&changed));
    kept.await.unwrap();
    assert_eq!(find(&store, here(), 1).await, Some(one));
    let gone = store.write(|tx| {
        tx.media_uploads().delete(elsewhere(), id(1))?;
        let stays = tx.media_uploads().find(here(), id(1))?.is_some();
        tx.media_uploads().delete(here(), id(1))?;
        Ok(stays)
    });
    assert!(gone.await.unwrap());
    assert_eq!(find(&store, here(), 1).await, None);
}

/// One that does not come in pieces.
fn direct(workspace: WorkspaceId, n: u64) -> MediaUpload {
    MediaUpload {
        pieces: Vec::new(),
        direct: Some(DirectUpload {
            until: after(1),
            is_given_up: false,
        }),
        ..upload(workspace, n)
    }
}

async fn what_is_put_into_a_bucket_is_a_file_of_its_workspace(stores: &Stores) {
    let mut one = direct(here(), 3);
    let store = store_with(stores, vec![one.clone(), direct(elsewhere(), 4)]).await;
    assert_eq!(find(&store, here(), 3).await, Some(one.clone()));
    let files = store.read(|tx| tx.unwanted_files().of_workspace(here()));
    let keys = files.await.unwrap().keys;
    assert_eq!(keys, [format!("uploads/{}/direct", one.id)]);
    assert!(one.give_up(content::later()));
    let changed = one.clone();
    let kept = store.write(move |tx| tx.media_uploads().update(&changed));
    kept.await.unwrap();
    assert_eq!(find(&store, here(), 3).await, Some(one));
    // It keeps its place until its address ends.
    let open = |now| store.read(move |tx| tx.media_uploads().open(here(), now));
    assert_eq!(open(content::later()).await.unwrap().count, 1);
    assert_eq!(open(after(1)).await.unwrap().count, 0);
}

async fn an_upload_that_somebody_else_changed_is_stale(stores: &Stores) {
    let one = upload(here(), 1);
    let store = store_with(stores, vec![one.clone()]).await;
    let mut changed = one.clone();
    changed.stamp.touch(content::later());
    let (first, again) = (changed.clone(), changed);
    let kept = store.write(move |tx| tx.media_uploads().update(&first));
    kept.await.unwrap();
    let refused = store.write(move |tx| tx.media_uploads().update(&again));
    assert!(matches!(refused.await, Err(StoreError::Stale)));
}

async fn what_is_under_way_is_summed_up_by_workspace(stores: &Stores) {
    let mut whole = upload(here(), 6);
    whole.media = Some(id(7));
    let uploads = vec![
        upload(here(), 2),
        upload(here(), 3),
        upload(here(), 5),
        whole,
        upload(elsewhere(), 8),
    ];
    let store = store_with(stores, uploads).await;
    let open =
        |workspace, hours| store.read(move |tx| tx.media_uploads().open(workspace, after(hours)));
    let of = |count, size_bytes| OpenUploads { count, size_bytes };
    assert_eq!(open(here(), 0).await.unwrap(), of(3, 10));
    assert_eq!(open(here(), 2).await.unwrap(), of(2, 8));
    assert_eq!(open(elsewhere(), 0).await.unwrap(), of(1, 8));
    assert_eq!(open(here(), 9).await.unwrap(), of(0, 0));
}

async fn what_is_over_is_forgotten_the_oldest_first(stores: &Stores) {
    let uploads = vec![
        upload(here(), 3),
        upload(elsewhere(), 2),
        upload(here(), 4),
        upload(here(), 1),
    ];
    let store = store_with(stores, uploads).await;
    let forget = || store.write(|tx| tx.media_uploads().forget_over(after(3), 2));
    assert_eq!(forget().await.unwrap(), 2);
    assert!(find(&store, here(), 3).await.is_some());
    assert_eq!(forget().await.unwrap(), 1);
    assert_eq!(forget().await.unwrap(), 0);
    assert!(find(&store, here(), 4).await.is_some());
}

async fn pieces_are_files_of_their_workspace(stores: &Stores) {
    let uploads = vec![upload(here(), 1), upload(elsewhere(), 2)];
    let store = store_with(stores, uploads).await;
    let files = store.read(|tx| tx.unwanted_files().of_workspace(here()));
    let id: lyceum_domain::ids::MediaUploadId = id(1);
    let keys = files.await.unwrap().keys;
    assert_eq!(keys, [format!("uploads/{id}/a"), format!("uploads/{id}/b")]);
}
