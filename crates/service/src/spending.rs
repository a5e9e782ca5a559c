//! What a workspace may spend on AI that decided nothing itself: nobody shall find a bill that nobody thought of.

use lyceum_ai::{Profile, ProviderSettings, ServerSettings};

/// Tokens that a workspace may spend in a month on a provider that is paid, where nobody decided.
pub const USUAL_TOKENS: u64 = 10_000_000;

/// How a workspace that decided nothing itself is held.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum UsualBudget {
    /// By nothing, because nothing is paid for.
    Free,
    /// By this many tokens a month, with a provider that is paid; whether an operator chose the number.
    Paid {
        /// Tokens a month; `None` where an operator wants no limit.
        tokens: Option<u64>,
        /// Whether somebody chose it.
        chosen: bool,
    },
}

impl UsualBudget {
    /// With this provider, where an operator chose so many tokens a month (0 for no limit) or nothing.
    pub fn of(ai: &ProviderSettings, chosen: Option<u64>) -> Self {
        match (chosen, is_paid(ai)) {
            (None, false) => Self::Free,
            (None, true) => Self::Paid {
                tokens: Some(USUAL_TOKENS),
                chosen: false,
            },
            (Some(tokens), _) => Self::Paid {
                tokens: Some(tokens).filter(|tokens| *tokens > 0),
                chosen: true,
            },
        }
    }

    /// Tokens a month; no limit where absent.
    pub const fn tokens(self) -> Option<u64> {
        match self {
            Self::Free => None,
            Self::Paid { tokens, .. } => tokens,
        }
    }

    /// Says at start what a workspace may spend on a provider that is paid.
    pub fn announce(self) {
        match self {
            Self::Free => {}
            Self::Paid {
                tokens: Some(tokens),
                ..
            } => {
                tracing::info!(
                    tokens,
                    "a workspace that set no budget of its own may spend this on AI in a month (LYCEUM_AI_MONTHLY_TOKENS)"
                );
            }
            Self::Paid { tokens: None, .. } => {
                tracing::warn!(
                    "a workspace that set no budget of its own may spend any amount on AI (LYCEUM_AI_MONTHLY_TOKENS=0)"
                );
            }
        }
    }
}

fn is_paid(ai: &ProviderSettings) -> bool {
    match ai {
        ProviderSettings::Builtin => false,
        ProviderSettings::Server(server) => sends_bills(server),
    }
}

/// Whether somebody sends a bill: not where a model runs on this machine, or on a server that people run themselves.
fn sends_bills(server: &ServerSettings) -> bool {
    let is_here = match server.base_url.host() {
        Some(url::Host::Domain(name)) => name == "localhost",
        Some(url::Host::Ipv4(address)) => address.is_loopback() || address.is_private(),
        Some(url::Host::Ipv6(address)) => address.is_loopback() || address.is_unique_local(),
        None => false,
    };
    match server.profile {
        Profile::OpenAi | Profile::Azure | Profile::Anthropic | Profile::Generic => !is_here,
        Profile::Ollama | Profile::Vllm | Profile::LlamaCpp | Profile::LmStudio => false,
    }
}
