-- What existing rows get in our columns; their own columns are not touched.

INSERT OR IGNORE INTO {sessions} (session_id) SELECT DISTINCT session_id FROM {messages}

INSERT INTO sqlite_sequence (name, seq) SELECT '{messages}', 0
  WHERE NOT EXISTS (SELECT 1 FROM sqlite_sequence WHERE name = '{messages}')

{next} AND EXISTS (SELECT 1 FROM {sessions})

UPDATE {sessions} SET
  clew_version = coalesce(
    (SELECT max(id) FROM {messages} m WHERE m.session_id = {sessions}.session_id), {number}),
  clew_count = (SELECT count(*) FROM {messages} m WHERE m.session_id = {sessions}.session_id),
  clew_bytes = (SELECT coalesce(sum(length(CAST(message_data AS BLOB))), 0)
    FROM {messages} m WHERE m.session_id = {sessions}.session_id),
  clew_created = coalesce(strftime('%s', created_at) * 1000, {now}),
  clew_updated = coalesce(strftime('%s', updated_at) * 1000, {now})

INSERT INTO {our}meta (name, value) VALUES ('low_position', 0), ('indexed', 0), ('change_floor', 0)
