"""The starter pack: lessons about common mistakes of agents, what they would have caught, and what the user decided."""

import json
from collections.abc import Iterable, Sequence
from importlib import resources
from typing import NamedTuple

import msgspec

from lessons.match.call import ToolCall
from lessons.match.state import AsWanted
from lessons.match.time_limit import why_it_fires
from lessons.model import Lesson, lesson_from_document
from lessons.promote.backtest import Example, Sample
from lessons.promote.backtest_report import Effect, least_precision
from lessons.promote.matching import failed_hits, good_hits, judged, rule_of
from lessons.store import decisions, lesson_file
from lessons.store.history.history import History

# Decisions of `lessons init`. Lessons that the user adds by hand have none.
_ACCEPTED, _DECLINED = "starterAccepted", "starterDeclined"


def pack() -> list[dict[str, object]]:
    text = resources.files("lessons.promote").joinpath("starter.json").read_text(encoding="utf-8")
    records: list[dict[str, object]] = json.loads(text)["lessons"]
    return records


def missing(home: str) -> list[dict[str, object]]:
    """Returns the records that are not in lessons.json in any stage: a retired one is not offered again."""
    names = lesson_file.read(home).names()
    return [record for record in pack() if record["slug"] not in names]


def undecided(home: str) -> list[dict[str, object]]:
    """Returns the missing records that the user has not declined."""
    declined = _noted(home, _DECLINED)
    return [record for record in missing(home) if record["slug"] not in declined]


def accept(home: str, slugs: Iterable[str]) -> None:
    for slug in slugs:
        decisions.record(home, _ACCEPTED, slug)


def decline(home: str, slugs: Iterable[str]) -> None:
    """Makes sure that they are not offered again, unless the user asks for the whole pack."""
    for slug in slugs:
        decisions.record(home, _DECLINED, slug)


def accepted(home: str) -> set[str]:
    return _noted(home, _ACCEPTED)


def _noted(home: str, decision: str) -> set[str]:
    return {note.slug for note in decisions.notes(home) if note.decision == decision}


Record = dict[str, object]


class StarterMatch(NamedTuple):
    """A lesson of the pack, and the calls that it would have caught and disturbed."""

    record: Record
    caught: int
    disturbed: int
    failed: list[Example]
    good: list[Example]
    at_call: int = 0  # of those caught: before the call runs, not only after its error
    is_guard: bool = False  # it prevents a loss, not a failure: the calls are what agents did so far, however it ended

    @property
    def at_error(self) -> int:
        return self.caught - self.at_call

    @property
    def slug(self) -> str:
        return str(self.record["slug"])

    @property
    def summary(self) -> str:
        return str(self.record["summary"])

    @property
    def example(self) -> str:
        """The shortest command that it fires on before it runs; empty if there is none."""
        rule = rule_of(lesson_from_document({"id": self.slug, **self.record}))
        lines = [each.command for each in self.failed if each.tool == "Bash" and not each.command.endswith("…")]
        fires = [line for line in lines if why_it_fires(rule, ToolCall("Bash", {"command": line}))]
        return min(fires, key=len, default="")

    def sentence(self) -> str:
        if self.is_guard:
            return f"your agents did this {self.caught:,} time{'' if self.caught == 1 else 's'} so far"
        moments = [f"caught {self.at_call:,} failed call{'s' * (self.at_call > 1)}"] if self.at_call else []
        moments += [f"spoken up after {self.at_error:,} error{'s' * (self.at_error > 1)}"] if self.at_error else []
        good = f"{self.disturbed or 'no'} good call{'s' if self.disturbed > 1 else ''}"
        return f"would have {', '.join(moments)} and disturbed {good}"


class StarterMatches(NamedTuple):
    """Those worth offering, most useful first."""

    found: list[StarterMatch]
    failed_calls: int  # failed calls that any of them would have caught
    all_failed: int  # of the history
    pack: int  # lessons in the pack


_GUARD = "severity:data-loss"


def guards(home: str, history: History, chosen: Sequence[str] = ()) -> list[StarterMatch]:
    """Returns the lessons of the pack that prevent a loss of data, and the calls that they are about.

    Such calls do not fail, so no failure proposes them. What a repository looked like then is not known: a call counts
    whether or not there was something to lose.
    """
    found = []
    for record in undecided(home):
        lesson = lesson_from_document({"id": record["slug"], **record})
        if lesson.slug in chosen or _GUARD not in lesson.tags or not (lesson.block or lesson.stop_once):
            continue
        done, sample = set(), Sample()
        for past, verdict in judged(history, rule_of(lesson), probe_of=lambda past: AsWanted()):
            if verdict.why and past.tool_use_id not in done:
                done.add(past.tool_use_id)
                sample.add(past, True)
        found.append(StarterMatch(record, len(done), 0, sample.shown(frozenset()), [], len(done), is_guard=True))
    return sorted(found, key=lambda each: -each.caught)  # then in the order of the pack


class _Count:
    def __init__(self) -> None:
        self.failed: set[str] = set()
        self.at_call: set[str] = set()
        self.good = 0
        self.of_failed, self.of_good = Sample(), Sample()


def starter_matches(home: str, history: History) -> StarterMatches:
    """Back-tests what is left of the pack: all of it on the failed calls, and those with a hit on the others."""
    offered = undecided(home)
    lessons = [lesson_from_document({"id": record["slug"], **record}) for record in offered]
    counts = {lesson.slug: _Count() for lesson in lessons}
    rules = {lesson.slug: rule_of(lesson) for lesson in lessons}
    for lesson, past, verdict in failed_hits(history, lessons, rules):
        count = counts[lesson.slug]
        count.failed.add(past.tool_use_id)
        count.of_failed.add(past, True)
        if not verdict.is_at_error:
            count.at_call.add(past.tool_use_id)
    # Few calls fail, and few lessons of the pack are about those. Only these are tested on the many successful calls,
    # and only until they have disturbed too many.
    for lesson in lessons:
        count = counts[lesson.slug]
        for past in good_hits(history, rules[lesson.slug]) if count.failed else ():
            count.good += 1
            count.of_good.add(past, True)
            if not _is_worth_it(lesson, count):
                break
    found = [
        _match(record, counts[lesson.slug])
        for record, lesson in zip(offered, lessons, strict=True)
        if _is_worth_it(lesson, counts[lesson.slug])
    ]
    found.sort(key=lambda each: (each.disturbed - each.caught, each.slug))
    together = set[str]().union(*(counts[each.slug].failed for each in found))
    return StarterMatches(found, len(together), history.calls.count_failed(), len(pack()))


def _is_worth_it(lesson: Lesson, count: _Count) -> bool:
    """Whether it would have caught something, and rarely disturbed a successful call."""
    caught = len(count.failed)
    effect: Effect = "block" if lesson.block else "stopOnce" if lesson.stop_once else "hint"
    return caught > 0 and caught >= least_precision(effect) * (caught + count.good)


def _match(record: Record, count: _Count) -> StarterMatch:
    none = frozenset[str]()
    failed, good = count.of_failed.shown(none), count.of_good.shown(none)
    return StarterMatch(record, len(count.failed), count.good, failed, good, len(count.at_call))


def documents(matches: Sequence[StarterMatch]) -> list[Record]:
    """Returns the matches for `--json`."""
    return [
        {
            "slug": each.slug,
            "summary": each.summary,
            "caught": each.caught,
            "caughtAtCall": each.at_call,
            "disturbed": each.disturbed,
            "examples": msgspec.to_builtins({"failed": each.failed, "ok": each.good}),
        }
        for each in matches
    ]
