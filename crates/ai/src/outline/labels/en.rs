//! English: what outlines are labelled with. Fixed words only.

use super::Labels;

pub(super) const LABELS: Labels = Labels {
    tag: "en",
    objective: "Objective",
    key_points: "Key points",
    think_about: "Think about",
    built_in_mark: "Outline made by the built-in engine from the course brief, not by a language model. Add explanations and examples before you publish it.",
    quiz: "Quiz: {topic}",
    flashcards: "Flashcards: {topic}",
    reflection: "Reflection: {topic}",
    assignment: "Assignment: {topic}",
    prompts: [
        "Which situation from your own experience shows {topic}?",
        "What usually goes wrong with {topic}, and why?",
        "How would you explain {topic} to somebody new?",
    ],
    objectives: [
        "Explain {topic} in your own words",
        "Apply {topic} to a situation of your own",
        "Analyse what matters in {topic} and why",
        "Judge an example of {topic} and give reasons",
    ],
    open_points: [
        "What {topic} means in the course {course}",
        "An example of {topic}: to be added by the teacher",
        "How {topic} connects with the other parts of {course}",
    ],
    stages: [
        "{topic}: the basics",
        "{topic}: step by step",
        "{topic}: in practice",
        "{topic}: decisions and mistakes",
    ],
    fill_blank: "Fill in the blank",
    true_or_false: "True or false?",
    which_completes: "Which option completes the sentence as the lesson has it?",
    which_belongs: "Which of these belongs to the unit {unit}?",
    as_lesson_says: "The lesson says: {sentence}",
    summary: "{course} in these parts: {units}.",
    unit_description: "This unit is about {topics}.",
    lesson_summary: "An outline of {topic}.",
    task: "Describe a real or realistic situation that involves {topics}. Say what happens, what you decide and do, and why. Use what you learned in the lessons, give reasons, and name one thing you would change so that it goes better next time. 150 to 300 words are enough; spelling and grammar do not count.",
    criteria: [
        ("Understanding", "Uses the ideas of the lessons correctly."),
        (
            "Applying it",
            "Applies them to a concrete situation and says what is done.",
        ),
        ("Reasons", "Gives reasons and names a change for next time."),
    ],
    levels: [
        (
            "Excellent",
            "Complete and correct, in the learner's own words.",
        ),
        (
            "Good",
            "Mostly complete; one part is missing or only hinted at.",
        ),
        ("Partial", "One workable idea, without the rest."),
        (
            "Missing",
            "Nothing on it, or the opposite of what was taught.",
        ),
    ],
    assumptions: [
        "The brief names few topics, so the units follow the words it has; please check their order.",
        "Times were divided evenly; please adjust them to your learners.",
    ],
    and: "and",
    open_quote: "“",
    close_quote: "”",
};
