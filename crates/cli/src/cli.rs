//! The command line.

use std::process::ExitCode;
use std::time::Duration;

use anyhow::Context;
use clap::{ArgAction, CommandFactory, FromArgMatches, Parser, Subcommand};
use tracing_subscriber::EnvFilter;

use crate::backup::{self, BackupArguments};
use crate::doctor::{self, DoctorArguments};
use crate::domains::{self, DomainsCommand};
use crate::eval::{self, EvalCommand};
use crate::export::{self, ExportArguments};
use crate::fsck::{self, FsckArguments};
use crate::health::{self, HealthArguments};
use crate::import::{self, ImportArguments};
use crate::keys::{self, KeysCommand};
use crate::mail::{self, MailCommand};
use crate::migrate::{self, MigrateArguments};
use crate::reference::{self, CompletionsArguments, ManArguments};
use crate::restore::{self, RestoreArguments};
use crate::rotate::{self, RotateArguments};
use crate::settings::{Settings, refuse_unknown};
use crate::sign_in::{self, SignInArguments};
use crate::verify_grades::{self, VerifyGradesArguments};
use crate::{bootstrap, serve};
use lyceum_demo::{self as demo, DemoArguments};
use lyceum_service::assemble::assemble;
use lyceum_service::log::Log;
use lyceum_service::private;
use lyceum_terminal::interruption::Interrupted;
use lyceum_terminal::say;

/// A learning-platform backend: author courses, run them for cohorts, export them as SCORM, grade with AI
/// that shows its evidence, tell the world by signed webhooks.
#[derive(Parser)]
#[command(name = "lyceum", version)]
pub struct Lyceum {
    #[command(subcommand)]
    command: Option<Command>,
    #[command(flatten)]
    settings: Settings,
    /// Print help with all settings of the service.
    #[arg(long, global = true, action = ArgAction::Help)]
    help_settings: Option<bool>,
}

/// The flag that shows what `--help` leaves out.
const HELP_SETTINGS: &str = "--help-settings";

impl Lyceum {
    /// What was asked for; a mistake, or a wish for help, ends the process.
    fn of_the_command_line() -> Self {
        let asks_for_settings = std::env::args_os().any(|argument| argument == HELP_SETTINGS);
        let matches = helpful(Self::command(), asks_for_settings).get_matches();
        Self::from_arg_matches(&matches).unwrap_or_else(|error| error.exit())
    }
}

/// The command with its settings under a heading of their own, or with a line instead that says how to see them.
fn helpful(command: clap::Command, shows_settings: bool) -> clap::Command {
    let command = command.mut_args(|argument| {
        if argument.is_global_set() && argument.get_env().is_some() {
            argument
                .hide(!shows_settings)
                .help_heading("Settings of the service")
        } else {
            argument
        }
    });
    if shows_settings {
        return command;
    }
    let hint = "Every setting of the service is a flag too: see them with --help-settings.";
    let command = command.after_help(hint);
    command.mut_subcommands(move |below| below.after_help(hint))
}

