//! Processor time, as `/proc` tells it: of a process, of all that a process has started, of this thread.

use std::path::Path;

use anyhow::Context;

/// What the clock of `/proc/<pid>/stat` counts in; fixed by Linux for programs, whatever the kernel's own is.
const TICKS_PER_SECOND: f64 = 100.0;

/// What one `stat` says, in seconds.
#[derive(Debug, Clone, Copy, PartialEq)]
struct Stat {
    parent: u32,
    own: f64,
    ended_children: f64,
}

/// Seconds that a process has used, with all its threads.
///
/// # Errors
/// If it is gone.
pub fn of_process(pid: u32) -> anyhow::Result<f64> {
    Ok(stat(Path::new(&format!("/proc/{pid}")))?.own)
}

/// Seconds that a process and all its children have used, those that live and those that ended.
///
/// # Errors
/// If it is gone.
pub fn of_family(pid: u32) -> anyhow::Result<f64> {
    // The children first: one that ends meanwhile is missed in neither place.
    let children = living_children(pid)?;
    let parent = stat(Path::new(&format!("/proc/{pid}")))?;
    Ok(children + parent.own + parent.ended_children)
}

/// Seconds that this thread has used.
///
/// # Errors
/// If `/proc` is not there.
pub fn of_this_thread() -> anyhow::Result<f64> {
    Ok(stat(Path::new("/proc/thread-self"))?.own)
}

/// Seconds that children of ours have used that were waited for.
///
/// # Errors
/// If `/proc` is not there.
pub fn of_ended_children() -> anyhow::Result<f64> {
    Ok(stat(Path::new("/proc/self"))?.ended_children)
}

fn living_children(pid: u32) -> anyhow::Result<f64> {
    let processes = std::fs::read_dir("/proc").context("could not read /proc")?;
    let children = processes
        .filter_map(Result::ok)
        .filter(|entry| is_number(&entry.file_name().to_string_lossy()))
        // What ended since it was listed is among its parent's.
        .filter_map(|entry| stat(&entry.path()).ok())
        .filter(|child| child.parent == pid);
    Ok(children.map(|child| child.own + child.ended_children).sum())
}

fn is_number(name: &str) -> bool {
    name.bytes().all(|byte| byte.is_ascii_digit())
}

fn stat(folder: &Path) -> anyhow::Result<Stat> {
    let path = folder.join("stat");
    let text = std::fs::read_to_string(&path)
        .with_context(|| format!("could not read {}", path.display()))?;
    parse(&text).with_context(|| format!("{} has another form", path.display()))
}

/// ppid, the 4th field, and utime, stime, cutime and cstime from the 14th on; the second, the name, may itself hold
/// spaces and brackets.
fn parse(stat: &str) -> Option<Stat> {
    let (_, rest) = stat.rsplit_once(')')?;
    let mut fields = rest.split_whitespace();
    let parent = fields.nth(1)?.parse().ok()?;
    let ticks = fields.skip(9).take(4).map(str::parse::<f64>);
    let ticks: Vec<f64> = ticks.collect::<Result<_, _>>().ok()?;
    let [user, system, childrens_user, childrens_system] = <[f64; 4]>::try_from(ticks).ok()?;
    Some(Stat {
        parent,
        own: (user + system) / TICKS_PER_SECOND,
        ended_children: (childrens_user + childrens_system) / TICKS_PER_SECOND,
    })
}

#[cfg(test)]
mod tests {
    use std::process::Command;

    use super::*;

    #[test]
    fn processor_time_is_read_behind_a_name_with_brackets() {
        let stat = "17 (a) b) S 1 17 17 0 -1 4194560 1 0 0 0 250 50 30 20 20 0 4 0 99 1 1";
        let read = Stat {
            parent: 1,
            own: 3.0,
            ended_children: 0.5,
        };
        assert_eq!(parse(stat), Some(read));
        assert_eq!(parse("17"), None);
    }

    #[test]
    fn a_family_has_used_what_its_children_have() {
        let burn = "i=0; while [ $i -lt 300000 ]; do i=$((i+1)); done";
        let (before, ended) = (
            of_family(std::process::id()).unwrap(),
            of_ended_children().unwrap(),
        );
        let mut child = Command::new("sh")
            .args(["-c", &format!("{burn}; read -r end")])
            .stdin(std::process::Stdio::piped())
            .spawn()
            .unwrap();
        while of_process(child.id()).unwrap() < 0.05 {
            assert!(child.try_wait().unwrap().is_none());
        }
        assert!(of_family(std::process::id()).unwrap() >= before + 0.05);
        drop(child.stdin.take());
        child.wait().unwrap();
        assert!(of_family(std::process::id()).unwrap() >= before + 0.05);
        assert!(of_ended_children().unwrap() >= ended + 0.05);
        assert!(of_this_thread().unwrap() >= 0.0);
    }
}
