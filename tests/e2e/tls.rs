//! https of the service's own.

use std::fs;
use std::io::{Read, Write};
use std::net::TcpStream;
use std::path::Path;
use std::process::Command;
use std::sync::Arc;
use std::time::Duration;

use lyceum_client::wait_until;
use rcgen::CertifiedKey;
use rustls::pki_types::{CertificateDer, ServerName};
use rustls::{
    ClientConfig, ClientConnection, RootCertStore, StreamOwned, SupportedProtocolVersion,
};
use support::binary::{Launch, LyceumProcess};
use tempfile::TempDir;

use crate::service::SOON;
use crate::wire::Wire;

/// A certificate for this machine by name, in two files; what a client has to trust.
fn certificate(folder: &Path) -> CertificateDer<'static> {
    let CertifiedKey { cert, signing_key } =
        rcgen::generate_simple_self_signed(["localhost".to_owned()]).unwrap();
    fs::write(folder.join("cert.pem"), cert.pem()).unwrap();
    fs::write(folder.join("key.pem"), signing_key.serialize_pem()).unwrap();
    cert.der().clone()
}

fn launch(folder: &Path) -> Launch {
    Launch::new()
        .env("LYCEUM_TLS_CERT", folder.join("cert.pem"))
        .env("LYCEUM_TLS_KEY", folder.join("key.pem"))
}

/// A service that speaks https; it never answers the plain question whether it is there.
fn start(folder: &Path) -> LyceumProcess {
    launch(folder).with_tls().start()
}

/// What the service answers to one GET of a client that trusts this certificate only.
fn get(
    process: &LyceumProcess,
    trusted: &CertificateDer<'static>,
    versions: &[&'static SupportedProtocolVersion],
    path: &str,
) -> std::io::Result<String> {
    let mut roots = RootCertStore::empty();
    roots.add(trusted.clone()).unwrap();
    let provider = Arc::new(rustls::crypto::ring::default_provider());
    let mut config = ClientConfig::builder_with_provider(provider)
        .with_protocol_versions(versions)
        .unwrap()
        .with_root_certificates(roots)
        .with_no_client_auth();
    config.alpn_protocols = vec![b"h2".to_vec(), b"http/1.1".to_vec()];
    let name = ServerName::try_from("localhost").unwrap();
    let connection = ClientConnection::new(Arc::new(config), name).unwrap();
    let socket = TcpStream::connect(process.address())?;
    socket.set_read_timeout(Some(Duration::from_secs(10)))?;
    let mut stream = StreamOwned::new(connection, socket);
    let request = format!("GET {path} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n");
    stream.write_all(request.as_bytes())?;
    assert_eq!(stream.conn.alpn_protocol(), Some(&b"http/1.1"[..]));
    let mut answer = Vec::new();
    // Some servers hang up without a farewell; what came until then counts.
    match stream.read_to_end(&mut answer) {
        Err(error) if answer.is_empty() => Err(error),
        _ => Ok(String::from_utf8(answer).unwrap()),
    }
}

#[test]
fn the_service_speaks_https_and_says_that_it_always_will() {
    let folder = TempDir::new().unwrap();
    let trusted = certificate(folder.path());
    let process = start(folder.path());
    for versions in [&[&rustls::version::TLS13], &[&rustls::version::TLS12]] {
        let answer = get(&process, &trusted, versions, "/healthz").unwrap();
        assert!(answer.starts_with("HTTP/1.1 200"), "{answer}");
        assert!(
            answer.contains("strict-transport-security: max-age=31536000"),
            "{answer}"
        );
    }
    let printed = process.stdout();
    assert!(printed.contains("https://127.0.0.1"), "{printed}");
    // No authority vouches for this certificate, and the machine asks itself all the same.
    let health = process.run(&["health"]);
    assert!(health.status.success(), "{health:?}");
    // Whoever speaks plainly, or older TLS, is not answered.
    let mut plain = Wire::connect(process.address());
    plain.send(b"GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n");
    let answer = plain.answer_within(Duration::from_secs(15));
    assert!(
        answer.closed && !answer.head.contains("HTTP/1.1"),
        "{answer:?}"
    );
    let stranger = certificate(folder.path());
    assert!(get(&process, &stranger, rustls::ALL_VERSIONS, "/healthz").is_err());
}

#[tokio::test(flavor = "multi_thread")]
async fn a_renewed_certificate_is_served_without_a_restart() {
    let folder = TempDir::new().unwrap();
    let old = certificate(folder.path());
    let process = start(folder.path());
    assert!(get(&process, &old, rustls::ALL_VERSIONS, "/healthz").is_ok());
    let new = certificate(folder.path());
    let renew = || async {
        let pid = process.pid().unwrap().to_string();
        assert!(
            Command::new("kill")
                .args(["-HUP", &pid])
                .status()
                .unwrap()
                .success()
        );
        Ok(get(&process, &new, rustls::ALL_VERSIONS, "/healthz").is_ok())
    };
    wait_until(SOON, renew, |is_served| *is_served)
        .await
        .unwrap();
    // A renewal that went wrong takes nothing away.
    fs::write(folder.path().join("cert.pem"), "half a file").unwrap();
    let pid = process.pid().unwrap().to_string();
    assert!(
        Command::new("kill")
            .args(["-HUP", &pid])
            .status()
            .unwrap()
            .success()
    );
    let logged = || async { Ok(process.stderr()) };
    wait_until(SOON, logged, |log| log.contains("was not renewed"))
        .await
        .unwrap();
    assert!(get(&process, &new, rustls::ALL_VERSIONS, "/healthz").is_ok());
}

#[test]
fn files_that_are_no_certificate_stop_the_start() {
    let folder = TempDir::new().unwrap();
    certificate(folder.path());
    let apart = TempDir::new().unwrap();
    certificate(apart.path());
    for (cert, key) in [
        (
            folder.path().join("none.pem"),
            folder.path().join("key.pem"),
        ),
        (
            folder.path().join("cert.pem"),
            folder.path().join("cert.pem"),
        ),
        (folder.path().join("key.pem"), folder.path().join("key.pem")),
        (folder.path().join("cert.pem"), apart.path().join("key.pem")),
    ] {
        let launch = Launch::new()
            .env("LYCEUM_TLS_CERT", &cert)
            .env("LYCEUM_TLS_KEY", &key);
        let refused = launch.prepare().run(&["serve"]);
        assert_eq!(refused.status.code(), Some(1), "{cert:?} {key:?}");
        let told = String::from_utf8_lossy(&refused.stderr).into_owned();
        assert!(told.contains("LYCEUM_TLS_"), "{told}");
        assert!(!told.contains("PRIVATE KEY"), "{told}");
    }
}

#[test]
fn plain_http_is_not_served_to_other_machines_unless_someone_says_so() {
    let refused = Launch::new().public().prepare().run(&["serve"]);
    assert_eq!(refused.status.code(), Some(1));
    let told = String::from_utf8_lossy(&refused.stderr).into_owned();
    for way_out in ["LYCEUM_TLS_CERT", "127.0.0.1", "LYCEUM_INSECURE_HTTP=true"] {
        assert!(told.contains(way_out), "{told}");
    }
    let said = Launch::new().public().env("LYCEUM_INSECURE_HTTP", "true");
    let mut process = said.start();
    assert!(process.terminate().success());
}
