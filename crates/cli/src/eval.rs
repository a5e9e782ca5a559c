//! `lyceum eval`: how well a grader agrees with people, what it costs and what it falls for.
//!
//! Here are the command line and the terminal; what is measured is `lyceum-eval`'s business.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use anyhow::{Context, bail};
use clap::{Subcommand, ValueEnum};
use lyceum_ai::ProviderSettings;
use lyceum_domain::money::MicroUsd;
use lyceum_eval::asking::{Asker, Engine, Stop, Terms};
use lyceum_eval::cache::Cache;
use lyceum_eval::gates::Requirement;
use serde::Serialize;
use serde::de::DeserializeOwned;

use crate::settings::Settings;
use lyceum_terminal::interruption::Interruption;
use lyceum_terminal::{say, say_beside};

mod anchors;
mod compare;
mod grade;
mod injections;
mod release;
mod said;
mod tricks;

/// What is evaluated.
#[derive(Subcommand)]
pub enum EvalCommand {
    /// Grade answers that people graded, and hold the two against each other.
    Grade(grade::GradeArguments),
    /// Grade submissions that try to talk the grader into points.
    Injections(injections::InjectionArguments),
    /// Play tricks against word matching, made of a data set's own answers, and count how many pass unseen.
    Tricks(tricks::TrickArguments),
    /// Try for certificates on answers that people graded, many times over: how often they are earned, what goes out, how often a promise
    /// is broken.
    Release(release::ReleaseArguments),
    /// Say how AI and the teacher of an assignment agree on what was graded blind, and what to grade next.
    Anchors(anchors::AnchorArguments),
    /// Put two reports of `eval grade` side by side.
    Compare(compare::CompareArguments),
}

/// Who grades.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum ProviderChoice {
    /// The built-in engine: nothing leaves this machine.
    Builtin,
    /// The one that the service's settings name.
    Configured,
}

/// How a grader is asked.
#[derive(Debug, clap::Args)]
pub struct AskingArguments {
    /// Who grades.
    #[arg(long, value_enum, default_value = "configured")]
    provider: ProviderChoice,

    /// The model to ask; the provider's own when absent.
    #[arg(long)]
    model: Option<String>,

    /// Most US dollars to spend; needs the provider's prices. Then one answer is asked for after the other.
    #[arg(long, value_name = "USD", value_parser = dollars)]
    budget: Option<MicroUsd>,

    /// How many answers are asked for at once.
    #[arg(long, value_name = "N", default_value_t = 4)]
    at_once: usize,

    /// Folder in which a provider's answers are kept, so that none is paid for twice.
    #[arg(long, value_name = "FOLDER")]
    cache: Option<PathBuf>,

    /// Go on where an earlier run stopped; this is what happens anyway.
    #[arg(long, conflicts_with = "fresh")]
    resume: bool,

    /// Ask for everything anew, also for what is kept.
    #[arg(long)]
    fresh: bool,
}

/// Runs the command; an error where a `--require` is not met.
///
/// # Errors
/// What cannot be read, asked or written, and what fell below what was required.
pub async fn run(settings: &Settings, command: EvalCommand) -> anyhow::Result<()> {
    match command {
        EvalCommand::Grade(arguments) => grade::run(settings, arguments).await,
        EvalCommand::Injections(arguments) => injections::run(settings, arguments).await,
        EvalCommand::Tricks(arguments) => tricks::run(settings, arguments).await,
        EvalCommand::Release(arguments) => release::run(settings, arguments).await,
        EvalCommand::Anchors(arguments) => anchors::run(&arguments).await,
        EvalCommand::Compare(arguments) => compare::run(&arguments),
    }
}

/// A grader, asked as the arguments say; the first Ctrl-C stops it after the answers under way, the second at once.
fn asker(
    settings: &Settings,
    arguments: &AskingArguments,
    interruption: &Interruption,
) -> anyhow::Result<Asker> {
    let provider = match arguments.provider {
        ProviderChoice::Builtin => ProviderSettings::Builtin,
        ProviderChoice::Configured => settings.ai.provider()?,
    };
    let provider = lyceum_ai::provider(provider).context("could not set up the AI provider")?;
    let model = arguments.model.as_deref().unwrap_or_default();
    let Some(engine) = Engine::new(provider, &address(settings), model) else {
        bail!("the provider may not ask the model {model}");
    };
    let cache = if engine.resolved.built_in {
        None
    } else {
        let folder = cache_folder(arguments);
        let cache = Cache::open(&folder, arguments.fresh);
        Some(cache.with_context(|| format!("--cache {}", folder.display()))?)
    };
    let interrupted = Arc::new(AtomicBool::new(false));
    watch_for_interruption(interruption.clone(), Arc::clone(&interrupted));
    let terms = Terms {
        cache,
        budget: arguments.budget,
        at_once: arguments.at_once,
        interrupted,
    };
    Ok(Asker::new(engine, terms))
}

/// Where the provider is, without anything secret that an address may carry.
fn address(settings: &Settings) -> String {
    let word = settings.ai.choice.to_possible_value();
    let word = word.map_or_else(String::new, |word| word.get_name().to_owned());
    let Some(given) = &settings.ai.base_url else {
        return word;
    };
    url::Url::parse(given).map_or(word, |mut url| {
        url.set_query(None);
        // An address that cannot carry these has none.
        let _ = url.set_username("");
        let _ = url.set_password(None);
        url.to_string()
    })
}

