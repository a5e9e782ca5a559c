//! Being asked to stop.

use tokio::signal::unix::{Signal, SignalKind, signal};

/// SIGTERM and SIGINT, from when it was made: neither kills the process by itself any more.
pub struct Stops {
    terminate: Signal,
    interrupt: Signal,
}

impl Stops {
    /// Takes the signals.
    ///
    /// # Errors
    /// If the system refuses.
    pub fn listen() -> std::io::Result<Self> {
        Ok(Self {
            terminate: signal(SignalKind::terminate())?,
            interrupt: signal(SignalKind::interrupt())?,
        })
    }

    /// Waits for the next of them.
    pub async fn next(&mut self) {
        tokio::select! {
            _ = self.terminate.recv() => {}
            _ = self.interrupt.recv() => {}
        }
    }
}
