//! The scanner, against servers on loopback that speak its protocol, more or less.

use std::time::Duration;

use lyceum_ports::authoring::inspection::{InspectionError, Refusal};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream};

use super::{Desk, making};
use crate::Settings;

/// What everybody's scanner finds, in two parts so that nobody's finds it here.
const TEST_VIRUS: [&str; 2] = [
    r"X5O!P%@AP[4\PZX54(P^)7CC)7}$EICAR-STANDARD-",
    "ANTIVIRUS-TEST-FILE!$H+H*",
];

/// An answer without an end.
const LONG: &str = concat!("a long, long answer, ", "which never says what it is about");

#[derive(Clone, Copy)]
enum Mood {
    Scans,
    Hangs,
    ClosesEarly,
    ClosesSilently,
    Says(&'static str),
    /// Answers and closes after so many bytes.
    TakesNoMoreThan(usize),
}

async fn serve(mut stream: TcpStream, mood: Mood) -> Option<()> {
    let mut command = [0; 10];
    stream.read_exact(&mut command).await.ok()?;
    assert_eq!(&command, b"zINSTREAM\0");
    match mood {
        Mood::Hangs => tokio::time::sleep(Duration::from_mins(1)).await,
        Mood::ClosesEarly => return None,
        Mood::Scans | Mood::ClosesSilently | Mood::Says(_) | Mood::TakesNoMoreThan(_) => {}
    }
    let mut came = Vec::new();
    loop {
        let length = usize::try_from(stream.read_u32().await.ok()?).unwrap();
        if length == 0 {
            break;
        }
        let mut piece = vec![0; length];
        stream.read_exact(&mut piece).await.ok()?;
        came.extend(piece);
        if matches!(mood, Mood::TakesNoMoreThan(most) if came.len() > most) {
            let answer = b"INSTREAM size limit exceeded. ERROR\0";
            stream.write_all(answer).await.ok()?;
            return stream.shutdown().await.ok();
        }
    }
    let found = super::holds(&came, &TEST_VIRUS.concat());
    let answer = match mood {
        Mood::ClosesSilently => "",
        Mood::Says(answer) => &answer.repeat(if answer == LONG { 1000 } else { 1 }),
        Mood::Scans | Mood::Hangs | Mood::ClosesEarly | Mood::TakesNoMoreThan(_) if found => {
            "stream: Win.Test.EICAR_HDB-1 FOUND\0"
        }
        Mood::Scans | Mood::Hangs | Mood::ClosesEarly | Mood::TakesNoMoreThan(_) => "stream: OK\0",
    };
    stream.write_all(answer.as_bytes()).await.ok()
}

async fn scanner(mood: Mood) -> Settings {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = listener.local_addr().unwrap().to_string();
    tokio::spawn(async move {
        while let Ok((stream, _)) = listener.accept().await {
            tokio::spawn(serve(stream, mood));
        }
    });
    Settings {
        scanner: Some(address),
        scanner_patience: patience(mood),
        ..Settings::default()
    }
}

/// Short with whom nothing comes from, long with whoever only needs a turn on a busy machine.
const fn patience(mood: Mood) -> Duration {
    match mood {
        Mood::Hangs => Duration::from_millis(500),
        Mood::Scans
        | Mood::ClosesEarly
        | Mood::ClosesSilently
        | Mood::Says(_)
        | Mood::TakesNoMoreThan(_) => Duration::from_secs(30),
    }
}

async fn unavailable(mood: Mood, bytes: &[u8]) -> String {
    let looked = Desk::with(bytes).look_with(scanner(mood).await).await;
    match looked {
        Err(InspectionError::Unavailable(said)) => said,
        other => panic!("{other:?}"),
    }
}

#[tokio::test]
async fn what_the_scanner_calls_clean_is_looked_at() {
    // Several pieces.
    let bytes = making::png(300, 300);
    assert!(bytes.len() > 100_000);
    let settings = scanner(Mood::Scans).await;
    assert!(Desk::with(&bytes).look_with(settings).await.is_ok());
}

#[tokio::test]
async fn what_the_scanner_finds_is_refused_by_name() {
    let bytes = [making::jpeg(9, 9), TEST_VIRUS.concat().into()].concat();
    let desk = Desk::with(&bytes);
    let looked = desk.look_with(scanner(Mood::Scans).await);
    let Err(InspectionError::Refused(refusal)) = looked.await else {
        panic!("it was let through");
    };
    let name = "Win.Test.EICAR_HDB-1".to_owned();
    assert_eq!(refusal, Refusal::Infected(name));
}

#[tokio::test]
async fn without_a_clear_word_nothing_is_let_through() {
    let picture = making::jpeg(9, 9);
    for (mood, said) in [
        (Mood::Hangs, "does not answer"),
        (Mood::ClosesEarly, "could not look"),
        (Mood::ClosesSilently, "without an answer"),
        (
            Mood::Says("stream: Can't allocate memory ERROR\0"),
            "allocate",
        ),
        (Mood::Says("stream: O"), "says"),
        (Mood::Says("UNKNOWN COMMAND\0"), "UNKNOWN"),
        (Mood::Says(LONG), "says"),
    ] {
        let unavailable = unavailable(mood, &picture).await;
        assert!(unavailable.contains(said), "{unavailable}");
    }
}

#[tokio::test]
async fn a_file_that_is_too_large_for_it_waits_for_a_larger_limit() {
    let said = unavailable(Mood::TakesNoMoreThan(1000), &making::png(60, 60)).await;
    assert!(said.contains("StreamMaxLength"), "{said}");
}

#[tokio::test]
async fn where_nobody_listens_it_is_tried_again_later() {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let nobody = listener.local_addr().unwrap().to_string();
    drop(listener);
    let settings = Settings {
        scanner: Some(nobody),
        ..Settings::default()
    };
    let looked = Desk::with(&making::jpeg(9, 9)).look_with(settings).await;
    assert!(matches!(looked, Err(InspectionError::Unavailable(_))));
}
