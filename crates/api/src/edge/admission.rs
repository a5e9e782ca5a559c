//! Letting a caller in: who they are, whether they may, and what that counts against.

use std::cell::Cell;

use actix_web::HttpRequest;
use actix_web::http::{Method, header};
use lyceum_application::Error;
use lyceum_application::app::{self, Admission, OpenView};
use lyceum_application::context::RequestTrace;
use lyceum_application::error::Unauthenticated;
use lyceum_application::identity::access::{Credentials, Requirement};
use lyceum_domain::exporting::scorm::RuntimeBaseUrl;
use lyceum_domain::identity::scopes::Scope;

use crate::edge::cookies;
use crate::edge::noted;
use crate::edge::policy::{Policy, SignedInWhen};
use crate::edge::rate_limit::{Payer, caller_of};
use crate::http::auth_scope::AuthScope;
use crate::http::error::Failure;
use crate::http::headers::header_text;
use crate::state::Api;

/// Reading what AI once said spends nothing.
fn spends_ai(request: &HttpRequest, requirement: &Requirement) -> bool {
    let mut scopes = requirement.all.iter().chain(requirement.any);
    request.method() != Method::GET
        && scopes.any(|scope| {
            matches!(
                scope,
                Scope::AiGenerate | Scope::AiGrade | Scope::AiTutor | Scope::AiAll
            )
        })
}

/// Who does more than to read is who they say before anything else is done.
async fn kept_to_read(request: &HttpRequest, view: OpenView) -> Result<OpenView, Error> {
    if request.method() == Method::GET {
        return Ok(view);
    }
    app::certain(&view).await?;
    Ok(None)
}

/// What a caller says of who they are.
///
/// # Errors
/// [`Unauthenticated::CrossSite`] for a session that a page of somebody else sends along
fn credentials(request: &HttpRequest, public_url: &RuntimeBaseUrl) -> Result<Credentials, Failure> {
    let session = cookies::session(request, public_url);
    if session.is_some() && !cookies::is_own_page(request, public_url) {
        return Err(Error::from(Unauthenticated::CrossSite).into());
    }
    Ok(Credentials {
        api_key: header_text(request, "x-api-key"),
        session,
        platform_code: header_text(request, "x-learning-platform-code"),
        platform_uuid: header_text(request, "x-learning-platform-uuid"),
        is_authorization_sent: request.headers().contains_key(header::AUTHORIZATION),
        // The edge knows from where.
        address: None,
    })
}

/// Lets a caller into a scope and counts them, in the order of the checks; who only reads keeps the view in which they
/// were let in.
///
/// # Errors
/// The first that fails.
pub async fn enter<S: AuthScope>(
    api: &Api,
    request: &HttpRequest,
    policy: &Policy,
    request_id: &str,
    view: OpenView,
) -> Result<(S::Context, OpenView), Failure> {
    let (limiter, requirement) = (&api.limiter, policy.requirement);
    if S::NEEDS_KEY {
        limiter.knock(request)?;
    } else {
        limiter.visit(request, policy.counted)?;
    }
    let payer = Cell::new(None);
    let gate = |admission: &Admission| {
        limiter.count_key(Some(request), admission.identity.key_id)?;
        admission.require(requirement)?;
        if policy.signed_in == SignedInWhen::Recently {
            let recent = admission.identity.require_recent(admission.now);
            recent.map_err(Error::from)?;
        }
        match &admission.membership {
            Some((workspace, member)) if spends_ai(request, &requirement) => {
                payer.set(Some(Payer {
                    workspace: workspace.id,
                    person: admission.identity.person_id,
                    spender: member.spender(),
                }));
            }
            _ => {}
        }
        Ok(())
    };
    let asked = RequestTrace {
        request_id: request_id.to_owned(),
        trace: noted::place_of(request),
    };
    let mut sent = credentials(request, &api.app.settings.public_url)?;
    sent.address = caller_of(request, api.settings.proxies());
    let entered = S::enter(&api.app, view, sent, gate, asked).await;
    if let Err(Failure::App(Error::Unauthenticated(_))) = &entered {
        limiter.note_failure(request);
    }
    let (context, view) = entered?;
    let view = kept_to_read(request, view).await?;
    if let Some(payer) = payer.get() {
        limiter
            .count_ai(&api.app, request, policy.counted, payer)
            .await?;
    }
    Ok((context, view))
}
