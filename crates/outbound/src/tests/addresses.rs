//! The table of ranges: first and last address of each, their neighbours, and what an operator lifts.

use std::net::{IpAddr, Ipv4Addr, Ipv6Addr};

use ipnet::{IpNet, Ipv4Net, Ipv6Net};
use proptest::prelude::*;
use rstest::rstest;

use crate::address::{AddressPolicy, Verdict};

fn judge(listed: &[&str], address: IpAddr) -> Verdict {
    AddressPolicy::new(listed.iter().map(|cidr| cidr.parse().unwrap()).collect()).judge(address)
}

fn is_refused(listed: &[&str], address: IpAddr) -> bool {
    matches!(judge(listed, address), Verdict::Refused(_))
}

/// Written down from the registries, independently of the table they test.
const REFUSED: &[&str] = &[
    "0.0.0.0/8",
    "10.0.0.0/8",
    "100.64.0.0/10",
    "127.0.0.0/8",
    "168.63.129.16/32",
    "169.254.0.0/16",
    "172.16.0.0/12",
    "192.0.0.0/24",
    "192.0.2.0/24",
    "192.88.99.0/24",
    "192.168.0.0/16",
    "198.18.0.0/15",
    "198.51.100.0/24",
    "203.0.113.0/24",
    "224.0.0.0/4",
    "240.0.0.0/4",
    "::/128",
    "::1/128",
    "::/96",
    "::ffff:0:0/96",
    "::ffff:0:0:0/96",
    "64:ff9b::/96",
    "64:ff9b:1::/48",
    "100::/64",
    "100:0:0:1::/64",
    "2001::/32",
    "2001:2::/48",
    "2001:10::/28",
    "2001:20::/28",
    "2001:db8::/32",
    "2002::/16",
    "3fff::/20",
    "4000::/3",
    "5f00::/16",
    "fc00::/7",
    "fd00:ec2::254/128",
    "fe80::/10",
    "fec0::/10",
    "ff00::/8",
];

#[test]
fn every_special_range_is_refused_from_end_to_end() {
    for text in REFUSED {
        let net: IpNet = text.parse().unwrap();
        for address in [net.network(), net.broadcast()] {
            assert!(is_refused(&[], address), "{address} of {text}");
        }
    }
}

#[rstest]
#[case("1.0.0.0")]
#[case("1.1.1.1")]
#[case("9.255.255.255")]
#[case("11.0.0.0")]
#[case("100.63.255.255")]
#[case("100.128.0.0")]
#[case("126.255.255.255")]
#[case("128.0.0.0")]
#[case("168.63.129.15")]
#[case("169.253.255.255")]
#[case("169.255.0.0")]
#[case("172.15.255.255")]
#[case("172.32.0.0")]
#[case("192.0.1.0")]
#[case("192.0.3.0")]
#[case("192.167.255.255")]
#[case("192.169.0.0")]
#[case("198.17.255.255")]
#[case("198.20.0.0")]
#[case("203.0.112.255")]
#[case("223.255.255.255")]
#[case("2000::1")]
#[case("2001:200::1")]
#[case("2001:4860:4860::8888")]
#[case("2003::1")]
#[case("2606:4700:4700::1111")]
#[case("2a00:1450::1")]
#[case("3ffe:ffff::1")]
fn the_neighbours_of_special_ranges_are_public(#[case] address: &str) {
    assert_eq!(judge(&[], address.parse().unwrap()), Verdict::Public);
}

#[test]
fn a_listed_network_is_lifted_and_nothing_beside_it() {
    let listed = ["10.20.0.0/16", "fd12:3456::/32"];
    for inside in ["10.20.0.1", "10.20.255.255", "fd12:3456::1"] {
        assert_eq!(
            judge(&listed, inside.parse().unwrap()),
            Verdict::Listed,
            "{inside}"
        );
    }
    for outside in [
        "10.19.255.255",
        "10.21.0.0",
        "127.0.0.1",
        "fd12:3457::1",
        "::ffff:10.20.0.1",
    ] {
        assert!(is_refused(&listed, outside.parse().unwrap()), "{outside}");
    }
    assert_eq!(judge(&listed, "1.1.1.1".parse().unwrap()), Verdict::Public);
}

