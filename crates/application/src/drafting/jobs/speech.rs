//! Speaking drafted podcasts, where the provider has a voice: each piece of a script is a step of its own, and what
//! comes of it is kept as a file; then one recording is made of them.
//!
//! A script is never lost to its sound: what cannot be spoken lands without it, and says so.

use crate::prelude::*;
use crate::running::queue;
use crate::running::scratch::Scratch;
use std::fs::File;
use std::io::{BufWriter, Write};

use futures_util::StreamExt;
use lyceum_domain::authoring::activities::{ActivityContent, ActivityKind, Recording};
use lyceum_domain::drafting::generation_steps::StepKey;
use lyceum_domain::drafting::speech::{
    ScriptPiece, SpokenPiece, duration_ms, pause, script, wav_header,
};
use lyceum_domain::drafting::syllabus::ActivityDraft;
use lyceum_domain::hex;
use lyceum_domain::ids::GenerationId;
use lyceum_domain::running::jobs::Job;
use lyceum_ports::blobs::{BlobError, BlobKey};
use lyceum_ports::drafting::ai::{AiError, Answered, Speech, SpeechTask};
use sha2::{Digest, Sha256};

use super::steps::{Steps, Stop, tasks};

/// What speaking came to.
#[derive(Debug, Clone, Default)]
pub struct Spoken {
    /// What a person should know.
    pub warnings: Vec<String>,
    recordings: Vec<String>,
    pieces: Vec<String>,
}

impl Spoken {
    /// With the landing: what nobody has, and what has served its purpose, goes. If nothing landed the pieces stay,
    /// for the next generation of the same.
    pub fn clear_up(
        &self,
        tx: &mut dyn Tx,
        ctx: &Context,
        landed: Option<GenerationId>,
    ) -> Result<(), Error> {
        for name in &self.recordings {
            if tx.activities().with_recording(ctx.workspace_id(), name)? == 0 {
                queue::enqueue(tx, ctx, Job::RemoveRecording { name: name.clone() })?;
            }
        }
        match landed {
            Some(generation) if !self.pieces.is_empty() => {
                let pieces = self.pieces.clone();
                queue::enqueue(tx, ctx, Job::RemovePieces { generation, pieces })
            }
            _ => Ok(()),
        }
    }
}

/// One podcast, spoken as far as possible.
struct Take {
    pieces: Vec<SpokenPiece>,
    /// The recording, or the code of what went wrong.
    outcome: Result<Recording, &'static str>,
}

/// Speaks the podcasts among these drafts, each with the step that drafted it, and notes in each what came of it.
pub async fn record(
    steps: &Steps<'_>,
    language: &str,
    drafts: Vec<(StepKey, &mut ActivityDraft)>,
) -> Result<Spoken, Stop> {
    let mut spoken = Spoken::default();
    // What nobody has accepted is not spoken: its script may still change, and nobody may want it.
    if !steps.app.ai.speaks() || steps.is_built_in() || steps.is_reviewed() {
        return Ok(spoken);
    }
    let mut drafts: Vec<_> = drafts
        .into_iter()
        .filter(|(_, draft)| draft.kind == ActivityKind::Podcast)
        .map(|(key, draft)| (key, script(&draft.content), draft))
        .filter(|(_, script, _)| !script.is_empty())
        .collect();
    let keys = drafts
        .iter()
        .flat_map(|(key, script, _)| (0..script.len()).map(|piece| key.speech(piece)));
    steps.plan(keys.collect()).await?;
    let takes = drafts
        .iter()
        .map(|(key, script, _)| Box::pin(one(steps, language, key, script)));
    let takes = steps.side_by_side(takes.collect::<Vec<_>>()).await?;
    for ((key, _, draft), take) in drafts.iter_mut().zip(takes) {
        spoken.note(key, &mut draft.content, take);
    }
    Ok(spoken)
}

impl Spoken {
    fn note(&mut self, key: &StepKey, content: &mut ActivityContent, take: Take) {
        let pieces = take.pieces.into_iter().map(|piece| piece.blob);
        self.pieces.extend(pieces);
        match take.outcome {
            Ok(recording) => {
                content.record(&recording);
                self.recordings.push(recording.name);
            }
            Err(code) => {
                content.fail_to_record();
                self.warnings.push(format!(
                    "{key}: the script is there, but it could not be spoken ({code})"
                ));
            }
        }
    }
}

/// Speaks one script, piece by piece, as far as it goes.
async fn one(
    steps: &Steps<'_>,
    language: &str,
    key: &StepKey,
    script: &[ScriptPiece],
) -> Result<Take, Stop> {
    let mut pieces = Vec::new();
    for (at, piece) in script.iter().enumerate() {
        let task = SpeechTask {
            text: piece.text.clone(),
            language: language.to_owned(),
            speaker: piece.speaker,
            instructions: String::new(),
        };
        match speak(steps, key.speech(at), task).await? {
            Ok(spoken) => pieces.push(spoken),
            Err(error) => {
                tracing::warn!(step = %key, %error, "a script could not be spoken");
                let outcome = Err(error.code());
                return Ok(Take { pieces, outcome });
            }
        }
    }
    let name = format!("{}-{}", steps.generation(), key.place());
    let outcome = put_together(steps, &name, &pieces).await?;
    Ok(Take { pieces, outcome })
}

