//! Who of a cohort falls behind, and by which rule: made of the book of grades and of progress when it is read.

use lyceum_domain::grading::gradebook::{BehindRules, LearnerStanding};
use lyceum_domain::ids::CohortId;
use lyceum_wire::grading::standing::{LearnerStandingHead, LearnerStandingView};

use super::Book;
use crate::learning::progress;
use crate::prelude::*;

/// Shows where a page of a cohort's students stand, and by which of these rules they fall behind.
///
/// # Errors
/// [`Error::NotFound`]
pub fn standing(
    tx: &mut dyn Tx,
    ctx: &Context,
    id: CohortId,
    rules: BehindRules,
    page: &PageRequest,
) -> Result<(Page<LearnerStandingView>, LearnerStandingHead), Error> {
    let mut book = Book::open(tx, ctx, id)?;
    let course = book.course_id;
    let learners = tx.enrollments().page(ctx.workspace_id(), id, page)?;
    let places = learners
        .items
        .iter()
        .map(|(place, _)| (place.clone(), course));
    let progress = progress::of_places(tx, ctx, places.collect())?;
    let reckoned = book.reckon(tx, ctx, learners.items)?;
    let items = reckoned.into_iter().zip(progress).map(|(one, progress)| {
        let handed_in_at = one.last_handed_in_at();
        let standing = LearnerStanding {
            progress,
            book: one.row.book,
            handed_in_at,
        };
        let signs = standing.signs(rules, &book.cohort, ctx.now);
        LearnerStandingView::new(&one.row.user, &standing, &signs)
    });
    let page = Page {
        items: items.collect(),
        next: learners.next,
    };
    Ok((page, LearnerStandingHead::new(rules, &book.cohort, ctx.now)))
}