#[rstest]
#[case("169.254.169.254")]
#[case("168.63.129.16")]
#[case("169.254.170.2")]
#[case("169.254.170.23")]
#[case("fd00:ec2::254")]
#[case("fd00:ec2::23")]
#[case("fd20:ce::254")]
#[case("::ffff:169.254.169.254")]
#[case("::169.254.169.254")]
#[case("::ffff:0:169.254.169.254")]
#[case("64:ff9b::169.254.169.254")]
#[case("64:ff9b:1::169.254.169.254")]
#[case("2002:a9fe:a9fe::1")]
fn no_list_lifts_a_metadata_service(#[case] address: &str) {
    let address: IpAddr = address.parse().unwrap();
    let own = IpNet::from(address).to_string();
    assert!(is_refused(&["0.0.0.0/0", "::/0", &own], address));
}

#[test]
fn loopback_is_listed_by_any_network_that_meets_it() {
    let lists = |cidr: &str| AddressPolicy::new(vec![cidr.parse().unwrap()]).lists_loopback();
    assert!(
        lists("127.0.0.0/8") && lists("127.0.0.1/32") && lists("0.0.0.0/0") && lists("::1/128")
    );
    assert!(!lists("10.0.0.0/8") && !lists("fd00::/8"));
}

/// An address of `net` chosen by `host`.
fn inside(net: &IpNet, host: u128) -> IpAddr {
    match net {
        IpNet::V4(v4) => {
            let host = u32::try_from(host & u128::from(u32::MAX)).unwrap();
            let bits = u32::from(v4.network()) | (host & u32::from(v4.hostmask()));
            IpAddr::V4(Ipv4Addr::from(bits))
        }
        IpNet::V6(v6) => {
            let bits = u128::from(v6.network()) | (host & u128::from(v6.hostmask()));
            IpAddr::V6(Ipv6Addr::from(bits))
        }
    }
}

proptest! {
    #[test]
    fn any_address_of_a_special_range_is_refused(at in 0..REFUSED.len(), host in any::<u128>()) {
        let net: IpNet = REFUSED[at].parse().unwrap();
        prop_assert!(is_refused(&[], inside(&net, host)));
    }

    #[test]
    fn any_address_outside_global_unicast_is_refused(bits in any::<u128>()) {
        let global: Ipv6Net = "2000::/3".parse().unwrap();
        let address = Ipv6Addr::from(bits);
        prop_assume!(!global.contains(&address));
        prop_assert!(is_refused(&[], IpAddr::V6(address)));
    }

    #[test]
    fn no_ipv4_address_gets_through_in_disguise(bits in any::<u32>()) {
        let v4 = Ipv4Addr::from(bits);
        let nat64 = u128::from("64:ff9b::".parse::<Ipv6Addr>().unwrap()) | u128::from(bits);
        let six_to_four = (0x2002_u128 << 112) | (u128::from(bits) << 80) | 1;
        let disguises = [
            v4.to_ipv6_mapped(),
            Ipv6Addr::from(u128::from(bits)),
            Ipv6Addr::from(nat64),
            Ipv6Addr::from(six_to_four),
        ];
        for disguise in disguises {
            prop_assert!(is_refused(&["0.0.0.0/0"], IpAddr::V6(disguise)), "{disguise}");
        }
    }

    #[test]
    fn one_listed_address_is_one_address(bits in 0x0a00_0000_u32..0x0aff_ffff) {
        let (one, next) = (Ipv4Addr::from(bits), Ipv4Addr::from(bits + 1));
        let policy = AddressPolicy::new(vec![IpNet::V4(Ipv4Net::from(one))]);
        prop_assert_eq!(policy.judge(IpAddr::V4(one)), Verdict::Listed);
        prop_assert!(matches!(policy.judge(IpAddr::V4(next)), Verdict::Refused(_)));
    }
}
