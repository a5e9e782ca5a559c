//! Signing and verifying, by the published example and around it.

use proptest::prelude::*;
use rstest::rstest;

use super::{Received, SignatureError, SigningSecret, sign, verify};

/// The published example of Standard Webhooks.
const SECRET: &str = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw";
const ID: &str = "msg_p5jXN8AQM9LWM0D4loKWxJek";
const SENT_AT: i64 = 1_614_265_330;
const BODY: &[u8] = br#"{"test": 2432232314}"#;
const SIGNATURE: &str = "v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=";

fn secrets(texts: &[&str]) -> Vec<SigningSecret> {
    texts
        .iter()
        .map(|text| SigningSecret::parse(text).unwrap())
        .collect()
}

const OTHER: &str = "whsec_AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8=";

fn received(signatures: &str) -> Received<'_> {
    Received {
        id: ID,
        timestamp: "1614265330",
        signatures,
        body: BODY,
    }
}

#[test]
fn the_published_example_is_signed_as_published() {
    assert_eq!(
        sign(&secrets(&[SECRET]), ID, SENT_AT, BODY).unwrap(),
        SIGNATURE
    );
}

#[test]
fn the_published_example_is_believed() {
    verify(&secrets(&[SECRET]), &received(SIGNATURE), SENT_AT).unwrap();
}

#[test]
fn each_secret_gives_a_signature_and_either_is_enough() {
    let both = sign(&secrets(&[OTHER, SECRET]), ID, SENT_AT, BODY).unwrap();
    assert!(both.ends_with(&format!(" {SIGNATURE}")), "{both}");
    verify(&secrets(&[SECRET]), &received(&both), SENT_AT).unwrap();
    verify(&secrets(&[OTHER]), &received(&both), SENT_AT).unwrap();
}

#[test]
fn signatures_of_other_versions_are_passed_over() {
    let mixed = format!("v1a,AAAA v2,{SIGNATURE} {SIGNATURE}");
    verify(&secrets(&[SECRET]), &received(&mixed), SENT_AT).unwrap();
}

#[rstest]
#[case(SENT_AT - 300, Ok(()))]
#[case(SENT_AT + 300, Ok(()))]
#[case(SENT_AT - 301, Err(SignatureError::OutsideTolerance))]
#[case(SENT_AT + 301, Err(SignatureError::OutsideTolerance))]
#[case(i64::MIN, Err(SignatureError::OutsideTolerance))]
fn five_minutes_either_way_are_tolerated(
    #[case] now: i64,
    #[case] expected: Result<(), SignatureError>,
) {
    assert_eq!(
        verify(&secrets(&[SECRET]), &received(SIGNATURE), now),
        expected
    );
}

#[rstest]
#[case("", SignatureError::NoMatch)]
#[case("v1,", SignatureError::NoMatch)]
#[case("v1,not base64", SignatureError::NoMatch)]
#[case(
    "g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=",
    SignatureError::NoMatch
)]
#[case(
    "v1,h0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=",
    SignatureError::NoMatch
)]
fn other_signatures_are_not_believed(#[case] signatures: &str, #[case] expected: SignatureError) {
    let outcome = verify(&secrets(&[SECRET]), &received(signatures), SENT_AT);
    assert_eq!(outcome, Err(expected));
}

#[test]
fn a_changed_message_is_not_believed() {
    let secrets = secrets(&[SECRET]);
    let original = received(SIGNATURE);
    let id = Received {
        id: "msg_other",
        ..original
    };
    let body = Received {
        body: b"{}",
        ..original
    };
    let time = Received {
        timestamp: "1614265331",
        ..original
    };
    for changed in [id, body, time] {
        assert_eq!(
            verify(&secrets, &changed, SENT_AT),
            Err(SignatureError::NoMatch)
        );
    }
    let words = Received {
        timestamp: "now",
        ..original
    };
    assert_eq!(
        verify(&secrets, &words, SENT_AT),
        Err(SignatureError::InvalidTimestamp)
    );
}

#[rstest]
#[case("")]
#[case("with.dot")]
#[case("with space")]
#[case("with\r\nnewline")]
#[case("ümlaut")]
fn an_ambiguous_id_is_not_signed(#[case] id: &str) {
    let outcome = sign(&secrets(&[SECRET]), id, SENT_AT, BODY);
    assert_eq!(outcome, Err(SignatureError::InvalidId));
}

#[rstest]
#[case("")]
#[case("whsec_")]
#[case("MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw")]
#[case("whsec_*fKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw")]
#[case("whsec_c2hvcnQ=")]
fn what_is_no_secret_is_refused(#[case] text: &str) {
    assert_eq!(
        SigningSecret::parse(text),
        Err(SignatureError::InvalidSecret)
    );
}

#[test]
fn a_secret_is_taken_without_padding_and_never_shown() {
    let bare = SigningSecret::parse(OTHER.trim_end_matches('=')).unwrap();
    assert_eq!(bare, SigningSecret::parse(OTHER).unwrap());
    assert_eq!(format!("{bare:?}"), "SigningSecret(whsec_…)");
}

#[test]
fn without_secrets_nothing_is_signed() {
    assert_eq!(sign(&[], ID, SENT_AT, BODY), Err(SignatureError::NoSecret));
}

proptest! {
    #[test]
    fn what_is_signed_is_believed(
        id in "[a-z]{2,4}_[A-Za-z0-9]{1,24}",
        at in 0_i64..10_000_000_000,
        body in prop::collection::vec(any::<u8>(), 0..200),
    ) {
        let secrets = secrets(&[OTHER]);
        let signatures = sign(&secrets, &id, at, &body).unwrap();
        let timestamp = at.to_string();
        let received = Received { id: &id, timestamp: &timestamp, signatures: &signatures, body: &body };
        prop_assert_eq!(verify(&secrets, &received, at), Ok(()));
    }
}
