"""What the hook did with lessons, and what came of it."""

SQL = """
-- One row for every line that the hook wrote into injections.jsonl; the file is rotated once its lines are here.
CREATE TABLE injections (
    id INTEGER PRIMARY KEY,
    key INTEGER NOT NULL UNIQUE,          -- made from the line: the same line is stored once
    time TEXT NOT NULL,
    event TEXT NOT NULL,
    agent TEXT NOT NULL,
    session_id TEXT NOT NULL,
    agent_id TEXT NOT NULL,               -- empty in the main thread
    tool_use_id TEXT NOT NULL,            -- empty at the start of a session
    cwd TEXT NOT NULL,
    lesson TEXT NOT NULL,                 -- the id of the lesson
    slug TEXT NOT NULL,
    decision TEXT NOT NULL,               -- hint, stop, block, shadow, held-out, dropped, muted, allowed
    line TEXT NOT NULL                    -- JSON; all of it, as it was written
);
CREATE INDEX injections_by_session ON injections (session_id);
CREATE INDEX injections_by_call ON injections (tool_use_id) WHERE tool_use_id <> '';
CREATE INDEX injections_by_lesson ON injections (lesson);

-- A lesson at a call that it is about, and what came of it (docs/PROOF.md). Made anew from the other tables.
CREATE TABLE opportunities (
    lesson TEXT NOT NULL,                 -- the id of the lesson
    tool_use_id TEXT NOT NULL,            -- of a lesson shown when a session starts: the key of its line
    slug TEXT NOT NULL,
    time TEXT NOT NULL,
    session_id TEXT NOT NULL,
    agent_id TEXT NOT NULL,
    agent TEXT NOT NULL,
    model TEXT NOT NULL,
    project TEXT NOT NULL,
    decision TEXT NOT NULL,               -- as above; none: the lesson was not there yet; missed: nothing matched
    outcome TEXT NOT NULL,
    failed INTEGER,                       -- the mistake was made at the call, or at the one that replaced it
    is_active INTEGER NOT NULL,           -- the agent could read the lesson
    repeated INTEGER,                     -- the mistake was made later in the same context
    PRIMARY KEY (lesson, tool_use_id)
) WITHOUT ROWID;
CREATE INDEX opportunities_by_session ON opportunities (session_id);

-- Sessions with something that the ledger has not seen yet.
CREATE TABLE unjudged (session_id TEXT PRIMARY KEY) WITHOUT ROWID;
"""
