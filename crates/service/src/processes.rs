//! Which process this is, so that another on the same machine can tell whether it is still there.
//!
//! A number alone says nothing: numbers are given again, and each container counts its own. What is told here is the run
//! of the machine, the space in which the number counts, the number, and when the process began.

use std::fs;

/// What this process is called, where the system tells.
pub fn own() -> Option<String> {
    let number = std::process::id().to_string();
    let began = began(&number)?;
    Some(format!("{} {number} {began}", space()?))
}

/// Whether the process of this name lives; nothing where it cannot be seen from here.
pub fn lives(name: &str) -> Option<bool> {
    let (rest, then) = name.rsplit_once(' ')?;
    let (place, number) = rest.rsplit_once(' ')?;
    (place == space()?).then(|| began(number).is_some_and(|now| now == then))
}

/// This run of this machine, and the space of numbers in it.
fn space() -> Option<String> {
    let run = fs::read_to_string("/proc/sys/kernel/random/boot_id").ok()?;
    let numbers = fs::read_link("/proc/self/ns/pid").ok()?;
    Some(format!("{} {}", run.trim(), numbers.to_str()?))
}

/// When a process began, in ticks since the machine did; nothing where there is none, or only what is left of it.
fn began(number: &str) -> Option<String> {
    let told = fs::read_to_string(format!("/proc/{number}/stat")).ok()?;
    // The name of the program stands in brackets, and may have some in it.
    let mut facts = told.rsplit_once(')')?.1.split_whitespace();
    let state = facts.next()?;
    let is_left_over = matches!(state, "Z" | "X");
    facts.nth(18).filter(|_| !is_left_over).map(str::to_owned)
}

#[cfg(test)]
mod tests {
    use std::process::Command;

    use super::*;

    #[test]
    fn a_process_that_ended_is_told_from_one_that_lives_and_from_one_elsewhere() {
        let name = own().unwrap();
        assert_eq!(lives(&name), Some(true));
        let (rest, _) = name.rsplit_once(' ').unwrap();
        assert_eq!(
            lives(&format!("{rest} 1")),
            Some(false),
            "the number was given again"
        );
        let elsewhere = name.replacen(|letter: char| letter.is_ascii_hexdigit(), "z", 1);
        assert_eq!(lives(&elsewhere), None);
        let mut child = Command::new("sleep").arg("60").spawn().unwrap();
        let number = child.id().to_string();
        let name = format!("{} {number} {}", space().unwrap(), began(&number).unwrap());
        assert_eq!(lives(&name), Some(true));
        child.kill().unwrap();
        child.wait().unwrap();
        assert_eq!(lives(&name), Some(false));
        assert_eq!(lives(""), None);
    }
}
