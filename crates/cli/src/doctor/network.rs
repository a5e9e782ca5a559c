//! Addresses: where callers come in, where the service goes out to. No key is ever sent or shown.

use std::net::{TcpStream, ToSocketAddrs};
use std::time::Duration;

use lyceum_ai::ProviderSettings;
use tokio::runtime::Handle;
use url::Url;

use super::Finding;
use crate::health::{self, Answer};
use crate::settings::Settings;
use lyceum_service::mail::mailer;
use lyceum_service::spending::UsualBudget;

/// How long an address may take to answer.
const PATIENCE: Duration = Duration::from_secs(5);

pub fn findings(settings: &Settings) -> Vec<Finding> {
    vec![
        public_url(settings),
        service(settings),
        provider(settings),
        budget(settings),
        webhooks(settings),
        mail(settings),
    ]
}

fn public_url(settings: &Settings) -> Finding {
    let id = "public_url";
    let url = match settings.public_url() {
        Ok(url) => url,
        Err(error) => {
            let mend = "set LYCEUM_PUBLIC_URL to where callers come in, such as https://lyceum.example.org";
            return Finding::problem(id, format!("{error:#}"), mend);
        }
    };
    let text = url.as_str();
    if settings.listen.ip().is_loopback() && settings.public_url.is_none() {
        let mend = "set LYCEUM_PUBLIC_URL before packages are exported for others";
        return Finding::note(
            id,
            format!("{text} is reached from this machine alone"),
            mend,
        );
    }
    if url.is_mixed_content() {
        let mend = "put TLS before the service and set LYCEUM_PUBLIC_URL to https://…";
        return Finding::problem(
            id,
            format!("{text} is plain http, and keys travel readably"),
            mend,
        );
    }
    Finding::fine(id, text.to_owned())
}

fn service(settings: &Settings) -> Finding {
    let (id, listen) = ("service", settings.listen);
    match Handle::current().block_on(health::look(settings, PATIENCE)) {
        Err(error) => Finding::note(
            id,
            format!("{error:#}"),
            "name a port in LYCEUM_LISTEN, so that it can be asked",
        ),
        Ok(Answer { is_ready: true, .. }) => {
            Finding::fine(id, format!("the service on {listen} is ready"))
        }
        Ok(answer) if answer.is_silent => Finding::note(
            id,
            format!("no service answers on {listen}: {}", answer.says),
            "start it: lyceum serve; if it runs, see its log",
        ),
        Ok(answer) => Finding::problem(
            id,
            format!("what answers on {listen} is {}", answer.says),
            "see the log of the service; if another program has the address, set LYCEUM_LISTEN to another",
        ),
    }
}

fn provider(settings: &Settings) -> Finding {
    let id = "ai_provider";
    match settings.ai.provider() {
        Err(error) => Finding::problem(id, format!("{error:#}"), "mend the LYCEUM_AI_… settings"),
        Ok(ProviderSettings::Builtin) => Finding::fine(id, "the built-in engine needs nobody"),
        Ok(ProviderSettings::Server(server)) => reach(id, &server.base_url),
    }
}

/// What a workspace may spend that decided nothing itself.
fn budget(settings: &Settings) -> Finding {
    let id = "ai_budget";
    match settings.usual_budget() {
        Err(error) => Finding::problem(id, format!("{error:#}"), "mend the LYCEUM_AI_… settings"),
        Ok(UsualBudget::Free) => Finding::fine(id, "no provider is paid"),
        Ok(UsualBudget::Paid {
            tokens: Some(tokens),
            chosen,
        }) => {
            let says = format!("{tokens} tokens a month for a workspace that sets nothing else");
            if chosen {
                return Finding::fine(id, says);
            }
            let mend = "see that this suits you, or set LYCEUM_AI_MONTHLY_TOKENS";
            Finding::note(id, says, mend)
        }
        Ok(UsualBudget::Paid { tokens: None, .. }) => Finding::note(
            id,
            "a workspace that sets nothing may spend any amount",
            "set LYCEUM_AI_MONTHLY_TOKENS, or a budget in every workspace",
        ),
    }
}

/// Whether somebody listens at an address: to ask for more would cost money or need the key.
fn reach(id: &'static str, url: &Url) -> Finding {
    let host = url.host_str().unwrap_or_default();
    let place = (
        host.trim_matches(['[', ']']),
        url.port_or_known_default().unwrap_or(443),
    );
    let Ok(addresses) = place.to_socket_addrs() else {
        let mend = "see that the name is right and that this machine can look names up";
        return Finding::problem(id, format!("{host} has no address"), mend);
    };
    let answers = |address| TcpStream::connect_timeout(&address, PATIENCE).is_ok();
    if addresses.take(4).any(answers) {
        Finding::fine(id, format!("{host} answers"))
    } else {
        let mend = "see that it runs and that no firewall is in between";
        Finding::problem(id, format!("{host} does not answer"), mend)
    }
}

fn webhooks(settings: &Settings) -> Finding {
    let id = "webhook_networks";
    let allowed = &settings.webhook_allowed_cidrs;
    if allowed.is_empty() {
        return Finding::fine(id, "webhooks reach public addresses alone");
    }
    let nets: Vec<String> = allowed.iter().map(ToString::to_string).collect();
    let says = format!("webhooks may reach {}", nets.join(", "));
    Finding::note(id, says, "name no more than the networks of receivers")
}

/// Whether the mail server takes us in; no mail is sent.
fn mail(settings: &Settings) -> Finding {
    let id = "mail";
    let mailer = settings
        .mail()
        .and_then(|settings| mailer(settings.as_ref()));
    match mailer {
        Err(error) => Finding::problem(id, format!("{error:#}"), "mend the LYCEUM_MAIL_… settings"),
        Ok(None) => Finding::fine(id, "no mail is sent: links are shown to hand on"),
        Ok(Some(mailer)) => match Handle::current().block_on(mailer.look()) {
            Ok(()) => Finding::fine(id, "the mail server takes us in"),
            Err(error) => {
                let mend = "see LYCEUM_SMTP_URL, and that no firewall is in between";
                Finding::problem(
                    id,
                    format!("the mail server does not take us in: {error}"),
                    mend,
                )
            }
        },
    }
}
