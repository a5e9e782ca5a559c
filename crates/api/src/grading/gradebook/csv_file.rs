//! A book of grades as comma-separated values (RFC 4180), in UTF-8.

use lyceum_application::Error;
use lyceum_application::grading::gradebook::{BookRow, BookSink};
use lyceum_wire::grading::gradebook::GradebookHead;

use super::BookFile;
use super::lines::{self, Field};

/// What is written so far.
pub struct CsvFile {
    writer: csv::Writer<Vec<u8>>,
    has_groups: bool,
}

impl Default for CsvFile {
    fn default() -> Self {
        let mut builder = csv::WriterBuilder::new();
        builder.terminator(csv::Terminator::CRLF);
        Self {
            writer: builder.from_writer(Vec::new()),
            has_groups: false,
        }
    }
}

impl CsvFile {
    fn line(&mut self, line: &[Field]) -> Result<(), Error> {
        let record = line.iter().map(spelt);
        self.writer
            .write_record(record)
            .map_err(|error| Error::Internal(error.into()))
    }
}

impl BookSink for CsvFile {
    fn begin(&mut self, head: &GradebookHead) -> Result<(), Error> {
        self.has_groups = !head.scheme.groups.is_empty();
        lines::head(head)
            .iter()
            .try_for_each(|line| self.line(line))
    }

    fn row(&mut self, row: &BookRow) -> Result<(), Error> {
        self.line(&lines::row(row, self.has_groups))
    }
}

impl BookFile for CsvFile {
    const MEDIA_TYPE: &'static str = "text/csv; charset=utf-8";
    const EXTENSION: &'static str = "csv";

    fn bytes(self) -> Result<Vec<u8>, Error> {
        self.writer
            .into_inner()
            .map_err(|error| Error::Internal(error.to_string().into()))
    }
}

/// A field as it is written. What people write is never taken for a formula by a spreadsheet: what begins like one gets an apostrophe
/// before it ([OWASP, CSV Injection](https://owasp.org/www-community/attacks/CSV_Injection)).
fn spelt(field: &Field) -> String {
    match field {
        Field::Nothing => String::new(),
        Field::Number(hundredths) => number(*hundredths),
        Field::Text(text) if text.starts_with(['=', '+', '-', '@', '\t', '\r', '\n']) => {
            format!("'{text}")
        }
        Field::Text(text) => text.clone(),
    }
}

/// A number as people write it: without decimals where it has none, else with two.
fn number(hundredths: i64) -> String {
    let (whole, rest) = (hundredths / 100, hundredths % 100);
    if rest == 0 {
        whole.to_string()
    } else {
        format!("{whole}.{rest:02}")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_people_write_is_no_formula() {
        for text in ["=1+1", "+1", "-1", "@SUM(A1)", "\t=1", "\r=1", "\n=1"] {
            assert_eq!(spelt(&Field::Text(text.to_owned())), format!("'{text}"));
        }
        assert_eq!(spelt(&Field::Text("Ada = Eve".to_owned())), "Ada = Eve");
    }

    #[test]
    fn numbers_have_two_decimals_or_none() {
        let written = [0, 5, 1_250, 7_636, 10_000].map(|number| spelt(&Field::Number(number)));
        assert_eq!(written, ["0", "0.05", "12.50", "76.36", "100"]);
        assert_eq!(spelt(&Field::Nothing), "");
    }
}
