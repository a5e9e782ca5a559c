//! A node that is asked to stop: nobody's request is lost, and nobody's work.

use std::collections::BTreeSet;
use std::net::SocketAddr;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use lyceum_client::{Client, ClientError, wait_until};
use lyceum_wire::authoring::courses::CreateCourse;
use support::binary::{Launch, LyceumProcess};
use support::postgres;
use support::scripted_provider::{Play, ScriptedProvider};
use support::stores::Database;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;

use crate::bad_days::waiting;
use crate::service::{SOON, Service, client, place};
use crate::traces::VARIABLE;

/// A stop is over by then, whatever is under way.
const STOPPED: Duration = Duration::from_secs(35);

fn with_ai(launch: Launch, provider: &ScriptedProvider) -> Launch {
    launch
        .env("LYCEUM_AI_PROVIDER", "openai")
        .env("LYCEUM_AI_BASE_URL", provider.base_url())
        .env("LYCEUM_AI_MODEL", "scripted-1")
}

async fn create(client: &Client, name: &str) -> Result<String, ClientError> {
    let course = CreateCourse {
        name: name.to_owned(),
        language: "en".to_owned(),
        ..CreateCourse::default()
    };
    Ok(client.courses().create(&course).await?.id)
}

/// Creates courses until there is nobody any more; the ids of those that were answered.
async fn write(client: Client, writer: usize) -> BTreeSet<String> {
    let mut answered = BTreeSet::new();
    for number in 0.. {
        match create(&client, &format!("{writer}-{number}")).await {
            Ok(id) => answered.insert(id),
            Err(ClientError::Transport(_)) => break,
            Err(other) => panic!("{other}"),
        };
    }
    answered
}

async fn asked(provider: &ScriptedProvider, times: usize) {
    let look = || async { Ok(provider.requests().len()) };
    wait_until(SOON, look, |asked| *asked >= times)
        .await
        .unwrap();
}

