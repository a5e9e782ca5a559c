//! Which IP addresses a stranger may have us call.
//!
//! The standard library's `is_private` and its like do not know 100.64/10, 192.0.0/24, 198.18/15,
//! 0/8, 240/4, 6to4 or NAT64, so the table is our own. Sources: the IANA special-purpose registries
//! for [IPv4] and [IPv6], RFC 6890, RFC 4291.
//!
//! Only addresses enter this room; names are for `resolver`, URLs for `target`.
//!
//! [IPv4]: https://www.iana.org/assignments/iana-ipv4-special-registry/
//! [IPv6]: https://www.iana.org/assignments/iana-ipv6-special-registry/

use std::net::{IpAddr, Ipv4Addr, Ipv6Addr};

use ipnet::{IpNet, Ipv4Net, Ipv6Net};

/// What may be done with an address.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Verdict {
    /// An address of the public Internet.
    Public,
    /// An address the operator named: any port, any scheme.
    Listed,
    /// Must not be called; the words say what it is, such as "a private network".
    Refused(&'static str),
}

/// The rules for addresses: the public Internet, and what the operator named.
#[derive(Debug, Clone, Default)]
pub struct AddressPolicy {
    listed: Vec<IpNet>,
}

impl AddressPolicy {
    /// Lifts the rules for exactly the networks in `listed`; a cloud's metadata service stays
    /// refused whatever they say.
    pub fn new(listed: Vec<IpNet>) -> Self {
        Self { listed }
    }

    /// Judges one address.
    pub fn judge(&self, address: IpAddr) -> Verdict {
        if is_metadata_service(address) {
            return Verdict::Refused(METADATA);
        }
        if self.listed.iter().any(|network| network.contains(&address)) {
            return Verdict::Listed;
        }
        match special_range(address) {
            Some(what) => Verdict::Refused(what),
            None => Verdict::Public,
        }
    }

    /// Whether the operator named any network at all.
    pub fn lists_anything(&self) -> bool {
        !self.listed.is_empty()
    }

    /// Whether the operator named any part of this machine's own loopback.
    pub fn lists_loopback(&self) -> bool {
        self.listed.iter().any(|network| match network {
            IpNet::V4(v4) => overlap_v4(*v4, LOOPBACK_V4),
            IpNet::V6(v6) => v6.contains(&Ipv6Addr::LOCALHOST),
        })
    }
}

const METADATA: &str = "a cloud metadata service";
const PRIVATE: &str = "a private network";
const LOOPBACK: &str = "this machine";
const LINK_LOCAL: &str = "the local link";
const RESERVED: &str = "a reserved range";
const DOCUMENTATION: &str = "a range for documentation";
const MULTICAST: &str = "a multicast group";
const TRANSITION: &str = "an IPv4 address in disguise";

const LOOPBACK_V4: Ipv4Net = v4([127, 0, 0, 0], 8);

/// IPv4 ranges that are not of the public Internet.
const SPECIAL_V4: &[(Ipv4Net, &str)] = &[
    (v4([0, 0, 0, 0], 8), RESERVED),
    (v4([10, 0, 0, 0], 8), PRIVATE),
    // Shared by carriers (CGNAT) and by overlay networks such as Tailscale.
    (v4([100, 64, 0, 0], 10), PRIVATE),
    (LOOPBACK_V4, LOOPBACK),
    (v4([169, 254, 0, 0], 16), LINK_LOCAL),
    (v4([172, 16, 0, 0], 12), PRIVATE),
    (v4([192, 0, 0, 0], 24), RESERVED),
    (v4([192, 0, 2, 0], 24), DOCUMENTATION),
    (v4([192, 88, 99, 0], 24), TRANSITION),
    (v4([192, 168, 0, 0], 16), PRIVATE),
    (v4([198, 18, 0, 0], 15), RESERVED),
    (v4([198, 51, 100, 0], 24), DOCUMENTATION),
    (v4([203, 0, 113, 0], 24), DOCUMENTATION),
    (v4([224, 0, 0, 0], 4), MULTICAST),
    (v4([240, 0, 0, 0], 4), RESERVED),
];

/// The one block from which IPv6 addresses of the public Internet are given out.
const GLOBAL_UNICAST: Ipv6Net = v6([0x2000, 0, 0, 0, 0, 0, 0, 0], 3);

