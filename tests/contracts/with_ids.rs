//! Finding many by id: those asked for, of this workspace, from every repository that can.

use crate::cases::cases;
use crate::sample::content::{put_lessons, put_students};
use crate::sample::id;
use crate::stores::Stores;

cases![Stores:
    units_and_lessons_of_another_workspace_are_not_among_them,
    assignments_cohorts_and_users_of_another_workspace_are_not_among_them,
];

// In the samples, workspace 1 owns everything with number 1 and workspace 2 everything with number 2.

async fn units_and_lessons_of_another_workspace_are_not_among_them(stores: &Stores) {
    let store = stores.open().await;
    store.write(put_lessons).await.unwrap();
    let (units, lessons) = store
        .read(|tx| {
            let units = tx.units().with_ids(id(1), &[id(1), id(2)])?;
            Ok((units, tx.lessons().with_ids(id(1), &[id(1), id(2)])?))
        })
        .await
        .unwrap();
    assert_eq!(
        units.iter().map(|unit| unit.id).collect::<Vec<_>>(),
        [id(1)]
    );
    assert_eq!(
        lessons.iter().map(|lesson| lesson.id).collect::<Vec<_>>(),
        [id(1)]
    );
}

async fn assignments_cohorts_and_users_of_another_workspace_are_not_among_them(stores: &Stores) {
    let store = stores.open().await;
    store.write(put_students).await.unwrap();
    let (assignments, cohorts, users) = store
        .read(|tx| {
            let assignments = tx.assignments().with_ids(id(2), &[id(1), id(2)])?;
            let cohorts = tx.cohorts().with_ids(id(2), &[id(1), id(2)])?;
            Ok((
                assignments,
                cohorts,
                tx.users().with_ids(id(2), &[id(1), id(2)])?,
            ))
        })
        .await
        .unwrap();
    assert_eq!(
        assignments.iter().map(|one| one.id).collect::<Vec<_>>(),
        [id(2)]
    );
    assert_eq!(
        cohorts.iter().map(|one| one.id).collect::<Vec<_>>(),
        [id(2)]
    );
    assert_eq!(users.iter().map(|one| one.id).collect::<Vec<_>>(), [id(2)]);
}
