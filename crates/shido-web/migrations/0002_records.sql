-- Game records to look at, as they came.
CREATE TABLE records (
    id TEXT PRIMARY KEY,
    created_ms INTEGER NOT NULL,
    name TEXT NOT NULL,       -- what the file was called, for people only
    sgf BLOB NOT NULL
) STRICT;

CREATE INDEX records_by_time ON records (created_ms);
