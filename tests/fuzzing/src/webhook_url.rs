//! Addresses of strangers: what may be called is no address of our own network, by a second reading of it.

use std::net::{IpAddr, Ipv4Addr, Ipv6Addr};
use std::sync::LazyLock;
use std::time::Duration;

use lyceum_outbound::{Guard, GuardSettings};
use url::{Host, Url};

static GUARD: LazyLock<Guard> = LazyLock::new(|| {
    Guard::new(GuardSettings {
        what: "webhooks",
        user_agent: "fuzz",
        allowed_cidrs: Vec::new(),
        require_https: true,
        connect_timeout: Duration::from_secs(1),
    })
});

pub fn fuzz(data: &[u8]) -> bool {
    let Ok(text) = std::str::from_utf8(data) else {
        return false;
    };
    let Ok(target) = GUARD.check(text) else {
        return false;
    };
    let url = &target.url;
    assert_eq!(url.scheme(), "https");
    assert!(
        url.username().is_empty() && url.password().is_none(),
        "{url}"
    );
    assert!(
        [80, 443, 8443].contains(&url.port_or_known_default().unwrap()),
        "{url}"
    );
    match url.host().unwrap() {
        Host::Ipv4(address) => assert!(is_public_v4(address), "{address}"),
        Host::Ipv6(address) => assert!(is_public_v6(address), "{address}"),
        Host::Domain(name) => {
            let name = name.trim_end_matches('.').to_ascii_lowercase();
            let top = name.rsplit_once('.').map(|(_, top)| top);
            // Anybody's name may begin like ours (`localhost.example.org`); where it leads is seen when it is resolved.
            assert!(top.is_some_and(|top| top != "localhost"), "{name}");
            // A name that reads as an address would be connected to without being resolved.
            assert!(name.parse::<IpAddr>().is_err(), "{name}");
        }
    }
    assert_eq!(
        Url::parse(url.as_str()).as_ref(),
        Ok(url),
        "it reads otherwise the second time"
    );
    true
}

/// By octets and by the standard library, where that knows; no table is shared with what is tested.
fn is_public_v4(address: Ipv4Addr) -> bool {
    let [a, b, c, _] = address.octets();
    let shared = a == 100 && (b & 0b1100_0000) == 64;
    let assigned_to_protocols = a == 192 && b == 0 && c == 0;
    let benchmarks = a == 198 && (b == 18 || b == 19);
    let relay = a == 192 && b == 88 && c == 99;
    let metadata = address.octets() == [168, 63, 129, 16];
    !(a == 0
        || a >= 224
        || shared
        || assigned_to_protocols
        || benchmarks
        || relay
        || metadata
        || address.is_private()
        || address.is_loopback()
        || address.is_link_local()
        || address.is_documentation())
}

fn is_public_v6(address: Ipv6Addr) -> bool {
    let [a, b, ..] = address.segments();
    let given_out = (0x2000..=0x3fff).contains(&a);
    let of_protocols = a == 0x2001 && b < 0x0200;
    let documentation = (a == 0x2001 && b == 0x0db8) || (a == 0x3fff && b < 0x1000);
    let carries_v4 = a == 0x2002;
    given_out && !of_protocols && !documentation && !carries_v4
}
