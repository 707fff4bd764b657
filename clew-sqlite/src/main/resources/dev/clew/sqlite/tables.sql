CREATE INDEX {our}by_updated ON {sessions} (clew_owner, clew_updated DESC, session_id)

CREATE INDEX {our}by_created ON {sessions} (clew_owner, clew_created DESC, session_id)

CREATE INDEX {our}by_title ON {sessions} (clew_owner, clew_title_key, session_id)

CREATE INDEX {our}by_expiry ON {sessions} (clew_updated + clew_ttl) WHERE clew_ttl IS NOT NULL

CREATE INDEX {our}by_item_id ON {messages} (session_id, clew_item_id)
  WHERE clew_item_id IS NOT NULL

CREATE TABLE {our}meta (name TEXT PRIMARY KEY, value INTEGER) WITHOUT ROWID

CREATE TABLE {our}changes (seq INTEGER PRIMARY KEY, session_id TEXT NOT NULL, kind TEXT NOT NULL,
  position INTEGER)

CREATE INDEX {our}changes_by_session ON {our}changes (session_id, seq)

CREATE TABLE {our}archive (position INTEGER PRIMARY KEY, session_id TEXT NOT NULL,
  generation INTEGER NOT NULL, data TEXT NOT NULL, created_at TEXT, crc INTEGER, added INTEGER,
  notes TEXT, item_id TEXT)

CREATE INDEX {our}archive_by_session ON {our}archive (session_id, generation, position)

CREATE TABLE {our}operations (session_id TEXT, operation_id TEXT, digest TEXT NOT NULL,
  version INTEGER NOT NULL, first_position INTEGER, last_position INTEGER,
  done_at INTEGER NOT NULL, PRIMARY KEY (session_id, operation_id)) WITHOUT ROWID

CREATE INDEX {our}operations_by_time ON {our}operations (done_at)

CREATE TABLE {our}leases (session_id TEXT, name TEXT, holder TEXT NOT NULL,
  fence INTEGER NOT NULL, expires INTEGER NOT NULL, PRIMARY KEY (session_id, name)) WITHOUT ROWID

CREATE TABLE {our}records (version INTEGER PRIMARY KEY AUTOINCREMENT, owner TEXT NOT NULL,
  name TEXT NOT NULL, json TEXT NOT NULL, expires INTEGER, UNIQUE (owner, name))

CREATE INDEX {our}records_by_expiry ON {our}records (expires) WHERE expires IS NOT NULL

CREATE TABLE {our}quarantine (position INTEGER PRIMARY KEY, session_id TEXT NOT NULL, data BLOB,
  found_at INTEGER NOT NULL)

CREATE INDEX {our}quarantine_by_session ON {our}quarantine (session_id)

CREATE TABLE {our}unindexed (position INTEGER PRIMARY KEY)
