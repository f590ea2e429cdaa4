"""What mining finds in each session: failed calls with what resolved them, and what people said about them."""

SQL = """
-- Sessions with something that mining has not seen yet.
CREATE TABLE unmined (session_id TEXT PRIMARY KEY) WITHOUT ROWID;

-- One row for every failed call that was a mistake; `fix_tool_use_id` is empty where no later call shows a fix.
CREATE TABLE episodes (
    tool_use_id TEXT PRIMARY KEY,
    session_id TEXT NOT NULL,
    kind TEXT NOT NULL,
    program TEXT NOT NULL,                -- what the error blames: a program, the shell, a tool, a folder
    family TEXT NOT NULL,                 -- the same with its sub-command
    signature TEXT NOT NULL,              -- the telling line, with placeholders for what changes
    fix_tool_use_id TEXT NOT NULL,
    before TEXT NOT NULL,                 -- the words that went, and those that came
    after TEXT NOT NULL,
    calls_lost INTEGER NOT NULL,
    seconds_lost REAL NOT NULL,
    told INTEGER NOT NULL,                -- the error itself says that the call was wrong
    later_worked INTEGER NOT NULL,
    later_tried INTEGER NOT NULL
) WITHOUT ROWID;
CREATE INDEX episodes_by_session ON episodes (session_id);

-- A durable rule that a person typed in answer to what the agent did.
CREATE TABLE corrections (
    key INTEGER PRIMARY KEY,              -- of its prompt
    session_id TEXT NOT NULL,
    rule TEXT NOT NULL,
    sureness REAL NOT NULL,
    tool_use_id TEXT NOT NULL             -- the call it answers
);
CREATE INDEX corrections_by_session ON corrections (session_id);
"""
