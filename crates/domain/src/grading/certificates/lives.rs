//! Whole lives of certificates, from the declaration to the end, over graders whose disagreement with the teacher is known.

use rstest::rstest;
use uuid::Uuid;

use super::declaration::{Declaration, NewDeclaration, Releasable, ReleaseScope, Sample, Terms};
use super::gate::{Fate, Unheld};
use super::recomputing::{DeclarationFacts, ReleaseBreak, ReleaseVerification, recompute};
use super::records::{LapseCause, ReleaseChain, ReleaseEntry, ReleaseRecord, of_audit, of_look};
use super::standing::Certificate;
use super::testing::{BlindTest, SealedPoints, Ungraded, take_look};
use crate::grading::receipts::ChainHead;
use crate::grading::release::Rate;
use crate::grading::release::dice::Dice;
use crate::grading::release::disagreement::Disagreement;
use crate::grading::release::draw::Seed;
use crate::grading::release::monitor::State;
use crate::id::Id;
use crate::ids::SubmissionId;
use crate::points::Points;
use crate::timestamp::Timestamp;

const GRADER: &str = "the grader that was tested";

fn twenty_percent() -> Terms {
    Terms {
        max_disagreement: Rate::percent(20),
        disagreement: Disagreement::default(),
        floor: 0,
        scope: ReleaseScope::All,
        audit_share: Rate::percent(5),
    }
}

fn submission(number: u128) -> SubmissionId {
    Id::from_uuid(Uuid::from_u128(number))
}

fn class(dice: &mut Dice, size: u128) -> Vec<Releasable> {
    let one = |number| Releasable {
        submission_id: submission(number),
        confidence: dice.confidence(),
    };
    (1..=size).map(one).collect()
}

fn asked(population: Vec<Releasable>) -> NewDeclaration {
    NewDeclaration {
        terms: twenty_percent(),
        grader_hash: GRADER.to_owned(),
        red_team_hash: None,
        looks_spent: 0,
        tests: None,
        population,
    }
}

/// A test on which AI and the teacher agree, or do not.
fn test(submission_id: SubmissionId, is_error: bool) -> BlindTest {
    let sealed = |points, receipt: &str| SealedPoints {
        points: Points::whole(points),
        receipt: format!("{receipt} {submission_id}"),
    };
    BlindTest {
        submission_id,
        ai: sealed(90, "ai"),
        teacher: Some(sealed(if is_error { 10 } else { 90 }, "teacher")),
        max_score: Points::HUNDRED,
    }
}

/// A whole life as it is kept: its records, and what stands beside them.
struct Life {
    seed: Seed,
    declaration: Declaration,
    sample: Sample,
    certificate: Option<Certificate>,
    records: Vec<ReleaseRecord>,
    facts: DeclarationFacts,
    came: u128,
    unseen_errors: u32,
}

impl Life {
    fn declared(dice: &mut Dice, size: u128) -> Self {
        Self::declared_with(dice, size, None)
    }

    fn declared_with(dice: &mut Dice, size: u128, tests: Option<u32>) -> Self {
        let seed = dice.seed();
        let population = class(dice, size);
        let asked = NewDeclaration {
            tests,
            ..asked(population)
        };
        let (declaration, sample) = asked.declare(&seed).unwrap();
        let facts = DeclarationFacts {
            population: declaration.population.clone(),
            seed: Some(seed.clone()),
            tests: Vec::new(),
            arrivals: Vec::new(),
        };
        let mut life = Self {
            seed,
            declaration: declaration.clone(),
            sample: sample.clone(),
            certificate: None,
            records: Vec::new(),
            facts,
            came: size,
            unseen_errors: 0,
        };
        life.write(vec![
            ReleaseEntry::Declared(declaration),
            ReleaseEntry::Drawn(sample),
        ]);
        life
    }

