CREATE TABLE {s}.meta (name text PRIMARY KEY, value bigint NOT NULL)

CREATE TABLE {s}.sessions (
  session uuid PRIMARY KEY,
  owner text COLLATE "C" NOT NULL,
  id text COLLATE "C" NOT NULL,
  alive boolean NOT NULL DEFAULT false,
  version bigint NOT NULL,
  born bigint NOT NULL,
  low bigint NOT NULL DEFAULT 0,
  change_floor bigint NOT NULL DEFAULT 0,
  items bigint NOT NULL DEFAULT 0,
  bytes bigint NOT NULL DEFAULT 0,
  created bigint NOT NULL DEFAULT 0,
  updated bigint NOT NULL DEFAULT 0,
  title text COLLATE "C" NOT NULL DEFAULT '',
  title_key text COLLATE "C" NOT NULL DEFAULT '',
  metadata text,
  tags text[] NOT NULL DEFAULT '{}',
  archived boolean NOT NULL DEFAULT false,
  pinned boolean NOT NULL DEFAULT false,
  ttl bigint,
  parent_owner text,
  parent_id text,
  parent_position bigint)

CREATE INDEX sessions_by_updated ON {s}.sessions (owner, updated DESC) WHERE alive

CREATE INDEX sessions_by_created ON {s}.sessions (owner, created DESC) WHERE alive

CREATE INDEX sessions_by_title ON {s}.sessions (owner, left(title_key, 64)) WHERE alive

CREATE INDEX sessions_by_end ON {s}.sessions ((updated + ttl)) WHERE alive AND ttl IS NOT NULL

CREATE INDEX sessions_cleared ON {s}.sessions (updated) WHERE NOT alive

CREATE INDEX sessions_cleared_by_owner ON {s}.sessions (owner) WHERE NOT alive

CREATE TABLE {s}.items (
  session uuid,
  position bigint,
  data text NOT NULL,
  crc bigint NOT NULL,
  added bigint NOT NULL,
  notes text,
  item_key bigint,
  PRIMARY KEY (session, position))

CREATE INDEX items_by_item_key ON {s}.items (session, item_key) WHERE item_key IS NOT NULL

CREATE TABLE {s}.archive (
  session uuid,
  position bigint,
  data text NOT NULL,
  crc bigint NOT NULL,
  added bigint NOT NULL,
  notes text,
  item_key bigint,
  generation bigint NOT NULL,
  PRIMARY KEY (session, position))

CREATE INDEX archive_by_generation ON {s}.archive (session, generation, position)

CREATE TABLE {s}.operations (
  session uuid,
  operation uuid,
  digest text NOT NULL,
  version bigint NOT NULL,
  first_position bigint,
  last_position bigint,
  done_at bigint NOT NULL,
  PRIMARY KEY (session, operation))

CREATE INDEX operations_by_time ON {s}.operations (done_at)

CREATE TABLE {s}.changes (
  session uuid,
  version bigint,
  kind text NOT NULL,
  position bigint NOT NULL,
  at bigint NOT NULL,
  PRIMARY KEY (session, version))

CREATE INDEX changes_by_time ON {s}.changes (at)

CREATE TABLE {s}.leases (
  session uuid,
  name_key uuid,
  owner text COLLATE "C" NOT NULL,
  name text NOT NULL,
  holder text NOT NULL,
  fence bigint NOT NULL,
  expires bigint NOT NULL,
  PRIMARY KEY (session, name_key))

CREATE INDEX leases_by_owner ON {s}.leases (owner)

CREATE TABLE {s}.quarantine (
  session uuid,
  position bigint,
  owner text COLLATE "C" NOT NULL,
  id text COLLATE "C" NOT NULL,
  data text NOT NULL,
  found_at bigint NOT NULL,
  PRIMARY KEY (session, position))

CREATE SEQUENCE {s}.record_versions

CREATE SEQUENCE {s}.fences

CREATE TABLE {s}.records (
  owner_key uuid,
  name text COLLATE "C",
  owner text COLLATE "C" NOT NULL,
  json text NOT NULL,
  version bigint NOT NULL,
  expires bigint,
  PRIMARY KEY (owner_key, name))

CREATE INDEX records_by_owner ON {s}.records (owner)

CREATE INDEX records_by_end ON {s}.records (expires) WHERE expires IS NOT NULL

CREATE TABLE {s}.search (
  session uuid,
  position bigint,
  added bigint NOT NULL,
  terms tsvector NOT NULL,
  PRIMARY KEY (session, position))

CREATE INDEX search_by_term ON {s}.search USING gin (terms)

CREATE TABLE {s}.unindexed (
  session uuid,
  first bigint,
  last bigint NOT NULL,
  PRIMARY KEY (session, first))

CREATE TABLE {s}.listeners (listener uuid PRIMARY KEY, until timestamptz NOT NULL)

INSERT INTO {s}.meta (name, value) VALUES ('schema', 1), ('floor', 0)
