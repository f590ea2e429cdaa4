"""What messages of models cost, how the hooks at the end of turns ended, and queued prompts that arrived."""

SQL = """
-- One row for every message of a model; several records of a transcript, and copies, tell of the same one.
CREATE TABLE messages (
    message_id TEXT PRIMARY KEY,
    agent TEXT NOT NULL,
    session_id TEXT NOT NULL,
    agent_id TEXT NOT NULL,               -- empty in the main thread
    project TEXT NOT NULL,
    time TEXT NOT NULL,
    model TEXT NOT NULL,
    request_id TEXT NOT NULL,
    stop_reason TEXT NOT NULL,            -- end_turn, tool_use, max_tokens, …
    input_tokens INTEGER NOT NULL,        -- without those that were cached
    output_tokens INTEGER NOT NULL,
    cache_read_tokens INTEGER NOT NULL,
    cache_write_tokens INTEGER NOT NULL,
    copied INTEGER NOT NULL
) WITHOUT ROWID;
CREATE INDEX messages_by_session ON messages (session_id);

-- The tokens of each session, its subagents included.
CREATE VIEW session_tokens AS
SELECT agent, session_id, count(*) AS messages, sum(input_tokens) AS input_tokens,
    sum(output_tokens) AS output_tokens, sum(cache_read_tokens) AS cache_read_tokens,
    sum(cache_write_tokens) AS cache_write_tokens
FROM messages GROUP BY agent, session_id;

-- The hooks that ran when a turn ended, whoever installed them.
CREATE TABLE stop_hooks (
    id INTEGER PRIMARY KEY,
    key INTEGER NOT NULL UNIQUE,
    uuid TEXT NOT NULL,
    agent TEXT NOT NULL,
    session_id TEXT NOT NULL,
    agent_id TEXT NOT NULL,
    project TEXT NOT NULL,
    time TEXT NOT NULL,
    hooks INTEGER NOT NULL,               -- how many ran
    errors TEXT NOT NULL,                 -- JSON: what those said that failed; redacted, shortened
    commands TEXT NOT NULL,               -- JSON: of all that ran, where one of them failed; redacted, shortened
    prevented INTEGER NOT NULL,           -- one of them had the agent stop
    source_id INTEGER NOT NULL REFERENCES sources (id),
    segment INTEGER NOT NULL,
    position INTEGER NOT NULL,
    copied INTEGER NOT NULL
);
CREATE INDEX stop_hooks_by_session ON stop_hooks (session_id);
CREATE INDEX stop_hooks_failed ON stop_hooks (time) WHERE errors <> '[]';

-- Keys of prompts that were queued and then arrived, or were taken back: no row of `prompts` has one of these.
CREATE TABLE delivered_prompts (key INTEGER PRIMARY KEY);

-- Every transcript that is still there is read again.
UPDATE sources SET size = -2 WHERE size >= 0;
"""
