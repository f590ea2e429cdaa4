"""The commits of a rebase in, which earlier commit each of them took the place of out."""

from lessons.continuity.git.commit_details import Details, subject
from lessons.continuity.git.git import is_hash, run
from lessons.continuity.git.reflog import Entry

_MOST = 1000
# Steps after which a commit may say something else than before.
_REWORDING = ("reword", "edit", "continue")


class Originals:
    """The commits that a rebase began with; each is the original of one new commit at most."""

    def __init__(self, root: str, start: Entry | None) -> None:
        self._left: list[tuple[str, str, str, str]] = []
        if start is None or not is_hash(start.old):
            return
        answer = run(
            *(root, "log", "-z", "--reverse", f"--max-count={_MOST}", "--encoding=UTF-8"),
            *("--format=%H%x00%an%x00%aI%x00%B", start.old, "--not", start.new, "--"),
        )
        parts = (answer or "").split("\0")
        for name, author, date, message in zip(*(parts[field::4] for field in range(4)), strict=False):
            self._left.append((name, " ".join(author.split()), date, subject(message)))

    def of(self, commit: Details, step: str) -> str:
        """A rebase keeps the author and the author's time; nothing where no original is left that has both."""
        same = [one for one in self._left if one[1:3] == (commit.author, commit.author_date)]
        told = [one for one in same if one[3] == commit.message] or (same if step in _REWORDING else [])
        if not told:
            return ""
        self._left.remove(told[0])
        return told[0][0]


def start_of(entries: list[Entry], number: int) -> int:
    """The number of the entry with which the rebase of this one began; -1 where it is not known."""
    while number >= 0 and not entries[number].is_start:
        if entries[number].step == "finish" or entries[number].action == "checkout":
            return -1
        number -= 1
    return number
