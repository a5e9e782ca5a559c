//! Media files in rows.

use diesel::sql_types::{BigInt, Text};
use lyceum_domain::authoring::media::{MediaFile, SCHEME};
use lyceum_domain::ids::MediaId;
use lyceum_ports::authoring::media_files::{MediaFileFilter, MediaFileRepository, MediaUse};

use crate::authoring::media_documents::MediaDocument;
use crate::mapping::documents;
use crate::mapping::schema::media_files;
use crate::prelude::*;

#[derive(Queryable, Selectable, Insertable, AsChangeset)]
#[diesel(table_name = media_files, primary_key(workspace_id, id))]
#[diesel(treat_none_as_null = true, treat_none_as_default_value = false)]
struct MediaFileRow {
    workspace_id: String,
    id: String,
    status: String,
    kind: Option<String>,
    sha256: String,
    size_bytes: i64,
    uploaded_by: String,
    document: Json,
    metadata: Json,
    created_at: Moment,
    updated_at: Moment,
    version: i64,
}

impl TryFrom<&MediaFile> for MediaFileRow {
    type Error = StoreError;

    fn try_from(media: &MediaFile) -> Result<Self, StoreError> {
        let kind = media
            .content()
            .map(|content| content.file.media_type.kind());
        Ok(Self {
            workspace_id: media.workspace_id.to_string(),
            id: media.id.to_string(),
            status: media.state.as_str().to_owned(),
            kind: kind.map(|kind| kind.to_string()),
            sha256: media.uploaded.sha256.clone(),
            size_bytes: rows::stored_number(media.size_bytes()),
            uploaded_by: media.uploaded_by.to_string(),
            document: documents::write(&MediaDocument::from(media))?,
            metadata: Json(media.metadata.as_map().clone().into()),
            created_at: media.stamp.created_at.into(),
            updated_at: media.stamp.updated_at.into(),
            version: media.stamp.version,
        })
    }
}

impl TryFrom<MediaFileRow> for MediaFile {
    type Error = StoreError;

    fn try_from(row: MediaFileRow) -> Result<Self, StoreError> {
        let document: MediaDocument = documents::read(row.document)?;
        let (uploaded, description, state) = document.read(row.sha256)?;
        if state.as_str() != row.status {
            return Err(corrupt(format!("media state {:?}", row.status)));
        }
        Ok(Self {
            workspace_id: rows::id(&row.workspace_id)?,
            id: rows::id(&row.id)?,
            uploaded,
            uploaded_by: rows::id(&row.uploaded_by)?,
            description,
            state,
            metadata: rows::metadata(row.metadata)?,
            stamp: rows::stamp(row.created_at, row.updated_at, row.version),
        })
    }
}

/// Tables whose texts refer to media files: what a row is called on the wire, and those of its columns that may.
const REFERRING: [(&str, &str, &[&str]); 5] = [
    ("course", "courses", &["description"]),
    ("unit", "units", &["description"]),
    ("lesson", "lessons", &["summary", "content"]),
    ("activity", "activities", &["content"]),
    ("assignment", "assignments", &["instructions", "rubric"]),
];

#[derive(QueryableByName)]
struct KeptBytes {
    #[diesel(sql_type = BigInt)]
    bytes: i64,
}

#[derive(QueryableByName)]
struct Referring {
    #[diesel(sql_type = Text)]
    id: String,
    #[diesel(sql_type = Text)]
    name: String,
}

