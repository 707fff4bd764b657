CREATE INDEX IF NOT EXISTS sessions_pinned ON {s}.sessions (owner, updated DESC) WHERE alive AND pinned

CREATE INDEX IF NOT EXISTS sessions_archived ON {s}.sessions (owner, updated DESC) WHERE alive AND archived

CREATE INDEX IF NOT EXISTS sessions_tagged ON {s}.sessions (owner, updated DESC) WHERE alive AND tags <> '{}'

INSERT INTO {s}.meta (name, value) VALUES ('indexes', 1) ON CONFLICT (name) DO UPDATE SET value = excluded.value
