//! `lyceum completions` and `lyceum man`: the command line, for shells and for people who read manuals. Both are made
//! from the same table that reads the arguments.

use std::path::PathBuf;

use anyhow::Context;
use clap::Command;
use clap_complete::Shell;

use lyceum_terminal::say;

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
pub fn completions(mut of: Command, arguments: CompletionsArguments) -> anyhow::Result<()> {
    let mut script = Vec::new();
    clap_complete::generate(arguments.shell, &mut of, "lyceum", &mut script);
    say!("{}", String::from_utf8(script)?.trim_end());
    Ok(())
}

/// Writes the manual.
///
/// # Errors
/// If it cannot be written.
pub fn man(of: Command, arguments: &ManArguments) -> anyhow::Result<()> {
    let command = whole(of);
    let Some(folder) = &arguments.output else {
        let mut page = Vec::new();
        clap_mangen::Man::new(command).render(&mut page)?;
        say!("{}", String::from_utf8(page)?.trim_end());
        return Ok(());
    };
    let written =
        std::fs::create_dir_all(folder).and_then(|()| clap_mangen::generate_to(command, folder));
    written.with_context(|| format!("could not write to {}", folder.display()))
}

/// The command with what is only worked out when it is used.
pub fn whole(of: Command) -> Command {
    let mut command = of.disable_help_subcommand(true);
    command.build();
    command
}
