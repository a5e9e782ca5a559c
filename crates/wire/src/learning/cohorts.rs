//! Cohorts on the wire.

use lyceum_domain::learning::cohorts::{Capacity, Cohort, CohortChanges, CohortUpdates, NewCohort};
use lyceum_domain::text::{Name, TimeZone};
use lyceum_domain::{At, Invalid, InvalidValue, Timestamp};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::common::{Command, FreeObject, Resource, metadata, metadata_change, not_cleared};
use crate::common_ids::reference;
use crate::declared::view;
use crate::patch::Patch;
use crate::shapes;

/// The time zone when nobody says.
const UTC: &str = "UTC";

/// A cohort to be made.
#[derive(Debug, Clone, Default, Serialize, Deserialize, ToSchema)]
pub struct CreateCohort {
    /// The course it runs: `crs_…`
    pub course_id: String,
    /// Human-readable name.
    #[schema(
        min_length = 1,
        max_length = 255,
        pattern = r"\S",
        example = "Spring intake"
    )]
    pub name: String,
    /// When it is to start.
    #[schema(format = DateTime, example = "2027-03-01T08:00:00Z")]
    #[serde(skip_serializing_if = "Option::is_none")]
    pub starts_at: Option<String>,
    /// When it is to end; not before the start.
    #[schema(format = DateTime, example = "2027-06-30T16:00:00Z")]
    #[serde(skip_serializing_if = "Option::is_none")]
    pub ends_at: Option<String>,
    /// IANA name of its time zone; `UTC` when absent.
    #[schema(
        max_length = 64,
        pattern = "^[A-Za-z0-9_+-]+(/[A-Za-z0-9_+-]+)*$",
        example = "Europe/Lisbon"
    )]
    #[serde(skip_serializing_if = "Option::is_none")]
    pub timezone: Option<String>,
    /// How many students fit; everybody when absent.
    #[schema(minimum = 1, maximum = 1_000_000, example = 30)]
    #[serde(skip_serializing_if = "Option::is_none")]
    pub capacity: Option<i64>,
    /// How what changes of the course reaches it once it is under way; `automatic` when absent.
    #[schema(schema_with = shapes::optional_word::<CohortUpdates>)]
    #[serde(skip_serializing_if = "Option::is_none")]
    pub updates: Option<String>,
    /// Free-form key-value store: at most 50 keys, 16 KiB.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub metadata: Option<FreeObject>,
}

impl Command for CreateCohort {
    type Of = NewCohort;

    fn command(self) -> Result<NewCohort, Invalid> {
        let starts_at = self.starts_at.as_deref().map(Timestamp::parse);
        let ends_at = self.ends_at.as_deref().map(Timestamp::parse);
        let timezone_given = self.timezone.unwrap_or_else(|| UTC.to_owned());
        Ok(NewCohort {
            course_id: reference(&self.course_id),
            name: Name::parse(self.name).at("name")?,
            starts_at: starts_at.transpose().at("starts_at")?,
            ends_at: ends_at.transpose().at("ends_at")?,
            timezone: timezone(timezone_given).at("timezone")?,
            capacity: self
                .capacity
                .map(Capacity::parse)
                .transpose()
                .at("capacity")?,
            updates: self
                .updates
                .as_deref()
                .map_or(Ok(CohortUpdates::Automatic), CohortUpdates::parse)
                .at("updates")?,
            metadata: metadata(self.metadata)?,
        })
    }
}

fn timezone(text: String) -> Result<String, InvalidValue> {
    TimeZone::parse(text).map(|zone| zone.to_string())
}

/// A change of a cohort: absent keeps, `null` clears. The course cannot change.
#[derive(Debug, Clone, Default, Serialize, Deserialize, ToSchema)]
#[serde(default)]
pub struct UpdateCohort {
    /// New name; cannot be cleared.
    #[schema(value_type = Option<String>, min_length = 1, max_length = 255, pattern = r"\S")]
    #[serde(skip_serializing_if = "Patch::is_keep")]
    pub name: Patch<String>,
    /// New start.
    #[schema(value_type = Option<String>, format = DateTime)]
    #[serde(skip_serializing_if = "Patch::is_keep")]
    pub starts_at: Patch<String>,
    /// New end.
    #[schema(value_type = Option<String>, format = DateTime)]
    #[serde(skip_serializing_if = "Patch::is_keep")]
    pub ends_at: Patch<String>,
    /// New time zone; `null` sets `UTC`.
    #[schema(
        value_type = Option<String>,
        max_length = 64,
        pattern = "^[A-Za-z0-9_+-]+(/[A-Za-z0-9_+-]+)*$"
    )]
    #[serde(skip_serializing_if = "Patch::is_keep")]
    pub timezone: Patch<String>,
    /// How many students fit; `null` lets everybody in. Who is in already stays.
    #[schema(value_type = Option<i64>, minimum = 1, maximum = 1_000_000)]
    #[serde(skip_serializing_if = "Patch::is_keep")]
    pub capacity: Patch<i64>,
    /// How what changes of the course reaches it from now on; `automatic` and `null` update it at once.
    #[schema(schema_with = shapes::optional_word::<CohortUpdates>)]
    #[serde(skip_serializing_if = "Patch::is_keep")]
    pub updates: Patch<String>,
    /// Change of the metadata, by key.
    #[schema(value_type = Option<FreeObject>)]
    #[serde(skip_serializing_if = "Patch::is_keep")]
    pub metadata: Patch<FreeObject>,
}

