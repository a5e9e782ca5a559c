//! A service that runs elsewhere, as the commands that speak to one are told of it.

use std::time::Duration;

use anyhow::{Context, bail};
use lyceum_client::{Client, ClientSettings, Platform};
use lyceum_wire::identity::platforms::PlatformView;

/// Where the service is, who asks, and for whom.
#[derive(clap::Args)]
pub struct ServiceArguments {
    /// Address of the running service.
    #[arg(long, env = "LYCEUM_URL", default_value = "http://127.0.0.1:8080")]
    url: String,

    /// Key that may do what is asked for.
    #[arg(long, env = "LYCEUM_API_KEY", hide_env_values = true)]
    api_key: Option<String>,

    /// Code of the platform; without code and uuid, the only one that the key opens.
    #[arg(long, env = "LYCEUM_PLATFORM", conflicts_with = "platform_uuid")]
    platform: Option<String>,

    /// Uuid of the platform.
    #[arg(long, env = "LYCEUM_PLATFORM_UUID")]
    platform_uuid: Option<String>,
}

impl ServiceArguments {
    /// A client on the platform that was named, or on the only one there is.
    ///
    /// # Errors
    /// If there is no key, the service does not answer, or several platforms could be meant.
    pub async fn client(&self, within: Duration) -> anyhow::Result<Client> {
        let key = self.api_key.as_deref();
        let key = key.context("no key: set LYCEUM_API_KEY")?;
        let mut settings = ClientSettings::new(&self.url, key);
        settings.timeout = within;
        let client = Client::new(settings).context("LYCEUM_URL")?;
        let platform = match (&self.platform, &self.platform_uuid) {
            (Some(code), _) => Platform::Code(code.clone()),
            (None, Some(uuid)) => Platform::Uuid(uuid.clone()),
            (None, None) => only_platform(&client).await?,
        };
        Ok(client.on(platform))
    }
}

async fn only_platform(client: &Client) -> anyhow::Result<Platform> {
    let platforms = client.platforms().list().collect().await?;
    let [only] = platforms.as_slice() else {
        let name = |one: &PlatformView| one.code.clone().unwrap_or(one.uuid.clone());
        let names: Vec<String> = platforms.iter().map(name).collect();
        bail!(
            "name one with --platform or --platform-uuid: {}",
            names.join(", ")
        );
    };
    Ok(Platform::Uuid(only.uuid.clone()))
}
