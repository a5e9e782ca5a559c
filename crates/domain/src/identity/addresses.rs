//! Where a key may be used from: networks of addresses.

use std::fmt;
use std::net::IpAddr;

use crate::{Invalid, InvalidValue};

/// A network, written `10.0.0.0/8` or `2001:db8::/32`. What IPv6 says of IPv4 is IPv4 here.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Network {
    address: IpAddr,
    prefix: u8,
}

/// How many bits of an IPv6 address stand before the IPv4 address that is mapped into it.
const MAPPED: u8 = 96;

const fn width(address: IpAddr) -> u8 {
    match address {
        IpAddr::V4(_) => 32,
        IpAddr::V6(_) => 128,
    }
}

/// The bits of an address, from the first bit of 128 on.
fn bits(address: IpAddr) -> u128 {
    match address {
        IpAddr::V4(address) => u128::from(u32::from(address)) << MAPPED,
        IpAddr::V6(address) => u128::from(address),
    }
}

impl Network {
    /// Reads a network, or a single address, which is a network of its own.
    ///
    /// # Errors
    /// [`InvalidValue`], also for one whose address says more than its prefix: whoever wrote it meant something else.
    pub fn parse(text: &str) -> Result<Self, InvalidValue> {
        let wrong = || InvalidValue::new("must be an address, or a network such as 10.0.0.0/8");
        let (address, prefix) = match text.split_once('/') {
            Some((address, prefix)) => (address, Some(prefix)),
            None => (text, None),
        };
        let address: IpAddr = address.parse().map_err(|_| wrong())?;
        let is_number = |text: &str| text.bytes().all(|byte| byte.is_ascii_digit());
        let prefix = match prefix {
            Some(prefix) if is_number(prefix) => prefix.parse().map_err(|_| wrong())?,
            Some(_) => return Err(wrong()),
            None => width(address),
        };
        if prefix > width(address) {
            return Err(wrong());
        }
        let network = Self { address, prefix }.canonical();
        if bits(network.address) & !network.mask() != 0 {
            let problem = "has an address beyond its prefix; the rest of it must be zero";
            return Err(InvalidValue::new(problem));
        }
        Ok(network)
    }

    /// Where an address is, no more exactly than is needed to know it again: an IPv4 address, and of IPv6 the network of a
    /// subscriber, because the rest of it follows a machine from place to place.
    pub fn around(address: IpAddr) -> Self {
        let address = address.to_canonical();
        let prefix = width(address).min(64);
        let around = Self { address, prefix };
        match address {
            IpAddr::V4(_) => around,
            IpAddr::V6(_) => Self {
                address: IpAddr::V6((bits(address) & around.mask()).into()),
                prefix,
            },
        }
    }

    /// As it is shown where an address is meant: without the prefix where it is a single one.
    pub fn as_place(&self) -> String {
        if self.prefix == width(self.address) {
            self.address.to_string()
        } else {
            self.to_string()
        }
    }

    fn canonical(self) -> Self {
        match (self.address.to_canonical(), self.prefix.checked_sub(MAPPED)) {
            (address @ IpAddr::V4(_), Some(prefix)) if self.address.is_ipv6() => {
                Self { address, prefix }
            }
            _ => self,
        }
    }

    fn mask(self) -> u128 {
        let rest = 128 - u32::from(self.prefix);
        u128::MAX.checked_shl(rest).unwrap_or(0)
    }

    /// Whether an address is in it.
    pub fn contains(&self, address: IpAddr) -> bool {
        let address = address.to_canonical();
        let is_alike = self.address.is_ipv4() == address.is_ipv4();
        is_alike && (bits(address) ^ bits(self.address)) & self.mask() == 0
    }
}

impl fmt::Display for Network {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}/{}", self.address, self.prefix)
    }
}

/// Where a key may be used from; from anywhere when it is empty.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct AllowedAddresses(Vec<Network>);

impl AllowedAddresses {
    /// Most networks of a key.
    pub const MOST: usize = 50;

