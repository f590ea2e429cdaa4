"""Stores what the gate found: lessons wait in review, or act at once; nothing is asked about twice."""

from collections.abc import Collection, Iterator, Sequence
from datetime import UTC, datetime
from typing import get_args

import msgspec

from lessons import config
from lessons.candidate import IMPORT, CandidateDocument, StoredCandidate, Wording
from lessons.learn import sources
from lessons.learn.answer import Answer, Draft
from lessons.learn.gate import Counterexample, Gate
from lessons.learn.sources import Source
from lessons.match.rule import Rule
from lessons.match.state import AsWanted
from lessons.mistakes.group import candidate_row
from lessons.mistakes.remember import remember
from lessons.mistakes.trigger import Moment
from lessons.model import ScopeType, Triggers
from lessons.promote.backtest import compiled
from lessons.promote.candidate import put_worded_trigger, put_wording
from lessons.promote.decide import Learned, archive, learn_all
from lessons.promote.draft import Choice, calls_of, document_of, one_line
from lessons.promote.intake import slug_for
from lessons.promote.matching import FAILED, hits, verdict_on
from lessons.promote.proposals import triggers_from_tag
from lessons.promote.queue import described
from lessons.redact.texts import redacted
from lessons.store import decisions, lesson_file
from lessons.store.history.candidates import Status, StoredAnswer, written_row
from lessons.store.history.history import History
from lessons.store.history.past_calls import PastCall

_LONGEST_REASON = 300
_CONFIDENCE_OF_A_RULE = 0.7
_MOST_REMEMBERED_AT_ONCE = 20_000  # calls: a person waits for the index, 40 ms for each thousand


class Accepted(msgspec.Struct, frozen=True):
    id: str
    slug: str
    acts: Moment


class Refusal(msgspec.Struct, frozen=True):
    id: str
    reasons: list[str]
    counterexamples: list[Counterexample] = []


class PendingLesson(msgspec.Struct, rename="camel", frozen=True):
    """A lesson that passed the test and waits for a person; without a summary, more evidence of a stored lesson."""

    ids: list[str]  # its dossier, then those that it answers too
    slug: str
    by: str
    summary: str
    acts: Moment
    caught: int  # failed calls
    disturbed: int  # good calls


class Learning(msgspec.Struct):
    """What became of some answers."""

    accepted: list[Accepted] = []
    refused: list[Refusal] = []
    nothing: list[str] = []

    def add(self, other: "Learning") -> None:
        self.accepted += other.accepted
        self.refused += other.refused
        self.nothing += other.nothing


class _Result(msgspec.Struct):
    """What became of one answer; a wording without text is merged into the lesson with its slug."""

    source: Source
    status: Status
    lessons: Sequence[Wording] = ()
    reasons: Sequence[str] = ()


def take(home: str, answers: Sequence[Answer], by: str) -> Learning:
    """Tests the answers and stores the result; what passed waits in review."""
    found = Learning()
    with History.for_reading(home) as history:
        results = list(_Desk(history, by, found).results(answers))
    with History.opened(home) as history, history.transaction():
        for each in results:
            _store(history, each, by)
    return found


def take_tags(history: History) -> None:
    """Tests what agents wrote after a recovery as answers are tested; it stays a candidate, passed or not."""
    waiting = sources.of_tags(history)
    written = {name: next(one.agent for one in tag.evidence if one.tool_use_id) for name, (tag, _) in waiting.items()}
    for by in sorted(set(written.values())):
        names = [name for name in waiting if written[name] == by]
        answers = [Answer(name, [_draft(waiting[name][0])]) for name in names]
        desk = _Desk(history, by, Learning())
        results = list(desk.results(answers, {name: waiting[name][1] for name in names}))
        with history.transaction():
            for each in results:
                _store(history, each, by)


def _draft(tag: StoredCandidate) -> Draft:
    document = tag.document
    triggers = triggers_from_tag(document.tool, document.trigger, document.error, document.unless)
    scopes: tuple[ScopeType, ...] = get_args(ScopeType)
    narrowest: ScopeType = "project"
    scope = next((each for each in scopes if each == document.scope), narrowest)
    texts = (document.summary or document.solution, document.problem, document.solution)
    summary, problem, solution = (" ".join(text.split()) for text in texts)
    return Draft(summary, problem, solution, triggers or Triggers(), scope)


