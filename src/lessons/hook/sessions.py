"""At the start and end of a session, a subagent and a turn, and before a compaction."""

import time

from lessons.agents.hook_event import Answer
from lessons.continuity import restore
from lessons.hook import background
from lessons.hook.call_memory import Mutes, log_all
from lessons.hook.calls import failure_waits
from lessons.hook.lookup import guarded, look_at_state, session_start_lessons
from lessons.inject.session_start import (
    NO_ROOM,
    RESTORED,
    SHORT_PROTOCOL,
    decide_start,
    dropped_of,
    line_for_person,
    message_of,
    no_room,
    start_of,
)
from lessons.settings import number, protocol, switch
from lessons.store import claims, fired, logs, manifest, session_start_files
from lessons.store.state_paths import StatePaths, fields_of, is_excluded, published_patterns
from lessons.store.state_paths import number as number_in

_CLOCK_SECONDS = 60  # how far the clock of a file system may lag
_WAIT_SECONDS = 2.5  # slower work continues in the background: a compaction must not wait longer
_LONGEST_REASON = 100

TYPE_CHECKING = False
if TYPE_CHECKING:
    from lessons.agents.hook_event import HookEvent
    from lessons.inject.session_start import Start


def session_start(event: "HookEvent", home: str, python: str = "") -> Answer | None:
    """At start, resume, fork, clear and compaction: prepares the session's memory and its first text."""
    start = start_of(event.source)
    if python:
        background.rebuild_if_stale(home, python)
    try:
        config, lessons = session_start_lessons(home)
    except manifest.UnusableManifest as fault:
        logs.record_fault(home, event.kind, f"lesson-manifest.json is unusable ({fault}); run `lessons build`")
        config, lessons = {}, []
    _prepare_memory(event, home, start, number(config, "compactionReinjectionThreshold"))
    if python and start.scans:
        background.scan_if_due(home, python, config)
    if start.begins and not is_excluded(published_patterns(config), event.cwd):
        background.fix_root(event, home)
        background.spawn_begin(event, home, python)
    if not start.protocol or event.call is None:
        return None
    look_at_state(event.call, lessons)
    earlier = guarded(home, event.kind, lambda: _earlier(event, home, start)) or ""
    budget = number(config, "injectionBudgetBytes")
    always = protocol(config) == "always"
    decision = decide_start(start, event.call, lessons, Mutes(home).is_muted, budget, earlier, always)
    log_all(home, event.kind, event.call, config, decision.events)
    reply, message = decision.answer(), ""
    if start.tells:  # at most one line per session: alerts first, other lines wait for another session
        no_place = no_room(dropped_of(decision))
        message = message_of(_alerts(event, home, python, config)) or _line_that_is_due(home, config, no_place)
    return (reply or Answer()).with_message(message) if message else reply


def _line_that_is_due(home: str, config: dict[str, object], no_place: str) -> str:
    """Returns no line if the mark in `fired/` cannot be set, rather than one at each session."""
    lines, now = session_start_files.read_person_lines(home), time.time()
    if no_place:
        lines[NO_ROOM] = session_start_files.PersonLine(f"lessons: {no_place}", now)
    if not lines:
        return ""
    name = line_for_person(lines, lambda key: switch(config, key), lambda each: fired.last(home, f"line.{each}"), now)
    if not name:
        return ""
    fired.touch(home, f"line.{name}")
    marked = fired.last(home, f"line.{name}")
    return lines[name].text if marked is not None and marked > now - _CLOCK_SECONDS else ""


def _prepare_memory(event: "HookEvent", home: str, start: "Start", threshold: int) -> None:
    if start.forgets:
        claims.forget_session(home, event.session_key)
        claims.forget_old_sessions(home, time.time())
        fired.forget_warnings(home)
    if start.rearms:
        claims.rearm_above(home, event.session_key, threshold, event.agent_id)
    claims.remember(home, event.session_key, "model", event.model)


def _alerts(event: "HookEvent", home: str, python: str, config: dict[str, object]) -> tuple[str, ...]:
    """Returns the alerts prepared in the background, each shown to one session only; prepares the next ones."""
    if event.agent_id or not event.cwd or is_excluded(published_patterns(config), event.cwd):
        return ()
    root = background.root_of(event, home)
    alerts = tuple(session_start_files.take_briefing(StatePaths(home, each).own) for each in (home, root))
    if python and background.is_folder(root):
        background.look_for_alerts_if_due(home, python, StatePaths(home, root), any(alerts))
    return alerts


def _earlier(event: "HookEvent", home: str, start: "Start") -> str:
    """Returns what is known about earlier work."""
    # A subagent's compacted context did not contain the work of the session itself.
    if not start.earlier or not event.session or not event.cwd or event.agent_id:
        return ""
    place = StatePaths(home, background.root_of(event, home))
    if start.earlier == RESTORED:
        return restore.after_compaction(place, event.session)
    return restore.offer(place, event.session, time.time())


def subagent_start(event: "HookEvent", home: str, python: str = "") -> Answer | None:
    """With the setting `always`, shows the short protocol: a subagent's context has nothing of its parent's."""
    try:
        config, _ = session_start_lessons(home)
    except manifest.UnusableManifest:  # reported at session start
        config = {}
    return Answer(context=SHORT_PROTOCOL) if protocol(config) == "always" else None


def before_compaction(event: "HookEvent", home: str, python: str = "") -> Answer:
    """Saves what the session was doing, and tells the summariser what to keep."""
    # If a subagent's own context is compacted, the context of the session stays unchanged.
    if not event.agent_id and background.wait_for(
        background.spawn_save(event, home, python, "pre-compact"), _WAIT_SECONDS
    ):
        logs.record_fault(
            home, event.kind, "what the session was doing could not be kept: `lessons handoff save` tells why"
        )
    return Answer(context=restore.SUMMARISER_WORDS)


def turn_end(event: "HookEvent", home: str, python: str = "") -> Answer | None:
    """Saves in the background what was done, warns the user once, and asks about a recovery."""
    if not event.session:
        return None
    folder = StatePaths(home, background.root_of(event, home)).session(event.session)
    # Saved after an earlier turn; shown once each time it becomes due.
    tracking = fields_of(folder + "/context-tracking-state.json")
    warning = restore.many_files_read(tracking)
    if warning and not claims.claim_notice(home, event.session, f"many-files {number_in(tracking, 'lastReset')}"):
        warning = ""
    background.spawn_save(event, home, python, "stop", *(["warned=yes"] if warning else []))
    reply = None
    if failure_waits(home, event.session):
        from lessons.hook import recovery

        reply = guarded(home, event.kind, lambda: recovery.at_turn_end(event, home))
    return (reply or Answer()).with_message(warning) if warning else reply


def session_end(event: "HookEvent", home: str, python: str = "") -> None:
    """Saves in the background what the session was doing and why it ended."""
    # Also of a session without a transcript, which had no messages.
    if python and event.session and background.is_folder(background.root_of(event, home)):
        transcript = (f"transcript={event.transcript}",) if background.size_of(event.transcript) > 0 else ()
        reason = f"reason={event.reason[:_LONGEST_REASON] or 'other'}"
        background.spawn(event, home, python, "end", *transcript, reason, background.now())
