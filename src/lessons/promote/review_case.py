"""The cases of a review: a candidate, its clearest occurrence, the user's changes, and the lesson that covers it."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import partial
from itertools import islice
from typing import NamedTuple

import msgspec

from lessons.candidate import CORRECTION, Tier
from lessons.config import Config
from lessons.lesson_fields import FIRING, LessonField, attribute_of, has_any
from lessons.match.call import canonical_name
from lessons.match.rule import Rule
from lessons.match.state import AsWanted
from lessons.mistakes.good_calls import arguments_of
from lessons.model import Lesson, Scope, Triggers, lesson_from_document
from lessons.promote import starter
from lessons.promote.answered import MOST_CALLS, SHARE_OF_FAILURES
from lessons.promote.backtest import compiled, own_rule
from lessons.promote.candidate import Candidate, Evidence
from lessons.promote.decide import settle
from lessons.promote.draft import Choice
from lessons.promote.matching import rule_of, verdict_on
from lessons.promote.queue import clusters, put_triggers, shown, skipped, whole
from lessons.promote.similarity import jaccard
from lessons.store import lesson_file
from lessons.store.history.episodes import Diagnosis
from lessons.store.history.history import History
from lessons.store.history.past_calls import StoredCall
from lessons.store.logs import analysed


def with_patterns(present: Triggers, field: LessonField, patterns: Sequence[str]) -> Triggers:
    """Returns the trigger with its patterns of one kind replaced by these."""
    changes: dict[str, object] = {field.attribute: list(patterns)}
    changed = msgspec.structs.replace(present, **changes)
    if not has_any(changed, FIRING):
        return changed
    changes = {"session_start": False}  # a note for the start of a session fires at no call
    if field.looks_at == "command" and not present.command_patterns and present.match_on is None:
        changes["match_on"] = "invocation"
    # Shells write no files: a lesson for them alone would never see a call with a path.
    is_of_files = field.looks_at in ("path", "content")
    if is_of_files and present.tool_names and all(canonical_name(tool) == "Bash" for tool in present.tool_names):
        changes["tool_names"] = []
    return msgspec.structs.replace(changed, **changes)


def alone(triggers: Triggers, field: LessonField, pattern: str) -> Triggers:
    """Returns the trigger with this pattern and none of another kind, to test it by itself."""
    others: dict[str, object] = {each.attribute: [] for each in FIRING}
    # Path patterns restrict content patterns.
    if field.looks_at == "content":
        del others["path_patterns"]
    return with_patterns(msgspec.structs.replace(triggers, **others), field, [pattern])


# The newest occurrences are enough to choose from.
_MOST_OCCURRENCES = 50


def diagnoses_of(history: History, candidate: Candidate) -> list[Diagnosis]:
    """Returns those of its occurrences, newest first; the same text once."""
    newest = [each.tool_use_id for each in reversed(candidate.evidence[-_MOST_OCCURRENCES:]) if each.tool_use_id]
    written = history.diagnoses.of(newest)
    found = [written[name] for name in newest if name in written]
    return list({each.text: each for each in reversed(found)}.values())[::-1]


Calls = Mapping[str, StoredCall]


class Pair(NamedTuple):
    """The texts of both calls, and their folders if only those differ.

    `error` is the line that says what was wrong; `output` is the known output of the failed call.
    """

    failed: str
    error: str
    worked: str
    failed_in: str = ""
    worked_in: str = ""
    output: str = ""
    tool_use_id: str = ""  # of the failed call
    session: str = ""
    time: str = ""
    folder: str = ""


def pair_of(history: History, candidate: Candidate) -> Pair:
    """Returns the shortest two shell commands that differ, of the occurrences that the candidate's text is about."""
    newest = candidate.evidence[-_MOST_OCCURRENCES:]
    calls = _calls(history, newest)
    shell = []
    for each in newest:
        failed, worked = calls.get(each.tool_use_id or ""), calls.get(each.fix_tool_use_id or "")
        if failed and worked and failed.command and worked.command and candidate.error in failed.error:
            shell.append((failed.command == worked.command, len(failed.command) + len(worked.command), each))
    if shell:
        return _of_calls(candidate, min(shell, key=lambda one: one[:2])[2], calls)
    if candidate.tier == CORRECTION:
        action = next(iter(calls.values()), None)
        words = candidate.quotes[0].error if candidate.quotes else candidate.summary
        return Pair(words_of(action) if action else "", words, "")
    quotes = [quote for quote in candidate.quotes if quote.worked] or candidate.quotes
    if not quotes:
        return Pair(candidate.trigger, candidate.error, "")
    quote = next((quote for quote in quotes if quote.error == candidate.error), quotes[0])
    return Pair(quote.failed or candidate.trigger, quote.error or candidate.error, quote.worked)


