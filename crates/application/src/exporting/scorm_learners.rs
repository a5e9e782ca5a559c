//! How learners of SCORM packages get in: the player inside a package asks for a session key.

use std::time::Duration;

use hmac::{Hmac, KeyInit, Mac};
use lyceum_domain::Stamp;
use lyceum_domain::exporting::scorm::ScormPackage;
use lyceum_domain::exporting::scorm_learners::{
    LaunchKey, LearnerProof, LearnerTrust, ScormLaunch, ScormLearner,
};
use lyceum_domain::identity::addresses::AllowedAddresses;
use lyceum_domain::identity::keys::{ApiKey, KeyKind};
use lyceum_domain::identity::scopes::ScopeSet;
use lyceum_domain::identity::tokens::SESSION_LIFETIME;
use lyceum_domain::identity::users::{Person, User};
use lyceum_domain::ids::ScormPackageId;
use lyceum_domain::text::Name;
use lyceum_ports::running::idempotency::{RememberedReply, ReplyKey};
use lyceum_ports::store::Line;
use lyceum_wire::exporting::scorm_learners::{ScormLearnerView, ScormSessionView};
use lyceum_wire::identity::tokens::SessionKeyView;
use lyceum_wire::identity::users::UserView;
use lyceum_wire::learning::enrollments::Enrollee;
use sha2::Sha256;

pub use lyceum_ports::exporting::scorm_learners::ScormLearnerFilter;

use crate::Settings;
use crate::context::Actor;
use crate::context::Visitor;
use crate::error::Unauthenticated;
use crate::identity::bootstrap::fresh_key;
use crate::identity::tokens::insert_session;
use crate::identity::users::note_joined;
use crate::learning::{cohorts, enrollments};
use crate::notifying::events;
use crate::prelude::*;
use crate::running::audit::{self, values};

/// What session keys of learners are called.
const SESSION_NAME: &str = "SCORM session";
/// More than can be on their way in at once, on all nodes together: a package with room for more need not look who is.
const CROWD: u64 = 1_000;
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

/// A package that lets learners in, found by the launch key of its archive.
struct Entrance {
    /// The package whose identity the archive carries; it may be gone while others share the archive.
    origin: ScormPackageId,
    /// One that is ready and shares the archive: all that do have the same policy.
    package: ScormPackage,
}

/// Lets a learner of a package in.
///
/// # Errors
/// [`Unauthenticated::InvalidToken`] for every launch key but that of a package that is ready, and where or when its
/// policy lets nobody in; [`Conflict::LimitReached`] for one learner too many
pub fn launch(
    tx: &mut dyn Tx,
    visitor: &Visitor,
    id: ScormPackageId,
    launch: &ScormLaunch,
) -> Result<ScormSessionView, Error> {
    let invalid = || Error::from(Unauthenticated::InvalidToken);
    // Of two who come at once as the same learner only one can be the first to, and a launch that is sent twice is one.
    tx.stand_in_line(Line::at(launch.identity().as_str()))?;
    let entrance = entrance(tx, visitor, id, launch)?.ok_or_else(invalid)?;
    let workspace = tx.workspaces().find(entrance.package.workspace_id)?;
    let ctx = visitor.within(workspace.ok_or_else(invalid)?, Actor::Service);
    if let Some(answer) = repeated(tx, &ctx, &entrance, launch)? {
        return Ok(answer);
    }
    let (user, proof) = match returning(tx, &ctx, &entrance, launch)? {
        Some(back) => back,
        None => admit(tx, &ctx, &entrance, launch)?,
    };
    let session = open(tx, &ctx, &user, entrance.origin)?;
    let answer = ScormSessionView::new(session, &proof);
    remember(tx, &ctx, &user, launch, &answer)?;
    Ok(answer)
}

/// The archive carries the id of its origin, but any package that shares it may be named. Whoever lacks the key is
/// told the same whether there is such a package or not.
fn entrance(
    tx: &mut dyn Tx,
    visitor: &Visitor,
    id: ScormPackageId,
    launch: &ScormLaunch,
) -> Result<Option<Entrance>, Error> {
    let settings = &visitor.settings;
    let opens = |origin| launch_key(settings, origin).map(|right| launch.launch_key.is(&right));
    let origin = if opens(id)? {
        id
    } else {
        let named = tx.scorm_packages().find_signed(id)?;
        match named.as_ref().and_then(ScormPackage::origin) {
            Some(origin) if opens(origin)? => origin,
            Some(_) | None => return Ok(None),
        }
    };
    let package = tx.scorm_packages().open(origin)?;
    let page = launch.page_origin.as_deref();
    let admits =
        |package: &ScormPackage| package.launch.admits(&launch.lms.origin, page, visitor.now);
    Ok(package
        .filter(admits)
        .map(|package| Entrance { origin, package }))
}