#[tokio::test(flavor = "multi_thread")]
async fn a_stop_with_requests_and_jobs_in_flight_loses_neither() {
    for database in [Database::Sqlite, Database::Postgres] {
        let provider = ScriptedProvider::deciding(|_| Play::Hang).await;
        let mut service = Service::start(place(with_ai(Launch::new(), &provider), database));
        let client = service.client();
        let (_, submissions) = waiting(&client).await;
        asked(&provider, 4).await;
        let writers: Vec<_> = (0..8)
            .map(|writer| tokio::spawn(write(service.client(), writer)))
            .collect();
        let look = || async { client.courses().list().collect().await };
        wait_until(SOON, look, |courses| courses.len() > 8)
            .await
            .unwrap();
        let begun = Instant::now();
        let status = tokio::task::block_in_place(|| service.process.terminate());
        assert_eq!(status.code(), Some(0), "{database:?} {status}");
        assert!(begun.elapsed() < STOPPED, "{:?}", begun.elapsed());
        let mut answered = BTreeSet::new();
        for writer in writers {
            answered.extend(writer.await.unwrap());
        }
        let before = provider.requests().len();
        service.process.restart();
        // What was put back is taken up at once, and not when a lease of a minute runs out.
        asked(&provider, before + 4).await;
        let courses = client.courses().list().collect().await.unwrap();
        let kept: BTreeSet<String> = courses.into_iter().map(|course| course.id).collect();
        assert!(kept.is_superset(&answered), "{database:?}");
        for id in &submissions {
            let submission = client.submissions().retrieve(id).await.unwrap();
            assert_eq!(submission.ai_status.as_deref(), Some("pending"));
        }
        service.process.kill();
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn told_a_second_time_it_ends_at_once() {
    let provider = ScriptedProvider::deciding(|_| Play::Hang).await;
    let mut service = Service::start(with_ai(Launch::new(), &provider));
    waiting(&service.client()).await;
    asked(&provider, 4).await;
    service.process.signal("TERM");
    let stopping = || async { Ok(service.process.stderr().contains("stopping")) };
    wait_until(SOON, stopping, |stopping| *stopping)
        .await
        .unwrap();
    service.process.signal("TERM");
    let status = tokio::task::block_in_place(|| service.process.ended());
    assert_eq!(status.code(), Some(143), "{status}");
}

/// Which of the nodes say that they are ready.
struct Balancer {
    nodes: Vec<Arc<AtomicBool>>,
    next: AtomicUsize,
}

async fn is_ready(node: SocketAddr) -> std::io::Result<bool> {
    let mut stream = TcpStream::connect(node).await?;
    let request = format!("GET /readyz HTTP/1.1\r\nHost: {node}\r\nConnection: close\r\n\r\n");
    stream.write_all(request.as_bytes()).await?;
    let mut status = [0; 12];
    stream.read_exact(&mut status).await?;
    Ok(status == *b"HTTP/1.1 200")
}

impl Balancer {
    /// Asks every node ten times a second.
    fn over(nodes: &[&LyceumProcess]) -> Arc<Self> {
        let nodes = nodes.iter().map(|node| {
            let (address, ready) = (node.address(), Arc::new(AtomicBool::new(true)));
            let told = Arc::clone(&ready);
            tokio::spawn(async move {
                loop {
                    let asked = tokio::time::timeout(Duration::from_secs(5), is_ready(address));
                    let is_ready = matches!(asked.await, Ok(Ok(true)));
                    told.store(is_ready, Ordering::SeqCst);
                    tokio::time::sleep(Duration::from_millis(100)).await;
                }
            });
            ready
        });
        Arc::new(Self {
            nodes: nodes.collect(),
            next: AtomicUsize::new(0),
        })
    }

    /// Where the next request goes.
    fn node(&self) -> usize {
        let first = self.next.fetch_add(1, Ordering::SeqCst);
        let order = (first..first + self.nodes.len()).map(|at| at % self.nodes.len());
        let mut ready = order.filter(|at| self.nodes[*at].load(Ordering::SeqCst));
        ready.next().expect("one node is ready at any time")
    }

    async fn until_ready(&self, node: usize, ready: bool) {
        let look = || async { Ok(self.nodes[node].load(Ordering::SeqCst)) };
        wait_until(SOON, look, |is| *is == ready).await.unwrap();
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_rolling_restart_of_two_nodes_fails_no_request() {
    let database = postgres::cluster().create_database();
    let of_both = |launch: Launch| launch.env("LYCEUM_DATABASE_URL", &database);
    let mut first = Service::start(of_both(Launch::new()).env("LYCEUM_NODE_NAME", "one"));
    let key_file = first.process.data_dir().join("master.key");
    let files = format!(
        "file://{}",
        first.process.data_dir().join("blobs").display()
    );
    let mut second = of_both(Launch::new())
        .env("LYCEUM_NODE_NAME", "two")
        .env("LYCEUM_BLOBS_URL", files)
        .env("LYCEUM_MASTER_KEY_FILE", key_file)
        .env(VARIABLE, first.traces.mark())
        .start();
    let balancer = Balancer::over(&[&first.process, &second]);
    let clients = [first.client(), client(&second, &first.key, "main")];
    let over = Arc::new(AtomicBool::new(false));
    let callers: Vec<_> = (0..6)
        .map(|caller| {
            let (balancer, clients) = (Arc::clone(&balancer), clients.clone());
            let over = Arc::clone(&over);
            tokio::spawn(async move {
                let mut made = 0;
                while !over.load(Ordering::SeqCst) {
                    let client = &clients[balancer.node()];
                    let id = create(client, &format!("{caller}-{made}")).await.unwrap();
                    let other = &clients[balancer.node()];
                    other.courses().retrieve(&id).await.unwrap();
                    made += 1;
                }
                made
            })
        })
        .collect();
    for (node, process) in [(0, &mut first.process), (1, &mut second)] {
        process.signal("TERM");
        balancer.until_ready(node, false).await;
        let status = tokio::task::block_in_place(|| process.ended());
        assert_eq!(status.code(), Some(0), "{status}");
        tokio::task::block_in_place(|| process.restart());
        balancer.until_ready(node, true).await;
    }
    over.store(true, Ordering::SeqCst);
    let mut made = 0;
    for caller in callers {
        made += caller.await.unwrap();
    }
    let courses = first.client().courses().list().collect().await;
    assert_eq!(courses.unwrap().len(), made);
    assert!(made > 12, "hardly anything was asked");
}
