//! Bodies and answers that are declared field by field: what a field is, beside where it goes or where it comes from.

use lyceum_domain::{Invalid, InvalidValue};

use crate::patch::Patch;

/// Declares a body, and by what each of its fields is read into the field of the same name of its command. Those that
/// are `not_cleared` are refused as `null` before any other is looked at.
///
/// A macro because each field would otherwise stand twice, with its name in three places.
macro_rules! command {
    (
        $(#[$meta:meta])*
        pub struct $body:ident => $command:ident $(, not_cleared($($required:ident),+))? {
            $($(#[$note:meta])* pub $field:ident: $type:ty => $read:expr,)*
        }
    ) => {
        $(#[$meta])*
        pub struct $body {
            $($(#[$note])* pub $field: $type,)*
        }

        impl $crate::common::Command for $body {
            type Of = $command;

            fn command(self) -> Result<$command, lyceum_domain::Invalid> {
                $($($crate::declared::refuse_null(&self.$required, stringify!($required))?;)+)?
                Ok($command {
                    $($field: ($read)(self.$field)
                        .map_err(|problem| $crate::declared::Placed::at(problem, stringify!($field)))?,)*
                })
            }
        }
    };
}

/// Declares an answer, and beside each of its fields what it shows.
///
/// A macro because each field would otherwise stand twice.
macro_rules! view {
    (
        $(#[$meta:meta])*
        pub struct $view:ident {
            $($(#[$note:meta])* pub $field:ident: $type:ty = $shown:expr,)*
        }

        $(#[$made:meta])*
        pub fn new($($of:ident: $kind:ty),+ $(,)?);
    ) => {
        $(#[$meta])*
        pub struct $view {
            $($(#[$note])* pub $field: $type,)*
        }

        impl $view {
            $(#[$made])*
            pub fn new($($of: $kind),+) -> Self {
                Self { $($field: $shown,)* }
            }
        }
    };
}

pub(crate) use {command, view};

/// A problem that is told with the field that has it.
pub trait Placed {
    /// With this field, unless it knows better.
    fn at(self, field: &str) -> Invalid;
}

impl Placed for InvalidValue {
    fn at(self, field: &str) -> Invalid {
        Invalid::new(field, self.0)
    }
}

impl Placed for Invalid {
    fn at(self, _: &str) -> Invalid {
        self
    }
}

/// Refuses to clear what every such thing has.
///
/// # Errors
/// [`Invalid`] at `field`, when the patch is `null`.
pub fn refuse_null<T>(given: &Patch<T>, field: &str) -> Result<(), Invalid> {
    match given {
        Patch::Keep | Patch::Set(_) => Ok(()),
        Patch::Clear => Err(Invalid::new(field, "must not be null")),
    }
}

/// What breaks no rule, whatever it is.
pub fn taken<W, T>(take: impl FnOnce(W) -> T) -> impl FnOnce(W) -> Result<T, Invalid> {
    |given| Ok(take(given))
}

/// What is not given is what a new thing has.
pub fn or_default<W, T: Default, E>(
    read: impl FnOnce(W) -> Result<T, E>,
) -> impl FnOnce(Option<W>) -> Result<T, E> {
    |given| given.map_or_else(|| Ok(T::default()), read)
}

/// What is not given is absent.
pub fn optional<W, T, E>(
    read: impl FnOnce(W) -> Result<T, E>,
) -> impl FnOnce(Option<W>) -> Result<Option<T>, E> {
    |given| given.map(read).transpose()
}

/// A change of what is never cleared.
pub fn change<W, T, E>(
    read: impl FnOnce(W) -> Result<T, E>,
) -> impl FnOnce(Patch<W>) -> Result<Option<T>, E> {
    |given| given.into_option().flatten().map(read).transpose()
}

/// A change of what is, when cleared, what a new thing has.
pub fn change_or_default<W, T: Default, E>(
    read: impl FnOnce(W) -> Result<T, E>,
) -> impl FnOnce(Patch<W>) -> Result<Option<T>, E> {
    |given| Ok(given.try_map(read)?.or_default(T::default))
}
