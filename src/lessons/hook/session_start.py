"""A session that starts, resumes, forks, is cleared or compacted: its memory is prepared, and its first words given."""

import time

from lessons.continuity import restore
from lessons.hook import background, session_worker
from lessons.hook.call_memory import Mutes
from lessons.hook.injection_log import log_all
from lessons.hook.lookup import look_at_state, number, session_start_lessons, switch
from lessons.inject.session_start import RESTORED, decide_start, start_of
from lessons.store import faults, fired, manifest
from lessons.store.claims import session_facts, session_memory
from lessons.store.excluded import is_excluded, published_patterns
from lessons.store.project_state.state_paths import StatePaths

TYPE_CHECKING = False
if TYPE_CHECKING:
    from lessons.agents.hook_event import Answer, HookEvent
    from lessons.inject.session_start import Start


def answer(event: "HookEvent", home: str, python: str = "") -> "Answer | None":
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
    return decision.answer()


def _prepare_memory(event: "HookEvent", home: str, start: "Start", threshold: int) -> None:
    if start.forgets:
        session_memory.forget_session(home, event.session_key)
        session_memory.forget_old_sessions(home, time.time())
        fired.forget_tellings(home)
    if start.rearms:
        session_memory.rearm_above(home, event.session_key, threshold, event.agent_id)
    session_facts.remember_model(home, event.session_key, event.model)


def _earlier(event: "HookEvent", home: str, start: "Start") -> str:
    """What is known of work done before; whatever is wrong with that, the session gets all the rest."""
    # A subagent's compacted context held nothing of what the session itself was doing.
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
