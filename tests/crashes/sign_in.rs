//! The ways in, as far as storage sees them: what let somebody in is used up and they are in, or neither.

use std::time::Duration;

use lyceum_domain::Stamp;
use lyceum_domain::identity::consent::Consent;
use lyceum_domain::identity::keys::SecretHash;
use lyceum_domain::identity::sign_in_links::{InvitedTo, SignInLink};
use lyceum_domain::identity::sso_connections::{
    ClientSecret, Issuer, ProviderWord, RoleMap, SsoConnection,
};
use lyceum_domain::identity::sso_sign_in::{ConsolePlace, SsoIdentity, SsoSession, SsoSignIn};
use lyceum_domain::identity::users::{Role, User};
use lyceum_domain::ids::{ApiKeyId, WorkspaceId};
use lyceum_ports::identity::sso::SessionsOf;
use lyceum_ports::store::{StoreError, Tx};
use support::fakes::id;
use support::{sample, sample_people as people};

fn here() -> WorkspaceId {
    id(1)
}

fn session() -> ApiKeyId {
    id(1)
}

fn word(text: &str) -> ProviderWord {
    ProviderWord::parse(text).unwrap()
}

/// Somebody who has not answered.
fn member() -> User {
    User {
        consent: Consent::Pending,
        ..people::user(here(), 1)
    }
}

fn link() -> SignInLink {
    people::sign_in_link(member().person_id, 1)
}

fn invitation() -> SignInLink {
    let invites = InvitedTo {
        workspace_id: here(),
        user_id: member().id,
        mail_id: None,
    };
    SignInLink {
        hash: SecretHash::of("invitation"),
        browser: None,
        invites: Some(invites),
        ..link()
    }
}

fn connection() -> SsoConnection {
    SsoConnection {
        workspace_id: here(),
        id: id(1),
        name: sample::name("University"),
        issuer: Issuer::parse("https://id.example").unwrap(),
        client_id: word("lyceum"),
        client_secret: ClientSecret::parse("secret").unwrap(),
        role_claim: None,
        roles: RoleMap::default(),
        default_role: Role::Student,
        greatest_role: Role::Teacher,
        just_in_time: true,
        trusts_addresses: false,
        enabled: true,
        last_signed_in_at: None,
        stamp: Stamp::new(sample::now()),
    }
}

fn on_the_way() -> SsoSignIn {
    SsoSignIn {
        hash: SecretHash::of("state"),
        workspace_id: here(),
        connection_id: connection().id,
        browser: SecretHash::of("browser"),
        place: ConsolePlace::default(),
        fresh: true,
        created_at: sample::now(),
        expires_at: sample::now().plus(Duration::from_mins(10)),
    }
}

/// Somebody who was sent a link, was invited, and is on the way to a provider.
pub fn prepare(tx: &mut dyn Tx) -> Result<(), StoreError> {
    tx.workspaces().insert(&sample::workspace(1))?;
    tx.users().insert_person(&people::person(1))?;
    tx.users().insert(&member())?;
    tx.sign_in_links().insert(&link())?;
    tx.sign_in_links().insert(&invitation())?;
    tx.sso().insert(&connection())?;
    tx.sso().begin(&on_the_way())
}

/// A session begins.
fn begin(tx: &mut dyn Tx) -> Result<(), StoreError> {
    let key = people::web_session(member().person_id, 1);
    tx.keys().insert(&key)
}

fn used_up(tx: &mut dyn Tx, link: &SignInLink) -> Result<(), StoreError> {
    let is_ours = tx.sign_in_links().redeem(&link.hash, sample::now())?;
    if is_ours {
        Ok(())
    } else {
        Err(StoreError::Stale)
    }
}

pub fn by_link(tx: &mut dyn Tx) -> Result<(), StoreError> {
    used_up(tx, &link())?;
    begin(tx)
}

pub fn by_invitation(tx: &mut dyn Tx) -> Result<(), StoreError> {
    used_up(tx, &invitation())?;
    let mut user = member();
    user.accept(sample::now());
    tx.users().update(&user)?;
    begin(tx)
}

pub fn by_provider(tx: &mut dyn Tx) -> Result<(), StoreError> {
    if !tx.sso().take(&on_the_way().hash)? {
        return Err(StoreError::Stale);
    }
    tx.sso().link(&SsoIdentity {
        workspace_id: here(),
        connection_id: connection().id,
        subject: word("ada"),
        person_id: member().person_id,
        created_at: sample::now(),
    })?;
    begin(tx)?;
    tx.sso().note_session(&SsoSession {
        workspace_id: here(),
        connection_id: connection().id,
        key_id: session(),
        subject: word("ada"),
        sid: None,
        created_at: sample::now(),
    })
}

fn has_begun(tx: &mut dyn Tx) -> Result<bool, StoreError> {
    Ok(tx.keys().find(session())?.is_some())
}

pub fn is_in_by_link(tx: &mut dyn Tx) -> Result<Vec<bool>, StoreError> {
    let is_gone = tx
        .sign_in_links()
        .find(&link().hash, sample::now())?
        .is_none();
    Ok(vec![is_gone, has_begun(tx)?])
}

pub fn is_in_by_invitation(tx: &mut dyn Tx) -> Result<Vec<bool>, StoreError> {
    let links = tx.sign_in_links();
    let is_gone = links.find(&invitation().hash, sample::now())?.is_none();
    let user = tx.users().find(here(), member().id)?;
    let is_member = user.is_some_and(|user| user.accepted_at().is_some());
    Ok(vec![is_gone, is_member, has_begun(tx)?])
}

pub fn is_in_by_provider(tx: &mut dyn Tx) -> Result<Vec<bool>, StoreError> {
    let way = tx.sso().waiting(&on_the_way().hash, sample::now())?;
    let connection = connection().id;
    let known = tx.sso().identity(here(), connection, "ada")?;
    let sessions = tx
        .sso()
        .sessions(here(), connection, &SessionsOf::Everybody)?;
    let is_noted = sessions.len() == 1;
    Ok(vec![
        way.is_none(),
        known.is_some(),
        is_noted,
        has_begun(tx)?,
    ])
}
