//! What callers do with the book of grades of a cohort: look at a page of it, and take all of it away.
//!
//! It is reckoned when it is read, from what stands then; nothing of it is kept.

mod columns;
mod rows;
mod standing;

use lyceum_domain::authoring::courses::gradebook::{GradebookScheme, GradedItem};
use lyceum_domain::grading::gradebook::LearnerBook;
use lyceum_domain::identity::users::User;
use lyceum_domain::ids::{CohortId, CourseId};
use lyceum_domain::learning::cohorts::Cohort;
use lyceum_domain::learning::enrollments::Enrollment;
use lyceum_ports::page::{Sort, SortBy};
use lyceum_wire::grading::gradebook::{GradebookHead, GradebookRowView};

use self::columns::Tasks;
pub use self::standing::standing;
use crate::learning::cohorts;
use crate::prelude::*;

/// Most cells of a book that is taken away as a whole.
pub const MOST_CELLS: usize = 500_000;

/// Which tasks are to be on a page.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct AskedColumns {
    /// How many at most: 1..=100.
    pub limit: u16,
    /// Behind which task they begin; with the first where none is named.
    pub after: Option<GradedItem>,
}

impl AskedColumns {
    /// How many are on a page when nobody says.
    pub const DEFAULT_LIMIT: u16 = 50;
    /// How many are on a page at most.
    pub const MAX_LIMIT: u16 = 100;
}

/// A page of a book: learners, and what stands above them.
pub type BookPage = (Page<GradebookRowView>, GradebookHead);

/// A learner of a book that is taken away as a whole.
#[derive(Debug)]
pub struct BookRow {
    /// Their place in the cohort.
    pub enrollment: Enrollment,
    /// Who they are.
    pub user: User,
    /// Where they stand, at every task of the course.
    pub book: LearnerBook,
}

/// Where a book goes that is taken away as a whole: first what stands above it, then every learner.
pub trait BookSink {
    /// Takes the tasks, which the cells of every row are of in the same order, and the scheme.
    ///
    /// # Errors
    /// [`Error::Internal`]
    fn begin(&mut self, head: &GradebookHead) -> Result<(), Error>;
    /// Takes a learner.
    ///
    /// # Errors
    /// [`Error::Internal`]
    fn row(&mut self, row: &BookRow) -> Result<(), Error>;
}

/// Shows where a page of a cohort's learners stand: at some tasks, and in the whole course.
///
/// # Errors
/// [`Error::NotFound`], [`Error::Invalid`] where `columns_after` is no task of the course
pub fn page(
    tx: &mut dyn Tx,
    ctx: &Context,
    id: CohortId,
    asked: AskedColumns,
    page: &PageRequest,
) -> Result<BookPage, Error> {
    let mut book = Book::open(tx, ctx, id)?;
    let shown = book.tasks.shown(asked)?;
    let learners = tx.enrollments().page(ctx.workspace_id(), id, page)?;
    let reckoned = book.reckon(tx, ctx, learners.items)?;
    let items = reckoned.into_iter().map(|one| one.view(&shown)).collect();
    let next = learners.next;
    Ok((Page { items, next }, book.head(shown)))
}

/// Hands out all of a cohort's book, learners by name.
///
/// # Errors
/// [`Error::NotFound`], [`Error::Invalid`] where it has too many cells, those of the sink
pub fn take_away(
    tx: &mut dyn Tx,
    ctx: &Context,
    id: CohortId,
    sink: &mut dyn BookSink,
) -> Result<(), Error> {
    let mut book = Book::open(tx, ctx, id)?;
    let mut page = PageRequest {
        sort: Some(Sort {
            by: SortBy::Name,
            is_descending: false,
        }),
        ..PageRequest::first(PageRequest::MAX_LIMIT)
    };
    let mut cells = 0;
    loop {
        let learners = tx.enrollments().page(ctx.workspace_id(), id, &page)?;
        cells += learners.items.len() * book.tasks.all.len();
        if cells > MOST_CELLS {
            let problem = "has a book of more than 500000 cells: read it page by page";
            return Err(Invalid::new("id", problem).into());
        }
        let reckoned = book.reckon(tx, ctx, learners.items)?;
        if page.after.is_none() {
            sink.begin(&book.head(0..book.tasks.all.len()))?;
        }
        for one in reckoned {
            sink.row(&one.row)?;
        }
        let Some(next) = learners.next else {
            return Ok(());
        };
        page.after = Some(next);
    }
}

/// What a book is reckoned by, whoever the learner is.
struct Book {
    cohort: Cohort,
    course_id: CourseId,
    scheme: GradebookScheme,
    tasks: Tasks,
}

impl Book {
    fn open(tx: &mut dyn Tx, ctx: &Context, id: CohortId) -> Result<Self, Error> {
        let cohort = cohorts::find(tx, ctx, id)?;
        let course = tx.courses().find(ctx.workspace_id(), cohort.course_id)?;
        let course = found(course, "course")?;
        Ok(Self {
            course_id: course.id,
            scheme: course.gradebook,
            tasks: Tasks::of(tx, ctx, &cohort)?,
            cohort,
        })
    }

    fn head(&self, shown: std::ops::Range<usize>) -> GradebookHead {
        let goes_on = shown.end < self.tasks.all.len();
        let columns = self.tasks.all.get(shown).unwrap_or_default().iter();
        let columns = columns.map(|task| task.view(&self.scheme)).collect();
        let total = self.tasks.all.len();
        GradebookHead::new(self.course_id, &self.scheme, columns, (total, goes_on))
    }
}
