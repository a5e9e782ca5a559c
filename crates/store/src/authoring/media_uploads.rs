//! Uploads of large files, in rows.

use lyceum_domain::authoring::media_uploads::{DirectUpload, MediaUpload, UploadPiece};
use lyceum_domain::ids::MediaUploadId;
use lyceum_domain::text::Name;
use lyceum_ports::authoring::media_uploads::{MediaUploadRepository, OpenUploads};
use serde::{Deserialize, Serialize};

use crate::authoring::media_documents::DescriptionDocument;
use crate::mapping::documents;
use crate::mapping::schema::media_uploads;
use crate::prelude::*;

#[derive(Queryable, Selectable, Insertable, AsChangeset)]
#[diesel(table_name = media_uploads, primary_key(workspace_id, id))]
#[diesel(treat_none_as_null = true, treat_none_as_default_value = false)]
struct MediaUploadRow {
    workspace_id: String,
    id: String,
    uploaded_by: String,
    size_bytes: i64,
    media_id: Option<String>,
    document: Json,
    metadata: Json,
    expires_at: Moment,
    created_at: Moment,
    updated_at: Moment,
    version: i64,
}

/// What the file is called, what is said about it, and what came of it.
#[derive(Serialize, Deserialize)]
struct UploadDocument {
    file_name: String,
    #[serde(flatten)]
    description: DescriptionDocument,
    /// Name, bytes and hash of each piece.
    pieces: Vec<(String, u64, String)>,
    /// Of one that does not come in pieces.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    direct: Option<DirectDocument>,
}

/// Until when it may be put, in milliseconds since 1970, and whether it was given up.
#[derive(Serialize, Deserialize)]
struct DirectDocument {
    until: i64,
    is_given_up: bool,
}

impl TryFrom<&MediaUpload> for MediaUploadRow {
    type Error = StoreError;

    fn try_from(upload: &MediaUpload) -> Result<Self, StoreError> {
        let piece = |piece: &UploadPiece| {
            let UploadPiece {
                name,
                size_bytes,
                sha256,
            } = piece;
            (name.clone(), *size_bytes, sha256.clone())
        };
        let document = UploadDocument {
            file_name: upload.file_name.as_str().to_owned(),
            description: DescriptionDocument::from(&upload.description),
            pieces: upload.pieces.iter().map(piece).collect(),
            direct: upload.direct.map(|direct| DirectDocument {
                until: direct.until.unix_millis(),
                is_given_up: direct.is_given_up,
            }),
        };
        Ok(Self {
            workspace_id: upload.workspace_id.to_string(),
            id: upload.id.to_string(),
            uploaded_by: upload.uploaded_by.to_string(),
            size_bytes: rows::stored_number(upload.size_bytes),
            media_id: upload.media.map(|id| id.to_string()),
            document: documents::write(&document)?,
            metadata: Json(upload.metadata.as_map().clone().into()),
            expires_at: upload.expires_at.into(),
            created_at: upload.stamp.created_at.into(),
            updated_at: upload.stamp.updated_at.into(),
            version: upload.stamp.version,
        })
    }
}

impl TryFrom<MediaUploadRow> for MediaUpload {
    type Error = StoreError;

    fn try_from(row: MediaUploadRow) -> Result<Self, StoreError> {
        let document: UploadDocument = documents::read(row.document)?;
        let piece = |(name, size_bytes, sha256)| UploadPiece {
            name,
            size_bytes,
            sha256,
        };
        Ok(Self {
            workspace_id: rows::id(&row.workspace_id)?,
            id: rows::id(&row.id)?,
            uploaded_by: rows::id(&row.uploaded_by)?,
            file_name: rows::read(Name::parse(document.file_name))?,
            size_bytes: rows::number(row.size_bytes)?,
            description: document.description.read()?,
            metadata: rows::metadata(row.metadata)?,
            pieces: document.pieces.into_iter().map(piece).collect(),
            direct: document.direct.map(|direct| DirectUpload {
                until: Timestamp::from_unix_millis(direct.until),
                is_given_up: direct.is_given_up,
            }),
            media: rows::optional_id(row.media_id.as_ref())?,
            expires_at: row.expires_at.0,
            stamp: rows::stamp(row.created_at, row.updated_at, row.version),
        })
    }
}

impl MediaUploadRepository for Session<'_> {
    fn insert(&mut self, upload: &MediaUpload) -> Result<(), StoreError> {
        let row = MediaUploadRow::try_from(upload)?;
        self.run(|conn| {
            diesel::insert_into(media_uploads::table)
                .values(&row)
                .execute(conn)
        })
        .map(drop)
    }

    fn find(
        &mut self,
        workspace: WorkspaceId,
        id: MediaUploadId,
    ) -> Result<Option<MediaUpload>, StoreError> {
        let found = self.run(|conn| {
            media_uploads::table
                .find((workspace.to_string(), id.to_string()))
                .select(MediaUploadRow::as_select())
                .first(conn)
                .optional()
        })?;
        found.map(MediaUpload::try_from).transpose()
    }

    fn update(&mut self, upload: &MediaUpload) -> Result<(), StoreError> {
        let row = MediaUploadRow::try_from(upload)?;
        self.change(&row.id, |conn| {
            diesel::update(media_uploads::table)
                .filter(media_uploads::workspace_id.eq(&row.workspace_id))
                .filter(media_uploads::id.eq(&row.id))
                .filter(media_uploads::version.lt(row.version))
                .set(&row)
                .execute(conn)
        })
    }

    fn delete(&mut self, workspace: WorkspaceId, id: MediaUploadId) -> Result<(), StoreError> {
        self.run(|conn| {
            diesel::delete(media_uploads::table)
                .filter(media_uploads::workspace_id.eq(workspace.to_string()))
                .filter(media_uploads::id.eq(id.to_string()))
                .execute(conn)
        })
        .map(drop)
    }

    fn open(&mut self, workspace: WorkspaceId, now: Timestamp) -> Result<OpenUploads, StoreError> {
        // A sum of such numbers has another type in each database.
        let sizes: Vec<i64> = self.run(|conn| {
            media_uploads::table
                .filter(media_uploads::workspace_id.eq(workspace.to_string()))
                .filter(media_uploads::media_id.is_null())
                .filter(media_uploads::expires_at.gt(Moment(now)))
                .select(media_uploads::size_bytes)
                .load(conn)
        })?;
        Ok(OpenUploads {
            count: rows::number(rows::stored_number(sizes.len()))?,
            size_bytes: rows::number(sizes.into_iter().fold(0, i64::saturating_add))?,
        })
    }

    fn forget_over(&mut self, now: Timestamp, limit: u16) -> Result<u64, StoreError> {
        let over: Vec<(String, String)> = self.run(|conn| {
            media_uploads::table
                .filter(media_uploads::expires_at.le(Moment(now)))
                .order(media_uploads::expires_at.asc())
                .limit(limit.into())
                .select((media_uploads::workspace_id, media_uploads::id))
                .load(conn)
        })?;
        let mut forgotten = 0;
        for (workspace, id) in over {
            forgotten += self.run(|conn| {
                diesel::delete(media_uploads::table.find((&workspace, &id))).execute(conn)
            })?;
        }
        rows::number(rows::stored_number(forgotten))
    }
}
