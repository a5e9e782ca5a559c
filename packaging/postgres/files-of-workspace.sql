-- The keys of the files that a workspace (`platform`: its uuid) has or may have in the file storage: those that deleting it
-- would remove.
SELECT DISTINCT key FROM workspaces, LATERAL (
    SELECT 'scorm/' || unnest(ARRAY[id, origin_id]) || '.zip' FROM scorm_packages WHERE workspace_id = workspaces.id
    UNION ALL
    SELECT 'audio/' || recording || '.wav' FROM activities WHERE workspace_id = workspaces.id
    UNION ALL
    -- Pieces of speech that are still being put together.
    SELECT jsonb_path_query(result::jsonb, '$.**.blob') #>> '{}' FROM generation_steps
    WHERE workspace_id = workspaces.id AND key LIKE 'speech/%'
    UNION ALL
    SELECT CASE WHEN file LIKE 'scp\_%' THEN 'scorm/' || file || '.zip' ELSE 'audio/' || file || '.wav' END
    FROM trash_rows WHERE workspace_id = workspaces.id AND file NOT LIKE 'med\_%'
    UNION ALL
    -- What came, the file itself, and smaller pictures of it.
    SELECT 'media/' || id || '/' || unnest(ARRAY['upload', '0', '1', '2', '3', '4'])
    FROM (SELECT id FROM media_files WHERE workspace_id = workspaces.id
          UNION ALL SELECT file FROM trash_rows WHERE workspace_id = workspaces.id AND file LIKE 'med\_%') AS library (id)
    UNION ALL
    -- What came of files that come in pieces.
    SELECT 'uploads/' || id || '/' || (jsonb_array_elements(document -> 'pieces') ->> 0) FROM media_uploads
    WHERE workspace_id = workspaces.id
    UNION ALL
    -- And what was put into the bucket.
    SELECT 'uploads/' || id || '/direct' FROM media_uploads
    WHERE workspace_id = workspaces.id AND document -> 'direct' IS NOT NULL
    UNION ALL
    SELECT 'scorm/' || id || '.zip' FROM trash_rows WHERE workspace_id = workspaces.id AND part = 'scorm_packages'
) AS files (key)
WHERE platform_uuid = :'platform' AND key IS NOT NULL ORDER BY key;
