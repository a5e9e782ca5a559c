//! The whole of it, over a temporary folder.
#![allow(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

use std::fs;

use lyceum_application::Error;
use lyceum_application::exporting::scorm;
use tempfile::TempDir;
use use_cases::{Leaflet, context, open, publish, school, shelf, work_off};

fn leaflet(name: &str) -> Leaflet {
    Leaflet {
        name: name.to_owned(),
        text: "Wash them for **20 seconds**.".to_owned(),
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_leaflet_becomes_a_course_and_a_package_in_our_own_store_of_files() {
    let folder = TempDir::new().unwrap();
    let app = open(folder.path()).unwrap();
    let ctx = context(&app, school(&app).await.unwrap());
    let (own, clean) = (ctx.clone(), leaflet("Clean hands"));
    let asked = app.store.write(move |tx| publish(tx, &own, &clean)).await;
    let id = asked.unwrap().id.parse().unwrap();
    work_off(&app).await.unwrap();

    let own = ctx.clone();
    let package = app.read(move |tx| scorm::retrieve(tx, &own, id)).await;
    let package = package.unwrap();
    assert_eq!(package.status, "ready");
    let address = package.download_url.unwrap();
    let ours = format!("http://school.example/packages/{}?until=", package.id);
    assert!(address.starts_with(&ours), "{address}");
    let files = fs::read_to_string(folder.path().join("files/blobs.json")).unwrap();
    assert_eq!(files.matches(".zip").count(), 1, "{files:.200}");
    let there = app.read(move |tx| shelf(tx, &ctx)).await.unwrap();
    assert_eq!(there, ["Clean hands"]);
}

#[tokio::test(flavor = "multi_thread")]
async fn what_goes_wrong_at_the_end_takes_the_beginning_back() {
    let folder = TempDir::new().unwrap();
    let app = open(folder.path()).unwrap();
    let ctx = context(&app, school(&app).await.unwrap());
    let own = ctx.clone();
    let failed = app.store.write(move |tx| {
        publish(tx, &own, &leaflet("Half done"))?;
        Err::<(), _>(Error::NotFound("printer"))
    });
    assert!(matches!(failed.await, Err(Error::NotFound("printer"))));
    let there = app.read(move |tx| shelf(tx, &ctx)).await.unwrap();
    assert!(there.is_empty(), "{there:?}");
}
