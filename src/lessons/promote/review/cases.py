"""The candidates to decide about, in the order in which they are shown."""

from collections.abc import Iterable
from functools import partial
from typing import NamedTuple

from lessons.candidate import Tier
from lessons.config import Config
from lessons.promote.promotion.promotion import settle
from lessons.promote.queue.clusters import clusters
from lessons.promote.queue.queue import outlined, put_triggers, unproposed
from lessons.promote.review.case import Case
from lessons.promote.review.diagnoses import diagnoses_of
from lessons.promote.review.pair import Pair, pair_of
from lessons.store import review_state
from lessons.store.fault_boundary import analysed
from lessons.store.history.history import History

_NO_PAIR = Pair("", "", "")


class Waiting(NamedTuple):
    """The cases to show, and how many more are shown only if asked for."""

    cases: list[Case]
    hidden: int


def waiting(home: str, settings: Config, everything: bool, tier: Tier | None = None) -> Waiting:
    """Returns cases in the order of the queue, near duplicates as one, skipped ones last; none of them is ready."""
    settle(home)
    with History.for_reading(home) as history:
        found = unproposed(history, settings, everything, tier)
    cases = [Case(first, _NO_PAIR, alike=alike, is_ready=False) for first, *alike in clusters(found.candidates)]
    skipped = review_state.skipped(home)
    cases.sort(key=lambda case: skipped.get(case.candidate.fingerprint, ""))
    return Waiting(cases, found.hidden)


def make_ready(home: str, cases: Iterable[Case]) -> None:
    """Adds triggers, the clearest occurrence and its diagnosis; called late, so that nobody waits for all cases."""
    if not (new := [case for case in cases if not case.is_ready]):
        return
    with History.for_reading(home) as history:
        put_triggers(history, [case.candidate for case in new], [each for case in new for each in case.alike])
        for case in new:
            name = case.candidate.fingerprint
            case.pair = analysed(home, name, partial(pair_of, history, case.candidate), lambda fault: _NO_PAIR)
            case.diagnosis = next(iter(diagnoses_of(history, case.candidate)), None)
            case.is_ready = True


def number_waiting(home: str, settings: Config) -> int:
    """Returns how many cases are left in all."""
    with History.for_reading(home) as history:
        return len(clusters([each.candidate for each in outlined(history, settings)]))
