"""Reads the possible matches of a call from the manifest, when there is no usable index."""

from lessons.match.fold import fold
from lessons.store import faults, manifest
from lessons.store.hook_index import texts_of
from lessons.store.published import PublishedLesson, compile_source, tools_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from lessons.match.call import ToolCall

    Config = dict[str, object]
    Entries = dict[str, dict[str, object]]


def possible_matches(home: str, event: str, call: "ToolCall") -> "tuple[Config, list[PublishedLesson]]":
    try:
        config, entries = manifest.read(home)
    except manifest.UnusableManifest as fault:
        faults.record(home, event, f"lesson-manifest.json is unusable ({fault}); run `lessons build`")
        return {}, []
    folded = fold("\n".join(text for texts in texts_of(call).values() for text in texts))
    possible = {key: entry for key, entry in entries.items() if _may_fire(entry, call, folded)}
    return config, _lessons(home, event, possible)


def session_start_lessons(home: str) -> "tuple[Config, list[PublishedLesson]]":
    config, entries = manifest.read(home)
    wanted = {key: entry for key, entry in entries.items() if entry.get("sessionStart") is True}
    return config, _lessons(home, "SessionStart", wanted)


def _may_fire(entry: dict[str, object], call: "ToolCall", folded: str) -> bool:
    """A cheap check before compiling a pattern; returns False only for a lesson that certainly does not fire."""
    if call.error is not None and not entry.get("errorRegexSources"):
        return False
    tools = tools_of(entry)
    if tools and not any(name in tools for name in call.names):
        return False
    literals = entry.get("literals")
    return not isinstance(literals, list) or any(str(literal) in folded for literal in literals)


def _lessons(home: str, event: str, entries: "Entries") -> list[PublishedLesson]:
    lessons = []
    for identifier, entry in entries.items():
        if entry.get("stage") == "retired":
            continue
        try:
            lessons.append(PublishedLesson(identifier, entry, compile_source))
        except Exception as fault:  # a bad pattern: re.error, ValueError, RecursionError …
            slug = entry.get("slug", identifier)
            faults.record(home, event, f"lesson {slug}: left out ({type(fault).__name__})")
    return lessons
