"""The tables of `history.db`.

To change a table, change it here and raise the version: a file of any earlier version keeps the columns that both have.
"""

VERSION = 19

# What every row that was made of one record of a transcript has; its key is made from time, uuid and content.
_RECORD = """
    id INTEGER PRIMARY KEY,
    key INTEGER NOT NULL UNIQUE,
    uuid TEXT NOT NULL,
    agent TEXT NOT NULL,
    session_id TEXT NOT NULL,
    agent_id TEXT NOT NULL,               -- empty in the main thread
    project TEXT NOT NULL,
    time TEXT NOT NULL,
    source_id INTEGER NOT NULL REFERENCES sources (id),
    segment INTEGER NOT NULL,
    position INTEGER NOT NULL,
    copied INTEGER NOT NULL,"""


def words_of_call(row: str = "") -> str:
    """Returns the SQL of the text by which a call is found: its command or path, else its arguments."""
    return f"iif({row}command <> '', {row}command, iif({row}path <> '', {row}path, substr({row}arguments, 1, 500)))"


_REMOVE = "INSERT INTO words (words, rowid, text) SELECT 'delete', 3 * old.id"
_IS_INDEXED = "old.id <= (SELECT {} FROM indexed)"

SCHEMA = f"""
-- One row for every transcript file that was ever read; a file that was replaced gets another generation.
CREATE TABLE sources (
    id INTEGER PRIMARY KEY,
    agent TEXT NOT NULL,
    path TEXT NOT NULL,
    generation INTEGER NOT NULL,
    inode INTEGER NOT NULL,
    size INTEGER NOT NULL,
    modified INTEGER NOT NULL,            -- nanoseconds
    offset INTEGER NOT NULL,              -- everything before this byte is in the other tables
    head BLOB NOT NULL,                   -- digest of the first bytes, to detect a replaced file
    tail BLOB NOT NULL,                   -- digest of the last bytes before the offset
    memory TEXT NOT NULL,                 -- state that the reader needs to continue (JSON)
    records INTEGER NOT NULL DEFAULT 0,
    malformed INTEGER NOT NULL DEFAULT 0,
    UNIQUE (path, generation)
);
CREATE INDEX sources_as_read ON sources (agent, inode, size, modified) WHERE offset > 0;

-- A transcript from one compaction to the next; `key` is f-STEM.NUMBER, with the stem of its file.
CREATE TABLE segments (
    id INTEGER PRIMARY KEY,
    source_id INTEGER NOT NULL REFERENCES sources (id) ON DELETE CASCADE,
    number INTEGER NOT NULL,
    key TEXT NOT NULL,
    boundary_uuid TEXT NOT NULL,          -- empty for the first
    start INTEGER NOT NULL,
    end INTEGER NOT NULL,                 -- how far it was read, or where the next one begins
    sealed INTEGER NOT NULL,
    UNIQUE (source_id, number)
);

-- Which miner has processed a segment, in which version, up to which byte; finding nothing is a success too.
CREATE TABLE progress (
    segment_id INTEGER NOT NULL REFERENCES segments (id) ON DELETE CASCADE,
    miner TEXT NOT NULL,
    version INTEGER NOT NULL,
    end INTEGER NOT NULL,
    state TEXT NOT NULL,                  -- done, failed, dead
    attempts INTEGER NOT NULL DEFAULT 0,
    retry_after REAL NOT NULL DEFAULT 0,  -- seconds since 1970
    reason TEXT NOT NULL DEFAULT '',
    session_id TEXT NOT NULL DEFAULT '',  -- session whose mining failed
    PRIMARY KEY (segment_id, miner, version)
) WITHOUT ROWID;
CREATE INDEX progress_not_done ON progress (state) WHERE state <> 'done';

-- A part of a transcript that could not be parsed.
CREATE TABLE damaged (
    source_id INTEGER NOT NULL REFERENCES sources (id) ON DELETE CASCADE,
    position INTEGER NOT NULL,
    length INTEGER NOT NULL,
    PRIMARY KEY (source_id, position)
) WITHOUT ROWID;

-- Records that were read before, by a number made from time, uuid and content: copies are counted, not stored.
CREATE TABLE known (key INTEGER PRIMARY KEY);

CREATE TABLE sessions (
    agent TEXT NOT NULL,
    session_id TEXT NOT NULL,
    project TEXT NOT NULL,
    first_time TEXT NOT NULL,
    last_time TEXT NOT NULL,
    title TEXT NOT NULL,
    title_rank TEXT NOT NULL,             -- the latest title wins, in any order of files
    PRIMARY KEY (agent, session_id)
) WITHOUT ROWID;

-- One row for every tool call; copies of it in other files are not counted again.
CREATE TABLE calls (
    id INTEGER PRIMARY KEY,
    tool_use_id TEXT NOT NULL UNIQUE,
    agent TEXT NOT NULL,
    session_id TEXT NOT NULL,
    agent_id TEXT NOT NULL,               -- empty in the main thread
    sidechain INTEGER NOT NULL,
    project TEXT NOT NULL,
    cwd TEXT NOT NULL,
    branch TEXT NOT NULL,
    time TEXT NOT NULL,
    model TEXT NOT NULL,
    version TEXT NOT NULL,                -- of the client
    tool TEXT NOT NULL,
    program TEXT NOT NULL,                -- of shell calls, without wrappers
    subcommand TEXT NOT NULL,
    command TEXT NOT NULL,                -- redacted, the first 4 KB
    path TEXT NOT NULL,
    arguments TEXT NOT NULL,              -- JSON; strings redacted, the first 4 KB of each
    hides_exit INTEGER NOT NULL,          -- the shell line may report success although its command failed
    outcome TEXT NOT NULL DEFAULT 'unknown',  -- ok, failed, refused, cancelled, interrupted, unknown
    exit_code INTEGER,                    -- NULL: unknown
    error TEXT NOT NULL DEFAULT '',       -- of failed and suspicious calls; redacted, shortened
    error_fingerprint TEXT NOT NULL DEFAULT '',
    suspicious INTEGER NOT NULL DEFAULT 0,    -- the exit status may be another command's; output looks failed
    ended TEXT NOT NULL DEFAULT '',       -- time of the result
    result_uuid TEXT NOT NULL DEFAULT '',
    task_id TEXT NOT NULL DEFAULT '',     -- of a call that continued in the background
    uuid TEXT NOT NULL,
    message_id TEXT NOT NULL,
    source_id INTEGER NOT NULL REFERENCES sources (id),
    segment INTEGER NOT NULL,
    position INTEGER NOT NULL,
    block INTEGER NOT NULL,
    copied INTEGER NOT NULL
);
CREATE INDEX calls_by_program ON calls (program, subcommand) WHERE program <> '';
CREATE INDEX calls_by_fingerprint ON calls (error_fingerprint) WHERE error_fingerprint <> '';
CREATE INDEX calls_refused ON calls (message_id) WHERE outcome = 'refused';
CREATE INDEX calls_by_command ON calls (command) WHERE command <> '';
CREATE INDEX calls_by_session ON calls (session_id, agent_id, sidechain, time);
CREATE INDEX calls_failed ON calls (time) WHERE outcome = 'failed';

-- What each call that worked or failed shares with others, as sorted 32-bit numbers.
CREATE TABLE call_features (
    call_id INTEGER PRIMARY KEY REFERENCES calls (id) ON DELETE CASCADE,
    keys BLOB NOT NULL
);

-- What other records say about a call: a result without its call, a background task and its end, an interruption.
CREATE TABLE marks (
    kind TEXT NOT NULL,                   -- result, background, end, interrupt
    session_id TEXT NOT NULL,             -- empty for results
    name TEXT NOT NULL,                   -- tool_use_id; task_id and tool_use_id; either of them; message_id
    row TEXT NOT NULL,                    -- JSON; of background the tool_use_id
    PRIMARY KEY (kind, session_id, name)
) WITHOUT ROWID;

CREATE TABLE prompts ({_RECORD}
    branch TEXT NOT NULL,
    text TEXT NOT NULL,                   -- redacted
    sureness TEXT NOT NULL                -- sure or likely: whether a person typed it
);
CREATE INDEX prompts_by_session ON prompts (session_id, agent_id, time);

-- Keys of prompts that were queued and then delivered or withdrawn: no row of `prompts` has one of these.
CREATE TABLE delivered_prompts (key INTEGER PRIMARY KEY);

CREATE TABLE hook_contexts ({_RECORD}
    tool_use_id TEXT NOT NULL,
    event TEXT NOT NULL,
    name TEXT NOT NULL,
    text TEXT NOT NULL                    -- redacted
);
CREATE INDEX hook_contexts_by_call ON hook_contexts (tool_use_id);
CREATE INDEX hook_contexts_by_session ON hook_contexts (session_id);

-- The hooks that ran when a turn ended, whoever installed them.
CREATE TABLE stop_hooks ({_RECORD}
    hooks INTEGER NOT NULL,               -- how many ran
    errors TEXT NOT NULL,                 -- JSON: output of those that failed; redacted, shortened
    commands TEXT NOT NULL,               -- JSON: commands of all that ran; redacted, shortened
    milliseconds TEXT NOT NULL DEFAULT '[]',  -- JSON: how long each of the commands took; null: unknown
    prevented INTEGER NOT NULL,           -- one of them stopped the agent
    stop_reason TEXT NOT NULL DEFAULT ''  -- why; redacted, shortened
);
CREATE INDEX stop_hooks_by_session ON stop_hooks (session_id);
CREATE INDEX stop_hooks_failed ON stop_hooks (time) WHERE errors <> '[]';

-- One row for every message of a model; several records of a transcript, and copies, may belong to it.
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
    input_tokens INTEGER NOT NULL,        -- without cached tokens
    output_tokens INTEGER NOT NULL,
    cache_read_tokens INTEGER NOT NULL,
    cache_write_tokens INTEGER NOT NULL,
    copied INTEGER NOT NULL
);
CREATE INDEX messages_by_session ON messages (session_id);

-- The tokens of each session, its subagents included.
CREATE VIEW session_tokens AS
SELECT agent, session_id, count(*) AS messages, sum(input_tokens) AS input_tokens,
    sum(output_tokens) AS output_tokens, sum(cache_read_tokens) AS cache_read_tokens,
    sum(cache_write_tokens) AS cache_write_tokens
FROM messages GROUP BY agent, session_id;

-- What an agent wrote between a failed call and its next call. It is shown to people, and used for nothing else.
CREATE TABLE diagnoses ({_RECORD}
    tool_use_id TEXT NOT NULL,            -- of the failed call
    number INTEGER NOT NULL,              -- of the text in its record
    text TEXT NOT NULL                    -- redacted, the first two sentences
);
CREATE INDEX diagnoses_by_call ON diagnoses (tool_use_id);
CREATE INDEX diagnoses_by_session ON diagnoses (session_id);

-- What an agent reported between #lesson and #/lesson, and each #lesson:cancel.
CREATE TABLE tags ({_RECORD}
    message_id TEXT NOT NULL,
    number INTEGER NOT NULL,              -- in its message
    fields TEXT NOT NULL,                 -- JSON; empty: cancels the previous tag
    fingerprint TEXT NOT NULL,            -- of its candidate
    cancelled INTEGER NOT NULL DEFAULT 0
);
CREATE INDEX tags_by_session ON tags (session_id);
CREATE INDEX tags_by_fingerprint ON tags (fingerprint);

CREATE TABLE candidates (
    fingerprint TEXT PRIMARY KEY,
    tier INTEGER NOT NULL,                -- 1 tag, 2 failure and fix, 3 a person's correction
    kind TEXT NOT NULL,
    document TEXT NOT NULL,               -- JSON
    confidence REAL NOT NULL,
    status TEXT NOT NULL                  -- candidate, promoted, archived, merged
) WITHOUT ROWID;

-- Every occurrence of a candidate, not a sample.
CREATE TABLE evidence (
    fingerprint TEXT NOT NULL REFERENCES candidates (fingerprint) ON DELETE CASCADE,
    session_id TEXT NOT NULL,
    uuid TEXT NOT NULL,
    number INTEGER NOT NULL,
    tool_use_id TEXT NOT NULL,
    fix_tool_use_id TEXT NOT NULL,
    message_id TEXT NOT NULL,
    project TEXT NOT NULL,
    time TEXT NOT NULL,
    file TEXT NOT NULL,
    PRIMARY KEY (fingerprint, session_id, uuid, number)
) WITHOUT ROWID;
CREATE INDEX evidence_by_session ON evidence (session_id);
CREATE INDEX evidence_by_call ON evidence (tool_use_id);

-- The names that candidates had before mistakes were grouped by their weight: decisions may use one of them.
CREATE TABLE earlier_names (
    tool_use_id TEXT NOT NULL,            -- a failed call that the candidate rested on
    fingerprint TEXT NOT NULL,
    PRIMARY KEY (tool_use_id, fingerprint)
) WITHOUT ROWID;

-- The last proposal for a candidate; recomputed when the candidate or much of the history changes.
CREATE TABLE proposals (
    fingerprint TEXT PRIMARY KEY REFERENCES candidates (fingerprint) ON DELETE CASCADE,
    version TEXT NOT NULL,                -- of lessons
    newest_call INTEGER NOT NULL,         -- the id of the newest call that it was tested on
    document TEXT NOT NULL                -- JSON: the trigger or why there is none, its scope, required programs
) WITHOUT ROWID;

-- One answer for each dossier: a mistake is asked about until it is answered, at most twice.
CREATE TABLE answers (
    id TEXT PRIMARY KEY,                  -- of the dossier: the fingerprint of its mistake
    status TEXT NOT NULL,                 -- pending, accepted, refused, nothing
    document TEXT NOT NULL,               -- JSON: the lessons that passed the test, a list
    reasons TEXT NOT NULL,                -- JSON: why it was refused, or why there is no lesson
    author TEXT NOT NULL,
    time TEXT NOT NULL,
    round INTEGER NOT NULL,               -- how often it was answered
    calls TEXT NOT NULL                   -- JSON: the calls of the dossier; without one of them the answer is deleted
) WITHOUT ROWID;

-- Sessions with new data that is not mined yet.
CREATE TABLE unmined (
    session_id TEXT PRIMARY KEY,
    active REAL NOT NULL DEFAULT 0        -- the last write to its transcripts, seconds since 1970
) WITHOUT ROWID;

-- One row for every failed call; `fix_tool_use_id` is empty where no later call shows a fix. The
-- fix is not named if it skips a check, forces, deletes or discards: `worked_tool_use_id` names it all the same.
CREATE TABLE episodes (
    tool_use_id TEXT PRIMARY KEY,
    session_id TEXT NOT NULL,
    kind TEXT NOT NULL,
    program TEXT NOT NULL,                -- what the error blames: a program of the line, or the tool
    signature TEXT NOT NULL,              -- the line that names the cause, with placeholders for what varies
    fix_tool_use_id TEXT NOT NULL,
    weight REAL NOT NULL,                 -- 0 to 1: how probably it was a mistake worth remembering
    calls_lost INTEGER NOT NULL,
    seconds_lost REAL NOT NULL,
    worked_tool_use_id TEXT NOT NULL DEFAULT ''
) WITHOUT ROWID;
CREATE INDEX episodes_by_session ON episodes (session_id);
CREATE INDEX episodes_by_program ON episodes (program);

-- A durable rule that a person typed in answer to what the agent did.
CREATE TABLE corrections (
    key INTEGER PRIMARY KEY,              -- of its prompt
    session_id TEXT NOT NULL,
    rule TEXT NOT NULL,
    sureness REAL NOT NULL,
    tool_use_id TEXT NOT NULL             -- the call it answers
);
CREATE INDEX corrections_by_session ON corrections (session_id);

-- One row for every line that the hook wrote into injections.jsonl; the file is rotated once its lines are here.
CREATE TABLE injections (
    id INTEGER PRIMARY KEY,
    key INTEGER NOT NULL UNIQUE,          -- made from the line: the same line is stored once
    time TEXT NOT NULL,
    event TEXT NOT NULL,
    agent TEXT NOT NULL,
    session_id TEXT NOT NULL,
    agent_id TEXT NOT NULL,               -- empty in the main thread
    tool_use_id TEXT NOT NULL,            -- empty at the start of a session
    cwd TEXT NOT NULL,
    lesson TEXT NOT NULL,                 -- the id of the lesson
    slug TEXT NOT NULL,
    decision TEXT NOT NULL,               -- hint, stop, block, shadow, held-out, dropped, muted, allowed
    line TEXT NOT NULL                    -- JSON; all of it, as it was written
);
CREATE INDEX injections_by_session ON injections (session_id);
CREATE INDEX injections_by_call ON injections (tool_use_id) WHERE tool_use_id <> '';
CREATE INDEX injections_by_lesson ON injections (lesson);

-- An opportunity of a lesson and its outcome (docs/PROOF.md). Computed from the other tables.
CREATE TABLE opportunities (
    lesson TEXT NOT NULL,                 -- the id of the lesson
    tool_use_id TEXT NOT NULL,            -- for a lesson shown at a session start: the key of its line
    slug TEXT NOT NULL,
    time TEXT NOT NULL,
    session_id TEXT NOT NULL,
    agent_id TEXT NOT NULL,
    agent TEXT NOT NULL,
    model TEXT NOT NULL,
    project TEXT NOT NULL,
    decision TEXT NOT NULL,               -- as above; none: the lesson did not exist yet; missed: nothing matched
    outcome TEXT NOT NULL,
    failed INTEGER,                       -- the mistake was made at the call, or at the one that replaced it
    is_active INTEGER NOT NULL,           -- the agent could read the lesson
    repeated INTEGER,                     -- the mistake was made later in the same context
    PRIMARY KEY (lesson, tool_use_id)
) WITHOUT ROWID;
CREATE INDEX opportunities_by_session ON opportunities (session_id);

-- Sessions with new data that the ledger has not judged yet.
CREATE TABLE unjudged (session_id TEXT PRIMARY KEY) WITHOUT ROWID;

-- Full-text search; rowid = 3 * id + kind (0 a call, 1 its error, 2 a prompt). The texts are in the tables above.
CREATE VIRTUAL TABLE words USING fts5 (text, content = '', tokenize = "unicode61 remove_diacritics 2");

-- One row: the highest ids whose texts are in `words`.
CREATE TABLE indexed (calls INTEGER NOT NULL, prompts INTEGER NOT NULL);

-- The index keeps no texts: to take one out, the old text is needed.
CREATE TRIGGER indexed_call AFTER UPDATE OF command, path, arguments ON calls
WHEN {_IS_INDEXED.format("calls")} AND {words_of_call("old.")} <> {words_of_call("new.")} BEGIN
    {_REMOVE}, {words_of_call("old.")};
    INSERT INTO words (rowid, text) VALUES (3 * new.id, {words_of_call("new.")});
END;
CREATE TRIGGER indexed_error AFTER UPDATE OF error ON calls
WHEN {_IS_INDEXED.format("calls")} AND old.error <> new.error BEGIN
    {_REMOVE} + 1, old.error WHERE old.error <> '';
    INSERT INTO words (rowid, text) SELECT 3 * new.id + 1, new.error WHERE new.error <> '';
END;
CREATE TRIGGER indexed_prompt AFTER DELETE ON prompts WHEN {_IS_INDEXED.format("prompts")} BEGIN
    {_REMOVE} + 2, old.text;
    UPDATE indexed SET prompts = min(prompts, (SELECT coalesce(max(id), 0) FROM prompts));
END;

CREATE TABLE facts (name TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;
"""
