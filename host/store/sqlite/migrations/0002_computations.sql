-- Questions that were answered, with the answer as it was given.
CREATE TABLE computations (
  seq       INTEGER PRIMARY KEY, -- the order in which they came
  id        TEXT NOT NULL UNIQUE,
  at        INTEGER NOT NULL, -- Unix time in milliseconds
  svcond    INTEGER NOT NULL,
  query     TEXT NOT NULL,
  hints     TEXT NOT NULL, -- JSON array of strings
  precision REAL, -- NULL: not asked for
  state     TEXT NOT NULL -- JSON, byte for byte as answered
) STRICT;
