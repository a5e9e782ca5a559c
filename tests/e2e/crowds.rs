//! Callers who take more than their share: connections, places, memory. They wait for themselves, or are cut off, and
//! nobody else notices.

use std::io::ErrorKind;
use std::net::SocketAddr;
use std::time::Duration;

use lyceum_client::wait_until;
use lyceum_wire::authoring::courses::CreateCourse;
use lyceum_wire::authoring::lessons::CreateLesson;
use lyceum_wire::authoring::units::CreateUnit;
use support::binary::{Launch, free_address};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpSocket, TcpStream};

use crate::service::{SOON, Service};
use crate::watching::metrics;
use crate::wire::{Wire, time_to_health};

const PATIENCE: Duration = Duration::from_secs(30);
/// What a monitor takes for alive, on a busy machine.
const ALIVE: Duration = Duration::from_secs(5);
/// Lessons of 100 KB: more than a connection holds of what nobody reads.
const LESSONS: usize = 60;

fn figure(admin: SocketAddr, name: &str) -> f64 {
    let text = metrics(admin);
    let line = text
        .lines()
        .find_map(|line| line.strip_prefix(name)?.strip_prefix(' '));
    line.unwrap_or_else(|| panic!("{name} is not in {text}"))
        .parse()
        .unwrap()
}

async fn comes_to(admin: SocketAddr, name: &str, wanted: impl Fn(f64) -> bool) {
    let look = || async { Ok(figure(admin, name)) };
    wait_until(SOON, look, |seen| wanted(*seen)).await.unwrap();
}

/// A request of the owner's.
fn get(service: &Service, path: &str) -> Vec<u8> {
    format!(
        "GET {path} HTTP/1.1\r\nHost: lyceum\r\nx-api-key: {}\r\n\
         x-learning-platform-code: main\r\nConnection: close\r\n\r\n",
        service.key
    )
    .into_bytes()
}

/// A course whose list of lessons is long.
async fn write_much(service: &Service) {
    let client = service.client();
    let course = CreateCourse {
        name: "Cooling".to_owned(),
        language: "en".to_owned(),
        ..CreateCourse::default()
    };
    let course = client.courses().create(&course).await.unwrap().id;
    let unit = CreateUnit {
        course_id: course,
        name: "U".to_owned(),
        ..CreateUnit::default()
    };
    let unit = client.units().create(&unit).await.unwrap().id;
    for _ in 0..LESSONS {
        let lesson = CreateLesson {
            unit_id: unit.clone(),
            name: "L".to_owned(),
            content: Some("x".repeat(100_000)),
            ..CreateLesson::default()
        };
        client.lessons().create(&lesson).await.unwrap();
    }
}

/// A service that is watched, with these settings.
fn watched(settings: &[(&str, &str)]) -> (Service, SocketAddr) {
    let admin = free_address();
    let launch = Launch::new().env("LYCEUM_ADMIN_ADDR", admin.to_string());
    let with = |launch: Launch, (name, value): &(&str, &str)| launch.env(name, value);
    (Service::start(settings.iter().fold(launch, with)), admin)
}

const LIST: &str = "/v1/lessons?limit=100";

#[tokio::test(flavor = "multi_thread")]
async fn callers_who_do_not_read_are_cut_and_leave_nothing_behind() {
    let (service, admin) = watched(&[("LYCEUM_SEND_TIMEOUT", "2")]);
    write_much(&service).await;
    let mut callers: Vec<Wire> = (0..8)
        .map(|_| Wire::connect(service.process.address()))
        .collect();
    for caller in &mut callers {
        assert!(caller.send(&get(&service, LIST)));
    }
    comes_to(admin, "lyceum_slow_readers_total", |cut| cut >= 8.0).await;
    comes_to(admin, "lyceum_http_unsent_bytes", |bytes| bytes == 0.0).await;
    assert!(time_to_health(service.process.address()) < ALIVE);
    for mut caller in callers {
        let answer = caller.answer_within(PATIENCE);
        assert!(answer.closed, "{}", answer.head);
        assert!(answer.body.len() < LESSONS * 100_000, "it was cut short");
    }
    // Whoever reads gets all of it.
    let mut reader = Wire::connect(service.process.address());
    reader.send(&get(&service, LIST));
    let answer = reader.answer_within(PATIENCE);
    assert_eq!(answer.status(), 200);
    assert!(answer.body.len() > LESSONS * 100_000, "{}", answer.head);
}

