"""Replays a history: what lessons would have caught, if each mistake had become a lesson when its session ended.

A walk starts and ends sessions in the order of time. Before a session that repeats a mistake, the learner promotes
every new candidate of the sessions that have ended, with the code of the queue and of promotion, which see no other
session. Each lesson is back-tested once; its hits count in the sessions that start later. The history does not record
files and programs of that time: a lesson that needs them stays quiet.
"""

import copy
from collections.abc import Callable, Container, Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple

from lessons.candidate import FAILURE, StoredCandidate
from lessons.config import Config
from lessons.inject.session_start import decide_start, start_of
from lessons.match.call import ToolCall, folder_key
from lessons.match.rule import Rule, conditions_hold, in_project
from lessons.promote.matching import RecordedState, asked, verdict_on
from lessons.replay.learner import Learned, Learner, Refusal
from lessons.replay.report import Outcome, Repeat, Replayed, ReplayReport, Why, report_of
from lessons.store.history.history import History
from lessons.store.history.past_calls import PastCall, SessionCall
from lessons.store.history.sessions import SessionSpan

Watch = Callable[[int, int], None]  # how many sessions are done, and how many there are

_STARTUP = start_of("startup")
OK = "ok"


def only(since: str = "", folder: str = "", part: str = "") -> Callable[[SessionSpan], bool]:
    """Selects sessions started at this time or later, in a project in this folder, with this text in its path."""

    def counts(session: SessionSpan) -> bool:
        is_in_folder = not folder or folder_key(session.project).startswith(folder_key(folder))
        return session.start >= since and is_in_folder and part.lower() in session.project.lower()

    return counts


class Failure(NamedTuple):
    """A failed call that made a mistake; calls with the same mistake have the same name."""

    time: str
    tool_use_id: str
    session_id: str
    mistake: str


def failures_of(candidates: Iterable[StoredCandidate]) -> list[Failure]:
    """Returns the mistakes of the queue."""
    return [
        Failure(each.time, each.tool_use_id, each.session_id, candidate.fingerprint)
        for candidate in candidates
        for each in candidate.evidence
    ]


def repeats_in(failures: Iterable[Failure], sessions: Mapping[str, SessionSpan]) -> dict[str, list[Repeat]]:
    """Returns repeats by session, each mistake once; skips failures of sessions with unknown times."""
    found: dict[str, list[Repeat]] = {}
    counted: set[tuple[str, str]] = set()
    # The two sessions with a mistake that ended first: at least one differs from the session of any failure.
    ended: dict[str, list[tuple[str, str]]] = {}
    for failure in sorted(failure for failure in failures if failure.session_id in sessions):
        own = sessions[failure.session_id]
        earlier = ended.get(failure.mistake, [])
        end = next((end for end, name in earlier if name != own.session_id), None)
        if end is not None and (own.session_id, failure.mistake) not in counted:
            counted.add((own.session_id, failure.mistake))
            repeat = Repeat(failure.tool_use_id, failure.mistake, is_learnable=end < own.start)
            found.setdefault(own.session_id, []).append(repeat)
        ended[failure.mistake] = sorted({*earlier, (own.end, own.session_id)})[:2]
    return found


class Begun(NamedTuple):
    """The state when a session started."""

    lessons: int  # how many existed
    refused: Mapping[str, Refusal]  # by mistake, why it led to no lesson


