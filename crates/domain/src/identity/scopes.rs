//! Scopes: what a key may do, and what one scope says about another.

use std::collections::BTreeSet;

use crate::InvalidValue;
use crate::identity::roles::Role;
use crate::words::words;

words!(
    /// One permission of a key.
    Scope {
        /// Courses, cohorts, units, lessons and what hangs on them.
        ReadCourses = "read:courses",
        /// Create, change and delete them.
        WriteCourses = "write:courses",
        /// Students and their progress.
        ReadStudents = "read:students",
        /// Create, change and remove students and enrolments.
        WriteStudents = "write:students",
        /// Submissions and grades of everybody.
        ReadSubmissions = "read:submissions",
        /// Hand in; sees only the key's own user's submissions.
        WriteSubmissions = "write:submissions",
        /// Grade, approve, return.
        WriteGrades = "write:grades",
        /// The learner's view of published courses.
        ReadLessons = "read:lessons",
        /// Workspaces.
        ReadWorkspaces = "read:workspaces",
        /// Create, change and delete workspaces.
        WriteWorkspaces = "write:workspaces",
        /// API keys, without their secrets.
        ReadKeys = "read:keys",
        /// Create, rotate and revoke API keys.
        WriteKeys = "write:keys",
        /// One's own invitations to workspaces.
        ReadInvitations = "read:invitations",
        /// Accept and decline them.
        WriteInvitations = "write:invitations",
        /// Webhook endpoints and deliveries.
        ReadWebhooks = "read:webhooks",
        /// Create, change and delete webhook endpoints.
        WriteWebhooks = "write:webhooks",
        /// The event log.
        ReadEvents = "read:events",
        /// Hand out one-time login tokens.
        WriteTokens = "write:tokens",
        /// Provision members by SCIM, and nothing else.
        Provision = "scim",
        /// All AI generation.
        AiGenerate = "ai:generate",
        /// Grade with AI.
        AiGrade = "ai:grade",
        /// Talk to the tutor.
        AiTutor = "ai:tutor",
        /// Every read scope.
        ReadAll = "read:*",
        /// Every write scope, and so every read scope; never AI.
        WriteAll = "write:*",
        /// Every AI scope.
        AiAll = "ai:*",
    }
);

impl Scope {
    /// Whether holding `self` is as good as holding `needed`.
    ///
    /// Writing implies reading the same things, with one exception: `write:submissions` is in every student's
    /// key and reads nothing but that student's own. Nothing implies AI, because AI spends money.
    pub fn covers(self, needed: Self) -> bool {
        if self == needed {
            return true;
        }
        let action = needed.as_str().split(':').next().unwrap_or_default();
        match self {
            Self::ReadAll => action == "read",
            Self::WriteAll => action == "write" || action == "read",
            Self::AiAll => action == "ai",
            Self::ReadCourses => needed == Self::ReadLessons,
            Self::WriteCourses => matches!(needed, Self::ReadCourses | Self::ReadLessons),
            Self::WriteStudents => needed == Self::ReadStudents,
            Self::WriteGrades => needed == Self::ReadSubmissions,
            Self::WriteWorkspaces => needed == Self::ReadWorkspaces,
            Self::WriteKeys => needed == Self::ReadKeys,
            Self::WriteInvitations => needed == Self::ReadInvitations,
            Self::WriteWebhooks => needed == Self::ReadWebhooks,
            Self::ReadStudents
            | Self::ReadSubmissions
            | Self::WriteSubmissions
            | Self::ReadLessons
            | Self::ReadWorkspaces
            | Self::ReadKeys
            | Self::ReadInvitations
            | Self::ReadWebhooks
            | Self::ReadEvents
            | Self::WriteTokens
            | Self::Provision
            | Self::AiGenerate
            | Self::AiGrade
            | Self::AiTutor => false,
        }
    }
}

/// The scopes of a key, without doubles, in a fixed order.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct ScopeSet(BTreeSet<Scope>);

impl ScopeSet {
    /// What a key carries when nobody says: everything but AI.
    pub fn standard() -> Self {
        [Scope::ReadAll, Scope::WriteAll].into_iter().collect()
    }

    /// What the first key of an installation carries.
    pub fn everything() -> Self {
        [Scope::ReadAll, Scope::WriteAll, Scope::AiAll]
            .into_iter()
            .collect()
    }

    /// What every session key carries, no more and no less.
    pub fn session() -> Self {
        [Scope::ReadLessons, Scope::WriteSubmissions, Scope::AiTutor]
            .into_iter()
            .collect()
    }

    /// Reads a list of scope names; an empty list is refused, because such a key could do nothing.
    pub fn parse<'a>(names: impl IntoIterator<Item = &'a str>) -> Result<Self, InvalidValue> {
        let scopes = names
            .into_iter()
            .map(Scope::parse)
            .collect::<Result<BTreeSet<_>, _>>()?;
        if scopes.is_empty() {
            return Err(InvalidValue::new("must name at least one scope"));
        }
        Ok(Self(scopes))
    }

    /// Whether some scope of the set covers `needed`.
    pub fn allows(&self, needed: Scope) -> bool {
        self.0.iter().any(|scope| scope.covers(needed))
    }

    /// Whether it is that of whoever provisions a workspace: such a key opens nothing else.
    pub fn provisions(&self) -> bool {
        self.0.contains(&Scope::Provision)
    }

    /// Whether every scope of `wanted` is covered: what a key may give away. To provision is covered by nothing, and
    /// given by who may make keys and members.
    pub fn may_grant(&self, wanted: &Self) -> bool {
        let provisions = [Scope::WriteKeys, Scope::WriteStudents];
        wanted.iter().all(|scope| {
            if scope == Scope::Provision {
                provisions.iter().all(|needed| self.allows(*needed))
            } else {
                self.allows(scope)
            }
        })
    }

    /// Whether somebody in `role` may use all of it.
    pub fn is_within(&self, role: Role) -> bool {
        self.iter().all(|scope| role.permits(scope))
    }

    /// What somebody in `role` may use of it: the same in what it opens, and no more on the day that the role grows.
    #[must_use]
    pub fn capped(self, role: Role) -> Self {
        if self.is_within(role) {
            return self;
        }
        let scopes = Scope::ALL.iter().copied();
        scopes
            .filter(|scope| role.permits(*scope) && self.allows(*scope))
            .collect()
    }

    /// The scopes in order.
    pub fn iter(&self) -> impl Iterator<Item = Scope> + '_ {
        self.0.iter().copied()
    }
}