/// The answer to a launch that was sent before: a player whose answer got lost must not become somebody new.
fn repeated(
    tx: &mut dyn Tx,
    ctx: &Context,
    entrance: &Entrance,
    launch: &ScormLaunch,
) -> Result<Option<ScormSessionView>, Error> {
    let (workspace, identity) = (ctx.workspace_id(), launch.identity());
    let learner =
        tx.scorm_learners()
            .with_nonce(workspace, entrance.origin, &identity, &launch.nonce)?;
    let Some(learner) = learner else {
        return Ok(None);
    };
    let Some(user) = tx.users().find(workspace, learner.user_id)? else {
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

/// Somebody who has the proof of an earlier launch of this or another package of the cohort.
fn returning(
    tx: &mut dyn Tx,
    ctx: &Context,
    entrance: &Entrance,
    launch: &ScormLaunch,
) -> Result<Option<(User, LearnerProof)>, Error> {
    let Some(proof) = launch.proof.clone() else {
        return Ok(None);
    };
    let (workspace, identity) = (ctx.workspace_id(), launch.identity());
    let cohort = entrance.package.cohort_id;
    let known = tx
        .scorm_learners()
        .with_proof(workspace, cohort, &identity, &proof.hash())?;
    let Some(known) = known else {
        return Ok(None);
    };
    let Some(user) = tx.users().find(workspace, known.user_id)? else {
        return Ok(None);
    };
    let here = tx
        .scorm_learners()
        .at(workspace, entrance.origin, user.id)?;
    if let Some(learner) = here {
        let (nonce, lms) = (&launch.nonce, &launch.lms);
        tx.scorm_learners()
            .note_launch(workspace, learner.id, nonce, lms, ctx.now)?;
    } else {
        has_room(tx, ctx, entrance)?;
        let trust = known.trust.elsewhere();
        note_first(tx, ctx, entrance, launch, &user, trust, &proof)?;
    }
    Ok(Some((user, proof)))
}

/// Somebody new: a student in the package's cohort, whatever id or name the LMS gives them.
fn admit(
    tx: &mut dyn Tx,
    ctx: &Context,
    entrance: &Entrance,
    launch: &ScormLaunch,
) -> Result<(User, LearnerProof), Error> {
    has_room(tx, ctx, entrance)?;
    let (workspace, cohort) = (ctx.workspace_id(), entrance.package.cohort_id);
    let known = tx
        .scorm_learners()
        .is_known(workspace, cohort, &launch.identity())?;
    let trust = if known {
        LearnerTrust::Unverified
    } else {
        LearnerTrust::FirstUse
    };
    // Before anything is made that would have to be made again.
    if let Some(cohort) = tx.cohorts().find(workspace, cohort)? {
        cohorts::stand_for_place(tx, &cohort)?;
    }
    let user = join(tx, ctx, entrance.origin, launch, trust)?;
    let proof = LearnerProof::mint(&mut |bytes| ctx.entropy.fill(bytes));
    note_first(tx, ctx, entrance, launch, &user, trust, &proof)?;
    enrollments::create(tx, ctx, cohort, Enrollee::User(user.id))?;
    Ok((user, proof))
}

fn has_room(tx: &mut dyn Tx, ctx: &Context, entrance: &Entrance) -> Result<(), Error> {
    let most = entrance.package.launch.most_learners();
    let there = tx
        .scorm_learners()
        .count(ctx.workspace_id(), entrance.origin)?;
    if there.saturating_add(CROWD) > most {
        tx.stand_in_line(Line::at(entrance.origin))?;
    }
    if there < most {
        return Ok(());
    }
    let reason = format!("the package takes no more than {most} learners; make another one");
    Err(Conflict::LimitReached(reason).into())
}

/// Notes a learner who comes to this archive for the first time.
fn note_first(
    tx: &mut dyn Tx,
    ctx: &Context,
    entrance: &Entrance,
    launch: &ScormLaunch,
    user: &User,
    trust: LearnerTrust,
    proof: &LearnerProof,
) -> Result<(), Error> {
    let learner = ScormLearner {
        workspace_id: ctx.workspace_id(),
        id: ctx.mint(),
        cohort_id: entrance.package.cohort_id,
        package_id: entrance.origin,
        user_id: user.id,
        identity: launch.identity(),
        claimed_id: launch.learner_id.clone(),
        lms: launch.lms.clone(),
        trust,
        proof: proof.hash(),
        nonce: launch.nonce.clone(),
        created_at: ctx.now,
        launched_at: ctx.now,
    };
    Ok(tx.scorm_learners().insert(&learner)?)
}

/// A membership of a person made for it. Nobody is looked for: an address that is taken is an error.
fn join(
    tx: &mut dyn Tx,
    ctx: &Context,
    package: ScormPackageId,
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
    note_joined(tx, ctx, &user)?;
    events::record(tx, ctx, EventType::UserCreated, &UserView::new(&user))?;
    Ok(user)
}

/// A session key that no other key handed out: it lives no longer than the archive that its holder came with.
fn open(
    tx: &mut dyn Tx,
    ctx: &Context,
    user: &User,
    origin: ScormPackageId,
) -> Result<SessionKeyView, Error> {
    let secret = fresh_key(&ctx.visitor(), KeyKind::Session);
    let key = ApiKey {
        id: ctx.mint(),
        person_id: user.person_id,
        workspace_id: Some(ctx.workspace_id()),
        user_id: None,
        made_by: None,
        made_in: Some(ctx.workspace_id()),
        issued_by: None,
        package_id: Some(origin),
        kind: KeyKind::Session,
        name: Name::clamp(SESSION_NAME, SESSION_NAME),
        lookup: secret.lookup(),
        hash: secret.hash(),
        scopes: ScopeSet::session(),
        allowed_addresses: AllowedAddresses::default(),
        expires_at: Some(ctx.now.plus(SESSION_LIFETIME)),
        revoked_at: None,
        last_used_at: None,
        signed_in: None,
        last_used_from: None,
        stamp: Stamp::new(ctx.now),
    };
    insert_session(tx, &key, ctx.now)?;
    let change = AuditedChange::made(values::session(&key, user.id));
    let subject = AuditSubject::of(key.id);
    audit::note(tx, ctx, AuditAction::SessionStarted, subject, change)?;
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

/// Shows a page of the learners who came with the archive of a package.
///
/// # Errors
/// [`Error::NotFound`]
pub fn list(
    tx: &mut dyn Tx,
    ctx: &Context,
    id: ScormPackageId,
    filter: &ScormLearnerFilter,
    page: &PageRequest,
) -> Result<Page<ScormLearnerView>, Error> {
    let package = found(
        tx.scorm_packages().find(ctx.workspace_id(), id)?,
        "scorm_package",
    )?;
    // Nobody comes with an archive that is not there yet.
    let origin = package.origin().unwrap_or(package.id);
    let known = tx
        .scorm_learners()
        .page(ctx.workspace_id(), origin, filter, page)?;
    Ok(
        known
            .map(|known| ScormLearnerView::new(&known.learner, known.name.as_ref(), known.used_at)),
    )
}

fn internal(error: impl Into<Box<dyn std::error::Error + Send + Sync>>) -> Error {
    Error::Internal(error.into())
}

#[cfg(test)]
mod tests {
    use super::*;
    use lyceum_domain::Timestamp;
    use lyceum_domain::exporting::scorm::{LmsOrigin, ScormState};
    use lyceum_domain::exporting::scorm_learners::Lms;
    use lyceum_domain::identity::keys::SecretHash;
    use lyceum_domain::identity::users::Role;
    use lyceum_domain::identity::workspaces::Workspace;
    use lyceum_ports::mocks::MockTx;

    use crate::exporting::scorm::tests::{file, package};
    use crate::identity::visibility::tests::{context, id, now};

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
            page_origin: None,
        }
    }

    fn key_of(number: u8) -> LaunchKey {
        launch_key(&visitor().settings, id(number)).unwrap()
    }

    fn right() -> ScormLaunch {
        with_key(key_of(9))
    }

    /// Package 9 is its own origin.
    fn ready() -> ScormPackage {
        ScormPackage {
            state: ScormState::Ready(file(9)),
            ..package()
        }
    }

    /// A transaction with an archive of origin 9, which nobody came to under this id; with two packages that share it.
    fn with(package: ScormPackage) -> MockTx {
        let mut tx = MockTx::default();
        let sharer = ScormPackage {
            id: id(10),
            ..package.clone()
        };
        tx.scorm_packages
            .expect_find_signed()
            .returning(move |named| Ok(Some(sharer.clone()).filter(|it| it.id == named)));
        tx.scorm_packages
            .expect_open()
            .returning(move |origin| Ok(Some(package.clone()).filter(|_| origin == id(9))));
        tx.workspaces.expect_find().returning(|_| {
            let ctx = context(Role::Owner, KeyKind::Standard);
            Ok(Some(Workspace::clone(&ctx.workspace)))
        });
        tx.scorm_learners
            .expect_with_nonce()
            .returning(|_, _, _, _| Ok(None));
        tx
    }

    fn is_invalid(refused: Option<&Error>) -> bool {
        let invalid = Unauthenticated::InvalidToken;
        matches!(refused, Some(Error::Unauthenticated(why)) if *why == invalid)
    }

    /// Whether a launch gets past the entrance: a full package says so only to those who may come in.
    fn gets_in(package: ScormPackage, named: u8, sent: &ScormLaunch) -> bool {
        let mut tx = with(package);
        tx.scorm_learners
            .expect_count()
            .returning(|_, _| Ok(u64::MAX));
        let refused = launch(&mut tx, &visitor(), id(named), sent).err();
        let full = matches!(refused, Some(Error::Conflict(Conflict::LimitReached(_))));
        assert!(full || is_invalid(refused.as_ref()));
        full
    }

    #[test]
    fn every_package_has_its_own_key_and_always_the_same() {
        let settings = visitor().settings;
        let key = |number| launch_key(&settings, id(number)).unwrap();
        assert!(key(9).is(&key(9)));
        assert!(!key(9).is(&key(8)));
        let other = Settings {
            launch_key: [2; 32],
            workspaces: crate::settings::WorkspaceCreation::default(),
            ..(*settings).clone()
        };
        assert!(!key(9).is(&launch_key(&other, id(9)).unwrap()));
    }

    #[test]
    fn the_key_of_the_origin_opens_every_package_that_shares_its_archive() {
        assert!(gets_in(ready(), 9, &right()));
        assert!(gets_in(ready(), 10, &right()));
        // A package that shares an archive has no key of its own.
        assert!(!gets_in(ready(), 10, &with_key(key_of(10))));
        assert!(!gets_in(ready(), 11, &right()));
    }

    #[test]
    fn a_wrong_key_opens_nothing() {
        for wrong in [key_of(8), LaunchKey::sent(String::new())] {
            assert!(!gets_in(ready(), 9, &with_key(wrong.clone())));
            assert!(!gets_in(ready(), 10, &with_key(wrong)));
        }
    }

    #[test]
    fn the_policy_of_a_package_is_that_of_everybody_who_comes_with_it() {
        let under = |change: &dyn Fn(&mut ScormPackage)| {
            let mut package = ready();
            change(&mut package);
            gets_in(package, 9, &right())
        };
        let at = |millis: i64| Some(Timestamp::from_unix_millis(millis));
        assert!(under(&|_| ()));
        assert!(under(
            &|it| it.launch.expires_at = Some(now().plus(REPEATED_FOR))
        ));
        assert!(!under(&|it| it.launch.expires_at = Some(now())));
        assert!(!under(&|it| it.launch.expires_at = at(0)));
        assert!(!under(&|it| it.launch.connected = false));
        let null = LmsOrigin::parse("null").unwrap();
        assert!(!under(&|it| it.launch.allowed_origins = vec![null.clone()]));
    }

    #[test]
    fn a_package_takes_so_many_learners_and_no_more() {
        let mut few = ready();
        few.launch.max_learners = Some(3);
        for (there, full) in [(2, false), (3, true)] {
            let mut tx = with(few.clone());
            tx.scorm_learners
                .expect_count()
                .withf(|_, package| *package == id(9))
                .returning(move |_, _| Ok(there));
            tx.scorm_learners
                .expect_is_known()
                .times(usize::from(!full))
                .returning(|_, _, _| Err(lyceum_ports::store::StoreError::Stale));
            let refused = launch(&mut tx, &visitor(), id(9), &right()).err();
            let told = matches!(refused, Some(Error::Conflict(Conflict::LimitReached(_))));
            assert_eq!(told, full, "{there}");
        }
    }

    #[test]
    fn an_address_that_is_taken_makes_nobody_that_person() {
        let mut tx = with(ready());
        tx.scorm_learners.expect_count().returning(|_, _| Ok(0));
        tx.scorm_learners
            .expect_is_known()
            .returning(|_, _, _| Ok(false));
        tx.cohorts.expect_find().returning(|_, _| Ok(None));
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
