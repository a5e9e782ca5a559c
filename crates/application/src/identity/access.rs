//! Who the caller is and which platform they chose: decided in one place, for every request.

use std::net::IpAddr;
use std::sync::Arc;
use std::time::Duration;

use lyceum_domain::identity::keys::{ApiKey, ApiKeySecret, DeadKey, KeyKind, MalformedKey};
use lyceum_domain::identity::scopes::Scope;
use lyceum_domain::identity::users::{Person, Role};
use lyceum_domain::identity::workspaces::{PlatformCode, PlatformUuid, Workspace};
use lyceum_domain::ids::ApiKeyId;
use lyceum_ports::identity::callers::{Caller, Introduction, PlatformName};

use crate::context::{Identity, Member};
use crate::error::PlatformProblem;
use crate::error::Unauthenticated;
use crate::prelude::*;

/// How old a note of use may grow before it is renewed.
pub const USE_NOTED_EVERY: Duration = Duration::from_mins(1);

/// What a caller sent to say who they are and where.
#[derive(Clone, Default)]
pub struct Credentials {
    /// `x-api-key`
    pub api_key: Option<String>,
    /// The session in the cookie, where a page says that it means it.
    pub session: Option<String>,
    /// `X-Learning-Platform-Code`
    pub platform_code: Option<String>,
    /// `X-Learning-Platform-Uuid`
    pub platform_uuid: Option<String>,
    /// Whether `Authorization` was sent; it is not read, but whoever sends it means to say who they are.
    pub is_authorization_sent: bool,
    /// From where they call, as far as the network can tell.
    pub address: Option<IpAddr>,
}

/// What a route asks of its callers.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Requirement {
    /// Scopes that are all needed.
    pub all: &'static [Scope],
    /// Scopes of which one is needed, unless empty.
    pub any: &'static [Scope],
}

impl Requirement {
    /// Any key will do.
    pub const NOTHING: Self = Self { all: &[], any: &[] };

    /// Every one of these scopes.
    pub const fn all(scopes: &'static [Scope]) -> Self {
        Self {
            all: scopes,
            any: &[],
        }
    }

    /// One of these scopes.
    pub const fn any(scopes: &'static [Scope]) -> Self {
        Self {
            all: &[],
            any: scopes,
        }
    }

    /// Checks the scopes against what the caller has.
    ///
    /// # Errors
    /// [`Forbidden::Scope`] naming one that would do, or [`Forbidden::Role`] when the key has it and the role does not.
    pub fn check(
        &self,
        holds: impl Fn(Scope) -> bool,
        permitted: impl Fn(Scope) -> bool,
    ) -> Result<(), Error> {
        let enough = |scope: &Scope| holds(*scope) && permitted(*scope);
        let refuse = |scope: Scope| -> Error {
            if holds(scope) {
                Forbidden::Role.into()
            } else {
                Forbidden::Scope(scope).into()
            }
        };
        if let Some(lacking) = self.all.iter().find(|scope| !enough(scope)) {
            return Err(refuse(*lacking));
        }
        match self.any.first() {
            Some(first) if !self.any.iter().any(enough) => Err(refuse(*first)),
            _ => Ok(()),
        }
    }
}

/// The key that a caller sent; one that cannot be a key is told by its form and its checksum, without a look-up.
///
/// # Errors
/// [`Unauthenticated`]
pub fn secret_of(credentials: &Credentials) -> Result<ApiKeySecret, Error> {
    let (text, is_cookie) = match (&credentials.api_key, &credentials.session) {
        (Some(key), _) => (key, false),
        (None, Some(session)) => (session, true),
        (None, None) if credentials.is_authorization_sent => {
            return Err(Unauthenticated::KeyElsewhere.into());
        }
        (None, None) => return Err(Unauthenticated::MissingKey.into()),
    };
    let secret = ApiKeySecret::parse(text).map_err(|malformed| match malformed {
        MalformedKey::LegacyForm => Unauthenticated::LegacyKey,
        MalformedKey::Malformed => Unauthenticated::InvalidKey,
    })?;
    // A session is one in its cookie alone, where no script reads it, and a key is none there, where others could put it.
    if secret.is_web_session() != is_cookie {
        return Err(Unauthenticated::InvalidKey.into());
    }
    Ok(secret)
}

/// A caller who was recognised, and the platform that they chose, if they chose one.
pub type Recognized = (Arc<Identity>, Option<(Arc<Workspace>, Member)>);

/// Finds out who the caller is, and the platform that they chose; in this order, whatever is wrong with both.
///
/// # Errors
/// [`Unauthenticated`], [`Forbidden::Address`], then [`PlatformProblem`]; unknown platforms and those of others cannot be told apart.
pub fn recognize(
    tx: &mut dyn Tx,
    secret: &ApiKeySecret,
    credentials: &Credentials,
    now: Timestamp,
) -> Result<Recognized, Error> {
    let named = named_platform(credentials);
    let introduction = Introduction {
        lookup: secret.lookup(),
        platform: named.as_ref().ok().and_then(|named| named.main.clone()),
    };
    let caller = tx
        .callers()
        .find(&introduction)?
        .filter(|caller| caller.key.hash == secret.hash())
        .ok_or(Unauthenticated::InvalidKey)?;
    caller.key.alive(now).map_err(Unauthenticated::Dead)?;
    // Of every request anew, and said to nobody but who has the key.
    if !caller.key.allowed_addresses.allow(credentials.address) {
        return Err(Forbidden::Address.into());
    }
    refuse_orphan(tx, &caller.key, now)?;
    let identity = Arc::new(identity(&caller.key, &caller.person, now));
    let NamedPlatform { main, same } = named?;
    if main.is_none() {
        return Ok((identity, None));
    }
    if let Some(uuid) = same {
        refuse_another(&caller, &uuid)?;
    }
    let membership = membership(&caller, &identity)?;
    Ok((identity, Some(membership)))
}

