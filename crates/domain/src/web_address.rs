//! Addresses on the web that people name: where work that was handed in lies, and where events are told.

use std::fmt;

use crate::InvalidValue;

/// An address, http or https, of one line.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct WebAddress(String);

impl WebAddress {
    /// Reads what somebody names. Whether it may be called is for whoever calls it to decide.
    pub fn parse(text: String) -> Result<Self, InvalidValue> {
        let scheme = text.split_once("://").map(|(scheme, _)| scheme);
        let is_web = scheme.is_some_and(|scheme| {
            scheme.eq_ignore_ascii_case("http") || scheme.eq_ignore_ascii_case("https")
        });
        if !is_web || text.chars().any(|c| c.is_whitespace() || c.is_control()) {
            return Err(InvalidValue::new("must be an http or https address"));
        }
        Ok(Self(text))
    }

    /// One that was accepted once, by whatever rule there was then.
    pub const fn accepted(text: String) -> Self {
        Self(text)
    }

    /// The address.
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// Scheme, host and port of it: what may be told to those who need not know what secrets its other parts hold.
    pub fn origin(&self) -> String {
        let (scheme, rest) = self.0.split_once("://").unwrap_or(("", &self.0));
        let authority = rest.split(['/', '?', '#']).next().unwrap_or_default();
        let host = authority.rsplit('@').next().unwrap_or_default();
        format!("{scheme}://{host}")
    }
}

impl fmt::Display for WebAddress {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_address_is_of_the_web_and_of_one_line() {
        for good in [
            "https://work.example/essay?v=1#top",
            "HTTP://127.0.0.1:9/hook",
        ] {
            assert_eq!(WebAddress::parse(good.to_owned()).unwrap().as_str(), good);
        }
        for bad in [
            "",
            "work.example",
            "ftp://work.example",
            "https://a b",
            "https://a\n",
            "http:x",
        ] {
            assert!(WebAddress::parse(bad.to_owned()).is_err(), "{bad:?}");
        }
    }

    #[test]
    fn of_an_address_the_secret_parts_stay_away() {
        let address = "https://user:pass@hooks.example.org:8443/T0KEN?key=1#x";
        let address = WebAddress::accepted(address.to_owned());
        assert_eq!(address.origin(), "https://hooks.example.org:8443");
    }
}
