//! An AI provider that fails in every way there is, by a seeded mix, and can be away altogether.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use serde_json::{Value, json};
use support::chance::Chance;
use support::scripted_provider::{Answer, Play, ScriptedProvider, chat, chat_ending};

/// The criterion of every assignment here.
const CRITERION: &str = "method";
/// So many outages in a row are no mix any more: the service would rightly leave the provider alone for a minute.
const MOST_OUTAGES: usize = 2;

/// What the provider does with a request.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Trick {
    Fine,
    TooMany,
    Broken,
    Unavailable,
    Half,
    TooLong,
    Prose,
    OtherShape,
    OtherIds,
    Hang,
    Reset,
    Flood,
}

impl Trick {
    /// How often each is played, in a hundred.
    const MIX: [(Self, u64); 12] = [
        (Self::Fine, 48),
        (Self::TooMany, 10),
        (Self::Broken, 9),
        (Self::Unavailable, 5),
        (Self::Half, 5),
        (Self::TooLong, 5),
        (Self::Prose, 5),
        (Self::OtherShape, 4),
        (Self::OtherIds, 3),
        (Self::Hang, 2),
        (Self::Reset, 3),
        (Self::Flood, 1),
    ];

    fn drawn(chance: &mut Chance) -> Self {
        let mut left = chance.below(100);
        for (trick, share) in Self::MIX {
            match left.checked_sub(share) {
                Some(rest) => left = rest,
                None => return trick,
            }
        }
        Self::Fine
    }

    const fn is_outage(self) -> bool {
        matches!(
            self,
            Self::Broken | Self::Unavailable | Self::Half | Self::Hang | Self::Reset | Self::Flood
        )
    }

    /// Whether the service counts outages anew after it: what is too busy says nothing about that.
    const fn is_answer(self) -> bool {
        !self.is_outage() && !matches!(self, Self::TooMany)
    }

    fn play(self, time: Duration) -> Play {
        let says = |document: Value| chat(&document.to_string()).play();
        let error = |status| Answer::json(status, &json!({"error": {"message": "not now"}}));
        match self {
            Self::Fine => Play::After(time, chat(&grade().to_string())),
            Self::TooMany => error(429).with("retry-after-ms", "50").play(),
            Self::Broken => error(500).play(),
            Self::Unavailable => Answer::text(503, "<html>maintenance</html>").play(),
            Self::Half => Play::Half(chat(&grade().to_string())),
            Self::TooLong => chat_ending(r#"{"criteria": [{"criterion_id": "me"#, "length").play(),
            Self::Prose => chat("I would give it a seven.").play(),
            Self::OtherShape => says(json!({"score": 7})),
            Self::OtherIds => {
                let mut answer = grade();
                answer["criteria"][0]["criterion_id"] = json!("style");
                says(answer)
            }
            Self::Hang => Play::Hang,
            Self::Reset => Play::Reset,
            Self::Flood => Play::Flood,
        }
    }
}

/// The rubric that the provider's answers fit.
pub fn rubric() -> Value {
    json!({"criteria": [{"id": CRITERION, "name": "Method", "max_points": 10}]})
}

fn grade() -> Value {
    json!({
        "criteria": [{
            "criterion_id": CRITERION, "evidence": [], "rationale": "Ice is named.", "level_id": null,
            "points": 7, "confidence": 0.9, "missing": [],
        }],
        "overall": {"strengths": [], "next_steps": [], "feedback": "Good start."},
        "integrity": {
            "instructions_in_submission": false, "off_topic": false, "language": "en", "note": "",
        },
    })
}

#[derive(Debug, Default)]
struct Mind {
    away: bool,
    always_fine: bool,
    time: Duration,
    outages: usize,
    played: BTreeMap<Trick, usize>,
}

/// The provider; gone when dropped.
pub struct MoodyAi {
    server: ScriptedProvider,
    mind: Arc<Mutex<Mind>>,
}

impl MoodyAi {
    pub async fn open(mut chance: Chance) -> Self {
        let mind = Arc::<Mutex<Mind>>::default();
        let deciding = Arc::clone(&mind);
        let server = ScriptedProvider::deciding(move |_| {
            let mut mind = deciding.lock().unwrap_or_else(PoisonError::into_inner);
            let drawn = Trick::drawn(&mut chance);
            let trick = if mind.away {
                Trick::Reset
            } else if mind.always_fine || (drawn.is_outage() && mind.outages >= MOST_OUTAGES) {
                Trick::Fine
            } else {
                drawn
            };
            if trick.is_outage() {
                mind.outages += 1;
            } else if trick.is_answer() {
                mind.outages = 0;
            }
            *mind.played.entry(trick).or_default() += 1;
            trick.play(mind.time)
        });
        Self {
            server: server.await,
            mind,
        }
    }

    /// One that only ever answers well.
    pub async fn fine(chance: Chance) -> Self {
        let ai = Self::open(chance).await;
        ai.change(|mind| mind.always_fine = true);
        ai
    }

    /// Whether nobody is reached from now on.
    pub fn be_away(&self, away: bool) {
        self.change(|mind| mind.away = away);
    }

    /// How long a good answer takes.
    pub fn take_time(&self, time: Duration) {
        self.change(|mind| mind.time = time);
    }

    /// How often each trick was played.
    pub fn played(&self) -> BTreeMap<Trick, usize> {
        let mut played = BTreeMap::new();
        self.change(|mind| played.clone_from(&mind.played));
        played
    }

    pub fn calls(&self) -> usize {
        self.played().values().sum()
    }

    /// The settings by which the service finds it.
    pub fn settings(&self) -> Vec<(String, String)> {
        let mut always_fine = true;
        self.change(|mind| always_fine = mind.always_fine);
        let settings = [
            ("LYCEUM_AI_PROVIDER", "openai"),
            ("LYCEUM_AI_BASE_URL", &self.server.base_url()),
            ("LYCEUM_AI_MODEL", "scripted-1"),
            ("LYCEUM_AI_STRUCTURED", "json_schema"),
            ("LYCEUM_AI_TIMEOUT", if always_fine { "20" } else { "4" }),
            ("LYCEUM_AI_CONCURRENCY", "16"),
        ];
        let owned = |(name, value): (&str, &str)| (name.to_owned(), value.to_owned());
        settings.map(owned).to_vec()
    }

    fn change(&self, change: impl FnOnce(&mut Mind)) {
        change(&mut self.mind.lock().unwrap_or_else(PoisonError::into_inner));
    }
}