#[derive(Subcommand)]
enum Command {
    /// Serve; what happens when no command is given.
    Serve,
    /// Make a workspace, its owner and a key that may do everything.
    Bootstrap {
        /// The owner's address.
        #[arg(long)]
        email: String,
        /// Name of the workspace.
        #[arg(long)]
        workspace: String,
        /// Code of its platform.
        #[arg(long)]
        code: String,
        /// Print one JSON document.
        #[arg(long)]
        json: bool,
    },
    /// Make, list and revoke API keys.
    Keys {
        #[command(subcommand)]
        command: KeysCommand,
    },
    /// Print a link by which a person signs in with a browser, once.
    SignIn(SignInArguments),
    /// Say which workspace's organisation has the addresses of a domain.
    Domains {
        #[command(subcommand)]
        command: DomainsCommand,
    },
    /// See whether mail arrives.
    Mail {
        #[command(subcommand)]
        command: MailCommand,
    },
    /// Bring the database up to date and stop.
    Migrate(MigrateArguments),
    /// Export a cohort's course from a running service as a SCORM package.
    Export(ExportArguments),
    /// Bring a course (Markdown) or people (CSV) into a running service; run twice, it makes nothing twice.
    Import(ImportArguments),
    /// Hold a grader against people before trusting it: agreement, cost, attacks.
    Eval {
        #[command(subcommand)]
        command: EvalCommand,
    },
    /// Recompute the receipts of all grades; fails where a grade history is not what was sealed.
    VerifyGrades(VerifyGradesArguments),
    /// Say what is wrong with this installation, and how to mend it.
    Doctor(DoctorArguments),
    /// Copy database and files into a folder, beside a running service; never the master key.
    Backup(BackupArguments),
    /// Make a backup the data of a service that is not running.
    Restore(RestoreArguments),
    /// Exchange the master key of a service that is not running.
    RotateMasterKey(RotateArguments),
    /// Check that what is stored keeps every promise; beside a running service or without one.
    Fsck(FsckArguments),
    /// Run the whole story against a temporary server: course, cohort, grading, package, webhook.
    Demo(DemoArguments),
    /// Ask the service of these settings whether it is ready; for health checks of containers.
    Health(HealthArguments),
    /// Print what a shell needs to complete commands and flags.
    Completions(CompletionsArguments),
    /// Print the manual, or write a page of each command into a folder.
    Man(ManArguments),
}

impl Command {
    /// Whether what it writes is the service's and nobody else's to read; else it is the caller's own.
    const fn keeps_data(&self) -> bool {
        match self {
            Self::Export(_)
            | Self::Import(_)
            | Self::Eval { .. }
            | Self::Completions(_)
            | Self::Man(_) => false,
            Self::Serve
            | Self::Bootstrap { .. }
            | Self::Keys { .. }
            | Self::SignIn(_)
            | Self::Domains { .. }
            | Self::Mail { .. }
            | Self::Migrate(_)
            | Self::VerifyGrades(_)
            | Self::Doctor(_)
            | Self::Backup(_)
            | Self::Restore(_)
            | Self::RotateMasterKey(_)
            | Self::Fsck(_)
            | Self::Demo(_)
            | Self::Health(_) => true,
        }
    }
}

/// What a check ends with that could not be made: 1 is for one that found something.
const NOT_CHECKED: u8 = 2;

/// Runs the command; 0 when it did what it should.
pub fn main() -> ExitCode {
    let arguments = Lyceum::of_the_command_line();
    if arguments.command.as_ref().is_none_or(Command::keeps_data) {
        private::keep();
    }
    let failure = if matches!(arguments.command, Some(Command::Fsck(_))) {
        ExitCode::from(NOT_CHECKED)
    } else {
        ExitCode::FAILURE
    };
    match run_to_the_end(arguments) {
        Ok(code) => told(code),
        Err(error) => {
            let failure = Interrupted::of(&error).map_or(failure, |it| it.exit_code().into());
            say::beside_in_passing(&format!("lyceum: {}", one_line(&format!("{error:#}"))));
            failure
        }
    }
}

/// How a command ends that did what it should, where what it said may have got nowhere: whoever asked for it must hear
/// of that. A service says what it says in passing, so it is none of those.
fn told(code: ExitCode) -> ExitCode {
    match say::untold() {
        Some(why) if code == ExitCode::SUCCESS => {
            say::beside_in_passing(&format!("lyceum: the output could not be written: {why}"));
            ExitCode::FAILURE
        }
        _ => code,
    }
}

/// What libraries say in several lines (libpq does), in one.
fn one_line(text: &str) -> String {
    let lines = text.lines().map(str::trim).filter(|line| !line.is_empty());
    lines.collect::<Vec<_>>().join(" ")
}

