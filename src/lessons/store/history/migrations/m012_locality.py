"""Rows in the order in which they are stored: a scan of a long history changes fewer pages."""

SQL = """
DROP VIEW session_tokens;
DROP INDEX messages_by_session;
ALTER TABLE messages RENAME TO messages_by_name;
-- One row for every message of a model; several records of a transcript, and copies, tell of the same one.
CREATE TABLE messages (
    id INTEGER PRIMARY KEY,
    message_id TEXT NOT NULL UNIQUE,
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
);
INSERT INTO messages (message_id, agent, session_id, agent_id, project, time, model, request_id, stop_reason,
    input_tokens, output_tokens, cache_read_tokens, cache_write_tokens, copied)
SELECT message_id, agent, session_id, agent_id, project, time, model, request_id, stop_reason,
    input_tokens, output_tokens, cache_read_tokens, cache_write_tokens, copied
FROM messages_by_name ORDER BY session_id, time;
DROP TABLE messages_by_name;
CREATE INDEX messages_by_session ON messages (session_id);

-- The tokens of each session, its subagents included.
CREATE VIEW session_tokens AS
SELECT agent, session_id, count(*) AS messages, sum(input_tokens) AS input_tokens,
    sum(output_tokens) AS output_tokens, sum(cache_read_tokens) AS cache_read_tokens,
    sum(cache_write_tokens) AS cache_write_tokens
FROM messages GROUP BY agent, session_id;

DROP TABLE known;
-- Records that were read before, by a number made from time, uuid and content: copies are counted, not stored.
CREATE TABLE known (key INTEGER PRIMARY KEY);
"""
