//! Everything an operator can set: by environment variable, or by the flag of the same name; and what is decided by it.

mod ai;
mod choices;
mod databases;
mod edge;
mod environment;
mod files;
mod mail;
pub mod spending;
mod tenants;
mod traces;

use std::net::SocketAddr;
use std::num::NonZeroU32;
use std::path::PathBuf;
use std::time::Duration;

use anyhow::{Context, bail};
use clap::{Args, Command, FromArgMatches};
use ipnet::IpNet;
use lyceum_api::ApiSettings;
use lyceum_api::edge::rate_limit::RateLimits as Limits;
use lyceum_api::http::response::Origins;
use lyceum_domain::exporting::scorm::RuntimeBaseUrl;
use lyceum_domain::identity::keys::ApiKeySecret;
use lyceum_domain::notifying::deliveries::DeliverySchedule;
use lyceum_service::serve::ListenerSettings;
use lyceum_service::settings::{InspectionSettings, MailSettings};
use lyceum_service::spending::UsualBudget;
use lyceum_service::traces::refuse_what_is_not_built_in;
use lyceum_service::{Settings as Decided, Storage};
use lyceum_store::SpaceSettings;

pub use ai::{AiChoice, AiSettings};
pub use choices::{DataOnNetwork, LogFormat, RateLimits, ScormMedia};
pub use environment::{read_from_environment, refuse_unknown};

