//! Settings that are one of a few words.

use clap::ValueEnum;
use lyceum_service::log;

/// Whether requests are counted against limits.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum RateLimits {
    /// They are.
    On,
    /// They are not.
    Off,
}

/// Whether packages carry the files that a course refers to.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum ScormMedia {
    /// They are fetched while a package is made.
    Fetch,
    /// Nothing is asked of anybody.
    Off,
}

/// Whether the SQLite file may be on another machine.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum DataOnNetwork {
    /// It may not.
    Refuse,
    /// It may, on the operator's own responsibility.
    Allow,
}

/// How a line of the log is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum LogFormat {
    /// For people.
    #[value(alias = "pretty")]
    Text,
    /// A JSON object, for collectors.
    Json,
}

impl From<LogFormat> for log::LogFormat {
    fn from(format: LogFormat) -> Self {
        match format {
            LogFormat::Text => Self::Text,
            LogFormat::Json => Self::Json,
        }
    }
}
