-- Games with a partner, and their moves.
CREATE TABLE games (
    id TEXT PRIMARY KEY,
    created_ms INTEGER NOT NULL,
    updated_ms INTEGER NOT NULL,
    settings TEXT NOT NULL,   -- GameSettings as JSON
    phase TEXT NOT NULL,      -- playing, scoring or finished
    result TEXT,              -- B+3.5, W+R
    dead TEXT,                -- the stones taken as dead, vertices as JSON
    undos INTEGER NOT NULL
) STRICT;

CREATE INDEX games_by_change ON games (updated_ms);

CREATE TABLE moves (
    game TEXT NOT NULL REFERENCES games (id) ON DELETE CASCADE,
    number INTEGER NOT NULL,  -- 1 for the first
    color TEXT NOT NULL,      -- black or white
    move TEXT NOT NULL,       -- a vertex, pass or resign
    why TEXT,                 -- the partner's record as JSON
    clock TEXT,               -- both clocks after the move as JSON
    PRIMARY KEY (game, number)
) STRICT, WITHOUT ROWID;
