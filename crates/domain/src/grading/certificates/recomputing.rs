//! Whether a chain of certificates is what follows from the answers, the grades and the seed that were kept beside it.
//!
//! Nothing in a record is believed: it is made again from what was kept and has to be the same.

use std::num::NonZeroU32;

use serde_json::{Value, json};

use super::declaration::{Declaration, Releasable, ReleaseScope, Sample, Terms};
use super::gate::Fate;
use super::records::{FORMAT, LapseCause, ReleaseEntry, ReleaseRecord, of_audit, of_look};
use super::standing::Certificate;
use super::testing::{BlindTest, take_look};
use crate::grading::receipts::ChainHead;
use crate::grading::release::Rate;
use crate::grading::release::disagreement::{Disagreement, PASS_SHARE};
use crate::grading::release::draw::{Arrivals, Seed};
use crate::grading::seals::hash_of;
use crate::ids::SubmissionId;
use crate::words::words;

words! {
    /// Why a record of a chain of certificates does not hold.
    ReleaseBreak {
        /// The record itself is not what was sealed.
        RecordChanged = "record_changed",
        /// It does not follow from the one before it, or one is gone.
        LinkBroken = "link_broken",
        /// Nothing like this can happen at this place.
        OutOfOrder = "out_of_order",
        /// The seed is not the one that was sealed.
        SeedChanged = "seed_changed",
        /// What was declared is not what was kept.
        DeclarationChanged = "declaration_changed",
        /// Other answers were drawn than the seed draws.
        SampleChanged = "sample_changed",
        /// Another result is recorded than the grades give.
        LookChanged = "look_changed",
        /// An audit says something else than the grades do, or another answer was audited than the seed draws.
        AuditChanged = "audit_changed",
        /// What stopped release is missing, or did not.
        StopChanged = "stop_changed",
    }
}

/// What was kept beside the records of one declaration.
#[derive(Debug, Clone)]
pub struct DeclarationFacts {
    /// The answers that could go out when it was declared.
    pub population: Vec<Releasable>,
    /// The seed; none while it is a secret.
    pub seed: Option<Seed>,
    /// What was graded blind, for looks and for audits.
    pub tests: Vec<BlindTest>,
    /// Later answers in the order in which they came, and what became of each.
    pub arrivals: Vec<(SubmissionId, Fate)>,
}

/// What a walk over a chain of certificates found.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ReleaseVerification {
    /// How many records there are.
    pub records: usize,
    /// How many draws could not be made again, because their seed is still a secret.
    pub sealed_draws: usize,
    /// How many declarations could not be made again, because what was kept beside them is not shown yet.
    pub withheld: usize,
    /// The first record that does not hold, by its place, and why.
    pub first_broken: Option<(u32, ReleaseBreak)>,
}

/// The seeds that ended tries have shown, in their order.
pub fn revealed_seeds(records: &[ReleaseRecord]) -> Vec<Seed> {
    let ended = records.iter().filter_map(|record| {
        let content: Value = serde_json::from_str(&record.content).ok()?;
        let text = |place: &str| content.pointer(place).and_then(Value::as_str);
        text("/kind").filter(|kind| *kind == "ended")?;
        Seed::revealed_as(text("/details/seed")?)
    });
    ended.collect()
}

/// Walks over an assignment's records, held against what was kept beside each declaration, both in their order; none of a
/// declaration whose answers still wait for blind grades and are not shown. `head` is the newest record as it was noted apart, so that
/// a cut-off end shows.
///
/// The points of a grade are taken from what was kept; that they are those of its receipt is for
/// [`receipts::verify`](crate::grading::receipts::verify) to say.
pub fn recompute(
    records: &[ReleaseRecord],
    head: &ChainHead,
    facts: &[Option<DeclarationFacts>],
) -> ReleaseVerification {
    let mut walk = Walk {
        facts: facts.iter(),
        ..Walk::default()
    };
    let broken = records.iter().find_map(|record| {
        let reason = walk.step(record).err()?;
        Some((record.sequence, reason))
    });
    let missing = head.sequence.min(walk.head.sequence).saturating_add(1);
    let cut_off = (walk.head != *head).then_some((missing, ReleaseBreak::LinkBroken));
    // A stop that follows from the last audit and was never written is one that release did not make.
    let undone = walk.head.sequence.saturating_add(1);
    let undone = (!walk.due.is_empty()).then_some((undone, ReleaseBreak::StopChanged));
    ReleaseVerification {
        records: records.len(),
        sealed_draws: walk.sealed_draws,
        withheld: walk.withheld,
        first_broken: broken.or(cut_off).or(undone),
    }
}

type Held = Result<(), ReleaseBreak>;

/// Where a walk is.
#[derive(Default)]
struct Walk<'a> {
    head: ChainHead,
    facts: std::slice::Iter<'a, Option<DeclarationFacts>>,
    open: Option<Episode<'a>>,
    looks_spent: u32,
    sealed_draws: usize,
    withheld: usize,
    /// What the record before makes necessary.
    due: Vec<ReleaseEntry>,
}