fn cache_folder(arguments: &AskingArguments) -> PathBuf {
    arguments.cache.clone().unwrap_or_else(|| {
        let own = std::env::var_os("XDG_CACHE_HOME").map(PathBuf::from);
        let home = || Some(PathBuf::from(std::env::var_os("HOME")?).join(".cache"));
        let folder = own.filter(|folder| folder.is_absolute()).or_else(home);
        folder
            .unwrap_or_else(std::env::temp_dir)
            .join("lyceum")
            .join("eval")
    })
}

/// Raises the flag that the evaluation looks at between two answers.
fn watch_for_interruption(interruption: Interruption, raised: Arc<AtomicBool>) {
    tokio::spawn(async move {
        interruption.asked().await;
        raised.store(true, Ordering::Relaxed);
    });
}

/// An amount of dollars, such as `2.50`.
fn dollars(text: &str) -> Result<MicroUsd, String> {
    let wrong = || format!("{text} is not an amount of dollars such as 2.50");
    let (whole, part) = text.split_once('.').unwrap_or((text, ""));
    if part.len() > 6 || !part.bytes().all(|byte| byte.is_ascii_digit()) {
        return Err(wrong());
    }
    let whole: u64 = whole.parse().map_err(|_| wrong())?;
    let part: u64 = format!("{part:0<6}").parse().map_err(|_| wrong())?;
    let millionths = whole
        .checked_mul(1_000_000)
        .and_then(|all| all.checked_add(part));
    millionths.map(MicroUsd::new).ok_or_else(wrong)
}

/// Where a report goes.
#[derive(Debug, clap::Args)]
pub struct ReportArguments {
    /// Where the report goes; to the output when absent.
    #[arg(long, value_name = "FILE")]
    out: Option<PathBuf>,

    /// Print the report as one JSON document, also where a file is named.
    #[arg(long)]
    json: bool,
}

impl ReportArguments {
    /// Writes a report where it shall go.
    fn write(&self, report: &impl Serialize) -> anyhow::Result<()> {
        let text = serde_json::to_string_pretty(report)?;
        if let Some(file) = &self.out {
            write_file(file, &text)?;
        }
        if self.json || self.out.is_none() {
            say!("{text}");
        }
        Ok(())
    }
}

fn write_file(file: &Path, text: &str) -> anyhow::Result<()> {
    std::fs::write(file, text).with_context(|| format!("{}", file.display()))
}

fn read_json<T: DeserializeOwned>(file: &Path) -> anyhow::Result<T> {
    let named = || format!("{}", file.display());
    let text = std::fs::read(file).with_context(named)?;
    serde_json::from_slice(&text).with_context(named)
}

/// Refuses what falls below what was required.
fn hold_to(
    requirements: &[Requirement],
    value_of: impl Fn(&str) -> Option<Option<f64>>,
) -> anyhow::Result<()> {
    for requirement in requirements {
        let Some(value) = value_of(&requirement.name) else {
            bail!("--require: there is no figure {}", requirement.name);
        };
        if !requirement.met(value) {
            let value = value.map_or_else(|| "nothing".to_owned(), |value| value.to_string());
            let Requirement { name, limit } = requirement;
            bail!("{name} is {value}, and {limit} is required");
        }
    }
    Ok(())
}

/// Says why a run stopped early; what is done stands in the report.
///
/// # Errors
/// [`Interrupted`](lyceum_terminal::interruption::Interrupted) where that is why.
fn tell_stop(stop: Option<&Stop>, interruption: &Interruption) -> anyhow::Result<()> {
    let advice = "the same command goes on from here";
    let sentence = match stop {
        None => return Ok(()),
        Some(Stop::Budget(why)) => format!("stopped at the budget: {why}"),
        Some(Stop::Unavailable(why)) => format!("stopped, because nobody answers: {why}"),
        Some(Stop::Cache(why)) => format!("stopped, because answers cannot be kept: {why}"),
        Some(Stop::Interrupted) => {
            let says = format!("what was graded so far is in the report; {advice}");
            return Ok(interruption.check().map_err(|it| it.saying(says))?);
        }
    };
    say_beside!("{sentence}; {advice}");
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dollars_are_read_to_the_millionth() {
        assert_eq!(dollars("2.5"), Ok(MicroUsd::new(2_500_000)));
        assert_eq!(dollars("0.000001"), Ok(MicroUsd::new(1)));
        for wrong in ["", "-1", "1.2345678", "1,5", "two"] {
            assert!(dollars(wrong).is_err(), "{wrong}");
        }
    }

    #[test]
    fn what_is_required_must_be_there_and_be_reached() {
        let required = |text: &str| vec![text.parse::<Requirement>().unwrap()];
        let figures = |name: &str| match name {
            "qwk" => Some(Some(0.65)),
            "smd" => Some(Some(-0.2)),
            "auroc" => Some(None),
            _ => None,
        };
        assert!(hold_to(&required("qwk=0.6"), figures).is_ok());
        assert!(hold_to(&required("qwk=0.7"), figures).is_err());
        assert!(hold_to(&required("smd=0.25"), figures).is_ok());
        assert!(hold_to(&required("smd=0.15"), figures).is_err());
        assert!(hold_to(&required("auroc=0.5"), figures).is_err());
        assert!(hold_to(&required("kwk=0.6"), figures).is_err());
    }
}
