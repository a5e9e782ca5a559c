//! Mail, from being asked for in a transaction to being taken by a mail server that is none.

use std::sync::{Arc, Mutex};
use std::time::Duration;

use async_trait::async_trait;
use futures_util::future::join_all;
use lyceum_application::notifying::mails::{self, NewMail, Queued};
use lyceum_application::{App, Error, Settings, work};
use lyceum_domain::ids::{MailId, WorkspaceId};
use lyceum_domain::notifying::letters::Letter;
use lyceum_domain::notifying::mails::{MailFailure, MailStatus, MailTrouble};
use lyceum_domain::text::{Email, LanguageTag};
use lyceum_ports::notifying::mailer::{MailToSend, Mailer};
use serde_json::json;
use support::app::{Answer, TestApp};
use support::stores::Database;

use crate::school::app_on;

const ADA: &str = "ada@school.example";
const LINK: &str = "https://lyceum.test/studio#link=Zaunkoenig";

fn good(answer: Answer) -> Answer {
    assert!((200..300).contains(&answer.status), "{}", answer.body);
    answer
}

/// Takes mails, after it has refused some.
#[derive(Default)]
pub struct Postbox {
    refusals: Mutex<Vec<MailFailure>>,
    pub taken: Mutex<Vec<MailToSend>>,
}

#[async_trait]
impl Mailer for Postbox {
    async fn send(&self, mail: MailToSend) -> Result<(), MailFailure> {
        if let Some(failure) = self.refusals.lock().unwrap().pop() {
            return Err(failure);
        }
        self.taken.lock().unwrap().push(mail);
        Ok(())
    }

    async fn greet(&self) -> Result<(), MailFailure> {
        Ok(())
    }
}

/// The application of these tests with a mail server.
pub fn with_postbox(app: &TestApp) -> (App, Arc<Postbox>) {
    let postbox = Arc::new(Postbox::default());
    let mut app = app.app.clone();
    app.settings = Arc::new(Settings {
        mail_is_configured: true,
        ..(*app.settings).clone()
    });
    app.mailer = Some(postbox.clone());
    (app, postbox)
}

fn to(address: &str, app: &App) -> NewMail {
    let until = app.clock.now().plus(Duration::from_mins(10));
    NewMail {
        to: Email::parse(address).unwrap(),
        language: LanguageTag::english(),
        letter: Letter::sign_in_link(LINK, until),
        workspace: None,
        not_after: until,
        withheld: false,
    }
}

async fn queue(app: &App, mail: NewMail) -> Result<Queued, Error> {
    let visitor = app.service_visit();
    app.store
        .write(move |tx| mails::queue(tx, &visitor, mail.clone()))
        .await
}

fn waiting(queued: Result<Queued, Error>) -> MailId {
    let queued = queued.unwrap();
    match queued {
        Queued::Waiting(id) => id,
        Queued::TooMany | Queued::NotConfigured => unreachable!("{queued:?}"),
    }
}

/// Sends what is due; how many mails that were.
pub async fn send(app: &App) -> usize {
    let claimed = work::claim_mails(app, 100).await.unwrap();
    let count = claimed.len();
    for mail in claimed {
        work::send_mail(app, mail).await.unwrap();
    }
    count
}

async fn status(app: &App, id: MailId) -> Option<(MailStatus, Option<String>)> {
    let found = app.read(move |tx| mails::find(tx, id)).await.unwrap();
    found.map(|mail| (mail.state.status(), mail.last_error))
}

/// Asks for a mail, sends it and looks at what became of it: for whoever looks at statements.
pub async fn one_is_sent(app: &TestApp) {
    let (app, _) = with_postbox(app);
    let id = waiting(queue(&app, to(ADA, &app)).await);
    assert_eq!(send(&app).await, 1);
    assert!(status(&app, id).await.is_some());
}

#[actix_web::test]
async fn two_hundred_who_ask_at_once_for_one_address_get_it_five_mails() {
    for database in [Database::Sqlite, Database::Postgres] {
        let app = app_on(database).await;
        let (app, postbox) = with_postbox(&app);
        let asking = (0..200).map(|_| queue(&app, to(ADA, &app)));
        let queued: Vec<Queued> = join_all(asking)
            .await
            .into_iter()
            .map(Result::unwrap)
            .collect();
        let sent = |one: &&Queued| matches!(one, Queued::Waiting(_));
        assert_eq!(queued.iter().filter(sent).count(), 5, "{database:?}");
        let others = queued.iter().filter(|one| **one == Queued::TooMany);
        assert_eq!(others.count(), 195);
        // Somebody else is none the worse for it.
        waiting(queue(&app, to("bob@school.example", &app)).await);
        while send(&app).await > 0 {}
        assert_eq!(postbox.taken.lock().unwrap().len(), 6);
    }
}

#[actix_web::test]
async fn who_asked_too_often_may_ask_again_after_an_hour() {
    let test = TestApp::start().await;
    let (app, _) = with_postbox(&test);
    for _ in 0..5 {
        waiting(queue(&app, to(ADA, &app)).await);
    }
    test.clock.advance(3_599);
    assert_eq!(queue(&app, to(ADA, &app)).await.unwrap(), Queued::TooMany);
    test.clock.advance(2);
    waiting(queue(&app, to(ADA, &app)).await);
}