pub use databases::DatabaseSettings;
pub use edge::EdgeSettings;
pub use files::FileSettings;
pub use mail::MailChoice;
pub use spending::SpendingSettings;
pub use tenants::TenantSettings;
pub use traces::TraceSettings;

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

    /// Which database.
    #[command(flatten)]
    pub database: DatabaseSettings,

    /// Address at which callers reach this service; `http://LISTEN` when absent, `https://LISTEN` with a certificate.
    #[arg(long, env = "LYCEUM_PUBLIC_URL", global = true)]
    pub public_url: Option<String>,

    /// Who drafts and judges.
    #[command(flatten)]
    pub ai: AiSettings,

    /// What callers may make the service spend and keep.
    #[command(flatten)]
    pub spending: SpendingSettings,

    /// Where packages and media are kept.
    #[command(flatten)]
    pub files: FileSettings,

    /// Waits before each webhook attempt, in seconds separated by commas; `0,5,300,1800,7200,18000,36000,36000` when absent.
    #[arg(long, env = "LYCEUM_WEBHOOK_SCHEDULE", global = true)]
    pub webhook_schedule: Option<String>,

    /// Where mail goes, and as whom.
    #[command(flatten)]
    pub mail: MailChoice,

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

    /// Host and port of a `ClamAV` daemon that looks at every upload, such as `127.0.0.1:3310`; nobody does when absent.
    /// While it does not answer, uploads wait, and end in `inspection_failed` where it stays away.
    #[arg(long, env = "LYCEUM_MEDIA_SCANNER", global = true)]
    pub media_scanner: Option<String>,

    /// Megapixels of the largest picture that is taken. Looking at one takes up to 12 MB of memory for each, one at a time.
    #[arg(
        long,
        env = "LYCEUM_MEDIA_MEGAPIXELS",
        default_value = "64",
        value_parser = clap::value_parser!(u16).range(1..=1_000),
        global = true
    )]
    pub media_megapixels: u16,

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
    /// Settings by flags as `lyceum serve` takes them, such as `--data-dir`; for what they do not say, by the environment
    /// and the defaults.
    ///
    /// # Errors
    /// If a flag or a variable is none of ours, or says what cannot be.
    pub fn from_flags<'a>(flags: impl IntoIterator<Item = &'a str>) -> Result<Self, clap::Error> {
        let command = Self::augment_args(Command::new("lyceum").no_binary_name(true));
        Self::from_arg_matches(&command.try_get_matches_from(flags)?)
    }

    /// What was decided, for a service.
    ///
    /// # Errors
    /// With all that is wrong, in one sentence after the other, before anything is opened.
    pub fn decided(&self) -> anyhow::Result<Decided> {
        self.check()?;
        Ok(Decided {
            storage: self.storage()?,
            public_url: self.public_url()?,
            api: self.api(),
            workspaces: self.tenants.creation(),
            ai: self.ai.provider()?,
            spending: self.spending.decided(self.usual_budget()?),
            webhook_schedule: self.webhook_schedule()?,
            webhook_allowed_cidrs: self.webhook_allowed_cidrs.clone(),
            carries_media: self.scorm_media == ScormMedia::Fetch,
            media_allowed_cidrs: self.media_allowed_cidrs.clone(),
            inspection: InspectionSettings {
                most_pixels: u64::from(self.media_megapixels) * 1_000_000,
                scanner: self.media_scanner.clone(),
                ..InspectionSettings::default()
            },
            mail: self.mail()?,
            trash_kept: Duration::from_hours(24 * u64::from(self.trash_days)),
            node_name: self.node_name.clone(),
            bootstrap_key: self.bootstrap_key()?,
            traces: self.traces.decided(),
        })
    }

    /// Where mail goes; `None` where none is sent.
    ///
    /// # Errors
    /// If it cannot go there.
    pub fn mail(&self) -> anyhow::Result<Option<MailSettings>> {
        self.mail.decided(self.public_url()?.as_str())
    }

    /// Where callers come in.
    pub fn listener(&self) -> ListenerSettings {
        let edge = &self.edge;
        ListenerSettings {
            address: self.listen,
            admin_address: self.admin_addr,
            certificate: edge.tls(),
            connections: edge.max_connections,
            per_address: edge.per_address(self.trusted_proxies),
            keep_alive: Duration::from_secs(edge.keep_alive.get()),
            header_timeout: Duration::from_secs(edge.header_timeout.get()),
            patience: edge.reader_patience(),
            drain: self.drain_seconds.map(|it| Duration::from_secs(it.into())),
        }
    }

    /// Where data are kept.
    ///
    /// # Errors
    /// If the database cannot be one.
    pub fn storage(&self) -> anyhow::Result<Storage> {
        self.database.beside(self.folders())
    }

    /// Where whatever is not in the database is kept.
    pub fn folders(&self) -> Storage {
        const MIB: u64 = 1 << 20;
        Storage {
            data_dir: self.data_dir.clone(),
            database: None,
            pooler: None,
            replica: None,
            connections: self.database.connections(),
            space: SpaceSettings {
                reserve_bytes: u64::from(self.reserve_mib) * MIB,
                minimum_free_bytes: u64::from(self.min_free_mib) * MIB,
            },
            may_be_on_network: self.data_on_network == DataOnNetwork::Allow,
            master_key_file: self.master_key_file.clone(),
            blobs_url: self.files.blobs_url.clone(),
            presigning: self.files.presigning(),
        }
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

    /// How a workspace that decided nothing itself is held.
    ///
    /// # Errors
    /// If the provider's settings contradict each other, or a number is too large for a budget.
    pub fn usual_budget(&self) -> anyhow::Result<UsualBudget> {
        let chosen = self.spending.monthly_tokens()?;
        Ok(UsualBudget::of(&self.ai.provider()?, chosen))
    }

    /// When webhook deliveries are tried.
    fn webhook_schedule(&self) -> anyhow::Result<DeliverySchedule> {
        match &self.webhook_schedule {
            Some(text) => DeliverySchedule::parse(text).context("LYCEUM_WEBHOOK_SCHEDULE"),
            None => Ok(DeliverySchedule::default()),
        }
    }

    /// Everything that is wrong with these settings.
    fn check(&self) -> anyhow::Result<()> {
        let said = [
            self.storage().err(),
            self.public_url().err(),
            self.blobs().err(),
            self.webhook_schedule().err(),
            self.bootstrap_key().err(),
            self.ai.provider().err(),
            refuse_what_is_not_built_in(self.traces.otlp_endpoint.is_some()).err(),
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
        self.files.check(&self.folders().blobs_url()?)
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
            trusted_proxies: self.trusted_proxies,
            body_patience: self.edge.body_patience(),
            max_requests: self.edge.max_requests,
            shares: matches!(self.rate_limits, RateLimits::On).then(|| self.edge.shares()),
            is_secure: self.edge.tls_cert.is_some(),
        }
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
                trusted_proxies: self.trusted_proxies,
                ..Limits::default()
            }),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Who embeds the service names a folder and an address; everything else is as an operator finds it.
    #[test]
    fn what_is_usual_for_programs_is_what_is_usual_for_operators() {
        let flags = Settings::from_flags([]).unwrap();
        let (told, listener) = (flags.decided().unwrap(), flags.listener());
        let usual = Decided::new("./lyceum-data", "http://127.0.0.1:8080", told.ai.clone());
        let usual = usual.unwrap();
        assert_eq!(shown(&told), shown(&usual));
        let usual = ListenerSettings::new(flags.listen);
        assert_eq!(format!("{listener:?}"), format!("{usual:?}"));
    }

    /// All but keys and clocks.
    fn shown(settings: &Decided) -> String {
        let limits = settings.api.rate_limits.clone().unwrap();
        let figures = [
            limits.per_key,
            limits.per_address,
            limits.failures_per_address,
            limits.ai_per_workspace,
            limits.ai_per_learners,
            limits.ai_per_package,
            limits.tutor_per_user,
            limits.launches_per_address,
            limits.launches_per_key,
            limits.launches_per_learner,
            limits.newcomers_per_package,
            limits.written_per_learner,
            limits.written_per_package,
            limits.tenants.workspaces_per_person,
            limits.tenants.invitations,
        ];
        let storage = &settings.storage;
        let kept = (
            &storage.data_dir,
            storage.database.is_none()
                && storage.replica.is_none()
                && storage.pooler.is_none()
                && storage.master_key_file.is_none(),
            (&storage.blobs_url, &storage.presigning),
            (storage.connections, storage.space),
            storage.may_be_on_network,
        );
        let api = (
            &settings.api.origins,
            settings.api.body_patience,
            settings.api.max_requests,
            settings.api.shares,
            settings.api.is_secure,
        );
        let decided = (
            settings.public_url.as_str(),
            settings.workspaces,
            &settings.ai,
            settings.spending,
            &settings.webhook_schedule,
            &settings.webhook_allowed_cidrs,
        );
        let more = (
            settings.carries_media,
            &settings.media_allowed_cidrs,
            settings.trash_kept,
            &settings.node_name,
            settings.bootstrap_key.is_none(),
            settings.traces.is_none(),
        );
        format!("{figures:?} {kept:?} {api:?} {decided:?} {more:?}")
    }
}
