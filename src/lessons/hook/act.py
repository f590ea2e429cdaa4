"""A call and the lessons that fire on it in, the answer out, with everything remembered and logged."""

import time

from lessons.agents.claude_code import wire
from lessons.hook.lookup import number, setting
from lessons.inject.decide import Decision, decide
from lessons.store import injections, passes
from lessons.store.claims.shown import Context, is_spent, spend

TYPE_CHECKING = False
if TYPE_CHECKING:
    from lessons.match.call import ToolCall
    from lessons.store.published import PublishedLesson

    Match = tuple[PublishedLesson, str]


class CallMemory(Context):
    """What this context has seen, with what the person muted or let pass."""

    def __init__(self, home: str, call: "ToolCall", scope: str, event: str, transcript: str) -> None:
        super().__init__(home, call.session, call.agent_id, scope)
        self._home = home
        self._document = passes.read(home)
        self._now = time.time()
        self._call, self._event, self._transcript = call, event, transcript
        self._lost: dict[str, str] = {}

    def is_muted(self, slug: str) -> bool:
        return passes.is_muted(self._document, slug, self._now)

    def has_pass(self, slug: str) -> bool:
        identifier = passes.valid_pass(self._document, slug, self._now)
        return identifier is not None and not is_spent(self._home, identifier)

    def use_pass(self, slug: str) -> bool:
        identifier = passes.valid_pass(self._document, slug, self._now)
        return identifier is not None and spend(self._home, identifier)

    def has(self, slug: str) -> bool:
        """Whether the lesson was shown here; one whose words are known to be lost was not."""
        if not super().has(slug):
            return False
        try:
            return self.is_certain(slug) or not self._is_lost(slug)
        except Exception:  # an odd transcript must not keep other lessons from acting
            return True

    def _is_lost(self, slug: str) -> bool:
        # Few calls come here: those of a lesson that this context has claimed already.
        from lessons.store.claims import redelivery

        folders = self.folders()
        noted = redelivery.note_of(folders, slug)
        if not noted:
            return False
        from lessons.agents.claude_code import delivery

        arrived = delivery.arrived(noted)
        if arrived is True:
            redelivery.settle(folders, slug)
        elif arrived is False:
            self._lost[slug] = noted
        return arrived is False

    def claim(self, slug: str, priority: int) -> bool:
        if slug not in self._lost:
            return super().claim(slug, priority)
        from lessons.store.claims import redelivery

        return redelivery.take_over(self.folders(), slug, priority, self._lost[slug], self.note())

    def note(self) -> str:
        from lessons.agents.claude_code import delivery

        return delivery.note(self._call, self._event, self._transcript)


def act(
    call: "ToolCall",
    home: str,
    event: str,
    config: dict[str, object],
    matches: "list[Match]",
    transcript: str = "",
) -> str | None:
    """The same for a call that is about to run and for one that has failed; `transcript` will tell of the call."""
    memory = CallMemory(home, call, setting(config, "dedupScope"), event, transcript)
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
