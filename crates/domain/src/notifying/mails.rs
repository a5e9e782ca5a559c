//! Mails: one text on its way to one address, how an attempt to send it ends, and what that makes of it.

use std::fmt;
use std::time::Duration;

use super::letters::{Letter, MailTemplate};
use crate::ids::{MailId, WorkspaceId};
use crate::text::{Email, LanguageTag};
use crate::words::words;
use crate::{Stamp, Timestamp};

words!(
    /// Where a mail is in its life.
    MailStatus {
        /// To be sent, now or later.
        Pending = "pending",
        /// Taken by the mail server.
        Sent = "sent",
        /// Not meant to be sent: nobody has the address, and whoever asked for it was not to see that.
        Dropped = "dropped",
        /// Given up.
        Failed = "failed",
    }
);

impl MailStatus {
    /// What an attempt came to that left a mail so, in a word.
    pub const fn outcome(self) -> &'static str {
        match self {
            Self::Sent => "sent",
            Self::Pending => "retried",
            Self::Dropped => "dropped",
            Self::Failed => "failed",
        }
    }
}

words!(
    /// What was in the way of a mail, without a word of whom it was for.
    MailTrouble {
        /// The mail server cannot be reached, or went silent.
        NoAnswer = "no_answer",
        /// The mail server's certificate is not trusted, or it does not encrypt.
        Tls = "tls",
        /// The mail server does not take our name and password.
        Credentials = "credentials",
        /// The mail server answered that it does not take the mail, now or ever.
        Refused = "refused",
        /// No mail could be made of it: the address is none that mail can go to, or the text is gone.
        Unwritable = "unwritable",
        /// What it is for ended before it could be sent.
        TooLate = "too_late",
        /// It was begun too often by processes that then were gone.
        Interrupted = "interrupted",
    }
);

/// Why an attempt did not send a mail.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct MailFailure {
    /// What was in the way.
    pub trouble: MailTrouble,
    /// What the mail server answered, if it did (RFC 5321).
    pub code: Option<u16>,
    /// Whether another attempt would come to the same.
    pub is_final: bool,
}

impl MailFailure {
    /// Something that may be over with the next attempt.
    pub const fn passing(trouble: MailTrouble, code: Option<u16>) -> Self {
        Self {
            trouble,
            code,
            is_final: false,
        }
    }

    /// Something that stays as it is.
    pub const fn lasting(trouble: MailTrouble, code: Option<u16>) -> Self {
        Self {
            is_final: true,
            ..Self::passing(trouble, code)
        }
    }
}

impl fmt::Display for MailFailure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.code {
            Some(code) => write!(f, "{} ({code})", self.trouble),
            None => self.trouble.fmt(f),
        }
    }
}

/// Where a mail is in its life, and what goes with that.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum MailState {
    /// To be sent.
    Pending {
        /// Not before this.
        next_attempt_at: Timestamp,
        /// What it says; `None` where what was kept of it can no longer be read.
        letter: Option<Letter>,
    },
    /// Taken by the mail server; what it said is gone.
    Sent,
    /// Not meant to be sent.
    Dropped,
    /// Given up.
    Failed,
}

impl MailState {
    /// The state in a word.
    pub const fn status(&self) -> MailStatus {
        match self {
            Self::Pending { .. } => MailStatus::Pending,
            Self::Sent => MailStatus::Sent,
            Self::Dropped => MailStatus::Dropped,
            Self::Failed => MailStatus::Failed,
        }
    }
}

/// What is to be done with a mail whose turn it is.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum MailStep {
    /// Send this.
    Send(Letter),
    /// Nothing: this is how the attempt ends.
    End(MailOutcome),
}

/// How an attempt ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum MailOutcome {
    /// The mail server took it.
    Sent,
    /// It was not to be sent.
    Dropped,
    /// It was not sent.
    Failed(MailFailure),
}

