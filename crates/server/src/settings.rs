//! Everything an operator can set: by environment variable, or by the flag of the same name.

mod ai;
mod edge;
pub mod spending;
mod tenants;
mod traces;

use std::net::SocketAddr;
use std::num::NonZeroU32;
use std::path::PathBuf;
use std::time::Duration;

use anyhow::{Context, bail};
use clap::{Arg, Args, Command, CommandFactory, FromArgMatches, ValueEnum};
use ipnet::IpNet;
use lyceum_api::ApiSettings;
use lyceum_api::edge::rate_limit::{LimitClock, RateLimits as Limits};
use lyceum_api::http::response::Origins;
use lyceum_domain::exporting::scorm::RuntimeBaseUrl;
use lyceum_domain::identity::keys::ApiKeySecret;
use lyceum_domain::notifying::deliveries::DeliverySchedule;
use lyceum_store::{DatabaseUrl, SpaceSettings};
use url::Url;

use crate::listener::crowd::PerAddress;
pub use ai::{AiChoice, AiSettings};

pub use edge::EdgeSettings;
pub use spending::SpendingSettings;
pub use tenants::TenantSettings;
pub use traces::TraceSettings;

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

/// Settings of the service. Without any, it serves SQLite in `./lyceum-data` on 127.0.0.1:8080.
///
/// It holds keys, so nothing shows it: it has no `Debug`.
#[derive(Clone, Args)]
pub struct Settings {
    /// Address to listen on.
    #[arg(
        long,
        env = "LYCEUM_LISTEN",
        default_value = "127.0.0.1:8080",
        global = true
    )]
    pub listen: SocketAddr,

    /// How callers reach the service.
    #[command(flatten)]
    pub edge: EdgeSettings,

    #[command(flatten)]
    pub tenants: TenantSettings,

    /// Address for metrics (`/metrics`) and health, apart from the callers' one; not served when absent.
    #[arg(long, env = "LYCEUM_ADMIN_ADDR", global = true)]
    pub admin_addr: Option<SocketAddr>,

    /// Whether requests are counted against limits.
    #[arg(
        long,
        env = "LYCEUM_RATE_LIMITS",
        value_enum,
        default_value = "on",
        global = true
    )]
    pub rate_limits: RateLimits,

    /// Requests per minute of one key.
    #[arg(
        long,
        env = "LYCEUM_RATE_LIMIT_KEY",
        default_value = "60000",
        global = true
    )]
    pub rate_limit_key: NonZeroU32,

    /// Requests per minute of one address, on routes that need no key.
    #[arg(
        long,
        env = "LYCEUM_RATE_LIMIT_IP",
        default_value = "600",
        global = true
    )]
    pub rate_limit_ip: NonZeroU32,

    /// Requests per minute of one address with a key that does not open, before it is turned away.
    #[arg(
        long,
        env = "LYCEUM_RATE_LIMIT_FAILURES",
        default_value = "600",
        global = true
    )]
    pub rate_limit_failures: NonZeroU32,

    /// Requests per minute of the staff of one workspace, on routes that spend AI.
    #[arg(
        long,
        env = "LYCEUM_RATE_LIMIT_AI",
        default_value = "600",
        global = true
    )]
    pub rate_limit_ai: NonZeroU32,

    /// Messages to the tutor a minute of one user.
    #[arg(
        long,
        env = "LYCEUM_RATE_LIMIT_TUTOR",
        default_value = "20",
        global = true
    )]
    pub rate_limit_tutor: NonZeroU32,

    /// Launches of SCORM packages a minute from one address: a whole school may have one.
    #[arg(
        long,
        env = "LYCEUM_RATE_LIMIT_LAUNCHES",
        default_value = "1200",
        global = true
    )]
    pub rate_limit_launches: NonZeroU32,

    /// Launches a minute with the launch key of one SCORM package.
    #[arg(
        long,
        env = "LYCEUM_RATE_LIMIT_LAUNCH_KEY",
        default_value = "6000",
        global = true
    )]
    pub rate_limit_launch_key: NonZeroU32,

    /// Launches a minute of one learner of a SCORM package.
    #[arg(
        long,
        env = "LYCEUM_RATE_LIMIT_LEARNER",
        default_value = "20",
        global = true
    )]
    pub rate_limit_learner: NonZeroU32,

    /// How many proxies stand before the service and add to `X-Forwarded-For`; without any it is not read.
    #[arg(
        long,
        env = "LYCEUM_TRUSTED_PROXIES",
        default_value = "0",
        global = true
    )]
    pub trusted_proxies: u8,

    /// Folder for the database, packages and the master key.
    #[arg(
        long,
        env = "LYCEUM_DATA_DIR",
        default_value = "./lyceum-data",
        global = true
    )]
    pub data_dir: PathBuf,

    /// What this node is called; one at a time has a name, and whoever starts under it takes over from one that is gone.
    #[arg(long, env = "LYCEUM_NODE_NAME", global = true)]
    pub node_name: Option<String>,

    /// Seconds between saying that this node stops (`/readyz`) and turning callers away; 2 on PostgreSQL, where others
    /// go on, and 0 on SQLite when absent.
    #[arg(long, env = "LYCEUM_DRAIN_SECONDS", global = true)]
    pub drain_seconds: Option<u8>,

    /// Whether SQLite may run in a folder on a network file system, whose locks and syncs it cannot trust.
    #[arg(
        long,
        env = "LYCEUM_DATA_ON_NETWORK",
        value_enum,
        default_value = "refuse",
        global = true
    )]
    pub data_on_network: DataOnNetwork,

    /// MiB that must be free on the disk of the SQLite file; below, new writes are refused. 0 never refuses.
    #[arg(
        long,
        env = "LYCEUM_MIN_FREE_MIB",
        default_value = "256",
        global = true
    )]
    pub min_free_mib: u32,

    /// MiB kept beside the SQLite file for when the disk is full nevertheless; 0 keeps none.
    #[arg(long, env = "LYCEUM_RESERVE_MIB", default_value = "64", global = true)]
    pub reserve_mib: u32,

    /// `sqlite://FILE` or `postgres://…`; SQLite in the data folder when absent.
    #[arg(
        long,
        env = "LYCEUM_DATABASE_URL",
        hide_env_values = true,
        global = true
    )]
    pub database_url: Option<String>,

    /// Connections to PostgreSQL at most; with SQLite, readers that are kept open.
    #[arg(
        long,
        env = "LYCEUM_DATABASE_CONNECTIONS",
        default_value = "16",
        global = true
    )]
    pub database_connections: NonZeroU32,

    /// Address at which callers reach this service; `http://LISTEN` when absent, `https://LISTEN` with a certificate.
    #[arg(long, env = "LYCEUM_PUBLIC_URL", global = true)]
    pub public_url: Option<String>,

    /// Who drafts and judges.
    #[command(flatten)]
    pub ai: AiSettings,

    /// What callers may make the service spend and keep.
    #[command(flatten)]
    pub spending: SpendingSettings,

    /// Where packages are kept: `file:///FOLDER` (in the data folder when absent) or `s3://BUCKET/PREFIX`.
    #[arg(long, env = "LYCEUM_BLOBS_URL", global = true)]
    pub blobs_url: Option<String>,

    /// Waits before each webhook attempt, in seconds separated by commas; `0,5,300,1800,7200,18000,36000,36000` when absent.
    #[arg(long, env = "LYCEUM_WEBHOOK_SCHEDULE", global = true)]
    pub webhook_schedule: Option<String>,

    /// Days in which what was deleted can come back from the trash.
    #[arg(
        long,
        env = "LYCEUM_TRASH_DAYS",
        value_name = "DAYS",
        default_value_t = 30,
        value_parser = clap::value_parser!(u16).range(1..=3650),
        global = true
    )]
    pub trash_days: u16,

    /// Private networks that webhooks may reach, such as `10.20.0.0/16`, separated by commas.
    #[arg(
        long,
        env = "LYCEUM_WEBHOOK_ALLOWED_CIDRS",
        value_delimiter = ',',
        global = true
    )]
    pub webhook_allowed_cidrs: Vec<IpNet>,

    /// Whether SCORM packages carry the pictures, recordings and captions that a course refers to.
    #[arg(
        long,
        env = "LYCEUM_SCORM_MEDIA",
        value_enum,
        default_value = "fetch",
        global = true
    )]
    pub scorm_media: ScormMedia,

    /// Private networks that those files may be fetched from, such as `10.20.0.0/16`, separated by commas.
    #[arg(
        long,
        env = "LYCEUM_MEDIA_ALLOWED_CIDRS",
        value_delimiter = ',',
        global = true
    )]
    pub media_allowed_cidrs: Vec<IpNet>,

    /// File with the key that secrets are encrypted with; made in the data folder when absent.
    #[arg(long, env = "LYCEUM_MASTER_KEY_FILE", global = true)]
    pub master_key_file: Option<PathBuf>,

    /// Folder that a backup is taken in every night at 03:00 UTC; none is taken when absent. Seven are kept.
    #[arg(long, env = "LYCEUM_BACKUP_DIR", global = true)]
    pub backup_dir: Option<PathBuf>,

    /// Origins whose pages may read answers, separated by commas; every origin when absent.
    #[arg(
        long,
        env = "LYCEUM_CORS_ORIGINS",
        value_delimiter = ',',
        global = true
    )]
    pub cors_origins: Vec<String>,

    /// What is logged, such as `debug` or `lyceum_api=debug`; `info` when absent, and only warnings in a demo.
    #[arg(long, env = "LYCEUM_LOG", global = true)]
    pub log: Option<String>,

    /// How a line of the log is written.
    #[arg(
        long,
        env = "LYCEUM_LOG_FORMAT",
        value_enum,
        default_value = "text",
        global = true
    )]
    pub log_format: LogFormat,

    /// Whether traces are sent somewhere.
    #[command(flatten)]
    pub traces: TraceSettings,

    /// The key that the first start uses instead of making one.
    #[arg(
        long,
        env = "LYCEUM_BOOTSTRAP_API_KEY",
        hide_env_values = true,
        global = true
    )]
    pub bootstrap_api_key: Option<String>,
}