    fn write(&mut self, entries: Vec<ReleaseEntry>) {
        let chain = ReleaseChain {
            workspace_id: Id::from_uuid(Uuid::from_u128(1)),
            assignment_id: Id::from_uuid(Uuid::from_u128(2)),
        };
        for entry in entries {
            let head = self.records.last().map(ReleaseRecord::head);
            let head = head.unwrap_or_default();
            self.records.push(chain.record(&head, at(), &entry));
        }
    }

    /// The teacher grades what was drawn, and it is looked at.
    fn look(&mut self, mut is_error: impl FnMut(Releasable) -> bool) -> bool {
        for id in self.sample.submission_ids.clone() {
            let one = Releasable {
                submission_id: id,
                confidence: self.declaration.confidence(id).unwrap(),
            };
            if !self.facts.tests.iter().any(|test| test.submission_id == id) {
                self.facts.tests.push(test(id, is_error(one)));
            }
        }
        let taken = take_look(&self.declaration, &self.sample, &self.facts.tests, &[]).unwrap();
        let (entries, certificate) = of_look(&self.declaration, taken);
        self.write(entries);
        self.certificate = certificate;
        self.certificate.is_some()
    }

    /// Draws for the look after this one.
    fn go_on(&mut self) -> bool {
        let Some(look) = self.declaration.look_after(self.sample.look) else {
            return false;
        };
        self.sample = self.declaration.draw(&self.seed, look, &[]).unwrap();
        self.write(vec![ReleaseEntry::Drawn(self.sample.clone())]);
        true
    }

    /// A later answer comes; the teacher grades it at once where it is audited.
    fn arrive(&mut self, confidence: u8, is_error: bool) -> Fate {
        self.came += 1;
        let one = Releasable {
            submission_id: submission(self.came),
            confidence,
        };
        let certificate = self.certificate.clone().unwrap();
        let (fate, next) = certificate.meet(unheld(one), &self.seed);
        let is_covered = confidence >= certificate.tested.confidence;
        if is_covered {
            self.facts.arrivals.push((one.submission_id, fate));
        }
        self.certificate = Some(next);
        self.unseen_errors += u32::from(fate == Fate::GoesOut && is_error);
        if fate == Fate::Audited {
            let test = test(one.submission_id, is_error);
            self.facts.tests.push(test.clone());
            let certificate = self.certificate.clone().unwrap();
            let (entries, next) = of_audit(&certificate, &self.declaration, test);
            self.write(entries);
            self.certificate = Some(next);
        }
        fate
    }

    fn end(&mut self) {
        let seed = self.seed.revealed();
        let graded = u32::try_from(self.facts.tests.len()).unwrap();
        self.write(vec![ReleaseEntry::Ended { seed, graded }]);
    }

    fn state(&self) -> State {
        self.certificate.as_ref().unwrap().state()
    }

    fn first_broken(&self) -> Option<(u32, ReleaseBreak)> {
        made_again(&self.records, std::slice::from_ref(&self.facts)).first_broken
    }
}

/// A chain whose newest record is the last of these.
fn made_again(records: &[ReleaseRecord], facts: &[DeclarationFacts]) -> ReleaseVerification {
    let head = records.last().map(ReleaseRecord::head).unwrap_or_default();
    let shown: Vec<Option<DeclarationFacts>> = facts.iter().cloned().map(Some).collect();
    recompute(records, &head, &shown)
}

fn unheld(one: Releasable) -> Unheld<'static> {
    Unheld {
        submission_id: one.submission_id,
        confidence: one.confidence,
        grader_hash: GRADER,
    }
}

fn at() -> Timestamp {
    Timestamp::parse("2026-03-01T12:00:00Z").unwrap()
}

/// A certificate of a grader that is always right, over a class of so many.
fn certified(dice: &mut Dice, size: u128) -> Life {
    let mut life = Life::declared(dice, size);
    assert!(life.look(|_| false));
    life
}

