//! What commands tell whoever started them. Standard output may be closed, full, or read by nobody; none of that breaks
//! a command.

use std::fmt::Arguments;
use std::io::{self, ErrorKind, Write};
use std::sync::OnceLock;
use std::sync::mpsc;
use std::time::Duration;

/// Why something was not told that somebody may have waited for.
static UNTOLD: OnceLock<String> = OnceLock::new();
/// How long a service waits for somebody to read what it says in passing.
const IN_PASSING: Duration = Duration::from_secs(1);

/// A line on standard output.
#[macro_export]
macro_rules! say {
    ($($text:tt)*) => { $crate::say::out(format_args!($($text)*)) };
}

/// A line on standard error.
#[macro_export]
macro_rules! say_beside {
    ($($text:tt)*) => { $crate::say::beside(format_args!($($text)*)) };
}

/// Writes a line to standard output.
pub fn out(text: Arguments<'_>) {
    if let Err(error) = write(&mut io::stdout().lock(), text)
        // Whoever hangs up has read enough.
        && error.kind() != ErrorKind::BrokenPipe
    {
        UNTOLD.get_or_init(|| error.to_string());
    }
}

/// Writes a line to standard error, if that is possible.
pub fn beside(text: Arguments<'_>) {
    drop(write(&mut io::stderr().lock(), text));
}

/// Why standard output has not got everything, if it has not.
pub fn untold() -> Option<&'static str> {
    UNTOLD.get().map(String::as_str)
}

/// Writes lines to standard output on behalf of something that has more to do than wait for a reader; whether they
/// were written soon.
pub fn in_passing(text: &str) -> bool {
    soon(text, |text| write(&mut io::stdout().lock(), text))
}

/// The same on standard error.
pub fn beside_in_passing(text: &str) -> bool {
    soon(text, |text| write(&mut io::stderr().lock(), text))
}

fn soon(text: &str, write: fn(Arguments<'_>) -> io::Result<()>) -> bool {
    let (done, written) = mpsc::channel();
    let text = text.to_owned();
    let writing = std::thread::Builder::new()
        .name("lyceum-say".to_owned())
        // Whoever waited may have given up.
        .spawn(move || done.send(write(format_args!("{text}")).is_ok()).ok());
    writing.is_ok() && written.recv_timeout(IN_PASSING).unwrap_or(false)
}

fn write(to: &mut impl Write, text: Arguments<'_>) -> io::Result<()> {
    // In one piece, so that it stands in one line of a file that others write to as well.
    to.write_all(format!("{text}\n").as_bytes())?;
    to.flush()
}
