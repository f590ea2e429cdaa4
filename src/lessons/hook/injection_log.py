"""Logs what a hook did with lessons, unless a person wants nothing kept of the project."""

from lessons.store import injections
from lessons.store.excluded import is_excluded, published_patterns

TYPE_CHECKING = False
if TYPE_CHECKING:
    from lessons.match.call import ToolCall
    from lessons.store.published import PublishedLesson

    Events = list[tuple[PublishedLesson, str, str]]


def log_all(home: str, event: str, call: "ToolCall", config: dict[str, object], events: "Events") -> None:
    if events and not is_excluded(published_patterns(config), call.cwd):
        injections.record_all(home, event, call, events)
