"""Builds one candidate of tier 2 for each mistake in the episodes of a history."""

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import partial
from typing import NamedTuple

from lessons.candidate import FAILURE, PROTOCOL, CandidateDocument
from lessons.capture.episode_row import FOLDER, LOCAL
from lessons.capture.grouping import Key, fingerprint, grouped, most_common
from lessons.capture.wording.folders import in_wrong_folders
from lessons.capture.wording.wording import Later, words
from lessons.episode import Step
from lessons.shell.api_path import api_shapes
from lessons.shell.http_call import http_call
from lessons.shell.line import parts
from lessons.store.fault_boundary import analysed
from lessons.store.history.candidates import CandidateRow
from lessons.store.history.episodes import EpisodeRow
from lessons.store.history.history import History

_UNSEEN = ("telling-error", PROTOCOL)
# The keys for a mistake; the other keys of a document are for other tiers.
_KEYS = (
    *("tool", "family", "problem", "solution", "summary", "trigger", "error", "quotes", "tags"),
    *("callsLost", "minutesLost", "fixed", "hang", "causeNamed", "userCorrection", "aliases"),
)
# Successful calls may contradict what these seem to show, or show that the failure was an answer.
COMPARED_WITH_SUCCESSES = frozenset(("wrong-flag", "wrong-arguments", "wrong-command"))
_MARK = re.compile("‹[^›]*›")
_ENDPOINT = re.compile("‹[^›]*/[^›]*›")  # the end of an API path
_LOWEST, _HIGHEST = 0.4, 0.6
_MOST_COMPARED = 200  # successful calls


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
        if not is_lesson(history, rows):
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


def is_lesson(history: History, rows: Sequence[EpisodeRow]) -> bool:
    """Whether these episodes of one mistake are a candidate: neither explained by the error itself, nor an answer."""
    return not (_only_needs_reading(rows) or _may_be_an_answer(rows, history))


def candidate_row(history: History, name: str, rows: Sequence[EpisodeRow], corrected: set[str]) -> CandidateRow:
    """Returns the candidate of these episodes; one with `fault` set if they cannot be described."""
    written = partial(_candidate, name, rows, history, corrected)
    return analysed(history.home, name, written, partial(_faulty, name, rows))


def _only_needs_reading(rows: Sequence[EpisodeRow]) -> bool:
    """Whether the error prescribes the fix, and occurred in one session only: its reader needs no lesson."""
    steps = all(row.kind == "order-of-steps" and row.after and row.after in row.signature for row in rows)
    return steps and len({row.session_id for row in rows}) == 1


def _may_be_an_answer(rows: Sequence[EpisodeRow], history: History) -> bool:
    """Whether an API path was not found although it may exist: only once, or it was found another time."""
    ends = {mark[1:-1] for row in rows for mark in _MARK.findall(row.signature) if _ENDPOINT.fullmatch(mark)}
    if not ends or any(row.fix_tool_use_id for row in rows) or _sends(rows, history):
        return False
    worked = history.calls.successes_with_any_subcommand(rows[0].program, _MOST_COMPARED)
    shapes = (shape for call in worked for shape in api_shapes(call.command))
    return len(rows) == 1 or any("/".join(part or "#" for part in shape).endswith(tuple(ends)) for shape in shapes)


def _sends(rows: Sequence[EpisodeRow], history: History) -> bool:
    """Whether a failed call wrote to the API: it did not ask whether something is there."""
    failed = history.calls.named(row.tool_use_id for row in rows)
    calls = (http_call(part.words) for row in failed for part in parts(row.command))
    return any(call is not None and call.sends for call in calls)


def key_of(row: EpisodeRow) -> Key:
    """Separates the agent's own rules, each unknown option, and other projects from everything else."""
    place = f"{PROTOCOL} {row.program}" if row.kind == PROTOCOL else row.program
    marks = [row.project if mark == LOCAL else mark for mark in _MARK.findall(row.signature)]
    return " ".join([place, *marks]), row.signature


def _candidate(name: str, rows: Sequence[EpisodeRow], history: History, corrected: set[str]) -> CandidateRow:
    group, later = history.episodes.with_calls(rows), _later(rows)
    text = in_wrong_folders(group) if rows[0].program == FOLDER else None
    text = text or words(group, later if later.tried else None, partial(_worked, history))
    shown = [row.kind for row in rows if row.kind not in _UNSEEN] or [row.kind for row in rows]
    calls = [(row.tool_use_id, row.fix_tool_use_id) for row in rows]
    document = CandidateDocument(
        tool=most_common([episode.failure.tool for episode in group]),
        family=most_common([row.family for row in rows]),
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
        cause_named=any(row.told for row in rows),
        user_correction=any(not corrected.isdisjoint(pair) for pair in calls),
        aliases=sorted({fingerprint("fix-", *key_of(row)) for row in rows} - {name}),
    )
    kind, confidence = most_common(shown), _confidence(rows, later)
    return CandidateRow(name, FAILURE, kind, document.text(*_KEYS), confidence, calls)


def _worked(history: History, step: Step) -> list[str]:
    """Returns successful lines of the same program and sub-command."""
    calls = history.calls.successes_of_program(step.program, step.subcommand, _MOST_COMPARED) if step.program else []
    return [call.command for call in calls]


def _faulty(name: str, rows: Sequence[EpisodeRow], fault: str) -> CandidateRow:
    """Returns a placeholder for a mistake that cannot be described, so that it is listed and not lost."""
    document = CandidateDocument(family=rows[0].family, fault=fault)
    calls = [(row.tool_use_id, row.fix_tool_use_id) for row in rows]
    return CandidateRow(name, FAILURE, rows[0].kind, document.text("family", "fault"), _LOWEST, calls)


def _later(rows: Sequence[EpisodeRow]) -> Later:
    """Adds up later uses; in a session with several failures the first one counts all after it."""
    best: dict[str, tuple[int, int]] = {}
    for row in rows:
        best[row.session_id] = max(best.get(row.session_id, (0, 0)), (row.later_tried, row.later_worked))
    return Later(sum(worked for _, worked in best.values()), sum(tried for tried, _ in best.values()))


def _once_for_each_fix(rows: Sequence[EpisodeRow], lost: Callable[[EpisodeRow], float]) -> float:
    """Several failures before one fix count their cost once."""
    most: dict[str, float] = {}
    for row in rows:
        name = row.fix_tool_use_id or row.tool_use_id
        most[name] = max(most.get(name, 0.0), lost(row))
    return sum(most.values())


def _confidence(rows: Sequence[EpisodeRow], later: Later) -> float:
    """Increases with evidence: a telling error, a call that worked, other sessions, the same again later."""
    value = _LOWEST
    value += 0.07 if any(row.told for row in rows) else 0.0
    value += 0.05 if any(row.fix_tool_use_id for row in rows) else 0.0
    value += 0.03 if len(rows) > 1 else 0.0
    value += 0.03 if len({row.session_id for row in rows}) > 1 else 0.0
    value += 0.02 if later.worked and later.worked == later.tried else 0.0
    return round(min(value, _HIGHEST), 2)
