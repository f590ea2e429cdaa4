"""What memory rests on: every failed call with its weight, and the features of every call that ended."""

SQL = """
-- The names that candidates had before mistakes were grouped by their weight: decisions may use one of them.
CREATE TABLE earlier_names (
    tool_use_id TEXT NOT NULL,            -- a failed call that the candidate rested on
    fingerprint TEXT NOT NULL,
    PRIMARY KEY (tool_use_id, fingerprint)
) WITHOUT ROWID;
INSERT OR IGNORE INTO earlier_names (tool_use_id, fingerprint)
SELECT e.tool_use_id, c.fingerprint FROM candidates c JOIN evidence e USING (fingerprint)
WHERE c.tier = 2 AND e.tool_use_id <> '';
INSERT OR IGNORE INTO earlier_names (tool_use_id, fingerprint)
SELECT e.tool_use_id, a.value FROM candidates c JOIN evidence e USING (fingerprint)
JOIN json_each(iif(json_valid(c.document), json_extract(c.document, '$.aliases'), '[]')) AS a
WHERE c.tier = 2 AND e.tool_use_id <> '' AND a.value IS NOT NULL;

DROP TABLE episodes;
-- One row for every failed call; `fix_tool_use_id` is empty where no later call shows a fix.
CREATE TABLE episodes (
    tool_use_id TEXT PRIMARY KEY,
    session_id TEXT NOT NULL,
    kind TEXT NOT NULL,
    program TEXT NOT NULL,                -- what the error blames: a program of the line, or the tool
    signature TEXT NOT NULL,              -- the telling line, with placeholders for what changes
    fix_tool_use_id TEXT NOT NULL,
    weight REAL NOT NULL,                 -- 0 to 1: how probably it was a mistake worth remembering
    calls_lost INTEGER NOT NULL,
    seconds_lost REAL NOT NULL
) WITHOUT ROWID;
CREATE INDEX episodes_by_session ON episodes (session_id);

-- What each call that worked or failed shares with others, as sorted 32-bit numbers.
CREATE TABLE call_features (
    call_id INTEGER PRIMARY KEY REFERENCES calls (id) ON DELETE CASCADE,
    keys BLOB NOT NULL
);
"""
