-- Keep our columns right when another program writes. {next} takes the next number of the sequence
-- that {number} reads; {touch} sets the time of the update.

CREATE TRIGGER {our}foreign_session AFTER INSERT ON {sessions} WHEN NEW.clew_created = 0
BEGIN
  {next};
  UPDATE {sessions} SET clew_version = {number}, clew_created = {now}, clew_updated = {now}
    WHERE session_id = NEW.session_id;
END

-- A message is not older than the one before it: our clock may be ahead.
CREATE TRIGGER {our}foreign_insert AFTER INSERT ON {messages}
  WHEN NEW.clew_crc IS NULL AND {unless_ours}
BEGIN
  INSERT OR IGNORE INTO {sessions} (session_id) VALUES (NEW.session_id);
  UPDATE {sessions} SET clew_version = NEW.id, clew_count = clew_count + 1,
    clew_bytes = clew_bytes + length(CAST(NEW.message_data AS BLOB)), {touch}
    WHERE session_id = NEW.session_id;
  UPDATE {messages} SET created_at = {time_before}
    WHERE id = NEW.id AND created_at < {time_before};
END

CREATE TRIGGER {our}foreign_delete AFTER DELETE ON {messages} WHEN {unless_ours}
BEGIN
  {next};
  INSERT INTO {our}changes (seq, session_id, kind, position)
    VALUES ({number}, OLD.session_id, 'removed', OLD.id);
  UPDATE {sessions} SET clew_version = {number}, clew_count = clew_count - 1,
    clew_bytes = clew_bytes - length(CAST(OLD.message_data AS BLOB)), {touch}
    WHERE session_id = OLD.session_id;
  INSERT OR IGNORE INTO {our}unindexed (position) VALUES (OLD.id);
END

CREATE TRIGGER {our}foreign_edit AFTER UPDATE OF message_data ON {messages} WHEN {unless_ours}
BEGIN
  {next};
  INSERT INTO {our}changes (seq, session_id, kind, position)
    VALUES ({number}, NEW.session_id, 'edited', NEW.id);
  UPDATE {sessions} SET clew_version = {number},
    clew_bytes = clew_bytes - length(CAST(OLD.message_data AS BLOB))
      + length(CAST(NEW.message_data AS BLOB)), {touch}
    WHERE session_id = NEW.session_id;
  UPDATE {messages} SET clew_crc = NULL, clew_item_id = NULL WHERE id = NEW.id;
  INSERT OR IGNORE INTO {our}unindexed (position) VALUES (NEW.id);
END

CREATE TRIGGER {our}foreign_clear AFTER DELETE ON {sessions} WHEN {unless_ours}
BEGIN
  {next};
  DELETE FROM {our}changes WHERE session_id = OLD.session_id;
  INSERT INTO {our}changes (seq, session_id, kind) VALUES ({number}, OLD.session_id, 'cleared');
  INSERT OR IGNORE INTO {our}unindexed (position)
    SELECT position FROM {our}archive WHERE session_id = OLD.session_id;
  DELETE FROM {our}archive WHERE session_id = OLD.session_id;
  DELETE FROM {our}operations WHERE session_id = OLD.session_id;
  DELETE FROM {our}quarantine WHERE session_id = OLD.session_id;
END
