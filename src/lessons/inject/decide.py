"""Decides what happens at a call on which lessons fire.

Block wins over stop, stop over hint. A denial claims only the lesson that denies: the others wait for the rerun. A
lesson in shadow is logged and has no effect. As many lessons as fit into the byte budget are shown; the others stay
unclaimed.
"""

from lessons.agents.hook_event import Answer
from lessons.inject import words
from lessons.inject.words import full_text, summary_line

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Protocol

    from lessons.match.call import ToolCall
    from lessons.store.published import PublishedLesson

    Match = tuple[PublishedLesson, str]

    class Memory(Protocol):
        """The decision's view of other calls; each answer may also change the stored state."""

        def is_muted(self, slug: str) -> bool: ...
        def has_pass(self, slug: str) -> bool: ...
        def use_pass(self, slug: str) -> bool: ...
        def stops(self, slug: str, priority: int) -> bool: ...
        def has(self, slug: str) -> bool: ...
        def claim(self, slug: str, priority: int) -> bool: ...
        def withhold(self, slug: str, priority: int) -> bool: ...


_SEPARATOR = "\n\n"


def fill(
    heading: str,
    matches: "list[Match]",
    budget: int,
    most: int,
    claim: "Callable[[PublishedLesson], bool]",
) -> "tuple[str, list[Match], list[Match]]":
    """Returns the whole text, the lessons in it, and those that did not fit.

    By priority, each lesson is added in full, else as its summary line, else not at all. The first is always added in
    full, otherwise a long lesson would never be read. A lesson is claimed only once its place is certain.
    """
    text = heading
    shown: list[Match] = []
    dropped: list[Match] = []
    for match in matches:
        if len(shown) >= most:
            dropped.append(match)
            continue
        lesson = match[0]
        for piece in (full_text(lesson), summary_line(lesson)):
            longer = text + _SEPARATOR + piece if text else piece
            if not shown or len(longer.encode()) <= budget:
                if claim(lesson):
                    text = longer
                    shown.append(match)
                break
        else:
            dropped.append(match)
    return (text if shown else ""), shown, dropped


_BITS = 64
_ALL = (1 << _BITS) - 1


def is_held_out(session: str, lesson: "PublishedLesson", rate: float) -> bool:
    """Returns the same answer for a whole session. Never withholds a stop, a block or a session-start lesson."""
    if lesson.kind != "hint" or lesson.rule.session_start or not session:
        return False
    return draw(session, lesson.identifier) < rate


def draw(session: str, lesson: str) -> float:
    """Returns a pseudo-random number from 0 to 1, fixed for the same names (FNV-1a, then mixed as in MurmurHash3).

    Without imports; `hash` differs in every process.
    """
    value = 0xCBF29CE484222325
    for byte in f"{session}\0{lesson}".encode("utf-8", "surrogatepass"):
        value = (value ^ byte) * 0x100000001B3 & _ALL
    for factor in (0xFF51AFD7ED558CCD, 0xC4CEB9FE1A85EC53):
        value = (value ^ value >> 33) * factor & _ALL
    return (value ^ value >> 33) / (1 << _BITS)


class Decision:
    """`kind` is none, shadow, hint, stop or block; `events` lists for each lesson what happened to it and why."""

    __slots__ = ("events", "kind", "message", "text")

    def __init__(self) -> None:
        self.kind = "none"
        self.text = ""
        self.message = ""
        self.events: list[tuple[PublishedLesson, str, str]] = []

    def deny(self, kind: str, lesson: "PublishedLesson", why: str, text: str, message: str) -> None:
        self.kind, self.text, self.message = kind, text, message
        self.events.append((lesson, kind, why))

    def hint(self, text: str, shown: "list[Match]", dropped: "list[Match]") -> None:
        self.text = text
        if shown:
            self.kind = "hint"
            self.events += [(lesson, "hint", why) for lesson, why in shown]
        self.events += [(lesson, "dropped", why) for lesson, why in dropped]

    def answer(self) -> Answer | None:
        """Returns the answer for the agent; None if there is nothing to say."""
        if self.kind in ("block", "stop"):
            return Answer(deny=self.text, message=self.message)
        return Answer(context=self.text) if self.text else None