/// IPv6 ranges that are not of the public Internet; what lies outside `2000::/3` and is not named here
/// is refused as reserved.
const SPECIAL_V6: &[(Ipv6Net, &str)] = &[
    (v6([0, 0, 0, 0, 0, 0, 0, 1], 128), LOOPBACK),
    (v6([0, 0, 0, 0, 0, 0, 0, 0], 128), RESERVED),
    // IPv4-compatible, -mapped and -translated.
    (v6([0, 0, 0, 0, 0, 0, 0, 0], 96), TRANSITION),
    (v6([0, 0, 0, 0, 0, 0xffff, 0, 0], 96), TRANSITION),
    (v6([0, 0, 0, 0, 0xffff, 0, 0, 0], 96), TRANSITION),
    // NAT64, well-known and local.
    (v6([0x64, 0xff9b, 0, 0, 0, 0, 0, 0], 96), TRANSITION),
    (v6([0x64, 0xff9b, 1, 0, 0, 0, 0, 0], 48), TRANSITION),
    // Discard-only.
    (v6([0x100, 0, 0, 0, 0, 0, 0, 0], 64), RESERVED),
    // Teredo, then the rest of the IETF's own block (benchmarking, ORCHID, ORCHIDv2, anycast).
    (v6([0x2001, 0, 0, 0, 0, 0, 0, 0], 32), TRANSITION),
    (v6([0x2001, 0, 0, 0, 0, 0, 0, 0], 23), RESERVED),
    (v6([0x2001, 0xdb8, 0, 0, 0, 0, 0, 0], 32), DOCUMENTATION),
    // 6to4.
    (v6([0x2002, 0, 0, 0, 0, 0, 0, 0], 16), TRANSITION),
    (v6([0x3fff, 0, 0, 0, 0, 0, 0, 0], 20), DOCUMENTATION),
    (v6([0xfc00, 0, 0, 0, 0, 0, 0, 0], 7), PRIVATE),
    (v6([0xfe80, 0, 0, 0, 0, 0, 0, 0], 10), LINK_LOCAL),
    // Site-local: deprecated, still routed by some.
    (v6([0xfec0, 0, 0, 0, 0, 0, 0, 0], 10), PRIVATE),
    (v6([0xff00, 0, 0, 0, 0, 0, 0, 0], 8), MULTICAST),
];

/// Services that hand out a machine's own credentials: AWS and most others, ECS, EKS, GCP, and
/// Azure's host service behind its public-looking address.
const METADATA_V4: &[Ipv4Addr] = &[
    Ipv4Addr::new(168, 63, 129, 16),
    Ipv4Addr::new(169, 254, 169, 254),
    Ipv4Addr::new(169, 254, 170, 2),
    Ipv4Addr::new(169, 254, 170, 23),
];
const METADATA_V6: &[Ipv6Addr] = &[
    Ipv6Addr::new(0xfd00, 0xec2, 0, 0, 0, 0, 0, 0x254),
    Ipv6Addr::new(0xfd00, 0xec2, 0, 0, 0, 0, 0, 0x23),
    Ipv6Addr::new(0xfd20, 0xce, 0, 0, 0, 0, 0, 0x254),
];

const fn v4([a, b, c, d]: [u8; 4], prefix: u8) -> Ipv4Net {
    Ipv4Net::new_assert(Ipv4Addr::new(a, b, c, d), prefix)
}

const fn v6([s0, s1, s2, s3, s4, s5, s6, s7]: [u16; 8], prefix: u8) -> Ipv6Net {
    Ipv6Net::new_assert(Ipv6Addr::new(s0, s1, s2, s3, s4, s5, s6, s7), prefix)
}

fn overlap_v4(one: Ipv4Net, other: Ipv4Net) -> bool {
    one.contains(&other) || other.contains(&one)
}

/// What kind of special range the address lies in; `None` for the public Internet.
fn special_range(address: IpAddr) -> Option<&'static str> {
    match address {
        IpAddr::V4(v4) => named(
            SPECIAL_V4
                .iter()
                .map(|(net, what)| (net.contains(&v4), *what)),
        ),
        IpAddr::V6(v6) => named(
            SPECIAL_V6
                .iter()
                .map(|(net, what)| (net.contains(&v6), *what)),
        )
        .or_else(|| (!GLOBAL_UNICAST.contains(&v6)).then_some(RESERVED)),
    }
}

fn named(mut rows: impl Iterator<Item = (bool, &'static str)>) -> Option<&'static str> {
    rows.find_map(|(inside, what)| inside.then_some(what))
}

fn is_metadata_service(address: IpAddr) -> bool {
    match address {
        IpAddr::V4(v4) => METADATA_V4.contains(&v4),
        IpAddr::V6(v6) => {
            METADATA_V6.contains(&v6) || carried_v4(v6).iter().any(|v4| METADATA_V4.contains(v4))
        }
    }
}

/// The IPv4 addresses an IPv6 address may stand for: the last 32 bits (mapped, compatible,
/// translated, NAT64) and those after the prefix of 6to4.
fn carried_v4(address: Ipv6Addr) -> [Ipv4Addr; 2] {
    let [_, _, s0, s1, s2, s3, .., a, b, c, d] = address.octets();
    [Ipv4Addr::new(a, b, c, d), Ipv4Addr::new(s0, s1, s2, s3)]
}
