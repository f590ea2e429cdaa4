"""A call and the lessons that fire on it in, the answer out, with everything remembered and logged."""

import time

from lessons.agents.claude_code import wire
from lessons.hook.lookup import number, setting
from lessons.inject.decide import Decision, decide
from lessons.store import injections, passes
from lessons.store.seen import Context, is_spent, spend

TYPE_CHECKING = False
if TYPE_CHECKING:
    from lessons.match.call import ToolCall
    from lessons.store.published import PublishedLesson

    Match = tuple[PublishedLesson, str]


class CallMemory(Context):
    """What this context has seen, with what the person muted or let pass."""

    def __init__(self, home: str, call: "ToolCall", scope: str) -> None:
        super().__init__(home, call.session, call.agent_id, scope)
        self._home = home
        self._document = passes.read(home)
        self._now = time.time()

    def is_muted(self, slug: str) -> bool:
        return passes.is_muted(self._document, slug, self._now)

    def has_pass(self, slug: str) -> bool:
        identifier = passes.valid_pass(self._document, slug, self._now)
        return identifier is not None and not is_spent(self._home, identifier)

    def use_pass(self, slug: str) -> bool:
        identifier = passes.valid_pass(self._document, slug, self._now)
        return identifier is not None and spend(self._home, identifier)


def act(call: "ToolCall", home: str, event: str, config: dict[str, object], matches: "list[Match]") -> str | None:
    """The same for a call that is about to run and for one that has failed."""
    memory = CallMemory(home, call, setting(config, "dedupScope"))
    budget = number(config, "injectionBudgetBytes")
    decision = decide(call, matches, memory, budget, number(config, "maxLessonsPerInjection"))
    for lesson, what, why in decision.events:
        injections.record(home, event, call, lesson, what, why)
    return rendered(decision, event)


def rendered(decision: Decision, event: str) -> str | None:
    """A decision in the client's form; None where there is nothing to say."""
    if decision.kind in ("block", "stop"):
        return wire.deny(decision.text, decision.message)
    return wire.context(event, decision.text) if decision.kind == "hint" else None
