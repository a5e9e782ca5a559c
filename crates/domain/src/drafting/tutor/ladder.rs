//! The hint ladder: who asks again about the same gets a larger hint, up to what the course allows.

use std::collections::BTreeSet;

use super::TutorTurn;

/// The largest hint: an explanation from the lesson, or a similar example with other numbers.
pub const TOP: u8 = 3;

/// A message with fewer words of its own only asks for more.
const ASKS_FOR_MORE: usize = 3;

/// How large the next hint may be: 1 asks back and points to a passage, 2 gives a step, 3 explains from the lesson.
///
/// It rises by one while a learner stays with what they asked before, and starts anew with something else.
pub fn next_level(earlier: &[TutorTurn], message: &str, top: u8) -> u8 {
    let Some(last) = earlier.last() else {
        return 1;
    };
    let (now, before) = (topics(message), topics(&last.message));
    let stays = now.len() < ASKS_FOR_MORE || now.intersection(&before).count() * 3 >= now.len();
    if stays {
        last.hint_level.saturating_add(1).clamp(1, top)
    } else {
        1
    }
}

/// The words of a message that say what it is about.
fn topics(message: &str) -> BTreeSet<String> {
    let words = message.split(|c: char| !c.is_alphanumeric());
    let long = words.filter(|word| word.chars().count() >= 4);
    // The beginnings, so that forms of a word are the same.
    long.map(|word| word.to_lowercase().chars().take(5).collect())
        .collect()
}

#[cfg(test)]
mod tests {
    use super::super::{TutorMove, TutorReply};
    use super::*;
    use crate::{Id, Timestamp};
    use rstest::rstest;
    use uuid::Uuid;

    fn turn(message: &str, hint_level: u8) -> TutorTurn {
        let id = Uuid::nil();
        TutorTurn {
            workspace_id: Id::from_uuid(id),
            id: Id::from_uuid(id),
            thread_id: Id::from_uuid(id),
            lesson_id: Id::from_uuid(id),
            user_id: Id::from_uuid(id),
            message: message.to_owned(),
            reply: TutorReply {
                message: String::new(),
                act: TutorMove::Hint,
                citations: Vec::new(),
                handoff_to_teacher: false,
            },
            hint_level,
            model: String::new(),
            created_at: Timestamp::from_unix_millis(0),
        }
    }

    #[rstest]
    #[case("I still don't get it", 2)]
    #[case("??", 2)]
    #[case("But how are bacteria growing in warm rice?", 2)]
    #[case("Which thermometer should somebody calibrate monthly?", 1)]
    fn who_stays_with_a_question_climbs(#[case] message: &str, #[case] level: u8) {
        let earlier = [turn("Why do bacteria grow in rice?", 1)];
        assert_eq!(next_level(&earlier, message, TOP), level);
    }

    #[test]
    fn the_ladder_ends_where_the_course_says() {
        let earlier = [turn("Why?", 3)];
        assert_eq!(next_level(&earlier, "Why?", TOP), 3);
        assert_eq!(next_level(&earlier, "Why?", 1), 1);
        assert_eq!(next_level(&[], "Why?", TOP), 1);
    }
}
