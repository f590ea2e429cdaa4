"""Decides what happens at a call on which lessons fire, and in which words.

Block wins over stop, stop over hint. A denial claims only the lesson that denies: the others wait for the rerun. A
lesson in shadow is logged and has no effect. As many lessons as fit into the byte budget are shown; the others stay
unclaimed.
"""

from lessons.agents.hook_event import Answer
from lessons.plain import framed, neutral

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Protocol

    from lessons.match.call import ToolCall
    from lessons.store.manifest import PublishedLesson

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


COMMAND_LENGTH = 120
_SUBJECT_LENGTH = 80
_NAME_LENGTH = 60
_VALUE_LENGTH = 300
_STOPPED = "(Stopped once by the user's lesson `"
_OF_PROJECT = "From the lessons of the project `"
REFUSED = "in a terminal of their own, not through an agent."  # what only the user may run
_OF_AGENT = "Written by a coding agent, not by the user"
_ACCEPTED = "Accepted by the user"
# The client moves longer texts to a file, which the model would have to read.
LONGEST_TEXT = 9000


def clean(text: str) -> str:
    """Returns the neutral text, with bounded length."""
    return _bounded(neutral(text[: 4 * LONGEST_TEXT]))


def heading(call: "ToolCall") -> str:
    """Names the call that the notes are about: several calls may run at once, and the client names none."""
    subject = " ".join(clean(call.subject()[: 4 * _SUBJECT_LENGTH]).replace("`", "'").split())
    if len(subject) > _SUBJECT_LENGTH:
        subject = subject[:_SUBJECT_LENGTH] + "…"
    return f"Notes that the user keeps in `lessons` about `{subject}`:"


def provenance(lesson: "PublishedLesson") -> str:
    """Returns where the text of a lesson is from, if the user did not write it."""
    if lesson.project:
        return f"{_OF_PROJECT}{_name(lesson.project)}`, which the user trusts"
    if lesson.origin == "agent":
        return _OF_AGENT
    return _ACCEPTED if lesson.origin else ""


def full_text(lesson: "PublishedLesson") -> str:
    return _with_provenance(lesson, _filled(lesson, lesson.injection))


def summary_line(lesson: "PublishedLesson") -> str:
    """Returns a short form for when the full text does not fit."""
    origin = {"": "", "agent": " (from an agent)"}.get(lesson.origin, f" ({_ACCEPTED.lower()})")
    if lesson.project:
        origin = f" (project `{_name(lesson.project)}`)"
    return f"**Lesson**{origin}: {_summary(lesson)}"


def _summary(lesson: "PublishedLesson") -> str:
    return _one_line(_filled(lesson, lesson.summary))


def _filled(lesson: "PublishedLesson", text: str, command: str | None = None) -> str:
    """Fills in the values of this call for the names in the text: one line each, bounded length, no backticks."""
    if not lesson.values:
        return text if command is None else text.replace("{command}", command)
    from lessons.match.state import filled  # few lessons have names in their texts

    values = {name: " ".join(clean(value).replace("`", "'").split()) for name, value in lesson.values.items()}
    cut = {
        name: value if len(value) <= _VALUE_LENGTH else value[:_VALUE_LENGTH] + "…" for name, value in values.items()
    }
    return filled(text, cut if command is None else {**cut, "command": command})


def block_reason(lesson: "PublishedLesson", call: "ToolCall") -> str:
    """Returns the lesson's own reason with the command inserted literally."""
    reason = lesson.block_reason or lesson.injection
    return _with_provenance(lesson, _filled(lesson, reason, call.subject()[:COMMAND_LENGTH]))


def stop_reason(lesson: "PublishedLesson") -> str:
    return (
        f"{full_text(lesson)}\n\n"
        f"{_STOPPED}{lesson.slug}` so that this is read before the call runs. "
        "A changed call, or this one if it is right as it stands, runs when issued again.)"
    )


def is_own_denial(reason: str) -> bool:
    """Whether the text shows that a lesson denied the call; the reason of most blocks is the user's own text."""
    source = reason.partition("\n")[0]  # of earlier versions: "Found in …, and accepted by the user:"
    is_framed = source.startswith((_OF_PROJECT, f"{_OF_AGENT}:")) or source.lower().endswith(f"{_ACCEPTED.lower()}:")
    return _STOPPED in reason or REFUSED in reason or is_framed


def block_message(lesson: "PublishedLesson") -> str:
    """For the user only: an agent that knew this could unblock itself."""
    return f"lessons: blocked by `{lesson.slug}` ({_summary(lesson)}). To let it pass once: lessons allow {lesson.slug}"


def stop_message(lesson: "PublishedLesson") -> str:
    return f"lessons: stopped once by `{lesson.slug}` ({_summary(lesson)})."


def _with_provenance(lesson: "PublishedLesson", text: str) -> str:
    origin = provenance(lesson)
    return _bounded(framed(origin, text[: 4 * LONGEST_TEXT])) if origin else clean(text)


def _bounded(text: str) -> str:
    return text if len(text) <= LONGEST_TEXT else text[:LONGEST_TEXT] + " [cut]"


def _name(path: str) -> str:
    """Returns the last part of the project's path, safe inside backticks."""
    name = path.replace("\\", "/").rstrip("/").rpartition("/")[2] or path
    return _one_line(name[:_NAME_LENGTH]).replace("`", "'")


def _one_line(text: str) -> str:
    return " ".join(clean(text).split())


_SEPARATOR = "\n\n"


def fill(
    first: str,
    matches: "list[Match]",
    budget: int,
    most: int,
    claim: "Callable[[PublishedLesson], bool]",
) -> "tuple[str, list[Match], list[Match]]":
    """Returns the whole text below `first`, the lessons in it, and those that did not fit.

    By priority, each lesson is added in full, else as its summary line, else not at all. The first is always added in
    full, otherwise a long lesson would never be read. A lesson is claimed only once its place is certain.
    """
    text = first
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
    decision.hint(*fill(heading(call), new, budget, most, lambda lesson: memory.claim(lesson.slug, lesson.priority)))


def _without_held_out(
    decision: Decision, call: "ToolCall", hints: "list[Match]", memory: "Memory", rate: float
) -> "list[Match]":
    """Returns the hints that are not withheld; logs a withheld hint once per context, like a shown one."""
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
    text, shown, _ = fill(heading(call), able, budget, 1, lambda lesson: True)
    decision.hint(text, shown, [])
    return decision


def _deny(decision: Decision, call: "ToolCall", able: "list[Match]", memory: "Memory") -> bool:
    """Blocks or stops the call; uses a pass only if nothing else denies the call."""
    blocks = [match for match in able if match[0].kind == "block"]
    for lesson, why in blocks:
        if not memory.has_pass(lesson.slug):
            decision.deny("block", lesson, why, block_reason(lesson, call), block_message(lesson))
            return True
    for lesson, why in able:
        if lesson.kind == "stop" and memory.stops(lesson.slug, lesson.priority):
            decision.deny("stop", lesson, why, stop_reason(lesson), stop_message(lesson))
            return True
    for lesson, why in blocks:
        if not memory.use_pass(lesson.slug):  # another call used it first
            decision.deny("block", lesson, why, block_reason(lesson, call), block_message(lesson))
            return True
        decision.events.append((lesson, "allowed", why))
    return False