impl Settings {
    /// Settings for a service inside a process of one's own: flags as `lyceum serve` takes them, such as `--data-dir`;
    /// for what they do not say, the environment and the defaults.
    ///
    /// # Errors
    /// If a flag or a variable is none of ours, or says what cannot be.
    pub fn from_flags<'a>(flags: impl IntoIterator<Item = &'a str>) -> Result<Self, clap::Error> {
        let command = Self::augment_args(Command::new("lyceum").no_binary_name(true));
        Self::from_arg_matches(&command.try_get_matches_from(flags)?)
    }

    /// The database.
    ///
    /// # Errors
    /// If it cannot be one.
    pub fn database(&self) -> anyhow::Result<DatabaseUrl> {
        match &self.database_url {
            Some(url) => DatabaseUrl::parse(url).context("LYCEUM_DATABASE_URL"),
            None => Ok(DatabaseUrl::Sqlite(self.data_dir.join("lyceum.db"))),
        }
    }

    /// How long a stopping node goes on letting callers in.
    pub fn drain(&self, is_alone: bool) -> Duration {
        let usually = if is_alone { 0 } else { 2 };
        Duration::from_secs(self.drain_seconds.unwrap_or(usually).into())
    }

    /// How much room is kept on the disk of a SQLite file.
    pub fn space(&self) -> SpaceSettings {
        const MIB: u64 = 1 << 20;
        SpaceSettings {
            reserve_bytes: u64::from(self.reserve_mib) * MIB,
            minimum_free_bytes: u64::from(self.min_free_mib) * MIB,
        }
    }

    /// The file of the master key.
    pub fn master_key_file(&self) -> PathBuf {
        let named = self.master_key_file.clone();
        named.unwrap_or_else(|| self.data_dir.join("master.key"))
    }

    /// Where callers reach the service.
    ///
    /// # Errors
    /// If it is not an absolute http(s) address.
    pub fn public_url(&self) -> anyhow::Result<RuntimeBaseUrl> {
        let url = self
            .public_url
            .clone()
            .unwrap_or_else(|| format!("{}://{}", self.edge.scheme(), self.listen));
        RuntimeBaseUrl::parse(&url).context("LYCEUM_PUBLIC_URL")
    }

    /// Where packages are kept.
    ///
    /// # Errors
    /// If the data folder has no absolute path.
    pub fn blobs_url(&self) -> anyhow::Result<String> {
        if let Some(url) = &self.blobs_url {
            return Ok(url.clone());
        }
        let folder = std::path::absolute(self.data_dir.join("blobs")).context("LYCEUM_DATA_DIR")?;
        let url = Url::from_file_path(&folder);
        url.map(String::from)
            .map_err(|()| anyhow::anyhow!("LYCEUM_DATA_DIR has no absolute path"))
    }

    /// When webhook deliveries are tried.
    ///
    /// # Errors
    /// If it is not a list of seconds.
    pub fn webhook_schedule(&self) -> anyhow::Result<DeliverySchedule> {
        match &self.webhook_schedule {
            Some(text) => DeliverySchedule::parse(text).context("LYCEUM_WEBHOOK_SCHEDULE"),
            None => Ok(DeliverySchedule::default()),
        }
    }

    /// Everything that is wrong with these settings, before anything is opened.
    ///
    /// # Errors
    /// With all of it in one sentence after the other.
    pub fn check(&self) -> anyhow::Result<()> {
        let said = [
            self.database().err(),
            self.public_url().err(),
            self.blobs().err(),
            self.webhook_schedule().err(),
            self.bootstrap_key().err(),
            self.ai.provider().err(),
            self.traces.refuse_what_is_not_built_in().err(),
        ];
        let said = said.into_iter().flatten();
        let said: Vec<String> = said.map(|error| format!("{error:#}")).collect();
        match said.as_slice() {
            [] => Ok(()),
            [one] => bail!("{one}"),
            several => bail!(
                "{} settings are wrong: {}",
                several.len(),
                several.join("; ")
            ),
        }
    }

    /// Whether files can be kept where they are to be; nothing is made or asked.
    fn blobs(&self) -> anyhow::Result<()> {
        lyceum_blobs::check(&self.blobs_url()?).context("LYCEUM_BLOBS_URL")
    }

    /// How long what was deleted can come back.
    pub fn trash_kept(&self) -> Duration {
        Duration::from_hours(24 * u64::from(self.trash_days))
    }

    /// The key that the first start uses.
    ///
    /// # Errors
    /// If it is not a key.
    pub fn bootstrap_key(&self) -> anyhow::Result<Option<ApiKeySecret>> {
        let parse = |text: &String| ApiKeySecret::parse(text).context("LYCEUM_BOOTSTRAP_API_KEY");
        self.bootstrap_api_key.as_ref().map(parse).transpose()
    }

    /// Settings of the edge.
    pub fn api(&self) -> ApiSettings {
        let origins = if self.cors_origins.is_empty() {
            Origins::All
        } else {
            Origins::Only(self.cors_origins.clone())
        };
        ApiSettings {
            origins,
            rate_limits: self.limits(),
            body_patience: self.edge.body_patience(),
            max_requests: self.edge.max_requests,
            shares: matches!(self.rate_limits, RateLimits::On).then(|| self.edge.shares()),
            is_secure: self.edge.tls_cert.is_some(),
        }
    }

    /// How many connections one address may have.
    pub fn per_address(&self) -> PerAddress {
        self.edge.per_address(self.trusted_proxies)
    }

    /// How much callers may ask for.
    fn limits(&self) -> Option<Limits> {
        match self.rate_limits {
            RateLimits::Off => None,
            RateLimits::On => Some(Limits {
                per_key: self.rate_limit_key,
                per_address: self.rate_limit_ip,
                failures_per_address: self.rate_limit_failures,
                ai_per_workspace: self.rate_limit_ai,
                ai_per_learners: self.spending.rate_limit_ai_learners,
                ai_per_package: self.spending.rate_limit_ai_package,
                tutor_per_user: self.rate_limit_tutor,
                launches_per_address: self.rate_limit_launches,
                launches_per_key: self.rate_limit_launch_key,
                launches_per_learner: self.rate_limit_learner,
                newcomers_per_package: self.spending.rate_limit_newcomers,
                written_per_learner: spending::kib(self.spending.rate_limit_written_mib),
                written_per_package: spending::kib(self.spending.rate_limit_written_package_mib),
                tenants: self.tenants.limits(),
                // On SQLite this process is the only one.
                shared: matches!(self.database(), Ok(DatabaseUrl::Postgres(_))),
                trusted_proxies: self.trusted_proxies,
                clock: LimitClock::default(),
            }),
        }
    }
}

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
