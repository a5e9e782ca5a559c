//! The submission's state machine against a model of it: a table written down beside it, and any order of events.

use crate::Id;
use proptest::prelude::*;
use uuid::Uuid;

use super::*;
use crate::authoring::assignments::HumanReview;

/// What may happen to a submission.
#[derive(Debug, Clone, Copy)]
enum Happening {
    Submit,
    AskAi,
    /// The run before the newest lands, or the newest.
    Land {
        newest: bool,
        review: HumanReview,
    },
    FailAi,
    GradeByPerson,
    Approve,
    GiveBack,
    Reopen,
}

fn happening() -> impl Strategy<Value = Happening> {
    let review = prop_oneof![
        Just(HumanReview::Required),
        Just(HumanReview::Optional),
        Just(HumanReview::Off)
    ];
    prop_oneof![
        Just(Happening::Submit),
        Just(Happening::AskAi),
        (any::<bool>(), review).prop_map(|(newest, review)| Happening::Land { newest, review }),
        Just(Happening::FailAi),
        Just(Happening::GradeByPerson),
        Just(Happening::Approve),
        Just(Happening::GiveBack),
        Just(Happening::Reopen),
    ]
}

/// Where it stood: its state, whether a person graded it, whether somebody is asked to look.
type Stood = (&'static str, bool, Option<ReviewStatus>);

/// What the model knows: words, and no rules but those below.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Model {
    status: &'static str,
    pending: bool,
    run: u32,
    by_person: bool,
    graded: bool,
    /// Whether somebody is asked to look, or has.
    review: Option<ReviewStatus>,
    /// How it stood before each decision that can be taken back, the newest last.
    before: Vec<Stood>,
}

impl Model {
    /// The states from which each happening is possible; from others it changes nothing.
    fn permits(&self, happening: Happening) -> bool {
        let handed_in = self.status != "draft";
        match happening {
            Happening::Submit => self.status == "draft",
            Happening::AskAi => handed_in,
            Happening::Land { newest, .. } => self.pending && (newest || self.run == 0),
            Happening::FailAi => self.pending,
            Happening::GradeByPerson => handed_in && self.status != "returned",
            Happening::Approve => {
                let is_out = self.status == "graded"
                    && self.review == Some(ReviewStatus::Open)
                    && !self.by_person;
                self.status == "in_review" || is_out
            }
            Happening::GiveBack => self.status == "graded",
            Happening::Reopen => !self.before.is_empty(),
        }
    }

    fn remember(&mut self) {
        self.before.push((self.status, self.by_person, self.review));
    }

    fn after(mut self, happening: Happening) -> Self {
        match happening {
            Happening::Submit => self.status = "submitted",
            Happening::AskAi => {
                self.run += 1;
                self.pending = true;
            }
            Happening::Land { review, .. } => {
                self.pending = false;
                if !self.by_person
                    && self.review != Some(ReviewStatus::Done)
                    && self.status != "returned"
                {
                    self.before.clear();
                    self.graded = true;
                    self.review = (review != HumanReview::Off).then_some(ReviewStatus::Open);
                    self.status = if review == HumanReview::Required {
                        "in_review"
                    } else {
                        "graded"
                    };
                }
            }
            Happening::FailAi => self.pending = false,
            Happening::GradeByPerson => {
                self.before.clear();
                if self.graded {
                    self.remember();
                }
                self.status = "graded";
                self.by_person = true;
                self.review = Some(ReviewStatus::Done);
                self.graded = true;
            }
            Happening::Approve => {
                self.remember();
                self.status = "graded";
                self.review = Some(ReviewStatus::Done);
            }
            Happening::GiveBack => {
                self.remember();
                self.status = "returned";
            }
            Happening::Reopen => {
                if let Some(before) = self.before.pop() {
                    (self.status, self.by_person, self.review) = before;
                }
            }
        }
        self
    }
}

