//! Uploads of large files over HTTP: in pieces, or straight to the bucket.

use actix_web::HttpRequest;
use actix_web::http::header;
use lyceum_application::authoring::direct_uploads;
use lyceum_application::authoring::media_uploads::{self, MediaUploadView, ReceivedPiece};
use lyceum_application::running::idempotency::Answer;
use lyceum_application::{App, Context, Error, Tx};
use lyceum_domain::authoring::media_uploads::MediaUpload;
use lyceum_wire::authoring::media_uploads::CreateMediaUpload;
use serde_json::json;

use crate::edge::tus::{self, End, Incoming, Taken};
use crate::edge::whole_file::{Broken, put_together};
use crate::http::answer::{AnswerKind, Done, Resumable, Silent};
use crate::http::headers::header_text;
use crate::http::input::{Announced, FileBytes, FileWork};
use crate::prelude::*;

pub async fn create(
    call: Call<Announced<CreateMediaUpload>>,
) -> Outcome<Resumable<Created<MediaUploadView>>> {
    let most = call.app.settings.spending.upload_bytes;
    call.count(|_, _, new| {
        if new.size_bytes > most {
            return Err(Failure::PayloadTooLarge);
        }
        Ok(())
    })?;
    let (app, direct) = (call.app.clone(), direct_uploads::are_taken(&call.app));
    let mut done: Done<Resumable<Created<MediaUploadView>>> = call
        .write(move |tx, ctx, _, new| media_uploads::create(tx, ctx, new, direct))
        .await?;
    let begun = serde_json::from_str(&done.answer.reply.body);
    let begun = begun.map_err(|error| Error::Internal(error.into()))?;
    let put = direct_uploads::address(&app, &begun).await?;
    done.beside = put.map(|put| ("put", json!(put)));
    Ok(done)
}

/// Takes what was put into the bucket into the library. It goes on where the connection breaks: who asks again finds it done.
pub async fn complete(mut call: Call<FileWork>) -> Outcome<Found<MediaUploadView>> {
    if call.app.is_almost_full() {
        return Err(Error::DiskFull.into());
    }
    let (app, place) = (call.app.clone(), call.file_place.take());
    let completing = call.ask(
        |tx, ctx, path, ()| direct_uploads::prepare(tx, ctx, path.id()?),
        direct_uploads::take,
        direct_uploads::settle,
    );
    let completing = actix_web::rt::spawn(async move {
        let done = completing.await;
        drop(place);
        done
    });
    let done = completing.await.map_err(|_| Failure::Panicked)??;
    app.signal.wake();
    Ok(done)
}

pub async fn retrieve(call: Call<Nothing>) -> Outcome<Resumable<Found<MediaUploadView>>> {
    tus::check_version(call.request()?)?;
    call.read(|tx, ctx, path, ()| media_uploads::retrieve(tx, ctx, path.id()?))
        .await
}

pub async fn terminate(call: Call<Nothing>) -> Outcome<Silent<MediaUploadView>> {
    tus::check_version(call.request()?)?;
    call.unless_changed(|tx, ctx, path| media_uploads::retrieve(tx, ctx, path.id()?))
        .write(|tx, ctx, path, ()| media_uploads::terminate(tx, ctx, path.id()?))
        .await
}

/// Takes bytes in. What came is kept also where the connection breaks, and by whom it was asked for is then gone: so it
/// is a task of its own.
pub async fn append(call: Call<FileBytes>) -> Outcome<Silent<MediaUploadView>> {
    let Call {
        app,
        context,
        path,
        input,
        counted: (request, _),
        incoming,
        place,
        ..
    } = call;
    input?;
    let request = request.ok_or(Failure::NoBytes)?;
    let (id, asking) = (path.id()?, context.clone());
    let open = move |tx: &mut dyn Tx| media_uploads::open(tx, &asking, id);
    let upload = app.read(open).await?;
    media_uploads::expect(&upload, tus::offset(&request)?)?;
    if app.is_almost_full() {
        return Err(Error::DiskFull.into());
    }
    refuse_more(&request, &upload)?;
    // Whoever takes long to send takes no place from others meanwhile.
    drop(place);
    let incoming = incoming.ok_or(Failure::NoBytes)?;
    let taking = actix_web::rt::spawn(take_in(app, context, upload, incoming));
    let upload = taking.await.map_err(|_| Failure::Panicked)??;
    let reply = Silent::<MediaUploadView>::reply(&MediaUploadView::from(&upload), "")?;
    let answer = Answer {
        reply,
        replayed: false,
    };
    Ok(Done::new(answer, Vec::new()))
}

/// Refuses who says that more comes than is missing.
fn refuse_more(request: &HttpRequest, upload: &MediaUpload) -> Result<(), Failure> {
    let announced = header_text(request, header::CONTENT_LENGTH.as_str());
    let announced = announced.and_then(|text| text.parse::<u64>().ok());
    if announced.is_some_and(|length| length > upload.missing()) {
        return Err(Failure::PayloadTooLarge);
    }
    Ok(())
}

/// Takes in what comes, piece by piece.
async fn take_in(
    app: App,
    context: Context,
    mut upload: MediaUpload,
    mut incoming: Incoming,
) -> Result<MediaUpload, Failure> {
    loop {
        let missing = upload.missing();
        let Taken { received, end } = incoming.take(&app, missing).await?;
        if missing > 0 && received.size_bytes == missing {
            if incoming.goes_on().await {
                return Err(Failure::PayloadTooLarge);
            }
            return finish(&app, &context, &upload, received).await;
        }
        if received.size_bytes > 0 {
            upload = media_uploads::keep(&app, &context, &upload, received).await?;
        }
        match end {
            End::Over => return Ok(upload),
            End::Broken(failure) => return Err(failure),
            End::Open if missing == 0 => return Ok(upload),
            End::Open => {}
        }
    }
}

/// Takes the last piece, and the whole file with it into the library.
async fn finish(
    app: &App,
    context: &Context,
    upload: &MediaUpload,
    last: ReceivedPiece,
) -> Result<MediaUpload, Failure> {
    match put_together(app, upload, last).await {
        Ok(whole) => Ok(media_uploads::finish(app, context, upload, whole).await?),
        Err(Broken::Lost) => Ok(media_uploads::lose(app, context, upload).await?),
        Err(Broken::Later(failure)) => Err(failure),
    }
}
