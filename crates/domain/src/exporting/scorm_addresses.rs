//! Addresses around a SCORM package: where its service is, and where the LMS is that plays it.

use std::net::{Ipv4Addr, Ipv6Addr};

use crate::InvalidValue;

/// Absolute http(s) address of the live service, without credentials, query, fragment or trailing slash.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RuntimeBaseUrl(String);

impl RuntimeBaseUrl {
    /// Checks the form.
    pub fn parse(text: &str) -> Result<Self, InvalidValue> {
        let wrong = || InvalidValue::new("must be an absolute http or https address");
        let (_, rest) = scheme_of(text).ok_or_else(wrong)?;
        let authority = rest.split('/').next().unwrap_or_default();
        let plain = text.len() <= 2_000
            && text
                .chars()
                .all(|c| c.is_ascii_graphic() && !"\"'<>\\^`{|}?#@".contains(c));
        if plain && Authority::parse(authority).is_some() {
            Ok(Self(text.trim_end_matches('/').to_owned()))
        } else {
            Err(wrong())
        }
    }

    /// The address.
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// Whether a page that came by https could not call it: browsers block that, but for their own machine.
    pub fn is_mixed_content(&self) -> bool {
        let authority = self.0.strip_prefix("http://").and_then(|rest| {
            let authority = rest.split('/').next().unwrap_or_default();
            Authority::parse(authority)
        });
        authority.is_some_and(|authority| !authority.is_loopback())
    }
}

/// Where an LMS is, as browsers write it: `https://host[:port]`, or `null` inside a sandbox.
///
/// Plain http is an origin on one's own machine only: elsewhere anybody on the way could be it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LmsOrigin(String);

impl LmsOrigin {
    /// Reads one: in lower case, without the port that goes without saying.
    pub fn parse(text: &str) -> Result<Self, InvalidValue> {
        let wrong = || InvalidValue::new("must be an origin such as https://lms.example, or null");
        if text == "null" {
            return Ok(Self(text.to_owned()));
        }
        if text.len() > 300 {
            return Err(wrong());
        }
        let text = text.to_ascii_lowercase();
        let (scheme, rest) = scheme_of(&text).ok_or_else(wrong)?;
        let authority = Authority::parse(rest).ok_or_else(wrong)?;
        let usual = match scheme {
            Scheme::Https => 443,
            Scheme::Http if authority.is_loopback() => 80,
            Scheme::Http => return Err(wrong()),
        };
        let host = authority.host;
        Ok(Self(match authority.port {
            Some(port) if port != usual => format!("{}://{host}:{port}", scheme.as_str()),
            Some(_) | None => format!("{}://{host}", scheme.as_str()),
        }))
    }

    /// The origin.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

#[derive(Debug, Clone, Copy)]
enum Scheme {
    Http,
    Https,
}

impl Scheme {
    const fn as_str(self) -> &'static str {
        match self {
            Self::Http => "http",
            Self::Https => "https",
        }
    }
}

fn scheme_of(text: &str) -> Option<(Scheme, &str)> {
    let secure = text.strip_prefix("https://");
    let secure = secure.map(|rest| (Scheme::Https, rest));
    secure.or_else(|| {
        text.strip_prefix("http://")
            .map(|rest| (Scheme::Http, rest))
    })
}

/// A host, and a port if one is named (RFC 3986, section 3.2; names as DNS has them).
struct Authority<'a> {
    host: &'a str,
    port: Option<u16>,
}

impl<'a> Authority<'a> {
    fn parse(text: &'a str) -> Option<Self> {
        let (host, port) = match text.rsplit_once(':') {
            Some((host, port)) if !port.ends_with(']') => (host, Some(port)),
            Some(_) | None => (text, None),
        };
        let port = match port {
            Some(digits) if digits.bytes().all(|b| b.is_ascii_digit()) => {
                Some(digits.parse::<u16>().ok().filter(|port| *port > 0)?)
            }
            Some(_) => return None,
            None => None,
        };
        let inner = host
            .strip_prefix('[')
            .and_then(|rest| rest.strip_suffix(']'));
        let named = match inner {
            Some(address) => address.parse::<Ipv6Addr>().is_ok(),
            None => host.len() <= 253 && host.trim_end_matches('.').split('.').all(is_label),
        };
        named.then_some(Self { host, port })
    }

    /// Whether it is the machine that asks: what browsers take for secure without https.
    fn is_loopback(&self) -> bool {
        let bare = self.host.trim_matches(['[', ']']);
        let v4 = bare.parse::<Ipv4Addr>().is_ok_and(|it| it.is_loopback());
        let v6 = bare.parse::<Ipv6Addr>().is_ok_and(|it| it.is_loopback());
        let name = bare.to_ascii_lowercase();
        v4 || v6 || name == "localhost" || name.ends_with(".localhost")
    }
}

fn is_label(label: &str) -> bool {
    let allowed = |b: u8| b.is_ascii_alphanumeric() || b == b'-' || b == b'_';
    (1..=63).contains(&label.len()) && label.bytes().all(allowed)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_runtime_address_is_absolute_and_plain() {
        for (given, kept) in [
            ("https://lms.example/p/", "https://lms.example/p"),
            ("http://127.0.0.1:8080/", "http://127.0.0.1:8080"),
            ("http://[::1]:8080", "http://[::1]:8080"),
            ("https://h:65535", "https://h:65535"),
        ] {
            assert_eq!(RuntimeBaseUrl::parse(given).unwrap().as_str(), kept);
        }
        for wrong in [
            "",
            "/v1",
            "javascript:alert(1)",
            "ftp://x",
            "http://",
            "https://",
            "https://:80",
            "https:///path",
            "https://h:",
            "https://h:0",
            "https://h:65536",
            "https://h:8a",
            "https://u@h",
            "https://u:p@h",
            "https://h?q",
            "https://h#f",
            "https://h/<x>",
            "https://h /x",
            " https://h",
            "https://h\u{e9}.example",
            "https://a..b",
            "https://.b",
            "https://[::1",
            "https://[nonsense]",
        ] {
            assert!(RuntimeBaseUrl::parse(wrong).is_err(), "{wrong}");
        }
    }

    #[test]
    fn plain_http_is_mixed_content_but_on_ones_own_machine() {
        let mixed = |text: &str| RuntimeBaseUrl::parse(text).unwrap().is_mixed_content();
        assert!(mixed("http://lms.example/base"));
        assert!(mixed("http://10.0.0.1:8080"));
        for fine in [
            "https://lms.example",
            "http://localhost:8080",
            "http://app.localhost",
            "http://127.0.0.1:8080/x",
            "http://[::1]",
        ] {
            assert!(!mixed(fine), "{fine}");
        }
    }

    #[test]
    fn an_origin_is_read_as_browsers_write_it() {
        for (given, kept) in [
            ("https://LMS.example", "https://lms.example"),
            ("https://lms.example:443", "https://lms.example"),
            ("https://lms.example:8443", "https://lms.example:8443"),
            ("http://localhost:8080", "http://localhost:8080"),
            ("http://127.0.0.1:80", "http://127.0.0.1"),
            ("null", "null"),
        ] {
            assert_eq!(LmsOrigin::parse(given).unwrap().as_str(), kept);
        }
        for wrong in [
            "",
            "*",
            "NULL",
            "lms.example",
            "http://lms.example",
            "https://lms.example/",
            "https://lms.example/path",
            "https://*.lms.example",
            "https://u@lms.example",
            "https://lms.example?q",
            "https://",
            "https://:443",
        ] {
            assert!(LmsOrigin::parse(wrong).is_err(), "{wrong}");
        }
    }
}
