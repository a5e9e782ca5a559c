//! Sending callers away gently: while a node drains, every answer says that its connection is the caller's last here, so
//! that none is cut off with a request on the way.

use actix_web::body::MessageBody;
use actix_web::dev::{ServiceRequest, ServiceResponse};
use actix_web::http::ConnectionType;
use actix_web::middleware::Next;
use lyceum_application::running::node::ThisNode;

/// Answers, and closes the connection if this node is about to stop.
pub async fn close<B: MessageBody>(
    node: ThisNode,
    request: ServiceRequest,
    next: Next<B>,
) -> Result<ServiceResponse<B>, actix_web::Error> {
    let mut response = next.call(request).await?;
    if node.is_draining() {
        response
            .response_mut()
            .head_mut()
            .set_connection_type(ConnectionType::Close);
    }
    Ok(response)
}