#[actix_web::test]
async fn what_was_rolled_back_is_not_sent_and_what_was_kept_is_once() {
    for database in [Database::Sqlite, Database::Postgres] {
        let app = app_on(database).await;
        let (app, postbox) = with_postbox(&app);
        let (visitor, mail) = (app.service_visit(), to(ADA, &app));
        let undone: Result<(), Error> = app
            .store
            .write(move |tx| {
                mails::queue(tx, &visitor, mail.clone())?;
                Err(Error::NotFound("course"))
            })
            .await;
        assert!(undone.is_err());
        assert_eq!(send(&app).await, 0);
        let id = waiting(queue(&app, to(ADA, &app)).await);
        assert_eq!((send(&app).await, send(&app).await), (1, 0), "{database:?}");
        let taken = postbox.taken.lock().unwrap().clone();
        assert_eq!(taken.len(), 1);
        assert_eq!((taken[0].id, taken[0].to.as_str()), (id, ADA));
        assert_eq!(taken[0].letter.values()["link"], LINK);
        assert_eq!(status(&app, id).await, Some((MailStatus::Sent, None)));
    }
}

#[actix_web::test]
async fn a_mail_to_nobody_is_taken_up_and_reaches_no_mail_server() {
    let app = TestApp::start().await;
    let (app, postbox) = with_postbox(&app);
    let mail = NewMail {
        withheld: true,
        ..to(ADA, &app)
    };
    let id = waiting(queue(&app, mail).await);
    assert_eq!(send(&app).await, 1);
    assert!(postbox.taken.lock().unwrap().is_empty());
    assert_eq!(status(&app, id).await, Some((MailStatus::Dropped, None)));
}

#[actix_web::test]
async fn what_may_pass_is_tried_again_what_lasts_is_not_and_no_link_is_sent_after_its_end() {
    let test = TestApp::start().await;
    let (app, postbox) = with_postbox(&test);
    let refuse = |failures: &[MailFailure]| *postbox.refusals.lock().unwrap() = failures.to_vec();
    let busy = MailFailure::passing(MailTrouble::Refused, Some(451));

    let patient = waiting(queue(&app, to(ADA, &app)).await);
    refuse(&[busy]);
    assert_eq!((send(&app).await, send(&app).await), (1, 0), "it waits");
    let told = Some("refused (451)".to_owned());
    assert_eq!(
        status(&app, patient).await,
        Some((MailStatus::Pending, told))
    );
    test.clock.advance(7);
    assert_eq!(send(&app).await, 1);
    assert_eq!(status(&app, patient).await, Some((MailStatus::Sent, None)));

    let bounced = waiting(queue(&app, to(ADA, &app)).await);
    refuse(&[MailFailure::lasting(MailTrouble::Refused, Some(550))]);
    assert_eq!(send(&app).await, 1);
    test.clock.advance(300);
    assert_eq!(send(&app).await, 0);
    let told = Some("refused (550)".to_owned());
    assert_eq!(
        status(&app, bounced).await,
        Some((MailStatus::Failed, told))
    );

    let late = waiting(queue(&app, to(ADA, &app)).await);
    test.clock.advance(600);
    assert_eq!(send(&app).await, 1);
    let told = Some("too_late".to_owned());
    assert_eq!(status(&app, late).await, Some((MailStatus::Failed, told)));
    assert_eq!(postbox.taken.lock().unwrap().len(), 1);
}

#[actix_web::test]
async fn without_a_mail_server_nothing_is_kept_and_nothing_is_taken_up() {
    let test = TestApp::start().await;
    let queued = queue(&test.app, to(ADA, &test.app)).await;
    assert_eq!(queued.unwrap(), Queued::NotConfigured);
    // Another node has one: what waits, waits for that.
    let (with, _) = with_postbox(&test);
    waiting(queue(&with, to(ADA, &with)).await);
    assert_eq!(send(&test.app).await, 0);
    assert_eq!(send(&with).await, 1);
}

#[actix_web::test]
async fn whoever_is_erased_gets_no_mail_and_none_to_them_is_kept() {
    for database in [Database::Sqlite, Database::Postgres] {
        let test = app_on(database).await;
        let (app, postbox) = with_postbox(&test);
        let new = json!({"email": ADA, "name": "Ada", "role": "student"});
        let user = good(test.post("/v1/users", new).await).id();
        let workspaces = test.get("/v1/workspaces").await.body;
        let workspace: WorkspaceId = workspaces["data"][0]["id"]
            .as_str()
            .unwrap()
            .parse()
            .unwrap();
        let mut sent = to(ADA, &app);
        sent.workspace = Some(workspace);
        let sent = waiting(queue(&app, sent).await);
        assert_eq!(send(&app).await, 1);
        let mut unsent = to(ADA, &app);
        unsent.workspace = Some(workspace);
        let unsent = waiting(queue(&app, unsent).await);
        let other = waiting(queue(&app, to("bob@school.example", &app)).await);

        let export = test
            .post(&format!("/v1/users/{user}/export"), json!({}))
            .await;
        let mails = good(export).body["data"]["mails"].clone();
        assert_eq!(mails.as_array().unwrap().len(), 2, "{mails}");
        assert_eq!(mails[0]["address"], ADA);
        assert!(
            !mails.to_string().contains("Zaunkoenig"),
            "a link is no part of it"
        );

        let path = format!("/v1/users/{user}/erase");
        let receipt = good(test.post(&path, json!({"confirm": user})).await).body;
        assert!(receipt.to_string().contains("\"mails\""), "{receipt}");
        for id in [sent, unsent] {
            assert_eq!(status(&app, id).await, None, "{database:?}");
        }
        assert!(status(&app, other).await.is_some());
        while send(&app).await > 0 {}
        let taken = postbox.taken.lock().unwrap();
        let addresses: Vec<&str> = taken.iter().map(|mail| mail.to.as_str()).collect();
        assert_eq!(addresses, [ADA, "bob@school.example"]);
    }
}