class Walk:
    """One walk; `failures` are the mistakes it searches for."""

    def __init__(self, history: History, settings: Config, failures: Iterable[Failure]) -> None:
        self._history = history
        self._mistakes = {each.tool_use_id: each.mistake for each in failures}
        self._learner = Learner(history, settings)
        self._judge = SessionJudge(history, settings.injection_budget_bytes)

    def through(
        self,
        sessions: Sequence[SessionSpan],
        repeats: Mapping[str, list[Repeat]],
        judged: Container[str],
        watch: Watch = lambda done, total: None,
    ) -> Iterator[Replayed]:
        """Yields sessions with repeats, and those that start when lessons exist: they may disturb good calls there.

        Judges each session at its end, by the lessons that existed at its start: for a session without a repeat, those
        of the last one before it that has one. Judging a session does not change what is learned: parts of a history
        add up to the whole.
        """
        begun: dict[str, Begun] = {}
        wanted = [each for each in sessions if each.session_id in judged]
        is_any_repeated = any(each.session_id in repeats for each in wanted)
        last_start = max((each.start for each in wanted), default="") if is_any_repeated else ""
        ended = 0
        # Sessions may overlap: one has ended before another starts only if its last record is earlier.
        starts = [(each.start, False, each.session_id) for each in sessions if each.start <= last_start]
        ends = [(each.end, True, each.session_id) for each in sessions if each.start <= last_start]
        for _, is_end, name in sorted(starts + ends):
            own = repeats.get(name, ())
            if not is_end:
                if own:
                    self._judge.add(self._learner.learn(), self._mistakes)
                begun[name] = Begun(len(self._judge.lessons), self._refused() if own else {})
                continue
            calls = self._history.calls.of_session(name)
            if name in judged and (own or begun[name].lessons):
                yield self._judge.judge(calls, own, begun[name])
            self._learner.end(name, calls)
            watch(ended := ended + 1, len(ends))

    def _refused(self) -> dict[str, Refusal]:
        """Returns by mistake why no lesson came of it so far."""
        refused = self._learner.refused.items()
        return {self._mistakes[call]: why for call, why in refused if call in self._mistakes}


class SessionJudge:
    """Lessons by number, in the order in which they were learned: those of an earlier time are the first ones."""

    def __init__(self, history: History, budget: int) -> None:
        self._history = history
        self._budget = budget
        self._state_of = RecordedState(history)
        self.lessons: list[Learned] = []
        self._about: dict[str, set[int]] = {}  # the lessons about a mistake, by its name or its error's fingerprint
        self._at_call: dict[str, list[int]] = {}  # by call, the lessons that fire before it runs
        self._at_error: dict[str, list[int]] = {}

    def add(self, learned: Iterable[Learned], mistakes: Mapping[str, str]) -> None:
        """`mistakes` names the mistake of each failed call."""
        for number, lesson in enumerate(learned, len(self.lessons)):
            self.lessons.append(lesson)
            made = {mistakes[call] for call in lesson.calls if call in mistakes}
            for name in made | self._history.calls.error_fingerprints(lesson.calls):
                self._about.setdefault(name, set()).add(number)
            for places, hits in ((self._at_call, lesson.hits.at_call), (self._at_error, lesson.hits.at_error)):
                for call in hits:
                    places.setdefault(call, []).append(number)

    def judge(self, calls: Sequence[SessionCall], repeats: Sequence[Repeat], begun: Begun) -> Replayed:
        """Returns what the lessons at its start would have done in a session."""
        repeated = {each.tool_use_id: each for each in repeats}
        found = Replayed([])
        for call in calls:
            fired = [number for number in self._at_call.get(call.tool_use_id, ()) if number < begun.lessons]
            found.alarms += bool(fired)
            # A call that looks like a failure hidden by a pipe is not a good call.
            if call.outcome == OK and not call.suspicious:
                found.good_calls += 1
                if fired:
                    found.false_alarms[call.tool_use_id] = [self.lessons[number].name for number in fired]
            if repeat := repeated.get(call.tool_use_id):
                found.outcomes.append(self._outcome(repeat, call, calls[0], begun))
        return found

    def _outcome(self, repeat: Repeat, call: SessionCall, first: SessionCall, begun: Begun) -> Outcome:
        """Only a lesson about the mistake catches it: one that fires by chance says nothing that would have helped."""
        name, past = call.tool_use_id, self._past(call)
        numbers = self._about.get(repeat.mistake, set()) | self._about.get(past.error_fingerprint, set())
        numbers = {number for number in numbers if number < begun.lessons}
        if not numbers.isdisjoint(self._at_call.get(name, ())):
            return Outcome(repeat, call, "call")
        about = [self.lessons[number] for number in sorted(numbers)]
        # A subagent does not see what its session was shown at the start.
        if not call.agent_id and any(note in about for note in self._noted(first, begun)):
            return Outcome(repeat, call, "start")
        if not numbers.isdisjoint(self._at_error.get(name, ())):
            return Outcome(repeat, call, "error")
        if about:
            return Outcome(repeat, call, "missed", self._why(past, about))
        refused = begun.refused.get(repeat.mistake) if repeat.is_learnable else None
        return Outcome(repeat, call, "missed", refused or "learned too late")

    def _noted(self, first: SessionCall, begun: Begun) -> list[Learned]:
        """Returns the notes shown to a session that starts in the surroundings of this call."""
        notes = {each.lesson: each for each in self.lessons[: begun.lessons] if each.lesson.rule.session_start}
        if not notes:
            return []
        call = self._asked(self._past(first))
        decision = decide_start(_STARTUP, call, list(notes), lambda slug: False, self._budget, "")
        return [notes[lesson] for lesson, what, _ in decision.events if what == "hint"]

    def _why(self, past: PastCall, about: Sequence[Learned]) -> Why:
        """Returns the reason for the lesson about this mistake that came closest."""
        if any(past.tool_use_id in each.hits.unknown for each in about):
            return "state unknown"
        if any(_fires_somewhere(each.lesson.rule, past) for each in about):
            return "scope"
        if not all(each.lesson.rule.session_start for each in about):
            return "trigger too narrow"
        call = self._asked(past)
        here = [rule for rule in (each.lesson.rule for each in about) if _is_meant(rule, call)]
        if any(rule.has_state for rule in here):
            return "state unknown"
        return "no trigger" if here else "scope"

    def _past(self, call: SessionCall) -> PastCall:
        [past] = self._history.calls.past([call.tool_use_id])
        return past

    def _asked(self, past: PastCall) -> ToolCall:
        call = asked(past)
        call.probe = self._state_of(past)
        return call


