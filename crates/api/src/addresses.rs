//! The addresses that the service gives out, spelled as the route table has them. Nobody else spells one.

use lyceum_application::{Addresses, Door, SsoDoor};
use lyceum_domain::exporting::scorm::RuntimeBaseUrl;

/// What every path of the API begins with.
pub const VERSION: &str = "/v1";
/// Where a package is downloaded.
pub const PACKAGE_DOWNLOAD: &str = "/v1/scorm/{id}/download";
/// Where a package is looked at.
pub const PACKAGE_PREVIEW: &str = "/v1/scorm/{id}/preview";
/// Where a recording is heard.
pub const RECORDING: &str = "/v1/activities/{id}/audio";

/// Where a file of the media library is loaded.
pub const MEDIA_FILE: &str = "/v1/media/{id}/file";

/// Where a lesson is played as it is saved.
pub const LESSON_PREVIEW: &str = "/v1/lessons/{id}/preview";
/// Where an activity is.
pub const ACTIVITY_PREVIEW: &str = "/v1/activities/{id}/preview";

/// Where identity providers send people back to.
pub const SSO_CALLBACK: &str = "/v1/sign_in/sso/callback";
/// Where identity providers tell of who signed out.
pub const SSO_LOGOUT: &str = "/v1/sso_connections/{id}/logout";

/// The addresses of a service whose callers reach it here.
#[derive(Debug, Clone)]
pub struct RouteAddresses(pub RuntimeBaseUrl);

impl Addresses for RouteAddresses {
    fn signed(&self, door: Door, expires: i64, signature: &str) -> String {
        let (path, id, named) = match door {
            Door::PackageDownload(id) => (PACKAGE_DOWNLOAD, id.to_string(), String::new()),
            Door::PackagePreview(id) => (PACKAGE_PREVIEW, id.to_string(), String::new()),
            Door::Recording(workspace, id) => {
                (RECORDING, id.to_string(), format!("workspace={workspace}&"))
            }
            Door::MediaFile(workspace, id, number) => {
                let named = format!("workspace={workspace}&number={number}&");
                (MEDIA_FILE, id.to_string(), named)
            }
            Door::LessonPreview(workspace, id) => {
                let named = format!("workspace={workspace}&");
                (LESSON_PREVIEW, id.to_string(), named)
            }
            Door::ActivityPreview(workspace, id) => {
                let named = format!("workspace={workspace}&");
                (ACTIVITY_PREVIEW, id.to_string(), named)
            }
        };
        let (base, path) = (self.0.as_str(), path.replacen("{id}", &id, 1));
        format!("{base}{path}?{named}expires={expires}&signature={signature}")
    }

    fn of_sso(&self, door: SsoDoor) -> String {
        let base = self.0.as_str();
        match door {
            SsoDoor::Callback => format!("{base}{SSO_CALLBACK}"),
            SsoDoor::Logout(id) => {
                let path = SSO_LOGOUT.replacen("{id}", &id.to_string(), 1);
                format!("{base}{path}")
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use lyceum_domain::Id;

    use super::*;

    #[test]
    fn a_door_is_a_route_at_the_public_address() {
        let addresses = RouteAddresses(RuntimeBaseUrl::parse("https://l.example/api/").unwrap());
        let (package, workspace) = (Id::from_uuid(<_>::default()), Id::from_uuid(<_>::default()));
        let activity = Id::from_uuid(<_>::default());
        let media = Id::from_uuid(<_>::default());
        let lesson = Id::from_uuid(<_>::default());
        let signed = |door| addresses.signed(door, 9, "ab");
        assert_eq!(
            [
                signed(Door::PackageDownload(package)),
                signed(Door::PackagePreview(package)),
                signed(Door::Recording(workspace, activity)),
                signed(Door::MediaFile(workspace, media, 2)),
                signed(Door::LessonPreview(workspace, lesson)),
                signed(Door::ActivityPreview(workspace, activity)),
            ],
            [
                format!("https://l.example/api/v1/scorm/{package}/download?expires=9&signature=ab"),
                format!("https://l.example/api/v1/scorm/{package}/preview?expires=9&signature=ab"),
                format!(
                    "https://l.example/api/v1/activities/{activity}/audio?workspace={workspace}&expires=9&signature=ab"
                ),
                format!(
                    "https://l.example/api/v1/media/{media}/file?workspace={workspace}&number=2&expires=9&signature=ab"
                ),
                format!(
                    "https://l.example/api/v1/lessons/{lesson}/preview?workspace={workspace}&expires=9&signature=ab"
                ),
                format!(
                    "https://l.example/api/v1/activities/{activity}/preview?workspace={workspace}&expires=9&signature=ab"
                ),
            ]
        );
    }
}
