//! Digests: who asked for it is told by mail each morning what waits for a person in a workspace, if anything does.
//!
//! A digest is of a day as it is where its reader lives: there is one for a day or none, however often the clocks or the place change.

use std::time::Duration;

use super::local_time::{Clocks, LocalDate};
use crate::Timestamp;
use crate::identity::scopes::Scope;
use crate::identity::users::{Role, User, UserChanges, UserKind};
use crate::ids::{CourseId, UserId, WorkspaceId};
use crate::text::TimeZone;
use crate::words::words;

words!(
    /// How often a member is told by mail what waits for a person.
    DigestRhythm {
        /// Never.
        Off = "off",
        /// Each day on which something waits, in the morning where they live.
        Daily = "daily",
    }
);

/// What a member changes of what is theirs to say.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct OwnChanges {
    /// What they are called, which language they prefer and where they live.
    pub profile: UserChanges,
    /// Whether they are told by mail what waits.
    pub digest: Option<DigestRhythm>,
}

/// Whether a member gets digests, when the next is due, and which was the last.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Digest {
    /// The tenant.
    pub workspace_id: WorkspaceId,
    /// Who gets it.
    pub user_id: UserId,
    /// When the next is looked at; none for who gets none.
    pub next_at: Option<Timestamp>,
    /// The day that the last one was of, where they lived then. It stays when digests are switched off, so that nobody who switches
    /// them on again gets a second for the day.
    pub last_on: Option<LocalDate>,
}

impl Digest {
    /// When it is sent, by the clocks of whoever gets it.
    pub const HOUR: i8 = 7;
    /// How long one that could not be made stands back.
    const PAUSE: Duration = Duration::from_hours(1);

    /// That of somebody who has not asked for any.
    pub const fn none(workspace_id: WorkspaceId, user_id: UserId) -> Self {
        Self {
            workspace_id,
            user_id,
            next_at: None,
            last_on: None,
        }
    }

    /// Whether digests are for this member: who comes here by themselves and may read what everybody hands in.
    pub fn is_for(user: &User) -> bool {
        user.kind == UserKind::Person
            && user.accepted_at().is_some()
            && !user.is_erased()
            && user.role != Role::Student
            && user.role.permits(Scope::ReadSubmissions)
    }

    /// How often.
    pub const fn rhythm(&self) -> DigestRhythm {
        match self.next_at {
            Some(_) => DigestRhythm::Daily,
            None => DigestRhythm::Off,
        }
    }

    /// Switches it on or off; a second time changes nothing. The first is due on the next morning.
    pub fn choose(
        &mut self,
        rhythm: DigestRhythm,
        zone: Option<&TimeZone>,
        now: Timestamp,
    ) -> bool {
        if rhythm == self.rhythm() {
            return false;
        }
        self.next_at = match rhythm {
            DigestRhythm::Off => None,
            DigestRhythm::Daily => Some(self.next_morning(&Clocks::of(zone), now)),
        };
        true
    }

    /// Goes by the clocks of another place from now on; whether that changed anything.
    pub fn follow(&mut self, zone: Option<&TimeZone>, now: Timestamp) -> bool {
        let before = self.next_at;
        self.next_at = before.map(|_| self.next_morning(&Clocks::of(zone), now));
        self.next_at != before
    }

    /// Goes on to the next morning once one has come; the day whose digest is due, if it still is that day and it had none.
    pub fn take(&mut self, zone: Option<&TimeZone>, now: Timestamp) -> Option<LocalDate> {
        let is_time = self.next_at.is_some_and(|at| at <= now);
        if !is_time {
            return None;
        }
        let clocks = Clocks::of(zone);
        let today = clocks.date(now);
        let is_due = now >= clocks.at(today, Self::HOUR) && self.last_on < Some(today);
        if is_due {
            self.last_on = Some(today);
        }
        self.next_at = Some(self.next_morning(&clocks, now));
        is_due.then_some(today)
    }

    /// Stands back for an hour after it could not be made, so that others do not wait behind it.
    pub fn put_off(&mut self, now: Timestamp) {
        self.next_at = self.next_at.map(|_| now.plus(Self::PAUSE));
    }

    /// The first morning after this moment whose day had no digest.
    fn next_morning(&self, clocks: &Clocks, now: Timestamp) -> Timestamp {
        let today = clocks.date(now);
        let mut day = match self.last_on {
            Some(last) if last >= today => last.next(),
            Some(_) | None => today,
        };
        if clocks.at(day, Self::HOUR) <= now {
            day = day.next();
        }
        clocks.at(day, Self::HOUR)
    }
}

/// What waits for a person in a course.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct CourseWaiting {
    /// The course.
    pub course_id: CourseId,
    /// How many submissions.
    pub count: u64,
    /// When the oldest was handed in.
    pub oldest: Option<Timestamp>,
}

/// What waits in all of a workspace.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct WaitingWork {
    /// How many submissions.
    pub count: u64,
    /// When the oldest was handed in.
    pub oldest: Option<Timestamp>,
    /// The courses with the most, the most first.
    pub top: Vec<CourseWaiting>,
    /// In how many courses more.
    pub more: usize,
}

impl WaitingWork {
    /// How many courses are named.
    const NAMED: usize = 5;

    /// Of what waits in each course.
    pub fn of(mut courses: Vec<CourseWaiting>) -> Self {
        courses.sort_by_key(|one| (std::cmp::Reverse(one.count), one.course_id));
        let more = courses.len().saturating_sub(Self::NAMED);
        Self {
            count: courses.iter().map(|one| one.count).sum(),
            oldest: courses.iter().filter_map(|one| one.oldest).min(),
            more,
            top: courses.into_iter().take(Self::NAMED).collect(),
        }
    }
}

#[cfg(test)]
mod tests;
