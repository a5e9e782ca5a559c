//! The life of a job: its states, and every move between them.

/// Where a job is in its life.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum JobState {
    /// Waits to be taken up.
    Queued,
    /// Is held by an attempt, for as long as its lease lasts.
    Running,
    /// Has ended, whatever came of its subject.
    Done,
    /// Was given up without a word about its subject.
    Dead,
}

impl JobState {
    /// Every state.
    pub const ALL: &'static [Self] = &[Self::Queued, Self::Running, Self::Done, Self::Dead];

    /// The state in a word.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Queued => "queued",
            Self::Running => "running",
            Self::Done => "done",
            Self::Dead => "dead",
        }
    }
}

/// What can happen to a job. Storage makes a move only from the state it starts in, and, except for the first two, only
/// for the attempt that holds the job.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum JobMove {
    /// An attempt takes it.
    Claim,
    /// Another attempt takes it, because the lease of the one before ran out.
    TakeOver,
    /// The attempt keeps it for longer.
    Extend,
    /// The attempt ends it.
    Finish,
    /// The attempt asks for another one, at a later time.
    Retry,
    /// The attempt is broken off by a clean stop, which does not count as one that was lost.
    PutBack,
    /// The attempt gives it up for good.
    Bury,
}

impl JobMove {
    /// Every move.
    pub const ALL: &'static [Self] = &[
        Self::Claim,
        Self::TakeOver,
        Self::Extend,
        Self::Finish,
        Self::Retry,
        Self::PutBack,
        Self::Bury,
    ];

    /// The only state it starts in.
    pub const fn from(self) -> JobState {
        match self {
            Self::Claim => JobState::Queued,
            Self::TakeOver
            | Self::Extend
            | Self::Finish
            | Self::Retry
            | Self::PutBack
            | Self::Bury => JobState::Running,
        }
    }

    /// The state it leads to.
    pub const fn to(self) -> JobState {
        match self {
            Self::Claim | Self::TakeOver | Self::Extend => JobState::Running,
            Self::Finish => JobState::Done,
            Self::Retry | Self::PutBack => JobState::Queued,
            Self::Bury => JobState::Dead,
        }
    }

    /// Whether it begins an attempt, whose number fences off those before it.
    pub const fn begins_attempt(self) -> bool {
        matches!(self, Self::Claim | Self::TakeOver)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_leads_out_of_an_end_and_only_a_claim_begins() {
        for end in [JobState::Done, JobState::Dead] {
            assert!(JobMove::ALL.iter().all(|step| step.from() != end));
        }
        let from_queue = JobMove::ALL
            .iter()
            .filter(|step| step.from() == JobState::Queued);
        assert_eq!(from_queue.collect::<Vec<_>>(), [&JobMove::Claim]);
        for state in JobState::ALL {
            let is_reached = JobMove::ALL.iter().any(|step| step.to() == *state);
            assert!(is_reached, "{state:?}");
        }
    }
}
