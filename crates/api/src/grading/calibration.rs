//! Calibration over HTTP.

use lyceum_application::grading::calibration;
use lyceum_wire::grading::calibration::CalibrationView;

use crate::prelude::*;

pub async fn retrieve(call: Call<Nothing>) -> Outcome<Found<CalibrationView>> {
    call.consult(
        |tx, ctx, path, ()| calibration::look(tx, ctx, path.id()?),
        calibration::judge_anew,
    )
    .await
}