fn seen(submission: &Submission) -> Model {
    let by_person = |grade: &StandingGrade| grade.by == GradeSource::Human;
    Model {
        status: submission.status.as_str(),
        pending: submission.awaits(submission.run),
        run: submission.run,
        by_person: submission.grade.as_ref().is_some_and(by_person),
        graded: submission.grade.is_some(),
        review: submission.review,
        before: remembered(submission),
    }
}

fn remembered(submission: &Submission) -> Vec<Stood> {
    let mut grade = submission.grade.as_ref();
    let mut before = grade.and_then(|grade| grade.before.as_deref());
    let mut all = Vec::new();
    while let Some(one) = before {
        grade = one.grade.as_ref().or(grade);
        let by_person = grade.is_some_and(|grade| grade.by == GradeSource::Human);
        all.insert(0, (one.status.as_str(), by_person, one.review));
        before = one.earlier.as_deref();
    }
    all
}

/// Lets it happen as the service does: a run lands or fails only while it is awaited.
fn happen(submission: &mut Submission, happening: Happening, now: Timestamp) -> bool {
    match happening {
        Happening::Submit => submission.submit(1, None, now).is_ok(),
        Happening::AskAi => submission.ask_ai(RunOverrides::default(), now, now).is_ok(),
        Happening::Land { newest, review } => {
            let run = if newest {
                submission.run
            } else {
                submission.run.saturating_sub(1)
            };
            submission.awaits(run) && land(submission, review, now)
        }
        Happening::FailAi => {
            let awaited = submission.awaits(submission.run);
            if awaited {
                submission.fail_ai("ai_provider_error", "gone", now);
            }
            awaited
        }
        Happening::GradeByPerson => submission
            .grade_by_person(Points::HUNDRED, Vec::new(), String::new(), teacher(), now)
            .is_ok(),
        Happening::Approve => submission.approve(teacher(), now).is_ok(),
        Happening::GiveBack => submission.give_back(now).is_ok(),
        Happening::Reopen => submission.reopen(now).is_ok(),
    }
}

fn land(submission: &mut Submission, review: HumanReview, now: Timestamp) -> bool {
    let judged = Judgement {
        criteria: Vec::new(),
        score: Points::whole(80),
        review_reasons: Vec::new(),
    };
    let landing = AiLanding {
        judged: &judged,
        feedback: "",
        model: "m",
        grader_hash: "the grader",
        read_at: now,
        facts: LandingFacts::settled(review),
    };
    submission.land_ai(&landing, now).is_ok()
}

fn teacher() -> UserId {
    Id::from_uuid(Uuid::from_u128(7))
}

fn draft(id: u128) -> Submission {
    let frame = SubmissionFrame {
        workspace_id: Id::from_uuid(Uuid::nil()),
        id: Id::from_uuid(Uuid::from_u128(id)),
        course_id: Id::from_uuid(Uuid::nil()),
        user_id: Id::from_uuid(Uuid::nil()),
        attempt: 1,
        max_score: Points::HUNDRED,
        assignment_version: 1,
        due: None,
    };
    let new = NewSubmission {
        assignment_id: Id::from_uuid(Uuid::nil()),
        cohort_id: None,
        content: SubmissionContent::Text(LongText::parse("text").unwrap()),
        draft: true,
        metadata: Metadata::default(),
    };
    Submission::new(frame, new, Timestamp::from_unix_millis(1_000))
}

proptest! {
    #[test]
    fn whatever_happens_happens_to_the_model_too(
        happenings in prop::collection::vec(happening(), 0..40),
    ) {
        // An id whose grade is not picked for a look: that rule has tests of its own.
        let mut submission = draft(0);
        let mut model = seen(&submission);
        let mut now = Timestamp::from_unix_millis(1_000);
        for happening in happenings {
            now = now.plus(std::time::Duration::from_secs(1));
            let permitted = model.permits(happening);
            prop_assert_eq!(happen(&mut submission, happening, now), permitted, "{:?} from {:?}", happening, &model);
            if permitted {
                model = model.after(happening);
            }
            prop_assert_eq!(seen(&submission), model.clone(), "after {:?}", happening);
        }
    }
}