impl Command for UpdateCohort {
    type Of = CohortChanges;

    fn command(self) -> Result<CohortChanges, Invalid> {
        let name = not_cleared(self.name, "name")?;
        let starts_at = self.starts_at.try_map(|text| Timestamp::parse(&text));
        let ends_at = self.ends_at.try_map(|text| Timestamp::parse(&text));
        let timezone = self.timezone.try_map(timezone).at("timezone")?;
        Ok(CohortChanges {
            name: name.map(Name::parse).transpose().at("name")?,
            starts_at: starts_at.at("starts_at")?.into_option(),
            ends_at: ends_at.at("ends_at")?.into_option(),
            timezone: timezone.or_default(|| UTC.to_owned()),
            capacity: self
                .capacity
                .try_map(Capacity::parse)
                .at("capacity")?
                .into_option(),
            updates: self
                .updates
                .try_map(|word| CohortUpdates::parse(&word))
                .at("updates")?
                .or_default(|| CohortUpdates::Automatic),
            metadata: metadata_change(self.metadata),
        })
    }
}

view! {
    /// A cohort.
    #[derive(Debug, Clone, PartialEq, Serialize, Deserialize, ToSchema)]
    pub struct CohortView {
        /// `coh_…`
        #[schema(schema_with = shapes::id_of::<lyceum_domain::ids::Cohort>)]
        pub id: String = cohort.id.to_string(),
        /// Always `cohort`.
        #[schema(schema_with = shapes::name_of::<lyceum_domain::ids::Cohort>)]
        pub object: String = "cohort".to_owned(),
        /// The course it runs: `crs_…`
        #[schema(schema_with = shapes::id_of::<lyceum_domain::ids::Course>)]
        pub course_id: String = cohort.course_id.to_string(),
        /// Human-readable name.
        pub name: String = cohort.name.to_string(),
        /// `draft`, `active`, `completed` or `archived`.
        #[schema(schema_with = shapes::word::<lyceum_domain::learning::cohorts::CohortStatus>)]
        pub status: String = cohort.status.to_string(),
        /// When it is to start.
        #[schema(schema_with = shapes::optional_moment, required)]
        pub starts_at: Option<String> = cohort.starts_at.as_ref().map(ToString::to_string),
        /// When it is to end.
        #[schema(schema_with = shapes::optional_moment, required)]
        pub ends_at: Option<String> = cohort.ends_at.as_ref().map(ToString::to_string),
        /// IANA name of its time zone.
        pub timezone: String = cohort.timezone.clone(),
        /// How many students fit; everybody when `null`.
        #[schema(required)]
        pub capacity: Option<u32> = cohort.capacity.map(Capacity::get),
        /// How what changes of the course reaches it once it is under way: `automatic`, or `manual` where it sees the course as it was until
        /// it is updated.
        #[schema(schema_with = shapes::word::<CohortUpdates>)]
        pub updates: String = cohort.updates.to_string(),
        /// How many are in it.
        pub student_count: u32 = students,
        /// Free-form key-value store.
        pub metadata: FreeObject = (&cohort.metadata).into(),
        /// When it was made.
        #[schema(schema_with = shapes::moment)]
        pub created_at: String = cohort.stamp.created_at.to_string(),
        /// When it last changed.
        #[schema(schema_with = shapes::moment)]
        pub updated_at: String = cohort.stamp.updated_at.to_string(),
    }

    /// Of a cohort with so many students.
    pub fn new(cohort: &Cohort, students: u32);
}

impl Resource for CohortView {
    const COLLECTION: &'static str = "cohorts";

    fn id(&self) -> &str {
        &self.id
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_cohort_without_a_time_zone_lives_in_utc() {
        let new: CreateCohort =
            serde_json::from_str(r#"{"course_id":"crs_x","name":"Spring"}"#).unwrap();
        assert_eq!(new.command().unwrap().timezone, UTC);
        let update: UpdateCohort = serde_json::from_str(r#"{"timezone":null}"#).unwrap();
        assert_eq!(update.command().unwrap().timezone.as_deref(), Some(UTC));
    }

    #[test]
    fn time_zones_have_the_form_of_names() {
        for right in [
            "UTC",
            "Europe/Lisbon",
            "America/Argentina/Buenos_Aires",
            "Etc/GMT+5",
        ] {
            assert!(timezone(right.to_owned()).is_ok(), "{right}");
        }
        for wrong in [
            "",
            "Europe/",
            "/",
            "New York",
            "Europe/São_Tomé",
            &"x".repeat(65),
        ] {
            assert!(timezone(wrong.to_owned()).is_err(), "{wrong}");
        }
    }

    #[test]
    fn null_takes_dates_and_capacity_away() {
        let json = r#"{"starts_at":null,"ends_at":"2027-06-30T18:00:00+02:00","capacity":null}"#;
        let changes = serde_json::from_str::<UpdateCohort>(json)
            .unwrap()
            .command()
            .unwrap();
        assert_eq!(changes.starts_at, Some(None));
        let ends_at = changes.ends_at.flatten().map(|at| at.to_string());
        assert_eq!(ends_at.as_deref(), Some("2027-06-30T16:00:00.000Z"));
        assert_eq!(changes.capacity, Some(None));
        assert_eq!((changes.name, changes.timezone), (None, None));
    }
}
