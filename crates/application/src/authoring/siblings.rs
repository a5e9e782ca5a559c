//! What stands in order below one parent: units of a course, lessons of a unit, activities of a lesson.

use std::cmp::Reverse;

use lyceum_domain::ids::{CourseId, LessonId, UnitId};
use lyceum_ports::store::Line;
use lyceum_ports::store::StoreError;

use crate::prelude::*;

/// What siblings stand below.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Parent {
    /// Its units.
    Course(CourseId),
    /// Its lessons.
    Unit(UnitId),
    /// Its activities.
    Lesson(LessonId),
}

impl Parent {
    fn line(self) -> Line {
        match self {
            Self::Course(id) => Line::at(id),
            Self::Unit(id) => Line::at(id),
            Self::Lesson(id) => Line::at(id),
        }
    }

    fn count(self, tx: &mut dyn Tx, ctx: &Context) -> Result<u32, StoreError> {
        let workspace = ctx.workspace_id();
        match self {
            Self::Course(id) => tx.units().count(workspace, id),
            Self::Unit(id) => tx.lessons().count(workspace, id),
            Self::Lesson(id) => tx.activities().count(workspace, id),
        }
    }

    fn shift(self, tx: &mut dyn Tx, ctx: &Context, from: u32, by: i32) -> Result<(), StoreError> {
        let workspace = ctx.workspace_id();
        match self {
            Self::Course(id) => tx.units().shift(workspace, id, from, by),
            Self::Unit(id) => tx.lessons().shift(workspace, id, from, by),
            Self::Lesson(id) => tx.activities().shift(workspace, id, from, by),
        }
    }

    /// Where one more of them stands: where it is wanted, or at the end. The others make room.
    pub fn make_room(
        self,
        tx: &mut dyn Tx,
        ctx: &Context,
        wanted: Option<u32>,
    ) -> Result<u32, StoreError> {
        tx.stand_in_line(self.line())?;
        let end = self.count(tx, ctx)?;
        let position = wanted.map_or(end, |wanted| wanted.min(end));
        if position < end {
            self.shift(tx, ctx, position, 1)?;
        }
        Ok(position)
    }

    /// Where the one at `position` stands after it was moved below `to`, as near to `wanted` as there are others;
    /// nothing if it stands there already.
    pub fn relocate(
        self,
        tx: &mut dyn Tx,
        ctx: &Context,
        position: u32,
        to: Self,
        wanted: u32,
    ) -> Result<Option<u32>, StoreError> {
        let stays = to == self;
        tx.stand_in_line(to.line())?;
        let others = to.count(tx, ctx)?.saturating_sub(u32::from(stays));
        let wanted = wanted.min(others);
        if stays && wanted == position {
            return Ok(None);
        }
        self.close_gap(tx, ctx, position)?;
        to.shift(tx, ctx, wanted, 1)?;
        Ok(Some(wanted))
    }

    /// Where the first of several stands after they were moved side by side below this, as near to `wanted` as others stay there;
    /// nothing if they stand so already. `moved` says where each stands now, in the order in which they will.
    pub fn gather(
        self,
        tx: &mut dyn Tx,
        ctx: &Context,
        moved: &[(Self, u32)],
        wanted: u32,
    ) -> Result<Option<u32>, StoreError> {
        tx.stand_in_line(self.line())?;
        let own = moved.iter().filter(|(parent, _)| *parent == self).count();
        let own = u32::try_from(own).unwrap_or(u32::MAX);
        let first = wanted.min(self.count(tx, ctx)?.saturating_sub(own));
        let mut places = moved.iter().zip(first..);
        if places.all(|((parent, position), place)| *parent == self && *position == place) {
            return Ok(None);
        }
        // From behind, so that no gap that is closed moves one that is not.
        let mut leaving = moved.to_vec();
        leaving.sort_by_key(|(_, position)| Reverse(*position));
        for (parent, position) in leaving {
            parent.close_gap(tx, ctx, position)?;
        }
        let room = i32::try_from(moved.len()).unwrap_or(i32::MAX);
        self.shift(tx, ctx, first, room)?;
        Ok(Some(first))
    }

    /// Those behind a place from which one is gone move up.
    pub fn close_gap(
        self,
        tx: &mut dyn Tx,
        ctx: &Context,
        position: u32,
    ) -> Result<(), StoreError> {
        self.shift(tx, ctx, position.saturating_add(1), -1)
    }
}
