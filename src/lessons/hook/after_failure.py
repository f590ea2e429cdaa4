"""After a failed call: shows the lessons about its error, and once a note if the error repeats."""

import time

from lessons.agents.hook_event import Answer
from lessons.hook import before_call
from lessons.hook.lookup import matching, number, share
from lessons.inject.loop import loop_note
from lessons.store.claims.failures import RecentFailures

TYPE_CHECKING = False
if TYPE_CHECKING:
    from lessons.agents.hook_event import HookEvent
    from lessons.match.call import ToolCall


def answer(event: "HookEvent", home: str, python: str = "") -> Answer | None:
    reply = _with_hints(event, home, before_call.answer(event, home))
    try:
        return _with_note(event, home, reply)
    except Exception as fault:  # the lesson is more important than the note
        from lessons.store import faults

        faults.record(home, event.kind, faults.describe(fault))
        return reply


def _with_hints(event: "HookEvent", home: str, reply: Answer | None) -> Answer | None:
    """Joins the lessons about the error with hints about the call that could not be shown before it."""
    hints = None if before_call.hints_before(event.agent) else before_call.hints_after(event, home)
    if reply is None or hints is None:
        return reply or hints
    return Answer(context=f"{reply.context}\n\n{hints.context}")


def _with_note(event: "HookEvent", home: str, reply: Answer | None) -> Answer | None:
    call = event.call
    note = loop_note(event.error, RecentFailures(home, call.session, call.agent_id, time.time())) if call else ""
    if not call or not note:
        return reply
    lessons = reply or _shown_again(event, call, home)
    return Answer(context=f"{note}\n\n{lessons.context}" if lessons else note)


def _shown_again(event: "HookEvent", call: "ToolCall", home: str) -> Answer | None:
    # Few failures get here; the others do not load this code.
    from lessons.hook.call_memory import Mutes
    from lessons.hook.injection_log import log_all
    from lessons.inject.decide import decide_again

    config, matches = matching(home, event.kind, call)
    budget, holdout = number(config, "injectionBudgetBytes"), share(config, "holdoutRate")
    decision = decide_again(call, matches, Mutes(home).is_muted, budget, holdout)
    log_all(home, event.kind, call, config, decision.events)
    return decision.answer()
