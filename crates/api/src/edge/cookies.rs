//! What browsers hold of ours, and who may send it along: the session of a person, in a cookie that no script reads.
//!
//! A cookie alone is nobody, for browsers send it along with whatever anybody's page asks for. It counts where the page says that
//! it means it, by a header that no page of another origin may set, and where the browser does not say that the page is
//! somebody else's.

use actix_web::HttpRequest;
use actix_web::http::header;
use cookie::time::Duration as CookieAge;
use cookie::{Cookie, SameSite};
use lyceum_application::error::Unauthenticated;
use lyceum_application::identity::sign_in::Browser;
use lyceum_domain::exporting::scorm::{LmsOrigin, RuntimeBaseUrl};
use lyceum_domain::identity::devices;
use lyceum_domain::identity::keys::{ApiKeySecret, SecretHash};
use lyceum_domain::identity::sign_in::LONGEST;
use lyceum_domain::identity::sign_in_links::LINK_LIFETIME;

use crate::http::headers::header_text;

/// By this header a page of ours says that it means its session. It stands in no answer to a preflight.
const MEANT: &str = "lyceum-session";

/// By which way a browser got here, as far as what it holds could be read on it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Way {
    /// Nobody reads it.
    Https,
    /// It never leaves the machine.
    Loopback,
}

impl Way {
    /// Of a service that callers reach at this address; `None` where whoever is on the way could read along.
    fn of(request: &HttpRequest, public_url: &RuntimeBaseUrl) -> Option<Self> {
        if public_url.as_str().starts_with("https://") {
            return Some(Self::Https);
        }
        let here = LmsOrigin::parse(&format!("http://{}", host(request)));
        (!public_url.is_mixed_content() && here.is_ok()).then_some(Self::Loopback)
    }

    /// The name of a cookie. By its prefix a browser takes it from this host alone, by https, for all paths: so no neighbour in
    /// the domain can put theirs there.
    const fn session(self) -> &'static str {
        match self {
            Self::Https => "__Host-lyceum",
            Self::Loopback => "lyceum",
        }
    }

    const fn asked(self) -> &'static str {
        match self {
            Self::Https => "__Host-lyceum-asked",
            Self::Loopback => "lyceum-asked",
        }
    }

    fn cookie(self, name: &'static str, value: &str, age: CookieAge) -> String {
        Cookie::build((name, value))
            .path("/")
            .http_only(true)
            .same_site(SameSite::Lax)
            .secure(self == Self::Https)
            .max_age(age)
            .to_string()
    }
}

fn host(request: &HttpRequest) -> String {
    let named = header_text(request, "host");
    named
        .or_else(|| request.uri().authority().map(ToString::to_string))
        .unwrap_or_default()
}

fn value(request: &HttpRequest, name: &str) -> Option<String> {
    let headers = request.headers().get_all(header::COOKIE);
    let sent = headers.filter_map(|sent| sent.to_str().ok());
    let cookies = sent.flat_map(Cookie::split_parse).filter_map(Result::ok);
    let mut named = cookies.filter(|cookie| cookie.name() == name);
    let only = named.next()?;
    // Two of one name were put there by two: neither is believed.
    named.next().is_none().then(|| only.value().to_owned())
}

/// The session that the page means which sent this, if it is one.
pub fn session(request: &HttpRequest, public_url: &RuntimeBaseUrl) -> Option<String> {
    let headers = request.headers();
    if headers.contains_key("x-api-key") || !headers.contains_key(MEANT) {
        return None;
    }
    value(request, Way::of(request, public_url)?.session())
}

/// Whether a page of ours sent this, or no page: nothing that a browser says of it says otherwise.
pub fn is_own_page(request: &HttpRequest, public_url: &RuntimeBaseUrl) -> bool {
    let site = header_text(request, "sec-fetch-site");
    let is_same_site = site.is_none_or(|site| site == "same-origin" || site == "none");
    let origin = header_text(request, "origin");
    is_same_site && origin.is_none_or(|origin| is_own(request, public_url, &origin))
}

/// Either the address that the operator gave, or the one that the browser asked.
fn is_own(request: &HttpRequest, public_url: &RuntimeBaseUrl, origin: &str) -> bool {
    let public = public_url.as_str();
    let (scheme, rest) = public.split_once("://").unwrap_or_default();
    let authority = rest.split('/').next().unwrap_or_default();
    origin == format!("{scheme}://{authority}") || origin == format!("{scheme}://{}", host(request))
}

/// The browser that somebody signs in with.
///
/// # Errors
/// [`Unauthenticated::Insecure`] where others could read along, [`Unauthenticated::CrossSite`] for a page of somebody else
pub fn browser(
    request: &HttpRequest,
    public_url: &RuntimeBaseUrl,
) -> Result<Browser, Unauthenticated> {
    if !is_own_page(request, public_url) {
        return Err(Unauthenticated::CrossSite);
    }
    returning(request, public_url)
}

/// The browser that somebody comes back with from elsewhere: whose page sent it there is told by what it holds alone.
///
/// # Errors
/// [`Unauthenticated::Insecure`] where others could read along
pub fn returning(
    request: &HttpRequest,
    public_url: &RuntimeBaseUrl,
) -> Result<Browser, Unauthenticated> {
    let way = Way::of(request, public_url).ok_or(Unauthenticated::Insecure)?;
    let held = value(request, way.session());
    let asked = value(request, way.asked());
    let said = request.headers().get(header::USER_AGENT);
    let said = said.and_then(|said| said.to_str().ok());
    Ok(Browser {
        device: devices::name_of(said.unwrap_or_default()),
        asked: asked.map(|secret| SecretHash::of(&secret)),
        session: held.and_then(|held| ApiKeySecret::parse(&held).ok()),
    })
}

/// What a browser holds that asked for a link before, if it is of ours.
pub fn held_by_who_asked(request: &HttpRequest, public_url: &RuntimeBaseUrl) -> Option<String> {
    let held = value(request, Way::of(request, public_url)?.asked())?;
    let is_ours = held.len() == 64 && held.bytes().all(|byte| byte.is_ascii_hexdigit());
    is_ours.then_some(held)
}

/// What a browser keeps that asked for a link: for as long as the link may wait.
pub fn asked(request: &HttpRequest, public_url: &RuntimeBaseUrl, held: &str) -> Option<String> {
    let way = Way::of(request, public_url)?;
    let age = CookieAge::try_from(LINK_LIFETIME).ok()?;
    Some(way.cookie(way.asked(), held, age))
}

/// What a browser keeps of a session that has begun: for as long as one can live, because the service says when it ends.
pub fn kept(request: &HttpRequest, public_url: &RuntimeBaseUrl, secret: &str) -> Option<String> {
    let way = Way::of(request, public_url)?;
    let age = CookieAge::try_from(LONGEST).ok()?;
    Some(way.cookie(way.session(), secret, age))
}

/// What has a browser forget its session.
pub fn forgotten(request: &HttpRequest, public_url: &RuntimeBaseUrl) -> Option<String> {
    let way = Way::of(request, public_url)?;
    Some(way.cookie(way.session(), "", CookieAge::ZERO))
}