    /// Reads a list of networks; none may be used from anywhere.
    ///
    /// # Errors
    /// [`Invalid`] at the entry of `field`.
    pub fn parse<'a>(
        field: &str,
        networks: impl IntoIterator<Item = &'a str>,
    ) -> Result<Self, Invalid> {
        let mut all = Vec::new();
        for (place, text) in networks.into_iter().enumerate() {
            let network = Network::parse(text)
                .map_err(|wrong| Invalid::new(format!("{field}[{place}]"), wrong.0))?;
            if !all.contains(&network) {
                all.push(network);
            }
        }
        if all.len() > Self::MOST {
            let problem = format!("must name at most {} networks", Self::MOST);
            return Err(Invalid::new(field, problem));
        }
        Ok(Self(all))
    }

    /// Whether a key may be used from there. From nowhere that is known only if it may be from anywhere.
    pub fn allow(&self, address: Option<IpAddr>) -> bool {
        let is_in = |address| self.0.iter().any(|network| network.contains(address));
        self.0.is_empty() || address.is_some_and(is_in)
    }

    /// The networks, as they were given.
    pub fn iter(&self) -> impl Iterator<Item = Network> + '_ {
        self.0.iter().copied()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn allowed(networks: &[&str]) -> AllowedAddresses {
        AllowedAddresses::parse("allowed", networks.iter().copied()).unwrap()
    }

    fn from(address: &str) -> IpAddr {
        address.parse().unwrap()
    }

    #[test]
    fn a_network_has_what_shares_its_prefix() {
        let allowed = allowed(&["10.0.0.0/8", "2001:db8::/32", "192.0.2.7"]);
        for inside in [
            "10.0.0.0",
            "10.255.255.255",
            "2001:db8:ffff::1",
            "192.0.2.7",
        ] {
            assert!(allowed.allow(Some(from(inside))), "{inside}");
        }
        for outside in [
            "9.255.255.255",
            "11.0.0.0",
            "2001:db9::1",
            "192.0.2.8",
            "::",
        ] {
            assert!(!allowed.allow(Some(from(outside))), "{outside}");
        }
        assert!(!allowed.allow(None), "nobody knows from where");
    }

    #[test]
    fn addresses_that_are_mapped_are_what_they_map() {
        for network in ["10.0.0.0/8", "::ffff:10.0.0.0/104"] {
            let allowed = allowed(&[network]);
            assert_eq!(allowed.iter().next().unwrap().to_string(), "10.0.0.0/8");
            assert!(
                allowed.allow(Some(from("10.1.2.3")))
                    && allowed.allow(Some(from("::ffff:10.1.2.3")))
            );
            assert!(
                !allowed.allow(Some(from("::10.1.2.3")))
                    && !allowed.allow(Some(from("::ffff:11.0.0.1")))
            );
        }
        // Everything of IPv6 is nothing of IPv4.
        assert!(!allowed(&["::/0"]).allow(Some(from("10.1.2.3"))));
        assert!(!allowed(&["::/0"]).allow(Some(from("::ffff:10.1.2.3"))));
        assert!(!allowed(&["0.0.0.0/0"]).allow(Some(from("2001:db8::1"))));
        assert!(allowed(&["0.0.0.0/0"]).allow(Some(from("::ffff:10.1.2.3"))));
    }

    #[test]
    fn a_place_is_an_address_or_a_subscribers_network() {
        for (address, place) in [
            ("203.0.113.7", "203.0.113.7"),
            ("::ffff:203.0.113.7", "203.0.113.7"),
            ("2001:db8:1:2:3:4:5:6", "2001:db8:1:2::/64"),
        ] {
            let around = Network::around(address.parse().unwrap());
            assert_eq!(around.as_place(), place);
            assert_eq!(Network::parse(&around.to_string()).unwrap(), around);
        }
    }

    #[test]
    fn without_any_it_is_anywhere() {
        assert!(allowed(&[]).allow(None) && allowed(&[]).allow(Some(from("10.1.2.3"))));
    }

    #[test]
    fn what_is_no_network_is_refused_at_its_place() {
        for wrong in [
            "",
            "10.0.0.0/33",
            "10.0.0.0/",
            "10.0.0.0/+8",
            "10.0.0.1/8",
            "2001:db8::1/32",
            "::/129",
            "10.0.0/8",
            "example.org",
            "10.0.0.0/8/8",
            " 10.0.0.0/8",
            "::ffff:10.0.0.1/104",
        ] {
            let refused = AllowedAddresses::parse("allowed", ["10.0.0.0/8", wrong]).unwrap_err();
            assert_eq!(refused.field, "allowed[1]", "{wrong}");
        }
        let many: Vec<String> = (0..51).map(|n| format!("10.0.0.{n}")).collect();
        let many = many.iter().map(String::as_str);
        assert_eq!(
            AllowedAddresses::parse("allowed", many).unwrap_err().field,
            "allowed"
        );
        let same = ["10.0.0.0/8"; 60];
        assert_eq!(allowed(&same).iter().count(), 1);
    }

    proptest! {
        #[test]
        fn what_is_shown_reads_back(address: IpAddr, prefix in 0_u8..=128) {
            prop_assume!(address == address.to_canonical());
            let prefix = prefix.min(width(address));
            let bare = bits(address) & Network { address, prefix }.mask();
            let bare: IpAddr = match address {
                IpAddr::V4(_) => IpAddr::V4(u32::try_from(bare >> MAPPED).unwrap().into()),
                IpAddr::V6(_) => IpAddr::V6(bare.into()),
            };
            let text = format!("{bare}/{prefix}");
            let read = Network::parse(&text).unwrap();
            prop_assert_eq!(read.to_string(), text);
            prop_assert!(read.contains(address) && read.contains(bare));
        }
    }
}
