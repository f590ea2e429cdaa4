"""The calls that triggers would have fired on, stored because to look at every call takes long; failed calls."""

SQL = """
-- The calls that a trigger would have fired on; a back-test looks only at those that are new or changed since.
CREATE TABLE trigger_hits (
    trigger TEXT PRIMARY KEY,             -- a digest of the trigger in compiled form, and of the version of lessons
    newest_call INTEGER NOT NULL,         -- the number of the newest call that was looked at
    newest_change INTEGER NOT NULL,       -- the number of the newest row of changed_calls that was taken into account
    hits TEXT NOT NULL                    -- JSON: ranges of numbers of calls
) WITHOUT ROWID;

-- Few calls fail, and much is asked about those.
CREATE INDEX calls_failed ON calls (time) WHERE outcome = 'failed';

-- Calls that changed after they were stored, as far as a trigger can tell, or were deleted; the oldest rows are pruned.
CREATE TABLE changed_calls (
    number INTEGER PRIMARY KEY AUTOINCREMENT, -- in the order of the changes
    call INTEGER NOT NULL                 -- its number: calls.id
);
CREATE TRIGGER calls_changed
AFTER UPDATE OF agent, project, cwd, model, tool, command, path, arguments, outcome, error ON calls BEGIN
    INSERT INTO changed_calls (call) VALUES (old.id);
END;
-- The number of a call that was deleted may be given to another one.
CREATE TRIGGER calls_deleted AFTER DELETE ON calls BEGIN
    INSERT INTO changed_calls (call) VALUES (old.id);
END;
"""
