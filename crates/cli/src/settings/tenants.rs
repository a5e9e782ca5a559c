//! Who may make workspaces, how many, and how many people they may let in at once.

use std::num::NonZeroU32;

use clap::{Args, ValueEnum};
use lyceum_api::edge::rate_limit::TenantLimits;
use lyceum_application::settings::WorkspaceCreation;
use lyceum_domain::identity::users::Role;

/// Who may make workspaces.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum Makers {
    /// Nobody but the operator, at the shell.
    Nobody,
    /// Owners of a workspace.
    Owners,
    /// Owners and admins of a workspace.
    Admins,
    /// Teachers too.
    Teachers,
    /// Everybody with a key of their own.
    Anyone,
}

/// Settings of tenants.
#[derive(Debug, Clone, Args)]
pub struct TenantSettings {
    /// Who may make workspaces, by what they are on the platform that they chose, else anywhere that their key opens.
    #[arg(
        long,
        env = "LYCEUM_WORKSPACE_CREATION",
        value_enum,
        default_value = "admins",
        global = true
    )]
    pub workspace_creation: Makers,

    /// Of how many workspaces one person may be an owner; who is of more makes no other.
    #[arg(
        long,
        env = "LYCEUM_WORKSPACES_PER_PERSON",
        default_value = "100",
        global = true
    )]
    pub workspaces_per_person: u32,

    /// Workspaces that one person makes in a minute.
    #[arg(
        long,
        env = "LYCEUM_RATE_LIMIT_WORKSPACES",
        default_value = "10",
        global = true
    )]
    pub rate_limit_workspaces: NonZeroU32,

    /// People whom one workspace, and whom one person, lets in by their address in a minute.
    #[arg(
        long,
        env = "LYCEUM_RATE_LIMIT_INVITATIONS",
        default_value = "6000",
        global = true
    )]
    pub rate_limit_invitations: NonZeroU32,
}

impl TenantSettings {
    /// Who may make workspaces, and how many.
    pub fn creation(&self) -> WorkspaceCreation {
        let least = match self.workspace_creation {
            Makers::Nobody => None,
            Makers::Owners => Some(Role::Owner),
            Makers::Admins => Some(Role::Admin),
            Makers::Teachers => Some(Role::Teacher),
            Makers::Anyone => Some(Role::Student),
        };
        WorkspaceCreation {
            least,
            per_person: self.workspaces_per_person,
        }
    }

    /// How many in a minute.
    pub fn limits(&self) -> TenantLimits {
        TenantLimits {
            workspaces_per_person: self.rate_limit_workspaces,
            invitations: self.rate_limit_invitations,
        }
    }
}