/// One text on its way to one address.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct OutgoingMail {
    /// Its identifier; the same at every attempt, so that a mail that arrives twice can be told to be one.
    pub id: MailId,
    /// The workspace on whose behalf it is sent, if there is one.
    pub workspace_id: Option<WorkspaceId>,
    /// To whom.
    pub to: Email,
    /// In which language, if there is a text in it.
    pub language: LanguageTag,
    /// Which text.
    pub template: MailTemplate,
    /// Whether it only looks as if it were sent.
    pub withheld: bool,
    /// When what it is for ends: it is not sent after that.
    pub not_after: Timestamp,
    /// Where it is in its life.
    pub state: MailState,
    /// Attempts begun.
    pub attempts: u32,
    /// What went wrong last.
    pub last_error: Option<String>,
    /// When it was made and changed.
    pub stamp: Stamp,
}

impl OutgoingMail {
    /// How long an attempt may take before another worker may try: well over the deadline of whoever sends it.
    pub const LEASE: Duration = Duration::from_mins(2);
    /// How long it is kept after it was made; for what is older nobody can say whether it arrived.
    pub const KEPT: Duration = Duration::from_hours(30 * 24);
    /// How long it is tried.
    const PATIENCE: Duration = Duration::from_hours(24);
    /// More attempts than these fit into the patience only where each ends with its process.
    const MOST_ATTEMPTS: u32 = 60;
    /// The wait after the first attempt; each is twice as long as the one before.
    const FIRST_WAIT: Duration = Duration::from_secs(5);
    const LONGEST_WAIT: Duration = Duration::from_hours(1);

    /// When it is given up.
    pub fn deadline(&self) -> Timestamp {
        let patience = self.stamp.created_at.plus(Self::PATIENCE);
        self.not_after.min(patience)
    }

    /// What is to be done now that an attempt was begun.
    pub fn step(&self, now: Timestamp) -> MailStep {
        let failed =
            |trouble| MailStep::End(MailOutcome::Failed(MailFailure::lasting(trouble, None)));
        let MailState::Pending { letter, .. } = &self.state else {
            return MailStep::End(MailOutcome::Dropped);
        };
        if self.withheld {
            return MailStep::End(MailOutcome::Dropped);
        }
        if now >= self.deadline() {
            return failed(MailTrouble::TooLate);
        }
        if self.attempts > Self::MOST_ATTEMPTS {
            return failed(MailTrouble::Interrupted);
        }
        match letter {
            Some(letter) => MailStep::Send(letter.clone()),
            None => failed(MailTrouble::Unwritable),
        }
    }

    /// Takes in how the attempt that was under way ended. What it says is forgotten with the last.
    pub fn end_attempt(&mut self, outcome: MailOutcome, jitter: u8, now: Timestamp) {
        self.stamp.touch(now);
        self.last_error = match outcome {
            MailOutcome::Sent | MailOutcome::Dropped => None,
            MailOutcome::Failed(failure) => Some(failure.to_string()),
        };
        let next = now.plus(self.wait(jitter));
        self.state = match (
            outcome,
            std::mem::replace(&mut self.state, MailState::Failed),
        ) {
            (MailOutcome::Sent, _) => MailState::Sent,
            (MailOutcome::Dropped, _) => MailState::Dropped,
            (MailOutcome::Failed(failure), MailState::Pending { letter, .. })
                if !failure.is_final && next < self.deadline() =>
            {
                MailState::Pending {
                    next_attempt_at: next,
                    letter,
                }
            }
            (MailOutcome::Failed(_), _) => MailState::Failed,
        };
    }

