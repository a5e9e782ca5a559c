//! What may be wrong between us and an identity provider.

use std::fmt;

use crate::words::words;

words!(
    /// What is wrong, in a word that the console explains.
    SsoFault {
        /// Nobody answers at the issuer's address, or it may not be called from here.
        IssuerUnreachable = "issuer_unreachable",
        /// What answers there is no provider: there is no discovery document, or none that can be read.
        NotAProvider = "not_a_provider",
        /// The provider calls itself something else than the issuer that was set.
        IssuerMismatch = "issuer_mismatch",
        /// Its keys cannot be fetched, or none of them can be used.
        KeysMissing = "keys_missing",
        /// It does not offer the authorization code flow.
        CodeFlowMissing = "code_flow_missing",
        /// It says which methods of PKCE it knows, and S256 is none of them.
        PkceMissing = "pkce_missing",
        /// It signs by no algorithm that is taken here.
        SigningUnsupported = "signing_unsupported",
        /// It does not know our name and secret.
        SecretRefused = "secret_refused",
        /// It refuses to send people back to our address.
        RedirectRefused = "redirect_refused",
        /// It refused the code that somebody brought back.
        CodeRefused = "code_refused",
        /// A token of it does not hold: signature, issuer, audience, time or nonce.
        TokenInvalid = "token_invalid",
        /// It answered something that cannot be read.
        Unreadable = "unreadable",
    }
);

/// What is wrong, and what the provider or the network says of it. That is for the log and for admins of the connection.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SsoProblem {
    /// What.
    pub fault: SsoFault,
    /// In somebody else's words; short, of one line.
    pub detail: String,
}

impl SsoProblem {
    /// With a detail that is cut to what a line holds.
    pub fn new(fault: SsoFault, detail: impl fmt::Display) -> Self {
        let detail = detail.to_string();
        let plain = detail.chars().map(|c| if c.is_control() { ' ' } else { c });
        Self {
            fault,
            detail: plain.take(300).collect(),
        }
    }
}

impl fmt::Display for SsoProblem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.fault, self.detail)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_others_say_is_one_short_line() {
        let problem = SsoProblem::new(SsoFault::Unreadable, "a\r\nb".repeat(200));
        assert_eq!(problem.detail.chars().count(), 300);
        assert!(!problem.detail.contains(['\r', '\n']));
    }
}