/// One that lived through audits and has ended.
fn ended() -> Life {
    let mut dice = Dice(5);
    let mut life = certified(&mut dice, 150);
    for _ in 0..120 {
        life.arrive(100, false);
    }
    life.write(vec![ReleaseEntry::Lapsed(LapseCause::Grader)]);
    life.end();
    life
}

#[test]
fn a_grader_that_is_always_right_is_certified_down_to_the_lowest_confidence() {
    let mut dice = Dice(1);
    for _ in 0..50 {
        let life = certified(&mut dice, 120);
        let lowest = life.declaration.confidences(&[]).into_iter().min();
        let tested = life.certificate.unwrap().tested;
        assert_eq!(Some(tested.confidence), lowest);
    }
}

#[test]
fn who_grades_worse_than_promised_is_certified_in_no_more_lives_than_may_be_spent() {
    // All three looks together spend 4.5 %, of 120 lives 5.4; three standard errors above that is 12.
    let mut dice = Dice(2);
    let mut wrongly = 0;
    for _ in 0..120 {
        let mut life = Life::declared(&mut dice, 100);
        let is_certified = loop {
            // Its confidence is noise: right and wrong are thrown apart from it.
            if life.look(|_| dice.happens(23)) {
                break true;
            }
            if !life.go_on() {
                break false;
            }
        };
        wrongly += u32::from(is_certified);
    }
    assert!(wrongly <= 12, "{wrongly} of 120");
}

#[test]
fn where_confidence_knows_who_is_right_only_the_sure_ones_go_out() {
    let mut dice = Dice(3);
    let mut life = Life::declared_with(&mut dice, 300, Some(60));
    assert!(life.look(|one| one.confidence < 50));
    let tested = life.certificate.clone().unwrap().tested;
    assert!((30..=75).contains(&tested.confidence), "{tested:?}");
    assert_eq!(
        life.arrive(tested.confidence.saturating_sub(1), true),
        Fate::Waits
    );
}

#[test]
fn release_stops_soon_after_the_grader_becomes_worse() {
    let mut dice = Dice(4);
    let (mut unseen, mut found) = (0, 0);
    for _ in 0..100 {
        let mut life = certified(&mut dice, 150);
        for _ in 0..100 {
            life.arrive(100, false);
        }
        let mut later = 0;
        while life.state() == State::Valid {
            let is_error = dice.happens(50);
            let fate = life.arrive(100, is_error);
            found += u32::from(fate == Fate::Audited && is_error);
            later += 1;
            assert!(later < 2_000, "it never stops");
        }
        let last = &life.records.last().unwrap().content;
        assert!(last.contains("\"kind\":\"paused\""), "{last}");
        assert_ne!(life.arrive(100, true), Fate::GoesOut);
        unseen += life.unseen_errors;
    }
    // One in twenty is looked at, so about nineteen wrong ones pass for each that is found; few have to be found.
    assert!(found <= 500, "{found} in 100 lives");
    assert!(
        (14 * found..25 * found).contains(&unseen),
        "{unseen} for {found}"
    );
}

#[test]
fn evidence_of_breach_revokes_and_nothing_goes_out_any_more() {
    let mut dice = Dice(6);
    let mut life = certified(&mut dice, 150);
    for _ in 0..2_000 {
        life.arrive(100, true);
    }
    assert_eq!(life.state(), State::Revoked);
    assert_eq!(life.arrive(100, false), Fate::Waits);
    let revoked = life
        .records
        .iter()
        .filter(|one| one.content.contains("\"kind\":\"revoked\""));
    assert_eq!(revoked.count(), 1);
}

