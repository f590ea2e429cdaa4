"""What agents and people made of candidates when they were asked to word a lesson."""

SQL = """
-- The checked answer to the dossier of a candidate; a person decides about it in review.
CREATE TABLE wordings (
    fingerprint TEXT PRIMARY KEY,         -- of the candidate
    document TEXT NOT NULL                -- JSON: who worded it and when, the words, the trigger, the cited calls
) WITHOUT ROWID;
"""