/// A declaration, and what came of it so far.
struct Episode<'a> {
    facts: &'a DeclarationFacts,
    declaration: Declaration,
    sample: Option<Sample>,
    left: Vec<SubmissionId>,
    certificate: Option<Certificate>,
    looked: u32,
}

impl Walk<'_> {
    fn step(&mut self, record: &ReleaseRecord) -> Held {
        let content = &self.follow(record)?;
        let (kind, details) = (&content["kind"], &content["details"]);
        if !self.due.is_empty() {
            let due = self.due.remove(0);
            return holds(
                *kind == due.kind() && *details == due.details(),
                ReleaseBreak::StopChanged,
            );
        }
        match kind.as_str().unwrap_or_default() {
            // Nothing else can happen to a try that waits for blind grades: its end would have to be shown.
            "drawn" | "looked" | "left" if self.withheld > 0 => Ok(()),
            _ if self.withheld > 0 => Err(ReleaseBreak::OutOfOrder),
            "declared" => self.declared(details),
            "drawn" => self.drawn(details),
            "looked" => self.looked(details),
            "audited" => self.audited(details),
            "left" => self.left(details),
            "lapsed" => self.lapsed(details),
            "ended" => self.ended(details),
            _ => Err(ReleaseBreak::OutOfOrder),
        }
    }

    /// The record by itself and in its place.
    fn follow(&mut self, record: &ReleaseRecord) -> Result<Value, ReleaseBreak> {
        holds(
            hash_of(&record.content) == record.hash,
            ReleaseBreak::RecordChanged,
        )?;
        let content: Value =
            serde_json::from_str(&record.content).map_err(|_| ReleaseBreak::RecordChanged)?;
        let says = |name: &str, value: Value| content.get(name) == Some(&value);
        holds(says("format", json!(FORMAT)), ReleaseBreak::RecordChanged)?;
        let expected = self.head.sequence.saturating_add(1);
        let is_next = record.sequence == expected
            && says("sequence", json!(expected))
            && says("previous", json!(self.head.hash));
        holds(is_next, ReleaseBreak::LinkBroken)?;
        self.head = record.head();
        Ok(content)
    }

    fn declared(&mut self, details: &Value) -> Held {
        let broken = ReleaseBreak::DeclarationChanged;
        holds(self.open.is_none(), ReleaseBreak::OutOfOrder)?;
        let Some(facts) = self.facts.next().ok_or(broken)? else {
            self.withheld += 1;
            return Ok(());
        };
        let declaration = declaration(details, facts).ok_or(broken)?;
        // A look that was spent is not to be had again.
        let is_new = declaration.look.get() == self.looks_spent.saturating_add(1);
        let is_same = ReleaseEntry::Declared(declaration.clone()).details() == *details;
        holds(is_new && is_same, broken)?;
        if let Some(seed) = &facts.seed {
            holds(
                seed.hash() == declaration.seed_hash,
                ReleaseBreak::SeedChanged,
            )?;
        }
        self.open = Some(Episode {
            facts,
            declaration,
            sample: None,
            left: Vec::new(),
            certificate: None,
            looked: 0,
        });
        Ok(())
    }

    fn drawn(&mut self, details: &Value) -> Held {
        let broken = ReleaseBreak::SampleChanged;
        let open = self.open.as_mut().ok_or(ReleaseBreak::OutOfOrder)?;
        let look = open.declaration.look.saturating_add(open.looked);
        holds(open.certificate.is_none(), ReleaseBreak::OutOfOrder)?;
        let sample = if let Some(seed) = &open.facts.seed {
            open.declaration.draw(seed, look, &open.left)
        } else {
            self.sealed_draws += 1;
            let ids = submission_ids(&details["submission_ids"]).ok_or(broken)?;
            Some(open.declaration.sample(look, ids, &open.left))
        };
        let sample = sample.ok_or(broken)?;
        holds(
            ReleaseEntry::Drawn(sample.clone()).details() == *details,
            broken,
        )?;
        open.sample = Some(sample);
        Ok(())
    }

    fn looked(&mut self, details: &Value) -> Held {
        let broken = ReleaseBreak::LookChanged;
        let open = self.open.as_mut().ok_or(ReleaseBreak::OutOfOrder)?;
        let sample = open.sample.take().ok_or(ReleaseBreak::OutOfOrder)?;
        let ids = sample.submission_ids;
        let sample = open.declaration.sample(sample.look, ids, &open.left);
        let taken = take_look(&open.declaration, &sample, &open.facts.tests, &open.left);
        let (mut entries, certificate) = of_look(&open.declaration, taken.map_err(|_| broken)?);
        holds(entries.remove(0).details() == *details, broken)?;
        open.certificate = certificate;
        open.looked = open.looked.saturating_add(1);
        self.looks_spent = self.looks_spent.saturating_add(1);
        self.due = entries;
        Ok(())
    }

    fn audited(&mut self, details: &Value) -> Held {
        let broken = ReleaseBreak::AuditChanged;
        let open = self.open.as_mut().ok_or(ReleaseBreak::OutOfOrder)?;
        let certificate = open.certificate.take().ok_or(ReleaseBreak::OutOfOrder)?;
        let is_same =
            |test: &&BlindTest| details["submission_id"] == test.submission_id.to_string();
        let test = open.facts.tests.iter().find(is_same).ok_or(broken)?;
        let was_drawn =
            |(id, fate): &(SubmissionId, Fate)| *id == test.submission_id && *fate == Fate::Audited;
        holds(open.facts.arrivals.iter().any(was_drawn), broken)?;
        let (mut entries, next) = of_audit(&certificate, &open.declaration, test.clone());
        holds(entries.remove(0).details() == *details, broken)?;
        open.certificate = Some(next);
        self.due = entries;
        Ok(())
    }

    fn left(&mut self, details: &Value) -> Held {
        let open = self.open.as_mut().ok_or(ReleaseBreak::OutOfOrder)?;
        let text = details["submission_id"].as_str().unwrap_or_default();
        let id: SubmissionId = text.parse().map_err(|_| ReleaseBreak::DeclarationChanged)?;
        open.left.push(id);
        Ok(())
    }

    fn lapsed(&mut self, details: &Value) -> Held {
        let open = self.open.as_mut().ok_or(ReleaseBreak::OutOfOrder)?;
        let cause = details["cause"].as_str().unwrap_or_default();
        LapseCause::parse(cause).map_err(|_| ReleaseBreak::StopChanged)?;
        open.certificate = open.certificate.as_ref().map(Certificate::lapsed);
        Ok(())
    }

    /// The end shows the seed, so what it drew of later answers can be checked now.
    fn ended(&mut self, details: &Value) -> Held {
        let open = self.open.take().ok_or(ReleaseBreak::OutOfOrder)?;
        let seed = open.facts.seed.as_ref();
        let seed = seed.filter(|seed| details["seed"] == seed.revealed());
        let seed = seed.ok_or(ReleaseBreak::SeedChanged)?;
        // Whoever saw a grade of a sample has spent its look.
        if open.sample.is_some() && details["graded"] != 0 {
            self.looks_spent = self.looks_spent.saturating_add(1);
        }
        holds(open.audits_are_drawn(seed), ReleaseBreak::AuditChanged)
    }
}

