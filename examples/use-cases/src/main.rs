//! `cargo run -p lyceum-example-use-cases FOLDER`: publishes a leaflet there, packs it, and shows the shelf.

use std::path::PathBuf;

use anyhow::Context;
use use_cases::{Leaflet, context, open, publish, school, shelf, work_off};

#[tokio::main]
#[allow(clippy::print_stdout, reason = "what it has to say")]
async fn main() -> anyhow::Result<()> {
    let folder = std::env::args_os().nth(1).map(PathBuf::from);
    let app = open(&folder.context("in which folder?")?)?;
    let ctx = context(&app, school(&app).await?);
    let leaflet = Leaflet {
        name: "Clean hands".to_owned(),
        text: "Wash them for **20 seconds**.".to_owned(),
    };
    let own = ctx.clone();
    app.store
        .write(move |tx| publish(tx, &own, &leaflet))
        .await?;
    work_off(&app).await?;
    for name in app.read(move |tx| shelf(tx, &ctx)).await? {
        println!("{name}");
    }
    app.store.close().await;
    Ok(())
}
