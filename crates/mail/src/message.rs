//! A letter as a message: headers, and both texts.

use lettre::address::Envelope;
use lettre::message::header::{HeaderName, HeaderValue};
use lettre::message::{Mailbox, MultiPart};
use lettre::{Address, Message};
use lyceum_domain::ids::MailId;
use lyceum_domain::text::Email;
use url::Host;

use crate::templates::Written;

/// The address as it goes over the wire: a domain in any script becomes its ASCII form.
///
/// # Errors
/// If it is none that mail can go to.
pub fn address(email: &Email) -> Result<Address, String> {
    let (local, domain) = email.as_str().split_once('@').ok_or("no @")?;
    let domain = match Host::parse(domain) {
        Ok(Host::Domain(domain)) => domain,
        // An address in brackets, which nobody has who signs up.
        Ok(Host::Ipv4(_) | Host::Ipv6(_)) | Err(_) => return Err("no domain".to_owned()),
    };
    Address::new(local, domain).map_err(|error| error.to_string())
}

/// The message, and between whom it goes.
///
/// # Errors
/// If none can be made of it.
pub fn message(
    id: MailId,
    from: &Mailbox,
    to: Address,
    written: Written,
) -> Result<(Envelope, Vec<u8>), String> {
    let mut begun = Message::builder();
    if let Some(place) = &written.unsubscribe {
        // A page and no button (RFC 2369): whoever switches it off there is signed in.
        begun = begun.raw_header(raw("List-Unsubscribe", &format!("<{place}>")));
    }
    let whole = begun
        .message_id(Some(format!("<{id}@{}>", from.email.domain())))
        .from(from.clone())
        .to(Mailbox::new(None, to))
        .subject(written.subject)
        .raw_header(raw("Auto-Submitted", "auto-generated"))
        .raw_header(raw("X-Auto-Response-Suppress", "All"))
        .raw_header(raw("Content-Language", &written.language))
        .multipart(MultiPart::alternative_plain_html(
            written.text,
            written.html,
        ))
        .map_err(|error| error.to_string())?;
    Ok((whole.envelope().clone(), whole.formatted()))
}

/// A header of words that are ours.
fn raw(name: &'static str, value: &str) -> HeaderValue {
    let name = HeaderName::new_from_ascii_str(name);
    HeaderValue::new(name, value.to_owned())
}
