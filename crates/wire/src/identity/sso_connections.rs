//! Connections to identity providers, on the wire.

use lyceum_domain::identity::sso_connections::faults::{SsoFault, SsoProblem};
use lyceum_domain::identity::sso_connections::{
    ClientSecret, EmailDomain, Issuer, MappedRole, NewSsoConnection, ProviderWord, RoleMap,
    SsoConnection, SsoConnectionChanges,
};
use lyceum_domain::identity::users::Role;
use lyceum_domain::text::Name;
use lyceum_domain::{At, Invalid, InvalidValue};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::common::{Command, Resource, not_cleared};
use crate::declared::view;
use crate::identity::users::UserRole;
use crate::patch::Patch;
use crate::shapes;

/// What a value of the claim makes of whoever has it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct SsoRole {
    /// The value, letter by letter.
    #[schema(min_length = 1, max_length = 500, example = "staff")]
    pub value: String,
    /// The role; not above `greatest_role`.
    pub role: UserRole,
}

/// A connection to be made.
#[derive(Debug, Clone, Default, Serialize, Deserialize, ToSchema)]
pub struct CreateSsoConnection {
    /// What you call it.
    #[schema(min_length = 1, max_length = 255, example = "School accounts")]
    pub name: String,
    /// The provider's issuer, letter by letter as its discovery document has it. It cannot be changed.
    #[schema(
        min_length = 1,
        max_length = 500,
        example = "https://login.example.org"
    )]
    pub issuer: String,
    /// What the provider calls this service.
    #[schema(min_length = 1, max_length = 500)]
    pub client_id: String,
    /// What this service proves itself with there. No answer ever has it.
    #[schema(min_length = 1, max_length = 500)]
    pub client_secret: String,
    /// Domains of addresses whose people sign in by it, of those that the operator assigned to the workspace.
    #[schema(max_items = 100)]
    #[serde(skip_serializing_if = "Option::is_none")]
    pub domains: Option<Vec<String>>,
    /// The claim that says what somebody is, with dots for one inside others; people keep the role that they have when absent.
    #[schema(value_type = Option<String>, min_length = 1, max_length = 500, example = "groups")]
    #[serde(skip_serializing_if = "Option::is_none")]
    pub role_claim: Option<String>,
    /// What its values make of people; the best of several counts.
    #[schema(max_items = 100)]
    #[serde(skip_serializing_if = "Option::is_none")]
    pub roles: Option<Vec<SsoRole>>,
    /// What whoever has none of these values is; `student` when absent.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub default_role: Option<UserRole>,
    /// The most that anybody is who comes in by it, and not above your own role; `teacher` when absent.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub greatest_role: Option<UserRole>,
    /// Whether somebody who is no member becomes one; `false` when absent.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub just_in_time: Option<bool>,
    /// Whether an address counts as verified of which the provider says nothing; `false` when absent. One of which it says that it
    /// is not never does.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub trusts_addresses: Option<bool>,
    /// Whether anybody comes in by it; `true` when absent.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub enabled: Option<bool>,
}

impl Command for CreateSsoConnection {
    type Of = NewSsoConnection;

    fn command(self) -> Result<NewSsoConnection, Invalid> {
        let claim = self.role_claim.as_deref().map(ProviderWord::parse);
        Ok(NewSsoConnection {
            name: Name::parse(self.name).at("name")?,
            issuer: Issuer::parse(&self.issuer).at("issuer")?,
            client_id: ProviderWord::parse(&self.client_id).at("client_id")?,
            client_secret: ClientSecret::parse(&self.client_secret).at("client_secret")?,
            domains: domains(&self.domains.unwrap_or_default())?,
            role_claim: claim.transpose().at("role_claim")?,
            roles: roles(self.roles.unwrap_or_default())?,
            default_role: self.default_role.map_or(Role::Student, Role::from),
            greatest_role: self.greatest_role.map_or(Role::Teacher, Role::from),
            just_in_time: self.just_in_time.unwrap_or_default(),
            trusts_addresses: self.trusts_addresses.unwrap_or_default(),
            enabled: self.enabled.unwrap_or(true),
        })
    }
}

fn domains(texts: &[String]) -> Result<Vec<EmailDomain>, Invalid> {
    let parsed = texts.iter().map(|text| EmailDomain::parse(text));
    parsed.collect::<Result<_, _>>().at("domains")
}

