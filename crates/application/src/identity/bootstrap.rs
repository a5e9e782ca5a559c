//! The first workspace, its owner and their key: how an empty installation becomes usable.

use lyceum_domain::identity::addresses::AllowedAddresses;
use lyceum_domain::identity::ai_settings::WorkspaceAi;
use lyceum_domain::identity::keys::{ApiKey, ApiKeySecret, KeyKind};
use lyceum_domain::identity::scopes::ScopeSet;
use lyceum_domain::identity::sign_in_links::SignInSecret;
use lyceum_domain::identity::users::{NewUser, Person, Role, User};
use lyceum_domain::identity::workspaces::{
    NewWorkspace, Platform, PlatformCode, PlatformUuid, Workspace,
};
use lyceum_domain::json::Metadata;
use lyceum_domain::running::audit::AuditActor;
use lyceum_domain::text::{Email, Name};
use lyceum_domain::{InvalidValue, Stamp};

use crate::context::Visitor;
use crate::identity::sign_in_links;
use crate::prelude::*;
use crate::running::audit::{self, values};

/// What is to be made.
#[derive(Debug, Clone)]
pub struct Bootstrap {
    /// The owner's address.
    pub email: Email,
    /// Name of the workspace.
    pub workspace: Name,
    /// Code of its platform.
    pub code: PlatformCode,
    /// The key to use instead of a fresh one.
    pub key: Option<ApiKeySecret>,
}

/// What was made; the only time that the key can be seen. No `Debug`: no log line may carry what lets in.
#[derive(Clone)]
pub struct Bootstrapped {
    /// The key.
    pub key: ApiKeySecret,
    /// The owner's membership.
    pub user: User,
    /// The workspace.
    pub workspace: Workspace,
    /// What lets the owner in by a browser, once.
    pub sign_in: SignInSecret,
}

/// Whether nothing has been made yet.
pub fn is_needed(tx: &mut dyn Tx) -> Result<bool, Error> {
    Ok(tx.workspaces().none_yet()?)
}

/// Makes a workspace, its owner (unless the address is known) and a key that may do everything.
///
/// # Errors
/// [`crate::error::Conflict::Taken`] if the code is taken.
pub fn run(tx: &mut dyn Tx, visitor: &Visitor, wanted: &Bootstrap) -> Result<Bootstrapped, Error> {
    let person = person_of(tx, visitor, &wanted.email)?;
    let new = NewWorkspace {
        name: wanted.workspace.clone(),
        domain: None,
        ai: WorkspaceAi::default(),
        metadata: Metadata::default(),
    };
    let workspace = make_workspace(tx, visitor, new, Some(wanted.code.clone()))?;
    let user = join_as_owner(tx, visitor, &workspace, &person)?;
    let key = wanted
        .key
        .clone()
        .unwrap_or_else(|| fresh_key(visitor, KeyKind::Standard));
    let name = Name::parse("Bootstrap key").map_err(internal)?;
    let made = ApiKey {
        id: visitor.mint(),
        person_id: person.id,
        workspace_id: None,
        user_id: None,
        made_by: None,
        made_in: Some(workspace.id),
        issued_by: None,
        package_id: None,
        kind: KeyKind::Standard,
        name,
        lookup: key.lookup(),
        hash: key.hash(),
        scopes: ScopeSet::everything(),
        allowed_addresses: AllowedAddresses::default(),
        expires_at: None,
        revoked_at: None,
        last_used_at: None,
        signed_in: None,
        last_used_from: None,
        stamp: Stamp::new(visitor.now),
    };
    tx.keys().insert(&made)?;
    note_made(tx, visitor, AuditActor::System, &workspace, &user)?;
    let place = (workspace.id, AuditActor::System);
    let change = AuditedChange::made(values::key(&made));
    let subject = AuditSubject::of(made.id);
    audit::note_at(tx, visitor, place, AuditAction::KeyCreated, subject, change)?;
    let sign_in = sign_in_links::insert_for_shell(tx, visitor, &person)?;
    Ok(Bootstrapped {
        key,
        user,
        workspace,
        sign_in,
    })
}

/// The person with this address, made now if nobody knew them.
pub fn person_of(tx: &mut dyn Tx, visitor: &Visitor, email: &Email) -> Result<Person, Error> {
    let person = Person {
        id: visitor.mint(),
        email: email.clone(),
        created_at: visitor.now,
    };
    Ok(tx.users().known_or_new(&person)?)
}

/// A workspace with a platform of its own.
///
/// # Errors
/// [`crate::error::Conflict::Taken`] if the code is taken.
pub fn make_workspace(
    tx: &mut dyn Tx,
    visitor: &Visitor,
    new: NewWorkspace,
    code: Option<PlatformCode>,
) -> Result<Workspace, Error> {
    let mut bytes = [0_u8; 12];
    visitor.entropy.fill(&mut bytes);
    let uuid = PlatformUuid::from_bytes(bytes);
    // The first digits of the uuid keep workspaces of the same name apart.
    let salt: String = uuid.as_str().chars().take(6).collect();
    let code = code.unwrap_or_else(|| PlatformCode::suggest(&new.name, &salt));
    let number = tx.workspaces().next_platform_number()?;
    let platform = Platform {
        number,
        uuid,
        code: Some(code),
    };
    let workspace = Workspace::new(visitor.mint(), platform, new, visitor.now);
    tx.workspaces().insert(&workspace)?;
    Ok(workspace)
}

/// The person's membership as owner: they asked for it themselves, or the operator named them.
pub fn join_as_owner(
    tx: &mut dyn Tx,
    visitor: &Visitor,
    workspace: &Workspace,
    person: &Person,
) -> Result<User, Error> {
    let new = NewUser {
        email: person.email.clone(),
        name: None,
        role: Role::Owner,
        language: None,
        timezone: None,
        external_id: None,
        metadata: Metadata::default(),
    };
    let user = User::new(workspace.id, visitor.mint(), person.id, new, visitor.now);
    let user = user.of_ones_own_will();
    tx.users().insert(&user)?;
    Ok(user)
}

/// Notes that a workspace was made, and whose it is.
pub fn note_made(
    tx: &mut dyn Tx,
    visitor: &Visitor,
    actor: AuditActor,
    workspace: &Workspace,
    owner: &User,
) -> Result<(), Error> {
    let place = (workspace.id, actor);
    let made = AuditedChange::made(values::workspace(workspace));
    let subject = AuditSubject::of(workspace.id);
    audit::note_at(
        tx,
        visitor,
        place,
        AuditAction::WorkspaceCreated,
        subject,
        made,
    )?;
    let joined = AuditedChange::made(values::member(owner));
    let subject = AuditSubject::of(owner.id);
    audit::note_at(
        tx,
        visitor,
        place,
        AuditAction::MemberAdded,
        subject,
        joined,
    )
}

/// A key that nobody has seen yet.
pub fn fresh_key(visitor: &Visitor, kind: KeyKind) -> ApiKeySecret {
    ApiKeySecret::mint(kind, &mut |bytes| visitor.entropy.fill(bytes))
}

fn internal(error: InvalidValue) -> Error {
    Error::Internal(error.into())
}
