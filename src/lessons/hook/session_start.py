"""A session that starts, resumes, forks, is cleared or compacted in, the words it begins with out."""

import time

from lessons.agents.claude_code import wire
from lessons.continuity import restore
from lessons.hook import background, session_worker
from lessons.hook.lookup import number, session_start_lessons
from lessons.inject import protocol
from lessons.inject.budget import fill
from lessons.inject.decide import in_order
from lessons.match.call import ToolCall
from lessons.match.rule import conditions_hold, in_project
from lessons.store import faults, fired, injections, manifest, passes
from lessons.store.claims import session_memory
from lessons.store.project_state.state_paths import StatePaths
from lessons.store.published import PublishedLesson

EVENT = "SessionStart"
# What each source of a session asks for: a fresh memory, which protocol, a scan in the background.
_FRESH = ("startup", "clear")
_SCANS = ("startup", "resume", "fork")


def answer(payload: dict[str, object], home: str, python: str = "", client: str = "") -> str | None:
    source = wire.text(payload, "source") or "startup"
    session = wire.session_of(payload)
    if python:
        background.rebuild_if_stale(home, python)
    try:
        config, lessons = session_start_lessons(home)
    except manifest.UnusableManifest as fault:
        faults.record(home, EVENT, f"lesson-manifest.json is unusable ({fault}); run `lessons build`")
        config, lessons = {}, []
    if source in _FRESH:
        session_memory.forget_session(home, session)
        session_memory.forget_old_sessions(home, time.time())
        fired.forget_tellings(home)
    elif source == "compact":
        threshold = number(config, "compactionReinjectionThreshold")
        session_memory.rearm_above(home, session, threshold, wire.text(payload, "agent_id"))
    session_memory.remember_model(home, session, wire.text(payload, "model"))
    if python and source in _SCANS:
        background.scan_if_due(home, python, config)
    if source != "compact":
        session_worker.fix_root(payload, home)
        session_worker.start_begin(payload, home, python, client)
    if source not in (*_FRESH, "compact"):
        return None
    call = wire.tool_call({**payload, "tool_name": EVENT, "tool_input": {}})
    assert call is not None
    words = protocol.FULL if source in _FRESH else protocol.SHORT
    said = (
        _earlier(payload, home) if source == "compact" else "",
        _with_lessons(words, call, home, config, lessons),
        _earlier(payload, home) if source == "startup" else "",
    )
    return wire.context(EVENT, "\n\n".join(part for part in said if part))


def _earlier(payload: dict[str, object], home: str) -> str:
    """What is known of work done before; whatever is wrong with that, the session gets all the rest."""
    session = wire.text(payload, "session_id")
    # A subagent's compacted context held nothing of what the session itself was doing.
    if not session or not wire.text(payload, "cwd") or wire.text(payload, "agent_id"):
        return ""
    try:
        place = StatePaths(home, session_worker.root_of(payload, home))
        if wire.text(payload, "source") == "compact":
            return restore.after_compaction(place, session)
        return restore.offer(place, session, time.time())
    except Exception as fault:
        faults.record(home, EVENT, faults.describe(fault))
        return ""


def _with_lessons(
    words: str, call: ToolCall, home: str, config: dict[str, object], lessons: list[PublishedLesson]
) -> str:
    document = passes.read(home)
    now = time.time()
    wanted = []
    for lesson, why in in_order([(lesson, "sessionStart") for lesson in lessons]):
        if passes.is_muted(document, lesson.slug, now):
            continue
        if not conditions_hold(lesson.rule.when, call) or not in_project(lesson.rule.projects, call.cwd):
            continue
        if lesson.shadow:
            injections.record(home, EVENT, call, lesson, "shadow", why)
        else:
            wanted.append((lesson, why))
    budget = number(config, "injectionBudgetBytes")
    text, shown = fill(words, wanted, budget, len(wanted), lambda lesson: True)
    for lesson, why in shown:
        injections.record(home, EVENT, call, lesson, "hint", why)
    return text or words