def in_order(matches: "list[Match]") -> "list[Match]":
    """Sorts by priority, highest first, then by slug."""
    return sorted(matches, key=lambda match: (-match[0].priority, match[0].slug))


def acting(decision: Decision, matches: "list[Match]", is_muted: "Callable[[str], bool]") -> "list[Match]":
    """Returns the matches that may act, in order; logs muted and shadow lessons in the decision."""
    found = []
    for lesson, why in in_order(matches):
        if is_muted(lesson.slug):
            decision.events.append((lesson, "muted", why))
        elif lesson.shadow:
            decision.kind = "shadow"
            decision.events.append((lesson, "shadow", why))
        else:
            found.append((lesson, why))
    return found


def decide(
    call: "ToolCall",
    matches: "list[Match]",
    memory: "Memory",
    budget: int,
    most: int,
    holdout: float = 0.0,
    *,
    hints: bool = True,
    denies: bool = True,
) -> Decision:
    """Decides about a call; after a failure only hints are possible. `holdout`: the share of hints to withhold.

    For an agent that cannot receive hints before a call this runs twice: before it without `hints`, and with its result
    without `denies`, when everything but the hints is already decided and logged.
    """
    decision = Decision()
    able = acting(decision if denies else Decision(), matches, memory.is_muted)
    if denies and call.error is None and _deny(decision, call, able, memory):
        return decision
    if hints:
        _hint(decision, call, able, memory, budget, most, holdout)
    return decision


def _hint(
    decision: Decision, call: "ToolCall", able: "list[Match]", memory: "Memory", budget: int, most: int, holdout: float
) -> None:
    hints = [match for match in able if match[0].kind == "hint" or call.error is not None]
    new = [match for match in hints if not memory.has(match[0].slug)]
    if holdout:
        new = _without_held_out(decision, call, new, memory, holdout)
    filled = fill(
        words.heading(call),
        new,
        budget,
        most,
        lambda lesson: memory.claim(lesson.slug, lesson.priority),
    )
    decision.hint(*filled)


def _without_held_out(
    decision: Decision, call: "ToolCall", hints: "list[Match]", memory: "Memory", rate: float
) -> "list[Match]":
    """Returns the hints that are not withheld; logs a withheld hint once per context, like a shown one."""
    # few users compare

    found = []
    for lesson, why in hints:
        if not is_held_out(call.session, lesson, rate):
            found.append((lesson, why))
        elif memory.withhold(lesson.slug, lesson.priority):
            decision.events.append((lesson, "held-out", why))
    return found


def decide_again(
    call: "ToolCall", matches: "list[Match]", is_muted: "Callable[[str], bool]", budget: int, holdout: float = 0.0
) -> Decision:
    """Returns the first lesson about a repeated error, although this context had it before: it did not help, or was
    lost.

    Does not log muted, shadow or withheld lessons a second time.
    """
    decision = Decision()
    able = acting(Decision(), matches, is_muted)
    if holdout:
        able = [match for match in able if not is_held_out(call.session, match[0], holdout)]
    text, shown, _ = fill(words.heading(call), able, budget, 1, lambda lesson: True)
    decision.hint(text, shown, [])
    return decision


def _deny(decision: Decision, call: "ToolCall", able: "list[Match]", memory: "Memory") -> bool:
    """Blocks or stops the call; uses a pass only if nothing else denies the call."""
    blocks = [match for match in able if match[0].kind == "block"]
    for lesson, why in blocks:
        if not memory.has_pass(lesson.slug):
            return _block(decision, call, lesson, why)
    for lesson, why in able:
        if lesson.kind == "stop" and memory.stops(lesson.slug, lesson.priority):
            decision.deny("stop", lesson, why, words.stop_reason(lesson), words.stop_message(lesson))
            return True
    for lesson, why in blocks:
        if not memory.use_pass(lesson.slug):  # another call used it first
            return _block(decision, call, lesson, why)
        decision.events.append((lesson, "allowed", why))
    return False


def _block(decision: Decision, call: "ToolCall", lesson: "PublishedLesson", why: str) -> bool:
    decision.deny("block", lesson, why, words.block_reason(lesson, call), words.block_message(lesson))
    return True
