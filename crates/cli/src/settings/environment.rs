//! What of the environment is read, and that nothing else is said there to us.

use anyhow::bail;
use clap::{Arg, Command, CommandFactory};

/// Everything that the environment can say: settings of the service, and what single commands take.
pub fn read_from_environment(command: &Command) -> impl Iterator<Item = &Arg> {
    let own = command.get_subcommands().flat_map(Command::get_arguments);
    let all = command.get_arguments().chain(own);
    all.filter(|argument| argument.get_env().is_some())
}

/// Refuses a `LYCEUM_*` variable that nobody reads: a mistyped setting would silently not be set.
///
/// # Errors
/// Naming the variable and its nearest neighbour.
pub fn refuse_unknown<C: CommandFactory>(
    names: impl Iterator<Item = String>,
) -> anyhow::Result<()> {
    let command = C::command();
    let known: Vec<&str> = read_from_environment(&command)
        .filter_map(|arg| arg.get_env()?.to_str())
        .collect();
    for name in names.filter(|name| name.starts_with("LYCEUM_")) {
        if known.contains(&name.as_str()) || name.starts_with("LYCEUM_TEST_") {
            continue;
        }
        let nearest = known
            .iter()
            .min_by_key(|known| strsim::levenshtein(known, &name));
        bail!(
            "{name} is not a setting; did you mean {}?",
            nearest.unwrap_or(&"LYCEUM_LISTEN")
        );
    }
    Ok(())
}
