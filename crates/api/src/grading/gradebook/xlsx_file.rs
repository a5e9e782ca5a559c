//! A book of grades as a workbook with one sheet (Office Open XML, ISO/IEC 29500). Words of people are strings in it and never formulas.

use lyceum_application::Error;
use lyceum_application::grading::gradebook::{BookRow, BookSink};
use lyceum_wire::grading::gradebook::GradebookHead;
use rust_xlsxwriter::{DocProperties, ExcelDateTime, Format, Workbook, Worksheet, XlsxError};

use super::BookFile;
use super::lines::{self, Field};

/// Most letters of a cell, by the format's own limit; what is longer is cut.
const MOST_CHARS: usize = 32_767;
/// Lines and columns that stay where they are when the sheet is scrolled.
const FROZEN: (u32, u16) = (2, 1);
const WIDTH_OF_NAMES: f64 = 28.0;

/// What is written so far.
pub struct XlsxFile {
    sheet: Worksheet,
    written: u32,
    has_groups: bool,
    bold: Format,
    plain: Format,
}

impl Default for XlsxFile {
    fn default() -> Self {
        Self {
            sheet: Worksheet::new(),
            written: 0,
            has_groups: false,
            bold: Format::new().set_bold(),
            plain: Format::new(),
        }
    }
}

impl XlsxFile {
    fn line(&mut self, line: &[Field], is_head: bool) -> Result<(), Error> {
        let format = if is_head { &self.bold } else { &self.plain };
        for (column, field) in (0..).zip(line) {
            put(&mut self.sheet, (self.written, column), field, format).map_err(failed)?;
        }
        self.written += 1;
        Ok(())
    }
}

impl BookSink for XlsxFile {
    fn begin(&mut self, head: &GradebookHead) -> Result<(), Error> {
        self.has_groups = !head.scheme.groups.is_empty();
        let (lines, columns) = FROZEN;
        self.sheet.set_name("Grades").map_err(failed)?;
        self.sheet
            .set_freeze_panes(lines, columns)
            .map_err(failed)?;
        self.sheet
            .set_column_width(0, WIDTH_OF_NAMES)
            .map_err(failed)?;
        let mut head = lines::head(head).into_iter();
        head.try_for_each(|line| self.line(&line, true))
    }

    fn row(&mut self, row: &BookRow) -> Result<(), Error> {
        self.line(&lines::row(row, self.has_groups), false)
    }
}

impl BookFile for XlsxFile {
    const MEDIA_TYPE: &'static str =
        "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet";
    const EXTENSION: &'static str = "xlsx";

    fn bytes(self) -> Result<Vec<u8>, Error> {
        let mut workbook = Workbook::new();
        // Else it would say when it was written, and the same book would be another file each second.
        let always = ExcelDateTime::from_ymd(2000, 1, 1).map_err(failed)?;
        workbook.set_properties(&DocProperties::new().set_creation_datetime(&always));
        workbook.push_worksheet(self.sheet);
        workbook.save_to_buffer().map_err(failed)
    }
}

fn put(
    sheet: &mut Worksheet,
    (line, column): (u32, u16),
    field: &Field,
    format: &Format,
) -> Result<(), XlsxError> {
    match field {
        Field::Nothing => {}
        Field::Number(hundredths) => {
            sheet.write_number_with_format(line, column, number(*hundredths), format)?;
        }
        Field::Text(text) => {
            let cut: String = text.chars().take(MOST_CHARS).collect();
            sheet.write_string_with_format(line, column, cut, format)?;
        }
    }
    Ok(())
}

/// The nearest floating-point number, which is what sheets have.
fn number(hundredths: i64) -> f64 {
    let small = i32::try_from(hundredths).unwrap_or(i32::MAX);
    f64::from(small) / 100.0
}

fn failed(error: XlsxError) -> Error {
    Error::Internal(error.into())
}
