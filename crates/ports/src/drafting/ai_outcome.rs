//! What a call to AI took, and why there is no answer.

use std::time::Duration;

use thiserror::Error;

/// What a call took.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Usage {
    /// Tokens read.
    pub tokens_in: u64,
    /// Tokens written, those of thinking among them.
    pub tokens_out: u64,
    /// Those of the tokens read that the provider still had from an earlier call.
    pub tokens_cached: u64,
}

impl Usage {
    /// Tokens read and written.
    pub const fn tokens(self) -> u64 {
        self.tokens_in.saturating_add(self.tokens_out)
    }
}

impl std::ops::Add for Usage {
    type Output = Self;

    fn add(self, other: Self) -> Self {
        Self {
            tokens_in: self.tokens_in.saturating_add(other.tokens_in),
            tokens_out: self.tokens_out.saturating_add(other.tokens_out),
            tokens_cached: self.tokens_cached.saturating_add(other.tokens_cached),
        }
    }
}

/// Why there is no answer.
#[derive(Debug, Error)]
pub enum AiError {
    /// Nobody answered, or not in time, or asked us to come back: worth another try.
    #[error("the AI provider is not available: {reason}")]
    Unavailable {
        /// For the log and the operator; no secrets.
        reason: String,
        /// How long the provider asked us to wait.
        retry_after: Option<Duration>,
    },
    /// The model keeps failing and is left alone for a while, so nobody was asked: worth another try.
    #[error(
        "the AI provider is not available: it failed several times in a row and is left alone for a while"
    )]
    LeftAlone {
        /// For how long.
        retry_after: Duration,
    },
    /// The provider will not do it; trying again changes nothing.
    #[error("the AI provider refused: {0}")]
    Refused(String),
    /// An answer came, but it breaks the rules, also after one repair.
    #[error("the AI provider's answer could not be used: {0}")]
    InvalidOutput(String),
    /// There is too little to make it of; whoever is asked would have to invent.
    #[error("{0}")]
    InputTooThin(String),
    /// It would cost more than it may.
    #[error("the AI budget does not allow it: {0}")]
    BudgetExceeded(String),
}

impl AiError {
    /// The code shown to callers.
    pub const fn code(&self) -> &'static str {
        match self {
            Self::Unavailable { .. } | Self::LeftAlone { .. } => "ai_provider_error",
            Self::Refused(_) => "provider_refused",
            Self::InvalidOutput(_) => "ai_output_invalid",
            Self::InputTooThin(_) => "input_too_thin",
            Self::BudgetExceeded(_) => "ai_budget_exceeded",
        }
    }

    /// Whether somebody was asked, in vain.
    pub const fn was_asked(&self) -> bool {
        !matches!(self, Self::LeftAlone { .. })
    }

    /// Whether another try may help.
    pub const fn is_transient(&self) -> bool {
        matches!(self, Self::Unavailable { .. } | Self::LeftAlone { .. })
    }
}
