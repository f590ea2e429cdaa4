"""A call about to run, or one that has failed: what the agent is told (a hint, a stop, a block or nothing)."""

from lessons.hook.lookup import matching, number, setting

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    from lessons.agents.hook_event import Answer, HookEvent
    from lessons.match.call import ToolCall


def answer(
    event: "HookEvent", home: str, python: str = "", may_answer: "Callable[[ToolCall], bool] | None" = None
) -> "Answer | None":
    """`may_answer` is asked once a lesson fires: another process may have answered the same call."""
    call = event.call
    if call is None:
        return None
    config, matches = matching(home, event.kind, call)
    if not matches or (may_answer and not may_answer(call)):
        return None
    # Most calls end above: what acts is loaded only now.
    from lessons.hook.call_memory import CallMemory
    from lessons.hook.injection_log import log_all, wants_nothing_kept
    from lessons.inject.decide import decide

    is_kept = not wants_nothing_kept(config, call.cwd)
    memory = CallMemory(home, event, call, setting(config, "dedupScope"), names_transcript=is_kept)
    budget, most = number(config, "injectionBudgetBytes"), number(config, "maxLessonsPerInjection")
    decision = decide(call, matches, memory, budget, most)
    log_all(home, event.kind, call, config, decision.events)
    return decision.answer()
