//! SCORM packages, and the learners who come with them.

use std::path::Path;

use lyceum_wire::deleted::Deleted;
use lyceum_wire::exporting::scorm::{CreateScormPackage, ScormPackageView};
use lyceum_wire::exporting::scorm_learners::{
    CreateScormSession, ScormLearnerView, ScormSessionView,
};

use crate::call::Call;
use crate::client::{Client, path};
use crate::error::ClientError;
use crate::listing::Listing;
use crate::wait::{Started, Wait, started};

impl Client {
    /// SCORM packages, and the learners who come with them.
    pub fn scorm(&self) -> ScormPackages {
        ScormPackages(self.clone())
    }
}

/// SCORM packages, and the learners who come with them.
#[derive(Debug, Clone)]
pub struct ScormPackages(Client);

impl ScormPackages {
    /// Saves a package that is ready, and returns its size in bytes.
    pub async fn download(&self, id: &str, to: &Path) -> Result<u64, ClientError> {
        self.0.download(&path("scorm", id, "/download"), to).await
    }

    /// Lists packages.
    pub fn list(&self) -> Listing<ScormPackageView> {
        self.0.list("/v1/scorm")
    }

    /// Shows a package.
    pub fn retrieve(&self, id: &str) -> Call<ScormPackageView> {
        self.0.get(&path("scorm", id, ""))
    }

    /// Asks for a package of a cohort's course.
    pub fn create(&self, new: &CreateScormPackage) -> Call<Started<ScormPackageView>> {
        started(self.0.post("/v1/scorm", new))
    }

    /// Deletes a package.
    pub fn delete(&self, id: &str) -> Call<Deleted> {
        self.0.delete(&path("scorm", id, ""))
    }

    /// Makes a package stop reporting.
    pub fn revoke(&self, id: &str) -> Call<ScormPackageView> {
        self.0.act(&path("scorm", id, "/revoke"))
    }

    /// Lets a learner in from inside a package; what the player does.
    pub fn launch(&self, id: &str, wanted: &CreateScormSession) -> Call<ScormSessionView> {
        self.0.post(&path("scorm", id, "/sessions"), wanted)
    }

    /// Lists the learners who came with a package.
    pub fn learners(&self, id: &str) -> Listing<ScormLearnerView> {
        self.0.list(&path("scorm", id, "/sessions"))
    }

    /// Waits until a package is there, or could not be made.
    pub fn wait(&self, id: &str) -> Wait<ScormPackageView> {
        Wait::new(&self.0, id)
    }
}
