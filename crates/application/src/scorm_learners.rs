//! How learners of SCORM packages get in: the player inside a package asks for a session key.

use std::time::Duration;

use hmac::{Hmac, KeyInit, Mac};
use lyceum_domain::Stamp;
use lyceum_domain::events::EventType;
use lyceum_domain::keys::{ApiKey, KeyKind};
use lyceum_domain::scopes::ScopeSet;
use lyceum_domain::scorm::{ScormPackage, ScormPackageId};
use lyceum_domain::scorm_learners::{
    LaunchKey, LearnerProof, LearnerTrust, MAX_LEARNERS, ScormLaunch, ScormLearner,
};
use lyceum_domain::text::Name;
use lyceum_domain::tokens::SESSION_LIFETIME;
use lyceum_domain::users::{Person, User};
use lyceum_ports::idempotency::{RememberedReply, ReplyKey};
use lyceum_ports::store::Tx;
use lyceum_wire::enrollments::Enrollee;
use lyceum_wire::scorm_learners::ScormSessionView;
use lyceum_wire::tokens::SessionKeyView;
use lyceum_wire::users::UserView;
use sha2::Sha256;

use crate::bootstrap::fresh_key;
use crate::context::{Actor, Context, Visitor};
use crate::error::{Conflict, Error, Unauthenticated};
use crate::{Settings, enrollments, events};

/// What session keys of learners are called.
const SESSION_NAME: &str = "SCORM session";
/// How long the same launch gets the same answer; a player gives up long before.
const REPEATED_FOR: Duration = Duration::from_mins(10);

/// The launch key of a package. It follows from the package's id and a key of the service, so it is stored
/// nowhere, and a package that is written again carries the same one.
///
/// # Errors
/// Never for a key of 32 bytes.
pub fn launch_key(settings: &Settings, id: ScormPackageId) -> Result<LaunchKey, Error> {
    let mut mac = Hmac::<Sha256>::new_from_slice(&settings.launch_key)
        .map_err(|error| Error::Internal(error.into()))?;
    mac.update(id.to_string().as_bytes());
    let mut bytes = [0_u8; 20];
    for (byte, random) in bytes.iter_mut().zip(mac.finalize().into_bytes()) {
        *byte = random;
    }
    Ok(LaunchKey::from_bytes(bytes))
}

/// Lets a learner of a package in.
///
/// # Errors
/// [`Unauthenticated::InvalidToken`] for every launch key but that of a package that is ready,
/// [`Conflict::LimitReached`] for one learner too many
pub fn launch(
    tx: &mut dyn Tx,
    visitor: &Visitor,
    id: ScormPackageId,
    launch: &ScormLaunch,
) -> Result<ScormSessionView, Error> {
    let invalid = || Error::from(Unauthenticated::InvalidToken);
    // Before anything is looked for: whoever lacks the key does not learn which packages there are.
    if !launch.launch_key.is(&launch_key(&visitor.settings, id)?) {
        return Err(invalid());
    }
    let package = tx.scorm_packages().find_signed(id)?;
    let package = package.filter(ScormPackage::is_ready).ok_or_else(invalid)?;
    let workspace = tx.workspaces().find(package.workspace_id)?;
    let ctx = visitor.within(workspace.ok_or_else(invalid)?, Actor::Service);
    if let Some(answer) = repeated(tx, &ctx, &package, launch)? {
        return Ok(answer);
    }
    let (user, proof) = match returning(tx, &ctx, &package, launch)? {
        Some(back) => back,
        None => admit(tx, &ctx, &package, launch)?,
    };
    let session = open(tx, &ctx, &user)?;
    let answer = ScormSessionView::new(session, &proof);
    remember(tx, &ctx, &user, launch, &answer)?;
    Ok(answer)
}

/// The answer to a launch that was sent before: a player whose answer got lost must not become somebody new.
fn repeated(
    tx: &mut dyn Tx,
    ctx: &Context,
    package: &ScormPackage,
    launch: &ScormLaunch,
) -> Result<Option<ScormSessionView>, Error> {
    let identity = launch.identity();
    let found =
        tx.scorm_learners()
            .with_nonce(ctx.workspace_id(), package.id, &identity, &launch.nonce)?;
    let Some(learner) = found else {
        return Ok(None);
    };
    let Some(user) = tx.users().find(ctx.workspace_id(), learner.user_id)? else {
        return Ok(None);
    };
    let oldest = ctx.now.minus(REPEATED_FOR);
    let remembered = tx.idempotency().find(&reply_key(&user, launch), oldest)?;
    remembered
        .filter(|reply| reply.fingerprint == launch.fingerprint())
        .map(|reply| serde_json::from_str(&reply.reply))
        .transpose()
        .map_err(internal)
}