impl MediaFileRepository for Session<'_> {
    fn insert(&mut self, media: &MediaFile) -> Result<(), StoreError> {
        let row = MediaFileRow::try_from(media)?;
        self.run(|conn| {
            diesel::insert_into(media_files::table)
                .values(&row)
                .execute(conn)
        })
        .map(drop)
    }

    fn find(
        &mut self,
        workspace: WorkspaceId,
        id: MediaId,
    ) -> Result<Option<MediaFile>, StoreError> {
        let found = self.run(|conn| {
            media_files::table
                .find((workspace.to_string(), id.to_string()))
                .select(MediaFileRow::as_select())
                .first(conn)
                .optional()
        })?;
        found.map(MediaFile::try_from).transpose()
    }

    fn with_ids(
        &mut self,
        workspace: WorkspaceId,
        ids: &[MediaId],
    ) -> Result<Vec<MediaFile>, StoreError> {
        let ids: Vec<String> = ids.iter().map(ToString::to_string).collect();
        let found = self.run(|conn| {
            media_files::table
                .filter(media_files::workspace_id.eq(workspace.to_string()))
                .filter(media_files::id.eq_any(ids))
                .select(MediaFileRow::as_select())
                .load(conn)
        })?;
        found.into_iter().map(MediaFile::try_from).collect()
    }

    fn update(&mut self, media: &MediaFile) -> Result<(), StoreError> {
        let row = MediaFileRow::try_from(media)?;
        self.change(&row.id, |conn| {
            diesel::update(media_files::table)
                .filter(media_files::workspace_id.eq(&row.workspace_id))
                .filter(media_files::id.eq(&row.id))
                .filter(media_files::version.lt(row.version))
                .set(&row)
                .execute(conn)
        })
    }

    fn page(
        &mut self,
        workspace: WorkspaceId,
        filter: &MediaFileFilter,
        page: &PageRequest,
    ) -> Result<Page<MediaFile>, StoreError> {
        let walk = Walk::<ids::MediaFile>::over("media_files", workspace, page)
            .along("sha256", filter.sha256.as_ref())
            .along("kind", filter.kind)
            .sifting(filter.status.is_some());
        walk.take(self, |session, mut reach| {
            let mut query = media_files::table
                .filter(media_files::workspace_id.eq(workspace.to_string()))
                .select(MediaFileRow::as_select())
                .order(reach.order())
                .limit(i64::from(page.limit) + 1)
                .into_boxed();
            for condition in reach.conditions() {
                query = query.filter(condition);
            }
            if let Some(status) = &filter.status {
                query = query.filter(media_files::status.eq(status.clone()));
            }
            if let Some(kind) = filter.kind {
                query = query.filter(media_files::kind.eq(kind.as_str()));
            }
            if let Some(sha256) = &filter.sha256 {
                query = query.filter(media_files::sha256.eq(sha256.clone()));
            }
            let found = session.run(|conn| query.load::<MediaFileRow>(conn))?;
            let files = found
                .into_iter()
                .map(MediaFile::try_from)
                .collect::<Result<Vec<_>, _>>()?;
            Ok(reach.cut(files, |media| media.id.to_string()))
        })
    }

    fn with_upload(
        &mut self,
        workspace: WorkspaceId,
        sha256: &str,
    ) -> Result<Option<MediaFile>, StoreError> {
        let found = self.run(|conn| {
            media_files::table
                .filter(media_files::workspace_id.eq(workspace.to_string()))
                .filter(media_files::sha256.eq(sha256))
                .filter(media_files::status.ne("error"))
                .select(MediaFileRow::as_select())
                .order(media_files::id.asc())
                .first(conn)
                .optional()
        })?;
        found.map(MediaFile::try_from).transpose()
    }

    fn kept_bytes(&mut self, workspace: WorkspaceId) -> Result<u64, StoreError> {
        let (of_body, place) = match self.conn {
            AnyConnection::Postgres(_) => ("CAST(body ->> 'size_bytes' AS BIGINT)", "$1"),
            AnyConnection::Sqlite(_) => ("json_extract(body, '$.size_bytes')", "?1"),
        };
        let statement = format!(
            "SELECT CAST(COALESCE((SELECT SUM(size_bytes) FROM media_files WHERE workspace_id = {place}), 0) \
             + COALESCE((SELECT SUM({of_body}) FROM trash_rows \
             WHERE workspace_id = {place} AND part = 'media_files'), 0) AS BIGINT) AS bytes"
        );
        let query = diesel::sql_query(statement).bind::<Text, _>(workspace.to_string());
        let found: KeptBytes = self.run(|conn| query.get_result(conn))?;
        rows::number(found.bytes)
    }

    fn uses(
        &mut self,
        workspace: WorkspaceId,
        id: MediaId,
        limit: u16,
    ) -> Result<Vec<MediaUse>, StoreError> {
        let address = format!("{SCHEME}{id}");
        let mut uses = Vec::new();
        for (object, table, columns) in REFERRING {
            let left = usize::from(limit) - uses.len();
            if left == 0 {
                break;
            }
            let statement = referring(self.conn, table, columns, left);
            let query = diesel::sql_query(statement)
                .bind::<Text, _>(workspace.to_string())
                .bind::<Text, _>(&address);
            let found: Vec<Referring> = self.run(|conn| query.load(conn))?;
            uses.extend(found.into_iter().map(|Referring { id, name }| MediaUse {
                object,
                id,
                name,
            }));
        }
        Ok(uses)
    }
}

/// Looks for an address in the columns of a table, and in what waits for its rows or is pinned of them.
fn referring(conn: &AnyConnection, table: &str, columns: &[&str], limit: usize) -> String {
    let holds = |column: &&str| match conn {
        AnyConnection::Postgres(_) => format!("strpos(CAST({column} AS text), $2) > 0"),
        AnyConnection::Sqlite(_) => format!("instr({column}, ?2) > 0"),
    };
    let place = match conn {
        AnyConnection::Postgres(_) => "$1",
        AnyConnection::Sqlite(_) => "?1",
    };
    let held: Vec<String> = columns.iter().map(holds).collect();
    format!(
        "SELECT id, name FROM {table} WHERE workspace_id = {place} AND ({} OR id IN \
         (SELECT id FROM waiting_changes WHERE workspace_id = {place} AND {content} \
         UNION ALL SELECT id FROM pinned_contents WHERE workspace_id = {place} AND {content})) \
         ORDER BY id LIMIT {limit}",
        held.join(" OR "),
        content = holds(&"content")
    )
}
