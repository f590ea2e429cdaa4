"""Turns candidates into wordings for review, by asking an agent or reading answers from a file."""

from collections.abc import Callable, Collection, Iterator, Sequence
from functools import partial
from typing import NamedTuple

import msgspec

from lessons import config
from lessons.candidate import FAILURE, StoredCandidate, Wording
from lessons.errors import Refused
from lessons.promote.queue import queue
from lessons.promote.queue.candidate import Candidate
from lessons.promote.refine.answer import SCHEMA, Answer, answer_from, decoded
from lessons.promote.refine.dossier import WHOLE, Dossier, Sizes, dossier_of
from lessons.promote.refine.evidence import CaseFile, case_file
from lessons.promote.refine.exchange import Line
from lessons.promote.refine.judge import Judged, at_error, judge
from lessons.promote.refine.prompt import prompt_for
from lessons.store.fault_boundary import analysed
from lessons.store.history.history import History

# Takes the prompt and the schema, returns the text of the answer.
Ask = Callable[[str, dict[str, object]], str]


class Refined(NamedTuple):
    """The result for one candidate; without reasons it is pending in review."""

    fingerprint: str
    wording: Wording | None
    reasons: list[str]


def dossiers(home: str, chosen: Collection[str], sizes: Sizes = WHOLE) -> list[Dossier]:
    """Returns those of these candidates, in the order of the queue."""
    with History.for_reading(home) as history:
        waiting = queue.whole(history, config.load(home))
        cases = _cases(history, home, chosen)
        made = [_dossier(history, case, waiting, sizes) for case in cases]
    return [dossier for dossier in made if dossier is not None]


def _dossier(history: History, case: CaseFile, waiting: Sequence[Candidate], sizes: Sizes) -> Dossier | None:
    """Returns None if it could not be made, which is logged: the others must not wait."""
    name = case.candidate.fingerprint
    return analysed(history.home, name, lambda: dossier_of(history, case, waiting, sizes), lambda fault: None)


def waiting(home: str) -> list[str]:
    """Returns the fingerprints of all that can be refined, in the order of the queue."""
    with History.for_reading(home) as history:
        return [each.fingerprint for each in queue.whole(history, config.load(home)) if not unusable([each])]


def unusable(candidates: Sequence[Candidate]) -> list[str]:
    """Returns one sentence for each that cannot be refined."""
    return [
        f"{each.fingerprint} is not about failed calls, so there is nothing to check an answer with."
        for each in candidates
        if each.tier != FAILURE or each.fault
    ]


def by_asking(home: str, dossier: Dossier, ask: Ask, by: str) -> Refined:
    """Asks once, and again with the reasons if the answer is refused; then tries the error trigger, else nothing."""
    name = dossier.fingerprint
    text = ask(prompt_for(dossier), SCHEMA)
    refined = _first_answer(home, name, text, by)
    if refined.wording is None:
        refined = _last_answer(home, name, ask(prompt_for(dossier, text, refined.reasons), SCHEMA), by)
    return _stored(home, refined)


def _first_answer(home: str, name: str, text: str, by: str) -> Refined:
    # The history is open while an answer is checked, not while an agent works.
    with History.for_reading(home) as history:
        judged = _judged(history, _case(history, home, name), text, by)[1]
    return Refined(name, judged.wording, judged.reasons)


def _last_answer(home: str, name: str, text: str, by: str) -> Refined:
    with History.for_reading(home) as history:
        case = _case(history, home, name)
        answer, judged = _judged(history, case, text, by)
        wording = judged.wording
        if wording is None and answer is not None and not judged.of_words:
            wording = analysed(home, name, partial(at_error, history, case, answer, by), lambda fault: None)
    return Refined(name, wording, [] if wording else judged.reasons)


def _case(history: History, home: str, name: str) -> CaseFile:
    found = _cases(history, home, {name})
    if not found:
        raise Refused(f"{name} is no longer waiting: run `lessons candidates` again.")
    return found[0]


def from_answers(home: str, lines: Sequence[Line], by: str) -> Iterator[Refined]:
    """Uses the last answer about a candidate; a refused one can be corrected and read again."""
    answers = {line.fingerprint: line for line in lines}
    with History.for_reading(home) as history:
        cases = {case.candidate.fingerprint: case for case in _cases(history, home, answers.keys())}
        found = [_from_line(history, cases, line, by) for line in answers.values()]
    for each in found:
        yield _stored(home, each)


def _from_line(history: History, cases: dict[str, CaseFile], line: Line, by: str) -> Refined:
    if line.document is None:
        return Refined(line.fingerprint, None, [f"Line {line.number} is not JSON: write one answer a line."])
    answer = answer_from(line.document)
    if isinstance(answer, str):
        return Refined(line.fingerprint, None, [answer])
    if answer.fingerprint not in cases:
        return Refined(line.fingerprint, None, ["fingerprint is of no candidate that can be refined: export it again."])
    judged = _judge(history, cases[answer.fingerprint], answer, by)
    return Refined(answer.fingerprint, judged.wording, judged.reasons)


def _judge(history: History, case: CaseFile, answer: Answer, by: str) -> Judged:
    return analysed(
        history.home,
        answer.fingerprint,
        lambda: judge(history, case, answer, by),
        lambda fault: Judged(None, [f"The answer could not be checked: {fault}."], []),
    )


def _judged(history: History, case: CaseFile, text: str, by: str) -> tuple[Answer | None, Judged]:
    answer = answer_from(decoded(text))
    if isinstance(answer, str):
        return None, Judged(None, [answer], [])
    # The candidate is known here; a wrong copy of its name is no reason to ask again.
    answer = msgspec.structs.replace(answer, fingerprint=case.candidate.fingerprint)
    return answer, _judge(history, case, answer, by)


def _cases(history: History, home: str, chosen: Collection[str]) -> list[CaseFile]:
    settings = config.load(home)
    names = [each.fingerprint for each in queue.whole(history, settings)]
    stored = {each.fingerprint: each for each in history.candidates.with_status() if each.fingerprint in chosen}
    ready = queue.with_triggers(history, settings, stored.keys(), worded=False)
    usable = [each for each in ready if not unusable([each])]
    cases = [_case_file(history, each, stored[each.fingerprint], names) for each in usable]
    return [case for case in cases if case is not None]


def _case_file(history: History, each: Candidate, stored: StoredCandidate, names: Sequence[str]) -> CaseFile | None:
    made = partial(case_file, history, each, stored, names)
    return analysed(history.home, each.fingerprint, made, lambda fault: None)


def _stored(home: str, refined: Refined) -> Refined:
    if refined.wording is not None:
        with History.opened(home) as history, history.transaction():
            history.wordings.put(refined.fingerprint, refined.wording)
    return refined


def refuse_unusable(candidates: Sequence[Candidate]) -> None:
    if problems := unusable(candidates):
        raise Refused("\n".join(problems))