def _is_meant(rule: Rule, call: ToolCall) -> bool:
    """Whether it applies to the call's place and agent."""
    return conditions_hold(rule.when, call) and in_project(rule.projects, call.cwd)


def _fires_somewhere(rule: Rule, past: PastCall) -> bool:
    """Whether it would fire on this call if it were made elsewhere, by another agent or in another state."""
    pattern = copy.copy(rule)
    pattern.when, pattern.state, pattern.folder, pattern.projects = {}, {}, (), ()
    return verdict_on(pattern, past).why is not None


def replay(
    history: History,
    settings: Config,
    counts: Callable[[SessionSpan], bool] = lambda session: True,
    failures: Iterable[Failure] | None = None,
    watch: Watch = lambda done, total: None,
) -> ReplayReport:
    """`counts` selects the sessions to judge; lessons are learned from all sessions.

    `failures` names the mistakes by other means than mining, such as labels that a person gave them.
    """
    candidates = history.candidates.of_tier(FAILURE)
    named = failures_of(candidates) if failures is None else failures
    sessions, since = replayed(history, settings, counts, named, watch)
    summaries = {candidate.fingerprint: candidate.document.summary for candidate in candidates}
    return report_of(sessions, summaries, since)


def replayed(
    history: History,
    settings: Config,
    counts: Callable[[SessionSpan], bool],
    failures: Iterable[Failure],
    watch: Watch = lambda done, total: None,
) -> tuple[Iterator[Replayed], str]:
    """Returns what would have happened in each judged session, and when the first of them started."""
    named = list(failures)
    sessions = history.sessions.spans()
    judged = {session.session_id for session in sessions if counts(session)}
    repeats = repeats_in(named, {session.session_id: session for session in sessions})
    since = min((session.start for session in sessions if session.session_id in judged), default="")
    return Walk(history, settings, named).through(sessions, repeats, judged, watch), since
