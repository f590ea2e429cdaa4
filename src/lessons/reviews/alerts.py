"""The alerts: what a person should look at, one function each, and what could not be measured."""

import time
from collections import Counter
from collections.abc import Callable, Iterable
from datetime import UTC, datetime, timedelta
from functools import cached_property
from typing import NamedTuple, TypeAlias, TypeVar

from lessons import paths
from lessons.agents.hook_event import BEFORE_CALL, SESSION_END, SESSION_START, TURN_END
from lessons.agents.table import DEFAULT_AGENT
from lessons.candidate import StoredCandidate
from lessons.errors import LessonsError
from lessons.opportunity import Opportunity
from lessons.project_state import ALERT_SEVERITIES, Alert, SessionState, Severity, seconds, time_of
from lessons.reviews.consolidate import is_due, new_entries
from lessons.reviews.file_check import REMOVE_ABOVE, REVIEW_ABOVE
from lessons.reviews.review_log import MOST_ACTIVE, has_drifted
from lessons.store import fired, logs, manifest
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


class Raised(NamedTuple):
    """What is wrong, and what to do about it; `mark` is that of the Alert."""

    message: str
    action: str
    mark: str = ""


# None: all is well.
Finding: TypeAlias = Raised | NoData | None


class View:
    """Reads each thing at most once; opens the history only if an alert needs it."""

    def __init__(
        self,
        place: StatePaths,
        now: float,
        uncommitted: Callable[[str], int | None],
        hooked: Callable[[], dict[str, float]],
        closed: Callable[[History, Iterable[StoredCandidate]], set[str]],
    ) -> None:
        self.place, self.home, self.now = place, place.home, now
        self.uncommitted = uncommitted  # files in a repository; None: unknown
        self.closed = closed  # the candidates that a lesson answers
        self.hooked = hooked  # agents whose settings have the hook -> when that file last changed

    @cached_property
    def latest_session(self) -> SessionState | None:
        return session_states.read_latest(self.place)

    def last_record(self, agent: str, since: float) -> str:
        """Returns the time of the newest record in a session of the agent that began later; empty if there is none."""
        began = time_of(datetime.fromtimestamp(since, UTC))
        return self.of_history(lambda history: history.sessions.last_time(agent, began)) or ""

    @cached_property
    def opportunities(self) -> list[Opportunity]:
        return self.of_history(lambda history: history.ledger.opportunities()) or []

    def of_history(self, ask: Callable[[History], Value]) -> Value | None:
        try:
            with History.for_reading(self.home) as history:
                return ask(history)
        except LessonsError:
            return None


def _bucket(number: int, lessons: int = 1) -> str:
    """Returns the same for numbers of about the same size: a doubled number or one more lesson counts as new."""
    return f"{_MOST_BITS * (lessons - 1) + number.bit_length()}"


def _about_worst(counts: Counter[str], most: int, sentence: str, action: Callable[[int], str]) -> Finding:
    """Raises the alert about the lesson with the highest count, if that is above `most`; counts the others above it."""
    slug, number = min(counts.items(), key=lambda each: (-each[1], each[0]), default=("", 0))
    if number <= most:
        return None
    others = sum(count > most for count in counts.values()) - 1
    more = f"; the same holds for {others} more lesson{'s' * (others != 1)}" if others else ""
    return Raised(
        f"{sentence.format(slug, number)}{more}.", f"{action(number)} {slug}", f"{slug} {_bucket(number, 1 + others)}"
    )


def _days_ago(view: View, days: int) -> str:
    return f"{datetime.fromtimestamp(view.now, UTC) - timedelta(days=days):%Y-%m-%dT%H:%M:%SZ}"


_EVENTS = (SESSION_START, BEFORE_CALL, TURN_END, SESSION_END)
_SLACK_SECONDS = 3600


def _hook_silent(view: View) -> Finding:
    """Checks agents whose settings have the hook; a plugin installs the default agent's hook without settings."""
    moments = [moment for event in _EVENTS if (moment := fired.last(view.home, event)) is not None]
    last, hooked = max(moments, default=None), view.hooked()
    if last is None and not hooked:
        return NoData("no hook is installed, and none has fired")
    newest = 0.0  # end of the newest session that should have fired the hook
    for agent, installed in (hooked or {DEFAULT_AGENT: 0.0}).items():
        since = max(installed, last or 0.0)
        end = seconds(view.last_record(agent, since))
        # A session that was open before uses the settings that it started with, so only later ones count.
        newest = max(newest, end if end > since + _SLACK_SECONDS else 0.0)
    if not newest:
        return NoData("the hook is installed and has not fired yet") if last is None else None
    silent = "never fired" if last is None else f"not fired since {time.strftime('%Y-%m-%d', time.localtime(last))}"
    until = f"{datetime.fromtimestamp(newest, UTC):%Y-%m-%d}"
    return Raised(f"The hook has {silent}, although sessions ran until {until}.", "lessons doctor", silent)


def _stale_manifest(view: View) -> Finding:
    sources = manifest.sources(view.home)
    if sources[0] == (0, 0):
        return NoData("there are no lessons yet")
    stamp = manifest.stamp(view.home)
    if stamp is None:
        return Raised("The lessons are not built, so none fires.", "lessons build")
    try:
        if tuple(HookIndex(paths.hook_index_file(view.home), stamp).head["sources"]) == sources:
            return None
    except Exception:  # the index is unusable: a build creates a new one
        return Raised("The published lessons cannot be compared with lessons.json.", "lessons build")
    return Raised("lessons.json has changed since the last build: the hook uses older lessons.", "lessons build")


_FAULT_DAYS = 7