impl Episode<'_> {
    /// Whether the lots fell on those that were audited, in the order in which they came.
    fn audits_are_drawn(&self, seed: &Seed) -> bool {
        let mut arrivals = Arrivals::default();
        self.facts.arrivals.iter().all(|(id, fate)| {
            arrivals.arrived = arrivals.arrived.saturating_add(1);
            let share = self.declaration.terms.audit_share;
            let is_drawn = seed.is_audited(&id.to_string(), arrivals, share);
            arrivals.went(*fate);
            is_drawn == (*fate == Fate::Audited)
        })
    }
}

fn holds(is_so: bool, reason: ReleaseBreak) -> Held {
    if is_so { Ok(()) } else { Err(reason) }
}

/// What was declared, with the answers that were kept.
fn declaration(details: &Value, facts: &DeclarationFacts) -> Option<Declaration> {
    let number = |name: &str| {
        details[name]
            .as_u64()
            .and_then(|one| u32::try_from(one).ok())
    };
    let small = |name: &str| number(name).and_then(|one| u8::try_from(one).ok());
    let text = |name: &str| details[name].as_str().map(str::to_owned);
    let sizes = details["looks"].as_array()?.iter();
    let sizes = sizes.map(|one| one.as_u64().and_then(|one| u32::try_from(one).ok()));
    // Another share of the points would be another rule.
    small("pass_share").filter(|share| *share == PASS_SHARE)?;
    Some(Declaration {
        terms: Terms {
            max_disagreement: Rate::per_million(number("max_disagreement")?),
            disagreement: Disagreement {
                points_share: small("points_share")?,
            },
            floor: small("floor")?,
            scope: ReleaseScope::parse(details["scope"].as_str()?).ok()?,
            audit_share: Rate::per_million(number("audit_share")?),
        },
        grader_hash: text("grader_hash")?,
        red_team_hash: text("red_team_hash"),
        look: NonZeroU32::new(number("look")?)?,
        sizes: sizes.collect::<Option<_>>()?,
        seed_hash: text("seed_hash")?,
        population: facts.population.clone(),
    })
}

fn submission_ids(list: &Value) -> Option<Vec<SubmissionId>> {
    let id = |one: &Value| one.as_str()?.parse().ok();
    list.as_array()?.iter().map(id).collect()
}
