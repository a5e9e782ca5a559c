//! Connections of a workspace to identity providers: whom they let in, and as what.

pub mod faults;

use std::fmt;

use serde_json::Value;

use crate::changes::changes;
use crate::identity::users::Role;
use crate::ids::{SsoConnectionId, WorkspaceId};
use crate::json::JsonObject;
use crate::text::{Email, Name};
use crate::{At, Invalid, InvalidValue, Stamp, Timestamp};

/// Longest address of a provider, name of a client, and value of a claim, in characters.
const LONGEST: usize = 500;
/// How many values of a claim may be mapped to roles.
const MOST_ROLES: usize = 100;
/// How many connections a workspace may have.
pub const MOST_CONNECTIONS: usize = 20;

/// A provider, by the address that it gives itself. Two of them are the same only letter by letter.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Issuer(String);

impl Issuer {
    /// Checks the form; whether it may be called is for whoever calls it.
    pub fn parse(text: &str) -> Result<Self, InvalidValue> {
        let rest = text
            .strip_prefix("https://")
            .or_else(|| text.strip_prefix("http://"));
        let is_plain = |c: char| c.is_ascii_graphic() && !matches!(c, '?' | '#' | '@' | '\\');
        match rest {
            Some(rest) if !rest.is_empty() && rest.chars().all(is_plain) => {
                bounded(text).map(|text| Self(text.to_owned()))
            }
            Some(_) | None => Err(InvalidValue::new(
                "must be an https address without a query",
            )),
        }
    }

    /// The address.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl fmt::Display for Issuer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

fn bounded(text: &str) -> Result<&str, InvalidValue> {
    let length = text.chars().count();
    if text.trim().is_empty() || length > LONGEST {
        return Err(InvalidValue::new(format!(
            "must have 1 to {LONGEST} characters"
        )));
    }
    if text.chars().any(char::is_control) {
        return Err(InvalidValue::new("must be one line"));
    }
    Ok(text)
}

/// A word of the provider's: a client's name, a claim, a value of one.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ProviderWord(String);

impl ProviderWord {
    /// One line that is not empty.
    pub fn parse(text: &str) -> Result<Self, InvalidValue> {
        bounded(text).map(|text| Self(text.to_owned()))
    }

    /// The word.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl fmt::Display for ProviderWord {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

/// What proves to the provider that it is us who asks. No `Display`, and a `Debug` that shows nothing.
#[derive(Clone, PartialEq, Eq)]
pub struct ClientSecret(String);

impl ClientSecret {
    /// One line that is not empty.
    pub fn parse(text: &str) -> Result<Self, InvalidValue> {
        bounded(text).map(|text| Self(text.to_owned()))
    }

    /// From storage.
    pub const fn from_stored(text: String) -> Self {
        Self(text)
    }

    /// The text; for the provider alone.
    pub fn reveal(&self) -> &str {
        &self.0
    }
}

impl fmt::Debug for ClientSecret {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("ClientSecret(…)")
    }
}

/// The part of an address behind the `@`.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct EmailDomain(String);

impl EmailDomain {
    /// Folds case and checks that it is a name of the domain name system with a dot in it.
    pub fn parse(text: &str) -> Result<Self, InvalidValue> {
        let folded = text.trim().to_lowercase();
        let is_label = |label: &str| {
            !label.is_empty()
                && label.len() <= 63
                && !label.starts_with('-')
                && !label.ends_with('-')
                && label.chars().all(|c| c.is_ascii_alphanumeric() || c == '-')
        };
        let is_name = folded.contains('.') && folded.len() <= 253;
        if is_name && folded.split('.').all(is_label) {
            Ok(Self(folded))
        } else {
            Err(InvalidValue::new("must be a domain such as example.org"))
        }
    }

    /// That of an address; none of one whose domain is no name.
    pub fn of(email: &Email) -> Option<Self> {
        let (_, domain) = email.as_str().rsplit_once('@')?;
        Self::parse(domain).ok()
    }