def _recent_faults(view: View) -> Finding:
    since = _days_ago(view, _FAULT_DAYS)
    number = sum(line >= since for line in logs.read_faults(view.home))
    if not number:
        return None
    message = f"{number} fault{'s' * (number != 1)} logged in the last {_FAULT_DAYS} days."
    return Raised(message, "lessons doctor", _bucket(number))


_RETURN_DAYS = 14


def _returned_mistakes(view: View) -> Finding:
    """Ignores shadow lessons and held-out calls, which showed nothing. Once may be chance."""
    if not view.opportunities:
        return NoData("no lesson has had an opportunity yet")
    since = _days_ago(view, _RETURN_DAYS)
    ignored = Counter(
        each.slug
        for each in view.opportunities
        if each.time >= since and each.is_active and each.outcome in ("ignoredFailed", "stoppedRepeated")
    )
    made = f"The mistake of {{}} was made {{}} times in {_RETURN_DAYS} days although its lesson was shown"
    return _about_worst(ignored, 1, made, lambda number: "lessons stats")


def _false_alarms(view: View) -> Finding:
    if not view.opportunities:
        return NoData("no lesson has had an opportunity yet")
    counts = Counter(each.slug for each in view.opportunities if each.outcome == "falseAlarm")
    fired = "{} fired on {} calls that were right"
    return _about_worst(counts, REVIEW_ABOVE, fired, lambda n: f"lessons {'archive' if n > REMOVE_ABOVE else 'edit'}")


def _waiting_candidates(view: View) -> Finding:
    def count(history: History) -> int:
        found = history.candidates.recurring()
        return len(found - view.closed(history, history.candidates.named(found)))

    waiting = view.of_history(count)
    if not waiting:
        return NoData("no transcript was read yet") if waiting is None else None
    number = "1 candidate" if waiting == 1 else f"{waiting:,} candidates"
    message = f"{number} seen in two sessions or more {'waits' if waiting == 1 else 'wait'} for review."
    return Raised(message, "lessons review", _bucket(waiting))


def _to_learn(view: View) -> Finding:
    """Counts failed calls that no lesson answers, as of the last scan."""
    counted = view.of_history(lambda history: history.answers.to_learn())
    if counted is None:
        return NoData("no transcript was read yet")
    failures = counted.failures
    message = f"{failures:,} failures in your history have no lesson yet."
    return Raised(message, "lessons learn", _bucket(failures)) if failures else None


def _unclean_end(view: View) -> Finding:
    state = view.latest_session
    if state is None:
        return NoData("no session of this project is known")
    if state.ended_at is None and state.process > 0 and not is_alive(state.process):
        started_at = state.started_at
    elif state.previous and state.previous.unclean_end:
        started_at = state.previous.started_at
    else:
        return None
    # The verb that has something to show: not every session leaves a handoff.
    action = "lessons handoff list" if handoffs.read_latest(view.place) else "lessons session"
    return Raised(f"The session of {started_at[:16].replace('T', ' ')} ended unexpectedly.", action, started_at)


def _uncommitted_work(view: View) -> Finding:
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
    return Raised(message, "git status", handoff.timestamp[:10])


def _review_backlog(view: View) -> Finding:
    """Reports the most urgent of the three."""
    entries = review_log.read(view.place)
    if not entries:
        return NoData("no review was logged in this project")
    try:
        if has_drifted(view.place):
            return Raised("The review log differs from its sources.", "lessons code-review sync", "drift")
    except LessonsError as refused:
        return NoData(f"a source of the review log cannot be read: {refused}")
    done = consolidation.read(view.place)
    if is_due(entries, done):
        new = new_entries(entries, done)
        message = f"{new} reviews are new since the last consolidation."
        return Raised(message, "lessons code-review consolidate", _bucket(new))
    active = sum(not entry.archived for entry in entries)
    if active <= MOST_ACTIVE:
        return None
    return Raised(f"{active} reviews are active.", "lessons code-review archive", f"active {_bucket(active)}")


class AlertKind(NamedTuple):
    severity: Severity
    look: Callable[[View], Finding]
    of_project: bool = False
    at_start: bool = True


_KINDS = {
    "hook-silent": AlertKind("error", _hook_silent),
    "stale-manifest": AlertKind("warning", _stale_manifest),
    "faults": AlertKind("warning", _recent_faults),
    "mistake-returned": AlertKind("warning", _returned_mistakes),
    "false-alarms": AlertKind("warning", _false_alarms),
    "candidates-waiting": AlertKind("info", _waiting_candidates),
    # A session start has a line of its own about this, once a week.
    "failures-to-learn-from": AlertKind("info", _to_learn, at_start=False),
    "unclean-end": AlertKind("info", _unclean_end, of_project=True),
    "uncommitted-work": AlertKind("info", _uncommitted_work, of_project=True),
    "review-backlog": AlertKind("info", _review_backlog, of_project=True),
}
IDS = tuple(_KINDS)


class Evaluated(NamedTuple):
    """The alerts, most severe first; and the reasons for those that could not be measured."""

    alerts: list[Alert]
    no_data: dict[str, str]


def evaluate(view: View) -> Evaluated:
    """A failed check does not mean that all is well: its fault becomes the reason."""
    alerts, no_data = [], {}
    for name, kind in _KINDS.items():
        try:
            found = kind.look(view)
        except Exception as fault:
            found = NoData(f"it cannot be looked at ({logs.describe_fault(fault)})")
        if isinstance(found, NoData):
            no_data[name] = found.reason
        elif found is not None:
            alerts.append(
                Alert(
                    id=name,
                    severity=kind.severity,
                    message=found.message,
                    action=found.action,
                    mark=found.mark,
                    of_project=kind.of_project,
                    at_start=kind.at_start,
                )
            )
    return Evaluated(sorted(alerts, key=lambda alert: ALERT_SEVERITIES.index(alert.severity)), no_data)
