-- Shows the tables of another program as if they had our columns, in one connection and without
-- changing the file: a temporary name hides the same name in the file, so all statements that read
-- work as they are. They find the sessions without our indexes.

CREATE TEMP VIEW {messages} AS SELECT id, session_id, message_data, created_at,
  NULL AS clew_crc, NULL AS clew_added, NULL AS clew_notes, NULL AS clew_item_id
  FROM main.{messages}

-- As adopt.sql adopts them. Messages without a session make one.
CREATE TEMP VIEW {sessions} AS SELECT session_id, created_at, updated_at,
  (SELECT coalesce(max(id), 1) FROM main.{messages} m WHERE m.session_id = s.session_id)
    AS clew_version,
  (SELECT count(*) FROM main.{messages} m WHERE m.session_id = s.session_id) AS clew_count,
  (SELECT coalesce(sum(length(CAST(message_data AS BLOB))), 0) FROM main.{messages} m
    WHERE m.session_id = s.session_id) AS clew_bytes,
  coalesce(strftime('%s', created_at) * 1000, {now}) AS clew_created,
  coalesce(strftime('%s', updated_at) * 1000, {now}) AS clew_updated,
  '' AS clew_title, '' AS clew_title_key, NULL AS clew_metadata, NULL AS clew_tags,
  0 AS clew_archived, 0 AS clew_pinned, NULL AS clew_ttl, NULL AS clew_parent,
  NULL AS clew_parent_position, {owner} AS clew_owner, NULL AS clew_packed
  FROM (SELECT session_id, created_at, updated_at FROM main.{sessions}
    UNION ALL SELECT DISTINCT session_id, NULL, NULL FROM main.{messages}
    WHERE session_id NOT IN (SELECT session_id FROM main.{sessions})) AS s