    /// The name.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl fmt::Display for EmailDomain {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

/// A domain that the operator gave to a workspace.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AssignedDomain {
    /// The domain; of one workspace alone.
    pub domain: EmailDomain,
    /// Whose.
    pub workspace_id: WorkspaceId,
    /// The connection that whoever has such an address signs in by.
    pub connection_id: Option<SsoConnectionId>,
    /// When it was given.
    pub created_at: Timestamp,
}

/// What a value of the claim makes of whoever has it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct MappedRole {
    /// The value.
    pub value: ProviderWord,
    /// The role.
    pub role: Role,
}

/// What the values of the claim make of people.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct RoleMap(Vec<MappedRole>);

impl RoleMap {
    /// Checks that there are not too many, and none twice.
    pub fn parse(mapped: Vec<MappedRole>) -> Result<Self, InvalidValue> {
        if mapped.len() > MOST_ROLES {
            return Err(InvalidValue::new(format!(
                "must not have more than {MOST_ROLES} values"
            )));
        }
        let is_twice = |at: usize, one: &MappedRole| {
            let before = mapped.iter().take(at);
            before.into_iter().any(|other| other.value == one.value)
        };
        if mapped.iter().enumerate().any(|(at, one)| is_twice(at, one)) {
            return Err(InvalidValue::new("must not name a value twice"));
        }
        Ok(Self(mapped))
    }

    /// Them.
    pub fn as_slice(&self) -> &[MappedRole] {
        &self.0
    }

    fn best_of(&self, values: &[&str]) -> Option<Role> {
        let fitting = self.0.iter();
        let fitting = fitting.filter(|one| values.contains(&one.value.as_str()));
        // Roles are declared from the most to the least powerful.
        fitting.map(|one| one.role).min()
    }
}

/// A connection.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SsoConnection {
    /// The tenant it belongs to.
    pub workspace_id: WorkspaceId,
    /// Its identifier.
    pub id: SsoConnectionId,
    /// What its admins call it.
    pub name: Name,
    /// The provider; it never changes, because people are linked to what it says of them.
    pub issuer: Issuer,
    /// What we are called there.
    pub client_id: ProviderWord,
    /// What proves there that it is us.
    pub client_secret: ClientSecret,
    /// The claim that says what somebody is; where there is none, people keep the role that they have.
    pub role_claim: Option<ProviderWord>,
    /// What its values make of people.
    pub roles: RoleMap,
    /// What whoever has none of these values is.
    pub default_role: Role,
    /// The most that anybody is who comes in by it.
    pub greatest_role: Role,
    /// Whether somebody who is no member becomes one.
    pub just_in_time: bool,
    /// Whether an address counts as verified of which the provider says nothing.
    pub trusts_addresses: bool,
    /// Whether anybody comes in by it.
    pub enabled: bool,
    /// When somebody last did.
    pub last_signed_in_at: Option<Timestamp>,
    /// When it was made and changed.
    pub stamp: Stamp,
}

/// A connection to be made.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NewSsoConnection {
    /// What its admins call it.
    pub name: Name,
    /// The provider.
    pub issuer: Issuer,
    /// What we are called there.
    pub client_id: ProviderWord,
    /// What proves there that it is us.
    pub client_secret: ClientSecret,
    /// Domains whose people sign in by it.
    pub domains: Vec<EmailDomain>,
    /// The claim that says what somebody is.
    pub role_claim: Option<ProviderWord>,
    /// What its values make of people.
    pub roles: RoleMap,
    /// What whoever has none of these values is.
    pub default_role: Role,
    /// The most that anybody is who comes in by it.
    pub greatest_role: Role,
    /// Whether somebody who is no member becomes one.
    pub just_in_time: bool,
    /// Whether an address counts as verified of which the provider says nothing.
    pub trusts_addresses: bool,
    /// Whether anybody comes in by it.
    pub enabled: bool,
}

changes! {
    /// What is to change; `None` keeps, `Some(None)` clears.
    pub struct SsoConnectionChanges of SsoConnection {
        /// New name.
        name: Name,
        /// New name of ours there.
        client_id: ProviderWord,
        /// New secret.
        client_secret: ClientSecret,
        /// New claim.
        role_claim: Option<ProviderWord>,
        /// New mapping, whole.
        roles: RoleMap,
        /// New role without a mapped value.
        default_role: Role,
        /// New greatest role.
        greatest_role: Role,
        /// Whether people become members.
        just_in_time: bool,
        /// Whether the provider's silence about addresses counts.
        trusts_addresses: bool,
        /// Whether anybody comes in by it.
        enabled: bool,
    } and {
        /// New domains, whole.
        domains: Option<Vec<EmailDomain>>,
    }
}

