-- 1
CREATE TABLE sources (id INTEGER PRIMARY KEY, agent TEXT NOT NULL, path TEXT NOT NULL, generation INTEGER NOT NULL, inode INTEGER NOT NULL, size INTEGER NOT NULL, modified INTEGER NOT NULL, offset INTEGER NOT NULL, head BLOB NOT NULL, tail BLOB NOT NULL, memory TEXT NOT NULL, records INTEGER NOT NULL DEFAULT 0, malformed INTEGER NOT NULL DEFAULT 0, UNIQUE (path, generation));
CREATE INDEX sources_as_read ON sources (agent, inode, size, modified) WHERE offset > 0;
CREATE TABLE segments (id INTEGER PRIMARY KEY, source_id INTEGER NOT NULL REFERENCES sources (id) ON DELETE CASCADE, number INTEGER NOT NULL, key TEXT NOT NULL, boundary_uuid TEXT NOT NULL, start INTEGER NOT NULL, end INTEGER NOT NULL, sealed INTEGER NOT NULL, UNIQUE (source_id, number));
CREATE TABLE progress (segment_id INTEGER NOT NULL REFERENCES segments (id) ON DELETE CASCADE, miner TEXT NOT NULL, version INTEGER NOT NULL, end INTEGER NOT NULL, state TEXT NOT NULL, attempts INTEGER NOT NULL DEFAULT 0, retry_after REAL NOT NULL DEFAULT 0, reason TEXT NOT NULL DEFAULT '', PRIMARY KEY (segment_id, miner, version)) WITHOUT ROWID;
CREATE TABLE damaged (source_id INTEGER NOT NULL REFERENCES sources (id) ON DELETE CASCADE, position INTEGER NOT NULL, length INTEGER NOT NULL, PRIMARY KEY (source_id, position)) WITHOUT ROWID;
CREATE TABLE known (key INTEGER PRIMARY KEY);
CREATE TABLE sessions (agent TEXT NOT NULL, session_id TEXT NOT NULL, project TEXT NOT NULL, first_time TEXT NOT NULL, last_time TEXT NOT NULL, title TEXT NOT NULL, title_rank TEXT NOT NULL, PRIMARY KEY (agent, session_id)) WITHOUT ROWID;
CREATE TABLE calls (id INTEGER PRIMARY KEY, tool_use_id TEXT NOT NULL UNIQUE, agent TEXT NOT NULL, session_id TEXT NOT NULL, agent_id TEXT NOT NULL, sidechain INTEGER NOT NULL, project TEXT NOT NULL, cwd TEXT NOT NULL, branch TEXT NOT NULL, time TEXT NOT NULL, model TEXT NOT NULL, version TEXT NOT NULL, tool TEXT NOT NULL, program TEXT NOT NULL, subcommand TEXT NOT NULL, command TEXT NOT NULL, path TEXT NOT NULL, arguments TEXT NOT NULL, hides_exit INTEGER NOT NULL, outcome TEXT NOT NULL DEFAULT 'unknown', exit_code INTEGER, error TEXT NOT NULL DEFAULT '', error_fingerprint TEXT NOT NULL DEFAULT '', suspicious INTEGER NOT NULL DEFAULT 0, ended TEXT NOT NULL DEFAULT '', result_uuid TEXT NOT NULL DEFAULT '', task_id TEXT NOT NULL DEFAULT '', uuid TEXT NOT NULL, message_id TEXT NOT NULL, source_id INTEGER NOT NULL REFERENCES sources (id), segment INTEGER NOT NULL, position INTEGER NOT NULL, block INTEGER NOT NULL, copied INTEGER NOT NULL);
CREATE INDEX calls_by_session ON calls (session_id, agent_id);
CREATE INDEX calls_by_program ON calls (program, subcommand) WHERE program <> '';
CREATE INDEX calls_by_fingerprint ON calls (error_fingerprint) WHERE error_fingerprint <> '';
CREATE INDEX calls_refused ON calls (message_id) WHERE outcome = 'refused';
CREATE TABLE marks (kind TEXT NOT NULL, session_id TEXT NOT NULL, name TEXT NOT NULL, row TEXT NOT NULL, PRIMARY KEY (kind, session_id, name)) WITHOUT ROWID;
CREATE TABLE prompts (id INTEGER PRIMARY KEY, key INTEGER NOT NULL UNIQUE, uuid TEXT NOT NULL, agent TEXT NOT NULL, session_id TEXT NOT NULL, agent_id TEXT NOT NULL, project TEXT NOT NULL, branch TEXT NOT NULL, time TEXT NOT NULL, text TEXT NOT NULL, sureness TEXT NOT NULL, source_id INTEGER NOT NULL REFERENCES sources (id), segment INTEGER NOT NULL, position INTEGER NOT NULL, copied INTEGER NOT NULL);
CREATE INDEX prompts_by_session ON prompts (session_id, agent_id);
CREATE TABLE hook_contexts (id INTEGER PRIMARY KEY, key INTEGER NOT NULL UNIQUE, uuid TEXT NOT NULL, agent TEXT NOT NULL, session_id TEXT NOT NULL, agent_id TEXT NOT NULL, project TEXT NOT NULL, time TEXT NOT NULL, tool_use_id TEXT NOT NULL, event TEXT NOT NULL, name TEXT NOT NULL, text TEXT NOT NULL, source_id INTEGER NOT NULL REFERENCES sources (id), segment INTEGER NOT NULL, position INTEGER NOT NULL, copied INTEGER NOT NULL);
CREATE INDEX hook_contexts_by_call ON hook_contexts (tool_use_id);
CREATE INDEX hook_contexts_by_session ON hook_contexts (session_id);
CREATE TABLE tags (id INTEGER PRIMARY KEY, key INTEGER NOT NULL UNIQUE, uuid TEXT NOT NULL, agent TEXT NOT NULL, session_id TEXT NOT NULL, agent_id TEXT NOT NULL, project TEXT NOT NULL, time TEXT NOT NULL, message_id TEXT NOT NULL, number INTEGER NOT NULL, fields TEXT NOT NULL, fingerprint TEXT NOT NULL, cancelled INTEGER NOT NULL DEFAULT 0, source_id INTEGER NOT NULL REFERENCES sources (id), segment INTEGER NOT NULL, position INTEGER NOT NULL, copied INTEGER NOT NULL);
CREATE INDEX tags_by_session ON tags (session_id);
CREATE INDEX tags_by_fingerprint ON tags (fingerprint);
CREATE TABLE candidates (fingerprint TEXT PRIMARY KEY, tier INTEGER NOT NULL, kind TEXT NOT NULL, document TEXT NOT NULL, confidence REAL NOT NULL, status TEXT NOT NULL) WITHOUT ROWID;
CREATE TABLE evidence (fingerprint TEXT NOT NULL REFERENCES candidates (fingerprint) ON DELETE CASCADE, session_id TEXT NOT NULL, uuid TEXT NOT NULL, number INTEGER NOT NULL, tool_use_id TEXT NOT NULL, fix_tool_use_id TEXT NOT NULL, message_id TEXT NOT NULL, project TEXT NOT NULL, time TEXT NOT NULL, file TEXT NOT NULL, PRIMARY KEY (fingerprint, session_id, uuid, number)) WITHOUT ROWID;
CREATE INDEX evidence_by_session ON evidence (session_id);
CREATE VIRTUAL TABLE words USING fts5 (text, content = '', tokenize = "unicode61 remove_diacritics 2");
CREATE TABLE facts (name TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;
-- 2
CREATE TABLE indexed (calls INTEGER NOT NULL, prompts INTEGER NOT NULL);
INSERT INTO indexed (calls, prompts) SELECT (SELECT coalesce(max(id), 0) FROM calls), (SELECT coalesce(max(id), 0) FROM prompts);
-- 3
CREATE TABLE unmined (session_id TEXT PRIMARY KEY) WITHOUT ROWID;
CREATE TABLE episodes (tool_use_id TEXT PRIMARY KEY, session_id TEXT NOT NULL, kind TEXT NOT NULL, program TEXT NOT NULL, family TEXT NOT NULL, signature TEXT NOT NULL, fix_tool_use_id TEXT NOT NULL, before TEXT NOT NULL, after TEXT NOT NULL, calls_lost INTEGER NOT NULL, seconds_lost REAL NOT NULL, told INTEGER NOT NULL, later_worked INTEGER NOT NULL, later_tried INTEGER NOT NULL) WITHOUT ROWID;
CREATE INDEX episodes_by_session ON episodes (session_id);
CREATE TABLE corrections (key INTEGER PRIMARY KEY, session_id TEXT NOT NULL, rule TEXT NOT NULL, sureness REAL NOT NULL, tool_use_id TEXT NOT NULL);
CREATE INDEX corrections_by_session ON corrections (session_id);
-- 4
CREATE INDEX calls_by_command ON calls (command) WHERE command <> '';
-- 5
CREATE TABLE diagnoses (id INTEGER PRIMARY KEY, key INTEGER NOT NULL UNIQUE, uuid TEXT NOT NULL, agent TEXT NOT NULL, session_id TEXT NOT NULL, agent_id TEXT NOT NULL, project TEXT NOT NULL, time TEXT NOT NULL, tool_use_id TEXT NOT NULL, number INTEGER NOT NULL, text TEXT NOT NULL, source_id INTEGER NOT NULL REFERENCES sources (id), segment INTEGER NOT NULL, position INTEGER NOT NULL, copied INTEGER NOT NULL);
CREATE INDEX diagnoses_by_call ON diagnoses (tool_use_id);
CREATE INDEX diagnoses_by_session ON diagnoses (session_id);
-- 6
CREATE TABLE wordings (fingerprint TEXT PRIMARY KEY, document TEXT NOT NULL) WITHOUT ROWID;
-- 7
CREATE TABLE injections (id INTEGER PRIMARY KEY, key INTEGER NOT NULL UNIQUE, time TEXT NOT NULL, event TEXT NOT NULL, agent TEXT NOT NULL, session_id TEXT NOT NULL, agent_id TEXT NOT NULL, tool_use_id TEXT NOT NULL, cwd TEXT NOT NULL, lesson TEXT NOT NULL, slug TEXT NOT NULL, decision TEXT NOT NULL, line TEXT NOT NULL);
CREATE INDEX injections_by_session ON injections (session_id);
CREATE INDEX injections_by_call ON injections (tool_use_id) WHERE tool_use_id <> '';
CREATE INDEX injections_by_lesson ON injections (lesson);
CREATE TABLE opportunities (lesson TEXT NOT NULL, tool_use_id TEXT NOT NULL, slug TEXT NOT NULL, time TEXT NOT NULL, session_id TEXT NOT NULL, agent_id TEXT NOT NULL, agent TEXT NOT NULL, model TEXT NOT NULL, project TEXT NOT NULL, decision TEXT NOT NULL, outcome TEXT NOT NULL, failed INTEGER, is_active INTEGER NOT NULL, repeated INTEGER, PRIMARY KEY (lesson, tool_use_id)) WITHOUT ROWID;
CREATE INDEX opportunities_by_session ON opportunities (session_id);
CREATE TABLE unjudged (session_id TEXT PRIMARY KEY) WITHOUT ROWID;
-- 8
ALTER TABLE unmined ADD COLUMN since TEXT NOT NULL DEFAULT '';
ALTER TABLE unmined ADD COLUMN active REAL NOT NULL DEFAULT 0;
ALTER TABLE progress ADD COLUMN session_id TEXT NOT NULL DEFAULT '';
ALTER TABLE progress ADD COLUMN since TEXT NOT NULL DEFAULT '';
DROP INDEX calls_by_session;
CREATE INDEX calls_by_session ON calls (session_id, agent_id, sidechain, time);
DROP INDEX prompts_by_session;
CREATE INDEX prompts_by_session ON prompts (session_id, agent_id, time);
CREATE INDEX evidence_by_call ON evidence (tool_use_id);
CREATE INDEX episodes_by_program ON episodes (program);
CREATE INDEX progress_not_done ON progress (state) WHERE state <> 'done';
-- 9
CREATE TABLE proposals (fingerprint TEXT PRIMARY KEY REFERENCES candidates (fingerprint) ON DELETE CASCADE, version TEXT NOT NULL, newest_call INTEGER NOT NULL, document TEXT NOT NULL) WITHOUT ROWID;
-- 10
CREATE TABLE messages (message_id TEXT PRIMARY KEY, agent TEXT NOT NULL, session_id TEXT NOT NULL, agent_id TEXT NOT NULL, project TEXT NOT NULL, time TEXT NOT NULL, model TEXT NOT NULL, request_id TEXT NOT NULL, stop_reason TEXT NOT NULL, input_tokens INTEGER NOT NULL, output_tokens INTEGER NOT NULL, cache_read_tokens INTEGER NOT NULL, cache_write_tokens INTEGER NOT NULL, copied INTEGER NOT NULL) WITHOUT ROWID;
CREATE INDEX messages_by_session ON messages (session_id);
CREATE VIEW session_tokens AS SELECT agent, session_id, count(*) AS messages, sum(input_tokens) AS input_tokens, sum(output_tokens) AS output_tokens, sum(cache_read_tokens) AS cache_read_tokens, sum(cache_write_tokens) AS cache_write_tokens FROM messages GROUP BY agent, session_id;
CREATE TABLE stop_hooks (id INTEGER PRIMARY KEY, key INTEGER NOT NULL UNIQUE, uuid TEXT NOT NULL, agent TEXT NOT NULL, session_id TEXT NOT NULL, agent_id TEXT NOT NULL, project TEXT NOT NULL, time TEXT NOT NULL, hooks INTEGER NOT NULL, errors TEXT NOT NULL, commands TEXT NOT NULL, prevented INTEGER NOT NULL, source_id INTEGER NOT NULL REFERENCES sources (id), segment INTEGER NOT NULL, position INTEGER NOT NULL, copied INTEGER NOT NULL);
CREATE INDEX stop_hooks_by_session ON stop_hooks (session_id);
CREATE INDEX stop_hooks_failed ON stop_hooks (time) WHERE errors <> '[]';
CREATE TABLE delivered_prompts (key INTEGER PRIMARY KEY);
UPDATE sources SET size = -2 WHERE size >= 0;
-- 11
CREATE TABLE trigger_hits (trigger TEXT PRIMARY KEY, newest_call INTEGER NOT NULL, newest_change INTEGER NOT NULL, hits TEXT NOT NULL) WITHOUT ROWID;
CREATE INDEX calls_failed ON calls (time) WHERE outcome = 'failed';
CREATE TABLE changed_calls (number INTEGER PRIMARY KEY AUTOINCREMENT, call INTEGER NOT NULL);
CREATE TRIGGER calls_changed AFTER UPDATE OF agent, project, cwd, model, tool, command, path, arguments, outcome, error ON calls BEGIN INSERT INTO changed_calls (call) VALUES (old.id); END;
CREATE TRIGGER calls_deleted AFTER DELETE ON calls BEGIN INSERT INTO changed_calls (call) VALUES (old.id); END;
-- 12
DROP VIEW session_tokens;
DROP INDEX messages_by_session;
ALTER TABLE messages RENAME TO messages_by_name;
CREATE TABLE messages (id INTEGER PRIMARY KEY, message_id TEXT NOT NULL UNIQUE, agent TEXT NOT NULL, session_id TEXT NOT NULL, agent_id TEXT NOT NULL, project TEXT NOT NULL, time TEXT NOT NULL, model TEXT NOT NULL, request_id TEXT NOT NULL, stop_reason TEXT NOT NULL, input_tokens INTEGER NOT NULL, output_tokens INTEGER NOT NULL, cache_read_tokens INTEGER NOT NULL, cache_write_tokens INTEGER NOT NULL, copied INTEGER NOT NULL);
INSERT INTO messages (message_id, agent, session_id, agent_id, project, time, model, request_id, stop_reason, input_tokens, output_tokens, cache_read_tokens, cache_write_tokens, copied) SELECT message_id, agent, session_id, agent_id, project, time, model, request_id, stop_reason, input_tokens, output_tokens, cache_read_tokens, cache_write_tokens, copied FROM messages_by_name ORDER BY session_id, time;
DROP TABLE messages_by_name;
CREATE INDEX messages_by_session ON messages (session_id);
CREATE VIEW session_tokens AS SELECT agent, session_id, count(*) AS messages, sum(input_tokens) AS input_tokens, sum(output_tokens) AS output_tokens, sum(cache_read_tokens) AS cache_read_tokens, sum(cache_write_tokens) AS cache_write_tokens FROM messages GROUP BY agent, session_id;
DROP TABLE known;
CREATE TABLE known (key INTEGER PRIMARY KEY);
-- 13
CREATE TABLE earlier_names (tool_use_id TEXT NOT NULL, fingerprint TEXT NOT NULL, PRIMARY KEY (tool_use_id, fingerprint)) WITHOUT ROWID;
INSERT OR IGNORE INTO earlier_names (tool_use_id, fingerprint) SELECT e.tool_use_id, c.fingerprint FROM candidates c JOIN evidence e USING (fingerprint) WHERE c.tier = 2 AND e.tool_use_id <> '';
INSERT OR IGNORE INTO earlier_names (tool_use_id, fingerprint) SELECT e.tool_use_id, a.value FROM candidates c JOIN evidence e USING (fingerprint) JOIN json_each(iif(json_valid(c.document), json_extract(c.document, '$.aliases'), '[]')) AS a WHERE c.tier = 2 AND e.tool_use_id <> '' AND a.value IS NOT NULL;
DROP TABLE episodes;
CREATE TABLE episodes (tool_use_id TEXT PRIMARY KEY, session_id TEXT NOT NULL, kind TEXT NOT NULL, program TEXT NOT NULL, signature TEXT NOT NULL, fix_tool_use_id TEXT NOT NULL, weight REAL NOT NULL, calls_lost INTEGER NOT NULL, seconds_lost REAL NOT NULL) WITHOUT ROWID;
CREATE INDEX episodes_by_session ON episodes (session_id);
CREATE TABLE call_features (call_id INTEGER PRIMARY KEY REFERENCES calls (id) ON DELETE CASCADE, keys BLOB NOT NULL);
-- 14
CREATE TABLE answers (id TEXT PRIMARY KEY, status TEXT NOT NULL, document TEXT NOT NULL, reasons TEXT NOT NULL, author TEXT NOT NULL, time TEXT NOT NULL, round INTEGER NOT NULL, calls TEXT NOT NULL) WITHOUT ROWID;
INSERT INTO answers SELECT fingerprint, iif(json_extract(document, '$.worthALesson'), 'pending', 'nothing'), json_array(json(document)), json_array(coalesce(json_extract(document, '$.reason'), '')), coalesce(json_extract(document, '$.by'), ''), coalesce(json_extract(document, '$.time'), ''), 1, coalesce(json_extract(document, '$.citedToolUseIds'), '[]') FROM wordings WHERE json_valid(document);
DROP TABLE wordings;
-- 15
ALTER TABLE episodes ADD COLUMN worked_tool_use_id TEXT NOT NULL DEFAULT '';
CREATE INDEX episodes_by_program ON episodes (program);
-- 16
DROP TRIGGER calls_changed;
DROP TRIGGER calls_deleted;
DROP TABLE changed_calls;
DROP TABLE trigger_hits;
-- 17
ALTER TABLE unmined DROP COLUMN since;
ALTER TABLE progress DROP COLUMN since;
-- 18
CREATE TRIGGER indexed_call AFTER UPDATE OF command, path, arguments ON calls WHEN old.id <= (SELECT calls FROM indexed) AND iif(old.command <> '', old.command, iif(old.path <> '', old.path, substr(old.arguments, 1, 500))) <> iif(new.command <> '', new.command, iif(new.path <> '', new.path, substr(new.arguments, 1, 500))) BEGIN INSERT INTO words (words, rowid, text) SELECT 'delete', 3 * old.id, iif(old.command <> '', old.command, iif(old.path <> '', old.path, substr(old.arguments, 1, 500))); INSERT INTO words (rowid, text) VALUES (3 * new.id, iif(new.command <> '', new.command, iif(new.path <> '', new.path, substr(new.arguments, 1, 500)))); END;
CREATE TRIGGER indexed_error AFTER UPDATE OF error ON calls WHEN old.id <= (SELECT calls FROM indexed) AND old.error <> new.error BEGIN INSERT INTO words (words, rowid, text) SELECT 'delete', 3 * old.id + 1, old.error WHERE old.error <> ''; INSERT INTO words (rowid, text) SELECT 3 * new.id + 1, new.error WHERE new.error <> ''; END;
CREATE TRIGGER indexed_prompt AFTER DELETE ON prompts WHEN old.id <= (SELECT prompts FROM indexed) BEGIN INSERT INTO words (words, rowid, text) SELECT 'delete', 3 * old.id + 2, old.text; UPDATE indexed SET prompts = min(prompts, (SELECT coalesce(max(id), 0) FROM prompts)); END;
