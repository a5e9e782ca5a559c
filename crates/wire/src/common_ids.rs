//! Ids that a request names.

use lyceum_domain::Id;
use lyceum_domain::id::Identified;
use uuid::Uuid;

/// The id that a field or a filter names.
///
/// A malformed id, or one of another kind, names nothing, exactly like a well-formed one that is not there:
/// callers get the same answer for both. So it becomes the nil id, which is never given to anything.
pub fn reference<K: Identified>(text: &str) -> Id<K> {
    text.parse().unwrap_or_else(|_| Id::from_uuid(Uuid::nil()))
}

#[cfg(test)]
mod tests {
    use super::*;

    use lyceum_domain::ids::CourseId;

    #[test]
    fn what_is_no_id_of_the_kind_names_nothing() {
        let nothing = CourseId::from_uuid(Uuid::nil());
        let known = CourseId::from_uuid(Uuid::from_u128(7));
        assert_eq!(
            reference::<lyceum_domain::ids::Course>(&known.to_string()),
            known
        );
        assert_eq!(
            reference::<lyceum_domain::ids::Course>("unt_00000000000000000000000007"),
            nothing
        );
        assert_eq!(reference::<lyceum_domain::ids::Course>("?"), nothing);
    }
}
