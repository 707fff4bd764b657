-- The SDK for Python pops by deleting a row, and only then finds that it cannot read it.

CREATE TRIGGER {our}packed_delete BEFORE DELETE ON {messages} WHEN {packed} AND {unless_ours}
BEGIN
  SELECT RAISE(ABORT, 'clew: this session is compressed and cannot be changed by other programs; run clew sessions decompress first');
END

CREATE TRIGGER {our}packed_edit BEFORE UPDATE OF message_data ON {messages}
  WHEN {packed} AND {unless_ours}
BEGIN
  SELECT RAISE(ABORT, 'clew: this session is compressed and cannot be changed by other programs; run clew sessions decompress first');
END
