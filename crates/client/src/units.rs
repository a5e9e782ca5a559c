//! Units of courses.

use lyceum_wire::authoring::units::{CreateUnit, MoveUnit, UnitView, UpdateUnit};
use lyceum_wire::deleted::Deleted;
use lyceum_wire::drafting::generations::{GenerateContent, GenerationView};

use crate::call::Call;
use crate::client::{Client, path};
use crate::listing::Listing;
use crate::wait::{Started, started};

impl Client {
    /// Units of courses.
    pub fn units(&self) -> Units {
        Units(self.clone())
    }
}

/// Units of courses.
#[derive(Debug, Clone)]
pub struct Units(Client);

impl Units {
    /// Makes a unit.
    pub fn create(&self, new: &CreateUnit) -> Call<UnitView> {
        self.0.post("/v1/units", new)
    }

    /// Lists units.
    pub fn list(&self) -> Listing<UnitView> {
        self.0.list("/v1/units")
    }

    /// Shows a unit.
    pub fn retrieve(&self, id: &str) -> Call<UnitView> {
        self.0.get(&path("units", id, ""))
    }

    /// Changes a unit: what is not named stays as it is.
    pub fn update(&self, id: &str, change: &UpdateUnit) -> Call<UnitView> {
        self.0.patch(&path("units", id, ""), change)
    }

    /// Deletes a unit and everything below it; `in_use` once learners have used it, unless by [`force`](Call::force).
    pub fn delete(&self, id: &str) -> Call<Deleted> {
        self.0.delete(&path("units", id, ""))
    }

    /// Has AI draft lessons for a unit.
    pub fn generate(&self, id: &str, wanted: &GenerateContent) -> Call<Started<GenerationView>> {
        started(self.0.post(&path("units", id, "/generate"), wanted))
    }

    /// Moves a unit to another place.
    pub fn relocate(&self, id: &str, wanted: &MoveUnit) -> Call<UnitView> {
        self.0.post(&path("units", id, "/move"), wanted)
    }
}
