"""A call that has failed in, the lessons about its error out, at once, and once a word when it keeps coming."""

import time

from lessons.agents.claude_code import wire
from lessons.continuity import loop
from lessons.hook import pre_tool_use

TYPE_CHECKING = False
if TYPE_CHECKING:
    from lessons.match.call import ToolCall

EVENT = "PostToolUseFailure"


def answer(payload: dict[str, object], home: str) -> str | None:
    error = wire.text(payload, "error")
    if not error or payload.get("is_interrupt") is True:
        return None
    said = pre_tool_use.answer(payload, home, EVENT, error)
    try:
        return _with_note(payload, home, error, said)
    except Exception as fault:  # the lesson is worth more than the note
        from lessons.store import faults

        faults.record(home, EVENT, faults.describe(fault))
        return said


def _with_note(payload: dict[str, object], home: str, error: str, said: str | None) -> str | None:
    call = wire.tool_call(payload, error)
    note = loop.note(home, call.session, call.agent_id, error, time.time()) if call else ""
    if not call or not note:
        return said
    words = wire.context_in(said) if said else _lesson(call, home)
    return wire.context(EVENT, f"{note}\n\n{words}" if words else note)


def _lesson(call: "ToolCall", home: str) -> str:
    """The one that is about the error, although this context had it before: it did not help, or was lost."""
    from lessons.hook.lookup import matching, number
    from lessons.inject import words
    from lessons.inject.budget import fill
    from lessons.inject.decide import in_order
    from lessons.store import injections, passes

    config, matches = matching(home, EVENT, call)
    document, now = passes.read(home), time.time()
    acting = [
        (lesson, why)
        for lesson, why in in_order(matches)
        if not lesson.shadow and not passes.is_muted(document, lesson.slug, now)
    ]
    text, shown = fill(words.heading(call), acting, number(config, "injectionBudgetBytes"), 1, lambda lesson: True)
    for lesson, why in shown:
        injections.record(home, EVENT, call, lesson, "hint", why)
    return text
