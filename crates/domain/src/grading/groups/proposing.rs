//! What the judgement of one answer proposes for another of its group: the same points, and that answer's own words.
//!
//! A proposal like any other: `judge` checks it against rubric and text, and a person confirms it.

use crate::evidence::{Evidence, Passages};
use crate::grading::grades::{CriterionProposal, CriterionResult, MAX_QUOTES};
use crate::grading::letters::Letters;

/// From this share of a quote's letters on, three in a row counted as one, a passage says what another answer was quoted for.
pub const LIKE_A_QUOTE: f64 = 0.5;
/// So many times as long as the quote may what takes its place be, and so many characters in any case: a short quote may stand in
/// a sentence without a comma.
const TIMES_AS_LONG: usize = 2;
const LONG_ENOUGH: usize = 240;
/// What clauses end with, if white space or nothing follows; those of scripts without spaces end them anyway.
const CLAUSE_ENDS: [char; 8] = ['.', '!', '?', '…', ',', ';', ':', ')'];
const UNSPACED_ENDS: [char; 5] = ['。', '！', '？', '，', '；'];

/// The judgement of one answer, proposed for another.
#[derive(Debug, Clone, PartialEq)]
pub struct AlikeProposal {
    /// One per criterion of the judgement, in its order, with passages of the other answer.
    pub criteria: Vec<CriterionProposal>,
    /// The criteria that rest on a passage in the judged answer, and have nothing like it in this one.
    pub unquoted: Vec<String>,
}

/// Proposes what was found in one answer for another of these words.
///
/// Levels, points, reasons and what is missing stay. Each quote is replaced by the sentence, the clause or the run of them
/// that is most like it, as it stands in the text; where none is alike there is no quote, and the criterion is named. How sure
/// a grader was of the one answer says nothing of the other.
pub fn propose(judged: &[CriterionResult], text: &str) -> AlikeProposal {
    let speech = Speech::of(text);
    let mut unquoted = Vec::new();
    let criteria = judged.iter().map(|result| {
        let quotes = speech.own_quotes(&result.evidence);
        if quotes.is_empty() && !result.evidence.is_empty() {
            unquoted.push(result.criterion_id.clone());
        }
        CriterionProposal {
            criterion_id: result.criterion_id.clone(),
            level_id: result.level_id.clone(),
            points: result.score,
            rationale: result.rationale.clone(),
            quotes,
            confidence: None,
            missing: result.missing.clone(),
            not_judged: result.not_judged.clone(),
        }
    });
    AlikeProposal {
        criteria: criteria.collect(),
        unquoted,
    }
}

/// The judgement of one answer as another of these words gets it: the same, with its own passages.
pub fn given_alike(judged: &[CriterionResult], text: &str) -> Vec<CriterionResult> {
    let passages = Passages::of(text);
    let proposed = propose(judged, text).criteria;
    let given = judged.iter().zip(proposed).map(|(result, proposal)| {
        let quotes = proposal.quotes.iter();
        let evidence = quotes.filter_map(|(quote, occurrence)| passages.locate(quote, *occurrence));
        CriterionResult {
            evidence: evidence.collect(),
            confidence: None,
            ..result.clone()
        }
    });
    given.collect()
}

/// A text in which passages are looked for.
struct Speech<'a> {
    text: &'a str,
    passages: Passages<'a>,
    /// Its clauses, in bytes, in order.
    clauses: Vec<(usize, usize)>,
}

impl<'a> Speech<'a> {
    fn of(text: &'a str) -> Self {
        Self {
            text,
            passages: Passages::of(text),
            clauses: clauses(text),
        }
    }

    /// A passage of this text for each quote that has one, each once, with which of its occurrences is meant.
    fn own_quotes(&self, evidence: &[Evidence]) -> Vec<(String, usize)> {
        let mut quotes = Vec::new();
        for one in evidence.iter().take(MAX_QUOTES) {
            if let Some(own) = self.like(&one.quote)
                && !quotes.contains(&own)
            {
                quotes.push(own);
            }
        }
        quotes
    }