fn roles(mapped: Vec<SsoRole>) -> Result<RoleMap, Invalid> {
    let parsed = mapped.into_iter().map(|one| {
        Ok::<_, InvalidValue>(MappedRole {
            value: ProviderWord::parse(&one.value)?,
            role: one.role.into(),
        })
    });
    let parsed: Vec<MappedRole> = parsed.collect::<Result<_, _>>().at("roles")?;
    RoleMap::parse(parsed).at("roles")
}

/// A change of a connection: absent keeps, `null` clears.
#[derive(Debug, Clone, Default, Serialize, Deserialize, ToSchema)]
#[serde(default)]
pub struct UpdateSsoConnection {
    /// New name; cannot be cleared.
    #[schema(value_type = Option<String>, min_length = 1, max_length = 255)]
    #[serde(skip_serializing_if = "Patch::is_keep")]
    pub name: Patch<String>,
    /// New name of this service at the provider; cannot be cleared.
    #[schema(value_type = Option<String>, min_length = 1, max_length = 500)]
    #[serde(skip_serializing_if = "Patch::is_keep")]
    pub client_id: Patch<String>,
    /// New secret; cannot be cleared.
    #[schema(value_type = Option<String>, min_length = 1, max_length = 500)]
    #[serde(skip_serializing_if = "Patch::is_keep")]
    pub client_secret: Patch<String>,
    /// New domains, replaced whole; none when cleared.
    #[schema(value_type = Option<Vec<String>>, max_items = 100)]
    #[serde(skip_serializing_if = "Patch::is_keep")]
    pub domains: Patch<Vec<String>>,
    /// New claim; none when cleared.
    #[schema(value_type = Option<String>, min_length = 1, max_length = 500)]
    #[serde(skip_serializing_if = "Patch::is_keep")]
    pub role_claim: Patch<String>,
    /// New mapping, replaced whole; none when cleared.
    #[schema(value_type = Option<Vec<SsoRole>>, max_items = 100)]
    #[serde(skip_serializing_if = "Patch::is_keep")]
    pub roles: Patch<Vec<SsoRole>>,
    /// New role without a mapped value; cannot be cleared.
    #[schema(value_type = Option<UserRole>)]
    #[serde(skip_serializing_if = "Patch::is_keep")]
    pub default_role: Patch<UserRole>,
    /// New greatest role; cannot be cleared.
    #[schema(value_type = Option<UserRole>)]
    #[serde(skip_serializing_if = "Patch::is_keep")]
    pub greatest_role: Patch<UserRole>,
    /// Whether people become members; cannot be cleared.
    #[schema(value_type = Option<bool>)]
    #[serde(skip_serializing_if = "Patch::is_keep")]
    pub just_in_time: Patch<bool>,
    /// Whether the provider's silence about addresses counts; cannot be cleared.
    #[schema(value_type = Option<bool>)]
    #[serde(skip_serializing_if = "Patch::is_keep")]
    pub trusts_addresses: Patch<bool>,
    /// Whether anybody comes in by it; cannot be cleared. Switching it off ends the sessions that began by it.
    #[schema(value_type = Option<bool>)]
    #[serde(skip_serializing_if = "Patch::is_keep")]
    pub enabled: Patch<bool>,
}

impl Command for UpdateSsoConnection {
    type Of = SsoConnectionChanges;

    fn command(self) -> Result<SsoConnectionChanges, Invalid> {
        let secret = not_cleared(self.client_secret, "client_secret")?;
        let client = not_cleared(self.client_id, "client_id")?;
        let client = client.as_deref().map(ProviderWord::parse);
        let claim = self.role_claim.try_map(|text| ProviderWord::parse(&text));
        Ok(SsoConnectionChanges {
            name: not_cleared(self.name, "name")?
                .map(Name::parse)
                .transpose()
                .at("name")?,
            client_id: client.transpose().at("client_id")?,
            client_secret: secret
                .as_deref()
                .map(ClientSecret::parse)
                .transpose()
                .at("client_secret")?,
            role_claim: claim.at("role_claim")?.into_option(),
            roles: self.roles.try_map(roles)?.or_default(RoleMap::default),
            default_role: not_cleared(self.default_role, "default_role")?.map(Into::into),
            greatest_role: not_cleared(self.greatest_role, "greatest_role")?.map(Into::into),
            just_in_time: not_cleared(self.just_in_time, "just_in_time")?,
            trusts_addresses: not_cleared(self.trusts_addresses, "trusts_addresses")?,
            enabled: not_cleared(self.enabled, "enabled")?,
            domains: self
                .domains
                .try_map(|texts| domains(&texts))?
                .or_default(Vec::new),
        })
    }
}