/// What is logged when nobody says: the start of the web server's own threads is nobody's business.
fn log_filter(settings: &Settings, command: &Command) -> String {
    let quiet = match command {
        Command::Demo(_)
        | Command::Export(_)
        | Command::Import(_)
        | Command::Eval { .. }
        | Command::VerifyGrades(_)
        | Command::Doctor(_)
        | Command::Backup(_)
        | Command::Restore(_)
        | Command::RotateMasterKey(_)
        | Command::Fsck(_)
        | Command::Health(_)
        | Command::Mail { .. }
        | Command::Completions(_)
        | Command::Man(_) => "warn",
        Command::Serve
        | Command::Bootstrap { .. }
        | Command::Keys { .. }
        | Command::SignIn(_)
        | Command::Domains { .. }
        | Command::Migrate(_) => "info,actix_server=warn",
    };
    settings.log.clone().unwrap_or_else(|| quiet.to_owned())
}

/// How long a thread that is still at work keeps an ended command waiting.
const LAST_WAIT: Duration = Duration::from_millis(500);
/// How long the last lines of the log may take.
const LAST_WORDS: Duration = Duration::from_secs(1);

fn run_to_the_end(arguments: Lyceum) -> anyhow::Result<ExitCode> {
    let runtime = tokio::runtime::Runtime::new().context("could not start threads")?;
    let mut log = None;
    let ended = runtime.block_on(run(arguments, &mut log));
    // What was broken off may stand in the middle of hard work that nobody wants any more.
    runtime.shutdown_timeout(LAST_WAIT);
    if let Some(log) = log {
        log.flush(LAST_WORDS);
    }
    ended
}

