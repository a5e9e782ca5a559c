//! Things of the domain with defaults for what a test is not about.
//!
//! Every builder takes the workspace first and gives a valid thing that can be changed before it is stored.

use std::time::Duration;

use lyceum_domain::authoring::completion::{Completion, Done};
use lyceum_domain::authoring::courses::gradebook::{
    CountingAttempt, GradeGroup, GradebookScheme, GradedItem, MissingWork,
};
use lyceum_domain::authoring::courses::{Course, CourseAi, Hours, NewCourse};
use lyceum_domain::identity::ai_settings::WorkspaceAi;
use lyceum_domain::identity::workspaces::{
    NewWorkspace, Platform, PlatformCode, PlatformUuid, Workspace,
};
use lyceum_domain::ids::WorkspaceId;
use lyceum_domain::json::{JsonObject, Metadata};
use lyceum_domain::text::{LanguageTag, LongText, Name};
use lyceum_domain::{Id, Timestamp};

use lyceum_ports::page::PageRequest;
use lyceum_ports::running::nodes::{Lease, NodeId};
use uuid::Uuid;

pub mod ai;
pub mod content;
pub mod learning;
pub mod people;

/// 2026-11-21T06:55:00.000Z
pub const START_MILLIS: i64 = 1_795_244_100_000;

/// The `n`-th id of a kind, for tests that need one without a generator.
pub fn id<K>(n: u64) -> Id<K> {
    Id::from_uuid(Uuid::from_u128(
        (u128::from(START_MILLIS.unsigned_abs()) << 80) | 0x7fff << 64 | u128::from(n),
    ))
}

/// The moment at which samples are made.
pub fn now() -> Timestamp {
    Timestamp::from_unix_millis(START_MILLIS)
}

/// A lease of a minute from this moment, of the `n`-th node.
pub fn lease(n: u64, from: Timestamp) -> Lease {
    Lease {
        node: NodeId(Uuid::from_u64_pair(0, n)),
        from,
        until: from.plus(Duration::from_mins(1)),
    }
}

/// A name.
pub fn name(text: &str) -> Name {
    Name::parse(text).unwrap()
}

/// A page of all in which this text stands.
pub fn searching(text: Option<&str>) -> PageRequest {
    let mut page = PageRequest::first(100);
    page.narrowed.text = text.map(str::to_owned);
    page
}

/// The `n`-th workspace, with a platform of its own.
pub fn workspace(n: u64) -> Workspace {
    let platform = Platform {
        number: i64::try_from(n).unwrap(),
        uuid: PlatformUuid::parse(&format!("{n:024x}")).unwrap(),
        code: Some(PlatformCode::parse(&format!("workspace-{n}")).unwrap()),
    };
    let new = NewWorkspace {
        name: name(&format!("Workspace {n}")),
        domain: None,
        ai: WorkspaceAi::default(),
        metadata: Metadata::default(),
    };
    Workspace::new(id(n), platform, new, now())
}

/// One group, of two tasks.
fn weighed(n: u64) -> GradebookScheme {
    let group = GradeGroup {
        id: "homework".to_owned(),
        name: name("Homework"),
        weight: 40,
        drop_lowest: 1,
        attempt: CountingAttempt::Latest,
        items: vec![GradedItem::Assignment(id(n)), GradedItem::Activity(id(n))],
    };
    GradebookScheme::new(vec![group], MissingWork::Zero).unwrap()
}

/// The `n`-th course of a workspace.
pub fn course(workspace: WorkspaceId, n: u64) -> Course {
    let new = NewCourse {
        name: name(&format!("Course {n}")),
        language: LanguageTag::english(),
        description: LongText::default(),
        hours: Hours::DEFAULT,
        ai: CourseAi::default(),
        tutor: JsonObject::new(),
        completion: Completion {
            done: Done::Share(80),
            passing_percent: Some(60),
        },
        gradebook: weighed(n),
        metadata: Metadata::default(),
    };
    Course::draft(workspace, id(n), new, now())
}
