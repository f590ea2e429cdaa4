"""Before a call, or after a failed one: answers with a hint, a stop, a block or nothing."""

from lessons.agents.hook_event import BEFORE_CALL
from lessons.agents.table import wire_of
from lessons.hook.lookup import matching, number, setting, share
from lessons.hook.memory import recalled

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    from lessons.agents.hook_event import Answer, HookEvent
    from lessons.hook.lookup import Config, Match
    from lessons.match.call import ToolCall


def answer(
    event: "HookEvent", home: str, python: str = "", may_answer: "Callable[[ToolCall], bool] | None" = None
) -> "Answer | None":
    """Asks `may_answer` once a lesson fires: another process may have answered the same call."""
    call = event.call
    if call is None:
        return None
    config, matches = matching(home, event.kind, call)
    hints = event.kind != BEFORE_CALL or hints_before(event.agent)
    if not matches:
        return recalled(event, home, config, may_answer) if hints else None
    if may_answer and not may_answer(call):
        return None
    reply = _decided(event, home, call, config, matches, hints=hints)
    return reply or (recalled(event, home, config) if hints and _only_shadow(matches) else None)


def _only_shadow(matches: "list[Match]") -> bool:
    """Whether no lesson answers the call: a shadow lesson is only logged."""
    return all(lesson.shadow for lesson, _ in matches)


def hints_before(agent: str) -> bool:
    """Whether text added before a call reaches the agent's model."""
    return not agent or wire_of(agent).HINTS_AT == BEFORE_CALL


def hints_after(event: "HookEvent", home: str) -> "Answer | None":
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
) -> "Answer | None":
    # Most calls match nothing: load the rest only now.
    from lessons.hook.call_memory import CallMemory
    from lessons.hook.injection_log import log_all, wants_nothing_kept
    from lessons.inject.decide import decide

    is_kept = not wants_nothing_kept(config, call.cwd)
    memory = CallMemory(home, event, call, setting(config, "dedupScope"), names_transcript=is_kept)
    budget, most = number(config, "injectionBudgetBytes"), number(config, "maxLessonsPerInjection")
    holdout = share(config, "holdoutRate")
    decision = decide(call, matches, memory, budget, most, holdout, hints=hints, denies=denies)
    log_all(home, event.kind, call, config, decision.events)
    return decision.answer()
