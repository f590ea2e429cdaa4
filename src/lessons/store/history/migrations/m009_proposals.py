"""Proposed triggers, stored because to work them out takes longer than to read a screen of candidates."""

SQL = """
-- The last proposal for a candidate; recomputed when the candidate or much of the history changes.
CREATE TABLE proposals (
    fingerprint TEXT PRIMARY KEY REFERENCES candidates (fingerprint) ON DELETE CASCADE,
    version TEXT NOT NULL,                -- of lessons
    newest_call INTEGER NOT NULL,         -- the id of the newest call that it was tested on
    document TEXT NOT NULL                -- JSON: the trigger or why there is none, its scope, required programs
) WITHOUT ROWID;
"""
