"""The state of a repository, new commits by the reflog of HEAD, and which commits of a session still exist."""

import os
from datetime import UTC, datetime
from typing import NamedTuple

from lessons.continuity.git import has_repository, is_hash, run, without_filters
from lessons.project_state import Commit, CommitTracker, GitState, SessionState, seconds
from lessons.redact.texts import clean_name, redacted_start
from lessons.store.state_paths import current_branch, git_folder
from lessons.system import open_regular

Windows = list[tuple[float, float]]  # when a session may have committed, in seconds since 1970
_MOST_REFLOG_BYTES = 1 << 20
_MOST_COMMITS = 300
_MOST_OWN = 50  # commits of a session that are checked again
# A recent commit that cannot be this session's is left for the session whose call may be making it right now.
_OTHERS_SECONDS = 120
_NEAR_SECONDS = 2  # a reflog has whole seconds, and a transcript is written slightly later
# How a commit was made, by the first word of git's reason, or by the text in brackets after it.
_KINDS = {each: each for each in ("commit", "cherry-pick", "revert", "merge")} | {"am": "commit", "pull": "merge"}
_KINDS_IN_BRACKETS = ("amend", "merge", "cherry-pick")
_REBASE_STEPS = ("pick", "squash", "fixup", "reword", "edit", "continue", "merge")
_CHECKOUT = "checkout: moving from "

_MOST_FILES = 30
_LONGEST_MESSAGE = 300
_READ_CHARACTERS = 4000  # of a message: a secret may start in the stored part and end after it
# A merge is compared with the branch it was made on. Every record starts with an empty part, which is never a file
# name.
_SHOW = (
    *("log", "--no-walk=unsorted", "--ignore-missing", "-m", "--first-parent", "--root", "-z", "--encoding=UTF-8"),
    *("--no-notes", "--no-ext-diff", "--no-textconv", "--no-renames", "--ignore-submodules=dirty"),
)
_FORMAT = "--format=%x00%H%x00%an%x00%aI%x00%B"


class Move(NamedTuple):
    """HEAD moved from `old` (empty at first) to `new`, on a branch; `kind` is empty unless that made a commit."""

    time: int
    old: str
    new: str
    kind: str
    branch: str

    def is_within(self, windows: Windows) -> bool:
        return any(begin - _NEAR_SECONDS <= self.time <= end + _NEAR_SECONDS for begin, end in windows)


def new_commits(
    root: str, tracker: CommitTracker, log: list[Commit], session: SessionState, windows: Windows, now: float
) -> tuple[list[Commit], CommitTracker]:
    """Returns the commits that are not in the log yet, oldest first, and how far it is complete with them.

    Ignores what a pull, a checkout or a reset brought. The first check counts only commits since the session started.
    Commits made in one of the windows belong to the session; a commit left for another session does not delay them.
    """
    moves = _reflog(root)
    checked = tracker.last_entry.partition(" ")[0]
    since = int(seconds(session.started_at))
    if checked.isdecimal() and int(checked) <= now:
        since = int(checked)
    start = next((number for number, move in enumerate(moves) if move.time >= since), len(moves))
    logged = {each.hash for each in log}
    last, is_complete = None, True
    found = []
    for move in moves[start:]:
        is_new = bool(move.kind) and move.new not in logged
        is_ready = move.is_within(windows) or move.time <= now - _OTHERS_SECONDS
        is_complete = is_complete and (is_ready or not is_new)
        if is_complete:
            last = move
        if is_new and is_ready:
            found.append(move)
    commits = _commits_of(root, [move.new for move in found[-_MOST_COMMITS:]])
    if commits is None:
        return [], tracker
    made = []
    for move in found[-_MOST_COMMITS:]:
        if commit := commits.get(move.new):
            commit.timestamp, commit.branch, commit.kind = _time_of(move.time), clean_name(move.branch), move.kind
            commit.replaces = move.old if move.kind == "amend" else None
            if move.is_within(windows) and move.time >= int(seconds(session.started_at)):
                commit.session, commit.session_id = session.session, session.session_id
            made.append(commit)
    mark = str(max(since, last.time)) if last else ""
    if last and (last.new, mark) != (tracker.last_head, tracker.last_entry):
        tracker = CommitTracker(last_head=last.new, last_entry=mark, updated_at=_time_of(now))
    return made, tracker


