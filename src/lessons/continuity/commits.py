"""Finds the commits made since the last check, by the reflog of HEAD, and which commits of a session still exist."""

import os
from datetime import UTC, datetime
from typing import NamedTuple

from lessons.continuity.git import is_hash, run
from lessons.project_state import Commit, CommitTracker, SessionState, seconds
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
_IN_BRACKETS = {"amend": "amend", "merge": "merge", "cherry-pick": "cherry-pick"}
_REBASE_STEPS = frozenset(("pick", "squash", "fixup", "reword", "edit", "continue", "merge"))
_CHECKOUT = "checkout: moving from "
_JOINING = ("squash", "fixup")

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
    """HEAD moved from `old` (empty at first) to `new`, on a branch, for the reason that git recorded."""

    time: int
    old: str
    new: str
    reason: str
    branch: str

    @property
    def action(self) -> str:
        """The action: `commit (amend)`, `merge topic`; the address in a pull has its own colon."""
        end = self.reason.find("): ") + 1 if self.reason.startswith("pull ") else 0
        return self.reason[:end] if end else self.reason.partition(":")[0]

    @property
    def step(self) -> str:
        """The text in brackets after the action: `amend`, `pick`, `finish`."""
        return self.action.partition("(")[2].rstrip(")")

    @property
    def kind(self) -> str:
        """How a commit was made here; empty if HEAD only moved to an existing one."""
        verb = self.action.partition(" ")[0]
        if verb not in ("commit", "revert", "am") and self.reason.lower().endswith(": fast-forward"):
            return ""
        if verb in ("rebase", "pull") and self.step:
            return "rebase" if self.step in _REBASE_STEPS else ""
        return _IN_BRACKETS.get(self.step) or _KINDS.get(verb, "")

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
    if not moves:
        return [], tracker
    mark = tracker.last_entry or f"{int(seconds(session.started_at))}"
    start = _first_after(moves, mark)
    recent = now - _OTHERS_SECONDS
    others = (
        number
        for number, move in enumerate(moves[start:], start)
        if move.kind and move.time > recent and not move.is_within(windows)
    )
    stop = next(others, len(moves))
    logged = {each.hash for each in log}
    found = [
        move
        for number, move in enumerate(moves[start:], start)
        if move.kind and move.new not in logged and (number < stop or move.is_within(windows))
    ][-_MOST_COMMITS:]
    commits = _commits_of(root, [move.new for move in found])
    if commits is None:
        return [], tracker
    if stop:
        mark = f"{moves[stop - 1].time} {moves[stop - 1].new}"
    if mark != tracker.last_entry:
        head = moves[stop - 1].new if stop else ""
        tracker = CommitTracker(last_head=head, last_entry=mark, updated_at=_time_of(now))
    return _made(found, commits, log, session, windows), tracker


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
            moves.append(Move(int(words[-2]), words[0].strip("0") and words[0], words[1], reason, branch))
            if reason.startswith(_CHECKOUT):
                name = reason[len(_CHECKOUT) :].partition(" to ")[0]
                branch = "HEAD" if is_hash(name) else name
    return moves[::-1]


def _first_after(moves: list[Move], mark: str) -> int:
    """Returns the index after the marked move; if that is gone, of the first from which on all are as new as it.

    A move there and back within a second has the same mark twice: counted from the first, known commits are in the log.
    """
    time, _, name = mark.partition(" ")
    for number, move in enumerate(moves):
        if f"{move.time}" == time and move.new == name[: len(move.new)]:
            return number + 1
    number, earliest = len(moves), int(time) if time.isdigit() else 0
    while number and moves[number - 1].time >= earliest:
        number -= 1
    return number


def _made(
    moves: list[Move], found: dict[str, Commit], log: list[Commit], session: SessionState, windows: Windows
) -> list[Commit]:
    """Returns the commits that were made; of several that a rebase joined into one, only the last."""
    made: list[Commit] = []
    for move in moves:
        commit = found.get(move.new)
        if commit is None:
            continue
        commit.timestamp, commit.branch, commit.kind = _time_of(move.time), clean_name(move.branch), move.kind
        if move.kind == "amend":
            commit.replaces = move.old
        elif move.step in _JOINING:
            joined = made.pop() if made and made[-1].hash == move.old and made[-1].kind == "rebase" else None
            commit.replaces = joined.replaces if joined else move.old
        elif move.kind == "rebase":
            commit.replaces = _original(commit, [*log, *made])
        if move.is_within(windows) and move.time >= int(seconds(session.started_at)):
            commit.session, commit.session_id = session.session, session.session_id
        made.append(commit)
    return made


def _original(commit: Commit, log: list[Commit]) -> str | None:
    """Returns the logged commit that a rebase replaced: a rebase keeps author and author date, and usually message."""
    replaced = {each.replaces for each in log}
    author = commit.author, commit.author_date
    same = [each for each in log if (each.author, each.author_date) == author and each.hash not in replaced]
    same.sort(key=lambda each: (each.message != commit.message, each.files_list != commit.files_list))
    return same[0].hash if same else None


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
    """Removes commits that were replaced or are on no branch any more; latest last."""
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