async fn speak(
    steps: &Steps<'_>,
    key: StepKey,
    task: SpeechTask,
) -> Result<Result<SpokenPiece, AiError>, Stop> {
    // Of two attempts that speak the same piece only one is kept, with its own file.
    let place = format!(
        "speech/{}/{}.{}.pcm",
        steps.generation(),
        key.place(),
        steps.attempt()
    );
    let asked = tasks::speech(&task);
    let spoken = steps.ask_optional(key, asked, async |meter| {
        let answered = steps.app.ai.speak(task, meter).await?;
        keep(steps, &place, &answered.value).await?;
        Ok(as_piece(answered, place))
    });
    Ok(spoken.await?.map(|drafted| drafted.value))
}

fn as_piece(answered: Answered<Speech>, blob: String) -> Answered<SpokenPiece> {
    let Speech { pcm, sample_rate } = answered.value;
    Answered {
        value: SpokenPiece {
            blob,
            bytes: u64::try_from(pcm.len()).unwrap_or(u64::MAX),
            sample_rate,
        },
        model_asked: answered.model_asked,
        model: answered.model,
        prompt_version: answered.prompt_version,
        raw: answered.raw,
        usage: answered.usage,
        cost: answered.cost,
        latency: answered.latency,
    }
}

async fn keep(steps: &Steps<'_>, place: &str, speech: &Speech) -> Result<(), AiError> {
    let failed = |reason: String| AiError::Unavailable {
        reason: format!("the sound could not be stored: {reason}"),
        retry_after: None,
    };
    let file = scratch(steps, place);
    std::fs::write(&file.0, &speech.pcm).map_err(|error| failed(error.to_string()))?;
    let key = BlobKey::parse(place).map_err(|error| failed(error.to_string()))?;
    let stored = steps.app.blobs.put_file(&key, &file.0).await;
    stored.map_err(|error| failed(error.to_string()))
}

fn scratch(steps: &Steps<'_>, name: &str) -> Scratch {
    let name = name.replace('/', "-");
    let name = format!("lyceum-{}-{name}", steps.attempt());
    Scratch(steps.app.settings.scratch.join(name))
}

/// Makes one recording of the pieces and stores it; the code of what speaks against it, if something does.
async fn put_together(
    steps: &Steps<'_>,
    name: &str,
    pieces: &[SpokenPiece],
) -> Result<Result<Recording, &'static str>, Error> {
    let rate = pieces.first().map_or(0, |piece| piece.sample_rate);
    let silence = pause(rate);
    let pauses = pieces.len().saturating_sub(1) * silence.len();
    let bytes = pieces.iter().map(|piece| piece.bytes).sum::<u64>()
        + u64::try_from(pauses).unwrap_or(u64::MAX);
    let is_even = pieces.iter().all(|piece| piece.sample_rate == rate);
    let Some(header) = wav_header(bytes, rate).filter(|_| is_even) else {
        return Ok(Err("ai_output_invalid"));
    };
    let file = scratch(steps, name);
    let mut wav = Wav::begin(&file, &header)?;
    for (at, piece) in pieces.iter().enumerate() {
        if at > 0 {
            wav.write(&silence)?;
        }
        if !wav.append(steps, piece).await? {
            return Ok(Err("speech_lost"));
        }
    }
    let (sha256, size_bytes) = wav.end()?;
    let key = BlobKey::of_recording(name)?;
    steps.app.blobs.put_file(&key, &file.0).await?;
    Ok(Ok(Recording {
        name: name.to_owned(),
        sha256,
        size_bytes,
        duration_ms: duration_ms(bytes, rate),
    }))
}

fn unavailable(error: impl std::error::Error + Send + Sync + 'static) -> Error {
    Error::Unavailable(error.into())
}

/// A file being written, whose hash is known at its end.
struct Wav {
    file: BufWriter<File>,
    hash: Sha256,
    bytes: u64,
}

impl Wav {
    fn begin(file: &Scratch, header: &[u8]) -> Result<Self, Error> {
        let file = File::create(&file.0).map_err(unavailable)?;
        let mut wav = Self {
            file: BufWriter::new(file),
            hash: Sha256::new(),
            bytes: 0,
        };
        wav.write(header)?;
        Ok(wav)
    }

    fn write(&mut self, bytes: &[u8]) -> Result<(), Error> {
        self.hash.update(bytes);
        self.bytes = self
            .bytes
            .saturating_add(u64::try_from(bytes.len()).unwrap_or(u64::MAX));
        self.file.write_all(bytes).map_err(unavailable)
    }

    /// Whether the piece is still there, whole.
    async fn append(&mut self, steps: &Steps<'_>, piece: &SpokenPiece) -> Result<bool, Error> {
        let before = self.bytes;
        let key = BlobKey::parse(&piece.blob).map_err(|error| Error::Internal(error.into()))?;
        let mut stream = match steps.app.blobs.read(&key, None).await {
            Ok(stream) => stream,
            Err(BlobError::NotFound) => return Ok(false),
            Err(error) => return Err(error.into()),
        };
        while let Some(chunk) = stream.next().await {
            self.write(&chunk?)?;
        }
        Ok(self.bytes - before == piece.bytes)
    }

    fn end(mut self) -> Result<(String, u64), Error> {
        self.file.flush().map_err(unavailable)?;
        Ok((hex::lower(&self.hash.finalize()), self.bytes))
    }
}