    /// The passage that is most like a quote: the quote itself where it stands here, else the best run of clauses, of equals the
    /// first.
    fn like(&self, quote: &str) -> Option<(String, usize)> {
        if let Some(same) = self.passages.locate(quote, 1) {
            return Some((same.quote, 1));
        }
        let wanted = Letters::of(quote);
        let longest = LONG_ENOUGH.max(TIMES_AS_LONG * quote.chars().count());
        let mut best: Option<(f64, usize, &str)> = None;
        for (start, run) in self.runs(longest) {
            let letters = Letters::of(run);
            let (share, back) = (wanted.share_in(&letters), letters.share_in(&wanted));
            // The harmonic mean, so that nothing is quoted that the quote does not say.
            let fit = 2.0 * share * back / (share + back);
            if share >= LIKE_A_QUOTE && best.is_none_or(|(most, ..)| fit > most) {
                best = Some((fit, start, run));
            }
        }
        let (_, start, run) = best?;
        Some((run.to_owned(), self.occurrence(run, start)?))
    }

    /// Every run of neighbouring clauses of at most so many characters, with where it starts.
    fn runs(&self, longest: usize) -> impl Iterator<Item = (usize, &'a str)> {
        let text = self.text;
        let from = self.clauses.iter().enumerate();
        from.flat_map(move |(at, (start, _))| {
            let ends = self.clauses.iter().skip(at).map(|(_, end)| *end);
            let runs = ends.filter_map(|end| text.get(*start..end));
            // Bytes are at least as many as characters, so the cheap look may only say that one is short enough.
            let short = move |run: &&str| run.len() <= longest || run.chars().count() <= longest;
            runs.take_while(short).map(|run| (*start, run))
        })
    }

    /// Which of the places where a passage stands begins here, as [`Passages::locate`] counts.
    fn occurrence(&self, passage: &str, start: usize) -> Option<usize> {
        let start = self.text.get(..start)?.chars().count();
        let mut last = None;
        for occurrence in 1.. {
            let place = self.passages.locate(passage, occurrence)?.start;
            if place == start {
                return Some(occurrence);
            }
            // Behind the last place comes the first again.
            if last.is_some_and(|last| place <= last) {
                return None;
            }
            last = Some(place);
        }
        None
    }
}

/// The clauses of a text, in bytes, without white space and marks around them.
fn clauses(text: &str) -> Vec<(usize, usize)> {
    let mut found = Vec::new();
    let mut start = 0;
    let mut characters = text.char_indices().peekable();
    while let Some((at, c)) = characters.next() {
        let next = characters.peek().map(|(_, next)| *next);
        if ends_clause(c, next) {
            found.extend(trimmed(text, start, at + c.len_utf8()));
            start = at + c.len_utf8();
        }
    }
    found.extend(trimmed(text, start, text.len()));
    found
}

fn ends_clause(c: char, next: Option<char>) -> bool {
    let at_space = next.is_none_or(char::is_whitespace);
    c == '\n'
        || UNSPACED_ENDS.contains(&c)
        || (at_space && (CLAUSE_ENDS.contains(&c) || is_dash(c)))
}

const fn is_dash(c: char) -> bool {
    matches!(c, '-' | '–' | '—')
}

