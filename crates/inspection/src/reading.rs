//! Reading parts of a file, without ever having it in memory as a whole.

use std::fs::File;
use std::io::{self, BufReader, ErrorKind, Read, Seek, SeekFrom};
use std::path::Path;

use lyceum_ports::authoring::inspection::{InspectionError, Refusal};

/// What looking at something ends in.
pub type Looked<T> = Result<T, InspectionError>;

/// The refusal of a file that does not go on as it began.
pub fn damaged(why: impl Into<String>) -> InspectionError {
    Refusal::Damaged(why.into()).into()
}

/// The refusal of a file that is whole, and of no kind that is kept.
pub fn unsupported(what: impl Into<String>) -> InspectionError {
    Refusal::UnsupportedType(what.into()).into()
}

/// What a failure of reading means: a file that ends, or that a decoder does not understand, is damaged; a disk that does not
/// answer may later.
pub fn unread(error: &io::Error) -> InspectionError {
    let kind = error.kind();
    if kind == ErrorKind::UnexpectedEof {
        return damaged("it ends too soon");
    }
    let is_senseless = matches!(
        kind,
        ErrorKind::InvalidData | ErrorKind::InvalidInput | ErrorKind::Other
    );
    if is_senseless {
        return damaged(error.to_string());
    }
    InspectionError::Unavailable(format!("The file could not be read: {error}."))
}

/// What a failure of writing means.
pub fn unwritten(error: &io::Error) -> InspectionError {
    InspectionError::Unavailable(format!("The file could not be written: {error}."))
}

/// A length as files count it.
pub fn long(length: usize) -> u64 {
    u64::try_from(length).unwrap_or(u64::MAX)
}

/// A file, read in places.
pub struct Reading {
    file: BufReader<File>,
    length: u64,
}

impl Reading {
    /// From its beginning.
    pub fn open(path: &Path) -> Looked<Self> {
        let file = File::open(path).map_err(|error| unread(&error))?;
        let length = file.metadata().map_err(|error| unread(&error))?.len();
        let file = BufReader::new(file);
        Ok(Self { file, length })
    }

    /// How long all of it is.
    pub const fn length(&self) -> u64 {
        self.length
    }

    /// Goes to a place. Where it is near, what was read ahead stays of use.
    pub fn go_to(&mut self, place: u64) -> Looked<()> {
        let here = self.place()?;
        let away = i128::from(place) - i128::from(here);
        let went = match i64::try_from(away) {
            Ok(away) => self.file.seek_relative(away),
            Err(_) => self.file.seek(SeekFrom::Start(place)).map(drop),
        };
        went.map_err(|error| unread(&error))
    }

    /// Where it is read next.
    pub fn place(&mut self) -> Looked<u64> {
        self.file.stream_position().map_err(|error| unread(&error))
    }

    /// The next bytes, as many as are asked for.
    pub fn take<const N: usize>(&mut self) -> Looked<[u8; N]> {
        let mut bytes = [0; N];
        self.file
            .read_exact(&mut bytes)
            .map_err(|error| unread(&error))?;
        Ok(bytes)
    }

    /// The next bytes, at most as many; fewer at the end of the file.
    pub fn up_to(&mut self, most: u64) -> Looked<Vec<u8>> {
        let mut bytes = Vec::new();
        let mut part = (&mut self.file).take(most);
        part.read_to_end(&mut bytes)
            .map_err(|error| unread(&error))?;
        Ok(bytes)
    }

    /// A number of four bytes, the large end first.
    pub fn u32(&mut self) -> Looked<u32> {
        self.take().map(u32::from_be_bytes)
    }

    /// A number of eight bytes, the large end first.
    pub fn u64(&mut self) -> Looked<u64> {
        self.take().map(u64::from_be_bytes)
    }
}

/// The whole of a file that is small by its nature.
pub fn whole_text(path: &Path, most: u64, what: &str) -> Looked<String> {
    let mut reading = Reading::open(path)?;
    if reading.length() > most {
        let megabytes = most / 1_000_000;
        return Err(unsupported(format!("{what} of more than {megabytes} MB")));
    }
    let bytes = reading.up_to(most)?;
    String::from_utf8(bytes).map_err(|_| damaged("its text is not UTF-8"))
}
