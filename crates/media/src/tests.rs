//! The fetcher against servers on loopback: what it takes, what it refuses, and when it gives up.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use lyceum_ports::exporting::media::{FetchedMedia, MediaFetcher, MediaProblem};
use tempfile::TempDir;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpListener;
use tokio::time::Instant;

use crate::{Fetcher, MediaSettings};

/// A server that answers each path by these rules.
struct Server {
    port: u16,
    asked: Arc<AtomicUsize>,
}

impl Server {
    async fn start() -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let port = listener.local_addr().unwrap().port();
        let asked = Arc::new(AtomicUsize::new(0));
        let counted = Arc::clone(&asked);
        tokio::spawn(async move {
            loop {
                let (mut stream, _) = listener.accept().await.unwrap();
                counted.fetch_add(1, Ordering::Relaxed);
                tokio::spawn(async move {
                    let mut head = [0; 4096];
                    let read = stream.read(&mut head).await.unwrap_or_default();
                    let head = String::from_utf8_lossy(&head[..read]).into_owned();
                    let path = head.split(' ').nth(1).unwrap_or_default().to_owned();
                    if path == "/silent" {
                        tokio::time::sleep(Duration::from_mins(10)).await;
                    }
                    stream.write_all(&answer(&path)).await.ok();
                    if path == "/stops" {
                        tokio::time::sleep(Duration::from_mins(10)).await;
                    }
                });
            }
        });
        Self { port, asked }
    }

    fn address(&self, path: &str) -> String {
        format!("http://127.0.0.1:{}{path}", self.port)
    }

    fn asked(&self) -> usize {
        self.asked.load(Ordering::Relaxed)
    }
}

fn answer(path: &str) -> Vec<u8> {
    let with = |kind: &str, length: usize, body: &[u8]| {
        let head =
            format!("HTTP/1.1 200 OK\r\ncontent-type: {kind}\r\ncontent-length: {length}\r\n\r\n");
        [head.as_bytes(), body].concat()
    };
    let moved = |to: &str| {
        format!("HTTP/1.1 302 Found\r\nlocation: {to}\r\ncontent-length: 0\r\n\r\n").into_bytes()
    };
    match path {
        "/picture" => with("image/png", 5, b"\x89PNG\n"),
        "/captions" => with("Text/VTT; charset=utf-8", 6, b"WEBVTT"),
        "/page" => with("text/html", 4, b"<p>x"),
        "/untold" => b"HTTP/1.1 200 OK\r\ncontent-length: 1\r\n\r\nx".to_vec(),
        "/large" => with("video/mp4", 2_000, &[7; 2_000]),
        // Says nothing of its length and ends with the connection.
        "/endless" => [
            &b"HTTP/1.1 200 OK\r\ncontent-type: video/mp4\r\n\r\n"[..],
            &[7; 2_000],
        ]
        .concat(),
        "/half" => with("audio/mpeg", 800, &[7; 600]),
        "/stops" => with("audio/mpeg", 10, b"12345"),
        "/short" => with("image/png", 9, b"12345"),
        "/moved" => moved("/picture"),
        "/inside" => moved("http://169.254.169.254/latest/meta-data"),
        "/loop" => moved("/loop"),
        "/file" => moved("file:///etc/passwd"),
        _ => b"HTTP/1.1 404 Not Found\r\ncontent-type: image/png\r\ncontent-length: 0\r\n\r\n"
            .to_vec(),
    }
}

/// Settings that let tests reach loopback, and that are soon tired.
fn settings() -> MediaSettings {
    MediaSettings {
        allowed_cidrs: vec!["127.0.0.0/8".parse().unwrap()],
        file_limit: 1_000,
        ..MediaSettings::default()
    }
}

type Fetched = Vec<Result<FetchedMedia, MediaProblem>>;

async fn fetch(settings: MediaSettings, addresses: &[String]) -> (Fetched, TempDir) {
    let folder = TempDir::new().unwrap();
    let client = Fetcher::new(settings);
    let fetched = client.fetch(addresses, folder.path()).await;
    assert_eq!(fetched.len(), addresses.len());
    let good = fetched.iter().filter(|one| one.is_ok()).count();
    let files = std::fs::read_dir(folder.path()).unwrap().count();
    assert_eq!(files, good, "nothing is left of what failed");
    (fetched, folder)
}

fn problems(fetched: &Fetched) -> Vec<Option<MediaProblem>> {
    fetched
        .iter()
        .map(|one| one.as_ref().err().copied())
        .collect()
}

const UNREACHABLE: Option<MediaProblem> = Some(MediaProblem::Unreachable);
const TOO_LARGE: Option<MediaProblem> = Some(MediaProblem::TooLarge);
const WRONG_KIND: Option<MediaProblem> = Some(MediaProblem::WrongKind);

