"""The first tables: sources and their segments, sessions, calls with outcome, prompts, hook contexts, candidates."""

SQL = """
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
    head BLOB NOT NULL,                   -- digest of the first bytes, to tell a replaced file
    tail BLOB NOT NULL,                   -- digest of the last bytes before the offset
    memory TEXT NOT NULL,                 -- what reading on needs to know (JSON)
    records INTEGER NOT NULL DEFAULT 0,
    malformed INTEGER NOT NULL DEFAULT 0,
    UNIQUE (path, generation)
);

CREATE INDEX sources_as_read ON sources (agent, inode, size, modified) WHERE offset > 0;

-- A transcript from one compaction to the next; `key` is f-{file stem}.{number}.
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

-- Who has dealt with a segment, in which version, up to which byte; nothing found is a success too.
CREATE TABLE progress (
    segment_id INTEGER NOT NULL REFERENCES segments (id) ON DELETE CASCADE,
    miner TEXT NOT NULL,
    version INTEGER NOT NULL,
    end INTEGER NOT NULL,
    state TEXT NOT NULL,                  -- done, failed, dead
    attempts INTEGER NOT NULL DEFAULT 0,
    retry_after REAL NOT NULL DEFAULT 0,  -- seconds since 1970
    reason TEXT NOT NULL DEFAULT '',
    PRIMARY KEY (segment_id, miner, version)
) WITHOUT ROWID;

-- A stretch of a transcript that could not be understood.
CREATE TABLE damaged (
    source_id INTEGER NOT NULL REFERENCES sources (id) ON DELETE CASCADE,
    position INTEGER NOT NULL,
    length INTEGER NOT NULL,
    PRIMARY KEY (source_id, position)
) WITHOUT ROWID;

-- Records that were met already, by a number made from uuid and content: copies are counted, not stored.
CREATE TABLE known (key INTEGER PRIMARY KEY);

CREATE TABLE sessions (
    agent TEXT NOT NULL,
    session_id TEXT NOT NULL,
    project TEXT NOT NULL,
    first_time TEXT NOT NULL,
    last_time TEXT NOT NULL,
    title TEXT NOT NULL,
    title_rank TEXT NOT NULL,             -- the latest title wins, in whatever order files are read
    PRIMARY KEY (agent, session_id)
) WITHOUT ROWID;

-- One row for every tool call that ever happened: copies of it in other files are not counted again.
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
    program TEXT NOT NULL,                -- of shell calls, behind wrappers
    subcommand TEXT NOT NULL,
    command TEXT NOT NULL,                -- redacted, the first 4 KB
    path TEXT NOT NULL,
    arguments TEXT NOT NULL,              -- JSON; strings redacted, the first 4 KB of each
    hides_exit INTEGER NOT NULL,          -- the shell line may report success although its command failed
    outcome TEXT NOT NULL DEFAULT 'unknown',  -- ok, failed, refused, cancelled, interrupted, unknown
    exit_code INTEGER,                    -- NULL: unknown
    error TEXT NOT NULL DEFAULT '',       -- of failed and suspicious calls; redacted, shortened
    error_fingerprint TEXT NOT NULL DEFAULT '',
    suspicious INTEGER NOT NULL DEFAULT 0,    -- ok by an exit status that may be another's; reads like a failure
    ended TEXT NOT NULL DEFAULT '',       -- time of the result
    result_uuid TEXT NOT NULL DEFAULT '',
    task_id TEXT NOT NULL DEFAULT '',     -- of a call that went on in the background
    uuid TEXT NOT NULL,
    message_id TEXT NOT NULL,
    source_id INTEGER NOT NULL REFERENCES sources (id),
    segment INTEGER NOT NULL,
    position INTEGER NOT NULL,
    block INTEGER NOT NULL,
    copied INTEGER NOT NULL
);
CREATE INDEX calls_by_session ON calls (session_id, agent_id);
CREATE INDEX calls_by_program ON calls (program, subcommand) WHERE program <> '';
CREATE INDEX calls_by_fingerprint ON calls (error_fingerprint) WHERE error_fingerprint <> '';
CREATE INDEX calls_refused ON calls (message_id) WHERE outcome = 'refused';

-- What other records tell about a call: a result without its call, a background task and its end, an interruption.
CREATE TABLE marks (
    kind TEXT NOT NULL,                   -- result, background, end, interrupt
    session_id TEXT NOT NULL,             -- empty for results
    name TEXT NOT NULL,                   -- tool_use_id; task_id and tool_use_id; either of them; message_id
    row TEXT NOT NULL,                    -- JSON; of background the tool_use_id
    PRIMARY KEY (kind, session_id, name)
) WITHOUT ROWID;

CREATE TABLE prompts (
    id INTEGER PRIMARY KEY,
    key INTEGER NOT NULL UNIQUE,
    uuid TEXT NOT NULL,
    agent TEXT NOT NULL,
    session_id TEXT NOT NULL,
    agent_id TEXT NOT NULL,
    project TEXT NOT NULL,
    branch TEXT NOT NULL,
    time TEXT NOT NULL,
    text TEXT NOT NULL,                   -- redacted
    sureness TEXT NOT NULL,               -- sure, likely: how sure it is that a person typed it
    source_id INTEGER NOT NULL REFERENCES sources (id),
    segment INTEGER NOT NULL,
    position INTEGER NOT NULL,
    copied INTEGER NOT NULL
);
CREATE INDEX prompts_by_session ON prompts (session_id, agent_id);

CREATE TABLE hook_contexts (
    id INTEGER PRIMARY KEY,
    key INTEGER NOT NULL UNIQUE,
    uuid TEXT NOT NULL,
    agent TEXT NOT NULL,
    session_id TEXT NOT NULL,
    agent_id TEXT NOT NULL,
    project TEXT NOT NULL,
    time TEXT NOT NULL,
    tool_use_id TEXT NOT NULL,
    event TEXT NOT NULL,
    name TEXT NOT NULL,
    text TEXT NOT NULL,                   -- redacted
    source_id INTEGER NOT NULL REFERENCES sources (id),
    segment INTEGER NOT NULL,
    position INTEGER NOT NULL,
    copied INTEGER NOT NULL
);
CREATE INDEX hook_contexts_by_call ON hook_contexts (tool_use_id);
CREATE INDEX hook_contexts_by_session ON hook_contexts (session_id);

-- What an agent reported between #lesson and #/lesson, and each #lesson:cancel.
CREATE TABLE tags (
    id INTEGER PRIMARY KEY,
    key INTEGER NOT NULL UNIQUE,
    uuid TEXT NOT NULL,
    agent TEXT NOT NULL,
    session_id TEXT NOT NULL,
    agent_id TEXT NOT NULL,
    project TEXT NOT NULL,
    time TEXT NOT NULL,
    message_id TEXT NOT NULL,
    number INTEGER NOT NULL,              -- in its message
    fields TEXT NOT NULL,                 -- JSON; empty: cancels the one before
    fingerprint TEXT NOT NULL,            -- of the candidate it stands for
    cancelled INTEGER NOT NULL DEFAULT 0,
    source_id INTEGER NOT NULL REFERENCES sources (id),
    segment INTEGER NOT NULL,
    position INTEGER NOT NULL,
    copied INTEGER NOT NULL
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

-- Full-text search; rowid = 3 * id + kind (0 a call, 1 its error, 2 a prompt). The texts stand in the tables above.
CREATE VIRTUAL TABLE words USING fts5 (text, content = '', tokenize = "unicode61 remove_diacritics 2");

CREATE TABLE facts (name TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;
"""
