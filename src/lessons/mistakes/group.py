"""Groups failed calls by the mistake they are about, in a stable order; groups with enough weight are candidates."""

import re
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import partial
from hashlib import blake2b
from math import ceil
from typing import NamedTuple, TypeVar

from lessons.candidate import FAILURE, CandidateDocument
from lessons.mistakes.describe import describe
from lessons.mistakes.steps import jaccard
from lessons.mistakes.weight import ENOUGH
from lessons.store.fault_boundary import analysed
from lessons.store.history.candidates import CandidateRow
from lessons.store.history.episodes import EpisodeRow
from lessons.store.history.history import History

_Item = TypeVar("_Item")
_Text = TypeVar("_Text", bound=str)
_WORD = re.compile(r"(?<![<\w])[^\W\d_]{2,}(?![>\w])")
_OPTION = re.compile(r"(?<![\w-])--?[A-Za-z][\w-]*")
ALIKE = 0.6
_FEW_WORDS = 3
_LOWEST, _HIGHEST = 0.4, 0.6  # confidence
# The keys for a mistake; the other keys of a document are for other tiers.
_KEYS = (
    *("tool", "family", "problem", "solution", "summary", "trigger", "error", "quotes", "tags"),
    *("callsLost", "minutesLost", "fixed", "hang", "userCorrection", "aliases"),
)

Key = tuple[str, str]  # a program, and what was said


class Made(NamedTuple):
    """The candidates to rewrite, and the earlier evidence of those that were checked."""

    written: list[CandidateRow]
    standing: set[str]  # the names of all that have evidence
    known: dict[str, set[str]]


class Touched:
    """The failed calls about which something changed, and the programs they are or were blamed on."""

    def __init__(self) -> None:
        self.calls: set[str] = set()
        self.programs: set[str] = set()

    def add(self, programs: Mapping[str, str]) -> None:
        """Adds failed calls with the program each is blamed on."""
        self.calls.update(programs)
        self.programs.update(programs.values())


def candidates(history: History, touched: Touched) -> Made:
    """Rebuilds candidates with an occurrence among the calls, or with other occurrences than stored.

    Mistakes of different programs are different: no other program needs checking.
    """
    if not touched.calls:
        return Made([], set(), {})
    episodes = history.episodes.all(touched.programs)
    known = history.candidates.evidence(FAILURE, touched.calls | {row.tool_use_id for row in episodes})
    made = Made([], set(), known)
    corrected = history.episodes.corrected_calls()
    for name, rows in mistakes_of(episodes):
        if not is_lesson(rows):
            continue
        made.standing.add(name)
        calls = {row.tool_use_id for row in rows}
        if calls & touched.calls or calls != known.get(name):
            made.written.append(candidate_row(history, name, rows, corrected))
    return made


def mistakes_of(rows: Iterable[EpisodeRow]) -> list[tuple[str, list[EpisodeRow]]]:
    """Returns the episodes of each mistake with its fingerprint, in order of time.

    The mistake of an episode depends on its key, and on earlier keys with the same first part.
    """
    return [(fingerprint("fix-", *key), group) for key, group in grouped(rows, key_of)]


def key_of(row: EpisodeRow) -> Key:
    """Keeps different options apart, whatever the rest of the error says."""
    return " ".join([row.program, *sorted(set(_OPTION.findall(row.signature)))]), row.signature


def is_lesson(rows: Sequence[EpisodeRow]) -> bool:
    """Whether these episodes of one mistake have the weight of a candidate, and anything that could be told."""
    if not rows[0].signature and not any(row.fix_tool_use_id for row in rows):
        return False
    return _mean_weight(rows) >= ENOUGH


def candidate_row(history: History, name: str, rows: Sequence[EpisodeRow], corrected: set[str]) -> CandidateRow:
    """Returns the candidate of these episodes; one with `fault` set if they cannot be described."""
    written = partial(_candidate, name, rows, history, corrected)
    return analysed(history.home, name, written, partial(_faulty, name, rows))


