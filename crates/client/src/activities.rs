//! Activities of lessons, and attempts at them.

use lyceum_wire::authoring::activities::{
    ActivityView, CreateActivity, MoveActivity, UpdateActivity,
};
use lyceum_wire::authoring::versions::VersionView;
use lyceum_wire::deleted::Deleted;
use lyceum_wire::drafting::generations::{GenerateContent, GenerationView};
use lyceum_wire::exporting::previews::PreviewView;
use lyceum_wire::grading::statistics::StatisticsView;
use lyceum_wire::learning::attempts::{AttemptView, CreateAttempt};

use crate::call::Call;
use crate::client::{Client, path};
use crate::listing::Listing;
use crate::wait::{Started, started};

impl Client {
    /// Activities of lessons, and attempts at them.
    pub fn activities(&self) -> Activities {
        Activities(self.clone())
    }
}

/// Activities of lessons, and attempts at them.
#[derive(Debug, Clone)]
pub struct Activities(Client);

impl Activities {
    /// Makes a activity.
    pub fn create(&self, new: &CreateActivity) -> Call<ActivityView> {
        self.0.post("/v1/activities", new)
    }

    /// Lists activities.
    pub fn list(&self) -> Listing<ActivityView> {
        self.0.list("/v1/activities")
    }

    /// Shows a activity.
    pub fn retrieve(&self, id: &str) -> Call<ActivityView> {
        self.0.get(&path("activities", id, ""))
    }

    /// Changes a activity: what is not named stays as it is.
    pub fn update(&self, id: &str, change: &UpdateActivity) -> Call<ActivityView> {
        self.0.patch(&path("activities", id, ""), change)
    }

    /// Lists what an activity was before it was changed.
    pub fn versions(&self, id: &str) -> Listing<VersionView> {
        self.0.list(&path("activities", id, "/versions"))
    }

    /// Deletes an activity; `in_use` once learners tried it, unless by [`force`](Call::force).
    pub fn delete(&self, id: &str) -> Call<Deleted> {
        self.0.delete(&path("activities", id, ""))
    }

    /// Gives out where an activity is played as it is saved, for half an hour.
    pub fn preview(&self, id: &str) -> Call<PreviewView> {
        self.0.act(&path("activities", id, "/preview"))
    }

    /// Has AI draft the content of an activity.
    pub fn generate(&self, id: &str, wanted: &GenerateContent) -> Call<Started<GenerationView>> {
        started(self.0.post(&path("activities", id, "/generate"), wanted))
    }

    /// Moves an activity to another place.
    pub fn relocate(&self, id: &str, wanted: &MoveActivity) -> Call<ActivityView> {
        self.0.post(&path("activities", id, "/move"), wanted)
    }

    /// Answers an activity and has it scored.
    pub fn attempt(&self, id: &str, wanted: &CreateAttempt) -> Call<AttemptView> {
        self.0.post(&path("activities", id, "/attempts"), wanted)
    }

    /// How a quiz's points are spread, and what its questions tell; of a cohort with `.query("cohort_id", …)`.
    pub fn statistics(&self, id: &str) -> Call<StatisticsView> {
        self.0.get(&path("activities", id, "/statistics"))
    }

    /// Lists the attempts at an activity.
    pub fn attempts(&self, id: &str) -> Listing<AttemptView> {
        self.0.list(&path("activities", id, "/attempts"))
    }
}
