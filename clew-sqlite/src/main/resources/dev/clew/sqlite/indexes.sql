-- Indexes that version 1 got later. The store works without them, but more slowly.

CREATE INDEX IF NOT EXISTS {our}pinned ON {sessions} (clew_owner, clew_updated DESC, session_id)
  WHERE clew_pinned = 1

CREATE INDEX IF NOT EXISTS {our}archived ON {sessions} (clew_owner, clew_updated DESC, session_id)
  WHERE clew_archived = 1

CREATE INDEX IF NOT EXISTS {our}tagged ON {sessions} (clew_owner, clew_updated DESC, session_id)
  WHERE clew_tags IS NOT NULL

-- For items that other programs wrote: they are not in the index by item id.
CREATE INDEX IF NOT EXISTS {our}foreign_rows ON {messages} (session_id, id) WHERE clew_crc IS NULL

CREATE INDEX IF NOT EXISTS {our}packed ON {sessions} (session_id) WHERE clew_packed IS NOT NULL
