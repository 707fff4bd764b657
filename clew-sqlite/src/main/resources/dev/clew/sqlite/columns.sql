-- Our columns in those tables.

ALTER TABLE {sessions} ADD COLUMN clew_version INTEGER NOT NULL DEFAULT 0

ALTER TABLE {sessions} ADD COLUMN clew_count INTEGER NOT NULL DEFAULT 0

ALTER TABLE {sessions} ADD COLUMN clew_bytes INTEGER NOT NULL DEFAULT 0

ALTER TABLE {sessions} ADD COLUMN clew_created INTEGER NOT NULL DEFAULT 0

ALTER TABLE {sessions} ADD COLUMN clew_updated INTEGER NOT NULL DEFAULT 0

ALTER TABLE {sessions} ADD COLUMN clew_title TEXT NOT NULL DEFAULT ''

ALTER TABLE {sessions} ADD COLUMN clew_title_key TEXT NOT NULL DEFAULT ''

ALTER TABLE {sessions} ADD COLUMN clew_metadata TEXT

ALTER TABLE {sessions} ADD COLUMN clew_tags TEXT

ALTER TABLE {sessions} ADD COLUMN clew_archived INTEGER NOT NULL DEFAULT 0

ALTER TABLE {sessions} ADD COLUMN clew_pinned INTEGER NOT NULL DEFAULT 0

ALTER TABLE {sessions} ADD COLUMN clew_ttl INTEGER

ALTER TABLE {sessions} ADD COLUMN clew_parent TEXT

ALTER TABLE {sessions} ADD COLUMN clew_parent_position INTEGER

ALTER TABLE {sessions} ADD COLUMN clew_owner TEXT GENERATED ALWAYS AS ({owner}) VIRTUAL

ALTER TABLE {messages} ADD COLUMN clew_crc INTEGER

ALTER TABLE {messages} ADD COLUMN clew_added INTEGER

ALTER TABLE {messages} ADD COLUMN clew_notes TEXT

ALTER TABLE {messages} ADD COLUMN clew_item_id TEXT