/// Somebody who has the proof of an earlier launch.
fn returning(
    tx: &mut dyn Tx,
    ctx: &Context,
    package: &ScormPackage,
    launch: &ScormLaunch,
) -> Result<Option<(User, LearnerProof)>, Error> {
    let Some(proof) = launch.proof.clone() else {
        return Ok(None);
    };
    let (workspace, identity) = (ctx.workspace_id(), launch.identity());
    let found = tx
        .scorm_learners()
        .with_proof(workspace, package.id, &identity, &proof.hash())?;
    let Some(learner) = found else {
        return Ok(None);
    };
    let Some(user) = tx.users().find(workspace, learner.user_id)? else {
        return Ok(None);
    };
    tx.scorm_learners()
        .note_launch(workspace, learner.id, &launch.nonce, ctx.now)?;
    Ok(Some((user, proof)))
}

/// Somebody new: a student in the package's cohort, whatever id or name the LMS gives them.
fn admit(
    tx: &mut dyn Tx,
    ctx: &Context,
    package: &ScormPackage,
    launch: &ScormLaunch,
) -> Result<(User, LearnerProof), Error> {
    let (workspace, identity) = (ctx.workspace_id(), launch.identity());
    if tx.scorm_learners().count(workspace, package.id)? >= MAX_LEARNERS {
        let reason = format!("the package has {MAX_LEARNERS} learners; make another one");
        return Err(Conflict::LimitReached(reason).into());
    }
    let known = tx
        .scorm_learners()
        .is_known(workspace, package.id, &identity)?;
    let trust = if known {
        LearnerTrust::Unverified
    } else {
        LearnerTrust::FirstUse
    };
    let user = join(tx, ctx, package, launch, trust)?;
    let proof = LearnerProof::mint(&mut |bytes| ctx.entropy.fill(bytes));
    tx.scorm_learners().insert(&ScormLearner {
        workspace_id: workspace,
        id: ctx.mint(),
        package_id: package.id,
        user_id: user.id,
        identity,
        trust,
        proof: proof.hash(),
        nonce: launch.nonce.clone(),
        created_at: ctx.now,
        launched_at: ctx.now,
    })?;
    enrollments::create(tx, ctx, package.cohort_id, Enrollee::User(user.id))?;
    Ok((user, proof))
}

/// A membership of a person made for it. Nobody is looked for: an address that is taken is an error.
fn join(
    tx: &mut dyn Tx,
    ctx: &Context,
    package: &ScormPackage,
    launch: &ScormLaunch,
    trust: LearnerTrust,
) -> Result<User, Error> {
    let id = ctx.mint();
    let new = launch.newcomer(package, id, trust).map_err(internal)?;
    let person = Person {
        id: ctx.mint(),
        email: new.email.clone(),
        created_at: ctx.now,
    };
    tx.users().insert_person(&person)?;
    let user = User::new(ctx.workspace_id(), id, person.id, new, ctx.now);
    tx.users().insert(&user)?;
    events::record(tx, ctx, EventType::UserCreated, &UserView::new(&user))?;
    Ok(user)
}

/// A session key that no other key handed out: it lives as long as the package.
fn open(tx: &mut dyn Tx, ctx: &Context, user: &User) -> Result<SessionKeyView, Error> {
    let secret = fresh_key(&ctx.visitor(), KeyKind::Session);
    let key = ApiKey {
        id: ctx.mint(),
        person_id: user.person_id,
        workspace_id: Some(ctx.workspace_id()),
        issued_by: None,
        kind: KeyKind::Session,
        name: Name::clamp(SESSION_NAME, SESSION_NAME),
        lookup: secret.lookup(),
        hash: secret.hash(),
        scopes: ScopeSet::session(),
        expires_at: Some(ctx.now.plus(SESSION_LIFETIME)),
        revoked_at: None,
        last_used_at: None,
        stamp: Stamp::new(ctx.now),
    };
    tx.keys().insert(&key)?;
    Ok(SessionKeyView::new(&key, &secret, user, &ctx.workspace))
}

/// Kept like replies under idempotency keys: encrypted, and forgotten like them.
fn remember(
    tx: &mut dyn Tx,
    ctx: &Context,
    user: &User,
    launch: &ScormLaunch,
    answer: &ScormSessionView,
) -> Result<(), Error> {
    let reply = RememberedReply {
        fingerprint: launch.fingerprint(),
        reply: serde_json::to_string(answer).map_err(internal)?,
        created_at: ctx.now,
    };
    Ok(tx
        .idempotency()
        .remember(&reply_key(user, launch), &reply)?)
}

