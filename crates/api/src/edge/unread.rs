//! Bodies that nobody reads to their end do not keep their connection.
//!
//! When the reader of a body is gone, the web server takes the rest of it from the wire for as long and as fast as the
//! sender likes. So the reader stays until the answer is sent, and takes a little more, so that a sender who was not
//! told in time still hears the answer; then the connection ends.

use std::cell::RefCell;
use std::pin::Pin;
use std::rc::Rc;
use std::task::{Context, Poll};
use std::time::Duration;

use actix_web::body::{BodySize, BoxBody, MessageBody};
use actix_web::dev::{Payload, ServiceRequest, ServiceResponse};
use actix_web::error::PayloadError;
use actix_web::http::header::{CONTENT_LENGTH, TRANSFER_ENCODING};
use actix_web::middleware::Next;
use actix_web::web::Bytes;
use actix_web::{Error, HttpMessage};
use futures_util::Stream;
use tokio::time::Sleep;

/// How much of a body is taken after its answer: what is on its way while the answer is.
const REST: usize = 256 * 1024;
/// How long is waited for it.
const PATIENCE: Duration = Duration::from_secs(1);

/// A body with more than one reader; the first one to read gets it.
#[derive(Clone)]
struct SharedPayload(Rc<RefCell<Payload>>);

impl Stream for SharedPayload {
    type Item = Result<Bytes, PayloadError>;

    fn poll_next(self: Pin<&mut Self>, task: &mut Context<'_>) -> Poll<Option<Self::Item>> {
        Pin::new(&mut *self.0.borrow_mut()).poll_next(task)
    }
}

/// An answer that holds on to the body of its request.
struct Holding {
    answer: BoxBody,
    is_told: bool,
    body: SharedPayload,
    /// How much more of the body is taken.
    rest: usize,
    patience: Option<Pin<Box<Sleep>>>,
}

impl Holding {
    /// Takes some more of the body.
    fn poll_rest(&mut self, task: &mut Context<'_>) -> Poll<Option<Result<Bytes, BoxedError>>> {
        loop {
            match Pin::new(&mut self.body).poll_next(task) {
                Poll::Ready(Some(Ok(more))) => {
                    let Some(rest) = self.rest.checked_sub(more.len()) else {
                        // The only way to end a connection at once.
                        let error = "the sender of a refused body does not stop";
                        return Poll::Ready(Some(Err(error.into())));
                    };
                    self.rest = rest;
                }
                Poll::Ready(Some(Err(_)) | None) => return Poll::Ready(None),
                Poll::Pending => break,
            }
        }
        let patience = self
            .patience
            .get_or_insert_with(|| Box::pin(tokio::time::sleep(PATIENCE)));
        patience.as_mut().poll(task).map(|()| None)
    }
}

type BoxedError = <BoxBody as MessageBody>::Error;

impl MessageBody for Holding {
    type Error = BoxedError;

    fn size(&self) -> BodySize {
        self.answer.size()
    }

    fn poll_next(
        mut self: Pin<&mut Self>,
        task: &mut Context<'_>,
    ) -> Poll<Option<Result<Bytes, Self::Error>>> {
        if !self.is_told {
            match Pin::new(&mut self.answer).poll_next(task) {
                Poll::Ready(None) => self.is_told = true,
                told @ (Poll::Ready(Some(_)) | Poll::Pending) => return told,
            }
        }
        self.poll_rest(task)
    }
}

/// Middleware: answers hold on to bodies.
///
/// # Errors
/// Those of the service behind it.
pub async fn hold(
    mut request: ServiceRequest,
    next: Next<BoxBody>,
) -> Result<ServiceResponse<BoxBody>, Error> {
    let headers = request.headers();
    if !headers.contains_key(TRANSFER_ENCODING) && !headers.contains_key(CONTENT_LENGTH) {
        return next.call(request).await;
    }
    let body = SharedPayload(Rc::new(RefCell::new(request.take_payload())));
    let reader = body.clone();
    request.set_payload(Payload::Stream {
        payload: Box::pin(reader),
    });
    let answer = next.call(request).await?;
    Ok(answer.map_body(|_, answer| {
        BoxBody::new(Holding {
            answer,
            is_told: false,
            body,
            rest: REST,
            patience: None,
        })
    }))
}
