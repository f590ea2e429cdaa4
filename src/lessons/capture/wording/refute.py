"""Whether successful calls contradict what a fix seems to show."""

import re
from collections.abc import Sequence

from lessons.episode import Episode, Step
from lessons.failure.complaint import LONGEST_ERROR, complains_about

_KINDS = frozenset(("wrong-flag", "wrong-arguments", "wrong-command"))
_MOST_WITH_REMOVED = 0.2  # of the successful calls: what they have too was not the cause
_LEAST_WITH_ADDED = 0.3  # what most of them do without is not the fix
_FEWEST_CALLS = 5
_LONGEST_PIECE = 80


def is_refuted(episode: Episode, worked: Sequence[str]) -> bool:
    """Nothing refutes what the error itself names."""
    change = episode.change
    worked = [line for line in worked if not _is_about_another_part(line, episode.failure)]
    if change.kind not in _KINDS or len(worked) < _FEWEST_CALLS:
        return False
    error = episode.failure.error[:LONGEST_ERROR]
    removed, added = _pieces(change.before), _pieces(change.after)
    if any(_names(error, word) for word in (*removed, *added)):
        return False
    with_removed = sum(any(_has(line, piece) for piece in removed) for line in worked)
    with_added = sum(all(piece in line for piece in added) for line in worked)
    if removed and with_removed > _MOST_WITH_REMOVED * len(worked):
        return True
    return bool(added) and not removed and with_added < _LEAST_WITH_ADDED * len(worked)


def _is_about_another_part(line: str, failure: Step) -> bool:
    """Whether an option before the sub-command selects another package or folder, unlike in the failed call."""
    start = f" {failure.program} -"
    return failure.subcommand != "" and start in f" {line}" and start not in f" {failure.command}"


def _pieces(text: str) -> list[str]:
    return [word for word in text.split() if 1 < len(word) <= _LONGEST_PIECE]


def _has(line: str, piece: str) -> bool:
    """Whether it occurs as a separate word: `.venv/bin/lamp` is not `lamp`."""
    return piece in line and re.search(rf"(?<![\w./-]){re.escape(piece)}(?![\w-])", line) is not None


def _names(error: str, word: str) -> bool:
    """Whether the error complains about the word, or asks for the option."""
    option = word.partition("=")[0]
    is_asked_for = option[0] == "-" and re.search(rf"(?<![\w-]){re.escape(option)}(?![\w-])", error) is not None
    return is_asked_for or complains_about(word, error)