    /// The wait after as many attempts as were begun, shifted by up to ±20 % by `jitter` (0..=255).
    fn wait(&self, jitter: u8) -> Duration {
        let doublings = self.attempts.saturating_sub(1).min(16);
        let wait = Self::FIRST_WAIT
            .saturating_mul(1 << doublings)
            .min(Self::LONGEST_WAIT);
        let per_mille = 800 + u32::from(jitter) * 400 / 255;
        wait * per_mille / 1000
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Id;

    fn now() -> Timestamp {
        Timestamp::from_unix_millis(1_795_244_100_000)
    }

    fn at(seconds: u64) -> Timestamp {
        now().plus(Duration::from_secs(seconds))
    }

    /// Asked for now, for something that ends in an hour.
    fn mail(attempts: u32) -> OutgoingMail {
        let letter = Letter::sample(MailTemplate::SignInLink, now());
        OutgoingMail {
            id: Id::from_uuid(uuid::Uuid::from_u128(1)),
            workspace_id: None,
            to: Email::parse("ada@school.example").unwrap(),
            language: LanguageTag::english(),
            template: letter.template(),
            withheld: false,
            not_after: at(3_600),
            state: MailState::Pending {
                next_attempt_at: now(),
                letter: Some(letter),
            },
            attempts,
            last_error: None,
            stamp: Stamp::new(now()),
        }
    }

    fn ended(attempts: u32, outcome: MailOutcome, seconds: u64) -> OutgoingMail {
        let mut mail = mail(attempts);
        mail.end_attempt(outcome, 128, at(seconds));
        mail
    }

    fn busy() -> MailOutcome {
        MailOutcome::Failed(MailFailure::passing(MailTrouble::Refused, Some(451)))
    }

    fn next(mail: &OutgoingMail) -> Option<Timestamp> {
        let MailState::Pending {
            next_attempt_at,
            letter: Some(_),
        } = &mail.state
        else {
            return None;
        };
        Some(*next_attempt_at)
    }

    #[test]
    fn what_may_pass_is_tried_again_later_each_time_and_not_beyond_its_end() {
        let waits = [(1, 5), (2, 10), (3, 20), (6, 160)];
        for (attempts, seconds) in waits {
            let tried = ended(attempts, busy(), 0);
            assert_eq!(next(&tried), Some(at(seconds)), "{attempts}");
            assert_eq!(tried.last_error.as_deref(), Some("refused (451)"));
        }
        let last = ended(1, busy(), 3_595);
        assert_eq!(
            (next(&last), last.state.status()),
            (None, MailStatus::Failed)
        );
        let patient = OutgoingMail {
            not_after: at(30 * 86_400),
            ..mail(40)
        };
        assert_eq!(patient.deadline(), at(86_400), "a day, and no longer");
        assert_eq!(patient.wait(128), OutgoingMail::LONGEST_WAIT);
        assert!(patient.wait(0) < patient.wait(255));
    }

    #[test]
    fn what_lasts_ends_it_and_so_does_being_sent() {
        let bounce = MailFailure::lasting(MailTrouble::Refused, Some(550));
        let bounced = ended(1, MailOutcome::Failed(bounce), 1);
        assert_eq!(bounced.state, MailState::Failed);
        assert_eq!(bounced.last_error.as_deref(), Some("refused (550)"));
        let sent = ended(3, MailOutcome::Sent, 1);
        assert_eq!((sent.state, sent.last_error), (MailState::Sent, None));
    }

    #[test]
    fn a_mail_to_nobody_is_taken_up_and_dropped() {
        let withheld = OutgoingMail {
            withheld: true,
            ..mail(1)
        };
        let step = withheld.step(at(1));
        assert_eq!(step, MailStep::End(MailOutcome::Dropped));
        assert_eq!(ended(1, MailOutcome::Dropped, 1).state, MailState::Dropped);
    }

    #[test]
    fn no_link_is_sent_after_its_end_and_nothing_is_begun_for_ever() {
        assert!(matches!(mail(1).step(at(3_599)), MailStep::Send(_)));
        let ends_with = |mail: &OutgoingMail, seconds| {
            let MailStep::End(MailOutcome::Failed(failure)) = mail.step(at(seconds)) else {
                return None;
            };
            Some((failure.trouble, failure.is_final))
        };
        let too_late = Some((MailTrouble::TooLate, true));
        assert_eq!(ends_with(&mail(1), 3_600), too_late);
        let lost = mail(OutgoingMail::MOST_ATTEMPTS + 1);
        assert_eq!(ends_with(&lost, 1), Some((MailTrouble::Interrupted, true)));
        let unread = OutgoingMail {
            state: MailState::Pending {
                next_attempt_at: now(),
                letter: None,
            },
            ..mail(1)
        };
        assert_eq!(ends_with(&unread, 1), Some((MailTrouble::Unwritable, true)));
    }
}
