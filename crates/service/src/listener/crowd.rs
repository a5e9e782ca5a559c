//! Who is connected: how many from where, and no more than one address may have.

use std::collections::HashMap;
use std::net::IpAddr;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use lyceum_api::edge::rate_limit::household;
use prometheus::core::Collector;
use prometheus::{IntCounter, IntGauge};

/// Connections of one address where nothing else is said: a school has one, and its lessons begin on the hour.
const USUAL: usize = 1024;

/// How many connections one address may have.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum PerAddress {
    /// So many, whoever it is.
    AtMost(usize),
    /// As many as a school needs; from the machine itself, where proxies and tests are, any number.
    Usual,
    /// Any number: behind a proxy everybody comes from one address.
    Unlimited,
}

impl PerAddress {
    fn limit(self, address: IpAddr) -> usize {
        match self {
            Self::AtMost(most) => most,
            Self::Usual if address.is_loopback() => usize::MAX,
            Self::Usual => USUAL,
            Self::Unlimited => usize::MAX,
        }
    }
}

/// Everybody who is connected.
#[derive(Debug)]
pub struct Crowd {
    per_address: PerAddress,
    here: Mutex<HashMap<IpAddr, usize>>,
    open: IntGauge,
    refused: IntCounter,
    cut: IntCounter,
}

/// A connection's place, until it is dropped.
#[derive(Debug)]
pub struct Seat {
    crowd: Arc<Crowd>,
    address: IpAddr,
}

impl Crowd {
    /// Of nobody yet.
    ///
    /// # Errors
    /// Only if a name in here is not one that Prometheus takes.
    pub fn new(per_address: PerAddress) -> prometheus::Result<Self> {
        Ok(Self {
            per_address,
            here: Mutex::default(),
            open: IntGauge::new("lyceum_connections_open", "Connections of callers.")?,
            refused: IntCounter::new(
                "lyceum_connections_refused_total",
                "Connections that were closed because their address has too many.",
            )?,
            cut: IntCounter::new(
                "lyceum_slow_readers_total",
                "Connections that were cut because their callers did not read.",
            )?,
        })
    }

    /// What is to be registered.
    pub fn collectors(&self) -> Vec<Box<dyn Collector>> {
        vec![
            Box::new(self.open.clone()),
            Box::new(self.refused.clone()),
            Box::new(self.cut.clone()),
        ]
    }

    /// A place for one more connection from there; none if there are too many.
    pub fn seat(self: &Arc<Self>, peer: IpAddr) -> Option<Seat> {
        let limit = self.per_address.limit(peer.to_canonical());
        let address = household(peer);
        let mut here = self.here();
        let count = here.entry(address).or_default();
        if *count >= limit {
            drop(here);
            self.refused.inc();
            return None;
        }
        *count += 1;
        drop(here);
        self.open.inc();
        Some(Seat {
            crowd: Arc::clone(self),
            address,
        })
    }

    fn here(&self) -> MutexGuard<'_, HashMap<IpAddr, usize>> {
        self.here.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Seat {
    /// Counts that the connection was cut because its caller did not read.
    pub fn note_cut(&self) {
        self.crowd.cut.inc();
    }
}

impl Drop for Seat {
    fn drop(&mut self) {
        self.crowd.open.dec();
        let mut here = self.crowd.here();
        if let Some(count) = here.get_mut(&self.address) {
            *count = count.saturating_sub(1);
            if *count == 0 {
                here.remove(&self.address);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn crowd(per_address: PerAddress) -> Arc<Crowd> {
        Arc::new(Crowd::new(per_address).unwrap())
    }

    fn ip(text: &str) -> IpAddr {
        text.parse().unwrap()
    }

    #[test]
    fn an_address_that_has_enough_waits_until_one_of_its_own_leaves() {
        let crowd = crowd(PerAddress::AtMost(2));
        let first = crowd.seat(ip("192.0.2.1")).unwrap();
        let _second = crowd.seat(ip("192.0.2.1")).unwrap();
        assert!(crowd.seat(ip("192.0.2.1")).is_none());
        assert!(crowd.seat(ip("::ffff:192.0.2.1")).is_none(), "the same one");
        let _other = crowd.seat(ip("192.0.2.2")).unwrap();
        drop(first);
        assert!(crowd.seat(ip("192.0.2.1")).is_some());
        assert_eq!(crowd.refused.get(), 2);
    }

    #[test]
    fn a_whole_network_of_one_subscriber_is_one_address() {
        let crowd = crowd(PerAddress::AtMost(1));
        let _one = crowd.seat(ip("2001:db8:1:2::1")).unwrap();
        assert!(crowd.seat(ip("2001:db8:1:2:ffff::9")).is_none());
        assert!(crowd.seat(ip("2001:db8:1:3::1")).is_some());
    }

    #[test]
    fn nothing_is_remembered_of_who_is_gone() {
        let crowd = crowd(PerAddress::Usual);
        let seats: Vec<Seat> = (0..=255)
            .filter_map(|last| crowd.seat(IpAddr::from([192, 0, 2, last])))
            .collect();
        assert_eq!((seats.len(), crowd.open.get()), (256, 256));
        drop(seats);
        assert!(crowd.here().is_empty());
        assert_eq!(crowd.open.get(), 0);
    }

    #[test]
    fn the_machine_itself_is_counted_only_where_that_is_asked_for() {
        for local in ["127.0.0.1", "::1", "::ffff:127.0.0.1"] {
            let address = ip(local).to_canonical();
            assert_eq!(PerAddress::Usual.limit(address), usize::MAX, "{local}");
            assert_eq!(PerAddress::AtMost(3).limit(address), 3, "{local}");
        }
        assert_eq!(PerAddress::Usual.limit(ip("192.0.2.1")), USUAL);
        assert_eq!(PerAddress::Unlimited.limit(ip("192.0.2.1")), usize::MAX);
    }
}
