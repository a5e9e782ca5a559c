//! The book of grades over HTTP: page by page, and all of it as a file.

mod csv_file;
mod lines;
mod xlsx_file;

use std::sync::Arc;

use actix_web::http::header;
use actix_web::{HttpRequest, HttpResponse};
use lyceum_application::Error;
use lyceum_application::grading::gradebook::{self, AskedColumns, BookSink};
use lyceum_application::identity::access::Requirement;
use lyceum_domain::InvalidValue;
use lyceum_domain::authoring::courses::gradebook::GradedItem;
use lyceum_domain::hex;
use lyceum_domain::identity::scopes::Scope;
use lyceum_domain::ids::{CohortId, Enrollment};
use lyceum_wire::grading::gradebook::{GradebookHead, GradebookRowView};
use sha2::{Digest, Sha256};

use self::csv_file::CsvFile;
use self::xlsx_file::XlsxFile;
use crate::edge::admission;
use crate::edge::policy::Policy;
use crate::http::auth_scope::Tenant;
use crate::http::ranges;
use crate::http::response;
use crate::http::route::{Body, IdentityDoc, RawDoc};
use crate::prelude::*;
use crate::state::Api;

/// What it takes to read a book, on a page or as a file: it has everybody's grades.
pub const READ: Requirement = Requirement::all(&[Scope::ReadStudents, Scope::ReadSubmissions]);

pub async fn page(
    call: Call<Listing<Enrollment, AskedColumns>>,
) -> Outcome<ListedWith<GradebookRowView, GradebookHead>> {
    call.read(|tx, ctx, path, (asked, page)| gradebook::page(tx, ctx, path.id()?, asked, &page))
        .await
}

impl FromQuery for AskedColumns {
    const PARAMETERS: &'static [Parameter] = &[
        Parameter::new(
            "columns",
            "How many tasks at most: 1 to 100, 50 when absent.",
        ),
        Parameter::new(
            "columns_after",
            "The `columns_after` of the page before, or the id of a task: those behind it are shown.",
        ),
    ];

    fn read(query: &mut Query) -> Result<Self, Failure> {
        let limit = |text: &str| {
            let number = text.parse().ok();
            let within = number.filter(|number| (1..=Self::MAX_LIMIT).contains(number));
            within.ok_or_else(|| InvalidValue::new("must be between 1 and 100"))
        };
        Ok(Self {
            limit: query
                .parsed("columns", limit)?
                .unwrap_or(Self::DEFAULT_LIMIT),
            after: query.parsed("columns_after", GradedItem::parse)?,
        })
    }
}

/// How the book as comma-separated values is documented.
pub const fn csv_doc() -> RawDoc {
    file_doc("text/csv")
}

/// How the book as a workbook is documented.
pub const fn xlsx_doc() -> RawDoc {
    file_doc(XlsxFile::MEDIA_TYPE)
}

const fn file_doc(media_type: &'static str) -> RawDoc {
    RawDoc {
        parameters: &[],
        answer: Body::File(media_type),
        identity: IdentityDoc::KeyAndPlatform,
        also: &[206, 304, 400, 401, 403, 404],
    }
}

/// The book as comma-separated values.
pub async fn csv(request: HttpRequest, api: Arc<Api>, request_id: String) -> HttpResponse {
    hand_out::<CsvFile>(&request, &api, &request_id).await
}

/// The book as a workbook.
pub async fn xlsx(request: HttpRequest, api: Arc<Api>, request_id: String) -> HttpResponse {
    hand_out::<XlsxFile>(&request, &api, &request_id).await
}

/// A file that a book can be taken away in.
trait BookFile: BookSink + Default {
    /// Its media type.
    const MEDIA_TYPE: &'static str;
    /// What its name ends with.
    const EXTENSION: &'static str;

    /// All of it.
    ///
    /// # Errors
    /// [`Error::Internal`]
    fn bytes(self) -> Result<Vec<u8>, Error>;
}

async fn hand_out<F: BookFile>(request: &HttpRequest, api: &Api, request_id: &str) -> HttpResponse {
    match written::<F>(request, api, request_id).await {
        Ok((cohort, bytes)) => part::<F>(request, cohort, &bytes),
        Err(failure) => response::failure(&failure, request_id),
    }
}

/// The file, or the part of it that is asked for.
fn part<F: BookFile>(request: &HttpRequest, cohort: CohortId, bytes: &[u8]) -> HttpResponse {
    let tag = format!("\"{}\"", hex::lower(&Sha256::digest(bytes)));
    let size = u64::try_from(bytes.len()).unwrap_or(u64::MAX);
    let (mut answer, wanted) = ranges::begin(request.headers(), size, &tag);
    let Some(wanted) = wanted else {
        return answer.finish();
    };
    let place = |at: u64| usize::try_from(at).unwrap_or(usize::MAX);
    let part = bytes.get(place(wanted.start)..place(wanted.end));
    let name = format!("attachment; filename=\"grades-{cohort}.{}\"", F::EXTENSION);
    answer
        .content_type(F::MEDIA_TYPE)
        .insert_header((header::CONTENT_DISPOSITION, name))
        .insert_header((header::CACHE_CONTROL, "no-store"))
        .body(part.unwrap_or_default().to_vec())
}

async fn written<F: BookFile>(
    request: &HttpRequest,
    api: &Api,
    request_id: &str,
) -> Result<(CohortId, Vec<u8>), Failure> {
    let policy = Policy::new(true, READ);
    let entering = admission::enter::<Tenant>(api, request, &policy, request_id, None);
    let (ctx, view) = entering.await?;
    let id = request.match_info().get("id").unwrap_or_default();
    let id: CohortId = id.parse().map_err(|_| Error::NotFound("cohort"))?;
    let write = move |tx: &mut dyn lyceum_application::Tx| {
        let mut file = F::default();
        gradebook::take_away(tx, &ctx, id, &mut file)?;
        file.bytes()
    };
    Ok((id, api.app.read_in(view, write).await?))
}
