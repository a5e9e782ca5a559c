//! The machine in a line: figures without it say nothing.

use std::fs;
use std::thread;

/// Processors, memory, kernel, and how busy it was before the bench.
pub fn describe() -> String {
    let processors = thread::available_parallelism().map_or(1, usize::from);
    let model = first_value("/proc/cpuinfo", "model name")
        .unwrap_or_else(|| "unknown processor".to_owned());
    let kib: u64 = first_value("/proc/meminfo", "MemTotal")
        .and_then(|total| total.split(' ').next()?.parse().ok())
        .unwrap_or(0);
    let kernel = fs::read_to_string("/proc/sys/kernel/osrelease").unwrap_or_default();
    let load = fs::read_to_string("/proc/loadavg").unwrap_or_default();
    let load: Vec<&str> = load.split(' ').take(3).collect();
    format!(
        "{processors} × {model}, {} GB, Linux {}, load before {}",
        kib * 1_024 / 1_000_000_000,
        kernel.trim(),
        load.join(" ")
    )
}

/// The value of the first line with this name, of a file of `name: value` lines.
fn first_value(file: &str, name: &str) -> Option<String> {
    let text = fs::read_to_string(file).ok()?;
    let mut pairs = text.lines().filter_map(|line| line.split_once(':'));
    let (_, value) = pairs.find(|(key, _)| key.trim() == name)?;
    Some(value.trim().to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_value_is_found_by_its_name() {
        let folder = tempfile::TempDir::new().unwrap();
        let file = folder.path().join("info");
        fs::write(
            &file,
            "model\t: 7\nmodel name\t: A Processor @ 2 GHz\nmodel name\t: another\n",
        )
        .unwrap();
        let value = first_value(&file.to_string_lossy(), "model name");
        assert_eq!(value.as_deref(), Some("A Processor @ 2 GHz"));
        assert_eq!(first_value(&file.to_string_lossy(), "none"), None);
    }
}
