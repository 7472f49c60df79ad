-- API keys. The key itself is never here: hash is its SHA-256.
CREATE TABLE keys (
  id         TEXT PRIMARY KEY,
  name       TEXT NOT NULL,
  hash       BLOB NOT NULL UNIQUE CHECK (length(hash) = 32),
  created_at INTEGER NOT NULL -- Unix time in milliseconds
) STRICT;
