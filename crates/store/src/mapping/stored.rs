//! How the values of the domain lie in columns, and rows that are declared by nothing else.

use lyceum_domain::authoring::provenance::{Origin, Provenance};
use lyceum_domain::id::Identified;
use lyceum_domain::json::{JsonObject, Metadata};
use lyceum_domain::money::MicroUsd;
use lyceum_domain::points::Points;
use lyceum_domain::text::{Email, LanguageTag, LongText, Name, TimeZone};
use lyceum_domain::{Id, Stamp, Timestamp};
use lyceum_ports::store::StoreError;
use serde_json::Value;

use crate::mapping::columns::{Json, Moment};
use crate::mapping::rows;

/// What is kept in a column, or in several.
pub trait Stored: Sized {
    /// The type of the column, or a tuple of those of several.
    type Columns;

    /// As it is written.
    fn columns(&self) -> Self::Columns;

    /// As it is read.
    ///
    /// # Errors
    /// Says what storage holds that it must not.
    fn read(columns: Self::Columns) -> Result<Self, StoreError>;
}

/// Declares a row by what it is a row of, which is made from the row and the row from it.
///
/// A field is kept in the column of its name; one behind `..` in the columns that stand behind it. A macro because a list
/// of fields would otherwise stand three times for each table, as the row and as the way there and back. Who forgets a
/// field is told by the compiler, because nothing else can be made of the row.
macro_rules! row {
    (
        $(#[$meta:meta])*
        $vis:vis struct $row:ident of $entity:ident {
            $($(#[$note:meta])* $field:ident: $type:ty,)*
            $(..$part:ident: ($($column:ident: $stored:ty),+ $(,)?),)*
        }
    ) => {
        $(#[$meta])*
        $vis struct $row {
            $($(#[$note])* $field: <$type as $crate::mapping::stored::Stored>::Columns,)*
            $($($column: $stored,)+)*
        }

        impl From<&$entity> for $row {
            fn from(entity: &$entity) -> Self {
                $(let ($($column,)+) = $crate::mapping::stored::Stored::columns(&entity.$part);)*
                Self {
                    $($field: $crate::mapping::stored::Stored::columns(&entity.$field),)*
                    $($($column,)+)*
                }
            }
        }

        impl TryFrom<$row> for $entity {
            type Error = lyceum_ports::store::StoreError;

            fn try_from(row: $row) -> Result<Self, Self::Error> {
                Ok(Self {
                    $($field: $crate::mapping::stored::Stored::read(row.$field)?,)*
                    $($part: $crate::mapping::stored::Stored::read(($(row.$column,)+))?,)*
                })
            }
        }
    };
}

/// Types that `Display` writes as text which their `parse` reads: words, and texts with rules.
macro_rules! kept_as_text {
    ($($type:ty),+ $(,)?) => {$(
        impl $crate::mapping::stored::Stored for $type {
            type Columns = String;

            fn columns(&self) -> String {
                self.to_string()
            }

            fn read(text: String) -> Result<Self, lyceum_ports::store::StoreError> {
                $crate::mapping::rows::read(<$type>::parse(&text))
            }
        }
    )+};
}

/// Types around a whole number that their `parse` checks.
macro_rules! kept_as_number {
    ($($type:ty),+ $(,)?) => {$(
        impl $crate::mapping::stored::Stored for $type {
            type Columns = i64;

            fn columns(&self) -> i64 {
                self.get().into()
            }

            fn read(number: i64) -> Result<Self, lyceum_ports::store::StoreError> {
                $crate::mapping::rows::read(<$type>::parse(number))
            }
        }
    )+};
}

/// Types around a text that was checked when it was written, and is not checked again.
macro_rules! kept_as_accepted_text {
    ($($type:ty),+ $(,)?) => {$(
        impl $crate::mapping::stored::Stored for $type {
            type Columns = String;

            fn columns(&self) -> String {
                self.as_str().to_owned()
            }

            fn read(text: String) -> Result<Self, lyceum_ports::store::StoreError> {
                Ok(Self::from_stored(text))
            }
        }
    )+};
}

/// Types that columns know.
macro_rules! kept_as_it_is {
    ($($type:ty),+) => {$(
        impl Stored for $type {
            type Columns = Self;

            fn columns(&self) -> Self {
                self.clone()
            }

            fn read(value: Self) -> Result<Self, StoreError> {
                Ok(value)
            }
        }
    )+};
}

/// Whole numbers in the one type that columns have for them.
macro_rules! kept_as_bigint {
    ($($type:ty),+) => {$(
        impl Stored for $type {
            type Columns = i64;

            fn columns(&self) -> i64 {
                rows::stored_number(*self)
            }

            fn read(number: i64) -> Result<Self, StoreError> {
                rows::number(number)
            }
        }
    )+};
}

pub(crate) use {kept_as_accepted_text, kept_as_number, kept_as_text, row};

kept_as_it_is!(String, bool, i64);
kept_as_bigint!(u16, u32, u64);
kept_as_text!(Email, LanguageTag, Origin, TimeZone);

impl<T: Stored> Stored for Option<T> {
    type Columns = Option<T::Columns>;

    fn columns(&self) -> Self::Columns {
        self.as_ref().map(T::columns)
    }

    fn read(columns: Self::Columns) -> Result<Self, StoreError> {
        columns.map(T::read).transpose()
    }
}

impl<K: Identified> Stored for Id<K> {
    type Columns = String;

    fn columns(&self) -> String {
        self.to_string()
    }

    fn read(text: String) -> Result<Self, StoreError> {
        rows::id(&text)
    }
}

impl Stored for Name {
    type Columns = String;

    fn columns(&self) -> String {
        self.to_string()
    }

    fn read(text: String) -> Result<Self, StoreError> {
        rows::read(Self::parse(text))
    }
}

impl Stored for LongText {
    type Columns = String;

    fn columns(&self) -> String {
        self.to_string()
    }

    fn read(text: String) -> Result<Self, StoreError> {
        rows::read(Self::parse(text))
    }
}

impl Stored for Timestamp {
    type Columns = Moment;

    fn columns(&self) -> Moment {
        Moment(*self)
    }

    fn read(moment: Moment) -> Result<Self, StoreError> {
        Ok(moment.0)
    }
}

impl Stored for Points {
    type Columns = i64;

    fn columns(&self) -> i64 {
        self.hundredths().into()
    }

    fn read(hundredths: i64) -> Result<Self, StoreError> {
        Ok(Self::from_hundredths(hundredths))
    }
}

impl Stored for MicroUsd {
    type Columns = i64;

    fn columns(&self) -> i64 {
        self.millionths().columns()
    }

    fn read(millionths: i64) -> Result<Self, StoreError> {
        Stored::read(millionths).map(Self::new)
    }
}

impl Stored for Value {
    type Columns = Json;

    fn columns(&self) -> Json {
        Json(self.clone())
    }

    fn read(json: Json) -> Result<Self, StoreError> {
        Ok(json.0)
    }
}

impl Stored for JsonObject {
    type Columns = Json;

    fn columns(&self) -> Json {
        Json::object(self)
    }

    fn read(json: Json) -> Result<Self, StoreError> {
        rows::object(json)
    }
}

impl Stored for Metadata {
    type Columns = Json;

    fn columns(&self) -> Json {
        Json::object(self.as_map())
    }

    fn read(json: Json) -> Result<Self, StoreError> {
        rows::metadata(json)
    }
}

impl Stored for Vec<String> {
    type Columns = Json;

    fn columns(&self) -> Json {
        Json::strings(self)
    }

    fn read(json: Json) -> Result<Self, StoreError> {
        rows::strings(json)
    }
}

impl Stored for Stamp {
    type Columns = (Moment, Moment, i64);

    fn columns(&self) -> Self::Columns {
        (self.created_at.into(), self.updated_at.into(), self.version)
    }

    fn read((created_at, updated_at, version): Self::Columns) -> Result<Self, StoreError> {
        Ok(rows::stamp(created_at, updated_at, version))
    }
}

impl Stored for Provenance {
    type Columns = (String, Option<String>, Option<String>, Option<String>);

    fn columns(&self) -> Self::Columns {
        let Self {
            origin,
            model,
            generation_id,
            source_hash,
        } = self;
        (
            origin.columns(),
            model.columns(),
            generation_id.columns(),
            source_hash.columns(),
        )
    }

    fn read(
        (origin, model, generation_id, source_hash): Self::Columns,
    ) -> Result<Self, StoreError> {
        Ok(Self {
            origin: Stored::read(origin)?,
            model,
            generation_id: Stored::read(generation_id)?,
            source_hash,
        })
    }
}
