//! The binary, which cargo builds along with these tests, with the features that they all have: it is the one that
//! `tests/support/binary.rs` starts.
#![allow(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

use std::process::Command;

#[test]
fn it_says_what_it_is() {
    let output = Command::new(env!("CARGO_BIN_EXE_lyceum"))
        .arg("--version")
        .output()
        .unwrap();
    assert!(output.status.success(), "{output:?}");
    let said = String::from_utf8(output.stdout).unwrap();
    assert_eq!(said.trim(), concat!("lyceum ", env!("CARGO_PKG_VERSION")));
}
