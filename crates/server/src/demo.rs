//! Being written.
use crate::settings::Settings;
/// Arguments.
#[derive(Debug, clap::Args)]
pub struct DemoArguments {}
/// Runs.
pub async fn run(_: &Settings, _: &DemoArguments) -> anyhow::Result<()> {
    Ok(())
}
