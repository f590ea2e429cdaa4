"""The history in, the candidates that a person is to decide about out, in the order in which they are shown."""

from typing import NamedTuple

from lessons.candidate import Tier
from lessons.cli.review.case import Case
from lessons.cli.review.pair import Pair, pair_of
from lessons.config import Config
from lessons.promote.promotion.promotion import settle
from lessons.promote.queue.candidate import Candidate
from lessons.promote.queue.clusters import clusters
from lessons.promote.queue.queue import shown, whole
from lessons.store import review_state
from lessons.store.fault_boundary import analysed
from lessons.store.history.history import History


class Waiting(NamedTuple):
    """What is shown, and how many more there are in one session only."""

    cases: list[Case]
    hidden: int

    def nothing(self) -> str:
        if self.hidden:
            seen = "One candidate was" if self.hidden == 1 else f"{self.hidden:,} candidates were"
            return f"Nothing that was seen in two sessions waits. {seen} seen in one: --all walks through them too."
        return "Nothing waits: `lessons scan` looks for more in what your agents did since."


def waiting(home: str, settings: Config, everything: bool, tier: Tier | None = None) -> Waiting:
    """As the queue is ranked, near duplicates as one, and those that were skipped before at its end."""
    settle(home)
    with History.for_reading(home) as history:
        found = shown(history, settings, everything, tier=tier)
        cases = [_case(history, group) for group in clusters(found.candidates)]
    skipped = review_state.skipped(home)
    cases.sort(key=lambda case: skipped.get(case.candidate.fingerprint, ""))
    return Waiting(cases, found.hidden)


def number_waiting(home: str, settings: Config) -> int:
    """How many decisions are left in all."""
    with History.for_reading(home) as history:
        return len(clusters(whole(history, settings)))


def _case(history: History, group: list[Candidate]) -> Case:
    first, *alike = group
    pair = analysed(history.home, first.fingerprint, lambda: pair_of(history, first), lambda fault: Pair("", "", ""))
    return Case(first, pair, alike=alike)
