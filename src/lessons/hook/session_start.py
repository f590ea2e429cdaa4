"""At session start, resume, fork, clear and compaction: prepares the session's memory and its first text."""

import time

from lessons.agents.hook_event import Answer
from lessons.continuity import restore
from lessons.hook import background, session_worker
from lessons.hook.call_memory import Mutes
from lessons.hook.injection_log import log_all
from lessons.hook.lookup import look_at_state, number, session_start_lessons, switch
from lessons.inject.session_start import RESTORED, decide_start, line_for_person, message_of, start_of
from lessons.store import faults, fired, manifest, person_lines, prepared_briefing
from lessons.store.claims import session_facts, session_memory
from lessons.store.excluded import is_excluded, published_patterns
from lessons.store.project_state.state_paths import StatePaths

_CLOCK_SECONDS = 60  # how far the clock of a file system may lag

TYPE_CHECKING = False
if TYPE_CHECKING:
    from lessons.agents.hook_event import HookEvent
    from lessons.inject.session_start import Start


def answer(event: "HookEvent", home: str, python: str = "") -> Answer | None:
    start = start_of(event.source)
    if python:
        background.rebuild_if_stale(home, python)
    try:
        config, lessons = session_start_lessons(home)
    except manifest.UnusableManifest as fault:
        faults.record(home, event.kind, f"lesson-manifest.json is unusable ({fault}); run `lessons build`")
        config, lessons = {}, []
    _prepare_memory(event, home, start, number(config, "compactionReinjectionThreshold"))
    if python and start.scans:
        background.scan_if_due(home, python, config)
    if start.begins and not is_excluded(published_patterns(config), event.cwd):
        session_worker.fix_root(event, home)
        session_worker.spawn_begin(event, home, python)
    if not start.protocol or event.call is None:
        return None
    look_at_state(event.call, lessons)
    earlier = _earlier(event, home, start)
    budget = number(config, "injectionBudgetBytes")
    protocol = switch(config, "lessonProtocol")
    decision = decide_start(start, event.call, lessons, Mutes(home).is_muted, budget, earlier, protocol)
    log_all(home, event.kind, event.call, config, decision.events)
    reply, message = decision.answer(), _for_person(event, home, python, config) if start.tells else ""
    return (reply or Answer()).with_message(message) if message else reply


def _for_person(event: "HookEvent", home: str, python: str, config: dict[str, object]) -> str:
    """Returns at most one line per session: alerts first, other lines wait for another session."""
    return message_of(_alerts(event, home, python, config)) or _line_that_is_due(home, config)


def _line_that_is_due(home: str, config: dict[str, object]) -> str:
    """Returns no line if the mark in `fired/` cannot be set, rather than one at each session."""
    lines, now = person_lines.read(home), time.time()
    if not lines:
        return ""
    name = line_for_person(lines, lambda key: switch(config, key), lambda each: fired.last(home, _mark(each)), now)
    if not name:
        return ""
    fired.touch(home, _mark(name))
    marked = fired.last(home, _mark(name))
    return lines[name].text if marked is not None and marked > now - _CLOCK_SECONDS else ""


def _mark(line: str) -> str:
    return f"line.{line}"


def _prepare_memory(event: "HookEvent", home: str, start: "Start", threshold: int) -> None:
    if start.forgets:
        session_memory.forget_session(home, event.session_key)
        session_memory.forget_old_sessions(home, time.time())
        fired.forget_warnings(home)
    if start.rearms:
        session_memory.rearm_above(home, event.session_key, threshold, event.agent_id)
    session_facts.remember_model(home, event.session_key, event.model)


def _alerts(event: "HookEvent", home: str, python: str, config: dict[str, object]) -> tuple[str, ...]:
    """Returns the alerts prepared in the background, each shown to one session only; prepares the next ones."""
    if event.agent_id or not event.cwd or is_excluded(published_patterns(config), event.cwd):
        return ()
    root = session_worker.root_of(event, home)
    alerts = tuple(prepared_briefing.take(StatePaths(home, each).own) for each in (home, root))
    if python and session_worker.is_folder(root):
        background.look_for_alerts_if_due(home, python, StatePaths(home, root), any(alerts))
    return alerts


def _earlier(event: "HookEvent", home: str, start: "Start") -> str:
    """Returns what is known about earlier work; on any fault the session still gets everything else."""
    # A subagent's compacted context did not contain the work of the session itself.
    if not start.earlier or not event.session or not event.cwd or event.agent_id:
        return ""
    try:
        place = StatePaths(home, session_worker.root_of(event, home))
        if start.earlier == RESTORED:
            return restore.after_compaction(place, event.session)
        return restore.offer(place, event.session, time.time())
    except Exception as fault:
        faults.record(home, event.kind, faults.describe(fault))
        return ""
