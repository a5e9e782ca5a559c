//! Files of workspaces that are gone, in rows.

use lyceum_domain::running::jobs::{Job, JobKind};
use lyceum_domain::running::trash::TrashPart;
use lyceum_ports::blobs::BlobKey;
use lyceum_ports::running::unwanted_files::{FilesOfWorkspace, UnwantedFileRepository};
use serde_json::Value;

use crate::mapping::schema::{
    activities, generation_steps, jobs, media_files, media_uploads, scorm_packages, trash_rows,
    unwanted_files,
};
use crate::prelude::*;
use crate::running::jobs::tasks;

impl UnwantedFileRepository for Session<'_> {
    fn of_workspace(&mut self, workspace: WorkspaceId) -> Result<FilesOfWorkspace, StoreError> {
        let workspace = workspace.to_string();
        let packages: Vec<(String, Option<String>)> = self.run(|conn| {
            scorm_packages::table
                .filter(scorm_packages::workspace_id.eq(&workspace))
                .select((scorm_packages::id, scorm_packages::origin_id))
                .load(conn)
        })?;
        let recordings: Vec<Option<String>> = self.run(|conn| {
            activities::table
                .filter(activities::workspace_id.eq(&workspace))
                .filter(activities::recording.is_not_null())
                .select(activities::recording)
                .load(conn)
        })?;
        let media: Vec<String> = self.run(|conn| {
            media_files::table
                .filter(media_files::workspace_id.eq(&workspace))
                .select(media_files::id)
                .load(conn)
        })?;
        let mut files = FilesOfWorkspace {
            media,
            packages: packages
                .into_iter()
                .flat_map(|(id, origin)| [Some(id), origin].into_iter().flatten())
                .collect(),
            recordings: recordings.into_iter().flatten().collect(),
            keys: self.pieces_of(&workspace)?,
        };
        files.keys.extend(self.upload_pieces_of(&workspace)?);
        self.add_removals(&workspace, &mut files)?;
        self.add_deleted(&workspace, &mut files)?;
        Ok(files)
    }

    fn insert(&mut self, key: &str, due_at: Timestamp) -> Result<(), StoreError> {
        let known: Option<String> = self.run(|conn| {
            unwanted_files::table
                .find((key, Moment(due_at)))
                .select(unwanted_files::key)
                .first(conn)
                .optional()
        })?;
        if known.is_some() {
            return Ok(());
        }
        self.insert_absent(|conn| {
            diesel::insert_into(unwanted_files::table)
                .values((
                    unwanted_files::key.eq(key),
                    unwanted_files::due_at.eq(Moment(due_at)),
                ))
                .execute(conn)
        })
    }

    fn due(&mut self, now: Timestamp, limit: u16) -> Result<Vec<String>, StoreError> {
        self.run(|conn| {
            unwanted_files::table
                .filter(unwanted_files::due_at.le(Moment(now)))
                .order((unwanted_files::due_at, unwanted_files::key))
                .select(unwanted_files::key)
                .limit(limit.into())
                .load(conn)
        })
    }

    fn forget(&mut self, key: &str, now: Timestamp) -> Result<(), StoreError> {
        self.run(|conn| {
            diesel::delete(unwanted_files::table)
                .filter(unwanted_files::key.eq(key))
                .filter(unwanted_files::due_at.le(Moment(now)))
                .execute(conn)
        })
        .map(drop)
    }
}

impl Session<'_> {
    /// Pieces of speech that generations have made.
    fn pieces_of(&mut self, workspace: &str) -> Result<Vec<String>, StoreError> {
        let results: Vec<Option<Json>> = self.run(|conn| {
            generation_steps::table
                .filter(generation_steps::workspace_id.eq(workspace))
                .filter(generation_steps::key.like("speech/%"))
                .select(generation_steps::result)
                .load(conn)
        })?;
        let results = results.into_iter().flatten();
        Ok(results
            .filter_map(|Json(result)| blob_in(&result))
            .collect())
    }

    /// What came of large files: pieces, or what was put where no piece is.
    fn upload_pieces_of(&mut self, workspace: &str) -> Result<Vec<String>, StoreError> {
        let found: Vec<(String, Json)> = self.run(|conn| {
            media_uploads::table
                .filter(media_uploads::workspace_id.eq(workspace))
                .select((media_uploads::id, media_uploads::document))
                .load(conn)
        })?;
        let mut keys = Vec::new();
        for (id, Json(document)) in found {
            let id = rows::id(&id)?;
            if document.get("direct").is_some() {
                keys.push(BlobKey::of_direct_upload(id).as_str().to_owned());
            }
            let pieces = document.get("pieces").and_then(Value::as_array);
            for piece in pieces.into_iter().flatten() {
                let name = piece.get(0).and_then(Value::as_str);
                let name = name.ok_or_else(|| corrupt("the name of a piece"))?;
                let key = rows::read(BlobKey::of_upload_piece(id, name))?;
                keys.push(key.as_str().to_owned());
            }
        }
        Ok(keys)
    }

    /// What jobs would still remove, which go with the workspace.
    fn add_removals(
        &mut self,
        workspace: &str,
        files: &mut FilesOfWorkspace,
    ) -> Result<(), StoreError> {
        let open: Vec<(String, Json)> = self.run(|conn| {
            jobs::table
                .filter(jobs::workspace_id.eq(workspace))
                .filter(jobs::kind.eq(JobKind::RemoveArchive.as_str()))
                .filter(jobs::state.ne("done"))
                .select((jobs::subject_id, jobs::payload))
                .load(conn)
        })?;
        for (subject, Json(payload)) in open {
            match tasks::task(JobKind::RemoveArchive.as_str(), &subject, &payload) {
                Some(Job::RemovePieces { pieces, .. }) => files.keys.extend(pieces),
                Some(_) | None => add_named(files, subject),
            }
        }
        Ok(())
    }

    /// What is in the trash, which goes with the workspace.
    fn add_deleted(
        &mut self,
        workspace: &str,
        files: &mut FilesOfWorkspace,
    ) -> Result<(), StoreError> {
        let found: Vec<Option<String>> = self.run(|conn| {
            trash_rows::table
                .filter(trash_rows::workspace_id.eq(workspace))
                .filter(trash_rows::file.is_not_null())
                .select(trash_rows::file)
                .load(conn)
        })?;
        for name in found.into_iter().flatten() {
            add_named(files, name);
        }
        // One that was being made may have been stored already.
        let packages: Vec<String> = self.run(|conn| {
            trash_rows::table
                .filter(trash_rows::workspace_id.eq(workspace))
                .filter(trash_rows::part.eq(TrashPart::ScormPackages.as_str()))
                .select(trash_rows::id)
                .load(conn)
        })?;
        files.packages.extend(packages);
        Ok(())
    }
}

/// Puts the name of a file where its kind is.
fn add_named(files: &mut FilesOfWorkspace, name: String) {
    if name.starts_with("scp_") {
        files.packages.push(name);
    } else if name.starts_with("med_") {
        files.media.push(name);
    } else {
        files.recordings.push(name);
    }
}

/// The key of the file that a result names, at whatever depth.
fn blob_in(result: &Value) -> Option<String> {
    match result {
        Value::Object(members) => match members.get("blob") {
            Some(Value::String(key)) => Some(key.clone()),
            Some(_) | None => members.values().find_map(blob_in),
        },
        Value::Array(entries) => entries.iter().find_map(blob_in),
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => None,
    }
}