class _Desk:
    """Judges one answer after the other; what passed counts for the next ones."""

    def __init__(self, history: History, by: str, found: Learning) -> None:
        self._history, self._by, self._found = history, by, found
        self._gate = Gate(history, config.load(history.home))
        self._names = set(lesson_file.read(history.home).names())
        self._rules: dict[str, Rule] = {}

    def results(self, answers: Sequence[Answer], known: dict[str, Source] | None = None) -> Iterator[_Result]:
        """`known` are the dossiers that are answered, if they are no mistakes that somebody was asked about."""
        names = {each.id for each in answers}
        self._rules = sources.answering(self._history, names)[1]
        known = sources.named(self._history, names) if known is None else known
        before = self._history.answers.all()
        for answer in answers:
            stored = before.get(answer.id)
            slugs = {each.slug for each in stored.lessons} if stored else set()
            if stored and stored.status == "pending" and answer.fault:
                self._found.refused.append(Refusal(answer.id, [answer.fault]))  # what passed before goes on waiting
            elif stored and stored.status == "accepted" and not slugs.isdisjoint(self._names):
                self._found.accepted += [Accepted(answer.id, each.slug, _acts(each)) for each in stored.lessons]
            elif answer.id not in known:
                reason = "No dossier of this history has this id: export them again."
                self._found.refused.append(Refusal(answer.id, [answer.fault or reason]))
            else:
                yield self._result(known[answer.id], answer)

    def _result(self, source: Source, answer: Answer) -> _Result:
        if answer.fault:
            self._found.refused.append(Refusal(answer.id, [answer.fault]))
            return _Result(source, "refused", reasons=[answer.fault])
        if not answer.lessons:
            self._found.nothing.append(answer.id)
            reason = one_line(redacted(answer.reason), _LONGEST_REASON)
            return _Result(source, "nothing", reasons=[reason] if reason else [])
        calls = self._history.calls.past(source.calls)
        if source.kind != "rule" and (slug := self._answered_by(calls)):
            merged = Wording(by=self._by, time=_now(), worth_a_lesson=True, slug=slug)
            self._found.accepted.append(Accepted(answer.id, slug, self._moment(slug, calls)))
            return _Result(source, "pending", [merged])
        return self._judged(source, answer)

    def _judged(self, source: Source, answer: Answer) -> _Result:
        passed: list[Wording] = []
        reasons: list[str] = []
        examples: list[Counterexample] = []
        for draft in answer.lessons:
            judged = self._gate.judge(source, draft, self._by)
            reasons += judged.reasons
            examples += judged.counterexamples
            if judged.wording is not None:
                slug = slug_for(judged.wording.summary, self._names)
                self._names.add(slug)
                caught = self._caught(source, judged.wording)
                counts = {"caught": caught, "disturbed": judged.disturbed}
                passed.append(msgspec.structs.replace(judged.wording, slug=slug, **counts))
        for each in passed:
            self._rules[each.slug] = _rule(each)
            self._found.accepted.append(Accepted(answer.id, each.slug, _acts(each)))
        if passed:
            return _Result(source, "pending", passed)
        self._found.refused.append(Refusal(answer.id, reasons, examples))
        return _Result(source, "refused", reasons=reasons)

    def _caught(self, source: Source, wording: Wording) -> int:
        rule = _rule(wording)
        own = [each for each in self._history.calls.past(source.calls) if verdict_on(rule, each, AsWanted()).why]
        return len({each.tool_use_id for each in (*own, *hits(self._history, rule, outcome=FAILED))})

    def _answered_by(self, calls: Sequence[PastCall]) -> str:
        """Returns the lesson that fires on all these calls: another one would say the same there."""
        for slug, rule in self._rules.items():
            if calls and all(verdict_on(rule, each, AsWanted()).why for each in calls):
                return slug
        return ""

    def _moment(self, slug: str, calls: Sequence[PastCall]) -> Moment:
        fired = [verdict_on(self._rules[slug], each, AsWanted()).why or "" for each in calls]
        return "error" if all(why.startswith("errorPatterns") for why in fired) else "call"


def _acts(wording: Wording) -> Moment:
    triggers = wording.triggers
    if triggers.get("sessionStart"):
        return "start"
    return "error" if triggers.keys() <= {"errorPatterns", "toolNames", "unless", "when"} else "call"