#[tokio::test(flavor = "multi_thread")]
async fn who_leaves_large_answers_unread_gets_no_more_of_them() {
    let (service, admin) = watched(&[("LYCEUM_UNSENT_MIB", "16")]);
    write_much(&service).await;
    let mut unread = Wire::connect(service.process.address());
    unread.send(&get(&service, LIST));
    comes_to(admin, "lyceum_http_unsent_bytes", |bytes| bytes > 5e6).await;
    let mut next = Wire::connect(service.process.address());
    next.send(&get(&service, LIST));
    let answer = next.answer_within(PATIENCE);
    assert_eq!(
        (answer.status(), answer.code().as_str()),
        (429, "rate_limited")
    );
    assert!(answer.head.to_ascii_lowercase().contains("retry-after: 1"));
    let mut small = Wire::connect(service.process.address());
    small.send(&get(&service, "/v1/courses"));
    assert_eq!(small.answer_within(PATIENCE).status(), 200);
    drop(unread);
    comes_to(admin, "lyceum_http_unsent_bytes", |bytes| bytes == 0.0).await;
    let mut later = Wire::connect(service.process.address());
    later.send(&get(&service, LIST));
    assert_eq!(later.answer_within(PATIENCE).status(), 200);
}

#[tokio::test(flavor = "multi_thread")]
async fn many_requests_of_one_key_wait_for_each_other_and_none_is_refused() {
    let (service, admin) = watched(&[("LYCEUM_REQUESTS_PER_KEY", "1")]);
    let mut callers: Vec<Wire> = (0..300)
        .map(|_| Wire::connect(service.process.address()))
        .collect();
    for caller in &mut callers {
        assert!(caller.send(&get(&service, "/v1/courses")));
    }
    for mut caller in callers {
        let answer = caller.answer_within(PATIENCE);
        assert_eq!(answer.status(), 200, "{answer:?}");
    }
    comes_to(admin, "lyceum_http_requests_waiting", |waiting| {
        waiting == 0.0
    })
    .await;
}

/// A connection from one of the machine's own addresses.
async fn from(source: &str, to: SocketAddr) -> TcpStream {
    let socket = TcpSocket::new_v4().unwrap();
    socket.bind(format!("{source}:0").parse().unwrap()).unwrap();
    socket.connect(to).await.unwrap()
}

/// Whether the service answers on a connection, or has closed it.
async fn is_served(mut caller: TcpStream) -> bool {
    let request = b"GET /healthz HTTP/1.1\r\nHost: lyceum\r\nConnection: close\r\n\r\n";
    let mut answer = Vec::new();
    let asked = async {
        caller.write_all(request).await?;
        caller.read_to_end(&mut answer).await
    };
    match asked.await {
        Ok(_) => answer.starts_with(b"HTTP/1.1 200"),
        Err(error) => {
            let kinds = [ErrorKind::ConnectionReset, ErrorKind::BrokenPipe];
            assert!(kinds.contains(&error.kind()), "{error}");
            false
        }
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn an_address_with_too_many_connections_gets_no_more_and_others_do() {
    let settings = [
        ("LYCEUM_MAX_CONNECTIONS_PER_ADDRESS", "20"),
        ("LYCEUM_HEADER_TIMEOUT", "120"),
    ];
    let (service, admin) = watched(&settings);
    let address = service.process.address();
    let mut idle = Vec::new();
    for _ in 0..50 {
        idle.push(from("127.0.0.7", address).await);
    }
    comes_to(admin, "lyceum_connections_refused_total", |refused| {
        refused >= 30.0
    })
    .await;
    assert!(!is_served(from("127.0.0.7", address).await).await);
    assert!(is_served(from("127.0.0.8", address).await).await);
    drop(idle);
    comes_to(admin, "lyceum_connections_open", |open| open == 0.0).await;
    assert!(is_served(from("127.0.0.7", address).await).await);
}
