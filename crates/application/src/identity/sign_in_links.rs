//! Links that let people in, once.

use lyceum_domain::identity::sign_in::SignInMethod;
use lyceum_domain::identity::sign_in_links::{LINK_LIFETIME, SignInLink, SignInSecret};
use lyceum_domain::identity::users::Person;
use lyceum_domain::text::Email;

use crate::context::Visitor;
use crate::prelude::*;

/// Makes a link for the operator's shell: whoever opens it is this person.
///
/// # Errors
/// [`Error::Reference`] if nobody has the address
pub fn make_for_shell(
    tx: &mut dyn Tx,
    visitor: &Visitor,
    email: &Email,
) -> Result<SignInSecret, Error> {
    let person = referenced(tx.users().find_person(email)?, "email", "person")?;
    insert_for_shell(tx, visitor, &person)
}

/// The same for somebody who is known already.
///
/// # Errors
/// Those of storage
pub fn insert_for_shell(
    tx: &mut dyn Tx,
    visitor: &Visitor,
    person: &Person,
) -> Result<SignInSecret, Error> {
    let mut bytes = [0_u8; 32];
    visitor.entropy.fill(&mut bytes);
    let secret = SignInSecret::from_bytes(bytes);
    tx.sign_in_links().insert(&SignInLink {
        hash: secret.hash(),
        person_id: Some(person.id),
        email: person.email.clone(),
        browser: None,
        method: SignInMethod::LocalLink,
        created_at: visitor.now,
        expires_at: visitor.now.plus(LINK_LIFETIME),
    })?;
    Ok(secret)
}
