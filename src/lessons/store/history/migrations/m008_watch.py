"""From where on a session is to be mined again, and which session failed: so that a long session is not mined whole."""

SQL = """
ALTER TABLE unmined ADD COLUMN since TEXT NOT NULL DEFAULT '';  -- nothing before this moment changed; empty: mine all
ALTER TABLE unmined ADD COLUMN active REAL NOT NULL DEFAULT 0;  -- the last write to its transcripts, seconds since 1970
ALTER TABLE progress ADD COLUMN session_id TEXT NOT NULL DEFAULT '';  -- whose mining failed
ALTER TABLE progress ADD COLUMN since TEXT NOT NULL DEFAULT '';  -- the moment of the call at which it failed

DROP INDEX calls_by_session;
CREATE INDEX calls_by_session ON calls (session_id, agent_id, sidechain, time);
DROP INDEX prompts_by_session;
CREATE INDEX prompts_by_session ON prompts (session_id, agent_id, time);
CREATE INDEX evidence_by_call ON evidence (tool_use_id);
CREATE INDEX episodes_by_program ON episodes (program);
CREATE INDEX progress_not_done ON progress (state) WHERE state <> 'done';
"""
