use proptest::prelude::*;
use rstest::rstest;

use super::*;

const SOURCE: &str = "# Cooling\n\nAn ice bath is a sink full of ice and cold water. Food is cooled to below 8 °C\nwithin \
90 minutes.\n\n- Trays are shallow\n- Raw meat is kept at -2 °C.\n\nIs rice safe? Twice is 2*3.";

fn read(text: &str, standing: SourceStanding) -> ReadSentence {
    let text = text.to_owned();
    ReadSentence { text, standing }
}

/// A lesson of four claims of four letters each and one sentence that claims nothing.
fn lesson(standings: [SourceStanding; 4]) -> SupportCheck {
    let mut all: Vec<ReadSentence> = ["Aaaa.", "Bbbb.", "Cccc.", "Dddd."]
        .into_iter()
        .zip(standings)
        .map(|(text, standing)| read(text, standing))
        .collect();
    all.push(read("And now to something else.", SourceStanding::NoClaim));
    SupportCheck::of(SOURCE, &all)
}

#[test]
fn a_lesson_is_cut_into_what_may_claim_something() {
    let lesson = "## Cooling\n\nFood is **cooled**. It is kept cold, e.g. in a fridge!\n\n```text\nno sentence.\n# none\n\
                  ```\n\n> Quoted once.\n\n---\n\n1. Take the *tray*.\n- **Tray**: a flat dish\n\n| Food | Limit |\n\
                  |---|---|\n| Rice | 8 °C |";
    let found = lesson_sentences(lesson);
    let wanted = [
        "Food is **cooled**.",
        "It is kept cold, e.g. in a fridge!",
        "Quoted once.",
        "Take the *tray*.",
        "**Tray**: a flat dish",
        "| Food | Limit |",
        "| Rice | 8 °C |",
    ];
    assert_eq!(found, wanted);
    assert!(lesson_sentences("## Cooling\n\n---\n\n#\n").is_empty());
    assert_eq!(lesson_sentences("#8 is a size").len(), 1, "no heading");
    let long = "It is cold. ".repeat(MOST_SENTENCES + 1);
    assert_eq!(lesson_sentences(&long).len(), MOST_SENTENCES);
}

#[rstest]
#[case("An ice bath is a sink full of ice and cold water.", true)]
#[case("An **ice bath** is a sink full of ice and cold water", true)]
#[case("Food is cooled to below 8 °C within 90 minutes!", true)]
#[case("trays are shallow.", true)]
#[case("Food is cooled to below 8 °C within 60 minutes.", false)]
#[case("Food is not cooled to below 8 °C within 90 minutes.", false)]
#[case("Food is cooled to below 8 °C.", false)]
#[case("Raw meat is kept at -2 °C.", true)]
#[case("Raw meat is kept at 2 °C.", false)]
#[case("_Twice_ is `2*3`.", true)]
#[case("Twice is 23.", false)]
#[case("Rice is safe.", false)]
#[case("Is rice safe.", false)]
fn what_the_source_says_word_by_word_is_supported_whatever_a_model_says(
    #[case] sentence: &str,
    #[case] is_supported: bool,
) {
    for standing in [SourceStanding::Unsupported, SourceStanding::Contradicted] {
        let check = SupportCheck::of(SOURCE, &[read(sentence, standing)]);
        assert_eq!((check.claims, check.doubted.is_empty()), (1, is_supported));
    }
    let alone = [sentence.to_owned()];
    assert_eq!(is_all_of_the_source(SOURCE, &alone), is_supported);
}

#[test]
fn what_no_passage_supports_is_named_as_it_stands_and_why() {
    use SourceStanding::{Contradicted, Supported, Unsupported};
    let check = lesson([Supported, Unsupported, Contradicted, Supported]);
    assert_eq!((check.claims, check.unsupported), (4, 2));
    let named: Vec<(&str, &str)> = check
        .doubted
        .iter()
        .map(|one| (one.text.as_str(), one.reason.as_str()))
        .collect();
    assert_eq!(named, [("Bbbb.", "unsupported"), ("Cccc.", "contradicted")]);
}

#[test]
fn the_share_is_of_letters_and_digits_that_claim_something() {
    use SourceStanding::{NoClaim, Supported, Unsupported};
    let half = lesson([Supported, Unsupported, Supported, Unsupported]);
    let none = lesson([Supported, Supported, Supported, Supported]);
    let one = lesson([Unsupported, NoClaim, NoClaim, NoClaim]);
    assert_eq!(unsupported_share([&half]), Some(500));
    assert_eq!(unsupported_share([&half, &none]), Some(250));
    assert_eq!(unsupported_share([&half, &none, &one]), Some(333));
    assert_eq!(unsupported_share([]), None);
    let silent = lesson([NoClaim, NoClaim, NoClaim, NoClaim]);
    assert_eq!(unsupported_share([&silent]), None);
    // A long sentence weighs more than a short one, and marks weigh nothing.
    let long = SupportCheck::of(
        SOURCE,
        &[
            read("Aaaa aaaa (aaaa).", Supported),
            read("B b b b!", Unsupported),
        ],
    );
    assert_eq!(unsupported_share([&long]), Some(250));
}

#[test]
fn what_is_named_is_bounded_and_what_is_counted_is_not() {
    let sentence = format!("{}.", "é".repeat(400));
    let many = vec![read(&sentence, SourceStanding::Unsupported); 60];
    let check = SupportCheck::of(SOURCE, &many);
    assert_eq!((check.unsupported, check.doubted.len()), (60, 50));
    assert_eq!(check.doubted[0].text.chars().count(), 300);
    assert_eq!(unsupported_share([&check]), Some(1_000));
}

proptest! {
    #[test]
    fn sentences_of_a_lesson_stand_in_it(text in "\\PC{0,200}|[a-c .#>`|\n-]{0,200}") {
        for sentence in lesson_sentences(&text) {
            prop_assert!(text.contains(&sentence));
        }
    }

    #[test]
    fn a_source_supports_every_sentence_of_its_own(text in "([A-C][a-c ]{0,9}[.!?] ?|\n){0,20}") {
        let all = lesson_sentences(&text);
        let lines: Vec<String> = text.lines().map(str::to_owned).collect();
        let apart = lines.join("\n\n");
        prop_assert!(is_all_of_the_source(&apart, &all));
    }
}
