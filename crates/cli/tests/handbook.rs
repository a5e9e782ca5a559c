//! What the handbook says of commands and their arguments is what their own table says.
#![allow(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

use std::fmt::Write;

use clap::{Arg, Command, CommandFactory};
use lyceum_cli::cli::Lyceum;
use lyceum_cli::reference::whole;

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
    let whole = whole(Lyceum::command());
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
