"""Proposed triggers, stored because to work them out takes longer than to read a screen of candidates."""

SQL = """
-- What was proposed for a candidate the last time; made anew when the candidate or much of the history changes.
CREATE TABLE proposals (
    fingerprint TEXT PRIMARY KEY REFERENCES candidates (fingerprint) ON DELETE CASCADE,
    version TEXT NOT NULL,                -- of lessons
    newest_call INTEGER NOT NULL,         -- the number of the newest call that it was compared with
    document TEXT NOT NULL                -- JSON: the trigger, or why there is none, its scope, programs asked for
) WITHOUT ROWID;
"""
