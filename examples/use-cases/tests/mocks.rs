//! A use case of one's own, tested with a transaction of mocks: nothing is opened, and what is not expected panics.
#![allow(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

use std::path::PathBuf;
use std::sync::Arc;

use lyceum_application::context::Actor;
use lyceum_application::context::Visitor;
use lyceum_application::{Context, Error, Settings};
use lyceum_contracts::sample;
use lyceum_domain::authoring::courses::CourseStatus;
use lyceum_domain::exporting::scorm::RuntimeBaseUrl;
use lyceum_domain::notifying::deliveries::DeliverySchedule;
use lyceum_ports::addresses::MockAddresses;
use lyceum_ports::authoring::courses::ShownCourse;
use lyceum_ports::drafting::ai::MockAiProvider;
use lyceum_ports::environment::{MockEntropy, MockIds};
use lyceum_ports::mocks::MockTx;
use lyceum_ports::notifying::webhook_sink::MockWebhookSink;
use lyceum_ports::page::Page;
use lyceum_ports::store::StoreError;
use use_cases::shelf;

/// The service in workspace 1; whoever asks it for ids, secrets or AI panics.
fn context() -> Context {
    Context {
        workspace: Arc::new(sample::workspace(1)),
        actor: Actor::Service,
        read_as: None,
        visit: Visitor {
            passkeys: None,
            now: sample::now(),
            request_id: None,
            trace: None,
            ids: Arc::new(MockIds::new()),
            entropy: Arc::new(MockEntropy::new()),
            settings: Arc::new(Settings {
                addresses: Arc::new(MockAddresses::new()),
                public_url: RuntimeBaseUrl::parse("http://school.example").unwrap(),
                download_key: [0; 32],
                draw_key: [0; 32],
                launch_key: [1; 32],
                workspaces: lyceum_application::settings::WorkspaceCreation::default(),
                webhook_schedule: DeliverySchedule::default(),
                mail_is_configured: false,
                trash_kept: std::time::Duration::from_hours(30 * 24),
                scratch: PathBuf::new(),
                spending: lyceum_application::settings::Spending::default(),
            }),
            sink: Arc::new(MockWebhookSink::new()),
            ai: Arc::new(MockAiProvider::new()),
            queued: Arc::default(),
        },
    }
}

#[test]
fn the_shelf_asks_for_what_is_published_here_and_for_nothing_else() {
    let mut tx = MockTx::default();
    tx.courses
        .expect_page()
        .withf(|workspace, filter, _| {
            *workspace == sample::id(1) && filter.status == Some(CourseStatus::Published)
        })
        .once()
        .returning(|_, _, _| {
            let shown = ShownCourse {
                course: sample::course(sample::id(1), 10),
                cohorts: Vec::new(),
                generation: None,
            };
            Ok(Page {
                items: vec![shown],
                next: None,
            })
        });
    assert_eq!(shelf(&mut tx, &context()).unwrap(), ["Course 10"]);
}

#[test]
fn a_shelf_that_cannot_be_read_is_no_empty_shelf() {
    let mut tx = MockTx::default();
    tx.courses
        .expect_page()
        .returning(|_, _, _| Err(StoreError::Stale));
    let refused = shelf(&mut tx, &context());
    assert!(matches!(refused, Err(Error::Unavailable(_))), "{refused:?}");
}
