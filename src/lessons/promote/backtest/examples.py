"""Chooses the most informative hits of a back-test."""

import msgspec

from lessons.failure.telling_line import telling_line
from lessons.store.history.past_calls import PastCall

_MOST_EXAMPLES = 10
_LONGEST_TEXT = 300

Rank = tuple[bool, str, str]


class Example(msgspec.Struct, frozen=True, rename="camel"):
    tool_use_id: str
    session: str
    project: str
    time: str
    tool: str
    command: str  # the arguments, for other tools without a path
    path: str
    error: str  # the line that names the cause
    same: bool  # failed with the error that the lesson is about
    suspicious: bool  # succeeded by its exit code, but looks like a failure


class Sample:
    """Keeps the best hits, each text once: marked ones first, then the newest."""

    def __init__(self) -> None:
        self._kept: dict[str, tuple[Rank, PastCall]] = {}
        self._least: Rank | None = None  # the rank a hit must exceed, once there are enough
        self._last = ""  # the text of that rank

    def add(self, past: PastCall, marked: bool) -> None:
        least = self._least
        if least is not None and past.time < least[1] and marked <= least[0]:
            return  # as most are: they need not be compared any further
        rank = (marked, past.time, past.tool_use_id)
        if least is not None and rank < least:
            return
        text = past.command or past.path or past.arguments
        is_known = text in self._kept
        if is_known and rank <= self._kept[text][0]:
            return
        self._kept[text] = (rank, past)
        if len(self._kept) > _MOST_EXAMPLES:
            del self._kept[self._last]
        elif len(self._kept) < _MOST_EXAMPLES or (is_known and least is not None and text != self._last):
            return  # the last one stays the last
        self._last = min(self._kept, key=self._rank)
        self._least = self._rank(self._last)

    def _rank(self, text: str) -> Rank:
        return self._kept[text][0]

    def shown(self, same: frozenset[str]) -> list[Example]:
        best = sorted(self._kept.values(), key=lambda pair: pair[0], reverse=True)
        return [_example(past, past.error_fingerprint in same) for _, past in best]


def _example(past: PastCall, same: bool) -> Example:
    return Example(
        tool_use_id=past.tool_use_id,
        session=past.session_id,
        project=past.project,
        time=past.time,
        tool=past.tool,
        command=_short(past.command or ("" if past.path else past.arguments)),
        path=_short(past.path),
        error=_short(telling_line(past.error)),
        same=same and past.outcome == "failed",
        suspicious=bool(past.suspicious),
    )


def _short(text: str) -> str:
    return text if len(text) <= _LONGEST_TEXT else text[: _LONGEST_TEXT - 1] + "…"
