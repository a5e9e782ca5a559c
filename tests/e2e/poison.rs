//! Work that kills whoever does it, every time.

use std::time::Duration;

use lyceum_client::wait_until;
use lyceum_ports::running::jobs::QueuedJob;
use lyceum_wire::exporting::scorm::CreateScormPackage;
use support::binary::Launch;
use support::scripted_provider::{Play, ScriptedProvider};
use support::stores::Database;

use crate::bad_days::waiting_for;
use crate::service::{SOON, Service, place};

/// Leases of a lost node last a minute where others may be alive, but not beyond its own next start.
const SETTLED: Duration = Duration::from_mins(2);

#[tokio::test(flavor = "multi_thread")]
async fn a_job_that_kills_its_process_every_time_is_given_up_and_harms_no_other() {
    for database in [Database::Sqlite, Database::Postgres] {
        let provider = ScriptedProvider::deciding(|_| Play::Hang).await;
        let launch = Launch::new()
            .env("LYCEUM_NODE_NAME", "poisoned")
            .env("LYCEUM_AI_PROVIDER", "openai")
            .env("LYCEUM_AI_BASE_URL", provider.base_url())
            .env("LYCEUM_AI_MODEL", "scripted-1");
        let mut service = Service::start(place(launch, database));
        let client = service.client();
        let (cohort, submissions) = waiting_for(&client, 1).await;
        let wanted = CreateScormPackage {
            cohort_id: cohort,
            ..CreateScormPackage::default()
        };
        let package = client.scorm().create(&wanted).await.unwrap().id.clone();
        for attempt in 1..=QueuedJob::LOST_ATTEMPTS {
            let look = || async { Ok(provider.requests().len()) };
            let so_many = usize::try_from(attempt).unwrap();
            wait_until(SOON, look, |asked| *asked >= so_many)
                .await
                .unwrap();
            // Whoever was killed along with it once is done by another attempt.
            if attempt == 2 {
                let package = client.scorm().wait(&package).within(SETTLED).await.unwrap();
                assert_eq!(package.status, "ready");
            }
            service.process.kill();
            service.process.restart();
        }
        let ended = client
            .submissions()
            .wait(&submissions[0])
            .within(SETTLED)
            .await;
        let ended = ended.unwrap();
        assert_eq!(ended.ai_status.as_deref(), Some("error"), "{database:?}");
        assert_eq!(ended.ai_error.unwrap().code, "worker_lost");
        let asked = provider.requests().len();
        assert_eq!(asked, usize::try_from(QueuedJob::LOST_ATTEMPTS).unwrap());
    }
}
