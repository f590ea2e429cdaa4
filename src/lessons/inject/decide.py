"""The lessons that fire on a call and a memory in, what is to be done and said out.

Block wins over stop, stop over hint. On a denial only the lesson that denies is claimed: the others wait for the
rerun. A lesson in shadow is noted and does nothing.
"""

from lessons.inject import words
from lessons.inject.budget import fill

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Protocol

    from lessons.match.call import ToolCall
    from lessons.store.published import PublishedLesson

    Match = tuple[PublishedLesson, str]

    class Memory(Protocol):
        """What the decision has to know of other calls; each answer may also change what is remembered."""

        def is_muted(self, slug: str) -> bool: ...
        def has_pass(self, slug: str) -> bool: ...
        def use_pass(self, slug: str) -> bool: ...
        def stops(self, slug: str, priority: int) -> bool: ...
        def has(self, slug: str) -> bool: ...
        def claim(self, slug: str, priority: int) -> bool: ...


class Decision:
    """`kind` is none, shadow, hint, stop or block; `events` tells for each lesson what happened to it and why."""

    __slots__ = ("events", "kind", "message", "text")

    def __init__(self) -> None:
        self.kind = "none"
        self.text = ""
        self.message = ""
        self.events: list[tuple[PublishedLesson, str, str]] = []

    def deny(self, kind: str, lesson: "PublishedLesson", why: str, text: str, message: str) -> "Decision":
        self.kind, self.text, self.message = kind, text, message
        self.events.append((lesson, kind, why))
        return self


def in_order(matches: "list[Match]") -> "list[Match]":
    """Highest priority first; the slug decides between equals."""
    return sorted(matches, key=lambda match: (-match[0].priority, match[0].slug))


def decide(call: "ToolCall", matches: "list[Match]", memory: "Memory", budget: int, most: int) -> Decision:
    """What happens at a call; one that has failed already can only be taught about."""
    decision = Decision()
    acting = []
    for lesson, why in in_order(matches):
        if memory.is_muted(lesson.slug):
            continue
        if lesson.shadow:
            decision.kind = "shadow"
            decision.events.append((lesson, "shadow", why))
        else:
            acting.append((lesson, why))
    if call.error is None and _deny(decision, call, acting, memory):
        return decision
    hints = [match for match in acting if match[0].kind == "hint" or call.error is not None]
    decision.text, shown = fill(
        words.heading(call),
        [match for match in hints if not memory.has(match[0].slug)],
        budget,
        most,
        lambda lesson: memory.claim(lesson.slug, lesson.priority),
    )
    if shown:
        decision.kind = "hint"
        decision.events += [(lesson, "hint", why) for lesson, why in shown]
    return decision


def _deny(decision: Decision, call: "ToolCall", acting: "list[Match]", memory: "Memory") -> bool:
    """A pass is spent only on a call that nothing else keeps from running."""
    blocks = [match for match in acting if match[0].kind == "block"]
    for lesson, why in blocks:
        if not memory.has_pass(lesson.slug):
            return _block(decision, call, lesson, why)
    for lesson, why in acting:
        if lesson.kind == "stop" and memory.stops(lesson.slug, lesson.priority):
            decision.deny("stop", lesson, why, words.stop_reason(lesson), words.stop_message(lesson))
            return True
    for lesson, why in blocks:
        if not memory.use_pass(lesson.slug):  # another call was quicker
            return _block(decision, call, lesson, why)
        decision.events.append((lesson, "allowed", why))
    return False


def _block(decision: Decision, call: "ToolCall", lesson: "PublishedLesson", why: str) -> bool:
    decision.deny("block", lesson, why, words.block_reason(lesson, call), words.block_message(lesson))
    return True