#[tokio::test]
async fn files_come_in_the_order_of_their_addresses_with_what_they_are() {
    let server = Server::start().await;
    let addresses = ["/picture", "/gone", "/captions", "/moved"].map(|path| server.address(path));
    let (fetched, _folder) = fetch(settings(), &addresses).await;
    assert_eq!(problems(&fetched), [None, UNREACHABLE, None, None]);
    let files: Vec<_> = fetched.into_iter().flatten().collect();
    let kinds: Vec<&str> = files.iter().map(|file| file.media_type.as_str()).collect();
    assert_eq!(kinds, ["image/png", "text/vtt", "image/png"]);
    let bytes = |at: usize| std::fs::read(&files[at].file).unwrap();
    assert_eq!(bytes(0), b"\x89PNG\n");
    assert_eq!(bytes(1), b"WEBVTT");
    assert_eq!(bytes(2), b"\x89PNG\n");
}

#[tokio::test]
async fn our_own_network_is_not_asked() {
    let server = Server::start().await;
    let port = server.port;
    let addresses = [
        server.address("/picture"),
        format!("http://localhost:{port}/picture"),
        format!("http://[::ffff:127.0.0.1]:{port}/picture"),
        format!("http://2130706433:{port}/picture"),
        "http://10.0.0.1/picture".to_owned(),
        "http://169.254.169.254/latest/meta-data".to_owned(),
        "file:///etc/passwd".to_owned(),
        "http://user:word@example.org/x.png".to_owned(),
    ];
    let nobody = MediaSettings {
        allowed_cidrs: Vec::new(),
        ..settings()
    };
    let (fetched, _folder) = fetch(nobody, &addresses).await;
    assert_eq!(problems(&fetched), [UNREACHABLE; 8]);
    assert_eq!(server.asked(), 0);
}

#[tokio::test]
async fn who_sends_us_on_is_followed_to_where_we_may_go_and_not_for_ever() {
    let server = Server::start().await;
    let addresses = ["/inside", "/file", "/loop"].map(|path| server.address(path));
    let (fetched, _folder) = fetch(settings(), &addresses).await;
    assert_eq!(problems(&fetched), [UNREACHABLE; 3]);
    assert_eq!(server.asked(), 1 + 1 + 4);
}

#[tokio::test]
async fn what_is_too_large_is_dropped_whether_it_says_so_or_not() {
    let server = Server::start().await;
    let addresses = ["/large", "/endless", "/half"].map(|path| server.address(path));
    let (fetched, _folder) = fetch(settings(), &addresses).await;
    assert_eq!(problems(&fetched), [TOO_LARGE, TOO_LARGE, UNREACHABLE]);
    // Of what is small enough there may be too much.
    let little = MediaSettings {
        limit: 12,
        ..settings()
    };
    let addresses = vec![server.address("/picture"); 3];
    let (fetched, _folder) = fetch(little, &addresses).await;
    let refused = problems(&fetched)
        .into_iter()
        .filter(|one| *one == TOO_LARGE);
    assert_eq!(refused.count(), 1);
}

#[tokio::test]
async fn only_pictures_recordings_and_captions_are_taken() {
    let server = Server::start().await;
    let addresses = ["/page", "/untold"].map(|path| server.address(path));
    let (fetched, _folder) = fetch(settings(), &addresses).await;
    assert_eq!(problems(&fetched), [WRONG_KIND; 2]);
}

#[tokio::test]
async fn who_is_silent_is_waited_for_and_who_stops_half_way_and_then_no_more() {
    let server = Server::start().await;
    let hasty = MediaSettings {
        pause: Duration::from_millis(300),
        patience: Duration::from_millis(500),
        ..settings()
    };
    let mut addresses = vec![server.address("/stops"), server.address("/short")];
    addresses.extend(vec![server.address("/silent"); 40]);
    let begun = Instant::now();
    let (fetched, _folder) = fetch(hasty, &addresses).await;
    assert!(problems(&fetched).iter().all(|one| *one == UNREACHABLE));
    // Forty silences of 0.3 s, four at a time, would be three seconds.
    assert!(server.asked() < 20, "{}", server.asked());
    assert!(begun.elapsed() < Duration::from_mins(1));
}

#[tokio::test]
async fn everything_ends_at_the_deadline() {
    let server = Server::start().await;
    let brief = MediaSettings {
        deadline: Duration::from_millis(400),
        ..settings()
    };
    let addresses = ["/picture", "/silent", "/stops"].map(|path| server.address(path));
    let begun = Instant::now();
    let (fetched, _folder) = fetch(brief, &addresses).await;
    assert_eq!(problems(&fetched)[1..], [UNREACHABLE, UNREACHABLE]);
    assert!(begun.elapsed() < Duration::from_secs(8));
}
