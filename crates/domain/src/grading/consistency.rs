//! Answers of nearly the same words that were graded far apart.
//!
//! Two people, a person and AI, or the same hand on two days: whoever got fewer points for the same words will ask why. A pair
//! says only that somebody should look: a single "not" may be all the difference there should be.

use crate::grading::grades::GradeSource;
use crate::grading::letters::Letters;
use crate::ids::SubmissionId;
use crate::points::Points;

/// From this similarity on, of 1, two answers are of nearly the same words.
pub const NEARLY_THE_SAME: f64 = 0.9;
/// From this share of the points on, in hundredths, two grades are far apart.
pub const FAR_APART: i64 = 25;
/// So many pairs are shown, those furthest apart.
pub const MOST_PAIRS: usize = 100;
/// So many characters of an answer are looked at.
pub const MOST_READ: usize = 2_000;

/// An answer and the grade that stands.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct GradedText {
    /// Whose grade it is.
    pub submission_id: SubmissionId,
    /// Its points.
    pub score: Points,
    /// The best possible.
    pub max_score: Points,
    /// Who gave them.
    pub by: GradeSource,
    /// The answer.
    pub text: String,
}

/// Two answers of nearly the same words whose grades are far apart.
#[derive(Debug, Clone, PartialEq)]
pub struct UnequalPair {
    /// The one with more points, as a share of the best possible.
    pub better: GradedText,
    /// The other.
    pub worse: GradedText,
    /// How alike they are, up to 1.
    pub similarity: f64,
}

impl UnequalPair {
    /// How far apart they are, in parts of the best possible score.
    pub fn gap(&self) -> f64 {
        share(&self.better) - share(&self.worse)
    }
}

/// The pairs of these answers that are alike and were graded far apart, widest gap first; the more alike of equal gaps, then
/// by their ids. At most [`MOST_PAIRS`].
pub fn unequal_pairs(answers: &[GradedText]) -> Vec<UnequalPair> {
    let counted: Vec<Letters> = answers
        .iter()
        .map(|answer| Letters::of(start(&answer.text)))
        .collect();
    let all: Vec<(&GradedText, &Letters)> = answers.iter().zip(&counted).collect();
    let mut pairs = Vec::new();
    for (at, one) in all.iter().enumerate() {
        let later = all.iter().skip(at + 1);
        pairs.extend(later.filter_map(|other| unequal(*one, *other)));
    }
    pairs.sort_by(|a, b| {
        let ids = |pair: &UnequalPair| (pair.better.submission_id, pair.worse.submission_id);
        let widest = b.gap().total_cmp(&a.gap());
        let alike = b.similarity.total_cmp(&a.similarity);
        widest.then(alike).then_with(|| ids(a).cmp(&ids(b)))
    });
    pairs.truncate(MOST_PAIRS);
    pairs
}

/// As much of a text as is looked at.
fn start(text: &str) -> &str {
    let end = text.char_indices().nth(MOST_READ);
    end.and_then(|(end, _)| text.get(..end)).unwrap_or(text)
}

fn unequal(
    (one, own): (&GradedText, &Letters),
    (other, others): (&GradedText, &Letters),
) -> Option<UnequalPair> {
    // Cheap first: most pairs are graded alike.
    if !is_far_apart(one, other) {
        return None;
    }
    let similarity = own.similarity(others);
    if similarity < NEARLY_THE_SAME {
        return None;
    }
    let (better, worse) = if share(one) >= share(other) {
        (one, other)
    } else {
        (other, one)
    };
    Some(UnequalPair {
        better: better.clone(),
        worse: worse.clone(),
        similarity,
    })
}

/// In whole numbers, so that exactly a quarter is far apart on every machine.
fn is_far_apart(one: &GradedText, other: &GradedText) -> bool {
    let [a, b, a_max, b_max] = [one.score, other.score, one.max_score, other.max_score]
        .map(|points| i64::from(points.hundredths()));
    // |a / a_max - b / b_max| >= FAR_APART / 100
    a_max > 0 && b_max > 0 && 100 * (a * b_max - b * a_max).abs() >= FAR_APART * a_max * b_max
}

fn share(answer: &GradedText) -> f64 {
    let [score, max] = [answer.score, answer.max_score].map(Points::to_number);
    if max > 0.0 { score / max } else { 0.0 }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::id::Id;
    use rstest::rstest;
    use uuid::Uuid;

    const RICE: &str = "Cool the rice within two hours and store it below five degrees.";

    fn graded(number: u128, text: &str, points: u16, max: u16) -> GradedText {
        GradedText {
            submission_id: Id::from_uuid(Uuid::from_u128(number)),
            score: Points::whole(points),
            max_score: Points::whole(max),
            by: GradeSource::Human,
            text: text.to_owned(),
        }
    }

    fn gaps(answers: &[GradedText]) -> Vec<f64> {
        let pairs = unequal_pairs(answers);
        pairs
            .iter()
            .map(|pair| (pair.gap() * 100.0).round())
            .collect()
    }

    #[rstest]
    #[case::exactly_a_quarter(75, 100, vec![25.0])]
    #[case::less(76, 100, vec![])]
    #[case::as_a_share_of_the_best(8, 10, vec![])]
    #[case::of_another_best(7, 10, vec![30.0])]
    fn a_quarter_of_the_points_is_far_apart(
        #[case] points: u16,
        #[case] max: u16,
        #[case] expected: Vec<f64>,
    ) {
        let two = [graded(1, RICE, 100, 100), graded(2, RICE, points, max)];
        assert_eq!(gaps(&two), expected);
    }

    #[rstest]
    #[case::case_and_white_space(
        "  COOL the rice within two hours\nand store it below five degrees.",
        true
    )]
    #[case::a_slip("Cool the rice within two hours and store it below five degree.", true)]
    #[case::other_words("Put what is left into the fridge as soon as you can.", false)]
    #[case::half_of_it("Cool the rice within two hours.", false)]
    #[case::nothing("", false)]
    fn nearly_the_same_words_are(#[case] text: &str, #[case] is_pair: bool) {
        let two = [graded(1, RICE, 10, 10), graded(2, text, 2, 10)];
        assert_eq!(gaps(&two).len(), usize::from(is_pair));
    }

    #[test]
    fn every_script_has_letters_in_threes() {
        let chinese = "水在高山上沸腾得更快，因为空气稀薄。";
        let two = [graded(1, chinese, 2, 10), graded(2, chinese, 10, 10)];
        let pairs = unequal_pairs(&two);
        assert_eq!(pairs.len(), 1);
        assert_eq!(pairs[0].better, two[1]);
        assert_eq!(
            gaps(&[graded(1, "水", 2, 10), graded(2, "气", 10, 10)]),
            [0.0; 0]
        );
    }

    #[test]
    fn the_widest_come_first_and_no_more_than_can_be_looked_at() {
        let three = [
            graded(3, RICE, 5, 10),
            graded(2, RICE, 10, 10),
            graded(1, RICE, 0, 10),
        ];
        assert_eq!(gaps(&three), [100.0, 50.0, 50.0]);
        let many: Vec<GradedText> = (0..40)
            .map(|n| graded(n, RICE, if n < 20 { 0 } else { 9 }, 10))
            .collect();
        assert_eq!(unequal_pairs(&many).len(), MOST_PAIRS);
    }

    #[test]
    fn where_nothing_can_be_scored_nothing_is_apart() {
        let two = [graded(1, RICE, 0, 0), graded(2, RICE, 10, 10)];
        assert_eq!(unequal_pairs(&two), []);
    }
}