async fn run(arguments: Lyceum, log: &mut Option<Log>) -> anyhow::Result<ExitCode> {
    let Lyceum {
        command, settings, ..
    } = arguments;
    let command = command.unwrap_or(Command::Serve);
    refuse_unknown::<Lyceum>(std::env::vars().map(|(name, _)| name))?;
    let filter = EnvFilter::try_new(log_filter(&settings, &command)).context("LYCEUM_LOG")?;
    *log = Some(Log::start(filter, settings.log_format.into())?);
    match command {
        Command::Doctor(arguments) => return doctor::run(&settings, arguments).await,
        Command::Fsck(arguments) => return fsck::run(&settings, arguments).await,
        Command::Health(arguments) => return health::run(&settings, arguments).await,
        Command::Import(arguments) => return import::run(&arguments).await,
        Command::Completions(arguments) => reference::completions(Lyceum::command(), arguments),
        Command::Man(arguments) => reference::man(Lyceum::command(), &arguments),
        Command::Backup(arguments) => backup::run(&settings, &arguments).await,
        Command::Restore(arguments) => restore::run(&settings, &arguments).await,
        Command::RotateMasterKey(arguments) => rotate::run(&settings, arguments).await,
        Command::Serve => serve::run(&settings).await,
        Command::Bootstrap {
            email,
            workspace,
            code,
            json,
        } => {
            let decided = settings.decided()?;
            let key = decided.bootstrap_key.clone();
            let app = assemble(&decided)?.app;
            bootstrap::explicitly(&app, &email, &workspace, &code, key, json).await
        }
        Command::Keys { command } => keys::run(&assemble(&settings.decided()?)?.app, command).await,
        Command::SignIn(arguments) => {
            sign_in::run(&assemble(&settings.decided()?)?.app, &arguments).await
        }
        Command::Domains { command } => {
            domains::run(&assemble(&settings.decided()?)?.app, command).await
        }
        Command::Mail { command } => mail::run(&settings, command).await,
        Command::Migrate(arguments) => migrate::run(&settings, arguments).await,
        Command::Export(arguments) => export::run(&arguments).await,
        Command::Eval { command } => eval::run(&settings, command).await,
        Command::VerifyGrades(arguments) => verify_grades::run(&settings, &arguments).await,
        Command::Demo(arguments) => demo::run(&settings.decided()?, &arguments).await,
    }?;
    Ok(ExitCode::SUCCESS)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::settings::read_from_environment;

    fn settings(flags: &[&str]) -> Settings {
        let arguments = ["lyceum"].iter().chain(flags);
        Lyceum::try_parse_from(arguments).unwrap().settings
    }

    #[test]
    fn requests_are_counted_unless_that_is_switched_off() {
        let limits = settings(&[]).api().rate_limits.unwrap();
        let figures = [
            limits.per_key,
            limits.per_address,
            limits.failures_per_address,
            limits.ai_per_workspace,
            limits.tutor_per_user,
            limits.launches_per_address,
            limits.launches_per_key,
            limits.launches_per_learner,
            limits.tenants.workspaces_per_person,
            limits.tenants.invitations,
        ];
        let told = [60_000, 600, 600, 600, 20, 1_200, 6_000, 20, 10, 6_000];
        assert_eq!(figures.map(u32::from), told);
        assert_eq!(limits.trusted_proxies, 0);
        let few = settings(&["--rate-limit-ai", "7"]).api().rate_limits;
        assert_eq!(few.unwrap().ai_per_workspace.get(), 7);
        let off = settings(&["--rate-limits", "off"]).api().rate_limits;
        assert!(off.is_none());
        let none = Lyceum::try_parse_from(["lyceum", "--rate-limit-key", "0"]);
        assert!(none.is_err(), "none at all is no limit that anybody wants");
    }

    #[test]
    fn help_is_of_the_command_first_and_of_the_settings_when_asked() {
        for name in ["backup", "fsck", "eval", "keys"] {
            let help = |all| {
                let mut command = helpful(Lyceum::command(), all);
                command.build();
                let below = command.find_subcommand_mut(name).unwrap();
                below.render_long_help().to_string()
            };
            let (short, long) = (help(false), help(true));
            assert!(
                !short.contains("LYCEUM_LISTEN") && short.contains("--help-settings"),
                "{short}"
            );
            assert!(short.lines().count() < 45, "{short}");
            assert!(
                long.contains("LYCEUM_LISTEN") && long.contains("LYCEUM_TLS_CERT"),
                "{long}"
            );
            let place = |text: &str| long.find(text).unwrap();
            assert!(
                place("Options:") < place("Settings of the service:"),
                "{long}"
            );
        }
        let whole = helpful(Lyceum::command(), false).render_help().to_string();
        assert!(
            !whole.contains("LYCEUM_LISTEN") && whole.contains("backup"),
            "{whole}"
        );
    }

    #[test]
    fn the_handbook_tells_the_defaults() {
        let handbook = include_str!("../../../docs/operations.md");
        for argument in read_from_environment(&Lyceum::command()) {
            let defaults = argument.get_default_values();
            let (Some(name), [default]) = (argument.get_env(), defaults) else {
                continue;
            };
            let (name, default) = (name.display(), default.display());
            let row = format!("| `{name}` | `{default}` |");
            assert!(handbook.contains(&row), "{row}");
        }
    }

    #[test]
    fn the_handbook_lists_every_setting_and_no_other() {
        let handbook = include_str!("../../../docs/operations.md");
        let command = Lyceum::command();
        let settings = read_from_environment(&command);
        let known: Vec<&str> = settings.filter_map(|arg| arg.get_env()?.to_str()).collect();
        for setting in &known {
            assert!(
                handbook.contains(&format!("| `{setting}` |")),
                "{setting} is missing"
            );
        }
        let listed = handbook
            .lines()
            .filter_map(|line| line.strip_prefix("| `LYCEUM_")?.split('`').next());
        for setting in listed {
            assert!(
                known.contains(&format!("LYCEUM_{setting}").as_str()),
                "LYCEUM_{setting}"
            );
        }
    }
}