#[test]
fn who_has_too_few_answers_is_told_before_grading_one() {
    let mut dice = Dice(7);
    let (ten, seed) = (class(&mut dice, 10), dice.seed());
    let refused = asked(ten).declare(&seed).unwrap_err();
    assert_eq!(refused.at_hand, 10);
    let needed = refused.needed.unwrap();
    let mut equally_sure = |size: u32| {
        let mut class = class(&mut dice, size.into());
        for one in &mut class {
            one.confidence = 50;
        }
        asked(class).declare(&seed)
    };
    assert!(equally_sure(needed).is_ok(), "{needed}");
    // "Fewest" is of those of whom AI is equally sure.
    assert!(equally_sure(needed - 1).is_err(), "{needed}");
}

#[test]
fn sizes_grow_and_a_teacher_may_ask_for_more_at_first_but_not_for_fewer_than_are_enough() {
    let mut dice = Dice(8);
    let (class, seed) = (class(&mut dice, 1_000), dice.seed());
    let sizes = |tests| {
        let asked = NewDeclaration {
            tests,
            ..asked(class.clone())
        };
        asked.declare(&seed).unwrap().0.sizes
    };
    // The fewest of a thousand with which one, three and five errors hold at 3, 1 and 0.5 %.
    assert_eq!(sizes(None), [25, 49, 70]);
    assert_eq!(sizes(Some(30))[0], 30);
    assert_eq!(sizes(Some(1))[0], 16);
}

#[test]
fn a_later_look_begins_with_the_sample_of_the_one_before() {
    let mut dice = Dice(9);
    let mut life = Life::declared(&mut dice, 200);
    let first = life.sample.submission_ids.clone();
    assert!(!life.look(|_| true));
    assert!(life.go_on());
    let second = &life.sample.submission_ids;
    assert!(second.starts_with(&first) && second.len() > first.len());
    assert_eq!(life.first_broken(), None);
}

#[test]
fn no_drawn_answer_may_be_skipped_and_what_nobody_graded_is_an_error() {
    let mut dice = Dice(10);
    let life = Life::declared(&mut dice, 200);
    let ids = &life.sample.submission_ids;
    let mut tests: Vec<BlindTest> = ids.iter().map(|id| test(*id, false)).collect();
    let last = tests.pop().unwrap();
    let refused = take_look(&life.declaration, &life.sample, &tests, &[]);
    assert_eq!(refused.unwrap_err(), Ungraded(vec![last.submission_id]));
    let given_up = BlindTest {
        teacher: None,
        ..last
    };
    assert!(given_up.is_error(Disagreement::default()));
}

#[test]
fn who_is_erased_before_the_grade_leaves_sample_and_population() {
    let mut dice = Dice(11);
    let mut life = Life::declared(&mut dice, 200);
    let gone = life.sample.submission_ids[0];
    life.write(vec![ReleaseEntry::Left(gone)]);
    let ids = life.sample.submission_ids.clone();
    life.sample = life.declaration.sample(life.sample.look, ids, &[gone]);
    life.facts.tests = life
        .sample
        .submission_ids
        .iter()
        .map(|id| test(*id, false))
        .collect();
    let taken = take_look(&life.declaration, &life.sample, &life.facts.tests, &[gone]).unwrap();
    let (entries, certificate) = of_look(&life.declaration, taken);
    assert_eq!(certificate.unwrap().tested.at_hand, 199);
    life.write(entries);
    assert_eq!(life.first_broken(), None);
}

#[test]
fn only_what_was_tested_goes_out() {
    let mut dice = Dice(12);
    let life = certified(&mut dice, 150);
    let certificate = life.certificate.unwrap();
    let drawn = life.sample.submission_ids[0];
    let of = |submission_id, confidence| {
        unheld(Releasable {
            submission_id,
            confidence,
        })
    };
    let fate = |grade| certificate.meet(grade, &life.seed).0;
    assert_eq!(fate(of(drawn, 100)), Fate::Waits);
    let unseen = life
        .declaration
        .population
        .iter()
        .map(|one| one.submission_id);
    let unseen = unseen
        .clone()
        .find(|id| !life.sample.submission_ids.contains(id))
        .unwrap();
    assert_eq!(fate(of(unseen, 100)), Fate::GoesOut);
    let other = Unheld {
        grader_hash: "another",
        ..of(unseen, 100)
    };
    assert_eq!(fate(other), Fate::Waits);
    let lapsed = certificate.lapsed();
    assert_eq!(lapsed.meet(of(unseen, 100), &life.seed).0, Fate::Waits);
}