def _reflog(root: str) -> list[Move]:
    """Reads the latest moves of HEAD from git's own file, oldest first; none if the repository has no such file."""
    try:
        path = f"{git_folder(root)}/logs/HEAD"
        with open_regular(path) as file:
            start = max(0, os.fstat(file.fileno()).st_size - _MOST_REFLOG_BYTES)
            file.seek(start)
            lines = file.read(_MOST_REFLOG_BYTES).decode("utf-8", "replace").split("\n")
    except (OSError, ValueError):
        return []
    moves, branch = list[Move](), current_branch(root)
    for line in reversed(lines[1:] if start else lines):
        about, _, reason = line.partition("\t")
        words = about.split(" ")
        if len(words) > 3 and is_hash(words[0]) and is_hash(words[1]) and words[-2].isdigit():
            old = words[0].strip("0") and words[0]
            moves.append(Move(int(words[-2]), old, words[1], kind_of(reason), branch))
            if reason.startswith(_CHECKOUT):
                name = reason[len(_CHECKOUT) :].partition(" to ")[0]
                branch = "HEAD" if is_hash(name) else name
    return moves[::-1]


def kind_of(reason: str) -> str:
    """Returns how a commit was made, by the reason that git recorded; empty if HEAD only moved to an existing one."""
    # `commit (amend): message`; the address in a pull has its own colon.
    end = "): " if reason.startswith("pull ") and "): " in reason else ":"
    action, _, step = reason.partition(end)[0].rstrip(")").partition(" (")
    verb = action.partition(" ")[0]
    if verb in ("rebase", "pull") and step:
        return "rebase" if step in _REBASE_STEPS else ""
    if verb not in ("commit", "revert", "am") and reason.lower().endswith(": fast-forward"):
        return ""
    return step if step in _KINDS_IN_BRACKETS else _KINDS.get(verb, "")


def _commits_of(root: str, hashes: list[str]) -> dict[str, Commit] | None:
    """Returns what git says about each; without files if finding them takes too long, None if git fails."""
    if not hashes:
        return {}
    answer = run(root, *_SHOW, "--name-only", _FORMAT, *hashes, "--")
    if answer is None and (answer := run(root, *_SHOW, "--no-patch", _FORMAT, *hashes, "--")) is None:
        return None
    parts, found, position = answer.split("\0"), dict[str, Commit](), 0
    while position + 4 < len(parts):
        name, author, date, message = parts[position + 1 : position + 5]
        position += 5
        files: list[str] = []
        while position < len(parts) and parts[position]:
            files.append(parts[position] if files else parts[position].removeprefix("\n"))
            position += 1
        first = redacted_start(message, _READ_CHARACTERS).strip().replace("\r\n", "\n").partition("\n\n")[0]
        found[name] = Commit(
            timestamp="",
            hash=name,
            short_hash=name[:7],
            message=_line(first)[:_LONGEST_MESSAGE],
            author=_line(clean_name(author)),
            author_date=date,
            branch="",
            files_changed=len(files),
            files_list=[clean_name(file) for file in files[:_MOST_FILES]],
        )
    return found


def _line(text: str) -> str:
    return " ".join("".join(sign if sign.isprintable() else " " for sign in text).split())


def _time_of(seconds: float) -> str:
    try:
        return f"{datetime.fromtimestamp(int(seconds), UTC):%Y-%m-%dT%H:%M:%S}Z"
    except (ValueError, OverflowError, OSError):
        return ""


def still_there(root: str, own: list[Commit], log: list[Commit]) -> list[Commit]:
    """Removes commits that were amended or are on no branch any more; latest last."""
    replaced = {each.replaces for each in log}
    left = [each for each in own if each.hash not in replaced and is_hash(each.hash)][-_MOST_OWN:]
    if not left:
        return []
    # Commits reachable from these but from no ref; ignores those that git has already deleted.
    answer = run(
        root,
        *("rev-list", "--ignore-missing", f"--max-count={20 * _MOST_OWN}", *(each.hash for each in left)),
        *("--not", "HEAD", "--branches", "--tags", "--remotes", "--"),
    )
    gone = set((answer or "").split())
    return [each for each in left if each.hash not in gone]


_MOST_LINES = 50


def state_of(root: str) -> GitState:
    """Returns the state of the repository; ignores uncommitted changes inside submodules."""
    state = GitState(branch=clean_name(current_branch(root)))
    unfiltered = without_filters(root) if has_repository(root) else None
    if unfiltered is None:
        return state
    # With a short limit: git may be slow here.
    head = (run(root, "rev-parse", "--verify", "--quiet", "HEAD", seconds=0.5) or "").strip()
    state.head = head if is_hash(head) else ""
    status = ("status", "--porcelain", "--no-ahead-behind", "--no-renames", "--ignore-submodules=dirty")
    lines = (run(root, *unfiltered, *status) or "").split("\n")[:-1]
    state.uncommitted_count = len(lines)
    state.uncommitted = [clean_name(line) for line in lines[:_MOST_LINES]]
    return state
