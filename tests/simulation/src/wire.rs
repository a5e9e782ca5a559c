//! What simulated hosts say to each other: one line asked and one line answered per connection.

use std::io;
use std::time::Duration;

use tokio::io::{AsyncBufReadExt, AsyncReadExt, AsyncWriteExt, BufReader};
use turmoil::net::{TcpListener, TcpStream};

const PORT: u16 = 80;

/// Asks a host; gives up after `patience`.
pub async fn ask(host: &str, line: &str, patience: Duration) -> io::Result<String> {
    let asked = async {
        let mut stream = TcpStream::connect((host, PORT)).await?;
        stream.write_all(format!("{line}\n").as_bytes()).await?;
        let mut answer = String::new();
        stream.read_to_string(&mut answer).await?;
        match answer.strip_suffix('\n') {
            Some(whole) => Ok(whole.to_owned()),
            None => Err(io::ErrorKind::UnexpectedEof.into()),
        }
    };
    tokio::time::timeout(patience, asked)
        .await
        .unwrap_or_else(|_| Err(io::ErrorKind::TimedOut.into()))
}

/// Answers everybody, side by side; `None` hangs up without an answer.
pub async fn serve<F, R>(answer: F) -> turmoil::Result
where
    F: Fn(String) -> R + Clone + 'static,
    R: Future<Output = Option<String>> + 'static,
{
    let listener = TcpListener::bind(("0.0.0.0", PORT)).await?;
    loop {
        let (stream, _) = listener.accept().await?;
        let answer = answer.clone();
        tokio::task::spawn_local(async move {
            // A caller who went away takes nothing from anybody else.
            drop(converse(stream, answer).await);
        });
    }
}

async fn converse<F, R>(stream: TcpStream, answer: F) -> io::Result<()>
where
    F: Fn(String) -> R,
    R: Future<Output = Option<String>>,
{
    let mut stream = BufReader::new(stream);
    let mut line = String::new();
    stream.read_line(&mut line).await?;
    let Some(asked) = line.strip_suffix('\n') else {
        return Ok(());
    };
    if let Some(said) = answer(asked.to_owned()).await {
        stream.write_all(format!("{said}\n").as_bytes()).await?;
        stream.shutdown().await?;
    }
    Ok(())
}