impl SsoConnection {
    /// A new one.
    ///
    /// # Errors
    /// [`Invalid`] for a role above the greatest
    pub fn new(
        workspace_id: WorkspaceId,
        id: SsoConnectionId,
        new: NewSsoConnection,
        now: Timestamp,
    ) -> Result<Self, Invalid> {
        let made = Self {
            workspace_id,
            id,
            name: new.name,
            issuer: new.issuer,
            client_id: new.client_id,
            client_secret: new.client_secret,
            role_claim: new.role_claim,
            roles: new.roles,
            default_role: new.default_role,
            greatest_role: new.greatest_role,
            just_in_time: new.just_in_time,
            trusts_addresses: new.trusts_addresses,
            enabled: new.enabled,
            last_signed_in_at: None,
            stamp: Stamp::new(now),
        };
        made.check()?;
        Ok(made)
    }

    /// Changes it; whether anything did, but for its domains.
    ///
    /// # Errors
    /// [`Invalid`] for a role above the greatest
    pub fn change(
        &mut self,
        mut changes: SsoConnectionChanges,
        now: Timestamp,
    ) -> Result<bool, Invalid> {
        let before = self.clone();
        changes.replace(self);
        self.check()?;
        if *self == before {
            return Ok(false);
        }
        self.stamp.touch(now);
        Ok(true)
    }

    fn check(&self) -> Result<(), Invalid> {
        let is_above = |role: Role| role < self.greatest_role;
        let above = || Err(InvalidValue::new("must not be above greatest_role"));
        if is_above(self.default_role) {
            return above().at("default_role");
        }
        if self.roles.as_slice().iter().any(|one| is_above(one.role)) {
            return above().at("roles");
        }
        Ok(())
    }

    /// What the claims make of somebody, never above the greatest role; nothing, where no claim is asked for.
    pub fn role_of(&self, claims: &JsonObject) -> Option<Role> {
        let claim = self.role_claim.as_ref()?;
        let values = values_of(claims, claim.as_str());
        let role = self.roles.best_of(&values).unwrap_or(self.default_role);
        Some(role.max(self.greatest_role))
    }

    /// What somebody becomes who is no member yet.
    pub fn role_of_newcomer(&self, claims: &JsonObject) -> Role {
        let role = self.role_of(claims).unwrap_or(self.default_role);
        role.max(self.greatest_role)
    }

    /// Whether somebody in this role may come in by it.
    pub fn may_let_in(&self, role: Role) -> bool {
        role >= self.greatest_role
    }
}

/// The texts that a claim has: one, or those of a list. A claim inside others is named with dots, unless one is called
/// just so.
fn values_of<'c>(claims: &'c JsonObject, name: &str) -> Vec<&'c str> {
    let found = claims.get(name).or_else(|| {
        let mut parts = name.split('.');
        let first = claims.get(parts.next()?)?;
        parts.try_fold(first, |inside, part| inside.get(part))
    });
    match found {
        Some(Value::String(one)) => vec![one],
        Some(Value::Array(many)) => many.iter().filter_map(Value::as_str).collect(),
        Some(_) | None => Vec::new(),
    }
}

#[cfg(test)]
pub(crate) mod tests {
    use super::*;
    use serde_json::json;

    pub(crate) fn connection(greatest: Role) -> SsoConnection {
        let nil = uuid::Uuid::nil();
        let new = NewSsoConnection {
            name: Name::parse("School").unwrap(),
            issuer: Issuer::parse("https://id.example.org").unwrap(),
            client_id: ProviderWord::parse("lyceum").unwrap(),
            client_secret: ClientSecret::parse("hush").unwrap(),
            domains: Vec::new(),
            role_claim: Some(ProviderWord::parse("groups").unwrap()),
            roles: RoleMap::default(),
            default_role: Role::Student,
            greatest_role: greatest,
            just_in_time: true,
            trusts_addresses: false,
            enabled: true,
        };
        let now = Timestamp::from_unix_millis(0);
        SsoConnection::new(
            crate::Id::from_uuid(nil),
            crate::Id::from_uuid(nil),
            new,
            now,
        )
        .unwrap()
    }

