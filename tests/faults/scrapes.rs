//! Whoever watches is answered also while the database is not there, and sees by what is missing that it is not.

use std::net::SocketAddr;
use std::time::{Duration, Instant};

use lyceum_client::wait_until;
use support::binary::{Launch, free_address};
use support::own_postgres::OwnPostgres;
use support::service::Service;

/// After this Prometheus hangs up, if nobody decided otherwise.
const PATIENCE: Duration = Duration::from_secs(10);
/// From PostgreSQL's return to the service's; the machine may be busy with other things.
const BACK: Duration = Duration::from_secs(30);
/// What only the database knows.
const LOOKED_UP: [&str; 6] = [
    "lyceum_jobs_waiting{lane=\"ai\"}",
    "lyceum_jobs_oldest_seconds{lane=\"ai\"}",
    "lyceum_jobs_running{lane=\"work\"}",
    "lyceum_jobs_dead",
    "lyceum_webhook_deliveries_waiting",
    "lyceum_webhook_deliveries_oldest_seconds",
];

async fn scrape(admin: SocketAddr) -> String {
    let answer = reqwest::get(format!("http://{admin}/metrics")).await;
    let answer = answer.unwrap().error_for_status().unwrap();
    answer.text().await.unwrap()
}

/// Which of what is looked up is told.
fn told(text: &str) -> Vec<&'static str> {
    let is_told = |name: &str| {
        text.lines()
            .any(|line| line.starts_with(&format!("{name} ")))
    };
    LOOKED_UP.into_iter().filter(|name| is_told(name)).collect()
}

#[tokio::test(flavor = "multi_thread")]
async fn a_scrape_without_the_database_leaves_out_what_that_would_say() {
    drop(rustls::crypto::ring::default_provider().install_default());
    let mut cluster = tokio::task::block_in_place(OwnPostgres::start);
    let admin = free_address();
    let launch = Launch::new()
        .env("LYCEUM_DATABASE_URL", cluster.url())
        .env("LYCEUM_ADMIN_ADDR", admin.to_string());
    let service = tokio::task::block_in_place(|| Service::start(launch));
    assert_eq!(told(&scrape(admin).await), LOOKED_UP);
    tokio::task::block_in_place(|| cluster.crash());
    let begun = Instant::now();
    let text = scrape(admin).await;
    assert!(begun.elapsed() < PATIENCE, "{:?}", begun.elapsed());
    assert_eq!(told(&text), Vec::<&str>::new(), "old figures");
    assert!(text.contains("lyceum_build_info"), "{text}");
    tokio::task::block_in_place(|| cluster.restart());
    let look = || async { Ok(scrape(admin).await) };
    let back = wait_until(BACK, look, |text| told(text) == LOOKED_UP).await;
    back.unwrap();
    // The service before its database.
    drop(service);
}
