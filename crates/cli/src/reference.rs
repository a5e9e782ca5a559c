//! `lyceum completions` and `lyceum man`: the command line, for shells and for people who read manuals. Both are made
//! from the same table that reads the arguments.

use std::path::PathBuf;

use anyhow::Context;
use clap::{Command, CommandFactory};
use clap_complete::Shell;

use crate::cli::Lyceum;
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
pub fn completions(arguments: CompletionsArguments) -> anyhow::Result<()> {
    let mut script = Vec::new();
    clap_complete::generate(
        arguments.shell,
        &mut Lyceum::command(),
        "lyceum",
        &mut script,
    );
    say!("{}", String::from_utf8(script)?.trim_end());
    Ok(())
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
        say!("{}", String::from_utf8(page)?.trim_end());
        return Ok(());
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

#[cfg(test)]
mod tests {
    use std::fmt::Write;

    use clap::Arg;

    use super::*;

    /// Everything below this line of the page is what the arguments' own table says.
    const MARK: &str = "<!-- from the program's own table -->\n";

    /// A command and those below it, as the page shows them.
    fn told(command: &Command, above: &str, page: &mut String) {
        let name = format!("{above}{}", command.get_name());
        let arguments: Vec<&Arg> = command
            .get_arguments()
            .filter(|it| !it.is_global_set() && !matches!(it.get_id().as_str(), "help" | "version"))
            .collect();
        let about = command.get_about().map(ToString::to_string);
        write!(page, "\n### `{name}`\n\n{}\n", about.unwrap()).unwrap();
        if !arguments.is_empty() {
            page.push_str("\n| Argument | Default | |\n|---|---|---|\n");
        }
        for argument in arguments {
            row(argument, page);
        }
        for below in command.get_subcommands() {
            told(below, &format!("{name} "), page);
        }
    }

    fn row(argument: &Arg, page: &mut String) {
        let form = argument.to_string();
        let default = argument.get_default_values().first();
        let default = default.filter(|_| argument.get_action().takes_values());
        let default = default.map(|value| format!("`{}`", value.display()));
        let help = argument.get_help().unwrap().to_string();
        let help = help.replace('|', "\\|");
        let variable = argument
            .get_env()
            .map(|name| format!(" (`{}`)", name.display()));
        let (default, variable) = (default.unwrap_or_default(), variable.unwrap_or_default());
        writeln!(page, "| `{form}` | {default} | {help}{variable} |").unwrap();
    }

    #[test]
    fn the_handbook_lists_every_command_with_its_arguments() {
        let mut page = String::new();
        let whole = whole();
        for command in whole.get_subcommands() {
            told(command, "lyceum ", &mut page);
        }
        let handbook = include_str!("../../../docs/cli.md");
        let (by_hand, listed) = handbook.split_once(MARK).unwrap();
        assert_eq!(listed, page, "docs/cli.md must say:\n{page}");
        for command in whole.get_subcommands() {
            let named = format!("`{}`", command.get_name());
            let is_told = by_hand
                .lines()
                .any(|line| line.starts_with('|') && line.contains(&named));
            assert!(is_told, "which codes does {named} end with?");
        }
    }
}
