//! Mail: asked for with the change that wants it, and sent when that is kept.
//!
//! Claim (a transaction), send (outside any), settle (a transaction that checks that the claim still stands), as with deliveries. A
//! mail server that took a mail and was not heard any more gets it again: a mail arrives at least once, under one `Message-ID`.

use std::time::Duration;

use lyceum_domain::Stamp;
use lyceum_domain::ids::MailId;
use lyceum_domain::notifying::letters::Letter;
use lyceum_domain::notifying::mails::{MailOutcome, MailState, MailStatus, MailStep, OutgoingMail};
use lyceum_domain::text::{Email, LanguageTag};
use lyceum_ports::notifying::mailer::{MailToSend, Mailer};
use lyceum_ports::store::Line;

use crate::app::App;
use crate::context::Visitor;
use crate::prelude::*;

/// The time in which mails to one address are counted.
const HOUR: Duration = Duration::from_hours(1);

/// A mail that somebody is to get.
#[derive(Debug, Clone)]
pub struct NewMail {
    /// To whom.
    pub to: Email,
    /// In which language, if there is a text in it; else in English.
    pub language: LanguageTag,
    /// What it says.
    pub letter: Letter,
    /// The workspace on whose behalf, if there is one: what of it waits goes with the workspace.
    pub workspace: Option<WorkspaceId>,
    /// When what it is for ends.
    pub not_after: Timestamp,
    /// Whether it only looks as if it were sent, because nobody is known by the address: whoever asks is to notice no difference,
    /// so the same is written and read for it.
    pub withheld: bool,
}

/// What came of asking for a mail.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Queued {
    /// It is sent once the transaction is kept.
    Waiting(MailId),
    /// The address got as many of this text in an hour as it may: no mail is sent. Who asked for a link to somebody's address is
    /// not to be told, who invites may hand the link on.
    TooMany,
    /// There is no mail server: show the link.
    NotConfigured,
}

/// Asks for a mail, in the transaction of the change that wants it: it is sent if that is kept, and only then.
pub fn queue(tx: &mut dyn Tx, visitor: &Visitor, mail: NewMail) -> Result<Queued, Error> {
    if !visitor.settings.mail_is_configured {
        return Ok(Queued::NotConfigured);
    }
    let template = mail.letter.template();
    // Two hundred who ask at once are counted one after the other.
    tx.stand_in_line(Line::at(format!("mail to {}", mail.to)))?;
    let since = visitor.now.minus(HOUR);
    if tx.mails().count_since(&mail.to, template, since)? >= template.hourly() {
        return Ok(Queued::TooMany);
    }
    let id = visitor.mint();
    tx.mails().insert(&OutgoingMail {
        id,
        workspace_id: mail.workspace,
        to: mail.to,
        language: mail.language,
        template,
        withheld: mail.withheld,
        not_after: mail.not_after,
        state: MailState::Pending {
            next_attempt_at: visitor.now,
            letter: Some(mail.letter),
        },
        attempts: 0,
        last_error: None,
        stamp: Stamp::new(visitor.now),
    })?;
    visitor.note_queued();
    Ok(Queued::Waiting(id))
}

/// A mail that was asked for, as long as it is kept.
pub fn find(tx: &mut dyn Tx, id: MailId) -> Result<Option<OutgoingMail>, Error> {
    Ok(tx.mails().find(id)?)
}

/// Takes up to `limit` due mails, where there is a mail server to take them to.
pub async fn claim_mails(app: &App, limit: u16) -> Result<Vec<OutgoingMail>, Error> {
    if app.mailer.is_none() || app.is_almost_full() {
        return Ok(Vec::new());
    }
    let lease = app.node.lease(app.clock.now(), OutgoingMail::LEASE);
    let turn = app.node.turns.of_mails();
    let (claimed, turn) = app
        .store
        .write(move |tx| {
            let mut turn = turn.clone();
            let claimed = tx.mails().claim(&lease, &mut turn, limit)?;
            Ok::<_, Error>((claimed, turn))
        })
        .await?;
    app.node.turns.move_mails_on(turn);
    Ok(claimed)
}

/// Makes one attempt and notes how it ended.
///
/// # Errors
/// Those of storage; then the mail is sent again, under the same id, when its lease runs out.
pub async fn send_mail(app: &App, mut mail: OutgoingMail) -> Result<(), Error> {
    let Some(mailer) = app.mailer.clone() else {
        return Ok(());
    };
    let outcome = match mail.step(app.clock.now()) {
        MailStep::Send(letter) => handed_over(&*mailer, &mail, letter).await,
        MailStep::End(outcome) => outcome,
    };
    let mut jitter = [0_u8];
    app.entropy.fill(&mut jitter);
    let [jitter] = jitter;
    mail.end_attempt(outcome, jitter, app.clock.now());
    tell(&mail);
    app.telemetry.mail_attempted(mail.state.status());
    app.store
        .conclude(move |tx| Ok(tx.mails().settle(&mail).map(drop)?))
        .await
}

