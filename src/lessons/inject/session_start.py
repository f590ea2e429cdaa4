"""Decides what a starting session is told, and what it remembers: one row for each way to start."""

from lessons.inject.decide import Decision, acting, fill
from lessons.match.rule import conditions_hold, in_project

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    from lessons.match.call import ToolCall
    from lessons.store.manifest import PublishedLesson
    from lessons.store.session_start_files import PersonLine


# How to report a mistake: only with the setting `always`.
FULL_PROTOCOL = """\
The user keeps notes on mistakes with `lessons`. When a tool call failed or misled you and you then found what \
works, a short report in your answer helps the next session; the user reviews each report before it is used. It \
is read from plain lines, not from a code block or a quotation:

#lesson
tool: <tool name>
trigger: <how the command or path begins>
problem: <what went wrong and why>
solution: <what works instead>
tags: tool:git, severity:error
#/lesson

Only for mistakes that another session would make again: not for findings about the code under work, and not \
twice for the same thing."""

SHORT_PROTOCOL = """\
The user keeps notes on mistakes with `lessons`: where a tool call failed for a reason that would catch another \
session too, report it between the lines `#lesson` and `#/lesson` with the fields tool, trigger, problem, \
solution and tags (category:value), one per line, not in a code block or a quotation."""


# How earlier work is shown: as this session's own work, or as a line about the previous session.
RESTORED = "restored"
OFFERED = "offered"
# For the whole text: the client moves longer texts to a file, which the model would have to read.
MOST_BYTES = 9000
MOST_MESSAGE_BYTES = 600  # for the user
_SEPARATOR = "\n\n"
_DAY = 86_400
_MOST_FOUND = 5  # lessons that were found in transcripts or reviews; those that a person wrote all count


class Start:
    """What one way to start requires."""

    __slots__ = ("begins", "earlier", "forgets", "protocol", "rearms", "scans", "tells")

    def __init__(
        self,
        *,
        forgets: bool = False,
        rearms: bool = False,
        protocol: str = "",
        earlier: str = "",
        scans: bool = False,
        begins: bool = True,
        tells: bool = False,
    ) -> None:
        self.forgets = forgets  # the context is empty: every lesson may be shown again
        self.rearms = rearms  # the context was summarised: important lessons may be shown again
        self.protocol = protocol  # how to report a mistake; empty: print nothing at all
        self.earlier = earlier
        self.scans = scans
        self.begins = begins  # record a new session
        self.tells = tells  # one line may be shown to the user


_STARTS = {
    "startup": Start(forgets=True, protocol=FULL_PROTOCOL, earlier=OFFERED, scans=True, tells=True),
    "resume": Start(scans=True),  # the client replays what was shown
    "fork": Start(scans=True),
    "clear": Start(forgets=True, protocol=FULL_PROTOCOL),
    "compact": Start(rearms=True, protocol=SHORT_PROTOCOL, earlier=RESTORED, begins=False),
}
_UNKNOWN = Start()


NO_ROOM = "room"
# Lines for the user, most important first: name, setting that disables it, minimum days between two times.
PERSON_LINES: "tuple[tuple[str, str, float], ...]" = (
    (NO_ROOM, "tendLine", 7), ("repeat", "repeatLine", 1), ("weekly", "weeklyLine", 7), ("tend", "tendLine", 7),
    ("learn", "tendLine", 7),
)  # fmt: skip


def start_of(source: str) -> Start:
    return _STARTS.get(source, _UNKNOWN)


def decide_start(
    start: Start,
    call: "ToolCall",
    lessons: "list[PublishedLesson]",
    is_muted: "Callable[[str], bool]",
    budget: int,
    earlier: str,
    protocol: bool = False,
) -> Decision:
    """Returns the whole text and its lessons; `earlier` describes earlier work.

    `protocol`: whether the agent is asked to report its mistakes. The budget applies to protocol and lessons. The whole
    text stays below one limit: earlier work takes room from lessons.
    """
    decision = Decision()
    matches = [(lesson, "sessionStart") for lesson in lessons if _applies(lesson, call)]
    able = acting(decision, matches, is_muted)
    room = MOST_BYTES - len((earlier + _SEPARATOR).encode("utf-8", "replace")) if earlier else MOST_BYTES
    heading = start.protocol if protocol else ""
    too_many = [match for match in able if match[0].origin][_MOST_FOUND:]
    fitting = [match for match in able if match not in too_many]
    text, shown, dropped = fill(heading, fitting, min(budget, room), len(fitting), lambda lesson: True)
    parts = [text or heading, earlier]
    if start.earlier == RESTORED:
        parts.reverse()
    decision.hint(_SEPARATOR.join(part for part in parts if part), shown, dropped + too_many)
    return decision


def dropped_at_start(lessons: "list[PublishedLesson]", is_muted: "Callable[[str], bool]", budget: int) -> list[str]:
    """Returns the slugs of those that have no room when a session starts, in any project that has one of them."""
    from lessons.match.call import ToolCall  # the hook asks only about the session that starts

    folders = dict.fromkeys(["", *(lesson.rule.projects[0] for lesson in lessons if lesson.rule.projects)])
    starts = (ToolCall("", {}, cwd=folder) for folder in folders)
    decisions = [decide_start(_STARTS["startup"], start, lessons, is_muted, budget, "") for start in starts]
    return list(dict.fromkeys(slug for each in decisions for slug in dropped_of(each)))


def dropped_of(decision: Decision) -> list[str]:
    return [lesson.slug for lesson, what, _ in decision.events if what == "dropped"]


def no_room(slugs: list[str]) -> str:
    """Returns a sentence for the user; nothing if all have room."""
    if not slugs:
        return ""
    several = f"{len(slugs)} lessons" if len(slugs) > 1 else "1 lesson"
    more = f" and {len(slugs) - _MOST_FOUND} more" if len(slugs) > _MOST_FOUND else ""
    named = ", ".join(slugs[:_MOST_FOUND]) + more
    remedy = "shorten them, or raise injectionBudgetBytes"
    return f"{several} for session starts had no room and did not reach the agent ({named}): {remedy}."


def message_of(parts: tuple[str, ...]) -> str:
    """Returns one line for the user; skips a part that does not fit."""
    line = ""
    for part in parts:
        longer = f"{line} · {part}" if line else f"lessons: {part}"
        if part and len(longer.encode("utf-8", "replace")) <= MOST_MESSAGE_BYTES:
            line = longer
    return line


def line_for_person(
    lines: "dict[str, PersonLine]",
    is_on: "Callable[[str], bool]",
    last_shown: "Callable[[str], float | None]",
    now: float,
) -> str:
    """Returns the name of the one line to show; empty if none is due."""
    for name, setting, days in PERSON_LINES:
        if name not in lines or now > lines[name].until or not is_on(setting):
            continue
        shown = last_shown(name)
        # A timestamp in the future (the clock was set back) must not suppress the line.
        if shown is None or not 0 <= now - shown < days * _DAY:
            return name
    return ""


def _applies(lesson: "PublishedLesson", call: "ToolCall") -> bool:
    if not conditions_hold(lesson.rule.when, call) or not in_project(lesson.rule.projects, call.cwd):
        return False
    if not lesson.rule.has_state:
        return True
    from lessons.match.state import values_here  # few lessons have such conditions

    values = values_here(lesson.rule, call)
    lesson.values = values or {}
    return values is not None
