//! Lists of submissions: which a caller asks for, and what of it they may ask.

use lyceum_domain::ids::UserId;
use lyceum_ports::page::SortBy;
use lyceum_wire::grading::submissions::SubmissionView;

use super::{GradeFilter, SubmissionFilter};
use crate::grading::stale;
use crate::identity::visibility::only_own;
use crate::prelude::*;

/// Which submissions a caller asks for.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct AskedSubmissions {
    /// What is stored with each.
    pub filter: SubmissionFilter,
    /// Whether AI's grade of each is stale, of one assignment.
    pub stale: Option<bool>,
}

/// Shows a page of them: everybody's with `read:submissions`, else the caller's own.
///
/// # Errors
/// [`Forbidden::NotOwn`] if a learner asks for somebody else's, [`Error::Invalid`] for stale ones of no assignment.
pub fn list(
    tx: &mut dyn Tx,
    ctx: &Context,
    asked: &AskedSubmissions,
    page: &PageRequest,
) -> Result<Page<SubmissionView>, Error> {
    let mut filter = asked.filter.clone();
    if let Some(own) = only_own(ctx)? {
        if filter.user_id.is_some_and(|asked| asked != own) {
            return Err(Forbidden::NotOwn.into());
        }
        if goes_on_behind_hidden(tx, ctx, own, page)? {
            return Ok(Page::empty());
        }
        filter.user_id = Some(own);
    }
    if let Some(stale) = asked.stale {
        filter.ai_graded = match stale::ai_graded(tx, ctx, filter.assignment_id, stale)? {
            None => return Ok(Page::empty()),
            graded => graded,
        };
    }
    if ctx.learner().is_some() {
        if asks_for_what_is_for_teachers(asked, page) {
            return Ok(Page::empty());
        }
        filter.grade.is_out = goes_by_grade(&filter, page);
    }
    if ctx.asks_for_hidden_people(page) {
        return Ok(Page::empty());
    }
    let found = tx.submissions().page(ctx.workspace_id(), &filter, page)?;
    if ctx.learner().is_some() {
        return Ok(found.map(|submission| SubmissionView::learner(&submission)));
    }
    stale::all_shown(tx, ctx, found)
}

/// Whether a list goes by what no learner sees of a submission: they find nothing by it.
fn asks_for_what_is_for_teachers(asked: &AskedSubmissions, page: &PageRequest) -> bool {
    let filter = &asked.filter;
    asked.stale.is_some()
        || !page.narrowed.metadata.is_empty()
        || filter.review_reason.is_some()
        || filter.grade.decided_by.is_some()
        || page.sort.is_some_and(|sort| sort.by == SortBy::Decided)
}

/// Whether a list goes by the grades that stand, in what it leaves out or in its order: then one that its learner is not shown yet must not
/// be told by it either.
fn goes_by_grade(filter: &SubmissionFilter, page: &PageRequest) -> bool {
    let by = page.sort.map(|sort| sort.by);
    filter.grade != GradeFilter::default() || is_of_grades(by)
}

const fn is_of_grades(by: Option<SortBy>) -> bool {
    matches!(by, Some(SortBy::Graded | SortBy::Score))
}

/// Whether a list in an order of grades is to go on behind the id of something whose grade the caller is not shown, somebody else's or one
/// that waits: what comes behind it would tell where that grade stands.
fn goes_on_behind_hidden(
    tx: &mut dyn Tx,
    ctx: &Context,
    own: UserId,
    page: &PageRequest,
) -> Result<bool, Error> {
    let by = page.sort.map(|sort| sort.by);
    let after = page.after.as_ref().filter(|_| is_of_grades(by));
    // A cursor says itself where it stands.
    let after = after.filter(|after| after.value.is_none());
    let Some(id) = after.and_then(|after| after.id.parse().ok()) else {
        return Ok(false);
    };
    let behind = tx.submissions().find(ctx.workspace_id(), id)?;
    Ok(behind.is_some_and(|behind| {
        let waits = ctx.learner().is_some() && !behind.status.shows_grade();
        behind.user_id != own || waits
    }))
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::{Arc, Mutex};

    use lyceum_domain::grading::grades::GradeSource;
    use lyceum_domain::identity::keys::KeyKind;
    use lyceum_domain::identity::users::Role;
    use lyceum_ports::mocks::MockTx;
    use lyceum_ports::page::Sort;

    use crate::identity::visibility::tests::{context, id};

    /// Which submissions storage is asked for; none where it is not asked.
    fn looked_for(role: Role, asked: &AskedSubmissions, sort: &str) -> Option<SubmissionFilter> {
        let mut tx = MockTx::default();
        let seen = Arc::new(Mutex::new(None));
        let noted = Arc::clone(&seen);
        tx.submissions.expect_page().returning(move |_, filter, _| {
            *noted.lock().unwrap() = Some(filter.clone());
            Ok(Page::empty())
        });
        let page = PageRequest {
            sort: Sort::parse(sort),
            ..PageRequest::first(1)
        };
        let ctx = context(role, KeyKind::Standard);
        let found = list(&mut tx, &ctx, asked, &page).unwrap();
        assert!(found.items.is_empty());
        seen.lock().unwrap().clone()
    }

    fn by(grade: GradeFilter) -> AskedSubmissions {
        AskedSubmissions {
            filter: SubmissionFilter {
                grade,
                ..SubmissionFilter::default()
            },
            stale: None,
        }
    }

    #[test]
    fn whoever_learns_is_told_by_no_list_of_a_grade_that_is_not_out() {
        let by_ai = by(GradeFilter {
            by: Some(GradeSource::Ai),
            ..GradeFilter::default()
        });
        let since = by(GradeFilter {
            since: Some(Timestamp::from_unix_millis(0)),
            ..GradeFilter::default()
        });
        let any = AskedSubmissions::default();
        for (asked, sort, is_out) in [
            (&any, "created_at", false),
            (&any, "graded_at", true),
            (&any, "-score", true),
            (&by_ai, "created_at", true),
            (&since, "created_at", true),
        ] {
            let told = |role| looked_for(role, asked, sort).unwrap().grade.is_out;
            assert_eq!(told(Role::Student), is_out, "{asked:?} {sort}");
            assert!(!told(Role::Teacher), "{asked:?} {sort}");
        }
    }

    #[test]
    fn whoever_learns_finds_nothing_by_what_is_for_teachers() {
        let decided = by(GradeFilter {
            decided_by: Some(id(7)),
            ..GradeFilter::default()
        });
        let mut because = AskedSubmissions::default();
        because.filter.review_reason = Some("link");
        for asked in [decided, because] {
            assert_eq!(looked_for(Role::Student, &asked, ""), None, "{asked:?}");
            assert!(looked_for(Role::Teacher, &asked, "").is_some(), "{asked:?}");
        }
        let (any, sort) = (AskedSubmissions::default(), "-decided_at");
        assert_eq!(looked_for(Role::Student, &any, sort), None);
        assert!(looked_for(Role::Teacher, &any, sort).is_some());
    }
}
