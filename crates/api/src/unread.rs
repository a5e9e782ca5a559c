//! Bodies that nobody reads to their end do not keep their connection.
//!
//! When the reader of a chunked body is gone, the web server takes the rest of it from the wire for as long as
//! the sender likes, without any deadline. So the reader stays until the answer is sent: then the server finds
//! an unread body, and hangs up.

use std::cell::RefCell;
use std::pin::Pin;
use std::rc::Rc;
use std::task::{Context, Poll};

use actix_web::body::{BodySize, BoxBody, MessageBody};
use actix_web::dev::{Payload, ServiceRequest, ServiceResponse};
use actix_web::error::PayloadError;
use actix_web::http::header::TRANSFER_ENCODING;
use actix_web::middleware::Next;
use actix_web::web::Bytes;
use actix_web::{Error, HttpMessage};
use futures_util::Stream;

/// A body with more than one reader; the first one to read gets it.
#[derive(Clone)]
struct Shared(Rc<RefCell<Payload>>);

impl Stream for Shared {
    type Item = Result<Bytes, PayloadError>;

    fn poll_next(self: Pin<&mut Self>, task: &mut Context<'_>) -> Poll<Option<Self::Item>> {
        Pin::new(&mut *self.0.borrow_mut()).poll_next(task)
    }
}

/// An answer that holds on to the body of its request.
struct Holding {
    answer: BoxBody,
    _body: Shared,
}

impl MessageBody for Holding {
    type Error = <BoxBody as MessageBody>::Error;

    fn size(&self) -> BodySize {
        self.answer.size()
    }

    fn poll_next(
        mut self: Pin<&mut Self>,
        task: &mut Context<'_>,
    ) -> Poll<Option<Result<Bytes, Self::Error>>> {
        Pin::new(&mut self.answer).poll_next(task)
    }
}

/// Middleware: answers hold on to chunked bodies.
///
/// # Errors
/// Those of the service behind it.
pub async fn hold(
    mut request: ServiceRequest,
    next: Next<BoxBody>,
) -> Result<ServiceResponse<BoxBody>, Error> {
    if !request.headers().contains_key(TRANSFER_ENCODING) {
        return next.call(request).await;
    }
    let body = Shared(Rc::new(RefCell::new(request.take_payload())));
    let reader = body.clone();
    request.set_payload(Payload::Stream {
        payload: Box::pin(reader),
    });
    let answer = next.call(request).await?;
    Ok(answer.map_body(|_, answer| {
        BoxBody::new(Holding {
            answer,
            _body: body,
        })
    }))
}
