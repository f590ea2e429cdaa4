"""Whether calls that worked speak against what a fix seems to show."""

from collections.abc import Sequence

from lessons.episode import Episode
from lessons.failure.complaint import LONGEST_ERROR, complains_about

_KINDS = frozenset(("wrong-flag", "wrong-arguments", "wrong-command"))
_MOST_WITH_REMOVED = 0.2  # of the calls that worked: what they have too was not the cause
_LEAST_WITH_ADDED = 0.3  # what most of them do without is not the remedy
_FEWEST_CALLS = 5
_LONGEST_PIECE = 80


def is_refuted(episode: Episode, worked: Sequence[str]) -> bool:
    """What the error itself names is not refuted by anything."""
    change = episode.change
    if change.kind not in _KINDS or len(worked) < _FEWEST_CALLS:
        return False
    error = episode.failure.error[:LONGEST_ERROR]
    removed, added = _pieces(change.before, error), _pieces(change.after, error)
    with_removed = sum(any(piece in line for piece in removed) for line in worked)
    with_added = sum(all(piece in line for piece in added) for line in worked)
    if removed and with_removed > _MOST_WITH_REMOVED * len(worked):
        return True
    return bool(added) and not removed and with_added < _LEAST_WITH_ADDED * len(worked)


def _pieces(text: str, error: str) -> list[str]:
    """The words that the error does not speak of."""
    words = [word for word in text.split() if len(word) > 1 and len(word) <= _LONGEST_PIECE]
    return [] if any(complains_about(word, error) for word in words) else words
