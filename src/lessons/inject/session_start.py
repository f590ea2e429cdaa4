"""What a session that starts is told, and what it remembers of before: one row for each way to start."""

from lessons.inject.budget import fill
from lessons.inject.decide import Decision, acting
from lessons.inject.protocol import FULL, SHORT
from lessons.match.rule import conditions_hold, in_project

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    from lessons.match.call import ToolCall
    from lessons.store.person_lines import PersonLine
    from lessons.store.published import PublishedLesson

# How work done before comes up: as what this session itself was doing, or as a line about the session before it.
RESTORED = "restored"
OFFERED = "offered"
# For all that is said together: the client moves longer texts to a file, where the model would have to read them.
MOST_BYTES = 9000
MOST_MESSAGE_BYTES = 600  # for the person
_SEPARATOR = "\n\n"
_DAY = 86_400
_MOST_NOTES = 5  # nobody reads more before the work begins


class Start:
    """What one way to start asks for."""

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
        self.protocol = protocol  # how to report a mistake; empty: nothing is said at all
        self.earlier = earlier
        self.scans = scans
        self.begins = begins  # a new session is noted
        self.tells = tells  # one line may be shown to the person


_STARTS = {
    "startup": Start(forgets=True, protocol=FULL, earlier=OFFERED, scans=True, tells=True),
    "resume": Start(scans=True),  # the client replays what was shown
    "fork": Start(scans=True),
    "clear": Start(forgets=True, protocol=FULL),
    "compact": Start(rearms=True, protocol=SHORT, earlier=RESTORED, begins=False),
}
_UNKNOWN = Start()


class LineKind:
    """A line that the person may be shown: the setting that switches it off, and when it may be shown again."""

    __slots__ = ("days", "name", "setting")

    def __init__(self, name: str, setting: str, *, days: float) -> None:
        self.name = name
        self.setting = setting
        self.days = days


# The most important first.
PERSON_LINES = (
    LineKind("repeat", "repeatLine", days=1),
    LineKind("weekly", "weeklyLine", days=7),
    LineKind("tend", "tendLine", days=7),
)


def start_of(source: str) -> Start:
    return _STARTS.get(source, _UNKNOWN)


def decide_start(
    start: Start,
    call: "ToolCall",
    lessons: "list[PublishedLesson]",
    is_muted: "Callable[[str], bool]",
    budget: int,
    earlier: str,
    protocol: bool = True,
) -> Decision:
    """The whole text and the lessons in it; `earlier` is what is known of work done before.

    `protocol`: whether the agent is asked to report its mistakes.
    The budget is for protocol and lessons. All of it stays below one limit: earlier work takes room from lessons.
    """
    decision = Decision()
    matches = [(lesson, "sessionStart") for lesson in lessons if _applies(lesson, call)]
    able = acting(decision, matches, is_muted)
    room = MOST_BYTES - len((earlier + _SEPARATOR).encode("utf-8", "replace")) if earlier else MOST_BYTES
    heading = start.protocol if protocol else ""
    most = min(len(able), _MOST_NOTES)
    text, shown, dropped = fill(heading, able, min(budget, room), most, lambda lesson: True)
    parts = [text or heading, earlier]
    if start.earlier == RESTORED:
        parts.reverse()
    decision.hint(_SEPARATOR.join(part for part in parts if part), shown, dropped)
    return decision


def message_of(parts: tuple[str, ...]) -> str:
    """One line for the person; a part that does not fit is left out."""
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
    """The name of the one line to show; empty where none is due."""
    for kind in PERSON_LINES:
        if kind.name not in lines or now > lines[kind.name].until or not is_on(kind.setting):
            continue
        shown = last_shown(kind.name)
        # A mark in the future (the clock was set back) must not silence the line.
        if shown is None or not 0 <= now - shown < kind.days * _DAY:
            return kind.name
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