/// Not a key that a caller can send: those have no spaces.
fn reply_key(user: &User, launch: &ScormLaunch) -> ReplyKey {
    ReplyKey {
        person_id: user.person_id,
        workspace_id: Some(user.workspace_id),
        key: format!("scorm launch {}", launch.nonce.as_str()),
    }
}

fn internal(error: impl Into<Box<dyn std::error::Error + Send + Sync>>) -> Error {
    Error::Internal(error.into())
}

#[cfg(test)]
mod tests {
    use super::*;
    use lyceum_domain::keys::SecretHash;
    use lyceum_domain::scorm::{RuntimeBaseUrl, ScormFile, ScormState, ScormVersion};
    use lyceum_domain::scorm_learners::Lms;
    use lyceum_domain::users::Role;
    use lyceum_ports::mocks::MockTx;

    use crate::visibility::tests::{context, id, now};

    fn visitor() -> Visitor {
        context(Role::Owner, KeyKind::Standard).visitor()
    }

    fn with_key(launch_key: LaunchKey) -> ScormLaunch {
        ScormLaunch {
            launch_key,
            learner_id: "jdoe".to_owned(),
            learner_name: Name::clamp("Jane", "Learner"),
            lms: Lms::default(),
            proof: None,
            nonce: SecretHash::of("nonce"),
        }
    }

    fn right() -> ScormLaunch {
        with_key(launch_key(&visitor().settings, id(9)).unwrap())
    }

    fn package() -> ScormPackage {
        ScormPackage {
            workspace_id: id(1),
            id: id(9),
            cohort_id: id(8),
            course_id: id(7),
            version: ScormVersion::V2004,
            runtime_base_url: RuntimeBaseUrl::parse("http://127.0.0.1:8080").unwrap(),
            state: ScormState::Ready(ScormFile {
                size_bytes: 1,
                sha256: String::new(),
                content_hash: String::new(),
                warnings: Vec::new(),
            }),
            stamp: Stamp::new(now()),
        }
    }

    /// A transaction with the package, which nobody came to under this id.
    fn with_package() -> MockTx {
        let mut tx = MockTx::default();
        tx.scorm_packages
            .expect_find_signed()
            .returning(|_| Ok(Some(package())));
        tx.workspaces
            .expect_find()
            .returning(|_| Ok(Some(context(Role::Owner, KeyKind::Standard).workspace)));
        tx.scorm_learners
            .expect_with_nonce()
            .returning(|_, _, _, _| Ok(None));
        tx
    }

    #[test]
    fn every_package_has_its_own_key_and_always_the_same() {
        let settings = visitor().settings;
        let key = |number| launch_key(&settings, id(number)).unwrap();
        assert!(key(9).is(&key(9)));
        assert!(!key(9).is(&key(8)));
        let other = Settings {
            launch_key: [2; 32],
            ..(*settings).clone()
        };
        assert!(!key(9).is(&launch_key(&other, id(9)).unwrap()));
    }

    #[test]
    fn nothing_is_looked_for_with_a_wrong_key() {
        let wrong = launch_key(&visitor().settings, id(8)).unwrap();
        for wrong in [wrong, LaunchKey::sent(String::new())] {
            // Whatever it asked of this transaction would panic.
            let tx = &mut MockTx::default();
            let refused = launch(tx, &visitor(), id(9), &with_key(wrong)).err();
            assert!(matches!(
                refused,
                Some(Error::Unauthenticated(Unauthenticated::InvalidToken))
            ));
        }
    }

    #[test]
    fn a_package_takes_so_many_learners_and_no_more() {
        let mut tx = with_package();
        tx.scorm_learners
            .expect_count()
            .returning(|_, _| Ok(MAX_LEARNERS));
        let refused = launch(&mut tx, &visitor(), id(9), &right()).err();
        assert!(matches!(
            refused,
            Some(Error::Conflict(Conflict::LimitReached(_)))
        ));
    }

    #[test]
    fn an_address_that_is_taken_makes_nobody_that_person() {
        let mut tx = with_package();
        tx.scorm_learners.expect_count().returning(|_, _| Ok(0));
        tx.scorm_learners
            .expect_is_known()
            .returning(|_, _, _| Ok(false));
        tx.users
            .expect_insert_person()
            .times(1)
            .returning(|_| Err(lyceum_ports::store::StoreError::Taken { field: "email" }));
        let refused = launch(&mut tx, &visitor(), id(9), &right()).err();
        assert!(matches!(
            refused,
            Some(Error::Conflict(Conflict::Taken("email")))
        ));
    }
}
