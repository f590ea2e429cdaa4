"""The reflog of HEAD: an entry for each move, whether it made a commit, and what a rebase replaced."""

from typing import NamedTuple

from lessons.continuity.git.commit_details import Details, subject
from lessons.continuity.git.git import is_hash, run

_FEW_ENTRIES = 200
_MANY_ENTRIES = 5000
# By the first word of git's reason, or by the text in brackets after it.
_KINDS = {each: each for each in ("commit", "cherry-pick", "revert", "merge")} | {"am": "commit", "pull": "merge"}
_IN_BRACKETS = {"amend": "amend", "merge": "merge", "cherry-pick": "cherry-pick"}
_REBASE_STEPS = frozenset(("pick", "squash", "fixup", "reword", "edit", "continue", "merge"))
_MOST_REBASED = 1000
# Steps after which the message of a commit may differ.
_REWORDING = ("reword", "edit", "continue")


class Entry(NamedTuple):
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
        if verb in ("merge", "pull", "cherry-pick", "rebase") and self.reason.lower().endswith(": fast-forward"):
            return ""
        if verb in ("rebase", "pull") and self.step:
            return "rebase" if self.step in _REBASE_STEPS else ""
        return _IN_BRACKETS.get(self.step) or _KINDS.get(verb, "")

    @property
    def is_start(self) -> bool:
        return self.step == "start"


def entries_of(root: str, branch: str, mark: str) -> list[Entry]:
    """Returns every entry back to the marked one and some before it, oldest first; none if git has no reflog."""
    entries = _read(root, branch, _FEW_ENTRIES)
    is_known = any(mark.startswith(f"{each.time} {each.new}") for each in entries)
    if len(entries) == _FEW_ENTRIES and mark and not is_known:
        entries = _read(root, branch, _MANY_ENTRIES)
    return entries


def _read(root: str, branch: str, most: int) -> list[Entry]:
    answer = run(root, "log", "-g", "-z", "--date=raw", "--format=%H %gD%x00%gs", f"--max-count={most}", "HEAD", "--")
    parts = (answer or "").split("\0")
    names = [place.partition(" ")[0] for place in parts[::2]]
    entries = []
    for number, (place, reason) in enumerate(zip(parts[::2], parts[1::2], strict=False)):
        seconds = place.rpartition("{")[2].partition(" ")[0]
        if is_hash(names[number]) and seconds.isdigit():
            entries.append(Entry(int(seconds), names[number + 1], names[number], reason, branch))
            branch = _branch_before(reason, branch)
    return entries[::-1]


def _branch_before(reason: str, branch: str) -> str:
    """Returns the branch of HEAD before a checkout."""
    start = "checkout: moving from "
    if not reason.startswith(start):
        return branch
    name = reason[len(start) :].partition(" to ")[0]
    return "HEAD" if is_hash(name) else name


def mark_of(entries: list[Entry]) -> str:
    """Identifies the last entry: its time, its hash, and how often both occurred, because a time has only seconds."""
    if not entries:
        return ""
    last = entries[-1]
    return f"{last.time} {last.new} {sum((each.time, each.new) == (last.time, last.new) for each in entries)}"


def first_after(entries: list[Entry], mark: str) -> int:
    """Returns the index of the first entry after the marked one; if that is gone, of the first as new as it."""
    time, _, rest = mark.partition(" ")
    name, _, count = rest.partition(" ")
    same = [number for number, each in enumerate(entries) if f"{each.time}" == time and each.new == name]
    if same:
        often = int(count) if count.isdigit() and 0 < int(count) <= len(same) else len(same)
        return same[often - 1] + 1
    return first_since(entries, int(time) if time.isdigit() else 0)


def first_since(entries: list[Entry], seconds: int) -> int:
    """Returns the index of the first entry from which on all are at least as new; times need not be in order."""
    number = len(entries)
    while number and entries[number - 1].time >= seconds:
        number -= 1
    return number


class Originals:
    """The original commits of a rebase; each is the original of at most one new commit."""

    def __init__(self, root: str, start: Entry | None) -> None:
        self._left: list[tuple[str, str, str, str]] = []
        if start is None or not is_hash(start.old):
            return
        answer = run(
            *(root, "log", "-z", "--reverse", f"--max-count={_MOST_REBASED}", "--encoding=UTF-8"),
            *("--format=%H%x00%an%x00%aI%x00%B", start.old, "--not", start.new, "--"),
        )
        parts = (answer or "").split("\0")
        for name, author, date, message in zip(*(parts[field::4] for field in range(4)), strict=False):
            self._left.append((name, " ".join(author.split()), date, subject(message)))

    def of(self, commit: Details, step: str) -> str:
        """Returns the original with the same author and author date, which a rebase keeps; empty if none is left."""
        same = [one for one in self._left if one[1:3] == (commit.author, commit.author_date)]
        matching = [one for one in same if one[3] == commit.message] or (same if step in _REWORDING else [])
        if not matching:
            return ""
        self._left.remove(matching[0])
        return matching[0][0]


def start_of(entries: list[Entry], number: int) -> int:
    """Returns the index of the entry that started this rebase; -1 if unknown."""
    while number >= 0 and not entries[number].is_start:
        if entries[number].step == "finish" or entries[number].action == "checkout":
            return -1
        number -= 1
    return number
