//! A connection whose caller has to read: answers are made of memory, and whoever takes them in by the byte, or not at
//! all, would keep it for as long as they like.

use std::io;
use std::net::SocketAddr;
use std::pin::Pin;
use std::task::{Context, Poll};
use std::time::Duration;

use actix_web::rt::net::{ActixStream, Ready, TcpStream};
use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio::time::{Instant, Sleep, sleep};

use super::crowd::Seat;

/// Bytes that the system may hold of a connection and not have sent. What it takes from us then tells what the caller
/// takes from it, and a caller who reads nothing costs little.
const UNSENT: u32 = 64 * 1024;

/// How long callers may take to read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Patience {
    /// How long a caller may keep an answer waiting, all in all.
    pub whole: Duration,
    /// Bytes by which that grows by a second again, when they are read.
    pub bytes_per_second: u32,
}

impl Patience {
    /// What is left of so much patience after waiting so long for so many bytes.
    fn left(self, before: Duration, waited: Duration, taken: usize) -> Duration {
        let earned = u32::try_from(taken).map_or(self.whole, |taken| {
            Duration::from_secs_f64(f64::from(taken) / f64::from(self.bytes_per_second.max(1)))
        });
        before
            .saturating_sub(waited)
            .saturating_add(earned)
            .min(self.whole)
    }
}

/// A caller who does not read.
#[derive(Debug)]
struct Stall {
    since: Instant,
    end: Pin<Box<Sleep>>,
}

/// A caller's connection.
#[derive(Debug)]
pub struct Patient {
    stream: TcpStream,
    /// Who is at the other end.
    pub peer: SocketAddr,
    seat: Seat,
    patience: Patience,
    left: Duration,
    stall: Option<Stall>,
}

impl Patient {
    pub fn new(stream: TcpStream, peer: SocketAddr, seat: Seat, patience: Patience) -> Self {
        // Where the system cannot do that, callers are cut a little later.
        if let Err(error) = socket2::SockRef::from(&stream).set_tcp_notsent_lowat(UNSENT) {
            tracing::debug!(%error, "the system keeps as much of an answer as it likes");
        }
        Self {
            stream,
            peer,
            seat,
            patience,
            left: patience.whole,
            stall: None,
        }
    }

    fn note_taken(&mut self, taken: usize) {
        let waited = self
            .stall
            .take()
            .map_or(Duration::ZERO, |it| it.since.elapsed());
        self.left = self.patience.left(self.left, waited, taken);
    }

    /// Waits for the caller; an error when that was long enough.
    fn wait(&mut self, task: &mut Context<'_>) -> Poll<io::Error> {
        let left = self.left;
        let stall = self.stall.get_or_insert_with(|| Stall {
            since: Instant::now(),
            end: Box::pin(sleep(left)),
        });
        stall.end.as_mut().poll(task).map(|()| self.cut())
    }

    fn cut(&self) -> io::Error {
        self.seat.note_cut();
        // What was written and not read is to go with the connection, and not to stay with the system for minutes.
        drop(self.stream.set_zero_linger());
        io::Error::new(io::ErrorKind::TimedOut, "the caller does not read")
    }

    fn noted(
        &mut self,
        written: Poll<io::Result<usize>>,
        task: &mut Context<'_>,
    ) -> Poll<io::Result<usize>> {
        match written {
            Poll::Ready(Ok(taken)) => {
                self.note_taken(taken);
                Poll::Ready(Ok(taken))
            }
            Poll::Ready(Err(error)) => Poll::Ready(Err(error)),
            Poll::Pending => self.wait(task).map(Err),
        }
    }
}

impl AsyncRead for Patient {
    fn poll_read(
        mut self: Pin<&mut Self>,
        task: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_read(task, buffer)
    }
}

impl AsyncWrite for Patient {
    fn poll_write(
        mut self: Pin<&mut Self>,
        task: &mut Context<'_>,
        bytes: &[u8],
    ) -> Poll<io::Result<usize>> {
        let written = Pin::new(&mut self.stream).poll_write(task, bytes);
        self.noted(written, task)
    }

    fn poll_write_vectored(
        mut self: Pin<&mut Self>,
        task: &mut Context<'_>,
        pieces: &[io::IoSlice<'_>],
    ) -> Poll<io::Result<usize>> {
        let written = Pin::new(&mut self.stream).poll_write_vectored(task, pieces);
        self.noted(written, task)
    }

    fn is_write_vectored(&self) -> bool {
        self.stream.is_write_vectored()
    }

    fn poll_flush(mut self: Pin<&mut Self>, task: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_flush(task)
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, task: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_shutdown(task)
    }
}

impl ActixStream for Patient {
    fn poll_read_ready(&self, task: &mut Context<'_>) -> Poll<io::Result<Ready>> {
        ActixStream::poll_read_ready(&self.stream, task)
    }

    fn poll_write_ready(&self, task: &mut Context<'_>) -> Poll<io::Result<Ready>> {
        ActixStream::poll_write_ready(&self.stream, task)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const PATIENCE: Patience = Patience {
        whole: Duration::from_secs(30),
        bytes_per_second: 1_000,
    };

    fn left(before: u64, waited: u64, taken: usize) -> u64 {
        let seconds = Duration::from_secs;
        PATIENCE
            .left(seconds(before), seconds(waited), taken)
            .as_secs()
    }

    #[test]
    fn waiting_costs_patience_and_reading_earns_it_back() {
        assert_eq!(left(30, 10, 0), 20);
        assert_eq!(left(30, 10, 5_000), 25);
        assert_eq!(left(30, 10, 1_000_000), 30, "never more than the whole");
        assert_eq!(left(5, 10, 0), 0);
    }

    #[test]
    fn whoever_reads_by_the_byte_is_waited_for_no_longer_than_who_does_not_read() {
        let (mut left, mut seconds) = (PATIENCE.whole, 0);
        // Who gives a byte a second is cut once less than a second is left.
        while left >= Duration::from_secs(1) {
            left = PATIENCE.left(left, Duration::from_secs(1), 1);
            seconds += 1;
        }
        assert!((29..=31).contains(&seconds), "{seconds}");
    }

    #[test]
    fn whoever_reads_as_fast_as_is_asked_is_waited_for_as_long_as_it_takes() {
        let read = |left, _| PATIENCE.left(left, Duration::from_secs(1), 1_000);
        let left = (0..100_000).fold(PATIENCE.whole, read);
        assert_eq!(left, PATIENCE.whole);
    }
}