def _rule(wording: Wording) -> Rule:
    assert wording.scope is not None
    return compiled(msgspec.convert(wording.triggers, Triggers), wording.scope).rule


def _store(history: History, result: _Result, by: str) -> None:
    """Writes the answer; a mistake with a lesson becomes a candidate, however little it weighs."""
    source = result.source
    lessons, reasons = [*result.lessons], [*result.reasons]
    row = StoredAnswer(source.id, result.status, lessons, reasons, by, _now(), source.round, source.calls)
    history.answers.put(row)
    if source.kind == "rule" and lessons:
        first = lessons[0]
        document = CandidateDocument(
            summary=first.summary, problem=first.problem, solution=first.solution, triggers=first.triggers
        )
        history.candidates.add_imported([written_row(IMPORT, source.id, document.text(), _CONFIDENCE_OF_A_RULE)])
    if source.failures and result.lessons and not source.is_tag:
        corrected = history.episodes.corrected_calls()
        history.candidates.replace([candidate_row(history, source.id, source.failures, corrected)])


def pending(history: History) -> list[PendingLesson]:
    """Returns what passed the test and nobody decided about, what catches most first; last what adds evidence only."""
    decided = decisions.statuses(history.home)
    answers = [each for each in history.answers.all().values() if each.lessons and each.id not in decided]
    merged: dict[str, list[str]] = {}
    for answer in answers:
        for lesson in answer.lessons:
            if not lesson.summary:
                merged.setdefault(lesson.slug, []).append(answer.id)
    found = [
        PendingLesson(
            ids=[answer.id, *merged.pop(lesson.slug, [])],
            slug=lesson.slug,
            by=answer.author,
            summary=lesson.summary,
            acts=_acts(lesson),
            caught=lesson.caught,
            disturbed=lesson.disturbed,
        )
        for answer in answers
        for lesson in answer.lessons
        if lesson.summary
    ]
    found.sort(key=lambda each: (-each.caught, each.slug))
    stored = lesson_file.read(history.home).names()
    rest = [(slug, ids) for slug, ids in merged.items() if slug in stored]
    return found + [PendingLesson(ids, slug, "", "", "error", 0, 0) for slug, ids in sorted(rest)]


def reject(home: str, lessons: Sequence[PendingLesson], reason: str) -> None:
    """Rejects the candidates of these lessons; what would only add evidence stays a candidate."""
    archive(home, list(dict.fromkeys(name for each in lessons if each.summary for name in each.ids)), reason)


def activate(home: str, ids: Collection[str]) -> None:
    """Makes lessons of those of these answers that passed, with one build."""
    with History.for_reading(home) as history:
        answers = {name: each for name, each in history.answers.all().items() if name in ids and each.lessons}
        new = {lesson.slug for each in answers.values() for lesson in each.lessons if lesson.summary}
        known = new.union(lesson_file.read(home).names())  # a lesson that another answer adds to may be rejected
        stored = {each.fingerprint: each for each in history.candidates.named(answers)}
        learned = [
            each
            for name, answer in answers.items()
            if name in stored
            for each in _learned(history, stored[name], [each for each in answer.lessons if each.slug in known])
        ]
    learn_all(home, learned)
    with History.opened(home) as history, history.transaction():
        for answer in answers.values():
            history.answers.put(msgspec.structs.replace(answer, status="accepted"))
    with History.opened(home) as history:  # a lesson takes the place of a memory
        if history.calls.count() <= _MOST_REMEMBERED_AT_ONCE:
            remember(history, is_changed=True)
        else:
            with history.transaction():
                history.memory.made("")  # the next scan makes the index again


def _learned(history: History, stored: StoredCandidate, lessons: Sequence[Wording]) -> Iterator[Learned]:
    candidate = described(history.home, stored, config.load(history.home)).candidate
    for wording in lessons:
        if not wording.summary:
            yield Learned(candidate, None, wording.slug)
            continue
        put_wording(candidate, wording)
        put_worded_trigger(candidate, wording)
        document = document_of([candidate], Choice(), calls_of(history, [candidate]))
        yield Learned(candidate, {**document, "slug": wording.slug}, wording.slug)


def _now() -> str:
    return f"{datetime.now(UTC):%Y-%m-%dT%H:%M:%SZ}"
