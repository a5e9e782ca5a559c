//! Many at once, and decoders that break.

use std::sync::Arc;

use futures_util::future::join_all;
use lyceum_ports::authoring::inspection::{InspectionError, MediaInspector, Refusal};

use super::{Desk, making};
use crate::{Inspector, Settings};

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn of_two_hundred_pictures_one_is_decoded_at_a_time() {
    let inspector = Arc::new(Inspector::new(Settings::default()));
    let desk = Arc::new(Desk::with(&making::jpeg(40, 30)));
    let all = (0..200).map(|number| {
        let (inspector, desk) = (Arc::clone(&inspector), Arc::clone(&desk));
        tokio::spawn(async move {
            let folder = desk.made().join(number.to_string());
            std::fs::create_dir(&folder).unwrap();
            inspector.inspect(&desk.came(), &folder).await.unwrap();
        })
    });
    for done in join_all(all).await {
        done.unwrap();
    }
    assert_eq!(inspector.watched.most(), 1);
}

#[tokio::test]
async fn whoever_waits_no_longer_leaves_the_place_to_the_next() {
    let inspector = Inspector::new(Settings::default());
    let desk = Desk::with(&making::jpeg(400, 300));
    for _ in 0..20 {
        let (came, made) = (desk.came(), desk.made());
        let looking = inspector.inspect(&came, &made);
        let patience = std::time::Duration::from_millis(1);
        drop(tokio::time::timeout(patience, looking).await);
    }
    inspector.inspect(&desk.came(), &desk.made()).await.unwrap();
    assert_eq!(inspector.watched.most(), 1);
}

#[tokio::test]
async fn a_decoder_that_breaks_breaks_its_file_alone() {
    let inspector = Inspector::new(Settings::default());
    inspector.watched.break_down();
    let desk = Desk::with(&making::jpeg(4, 4));
    for _ in 0..6 {
        let looked = inspector.inspect(&desk.came(), &desk.made()).await;
        let refused = matches!(looked, Err(InspectionError::Refused(Refusal::Damaged(_))));
        assert!(refused, "{looked:?}");
    }
}
