//! Changes of a thing, where most fields are kept or replaced.

/// Declares the changes of a thing: each field is kept or replaced, but those behind `and`, which say themselves how they
/// change and are applied where the thing is changed.
///
/// A macro because each field would otherwise stand twice, as what may be said and as what is done.
macro_rules! changes {
    (
        $(#[$meta:meta])*
        pub struct $changes:ident of $thing:ident {
            $($(#[$note:meta])* $field:ident: $type:ty,)*
        } $(and {
            $($(#[$other_note:meta])* $other:ident: $other_type:ty,)*
        })?
    ) => {
        $(#[$meta])*
        #[derive(Debug, Clone, PartialEq, Default)]
        pub struct $changes {
            $($(#[$note])* pub $field: Option<$type>,)*
            $($($(#[$other_note])* pub $other: $other_type,)*)?
        }

        impl $changes {
            /// Replaces what is not kept.
            fn replace(&mut self, thing: &mut $thing) {
                $(if let Some(new) = self.$field.take() {
                    thing.$field = new;
                })*
            }
        }
    };
}
pub(crate) use changes;
