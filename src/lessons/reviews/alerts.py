"""The alerts: what a person should look at, one function each, and what could not be measured."""

import time
from collections import Counter
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from functools import cached_property
from typing import NamedTuple, TypeAlias, TypeVar

from lessons import paths
from lessons.agents.hook_event import BEFORE_CALL, SESSION_END, SESSION_START, TURN_END
from lessons.agents.table import DEFAULT_AGENT
from lessons.errors import LessonsError
from lessons.opportunity import Opportunity
from lessons.project_state import ALERT_SEVERITIES, Alert, SessionState, seconds, time_of
from lessons.reviews.consolidate import is_due, new_entries
from lessons.reviews.file_check import REMOVE_ABOVE, REVIEW_ABOVE
from lessons.reviews.review_log import MOST_ACTIVE, has_drifted
from lessons.store import fired, logs, manifest
from lessons.store.history.answers import ToLearn
from lessons.store.history.history import History
from lessons.store.hook_index import HookIndex
from lessons.store.state_files import consolidation, handoffs, review_log, session_states
from lessons.store.state_paths import StatePaths
from lessons.system import is_alive

Value = TypeVar("Value")
_MOST_BITS = 64


class NoData(NamedTuple):
    """Not measured, with the reason."""

    reason: str


# An alert, not measured, or all well.
Finding: TypeAlias = Alert | NoData | None


class View:
    """Reads each thing at most once; opens the history only if an alert needs it."""

    def __init__(
        self,
        place: StatePaths,
        now: float,
        uncommitted: Callable[[str], int | None],
        hooked: Callable[[], dict[str, float]],
    ) -> None:
        self.place, self.home, self.now = place, place.home, now
        self.uncommitted = uncommitted  # files in a repository; None: unknown
        self.hooked = hooked  # agents whose settings have the hook -> when that file last changed

    @cached_property
    def latest_session(self) -> SessionState | None:
        return session_states.read_latest(self.place)

    @cached_property
    def waiting(self) -> int | None:
        """Candidates seen more than once; None if there is no history."""
        return self._of_history(lambda history: history.candidates.count_recurring())

    @cached_property
    def to_learn(self) -> ToLearn | None:
        """Failed calls that no lesson answers, as the last scan counted them."""
        return self._of_history(lambda history: history.answers.to_learn())

    def last_record(self, agent: str, since: float) -> str:
        """Returns the time of the newest record in a session of the agent that began later; empty if there is none."""
        began = time_of(datetime.fromtimestamp(since, UTC))
        return self._of_history(lambda history: history.sessions.last_time(agent, began)) or ""

    @cached_property
    def opportunities(self) -> list[Opportunity]:
        return self._of_history(lambda history: history.ledger.opportunities()) or []

    def _of_history(self, ask: Callable[[History], Value]) -> Value | None:
        try:
            with History.for_reading(self.home) as history:
                return ask(history)
        except LessonsError:
            return None


def bucket(number: int, lessons: int = 1) -> str:
    """Returns the same for numbers of about the same size: a doubled number or one more lesson counts as new."""
    return f"{_MOST_BITS * (lessons - 1) + number.bit_length()}"


def and_more(lessons: int, what: str) -> str:
    """Ends a sentence about the worst lesson, with the number of others."""
    others = lessons - 1
    return f"; {others} more lesson{'s' * (others != 1)} {what}." if others else "."


HOOK_SILENT = "hook-silent"
_EVENTS = (SESSION_START, BEFORE_CALL, TURN_END, SESSION_END)
_SLACK_SECONDS = 3600


def look_hook_silent(view: View) -> Finding:
    """Checks agents whose settings have the hook; a plugin installs the default agent's hook without settings."""
    moments = [moment for event in _EVENTS if (moment := fired.last(view.home, event)) is not None]
    last, hooked = max(moments, default=None), view.hooked()
    if last is None and not hooked:
        return NoData("no hook is installed, and none has fired")
    since = {agent: max(installed, last or 0.0) for agent, installed in (hooked or {DEFAULT_AGENT: 0.0}).items()}
    newest = max(_silent_until(view, agent, moment) for agent, moment in since.items())
    if not newest:
        return NoData("the hook is installed and has not fired yet") if last is None else None
    silent = "never fired" if last is None else f"not fired since {time.strftime('%Y-%m-%d', time.localtime(last))}"
    until = f"{datetime.fromtimestamp(newest, UTC):%Y-%m-%d}"
    message = f"The hook has {silent}, although sessions ran until {until}."
    return Alert(
        id=HOOK_SILENT, severity="error", message=message, action="lessons doctor", mark=silent, of_project=False
    )


