-- How games at a level ended, for the level that follows the student. A row stays when
-- its game is deleted.
CREATE TABLE results (
    game TEXT PRIMARY KEY,
    finished_ms INTEGER NOT NULL,
    level TEXT NOT NULL,      -- 8k
    partner TEXT NOT NULL,    -- natural
    size INTEGER NOT NULL,
    stones INTEGER NOT NULL,  -- handicap stones the student had
    moves INTEGER NOT NULL,
    outcome TEXT NOT NULL,    -- won, lost or drawn, for the student
    margin REAL,              -- points the student won by; negative for a loss; only if counted
    loss REAL,                -- mean points a student's move gave away, as the partner saw it
    judged INTEGER NOT NULL   -- how many moves that is
) STRICT;

CREATE INDEX results_by_time ON results (finished_ms);

-- A teaching partner's record of the move as JSON.
ALTER TABLE moves ADD COLUMN record TEXT;
