"""Before a call and after it: answers with a hint, a stop, a block, a note, a question or nothing."""

from lessons.agents.hook_event import BEFORE_CALL, Answer
from lessons.agents.table import AGENTS
from lessons.hook.lookup import guarded, matching, note_fault, wants_nothing_kept
from lessons.hook.memory import call_worked, recalled
from lessons.paths import recovery_file
from lessons.settings import number, setting, share
from lessons.system import system

TYPE_CHECKING = False
if TYPE_CHECKING:
    from lessons.agents.hook_event import HookEvent
    from lessons.hook.lookup import Config, Match
    from lessons.match.call import ToolCall


def before_call(event: "HookEvent", home: str, python: str = "") -> Answer | None:
    """Also after a failed call, about its error."""
    call = event.call
    if call is None:
        return None
    if call.command and event.kind == BEFORE_CALL and _mentions_lessons(call.command):
        from lessons.hook import own_verbs

        refused = guarded(home, event.kind, lambda: own_verbs.refusal(call))
        if refused:
            return refused
    config, matches = matching(home, event.kind, call)
    hints = event.kind != BEFORE_CALL or hints_before(event.agent)
    if not matches:
        reply = recalled(event, home, config) if hints else None
    else:
        reply = _decided(event, home, call, config, matches, hints=hints)
        reply = reply or (recalled(event, home, config) if hints and _only_shadow(matches) else None)
    if event.kind != BEFORE_CALL or not failure_waits(home, call.session):
        return reply
    from lessons.hook import recovery

    return guarded(home, event.kind, lambda: recovery.before_call(event, home, config, reply)) or reply


def _mentions_lessons(command: str) -> bool:
    """Whether the name occurs, however it is quoted: `les""sons`."""
    return "lessons" in command.replace("'", "").replace('"', "").replace("\\", "")


def failure_waits(home: str, session: str) -> bool:
    """Whether a failed call of the session waits for its fix."""
    try:
        system.stat(recovery_file(home, session))
        return True
    except (OSError, ValueError):
        return False


def _only_shadow(matches: "list[Match]") -> bool:
    """Whether no lesson answers the call: a shadow lesson is only logged."""
    return all(lesson.shadow for lesson, _ in matches)


def hints_before(agent: str) -> bool:
    """Whether text added before a call reaches the agent's model."""
    return not agent or AGENTS[agent].hints_at == BEFORE_CALL


def hints_after(event: "HookEvent", home: str) -> Answer | None:
    """Returns the hints about a call that has run, failed or not: matched as before the call."""
    call = event.call
    if call is None:
        return None
    error, call.error = call.error, None
    try:
        config, matches = matching(home, event.kind, call)
        reply = _decided(event, home, call, config, matches, denies=False) if matches else None
        return reply or (recalled(event, home, config, has_run=True) if _only_shadow(matches) else None)
    finally:
        call.error = error


def _decided(
    event: "HookEvent",
    home: str,
    call: "ToolCall",
    config: "Config",
    matches: "list[Match]",
    *,
    hints: bool = True,
    denies: bool = True,
) -> Answer | None:
    # Most calls match nothing: load the rest only now.
    from lessons.hook.call_memory import CallMemory, log_all
    from lessons.inject.decide import decide

    is_kept = not wants_nothing_kept(config, call.cwd)
    memory = CallMemory(home, event, call, setting(config, "dedupScope"), names_transcript=is_kept)
    budget, most = number(config, "injectionBudgetBytes"), number(config, "maxLessonsPerInjection")
    holdout = share(config, "holdoutRate")
    decision = decide(call, matches, memory, budget, most, holdout, hints=hints, denies=denies)
    log_all(home, event.kind, call, config, decision.events)
    return decision.answer()


def after_call(event: "HookEvent", home: str, python: str = "") -> Answer | None:
    """Adds hints that could not be shown before the call, asks about a recovery, and links commits at once."""
    # A client that does not support the condition in its settings runs this after every command.
    if "git" in event.command and "commit" in event.command:
        from lessons.hook import background

        # The transcript may not contain the call yet, so it alone would not show whose commit it is.
        background.spawn_save(event, home, python, "stop", "committed=yes")
    call = event.call
    if call is None:
        return None
    reply = None
    if not hints_before(event.agent):
        reply = hints_after(event, home)
    elif event.worked:
        call_worked(home, call)
    if reply is not None or not event.worked or not failure_waits(home, call.session):
        return reply
    from lessons.hook import recovery

    return recovery.after_call(event, home)


def after_failure(event: "HookEvent", home: str, python: str = "") -> Answer | None:
    """Shows the lessons about the error, and once a note if the error repeats."""
    from lessons.hook import recovery

    reply = before_call(event, home)
    # Hints about the call that could not be shown before it.
    hints = None if hints_before(event.agent) else hints_after(event, home)
    if hints:
        reply = Answer(context=f"{reply.context}\n\n{hints.context}") if reply else hints
    try:
        noted = _with_note(event, home, reply)
        recovery.after_failure(event, home, is_answered=reply is not None)
        return noted
    except Exception as fault:  # the lesson is more important than the note
        note_fault(home, event.kind, fault)
        return reply


def _with_note(event: "HookEvent", home: str, reply: Answer | None) -> Answer | None:
    import time

    from lessons.inject.notes import loop_note
    from lessons.store.session_failures import RecentFailures

    call = event.call
    note = loop_note(event.error, RecentFailures(home, call.session, call.agent_id, time.time())) if call else ""
    if not call or not note:
        return reply
    lessons = reply or _shown_again(event, call, home)
    return Answer(context=f"{note}\n\n{lessons.context}" if lessons else note)


def _shown_again(event: "HookEvent", call: "ToolCall", home: str) -> Answer | None:
    from lessons.hook.call_memory import Mutes, log_all
    from lessons.inject.decide import decide_again

    config, matches = matching(home, event.kind, call)
    budget, holdout = number(config, "injectionBudgetBytes"), share(config, "holdoutRate")
    decision = decide_again(call, matches, Mutes(home).is_muted, budget, holdout)
    log_all(home, event.kind, call, config, decision.events)
    return decision.answer()