def _silent_until(view: View, agent: str, since: float) -> float:
    """Returns the end of the newest session that should have fired the hook; 0 if there is none.

    A session that was open before uses the settings that it started with, so only later ones count.
    """
    newest = seconds(view.last_record(agent, since))
    return newest if newest > since + _SLACK_SECONDS else 0.0


STALE_MANIFEST = "stale-manifest"


def look_stale_manifest(view: View) -> Finding:
    sources = manifest.sources(view.home)
    if sources[0] == (0, 0):
        return NoData("there are no lessons yet")
    stamp = manifest.stamp(view.home)
    if stamp is None:
        return _stale_alert("The lessons are not built, so none fires.")
    try:
        index = HookIndex(paths.hook_index_file(view.home), stamp)
        if tuple(index.head["sources"]) == sources:
            return None
    except Exception:  # the index is unusable: a build creates a new one
        return _stale_alert("The published lessons cannot be compared with lessons.json.")
    return _stale_alert("lessons.json has changed since the last build: the hook uses older lessons.")


def _stale_alert(message: str) -> Alert:
    return Alert(id=STALE_MANIFEST, severity="warning", message=message, action="lessons build", of_project=False)


RECENT_FAULTS = "faults"
_FAULT_DAYS = 7


def look_recent_faults(view: View) -> Finding:
    since = f"{datetime.fromtimestamp(view.now, UTC) - timedelta(days=_FAULT_DAYS):%Y-%m-%dT%H:%M:%SZ}"
    recent = [line for line in logs.read_faults(view.home) if line >= since]
    if not recent:
        return None
    number = len(recent)
    message = f"{number} fault{'s' * (number != 1)} logged in the last {_FAULT_DAYS} days."
    return Alert(
        id=RECENT_FAULTS,
        severity="warning",
        message=message,
        action="lessons doctor",
        mark=bucket(number),
        of_project=False,
    )


RETURNED_MISTAKES = "mistake-returned"
_RETURN_DAYS = 14
_LEAST_RETURNS = 2  # once may be chance


def look_returned_mistakes(view: View) -> Finding:
    """Reports the lesson with the most returns; ignores shadow lessons and held-out calls, which showed nothing."""
    if not view.opportunities:
        return NoData("no lesson has had an opportunity yet")
    since = f"{datetime.fromtimestamp(view.now, UTC) - timedelta(days=_RETURN_DAYS):%Y-%m-%dT%H:%M:%SZ}"
    ignored = Counter(
        each.slug
        for each in view.opportunities
        if each.time >= since and each.is_active and each.outcome in ("ignoredFailed", "stoppedRepeated")
    )
    if not ignored or max(ignored.values()) < _LEAST_RETURNS:
        return None
    slug = min(ignored, key=lambda one: (-ignored[one], one))
    lessons = sum(count >= _LEAST_RETURNS for count in ignored.values())
    more = and_more(lessons, "was ignored" if lessons == 2 else "were ignored")
    made = f"was made {ignored[slug]} times in {_RETURN_DAYS} days although its lesson was shown"
    message = f"The mistake of {slug} {made}{more}"
    action = f"lessons stats {slug}"
    mark = f"{slug} {bucket(ignored[slug], lessons)}"
    return Alert(id=RETURNED_MISTAKES, severity="warning", message=message, action=action, mark=mark, of_project=False)


FALSE_ALARMS = "false-alarms"


def look_false_alarms(view: View) -> Finding:
    if not view.opportunities:
        return NoData("no lesson has had an opportunity yet")
    counts = Counter(each.slug for each in view.opportunities if each.outcome == "falseAlarm")
    worst = min(counts, key=lambda slug: (-counts[slug], slug), default="")
    if not worst or counts[worst] <= REVIEW_ABOVE:
        return None
    number, lessons = counts[worst], sum(count > REVIEW_ABOVE for count in counts.values())
    more = and_more(lessons, "has such alarms" if lessons == 2 else "have such alarms")
    action = f"lessons archive {worst}" if number > REMOVE_ABOVE else f"lessons edit {worst}"
    message = f"{worst} fired on {number} calls that were right{more}"
    mark = f"{worst} {bucket(number, lessons)}"
    return Alert(id=FALSE_ALARMS, severity="warning", message=message, action=action, mark=mark, of_project=False)


WAITING_CANDIDATES = "candidates-waiting"


def look_waiting_candidates(view: View) -> Finding:
    if view.waiting is None:
        return NoData("no transcript was read yet")
    if not view.waiting:
        return None
    number = "1 candidate" if view.waiting == 1 else f"{view.waiting:,} candidates"
    return Alert(
        id=WAITING_CANDIDATES,
        severity="info",
        message=f"{number} seen in two sessions or more {'waits' if view.waiting == 1 else 'wait'} for review.",
        action="lessons review",
        mark=bucket(view.waiting),
        of_project=False,
    )


TO_LEARN = "failures-to-learn-from"


