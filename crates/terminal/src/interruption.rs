//! Being told to stop in the middle of a command: Ctrl-C or SIGTERM.
//!
//! The first one is asked for: whoever works looks for it where it can stop cleanly, and says what is done and what is
//! not. The second ends the process at once.

use std::time::Duration;

use thiserror::Error;
use tokio::signal::unix::{SignalKind, signal};
use tokio::sync::watch;

/// How long work that was told to stop is waited for. It may stand in a statement that cannot be broken off; the
/// process then ends around it, and whoever it asked takes back what was half done.
const PATIENCE: Duration = Duration::from_secs(1);

/// Shells and supervisors expect this, and the number of the signal.
const KILLED_BY: u8 = 128;

/// That a command was told to stop, and did.
#[derive(Debug, Clone, Error)]
#[error("interrupted; {says}")]
pub struct Interrupted {
    code: u8,
    says: String,
}

impl Interrupted {
    /// What the process ends with: 130 after Ctrl-C, 143 after SIGTERM.
    pub const fn exit_code(&self) -> u8 {
        self.code
    }

    /// The same, telling what was done and what was not.
    #[must_use]
    pub fn saying(self, says: impl Into<String>) -> Self {
        let says = says.into();
        Self { says, ..self }
    }

    /// That of an error, whatever was said on top of it.
    pub fn of(error: &anyhow::Error) -> Option<&Self> {
        error.chain().find_map(|cause| cause.downcast_ref())
    }
}

/// Whether this process was told to stop.
#[derive(Debug, Clone)]
pub struct Interruption {
    /// The number of the signal; 0 before it came. Nobody ever tells one that is [`never`](Self::never) told.
    told: watch::Receiver<u8>,
}

impl Interruption {
    /// Takes both signals: neither kills the process by itself any more.
    ///
    /// # Errors
    /// If the system refuses.
    pub fn listen() -> std::io::Result<Self> {
        let (tell, told) = watch::channel(0);
        let (interrupt, terminate) = (SignalKind::interrupt(), SignalKind::terminate());
        let mut interrupts = signal(interrupt)?;
        let mut terminates = signal(terminate)?;
        tokio::spawn(async move {
            loop {
                let kind = tokio::select! {
                    _ = interrupts.recv() => interrupt,
                    _ = terminates.recv() => terminate,
                };
                let number = u8::try_from(kind.as_raw_value()).unwrap_or_default();
                if tell.send_replace(number) != 0 {
                    std::process::exit((KILLED_BY + number).into());
                }
            }
        });
        Ok(Self { told })
    }

    /// One that never comes: for work that somebody else looks after.
    pub fn never() -> Self {
        Self {
            told: watch::channel(0).1,
        }
    }

    /// Whether it came.
    pub fn is_asked(&self) -> bool {
        *self.told.borrow() != 0
    }

    /// Goes on, unless it came.
    ///
    /// # Errors
    /// [`Interrupted`] if it came.
    pub fn check(&self) -> Result<(), Interrupted> {
        if self.is_asked() {
            Err(self.interrupted())
        } else {
            Ok(())
        }
    }

    /// Waits for it.
    pub async fn asked(&self) -> Interrupted {
        let mut told = self.told.clone();
        if told.wait_for(|number| *number != 0).await.is_err() {
            // Nobody is left who could tell.
            std::future::pending::<()>().await;
        }
        self.interrupted()
    }

    fn interrupted(&self) -> Interrupted {
        Interrupted {
            code: KILLED_BY + *self.told.borrow(),
            says: "nothing was done".to_owned(),
        }
    }

    /// Works on a thread of its own, and stops waiting for it soon after the signal.
    ///
    /// # Errors
    /// Those of the work, and [`Interrupted`].
    pub async fn unless<T: Send + 'static>(
        &self,
        work: impl FnOnce() -> anyhow::Result<T> + Send + 'static,
    ) -> anyhow::Result<T> {
        let mut working = tokio::task::spawn_blocking(work);
        let interrupted = tokio::select! {
            done = &mut working => return done?,
            interrupted = self.asked() => interrupted,
        };
        match tokio::time::timeout(PATIENCE, working).await {
            Ok(done) => done?,
            Err(_) => Err(interrupted.into()),
        }
    }
}

/// What an interrupted command says instead of where it stood; other errors stay what they are.
pub fn telling(error: anyhow::Error, says: impl FnOnce() -> String) -> anyhow::Error {
    match Interrupted::of(&error) {
        Some(interrupted) => interrupted.clone().saying(says()).into(),
        None => error,
    }
}

#[cfg(test)]
mod tests {
    use anyhow::Context;

    use super::*;

    fn told(number: u8) -> Interruption {
        Interruption {
            told: watch::channel(number).1,
        }
    }

    #[test]
    fn an_interruption_is_found_below_whatever_was_said_on_top_of_it() {
        let stopped = told(2).check().context("the backup").context("at night");
        let error = telling(stopped.unwrap_err(), || "no backup was made".to_owned());
        assert_eq!(error.to_string(), "interrupted; no backup was made");
        assert_eq!(
            Interrupted::of(&error).map(Interrupted::exit_code),
            Some(130)
        );
        let other = telling(anyhow::anyhow!("no room"), || "nothing".to_owned());
        assert_eq!(other.to_string(), "no room");
        assert!(Interruption::never().check().is_ok());
        assert_eq!(told(15).check().unwrap_err().exit_code(), 143);
    }

    #[tokio::test(flavor = "multi_thread")]
    async fn work_that_hears_nothing_is_left_behind() {
        let (unheard, waits) = std::sync::mpsc::channel::<()>();
        let deaf = told(2).unless(move || Ok(waits.recv()?)).await;
        assert!(Interrupted::of(&deaf.unwrap_err()).is_some());
        drop(unheard);
        let never = Interruption::never().unless(|| Ok(7)).await;
        assert_eq!(never.unwrap(), 7);
    }
}