#[test]
fn what_was_promised_about_answers_at_hand_releases_nothing_that_comes_later() {
    let mut dice = Dice(13);
    let (class, seed) = (class(&mut dice, 150), dice.seed());
    let terms = Terms {
        scope: ReleaseScope::AtHand,
        ..twenty_percent()
    };
    let asked = NewDeclaration {
        terms,
        ..asked(class)
    };
    let (declaration, sample) = asked.declare(&seed).unwrap();
    let tests: Vec<BlindTest> = sample
        .submission_ids
        .iter()
        .map(|id| test(*id, false))
        .collect();
    let taken = take_look(&declaration, &sample, &tests, &[]).unwrap();
    let certificate = Certificate::issue(&declaration, &taken).unwrap();
    let later = unheld(Releasable {
        submission_id: submission(9_999),
        confidence: 100,
    });
    assert_eq!(certificate.meet(later, &seed).0, Fate::Waits);
    // Where all would be graded nothing is left to go out.
    let sixteen = NewDeclaration {
        terms,
        ..self::asked(self::class(&mut dice, 16))
    };
    assert!(sixteen.declare(&seed).is_err());
}

#[test]
fn a_whole_life_is_made_again_from_what_was_kept() {
    let life = ended();
    let found = made_again(&life.records, std::slice::from_ref(&life.facts));
    assert_eq!((found.first_broken, found.sealed_draws), (None, 0));
    assert!(found.records > 10, "{found:?}");
    let mut secret = life.facts.clone();
    secret.seed = None;
    let still_held = &life.records[..4];
    let found = made_again(still_held, &[secret]);
    assert_eq!((found.first_broken, found.sealed_draws), (None, 1));
}

#[test]
fn what_waits_for_blind_grades_is_not_shown_and_nothing_but_its_tests_can_be() {
    let life = ended();
    let unseen = |records: &[ReleaseRecord]| {
        let head = records.last().map(ReleaseRecord::head).unwrap_or_default();
        recompute(records, &head, &[None])
    };
    let testing = unseen(&life.records[..2]);
    assert_eq!((testing.first_broken, testing.withheld), (None, 1));
    let certified = unseen(&life.records[..4]).first_broken;
    assert_eq!(certified, Some((4, ReleaseBreak::OutOfOrder)));
}

#[test]
fn the_chain_holds_after_each_step_and_no_step_is_half_done() {
    let life = ended();
    for records in 1..=life.records.len() {
        let so_far = &life.records[..records];
        let found = made_again(so_far, std::slice::from_ref(&life.facts)).first_broken;
        // A look that earned a certificate is written with it.
        let is_half = so_far[records - 1]
            .content
            .contains("\"outcome\":\"certified\"");
        let missing = u32::try_from(records).unwrap() + 1;
        let expected = is_half.then_some((missing, ReleaseBreak::StopChanged));
        assert_eq!(found, expected, "after {records}");
    }
}

