//! Text to speech.

use std::time::Duration;

use lyceum_ai::{ServerSettings, SetupError, SpeechSettings};
use lyceum_domain::money::MicroUsd;
use lyceum_ports::drafting::ai::{AiError, AiProvider, SpeechTask};
use lyceum_ports::drafting::ai_calls::{AiFeature, CallOutcome, Meter};
use rstest::rstest;
use serde_json::json;
use url::Url;

use crate::scripted_provider::{Answer, Play, ScriptedProvider};
use crate::{KEY, Kind, complaint, model, settings, status};

fn sound(bytes: &[u8]) -> Answer {
    Answer {
        status: 200,
        headers: vec![("content-type".to_owned(), "audio/pcm".to_owned())],
        body: bytes.to_vec(),
    }
}

fn text(speaker: usize) -> SpeechTask {
    SpeechTask {
        text: "Cool rice within two hours.".to_owned(),
        language: "en".to_owned(),
        speaker,
        instructions: "warm".to_owned(),
    }
}

fn speaking(server: &ScriptedProvider, name: &str) -> ServerSettings {
    let url = Url::parse(&server.base_url()).unwrap();
    let mut settings = settings(Kind::Anthropic, server);
    let mut speech = SpeechSettings::new(url, Some(KEY.to_owned()), name);
    speech.price = Some(MicroUsd::new(15_000_000));
    settings.speech = Some(speech);
    settings
}

#[tokio::test]
async fn a_text_becomes_samples_in_the_voice_of_its_speaker() {
    let server = ScriptedProvider::playing(vec![sound(&[1, 0, 255, 255]).play(); 3]).await;
    let model = model(speaking(&server, "gpt-4o-mini-tts"));
    assert!(model.speaks());
    let meter = Meter::default();
    for speaker in 0..3 {
        let spoken = model.speak(text(speaker), &meter).await.unwrap();
        assert_eq!(spoken.value.pcm, [1, 0, 255, 255]);
        assert_eq!(spoken.value.sample_rate, 24_000);
        // 27 characters at 15 a million.
        assert_eq!(spoken.cost, Some(MicroUsd::new(405)));
    }
    let request = &server.requests()[1];
    assert_eq!(request.target, "/v1/audio/speech");
    assert_eq!(request.header("authorization"), format!("Bearer {KEY}"));
    let wanted = json!({"model": "gpt-4o-mini-tts", "input": "Cool rice within two hours.",
        "voice": "onyx", "response_format": "pcm", "instructions": "warm"});
    assert_eq!(request.body, wanted);
    assert_eq!(server.bodies()[2]["voice"], "alloy");
    let call = &meter.take()[0];
    assert_eq!(
        (call.feature, call.outcome),
        (AiFeature::Speaking, CallOutcome::Answered)
    );
    assert_eq!(call.sent, ["podcast_script"]);
    assert!(call.estimated);
}

#[tokio::test]
async fn the_first_models_are_given_no_instructions() {
    let server = ScriptedProvider::playing([sound(&[0, 0]).play()]).await;
    let model = model(speaking(&server, "tts-1-hd"));
    model.speak(text(0), &Meter::default()).await.unwrap();
    assert_eq!(server.bodies()[0].get("instructions"), None);
}

#[rstest]
#[case(sound(b"RIFFxxxx"), "raw samples")]
#[case(sound(b"ID3x"), "raw samples")]
#[case(sound(b""), "half a sample")]
#[case(sound(b"abc"), "half a sample")]
#[case(Answer::text(200, "<html></html>"), "no sound")]
#[tokio::test]
async fn what_is_no_sound_is_no_answer(#[case] answer: Answer, #[case] said: &str) {
    let server = ScriptedProvider::playing([answer.play()]).await;
    let meter = Meter::default();
    let error = model(speaking(&server, "t"))
        .speak(text(0), &meter)
        .await
        .unwrap_err();
    assert!(
        matches!(&error, AiError::InvalidOutput(why) if why.contains(said)),
        "{error:?}"
    );
    assert_eq!(meter.take()[0].outcome, CallOutcome::Invalid);
}

#[tokio::test]
async fn a_voice_has_bad_days_too() {
    let broken = status(503).play();
    let told = Answer::json(200, &complaint("server_error", "Oh.")).play();
    let server = ScriptedProvider::playing([broken, told, sound(&[0, 0]).play()]).await;
    let model_ = model(speaking(&server, "t"));
    let meter = Meter::default();
    assert!(model_.speak(text(0), &meter).await.is_ok());
    assert_eq!(meter.take().len(), 3);

    let server = ScriptedProvider::playing([Play::Hang]).await;
    let mut settings = speaking(&server, "t");
    settings.max_attempts = 1;
    settings.speech.as_mut().unwrap().timeout = Duration::from_millis(200);
    let error = model(settings).speak(text(0), &meter).await.unwrap_err();
    assert!(error.is_transient(), "{error:?}");
}

#[tokio::test]
async fn what_cannot_be_spoken_is_not_sent() {
    let server = ScriptedProvider::playing([]).await;
    let meter = Meter::default();
    let voice = model(speaking(&server, "t"));
    for words in [" ".to_owned(), "x".repeat(4_097)] {
        let mut task = text(0);
        task.text = words;
        let error = voice.speak(task, &meter).await.unwrap_err();
        assert!(matches!(error, AiError::Refused(_)), "{error:?}");
    }
    let silent = model(settings(Kind::OpenAi, &server));
    assert!(!silent.speaks());
    assert!(silent.speak(text(0), &meter).await.is_err());
    assert!(server.requests().is_empty());
}

#[tokio::test]
async fn a_voice_needs_a_name() {
    let server = ScriptedProvider::playing([]).await;
    let mut settings = speaking(&server, "t");
    settings.speech.as_mut().unwrap().voices = vec![" ".to_owned()];
    let refused = lyceum_ai::LanguageModel::new(settings).err();
    assert!(matches!(refused, Some(SetupError::Voice)));
}
