"""Pages through the occurrences of a case."""

from typing import NamedTuple

from lessons.cli.diagnosis_text import quotation
from lessons.cli.review.excerpt import raw_lines
from lessons.promote.queue.candidate import Candidate, Evidence
from lessons.promote.review.case import Case
from lessons.promote.review.pair import Pair, occurrence, occurrences_of
from lessons.store.fault_boundary import analysed
from lessons.store.history.diagnoses import Diagnosis
from lessons.store.history.history import History

_MOST_LINES = 400  # of one text: nobody reads more


class Shown(NamedTuple):
    """One occurrence and its position among all; the position is empty if there is only one."""

    pair: Pair
    place: str
    diagnosis: Diagnosis | None  # what the agent wrote after this occurrence, or after another one


class Occurrences:
    """Remembers which occurrence of the case is shown; starts with the clearest one for another case."""

    def __init__(self, home: str) -> None:
        self._home = home
        self._fingerprint = ""
        self._all: list[tuple[Candidate, Evidence]] = []
        self._number = 0

    def of(self, case: Case) -> Shown:
        self._start(case)
        if not self._all:
            return Shown(case.pair, "", case.diagnosis)
        number = len(self._all)
        place = f"occurrence {self._number + 1} of {number} ([n]ext pre[v])" if number > 1 else ""
        pair, diagnosis = self._read(case)
        return Shown(pair, place, diagnosis)

    def turn(self, case: Case, steps: int) -> None:
        self._start(case)
        self._number = (self._number + steps) % max(1, len(self._all))

    def whole(self, case: Case) -> list[str]:
        """Returns the lines of the occurrence as stored in the history."""
        pair, _, diagnosis = self.of(case)
        parts = [
            ("when", "  ".join(filter(None, [pair.time[:16].replace("T", " "), pair.session, pair.folder]))),
            ("failed", pair.failed),
            ("printed", pair.output or pair.error),
            ("the agent wrote", quotation(diagnosis) if diagnosis else ""),
            ("worked", pair.worked or "no later call worked"),
        ]
        lines: list[str] = []
        for name, text in parts:
            if text:
                lines += [f"── {name} ──", *_both_ends(raw_lines(text))]
        return lines

    def _start(self, case: Case) -> None:
        if self._fingerprint != case.candidate.fingerprint:
            self._fingerprint, self._number = case.candidate.fingerprint, 0
            self._all = occurrences_of([case.candidate, *case.alike], case.pair)

    def _read(self, case: Case) -> tuple[Pair, Diagnosis | None]:
        candidate, evidence = self._all[self._number]
        with History.for_reading(self._home) as history:
            found = analysed(
                self._home,
                candidate.fingerprint,
                lambda: occurrence(history, candidate, evidence),
                lambda fault: None,
            )
            name = evidence.tool_use_id or ""
            written = history.diagnoses.of([name]).get(name)
        return found or case.pair, written or case.diagnosis


def _both_ends(lines: list[str]) -> list[str]:
    if len(lines) <= _MOST_LINES:
        return lines
    half = _MOST_LINES // 2
    return [*lines[:half], f"… {len(lines) - 2 * half} more lines", *lines[-half:]]