def occurrences_of(candidates: Sequence[Candidate], first: Pair) -> list[tuple[Candidate, Evidence]]:
    """Returns all based on a call, with their candidates: the one shown first, those with a fix, then the newest."""
    found = [(candidate, each) for candidate in candidates for each in candidate.evidence if each.tool_use_id]
    once = {each.tool_use_id: (candidate, each) for candidate, each in found}
    newest = sorted(once.values(), key=lambda one: (one[1].time, one[1].tool_use_id or ""), reverse=True)
    return sorted(newest, key=lambda one: (one[1].tool_use_id != first.tool_use_id, not one[1].fix_tool_use_id))


def occurrence(history: History, candidate: Candidate, evidence: Evidence) -> Pair | None:
    """Returns one of them, with the texts of its calls; None if the history does not have the call."""
    calls = _calls(history, [evidence])
    return _of_calls(candidate, evidence, calls) if evidence.tool_use_id in calls else None


def _calls(history: History, evidence: Sequence[Evidence]) -> Calls:
    names = [name for each in evidence for name in (each.tool_use_id, each.fix_tool_use_id) if name]
    return {call.tool_use_id: call for call in history.calls.named(names)}


def _of_calls(candidate: Candidate, evidence: Evidence, calls: Calls) -> Pair:
    failed, worked = calls[evidence.tool_use_id or ""], calls.get(evidence.fix_tool_use_id or "")
    # One line of the error says it; the other lines are often the help of the program.
    error = candidate.error if not failed.error or candidate.error in failed.error else ""
    quoted = next((quote.error for quote in candidate.quotes if quote.failed == failed.command), "")
    pair = Pair(
        words_of(failed),
        (quoted or (candidate.quotes[0].error if candidate.quotes else "")) if candidate.tier == CORRECTION else error,
        words_of(worked) if worked else "",
        output=failed.error,
        tool_use_id=failed.tool_use_id,
        session=evidence.session_id,
        time=evidence.time,
        folder=failed.cwd,
    )
    if worked and pair.failed == pair.worked and failed.cwd != worked.cwd:
        return pair._replace(failed_in=failed.cwd, worked_in=worked.cwd)
    return pair


def words_of(call: StoredCall) -> str:
    """Returns the command; for other tools the name and the arguments, one per line."""
    if call.command:
        return call.command
    arguments = arguments_of(call)
    if not isinstance(arguments, dict) or not arguments:
        return f"{call.tool} {call.arguments}"
    lines = (
        f"{name}: {value if isinstance(value, str) else msgspec.json.encode(value).decode()}"
        for name, value in arguments.items()
    )
    return "\n".join([call.tool, *lines])


def unfired(history: History, candidates: Sequence[Candidate], triggers: Triggers, scope: Scope) -> str:
    """Returns a warning if the trigger fires on none of the failed calls that the history holds, else nothing.

    The state of a call is taken for the one that the trigger asks for. Refused if publishing would leave such a lesson
    out.
    """
    if triggers.session_start:
        return ""  # it is shown without a call
    rule = compiled(triggers, scope).rule
    calls = history.calls.past(each.tool_use_id or "" for candidate in candidates for each in candidate.evidence)
    if not calls or any(verdict_on(rule, call, AsWanted()).why for call in calls):
        return ""
    many = "the call" if len(calls) == 1 else f"any of the {len(calls):,} calls"
    return f"It does not fire on {many} it was learned from."


class Answer(NamedTuple):
    """`is_stored` distinguishes the user's own lesson from one that is only in the pack."""

    slug: str
    summary: str
    is_stored: bool

    def sentence(self) -> str:
        if self.is_stored:
            return f"by your lesson {self.slug} (m merges)"
        return f"by the starter lesson {self.slug}: {self.summary}"


