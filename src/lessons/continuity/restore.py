"""The texts around a compaction and at a session start that bring back earlier work, each once; hot."""

import time

from lessons.plain import framed, neutral, quoted
from lessons.store.claims import claim_notice, create_claim, own_folder, remove_oldest, safe_name
from lessons.store.state_paths import StatePaths, current_branch, fields_of, number, text
from lessons.system import is_alive

# For the summariser of a compaction, which keeps decisions well but loses nearly every command. Plain ASCII: printed
# unchanged.
SUMMARISER_WORDS = (
    "Keep in the summary, word for word: the exact commands that were run with their exit codes, the paths of all"
    " files that were read or changed, the tasks that are still open, and open questions."
)
# Limit for the text added after a compaction, including its frame.
MOST_BYTES = 2_048
SAVED_RECORD = "Quoted from what `lessons` saved of this session"
_MANY_FILES = 15  # read without a pause: the user is warned
_OFFERED_SECONDS = 7 * 24 * 3600
_MOST_CLAIMS = 64
_LONGEST_REQUEST = 100
_LONGEST_NAME = 60


def after_compaction(paths: StatePaths, session: str) -> str:
    """Returns what this session itself was doing, if it is still on the same branch; each handoff once."""
    handoff = fields_of(f"{paths.session(session)}/handoff.json")
    git = handoff.get("git")
    branch = text(git, "branch") if isinstance(git, dict) else ""
    words = text(handoff, "context").strip()
    if not words or text(handoff, "sessionId") != session or branch != current_branch(paths.root):
        return ""
    if not claim_notice(paths.home, session, f"handoff {text(handoff, 'timestamp')}"):
        return ""
    # The content is always quoted, whoever wrote the file.
    return framed(SAVED_RECORD, words).encode("utf-8", "replace")[:MOST_BYTES].decode("utf-8", "ignore").strip()


def offer(paths: StatePaths, session: str, now: float) -> str:
    """Returns one line about the previous session, if it ended recently and was not mentioned yet."""
    handoff = fields_of(f"{paths.state}/handoff.json")
    other = text(handoff, "sessionId")
    saved = _seconds(text(handoff, "timestamp"))
    if not text(handoff, "offer") or not other or other == session or not now - _OFFERED_SECONDS < saved < now + 60:
        return ""
    state = fields_of(f"{paths.session(other)}/session-state.json")
    process = number(state, "process")
    if state.get("endedAt") is None and process > 0 and is_alive(process):
        return ""
    # Exactly one of all starting sessions claims it. A session resumed since, with a new request, is offered again.
    folder, name = paths.own + "/offered", safe_name(f"{other} {text(handoff, 'lastRequest')}")
    if not own_folder(folder) or not create_claim(f"{folder}/{name}"):
        return ""
    remove_oldest(folder, _MOST_CLAIMS)
    return offer_line(handoff)


def offer_line(handoff: dict[str, object]) -> str:
    """Returns at most one line; each field may contain anything, because others can write the file.

    Rebuilt when it is shown: a sentence stored in the file is not trusted.
    """
    found = handoff.get("git")
    git: dict[str, object] = found if isinstance(found, dict) else {}
    about = [f"branch `{_name(branch)}`"] if (branch := text(git, "branch")) else []
    tasks, uncommitted = handoff.get("tasks"), number(git, "uncommittedCount")
    about += [f"{len(tasks)} open tasks"] if isinstance(tasks, list) and tasks else []
    about += [f"{uncommitted} uncommitted files"] if 0 < uncommitted < 10**9 else []
    details = f" ({', '.join(about)})" if about else ""
    asked = text(handoff, "earlierRequest") or text(handoff, "lastRequest")
    request = f", last asked: {quoted(asked, _LONGEST_REQUEST)}" if asked.strip() else ""
    ended = f"The session before this one in this project ended {_name(text(handoff, 'timestamp')[:16])}"
    return f"{ended}{details}{request}. `lessons handoff show` shows what it was doing."


def many_files_read(tracking: dict[str, object]) -> str:
    """Returns a warning if many files were read since the last pause, and the user was not told yet."""
    files = tracking.get("filesRead")
    if not isinstance(files, list) or len(files) < _MANY_FILES or tracking.get("warningShown") is not False:
        return ""
    return f"{len(files)} files were read since the last pause: the context may soon be compacted, and this is kept."


def _name(name: str) -> str:
    """Returns a name on one line that cannot close the backticks around it."""
    return " ".join(neutral(name[:_LONGEST_NAME]).replace("`", "'").split())


def _seconds(moment: str) -> float:
    """Converts a UTC time of the files to seconds since 1970; 0 if invalid."""
    try:
        year, month, day = int(moment[:4]), int(moment[5:7]), int(moment[8:10])
        hour, minute, second = int(moment[11:13]), int(moment[14:16]), int(moment[17:19])
        return time.mktime((year, month, day, hour, minute, second, 0, 0, 0)) - time.timezone
    except (ValueError, OverflowError):
        return 0.0
