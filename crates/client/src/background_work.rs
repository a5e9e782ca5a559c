//! What is to be done in the background.

use lyceum_wire::running::background_work::BackgroundWorkView;

use crate::call::Call;
use crate::client::Client;

impl Client {
    /// What waits and runs in the background of the workspace.
    pub fn background_work(&self) -> Call<BackgroundWorkView> {
        self.get("/v1/background_work")
    }
}