/// A clause without what is around it, if it says anything.
fn trimmed(text: &str, start: usize, end: usize) -> Option<(usize, usize)> {
    let slice = text.get(start..end)?;
    let around = |c: char| {
        c.is_whitespace() || CLAUSE_ENDS.contains(&c) || UNSPACED_ENDS.contains(&c) || is_dash(c)
    };
    let from = slice.trim_start_matches(around);
    let clause = from.trim_end_matches(around);
    let start = start + (slice.len() - from.len());
    let says_something = clause.chars().any(char::is_alphanumeric);
    says_something.then_some((start, start + clause.len()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::authoring::rubric::Rubric;
    use crate::grading::grades::{GradeProposal, judge};
    use crate::points::Points;
    use proptest::prelude::*;
    use rstest::rstest;
    use serde_json::json;

    const JUDGED: &str = "The big pot cools slowly, so spores wake up. I would throw it away.";

    fn rubric() -> Rubric {
        let value = json!({"criteria": [
            {"id": "why", "name": "Why", "max_points": 4},
            {"id": "what", "name": "What", "levels": [
                {"id": "no", "label": "no", "points": 0}, {"id": "yes", "label": "yes", "points": 2}]},
        ]});
        Rubric::parse("rubric", value.as_object().unwrap()).unwrap()
    }

    fn proposal(criteria: Vec<CriterionProposal>) -> GradeProposal {
        GradeProposal {
            criteria,
            feedback: String::new(),
            flags: Vec::new(),
        }
    }

    fn given(id: &str, points: u16, quote: &str) -> CriterionProposal {
        CriterionProposal {
            criterion_id: id.to_owned(),
            level_id: None,
            points: Points::whole(points),
            rationale: "because".to_owned(),
            quotes: vec![(quote.to_owned(), 1)],
            confidence: Some(90),
            missing: vec!["toxins".to_owned()],
            not_judged: None,
        }
    }

    fn judged(text: &str, first: &str, second: &str) -> Vec<CriterionResult> {
        let given = proposal(vec![given("why", 3, first), given("what", 2, second)]);
        judge(&rubric(), text, &given, Points::HUNDRED).criteria
    }

    fn proposed(text: &str) -> AlikeProposal {
        let judged = judged(JUDGED, "spores wake up", "I would throw it away");
        propose(&judged, text)
    }

    fn quoted(proposal: &AlikeProposal) -> Vec<Vec<&str>> {
        let quotes = |one: &CriterionProposal| one.quotes.clone();
        let criteria = proposal.criteria.iter();
        assert!(criteria.clone().all(|one| quotes(one).len() <= MAX_QUOTES));
        criteria
            .map(|one| one.quotes.iter().map(|(text, _)| text.as_str()).collect())
            .collect()
    }

    #[test]
    fn the_same_judgement_is_proposed_with_the_answers_own_words() {
        let text =
            "A pot this big cools slowly and so the spores woke up! I'd throw it away, all of it.";
        let alike = proposed(text);
        assert_eq!(
            quoted(&alike),
            [
                ["A pot this big cools slowly and so the spores woke up"].as_slice(),
                &["I'd throw it away"]
            ]
        );
        assert!(alike.unquoted.is_empty());
        let [first, second] = alike.criteria.as_slice() else {
            panic!("{alike:?}")
        };
        assert_eq!(
            (first.points, second.points),
            (Points::whole(3), Points::whole(2))
        );
        assert_eq!(second.level_id.as_deref(), Some("yes"));
        assert_eq!((first.confidence, first.missing.len()), (None, 1));
        let judged = judge(&rubric(), text, &proposal(alike.criteria), Points::HUNDRED);
        assert!(judged.review_reasons.is_empty(), "{judged:?}");
        assert_eq!(judged.criteria[1].evidence[0].quote, "I'd throw it away");
    }

    #[test]
    fn where_nothing_is_alike_there_is_no_quote_and_it_says_so() {
        let text = "The big pot cools slowly, so spores wake up.";
        let alike = proposed(text);
        assert_eq!(quoted(&alike), [["spores wake up"].as_slice(), &[]]);
        assert_eq!(alike.unquoted, ["what"]);
        let judged = judge(&rubric(), text, &proposal(alike.criteria), Points::HUNDRED);
        assert_eq!(judged.review_reasons, ["points_without_evidence"]);
        assert_eq!(quoted(&proposed("")), [[""; 0]; 2]);
    }

    #[rstest]
    #[case::itself("Slowly. I would throw it away.", "I would throw it away")]
    #[case::a_clause(
        "Nobody eats it, I would throw this away, of course.",
        "I would throw this away"
    )]
    #[case::a_sentence("I'd throw it all away (why not?)", "I'd throw it all away (why not")]
    #[case::over_a_mark("Spores: I would – throw it away; now", "I would – throw it away")]
    #[case::of_equals_the_first(
        "I will throw it away. I will throw it away.",
        "I will throw it away"
    )]
    #[case::numbers_stay_whole("Wait 1.5 h, then I'd throw it away.", "then I'd throw it away")]
    fn the_most_alike_passage_is_quoted(#[case] text: &str, #[case] expected: &str) {
        assert_eq!(quoted(&proposed(text))[1], [expected]);
    }

    #[test]
    fn the_place_that_is_meant_is_said_by_its_occurrence() {
        let judged = judged(JUDGED, "The big pot cools slowly", "it");
        let text =
            "With spores it is how the big pot cools slow that counts: how the big pot cools slow.";
        let alike = propose(&judged, text);
        let (quote, occurrence) = &alike.criteria[0].quotes[0];
        let found = Evidence::locate(text, quote, *occurrence).unwrap();
        assert_eq!(
            (quote.as_str(), found.start),
            ("how the big pot cools slow", 58)
        );
    }

    #[test]
    fn the_judgement_is_given_with_the_places_of_its_own_passages() {
        let judged = judged(JUDGED, "spores wake up", "I would throw it away");
        let given = given_alike(&judged, "I'd throw it away, for spores wake up.");
        let found: Vec<(&str, usize)> = given
            .iter()
            .flat_map(|one| &one.evidence)
            .map(|one| (one.quote.as_str(), one.start))
            .collect();
        assert_eq!(found, [("spores wake up", 23), ("I'd throw it away", 0)]);
        assert!(given.iter().all(|one| one.confidence.is_none()));
        let kept = |of: &[CriterionResult]| -> Vec<(Points, String, Option<String>)> {
            let kept = of.iter();
            kept.map(|one| (one.score, one.rationale.clone(), one.level_id.clone()))
                .collect()
        };
        assert_eq!(kept(&given), kept(&judged));
    }

    #[test]
    fn two_quotes_of_one_passage_are_one() {
        let twice = CriterionProposal {
            quotes: vec![
                ("I would throw it".to_owned(), 1),
                ("would throw it away".to_owned(), 1),
            ],
            ..given("why", 3, "")
        };
        let twice = judge(&rubric(), JUDGED, &proposal(vec![twice]), Points::HUNDRED);
        assert_eq!(
            quoted(&propose(&twice.criteria, "I'd throw it away"))[0],
            ["I'd throw it away"]
        );
    }

    #[test]
    fn what_nobody_judged_stays_open() {
        let open = CriterionProposal {
            not_judged: Some("cannot_judge".to_owned()),
            ..given("why", 3, "spores")
        };
        let open = judge(&rubric(), JUDGED, &proposal(vec![open]), Points::HUNDRED);
        let alike = propose(&open.criteria, JUDGED);
        assert_eq!(
            alike.criteria[0].not_judged.as_deref(),
            Some("cannot_judge")
        );
        assert!(alike.unquoted.is_empty());
    }

    /// Texts of pieces that are easy to cut wrongly.
    fn texts() -> impl Strategy<Value = String> {
        let pieces = prop::sample::select(vec![
            "spores", " ", " ", "wake", "up", ". ", ", ", ",", "1.5", "é", "e\u{301}", "\u{301}",
            "\r\n", "“", "—", " – ", "…", "🍚", "。", "漢字", "\u{200B}", "(", ") ", "水在", "!",
        ]);
        prop::collection::vec(pieces, 0..30).prop_map(|pieces| pieces.concat())
    }

    proptest! {
        #[test]
        fn every_quote_stands_in_the_text_at_its_place(judged_text in texts(), quote in texts(), text in texts()) {
            let judged = judged(&format!("{judged_text}{quote}"), &quote, "up");
            for one in propose(&judged, &text).criteria {
                for (quote, occurrence) in one.quotes {
                    let found = Evidence::locate(&text, &quote, occurrence);
                    prop_assert!(found.is_some_and(|found| found.quote == quote), "{quote:?} of {text:?}");
                }
            }
        }
    }
}