    fn map(pairs: &[(&str, Role)]) -> RoleMap {
        let mapped = pairs.iter().map(|(value, role)| MappedRole {
            value: ProviderWord::parse(value).unwrap(),
            role: *role,
        });
        RoleMap::parse(mapped.collect()).unwrap()
    }

    fn claims(groups: &Value) -> JsonObject {
        let Value::Object(claims) = json!({ "groups": groups, "realm": { "roles": ["staff"] } })
        else {
            unreachable!()
        };
        claims
    }

    #[test]
    fn the_best_of_several_roles_counts_and_whoever_has_none_gets_the_default() {
        let mut school = connection(Role::Admin);
        school.roles = map(&[("pupils", Role::Student), ("staff", Role::Teacher)]);
        for (groups, role) in [
            (json!(["pupils", "staff"]), Role::Teacher),
            (json!("staff"), Role::Teacher),
            (json!(["Staff"]), Role::Student),
            (json!(7), Role::Student),
        ] {
            assert_eq!(school.role_of(&claims(&groups)), Some(role));
        }
        school.role_claim = Some(ProviderWord::parse("realm.roles").unwrap());
        assert_eq!(school.role_of(&claims(&json!([]))), Some(Role::Teacher));
        school.role_claim = None;
        assert_eq!(school.role_of(&claims(&json!(["staff"]))), None);
    }

    #[test]
    fn nobody_comes_in_above_the_greatest_role_whatever_is_stored() {
        let mut school = connection(Role::Teacher);
        school.roles = map(&[("boss", Role::Owner)]);
        assert_eq!(school.role_of(&claims(&json!("boss"))), Some(Role::Teacher));
        school.role_claim = None;
        school.default_role = Role::Owner;
        assert_eq!(school.role_of_newcomer(&claims(&json!([]))), Role::Teacher);
        assert!(school.may_let_in(Role::Student) && school.may_let_in(Role::Teacher));
        assert!(!school.may_let_in(Role::Admin) && !school.may_let_in(Role::Owner));
    }

    #[test]
    fn no_mapping_says_more_than_the_greatest_role() {
        let now = Timestamp::from_unix_millis(1);
        let mut school = connection(Role::Teacher);
        let raised = SsoConnectionChanges {
            roles: Some(map(&[("boss", Role::Admin)])),
            ..SsoConnectionChanges::default()
        };
        assert_eq!(school.change(raised, now).unwrap_err().field, "roles");
        let mut school = connection(Role::Teacher);
        let raised = SsoConnectionChanges {
            default_role: Some(Role::Owner),
            ..SsoConnectionChanges::default()
        };
        assert_eq!(
            school.change(raised, now).unwrap_err().field,
            "default_role"
        );
    }

    #[test]
    fn issuers_and_domains_are_of_their_form() {
        for good in [
            "https://id.example.org",
            "https://id.example.org:8443/realms/a",
        ] {
            assert_eq!(Issuer::parse(good).unwrap().as_str(), good);
        }
        for bad in [
            "",
            "id.example.org",
            "https://",
            "https://a?b",
            "https://a#b",
            "https://u@a",
            "ftp://a",
            "https://a b",
        ] {
            assert!(Issuer::parse(bad).is_err(), "{bad}");
        }
        assert_eq!(
            EmailDomain::parse(" Example.ORG ").unwrap().as_str(),
            "example.org"
        );
        for bad in [
            "", "example", "a..b", "-a.org", "a_b.org", "a.org/", "@a.org",
        ] {
            assert!(EmailDomain::parse(bad).is_err(), "{bad}");
        }
        let email = Email::parse("ada@school.example.org").unwrap();
        assert_eq!(
            EmailDomain::of(&email).unwrap().as_str(),
            "school.example.org"
        );
    }
}
