//! `lyceum completions` and `lyceum man`: the command line, for shells and for people who read manuals. Both are made
//! from the same table that reads the arguments.

use std::io::Write;
use std::path::PathBuf;

use anyhow::Context;
use clap::{Command, CommandFactory};
use clap_complete::Shell;

use crate::cli::Lyceum;

/// Which shell.
#[derive(Debug, Clone, Copy, clap::Args)]
pub struct CompletionsArguments {
    /// The shell that completes.
    #[arg(value_enum)]
    shell: Shell,
}

/// Where the pages go.
#[derive(Debug, clap::Args)]
pub struct ManArguments {
    /// Folder for a page of each command; without it, the page of `lyceum` itself goes to the output.
    #[arg(short, long, value_name = "DIR")]
    output: Option<PathBuf>,
}

/// Prints what the shell reads.
///
/// # Errors
/// If it cannot be written.
pub fn completions(arguments: CompletionsArguments) -> anyhow::Result<()> {
    let mut script = Vec::new();
    clap_complete::generate(
        arguments.shell,
        &mut Lyceum::command(),
        "lyceum",
        &mut script,
    );
    Ok(std::io::stdout().write_all(&script)?)
}

/// Writes the manual.
///
/// # Errors
/// If it cannot be written.
pub fn man(arguments: &ManArguments) -> anyhow::Result<()> {
    let command = whole();
    let Some(folder) = &arguments.output else {
        let mut page = Vec::new();
        clap_mangen::Man::new(command).render(&mut page)?;
        return Ok(std::io::stdout().write_all(&page)?);
    };
    let written =
        std::fs::create_dir_all(folder).and_then(|()| clap_mangen::generate_to(command, folder));
    written.with_context(|| format!("could not write to {}", folder.display()))
}

/// The command with what is only worked out when it is used.
fn whole() -> Command {
    let mut command = Lyceum::command().disable_help_subcommand(true);
    command.build();
    command
}
