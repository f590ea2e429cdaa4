"""The state a decision about a call needs (what was shown in its context, mutes, passes, lost texts), and its log."""

import time

from lessons.agents.table import delivery_of
from lessons.hook.lookup import wants_nothing_kept
from lessons.store import logs, passes
from lessons.store.claims import Context, is_spent, safe_name, spend

TYPE_CHECKING = False
if TYPE_CHECKING:
    from lessons.agents.base import Delivery
    from lessons.agents.hook_event import HookEvent
    from lessons.match.call import ToolCall
    from lessons.store.manifest import PublishedLesson

    Events = list[tuple[PublishedLesson, str, str]]


def log_all(home: str, event: str, call: "ToolCall", config: dict[str, object], events: "Events") -> None:
    if events and not wants_nothing_kept(config, call.cwd):
        logs.record_injections(home, event, call, events)


class Mutes:
    """What the user has muted at this moment."""

    def __init__(self, home: str) -> None:
        self._document = passes.read(home)
        self._now = time.time()

    def is_muted(self, slug: str) -> bool:
        return passes.is_muted(self._document, slug, self._now)

    def valid_pass(self, slug: str) -> str | None:
        return passes.valid_pass(self._document, slug, self._now)


class CallMemory:
    """The memory of one call, queried by `inject.decide`."""

    def __init__(
        self, home: str, event: "HookEvent", call: "ToolCall", scope: str, names_transcript: bool = True
    ) -> None:
        """`names_transcript`: a claim may name the transcript that shows whether its text arrived; else it counts as
        arrived.
        """
        self._home = home
        self._names_transcript = names_transcript
        self._event = event
        self._call = call
        self._context = Context(home, call.session, call.agent_id, scope)
        self._mutes = Mutes(home)
        self._lost: dict[str, str] = {}  # slug -> the note of the claim whose text was lost
        self.is_muted = self._mutes.is_muted

    def stops(self, slug: str, priority: int) -> bool:
        return self._context.stops(slug, priority, f"{_name_of(self._call)}\n{self._note()}", self._is_answer)

    def _is_answer(self, stopped: str) -> bool:
        """Whether this is the rerun of the noted call: the same text under another id.

        If the transcript is readable, the model must have continued since: two such calls may be in one message.
        """
        before, _, noted = stopped.partition("\n")
        stopped_id, _, stopped_text = before.partition(" ")
        identifier, _, text = _name_of(self._call).partition(" ")
        if not stopped_text or stopped_id == identifier or stopped_text != text:
            return False
        try:
            return self._delivery().is_answered(noted) is not False
        except Exception:  # a malformed transcript must not let a call pass
            return False

    def has_pass(self, slug: str) -> bool:
        identifier = self._mutes.valid_pass(slug)
        return identifier is not None and not is_spent(self._home, identifier)

    def use_pass(self, slug: str) -> bool:
        identifier = self._mutes.valid_pass(slug)
        return identifier is not None and spend(self._home, identifier)

    def has(self, slug: str) -> bool:
        """Whether the lesson was shown here; a lesson whose text is known to be lost was not."""
        if not self._context.has(slug):
            return False
        try:
            return self._context.is_certain(slug) or not self._is_lost(slug)
        except Exception:  # a malformed transcript must not prevent other lessons from acting
            return True

    def claim(self, slug: str, priority: int) -> bool:
        if slug not in self._lost:
            return self._context.claim(slug, priority, self._note())
        return self._context.take_over(slug, priority, self._lost[slug], self._note())

    def withhold(self, slug: str, priority: int) -> bool:
        """Claims a lesson that is not shown: its text cannot be lost."""
        return self._context.claim(slug, priority, "")

    def _is_lost(self, slug: str) -> bool:
        noted = self._context.note_of(slug)
        if not noted:
            return False
        arrived = self._delivery().arrived(noted)
        if arrived is True:
            self._context.settle(slug)
        elif arrived is False:
            self._lost[slug] = noted
        return arrived is False

    def _note(self) -> str:
        if not self._names_transcript:
            return ""
        return str(self._delivery().note(self._call, self._event.name, self._event.transcript))

    def _delivery(self) -> "Delivery":
        """Only the agent's own transcript shows whether a text arrived."""
        return delivery_of(self._event.agent)


def _name_of(call: "ToolCall") -> str:
    """Returns the id of a call and a digest of its text (not stored); empty if the agent gives no id."""
    if not call.tool_use_id:
        return ""
    texts = (call.names[0], call.cwd, call.command or "", *call.paths, call.content or "", *call.strings)
    data = "\0".join(texts).encode("utf-8", "surrogatepass") + b"\1"
    return f"{safe_name(call.tool_use_id)} {int.from_bytes(data, 'little') % (2**127 - 1):x}"
