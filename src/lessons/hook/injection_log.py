"""Logs what a hook did with lessons, unless the user excluded the project."""

from lessons.store import injections
from lessons.system import environment

TYPE_CHECKING = False
if TYPE_CHECKING:
    from lessons.match.call import ToolCall
    from lessons.store.published import PublishedLesson

    Events = list[tuple[PublishedLesson, str, str]]


def log_all(home: str, event: str, call: "ToolCall", config: dict[str, object], events: "Events") -> None:
    if events and not wants_nothing_kept(config, call.cwd):
        injections.record_all(home, event, call, events)


def wants_nothing_kept(config: dict[str, object], cwd: str) -> bool:
    if not config.get("excludeProjects") and not environment("LESSONS_EXCLUDE_PROJECTS"):
        return False  # the usual case: skip loading the exclusion rules
    from lessons.store.excluded import is_excluded, published_patterns

    return is_excluded(published_patterns(config), cwd)
