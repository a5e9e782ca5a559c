//! `lyceum health`: whether the service of these settings is ready, for a container that has no other tool to ask it.

use std::net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr};
use std::process::ExitCode;
use std::time::Duration;

use anyhow::{Context, ensure};
use reqwest::Client;
use serde::Deserialize;
use serde_json::json;

use crate::settings::Settings;
use lyceum_terminal::say;

/// How it is asked and told.
#[derive(Debug, Clone, Copy, clap::Args)]
pub struct HealthArguments {
    /// Seconds that the answer may take.
    #[arg(long, default_value = "3", value_parser = clap::value_parser!(u64).range(1..=60))]
    timeout: u64,

    /// Print one JSON document.
    #[arg(long)]
    json: bool,
}

/// What came of asking.
pub struct Answer {
    /// Whether it may be sent requests.
    pub is_ready: bool,
    /// Whether nobody answered.
    pub is_silent: bool,
    /// `ready`, `degraded`, `not_ready` or `unreachable`.
    status: String,
    /// The same for people.
    pub says: String,
}

/// What `/readyz` says.
#[derive(Deserialize)]
struct Ready {
    status: String,
}

/// Asks `/readyz` of the address to listen on; ends with 0 if the service is ready and with 1 if not.
///
/// # Errors
/// If the settings name no address that could be asked.
pub async fn run(settings: &Settings, arguments: HealthArguments) -> anyhow::Result<ExitCode> {
    let url = url(settings)?;
    let answer = look(settings, Duration::from_secs(arguments.timeout)).await?;
    if arguments.json {
        let (ready, status) = (answer.is_ready, &answer.status);
        let document = json!({"ready": ready, "status": status, "url": url, "says": answer.says});
        say!("{document}");
    } else {
        say!("{url}: {}", answer.says);
    }
    Ok(if answer.is_ready {
        ExitCode::SUCCESS
    } else {
        ExitCode::FAILURE
    })
}

fn url(settings: &Settings) -> anyhow::Result<String> {
    let (scheme, place) = (settings.edge.scheme(), reached(settings.listen)?);
    Ok(format!("{scheme}://{place}/readyz"))
}

/// Where a service that listens there is reached from its own machine.
fn reached(listen: SocketAddr) -> anyhow::Result<SocketAddr> {
    ensure!(
        listen.port() != 0,
        "LYCEUM_LISTEN leaves the port to the system, so nobody can know it"
    );
    let ip = match listen.ip() {
        IpAddr::V4(ip) if ip.is_unspecified() => Ipv4Addr::LOCALHOST.into(),
        IpAddr::V6(ip) if ip.is_unspecified() => Ipv6Addr::LOCALHOST.into(),
        IpAddr::V4(_) | IpAddr::V6(_) => listen.ip(),
    };
    Ok(SocketAddr::new(ip, listen.port()))
}

/// Asks the service of these settings.
///
/// # Errors
/// If the settings name no address that could be asked.
pub async fn look(settings: &Settings, within: Duration) -> anyhow::Result<Answer> {
    // Whoever installed a provider before us has decided; that is no error.
    drop(rustls::crypto::ring::default_provider().install_default());
    let client = Client::builder()
        .timeout(within)
        .no_proxy()
        // It asks its own machine by number, which no certificate names, sends nothing and believes a word.
        .tls_danger_accept_invalid_certs(true)
        .build()
        .context("could not set up a client")?;
    let answer = match client.get(url(settings)?).send().await {
        Ok(answer) => answer,
        Err(error) => return Ok(unreachable(&error)),
    };
    let is_ready = answer.status().is_success();
    let code = answer.status().as_u16();
    let status = match answer.json::<Ready>().await {
        Ok(ready) if is_ready => ready.status,
        _ => "not_ready".to_owned(),
    };
    let says = if is_ready {
        status.clone()
    } else {
        format!("not ready (HTTP {code})")
    };
    Ok(Answer {
        is_ready,
        is_silent: false,
        status,
        says,
    })
}

fn unreachable(error: &reqwest::Error) -> Answer {
    let says = if error.is_timeout() {
        "no answer in time"
    } else {
        "nothing answers there"
    };
    Answer {
        is_ready: false,
        is_silent: true,
        status: "unreachable".to_owned(),
        says: says.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_service_on_every_address_is_asked_on_the_loopback() {
        let told = |text: &str| reached(text.parse().unwrap()).map(|place| place.to_string());
        assert_eq!(told("0.0.0.0:8080").unwrap(), "127.0.0.1:8080");
        assert_eq!(told("[::]:8443").unwrap(), "[::1]:8443");
        assert_eq!(told("192.0.2.7:80").unwrap(), "192.0.2.7:80");
        assert!(told("127.0.0.1:0").is_err());
    }
}