/// Finds out anew who a caller is, who was let in before and asked for something that is done later.
///
/// # Errors
/// As for [`recognize`].
pub fn recognize_again(
    tx: &mut dyn Tx,
    key: ApiKeyId,
    workspace: WorkspaceId,
    now: Timestamp,
) -> Result<Recognized, Error> {
    let key = tx.keys().find(key)?.ok_or(Unauthenticated::InvalidKey)?;
    let workspace = tx.workspaces().find(workspace)?;
    let workspace = workspace.ok_or(PlatformProblem::Denied)?;
    let introduction = Introduction {
        lookup: key.lookup,
        platform: Some(PlatformName::Uuid(workspace.platform.uuid)),
    };
    let caller = tx.callers().find(&introduction)?;
    let caller = caller.filter(|caller| caller.key.id == key.id);
    let caller = caller.ok_or(Unauthenticated::InvalidKey)?;
    caller.key.alive(now).map_err(Unauthenticated::Dead)?;
    refuse_orphan(tx, &caller.key, now)?;
    let identity = Arc::new(identity(&caller.key, &caller.person, now));
    let membership = membership(&caller, &identity)?;
    Ok((identity, Some(membership)))
}

/// What a caller is at the platform that they chose.
fn membership(
    caller: &Caller,
    identity: &Arc<Identity>,
) -> Result<(Arc<Workspace>, Member), PlatformProblem> {
    let (workspace, user) = caller.place.clone().ok_or(PlatformProblem::Denied)?;
    if identity.bound_to.is_some_and(|bound| bound != workspace.id) {
        return Err(PlatformProblem::Denied);
    }
    // Whoever has not accepted is told the same as somebody of whom nobody there has heard.
    let user = user.filter(|user| identity.opens(user));
    let user = user.ok_or(PlatformProblem::Denied)?;
    let member = Member {
        identity: Arc::clone(identity),
        user,
    };
    Ok((workspace, member))
}

/// Who asks with a key of this person, at this moment.
pub(crate) fn identity(key: &ApiKey, person: &Person, now: Timestamp) -> Identity {
    Identity {
        person_id: key.person_id,
        email: person.email.clone(),
        key_id: key.id,
        key_kind: key.kind,
        scopes: key.scopes.clone(),
        bound_to: key.workspace_id,
        package: key.package_id,
        made_in: key.made_in,
        use_unnoted: key
            .last_used_at
            .is_none_or(|at| at.plus(USE_NOTED_EVERY) <= now),
        signed_in: key.signed_in,
        began_at: key.stamp.created_at,
        renewal: key.renewal(now),
    }
}

/// Revoking the key that handed out a session ends the session; so does taking back the package that it came from.
fn refuse_orphan(tx: &mut dyn Tx, key: &ApiKey, now: Timestamp) -> Result<(), Error> {
    match (key.issued_by, key.kind, key.workspace_id) {
        (Some(issuer), _, _) => {
            let issuer = tx.keys().find(issuer)?.ok_or(Unauthenticated::InvalidKey)?;
            Ok(issuer.alive(now).map_err(Unauthenticated::Dead)?)
        }
        (None, KeyKind::Session, Some(workspace)) => {
            let package = match key.package_id {
                Some(origin) => tx.scorm_packages().open(origin)?,
                None => None,
            };
            let package = package.filter(|package| package.workspace_id == workspace);
            let revoked = Unauthenticated::Dead(DeadKey::Revoked);
            Ok(package.map(drop).ok_or(revoked)?)
        }
        (None, KeyKind::Standard | KeyKind::Web, _) | (None, KeyKind::Session, None) => Ok(()),
    }
}

/// How a caller named the platform.
struct NamedPlatform {
    main: Option<PlatformName>,
    /// What its uuid is to be as well.
    same: Option<PlatformUuid>,
}

fn named_platform(credentials: &Credentials) -> Result<NamedPlatform, PlatformProblem> {
    let code = credentials.platform_code.as_deref();
    let code = code.map(PlatformCode::parse).transpose();
    let code = code.map_err(|_| PlatformProblem::MalformedCode)?;
    let uuid = credentials.platform_uuid.as_deref();
    let uuid = uuid.map(PlatformUuid::parse).transpose();
    let uuid = uuid.map_err(|_| PlatformProblem::MalformedUuid)?;
    let (main, same) = match (code, uuid) {
        (Some(code), same) => (Some(PlatformName::Code(code)), same),
        (None, uuid) => (uuid.map(PlatformName::Uuid), None),
    };
    Ok(NamedPlatform { main, same })
}

/// Code and uuid must be of one platform. A code that is nobody's is refused like one of somebody else: else who sends a
/// made-up uuid with it would hear which it is.
fn refuse_another(caller: &Caller, uuid: &PlatformUuid) -> Result<(), PlatformProblem> {
    match &caller.place {
        Some((workspace, _)) if workspace.platform.uuid == *uuid => Ok(()),
        Some(_) | None => Err(PlatformProblem::Mismatch),
    }
}

/// Whether someone in `role` may do what takes `least`.
///
/// # Errors
/// [`Forbidden::Role`]
pub fn require_role(role: Role, least: Role) -> Result<(), Error> {
    // Roles are declared from the most to the least powerful.
    if role <= least {
        Ok(())
    } else {
        Err(Forbidden::Role.into())
    }
}