def look_to_learn(view: View) -> Finding:
    """A session start has a line of its own about this, once a week."""
    if view.to_learn is None:
        return NoData("no transcript was read yet")
    failures = view.to_learn.failures
    if not failures:
        return None
    return Alert(
        id=TO_LEARN,
        severity="info",
        message=f"{failures:,} failures in your history have no lesson yet.",
        action="lessons learn",
        mark=bucket(failures),
        of_project=False,
        at_start=False,
    )


UNCLEAN_END = "unclean-end"


def look_unclean_end(view: View) -> Finding:
    state = view.latest_session
    if state is None:
        return NoData("no session of this project is known")
    if state.ended_at is None and state.process > 0 and not is_alive(state.process):
        return _unclean_alert(view, state.started_at)
    if state.previous and state.previous.unclean_end:
        return _unclean_alert(view, state.previous.started_at)
    return None


def _unclean_alert(view: View, started_at: str) -> Alert:
    """Names the verb that has something to show: not every session leaves a handoff."""
    action = "lessons handoff list" if handoffs.read_latest(view.place) else "lessons session"
    message = f"The session of {started_at[:16].replace('T', ' ')} ended unexpectedly."
    return Alert(id=UNCLEAN_END, severity="info", message=message, action=action, mark=started_at)


UNCOMMITTED_WORK = "uncommitted-work"


def look_uncommitted_work(view: View) -> Finding:
    """Counts only changes from the end of the session that git still reports."""
    handoff, state = handoffs.read_latest(view.place), view.latest_session
    if handoff is None or state is None:
        return NoData("no session of this project was saved")
    runs = state.ended_at is None and (state.process == 0 or is_alive(state.process))
    if not handoff.git.uncommitted_count or (runs and state.session_id == handoff.session_id):
        return None
    now = view.uncommitted(view.place.root)
    if now is None:
        return NoData("git does not tell what is committed")
    number = min(now, handoff.git.uncommitted_count)
    if not number:
        return None
    files = f"{number} changed file{'s' * (number != 1)}"
    message = f"The session of {handoff.timestamp[:16].replace('T', ' ')} left {files} uncommitted."
    return Alert(
        id=UNCOMMITTED_WORK, severity="info", message=message, action="git status", mark=handoff.timestamp[:10]
    )


REVIEW_BACKLOG = "review-backlog"


def look_review_backlog(view: View) -> Finding:
    """Reports the most urgent of the three."""
    entries = review_log.read(view.place)
    if not entries:
        return NoData("no review was logged in this project")
    try:
        if has_drifted(view.place):
            return _backlog_alert("The review log differs from its sources.", "lessons code-review sync", "drift")
    except LessonsError as refused:
        return NoData(f"a source of the review log cannot be read: {refused}")
    done = consolidation.read(view.place)
    if is_due(entries, done):
        new = new_entries(entries, done)
        return _backlog_alert(
            f"{new} reviews are new since the last consolidation.", "lessons code-review consolidate", bucket(new)
        )
    active = sum(not entry.archived for entry in entries)
    if active > MOST_ACTIVE:
        return _backlog_alert(
            f"{active} reviews are active.", "lessons code-review archive", f"active {bucket(active)}"
        )
    return None


def _backlog_alert(message: str, action: str, mark: str) -> Alert:
    return Alert(id=REVIEW_BACKLOG, severity="info", message=message, action=action, mark=mark)


_LOOKS: dict[str, Callable[[View], Finding]] = {
    HOOK_SILENT: look_hook_silent,
    STALE_MANIFEST: look_stale_manifest,
    RECENT_FAULTS: look_recent_faults,
    RETURNED_MISTAKES: look_returned_mistakes,
    FALSE_ALARMS: look_false_alarms,
    WAITING_CANDIDATES: look_waiting_candidates,
    TO_LEARN: look_to_learn,
    UNCLEAN_END: look_unclean_end,
    UNCOMMITTED_WORK: look_uncommitted_work,
    REVIEW_BACKLOG: look_review_backlog,
}
IDS = tuple(_LOOKS)


class Evaluated(NamedTuple):
    """The alerts, most severe first; and the reasons for those that could not be measured."""

    alerts: list[Alert]
    no_data: dict[str, str]


def evaluate(view: View) -> Evaluated:
    """A failed check does not mean that all is well: its fault becomes the reason."""
    alerts, no_data = [], {}
    for name, look in _LOOKS.items():
        try:
            found = look(view)
        except Exception as fault:
            found = NoData(f"it cannot be looked at ({logs.describe_fault(fault)})")
        if isinstance(found, NoData):
            no_data[name] = found.reason
        elif found is not None:
            alerts.append(found)
    return Evaluated(sorted(alerts, key=lambda alert: ALERT_SEVERITIES.index(alert.severity)), no_data)
