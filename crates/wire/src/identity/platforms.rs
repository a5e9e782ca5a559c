//! Platforms on the wire: workspaces as callers choose them.

use lyceum_domain::identity::users::User;
use lyceum_domain::identity::workspaces::Workspace;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::shapes;

/// A platform that the caller belongs to.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct PlatformView {
    /// A number of its own.
    pub id: i64,
    /// Always `platform`.
    pub object: String,
    /// 24 hexadecimal digits, for `X-Learning-Platform-Uuid`.
    pub uuid: String,
    /// A slug, for `X-Learning-Platform-Code`; older platforms have none.
    #[schema(required)]
    pub code: Option<String>,
    /// Human-readable name.
    pub name: String,
    /// The same tenant as a workspace: `wsp_…`
    #[schema(schema_with = shapes::id_of::<lyceum_domain::ids::Workspace>)]
    pub workspace_id: String,
    /// What the caller is there: `owner`, `admin`, `teacher` or `student`.
    #[schema(schema_with = shapes::word::<lyceum_domain::identity::users::Role>)]
    pub role: String,
    /// When it was made.
    #[schema(schema_with = shapes::moment)]
    pub created_at: String,
    /// When it last changed.
    #[schema(schema_with = shapes::moment)]
    pub updated_at: String,
}

impl PlatformView {
    /// Of a workspace, as its member sees it.
    pub fn new(user: &User, workspace: &Workspace) -> Self {
        let platform = &workspace.platform;
        Self {
            id: platform.number,
            object: "platform".to_owned(),
            uuid: platform.uuid.to_string(),
            code: platform.code.as_ref().map(ToString::to_string),
            name: workspace.name.to_string(),
            workspace_id: workspace.id.to_string(),
            role: user.role.to_string(),
            created_at: workspace.stamp.created_at.to_string(),
            updated_at: workspace.stamp.updated_at.to_string(),
        }
    }
}
