//! Turns what went wrong on the wire into one sentence for the owner of the endpoint.
//!
//! The sentence goes into a delivery log that strangers read: no address, no path, no library's
//! wording enters it.

use std::error::Error;
use std::io;

use lyceum_outbound::resolver::ResolveError;

/// The sentence for a failed exchange.
pub(crate) fn sentence(error: &reqwest::Error) -> &'static str {
    if let Some(resolving) = cause::<ResolveError>(error) {
        return match resolving {
            ResolveError::Unresolved(_) => "the receiver's name could not be resolved",
            ResolveError::Refused => {
                "the receiver's name leads to a network that must not be called this way"
            }
        };
    }
    if let Some(tls) = cause::<rustls::Error>(error) {
        return if matches!(tls, rustls::Error::InvalidCertificate(_)) {
            "the receiver's certificate was not accepted"
        } else {
            "no TLS connection could be made with the receiver"
        };
    }
    if error.is_timeout() {
        return "the receiver could not be connected to in time";
    }
    let refused = cause::<io::Error>(error)
        .is_some_and(|cause| cause.kind() == io::ErrorKind::ConnectionRefused);
    if refused {
        "the receiver refused the connection"
    } else if error.is_connect() {
        "the receiver could not be connected to"
    } else {
        "the receiver cut the connection or did not answer in HTTP"
    }
}

/// The first cause of type `T`. Looks into `io::Error`s too, whose `source` skips what they wrap.
fn cause<'e, T: Error + 'static>(error: &'e (dyn Error + 'static)) -> Option<&'e T> {
    let mut next = Some(error);
    while let Some(current) = next {
        if let Some(found) = current.downcast_ref() {
            return Some(found);
        }
        next = match current.downcast_ref().and_then(io::Error::get_ref) {
            Some(wrapped) => Some(wrapped),
            None => current.source(),
        };
    }
    None
}