view! {
    /// A connection to an identity provider.
    #[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
    pub struct SsoConnectionView {
        /// `sso_…`
        #[schema(schema_with = shapes::id_of::<lyceum_domain::ids::SsoConnection>)]
        pub id: String = connection.id.to_string(),
        /// Always `sso_connection`.
        #[schema(schema_with = shapes::name_of::<lyceum_domain::ids::SsoConnection>)]
        pub object: String = "sso_connection".to_owned(),
        /// What you call it.
        pub name: String = connection.name.to_string(),
        /// The provider's issuer.
        pub issuer: String = connection.issuer.to_string(),
        /// What the provider calls this service.
        pub client_id: String = connection.client_id.to_string(),
        /// Domains of addresses whose people sign in by it.
        pub domains: Vec<String> = domains.to_vec(),
        /// The claim that says what somebody is.
        #[schema(required)]
        pub role_claim: Option<String> = connection.role_claim.as_ref().map(ToString::to_string),
        /// What its values make of people.
        pub roles: Vec<SsoRole> = connection.roles.as_slice().iter().map(mapped).collect(),
        /// What whoever has none of these values is.
        #[schema(schema_with = shapes::word::<Role>)]
        pub default_role: String = connection.default_role.to_string(),
        /// The most that anybody is who comes in by it.
        #[schema(schema_with = shapes::word::<Role>)]
        pub greatest_role: String = connection.greatest_role.to_string(),
        /// Whether somebody who is no member becomes one.
        pub just_in_time: bool = connection.just_in_time,
        /// Whether an address counts as verified of which the provider says nothing.
        pub trusts_addresses: bool = connection.trusts_addresses,
        /// Whether anybody comes in by it.
        pub enabled: bool = connection.enabled,
        /// Where the provider sends people back to: to be registered there.
        pub redirect_uri: String = redirect_uri.to_owned(),
        /// Where the provider says that somebody signed out: its back-channel logout.
        pub backchannel_logout_uri: String = logout_uri.to_owned(),
        /// When somebody last came in by it.
        #[schema(schema_with = shapes::optional_moment, required)]
        pub last_signed_in_at: Option<String> = connection.last_signed_in_at.as_ref().map(ToString::to_string),
        /// When it was made.
        #[schema(schema_with = shapes::moment)]
        pub created_at: String = connection.stamp.created_at.to_string(),
        /// When it last changed.
        #[schema(schema_with = shapes::moment)]
        pub updated_at: String = connection.stamp.updated_at.to_string(),
    }

    /// Of a connection, without its secret.
    pub fn new(connection: &SsoConnection, domains: &[String], redirect_uri: &str, logout_uri: &str);
}

fn mapped(one: &MappedRole) -> SsoRole {
    SsoRole {
        value: one.value.to_string(),
        role: one.role.into(),
    }
}

impl Resource for SsoConnectionView {
    const COLLECTION: &'static str = "sso_connections";

    fn id(&self) -> &str {
        &self.id
    }
}

view! {
    /// What is wrong.
    #[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
    pub struct SsoFaultView {
        /// In a word.
        #[schema(schema_with = shapes::word::<SsoFault>)]
        pub code: String = problem.fault.to_string(),
        /// In a sentence.
        pub message: String = problem.fault.meaning().to_owned(),
        /// In the words of the provider, or of the network.
        pub detail: String = problem.detail.clone(),
    }

    /// Of a problem.
    pub fn new(problem: &SsoProblem);
}

view! {
    /// What a test of a connection found. Whether the provider also says that addresses are verified, and the claim of roles, shows
    /// only when somebody signs in.
    #[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
    pub struct SsoTestView {
        /// Always `sso_test`.
        pub object: String = "sso_test".to_owned(),
        /// The connection.
        #[schema(schema_with = shapes::id_of::<lyceum_domain::ids::SsoConnection>)]
        pub connection_id: String = connection.id.to_string(),
        /// Whether nothing is wrong.
        pub ok: bool = faults.is_empty(),
        /// What is.
        pub faults: Vec<SsoFaultView> = faults.iter().map(SsoFaultView::new).collect(),
        /// Whether anybody is sent to it: it is switched on, and there is a domain.
        pub reachable: bool = connection.enabled && !domains.is_empty(),
    }

    /// Of a connection with these domains.
    pub fn new(connection: &SsoConnection, domains: &[String], faults: &[SsoProblem]);
}