class Answers:
    """Compiles the lessons once; notices what is stored meanwhile."""

    def __init__(self, home: str, with_pack: bool = True) -> None:
        self._home = home
        self._pack: list[tuple[Lesson, Rule]] | None = None if with_pack else []
        self._own: dict[str, Rule | None] = {}

    def of(self, candidate: Candidate) -> Answer | None:
        """Returns the lesson that covers the candidate's failures and leaves alone the calls that worked."""
        return next((answer for answer, spares in self._covering(candidate) if spares), None)

    def is_left_to_another(self, candidate: Candidate) -> bool:
        """Whether a lesson answers it, or one of the pack objects to the call that worked too."""
        return any(spares or not answer.is_stored for answer, spares in self._covering(candidate))

    def _covering(self, candidate: Candidate) -> list[tuple[Answer, bool]]:
        """Returns the lessons that fire on most of the failures, each with whether it spares the calls that worked."""

        def find() -> list[tuple[Answer, bool]]:
            newest = [each for each in candidate.evidence if each.tool_use_id][-MOST_CALLS:]
            with History.for_reading(self._home) as history:
                failed = [row for row in history.calls.past(each.tool_use_id or "" for each in newest) if row.error]
                fixed = history.calls.past(each.fix_tool_use_id or "" for each in newest)
            most = int((1 - SHARE_OF_FAILURES) * len(failed))

            def covers(rule: Rule) -> bool:
                misses = (call for call in failed if verdict_on(rule, call).why is None)
                return next(islice(misses, most, None), None) is None  # most lessons fail soon

            return [
                (Answer(lesson.slug, lesson.summary, is_stored), not any(verdict_on(rule, one).why for one in fixed))
                for lesson, rule, is_stored in (self._lessons() if failed else ())
                if covers(rule)
            ]

        return analysed(self._home, candidate.fingerprint, find, lambda fault: [])

    def _lessons(self) -> Iterator[tuple[Lesson, Rule, bool]]:
        """Yields the user's own first."""
        file = lesson_file.read(self._home)
        for lesson in file.lessons():
            mark = msgspec.json.encode((lesson.triggers, lesson.scope)).decode()
            if mark not in self._own:
                self._own[mark] = own_rule(lesson)
            if lesson.stage != "retired" and (rule := self._own[mark]):
                yield lesson, rule, True
        if self._pack is None:
            records = (lesson_from_document({"id": record["slug"], **record}) for record in starter.pack())
            self._pack = [(lesson, rule_of(lesson)) for lesson in records]
        names = file.names()
        yield from ((lesson, rule, False) for lesson, rule in self._pack if lesson.slug not in names)


class Case(msgspec.Struct):
    """One candidate shown to the user."""

    candidate: Candidate
    pair: Pair
    choice: Choice = Choice()
    alike: list[Candidate] = []  # the same mistake in other words, decided together
    diagnosis: Diagnosis | None = None  # what the agent wrote after its newest failure
    is_ready: bool = True  # whether it has its trigger, its pair and its diagnosis

    @property
    def triggers(self) -> Triggers | None:
        """Those chosen, else the proposed ones, if there are any and they can be read."""
        if self.choice.triggers is not None or not self.candidate.proposed_trigger:
            return self.choice.triggers
        try:
            return msgspec.convert(self.candidate.proposed_trigger, Triggers)
        except msgspec.ValidationError:
            return None

    @property
    def scope(self) -> Scope:
        return self.choice.scope or self.candidate.scope

    def text(self, field: str) -> str:
        """Returns the lesson's text for a field: as chosen, else as the candidate proposes."""
        chosen = self.choice.text(field)
        return str(getattr(self.candidate, attribute_of(field), "")) if chosen is None else chosen


def most_similar(case: Case, lessons: Iterable[Lesson]) -> list[Lesson]:
    """Returns the lessons in the order in which a case could be merged into them."""
    about = f"{case.text('problem')} {case.text('solution')}"
    return sorted(lessons, key=lambda each: (-jaccard(about, f"{each.problem} {each.solution}"), each.slug))


_NO_PAIR = Pair("", "", "")


class Waiting(NamedTuple):
    """The cases to show, and how many more are shown only if asked for."""

    cases: list[Case]
    hidden: int


def waiting(home: str, settings: Config, everything: bool, tier: Tier | None = None) -> Waiting:
    """Returns cases in the order of the queue, near duplicates as one, skipped ones last; none of them is ready."""
    settle(home)
    with History.for_reading(home) as history:
        found = shown(history, settings, everything, tier, with_triggers=False)
    cases = [Case(first, _NO_PAIR, alike=alike, is_ready=False) for first, *alike in clusters(found.candidates)]
    last = skipped(home)
    cases.sort(key=lambda case: last.get(case.candidate.fingerprint, ""))
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
        return len(clusters(whole(history, settings)))
