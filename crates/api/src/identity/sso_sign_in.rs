//! Signing in by an organisation's provider over HTTP: the way there is asked for by a page of ours, and the way back is taken by the
//! browser itself, sent by the provider. So the way back answers by sending on to Studio, and with no body.

use std::sync::Arc;

use actix_web::http::header;
use actix_web::{HttpRequest, HttpResponse};
use lyceum_application::Error;
use lyceum_application::context::RequestTrace;
use lyceum_application::identity::sso_sign_in::{self, Returned, SsoArrival};
use lyceum_domain::identity::sso_sign_in::{ConsolePlace, SsoRefusal};
use lyceum_wire::identity::sso_sign_in::{AskForSso, SsoDepartureView};

use crate::edge::{cookies, noted};
use crate::http::answer::Asked;
use crate::http::auth_scope::Open;
use crate::http::response;
use crate::http::route::{Body, IdentityDoc, RawDoc};
use crate::prelude::*;
use crate::state::Api;

pub async fn start(call: Call<Json<AskForSso>, Open>) -> Outcome<Asked<SsoDepartureView>> {
    let public_url = &call.context.settings.public_url;
    let browser = cookies::browser(call.request()?, public_url);
    let held = cookies::held_by_who_asked(call.request()?, public_url);
    call.ask(
        move |tx, visitor, _, asked| {
            browser.clone().map_err(Error::from)?;
            sso_sign_in::prepare(tx, visitor, &asked, held.as_deref())
        },
        sso_sign_in::ask,
        sso_sign_in::leave,
    )
    .await
}

/// What a provider sends along; what else it does is its own affair.
const BROUGHT: &[Parameter] = &[
    Parameter::new("state", "What went along to the provider."),
    Parameter::new("code", "What the provider exchanges for a token, once."),
    Parameter::new("iss", "Which provider it is (RFC 9207)."),
    Parameter::new("error", "Why the provider let nobody in."),
];

/// How the way back is documented.
pub fn callback_doc() -> RawDoc {
    RawDoc {
        parameters: BROUGHT,
        answer: Body::Nothing,
        identity: IdentityDoc::Nobody,
        also: &[303],
    }
}

/// Sends whoever came back on to Studio, signed in or told why not.
pub async fn callback(request: HttpRequest, api: Arc<Api>, request_id: String) -> HttpResponse {
    let public_url = &api.app.settings.public_url;
    let Ok(browser) = cookies::returning(&request, public_url) else {
        return refused(&api, SsoRefusal::Insecure, &ConsolePlace::default());
    };
    let held = cookies::held_by_who_asked(&request, public_url);
    let visitor = api.app.visitor(RequestTrace {
        request_id: request_id.clone(),
        trace: noted::place_of(&request),
    });
    let returned = returned(&request);
    let arriving = sso_sign_in::come_back(&api.app, visitor, returned, browser, held);
    match arriving.await {
        Ok(SsoArrival { place, outcome }) => match outcome {
            Ok(secret) => {
                let mut answer = sent_to(&api, place.as_str());
                if let Some(cookie) = cookies::kept(&request, public_url, secret.reveal()) {
                    response::keep(&mut answer, &cookie);
                }
                answer
            }
            Err(reason) => refused(&api, reason, &place),
        },
        Err(error) => response::failure(&error.into(), &request_id),
    }
}

fn returned(request: &HttpRequest) -> Returned {
    let mut query = Query::parse(request.query_string());
    let mut member = |name| query.text(name).ok().flatten();
    Returned {
        state: member("state").unwrap_or_default(),
        code: member("code"),
        issuer: member("iss"),
    }
}

fn refused(api: &Api, reason: SsoRefusal, place: &ConsolePlace) -> HttpResponse {
    // Where they wanted to go stays where the door finds it.
    sent_to(api, &format!("/sign-in/sso/{reason}{place}"))
}

/// Always to the Studio of this service, whatever anybody sent.
fn sent_to(api: &Api, place: &str) -> HttpResponse {
    let base = api.app.settings.public_url.as_str();
    let address = format!("{base}/studio#{place}");
    HttpResponse::SeeOther()
        .insert_header((header::LOCATION, address))
        .insert_header((header::CACHE_CONTROL, "no-store"))
        .insert_header((header::REFERRER_POLICY, "no-referrer"))
        .finish()
}
