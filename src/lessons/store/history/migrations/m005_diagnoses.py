"""What agents wrote themselves about the calls that had just failed."""

SQL = """
-- What an agent wrote between a failed call and its next call. It is shown to people, and used for nothing else.
CREATE TABLE diagnoses (
    id INTEGER PRIMARY KEY,
    key INTEGER NOT NULL UNIQUE,
    uuid TEXT NOT NULL,
    agent TEXT NOT NULL,
    session_id TEXT NOT NULL,
    agent_id TEXT NOT NULL,
    project TEXT NOT NULL,
    time TEXT NOT NULL,
    tool_use_id TEXT NOT NULL,            -- of the failed call
    number INTEGER NOT NULL,              -- of the text in its record
    text TEXT NOT NULL,                   -- redacted, the first two sentences
    source_id INTEGER NOT NULL REFERENCES sources (id),
    segment INTEGER NOT NULL,
    position INTEGER NOT NULL,
    copied INTEGER NOT NULL
);
CREATE INDEX diagnoses_by_call ON diagnoses (tool_use_id);
CREATE INDEX diagnoses_by_session ON diagnoses (session_id);
"""
