//! Certificates over HTTP.

use lyceum_application::grading::certificates;
use lyceum_wire::grading::certificate_records::CertificateRecordsView;
use lyceum_wire::grading::certificates::{CertificateView, TryForCertificate};

use crate::http::answer::Accepted;
use crate::prelude::*;

pub async fn ask(call: Call<Json<TryForCertificate>>) -> Outcome<Accepted<CertificateView>> {
    call.write(|tx, ctx, path, asked| certificates::ask(tx, ctx, path.id()?, asked))
        .await
}

pub async fn retrieve(call: Call<Nothing>) -> Outcome<Found<CertificateView>> {
    call.read(|tx, ctx, path, ()| certificates::retrieve(tx, ctx, path.id()?))
        .await
}

pub async fn records(call: Call<Nothing>) -> Outcome<Found<CertificateRecordsView>> {
    call.consult(
        |tx, ctx, path, ()| certificates::records(tx, ctx, path.id()?),
        async |_, shown| Ok(shown),
    )
    .await
}

pub async fn give_up(call: Call<Nothing>) -> Outcome<Found<CertificateView>> {
    call.write(|tx, ctx, path, ()| certificates::give_up(tx, ctx, path.id()?))
        .await
}
