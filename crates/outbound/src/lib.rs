//! Requests to addresses that strangers chose, without letting them choose a target inside our own network.
//!
//! Four things together keep a request outside: the parsed address is checked, every resolved address is checked at
//! the moment of connecting, redirects are not followed, and no proxy is used. Leaving out any one of them opens the
//! others, so they are made in one piece: a [`Guard`]. What is asked for and what becomes of the answer is for those
//! who hold one.

pub mod address;
pub mod resolver;

mod guard;
mod target;

pub use guard::{Guard, GuardSettings, SetupError};
pub use target::{AddressRefused, Target};

#[cfg(test)]
mod tests {
    mod addresses;
}