def _candidate(name: str, rows: Sequence[EpisodeRow], history: History, corrected: set[str]) -> CandidateRow:
    group = history.episodes.with_calls(rows)
    wrote = {call: found.text for call, found in history.diagnoses.of(row.tool_use_id for row in rows).items()}
    text = describe(group, wrote)
    calls = [(row.tool_use_id, row.fix_tool_use_id) for row in rows]
    own = {fingerprint("fix-", *key_of(row)) for row in rows}
    document = CandidateDocument(
        tool=most_common([episode.failure.tool for episode in group]),
        family=rows[0].program,
        problem=text.problem,
        solution=text.solution,
        summary=text.summary,
        trigger=text.trigger,
        error=text.error,
        quotes=text.quotes,
        calls_lost=int(_once_for_each_fix(rows, lambda row: row.calls_lost)),
        minutes_lost=round(_once_for_each_fix(rows, lambda row: row.seconds_lost) / 60, 2),
        fixed=sum(bool(fix) for _, fix in calls),
        hang=any("timed out" in episode.failure.error for episode in group),
        user_correction=any(not corrected.isdisjoint(pair) for pair in calls),
        aliases=sorted((own | history.episodes.earlier_names(call for call, _ in calls)) - {name}),
    )
    kind = most_common([row.kind for row in rows if row.fix_tool_use_id] or [rows[0].kind])
    return CandidateRow(name, FAILURE, kind, document.text(*_KEYS), _confidence(rows), calls)


def _faulty(name: str, rows: Sequence[EpisodeRow], fault: str) -> CandidateRow:
    """Returns a placeholder for a mistake that cannot be described, so that it is listed and not lost."""
    document = CandidateDocument(family=rows[0].program, fault=fault)
    calls = [(row.tool_use_id, row.fix_tool_use_id) for row in rows]
    return CandidateRow(name, FAILURE, rows[0].kind, document.text("family", "fault"), _LOWEST, calls)


def _once_for_each_fix(rows: Sequence[EpisodeRow], lost: Callable[[EpisodeRow], float]) -> float:
    """Several failures before one fix count their cost once."""
    most: dict[str, float] = {}
    for row in rows:
        name = row.fix_tool_use_id or row.tool_use_id
        most[name] = max(most.get(name, 0.0), lost(row))
    return sum(most.values())


def _mean_weight(rows: Sequence[EpisodeRow]) -> float:
    return sum(row.weight for row in rows) / len(rows)


def _confidence(rows: Sequence[EpisodeRow]) -> float:
    """Increases with evidence: the weight, a call that worked, other sessions."""
    value = _LOWEST + 0.1 * _mean_weight(rows)
    value += 0.05 if any(row.fix_tool_use_id for row in rows) else 0.0
    value += 0.02 if len(rows) > 1 else 0.0
    value += 0.03 if len({row.session_id for row in rows}) > 1 else 0.0
    return round(min(value, _HIGHEST), 2)


def words_of(signature: str) -> frozenset[str]:
    """Returns the words of a text without placeholders, numbers and signs."""
    return frozenset(word.lower() for word in _WORD.findall(signature))


def fingerprint(prefix: str, *texts: str) -> str:
    return prefix + blake2b("\0".join(texts).encode("utf-8", "replace"), digest_size=8).hexdigest()


def grouped(
    items: Iterable[_Item],
    key: Callable[[_Item], Key],
    words: Callable[[str], frozenset[str]] = words_of,
    alike: float = ALIKE,
) -> list[tuple[Key, list[_Item]]]:
    """Adds each item to the group of its program with the same or most similar text, or starts a new group.

    The first item of a group names it; the first is the same whatever was read first.
    """
    groups: dict[Key, list[_Item]] = {}
    leaders: dict[str, _Leaders] = {}
    known: dict[Key, Key] = {}
    for item in items:
        own = key(item)
        if own not in known:
            known[own] = leaders.setdefault(own[0], _Leaders(alike)).of(own, words(own[1]))
        groups.setdefault(known[own], []).append(item)
    return list(groups.items())


class _Leaders:
    """The groups of one program, indexed by words of which two similar texts must share one."""

    def __init__(self, alike: float) -> None:
        self.alike = alike
        self.groups: list[tuple[frozenset[str], Key]] = []
        self.by_word: dict[str, list[int]] = {}

    def of(self, own: Key, said: frozenset[str]) -> Key:
        least = 1.0 if len(said) < _FEW_WORDS else self.alike
        telling = self._telling(said)
        places = sorted({place for word in telling for place in self.by_word.get(word, ())})
        best = max(places, key=lambda place: jaccard(self.groups[place][0], said), default=None)
        if best is not None and said and jaccard(self.groups[best][0], said) >= least:
            return self.groups[best][1]
        for word in telling:
            self.by_word.setdefault(word, []).append(len(self.groups))
        self.groups.append((said, own))
        return own

    def _telling(self, said: frozenset[str]) -> list[str]:
        """Returns words in a fixed order, of which two similar texts share one; long words first, because they are
        rare.
        """
        ordered = sorted(said, key=lambda word: (-len(word), word))
        return ordered[: len(said) - ceil(self.alike * len(said)) + 1]


def most_common(values: Sequence[_Text]) -> _Text:
    """Returns the most frequent value; the first in the alphabet if several are."""
    return min(Counter(values).items(), key=lambda item: (-item[1], item[0]))[0]