impl FromIterator<Scope> for ScopeSet {
    fn from_iter<I: IntoIterator<Item = Scope>>(scopes: I) -> Self {
        Self(scopes.into_iter().collect())
    }
}

impl Role {
    /// Whether a key of someone in this role may use `scope` at all: roles cap scopes.
    pub fn permits(self, scope: Scope) -> bool {
        match self {
            Self::Owner | Self::Admin => true,
            Self::Teacher => !matches!(
                scope,
                Scope::ReadWorkspaces
                    | Scope::WriteWorkspaces
                    | Scope::ReadKeys
                    | Scope::WriteKeys
                    | Scope::ReadWebhooks
                    | Scope::WriteWebhooks
                    | Scope::WriteTokens
                    | Scope::Provision
            ),
            Self::Student => {
                matches!(
                    scope,
                    Scope::ReadLessons
                        | Scope::WriteSubmissions
                        | Scope::AiTutor
                        | Scope::ReadInvitations
                        | Scope::WriteInvitations
                )
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn neither_star_spends_money() {
        let standard = ScopeSet::standard();
        for scope in Scope::ALL {
            assert_eq!(
                standard.allows(*scope),
                !scope.as_str().starts_with("ai:") && *scope != Scope::Provision,
                "{scope}"
            );
        }
        assert!(ScopeSet::everything().allows(Scope::AiGrade));
    }

    #[test]
    fn a_student_key_neither_grades_nor_reads_other_submissions() {
        let session = ScopeSet::session();
        for scope in [
            Scope::WriteGrades,
            Scope::AiGrade,
            Scope::ReadSubmissions,
            Scope::ReadCourses,
        ] {
            assert!(!session.allows(scope), "{scope}");
        }
        assert!(session.allows(Scope::ReadLessons));
    }

    #[test]
    fn writing_implies_reading_the_same_things() {
        let authors: ScopeSet = [Scope::WriteCourses].into_iter().collect();
        assert!(authors.allows(Scope::ReadCourses) && authors.allows(Scope::ReadLessons));
        assert!(!authors.allows(Scope::ReadStudents));
    }

    #[test]
    fn a_key_grants_only_what_it_holds() {
        let narrow: ScopeSet = [Scope::ReadCourses].into_iter().collect();
        assert!(!narrow.may_grant(&ScopeSet::standard()));
        assert!(ScopeSet::standard().may_grant(&narrow));
        assert!(!ScopeSet::standard().may_grant(&ScopeSet::everything()));
        assert!(ScopeSet::parse([]).is_err() && ScopeSet::parse(["read:minds"]).is_err());
    }

    #[test]
    fn no_star_provisions_and_who_makes_keys_and_members_lets_others_do() {
        let provisioner: ScopeSet = [Scope::Provision].into_iter().collect();
        assert!(provisioner.provisions() && !ScopeSet::everything().provisions());
        for scope in Scope::ALL
            .iter()
            .filter(|scope| **scope != Scope::Provision)
        {
            assert!(!provisioner.allows(*scope), "{scope}");
        }
        assert!(!ScopeSet::everything().allows(Scope::Provision));
        assert!(ScopeSet::standard().may_grant(&provisioner));
        for narrow in [Scope::WriteKeys, Scope::WriteStudents, Scope::Provision] {
            let narrow: ScopeSet = [narrow].into_iter().collect();
            assert!(!narrow.may_grant(&provisioner));
        }
        assert!(!Role::Teacher.permits(Scope::Provision));
    }

    #[test]
    fn roles_cap_scopes() {
        for scope in Scope::ALL {
            assert!(Role::Owner.permits(*scope) && Role::Admin.permits(*scope));
        }
        assert!(Role::Teacher.permits(Scope::AiGrade) && !Role::Teacher.permits(Scope::WriteKeys));
        assert!(!Role::Student.permits(Scope::ReadStudents));
    }

    #[test]
    fn what_is_capped_opens_the_same_and_names_no_more_than_the_role() {
        for role in Role::ALL {
            let capped = ScopeSet::everything().capped(*role);
            assert!(capped.is_within(*role), "{role}");
            let opens = |scope: &&Scope| role.permits(**scope) && **scope != Scope::Provision;
            for scope in Scope::ALL.iter().filter(opens) {
                let star = matches!(scope, Scope::ReadAll | Scope::WriteAll | Scope::AiAll);
                assert!(star || capped.allows(*scope), "{role} {scope}");
            }
        }
        let standard = ScopeSet::standard();
        assert_eq!(standard.clone().capped(Role::Teacher), standard);
        assert!(!standard.is_within(Role::Student));
        assert!(!standard.capped(Role::Student).allows(Scope::AiTutor));
    }
}