async fn handed_over(mailer: &dyn Mailer, mail: &OutgoingMail, letter: Letter) -> MailOutcome {
    let sent = mailer.send(MailToSend {
        id: mail.id,
        to: mail.to.clone(),
        language: mail.language.clone(),
        letter,
    });
    match sent.await {
        Ok(()) => MailOutcome::Sent,
        Err(failure) => MailOutcome::Failed(failure),
    }
}

/// What operators are told of an attempt: never to whom, nor what it says.
fn tell(mail: &OutgoingMail) {
    let (template, attempt) = (mail.template.as_str(), mail.attempts);
    let error = mail.last_error.as_deref().unwrap_or_default();
    match mail.state.status() {
        MailStatus::Sent | MailStatus::Dropped => {
            tracing::debug!(mail = %mail.id, template, attempt, "a mail is done with");
        }
        MailStatus::Pending => {
            tracing::info!(mail = %mail.id, template, attempt, error, "a mail is tried again");
        }
        MailStatus::Failed => {
            tracing::warn!(mail = %mail.id, template, attempt, error, "a mail was given up");
        }
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use lyceum_domain::identity::keys::KeyKind;
    use lyceum_domain::identity::users::Role;
    use lyceum_domain::notifying::letters::MailTemplate;
    use lyceum_domain::notifying::mails::{MailFailure, MailTrouble};
    use lyceum_ports::mocks::MockTx;
    use lyceum_ports::notifying::mailer::MockMailer;

    use super::*;
    use crate::identity::visibility::tests::{context, id, now};
    use crate::settings::Settings;

    /// Somebody who asks where there is a mail server, or where there is none.
    fn visitor(mail_is_configured: bool) -> Visitor {
        let mut visitor = context(Role::Owner, KeyKind::Standard).visitor();
        visitor.settings = Arc::new(Settings {
            mail_is_configured,
            ..(*visitor.settings).clone()
        });
        visitor
    }

    fn new_mail(withheld: bool) -> NewMail {
        NewMail {
            to: Email::parse("ada@school.example").unwrap(),
            language: LanguageTag::english(),
            letter: Letter::sample(MailTemplate::SignInLink, now()),
            workspace: None,
            not_after: now().plus(HOUR),
            withheld,
        }
    }

    /// A transaction in which so many were asked for already.
    fn tx_after(asked: u64) -> MockTx {
        let mut tx = MockTx::default();
        tx.mails
            .expect_count_since()
            .withf(|to, template, since| {
                to.as_str() == "ada@school.example"
                    && *template == MailTemplate::SignInLink
                    && *since == now().minus(HOUR)
            })
            .return_once(move |_, _, _| Ok(asked));
        tx
    }

    #[test]
    fn a_mail_is_a_row_and_wakes_who_sends_it() {
        for withheld in [false, true] {
            let (mut tx, visitor) = (tx_after(4), visitor(true));
            tx.mails
                .expect_insert()
                .withf(move |mail| mail.withheld == withheld && mail.attempts == 0)
                .once()
                .returning(|_| Ok(()));
            let queued = queue(&mut tx, &visitor, new_mail(withheld)).unwrap();
            assert_eq!(queued, Queued::Waiting(id(9)));
            assert!(visitor.queued.load(std::sync::atomic::Ordering::Relaxed));
        }
    }

    #[test]
    fn an_address_gets_five_sign_in_links_an_hour_and_no_more() {
        let queued = queue(&mut tx_after(5), &visitor(true), new_mail(false)).unwrap();
        assert_eq!(queued, Queued::TooMany);
    }

    #[test]
    fn without_a_mail_server_nothing_is_kept() {
        let queued = queue(&mut MockTx::default(), &visitor(false), new_mail(false)).unwrap();
        assert_eq!(queued, Queued::NotConfigured);
    }

    #[tokio::test]
    async fn what_is_sent_is_the_letter_and_what_comes_of_it_is_the_outcome() {
        let failure = MailFailure::passing(MailTrouble::Refused, Some(451));
        for (answer, expected) in [
            (Ok(()), MailOutcome::Sent),
            (Err(failure), MailOutcome::Failed(failure)),
        ] {
            let letter = Letter::sample(MailTemplate::SignInLink, now());
            let mail = OutgoingMail {
                id: id(9),
                workspace_id: None,
                to: Email::parse("ada@school.example").unwrap(),
                language: LanguageTag::english(),
                template: letter.template(),
                withheld: false,
                not_after: now().plus(HOUR),
                state: MailState::Pending {
                    next_attempt_at: now(),
                    letter: Some(letter.clone()),
                },
                attempts: 1,
                last_error: None,
                stamp: Stamp::new(now()),
            };
            let mut mailer = MockMailer::new();
            let wanted = letter.clone();
            mailer
                .expect_send()
                .withf(move |sent| sent.letter == wanted && sent.id == id(9))
                .return_once(move |_| answer);
            assert_eq!(handed_over(&mailer, &mail, letter).await, expected);
        }
    }
}