#[rstest]
#[case::a_test_of_another_grade(|facts: &mut DeclarationFacts| facts.tests[0] = test(facts.tests[0].submission_id, true), ReleaseBreak::LookChanged)]
#[case::an_audit_of_another_grade(|facts: &mut DeclarationFacts| { let last = facts.tests.len() - 1; facts.tests[last].teacher = None; }, ReleaseBreak::AuditChanged)]
#[case::another_class(|facts: &mut DeclarationFacts| { facts.population.pop(); }, ReleaseBreak::DeclarationChanged)]
#[case::a_surer_class(|facts: &mut DeclarationFacts| facts.population[0].confidence = 101, ReleaseBreak::DeclarationChanged)]
#[case::another_seed(|facts: &mut DeclarationFacts| facts.seed = Some(Seed::new([9; 32])), ReleaseBreak::SeedChanged)]
#[case::an_audit_that_was_kept_quiet(|facts: &mut DeclarationFacts| facts.arrivals.iter_mut().find(|(_, fate)| *fate == Fate::Audited).unwrap().1 = Fate::GoesOut, ReleaseBreak::AuditChanged)]
#[case::an_arrival_that_was_kept_quiet(|facts: &mut DeclarationFacts| facts.arrivals.retain(|(id, _)| id.uuid().as_u128() % 7 != 0), ReleaseBreak::AuditChanged)]
fn what_was_kept_cannot_be_changed_afterwards(
    #[case] change: fn(&mut DeclarationFacts),
    #[case] reason: ReleaseBreak,
) {
    let mut life = ended();
    change(&mut life.facts);
    assert_eq!(life.first_broken().map(|(_, found)| found), Some(reason));
}

#[test]
fn a_record_cannot_be_changed_taken_away_or_chosen() {
    let life = ended();
    let broken = |records: Vec<ReleaseRecord>| {
        let found = made_again(&records, std::slice::from_ref(&life.facts));
        found.first_broken.map(|(_, reason)| reason)
    };
    let mut changed = life.records.clone();
    changed[0].content = changed[0].content.replace("200000", "100000");
    assert_eq!(broken(changed), Some(ReleaseBreak::RecordChanged));
    let mut without = life.records.clone();
    without.remove(5);
    assert_eq!(broken(without), Some(ReleaseBreak::LinkBroken));
    let head = life.records.last().unwrap().head();
    let shorter = &life.records[..life.records.len() - 1];
    let found = recompute(shorter, &head, &[Some(life.facts.clone())]);
    let last = u32::try_from(life.records.len()).unwrap();
    assert_eq!(found.first_broken, Some((last, ReleaseBreak::LinkBroken)));
    // A sample that was chosen, sealed as if it had been drawn.
    let mut chosen = Life::declared(&mut Dice(5), 150);
    let mut other = chosen.sample.clone();
    other.submission_ids.swap(0, 1);
    chosen.records.pop();
    chosen.write(vec![ReleaseEntry::Drawn(other)]);
    assert_eq!(
        chosen.first_broken(),
        Some((2, ReleaseBreak::SampleChanged))
    );
}

#[test]
fn who_saw_a_grade_has_spent_the_look_and_who_saw_none_has_not() {
    let mut dice = Dice(14);
    let again = |graded: u32, looks_spent: u32| {
        let mut life = Life::declared(&mut dice, 150);
        let seed = life.seed.revealed();
        life.write(vec![ReleaseEntry::Ended { seed, graded }]);
        let seed = dice.seed();
        let asked = NewDeclaration {
            looks_spent,
            ..asked(life.facts.population.clone())
        };
        let (declaration, _) = asked.declare(&seed).unwrap();
        let facts = DeclarationFacts {
            seed: Some(seed),
            ..life.facts.clone()
        };
        life.write(vec![ReleaseEntry::Declared(declaration)]);
        made_again(&life.records, &[life.facts.clone(), facts]).first_broken
    };
    let mut again = again;
    assert_eq!([again(0, 0), again(3, 1)], [None, None]);
    assert_eq!(again(3, 0), Some((4, ReleaseBreak::DeclarationChanged)));
}

#[test]
fn the_first_record_follows_nothing() {
    let life = ended();
    let nothing = ChainHead::default().hash;
    assert!(life.records[0].content.contains(&nothing));
    assert!(
        life.records
            .iter()
            .all(|one| one.content.contains("\"format\":\"lyceum-release-1\""))
    );
}
