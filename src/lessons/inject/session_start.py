"""What a session that starts is told, and what it remembers of before: one row for each way to start."""

from lessons.inject.budget import fill
from lessons.inject.decide import Decision, acting
from lessons.inject.protocol import FULL, SHORT
from lessons.match.rule import conditions_hold, in_project

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    from lessons.match.call import ToolCall
    from lessons.store.published import PublishedLesson

# How work done before comes up: as what this session itself was doing, or as a line about the session before it.
RESTORED = "restored"
OFFERED = "offered"
# For all that is said together: the client moves longer texts to a file, where the model would have to read them.
MOST_BYTES = 9000
_SEPARATOR = "\n\n"
_MOST_NOTES = 5  # nobody reads more before the work begins


class Start:
    """What one way to start asks for."""

    __slots__ = ("begins", "earlier", "forgets", "protocol", "rearms", "scans")

    def __init__(
        self,
        *,
        forgets: bool = False,
        rearms: bool = False,
        protocol: str = "",
        earlier: str = "",
        scans: bool = False,
        begins: bool = True,
    ) -> None:
        self.forgets = forgets  # the context is empty: every lesson may be shown again
        self.rearms = rearms  # the context was summarised: important lessons may be shown again
        self.protocol = protocol  # how to report a mistake; empty: nothing is said at all
        self.earlier = earlier
        self.scans = scans
        self.begins = begins  # a new session is noted


_STARTS = {
    "startup": Start(forgets=True, protocol=FULL, earlier=OFFERED, scans=True),
    "resume": Start(scans=True),  # the client replays what was shown
    "fork": Start(scans=True),
    "clear": Start(forgets=True, protocol=FULL),
    "compact": Start(rearms=True, protocol=SHORT, earlier=RESTORED, begins=False),
}
_UNKNOWN = Start()


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
    text, shown = fill(heading, able, min(budget, room), most, lambda lesson: True)
    parts = [text or heading, earlier]
    if start.earlier == RESTORED:
        parts.reverse()
    decision.hint(_SEPARATOR.join(part for part in parts if part), shown)
    return decision


def _applies(lesson: "PublishedLesson", call: "ToolCall") -> bool:
    if not conditions_hold(lesson.rule.when, call) or not in_project(lesson.rule.projects, call.cwd):
        return False
    if not lesson.rule.has_state:
        return True
    from lessons.match.state import values_here  # few lessons have such conditions

    values = values_here(lesson.rule, call)
    lesson.values = values or {}
    return values is not None
