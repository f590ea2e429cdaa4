"""The file `lesson-manifest.json`, and a lesson as the hook uses it: from an entry there or in the hook index."""

from lessons import paths
from lessons.match.call import meant_names
from lessons.match.rule import Rule
from lessons.store.hook_index import manifest_stamp, stamp_of
from lessons.store.json_text import decode

TYPE = "lessons-learned-manifest"
VERSION = 1
BUILT_BY = "lessons"
stamp = manifest_stamp


class UnusableManifest(Exception):
    """The manifest is missing or invalid."""


def sources(home: str) -> tuple[tuple[int, int], ...]:
    """Returns size and time of the sources of a manifest; if they differ from the recorded ones, it is stale."""
    made_from = (paths.lessons_file(home), paths.config_file(home), paths.trusted_file(home))
    return tuple(stamp_of(path) or (0, 0) for path in made_from)


def read(home: str) -> tuple[dict[str, object], dict[str, dict[str, object]]]:
    """Returns the settings and the lessons by id; skips a lesson that is not an object."""
    try:
        with open(paths.manifest_file(home), "rb") as file:
            document = decode(file.read().decode("utf-8-sig"))
    except (OSError, ValueError, RecursionError) as fault:
        raise UnusableManifest(type(fault).__name__) from fault
    if not isinstance(document, dict) or not isinstance(document.get("lessons"), dict):
        raise UnusableManifest("no lessons in it")
    if document.get("type", TYPE) != TYPE or document.get("version", VERSION) != VERSION:
        raise UnusableManifest("of another kind or a later version")
    config = document.get("config")
    lessons = {key: entry for key, entry in document["lessons"].items() if isinstance(entry, dict)}
    return (config if isinstance(config, dict) else {}), lessons


TYPE_CHECKING = False
if TYPE_CHECKING:
    import re
    from collections.abc import Callable

    Entry = dict[str, object]
    Compile = Callable[[object], re.Pattern[str]]

# Manifest key -> attribute of the rule.
REGEX_KEYS = {
    "commandRegexSources": "command",
    "pathRegexSources": "path",
    "contentRegexSources": "content",
    "errorRegexSources": "error",
    "unlessRegexSources": "unless",
    "folderRegexSources": "folder",
}
# The `origin` of an entry whose text was found in sessions or in code reviews, or was written by an agent.
FROM_SESSIONS = "transcripts"
FROM_AGENT = "agent"
MATCH_ON = ("command", "invocation", "script")
# Conditions on the state of the machine; the other keys of `when` are about the agent's environment.
STATE_KEYS = ("missing", "absent", "present", "dirty")


class PublishedLesson:
    """What a call needs of a lesson: when it fires, how it acts, its texts."""

    __slots__ = (
        "block_reason", "identifier", "injection", "kind", "origin", "priority", "project", "rule", "shadow", "slug",
        "summary", "values",
    )  # fmt: skip

    def __init__(self, identifier: str, entry: "Entry", compile_one: "Compile") -> None:
        self.identifier = identifier
        self.slug = _text(entry, "slug") or identifier
        self.kind = kind_of(entry)
        self.shadow = entry.get("stage") == "shadow"
        priority = entry.get("priority")
        self.priority = priority if isinstance(priority, int) else 5
        self.summary = _text(entry, "summary")
        self.injection = _text(entry, "injection") or self.summary
        self.block_reason = _text(entry, "blockReason")
        self.origin = _text(entry, "origin")
        # The project that brought the lesson along, if any.
        self.project = _text(entry, "projectPath") if "trustedFrom" in entry else ""
        self.values: dict[str, str] = {}  # at a call: the values for the names in its texts
        compiled = {
            name: tuple(compile_one(item) for item in _items(entry.get(key))) for key, name in REGEX_KEYS.items()
        }
        when = when_of(entry)
        self.rule = Rule(
            tools=tools_of(entry),
            invocation=match_on(entry) == "invocation",
            script=match_on(entry) == "script",
            whole_line=also_whole_line(entry),
            when={name: values for name, values in when.items() if name not in STATE_KEYS},
            state={name: values for name, values in when.items() if name in STATE_KEYS},
            projects=projects_of(entry),
            session_start=entry.get("sessionStart") is True,
            **compiled,
        )


def kind_of(entry: "Entry") -> str:
    """Returns how the lesson acts on a call: block takes precedence over stop, stop over hint.

    A lesson about a missing program only hints: aliases and functions of the shell are not on PATH.
    """
    if "missing" in when_of(entry):
        return "hint"
    if entry.get("block") is True:
        return "block"
    return "stop" if entry.get("stopOnce") is True else "hint"


def tools_of(entry: "Entry") -> tuple[str, ...]:
    return meant_names([name for name in _items(entry.get("toolNames")) if isinstance(name, str)])


def match_on(entry: "Entry") -> str:
    """Returns `command`, `invocation` or `script`; a lesson that prevents calls or has a state uses invocations."""
    chosen = entry.get("matchOn")
    if chosen in MATCH_ON:
        return str(chosen)
    return "invocation" if kind_of(entry) != "hint" or has_state(entry) else "command"


def also_whole_line(entry: "Entry") -> bool:
    """Whether a lesson that prevents calls was written without `matchOn`: its author meant the whole line.

    The build stores the answer beside the `matchOn` that it adds; a manifest with the seed's keys alone has neither.
    Conditions on the state are about one command, so a lesson with these looks at commands only.
    """
    if entry.get("matchOn") in MATCH_ON:
        return entry.get("wholeLine") is True
    return kind_of(entry) != "hint" and not has_state(entry)


def has_state(entry: "Entry") -> bool:
    """Whether the lesson depends on the state of the machine."""
    return bool(entry.get("folderRegexSources")) or any(key in when_of(entry) for key in STATE_KEYS)


def when_of(entry: "Entry") -> dict[str, list[str]]:
    """Returns the conditions as lists of text; one of another type can never hold."""
    when = entry.get("when")
    found: dict[str, list[str]] = {}
    for name, wanted in when.items() if isinstance(when, dict) else ():
        values = [wanted] if isinstance(wanted, str) else wanted
        found[name] = [value for value in values if isinstance(value, str)] if isinstance(values, list) else []
    return found


def projects_of(entry: "Entry") -> tuple[str, ...]:
    """Returns the folders of a project lesson: as written, and where its links lead."""
    found = [entry.get("projectPath"), entry.get("projectRealPath")]
    return tuple(path for path in found if isinstance(path, str) and path)


def compile_source(item: object) -> "re.Pattern[str]":
    """Returns a regex of the manifest, compiled by `re`: the slow way, for when there is no index."""
    import re

    from lessons.match.dialect import to_python

    source, flags = (item.get("source"), item.get("flags")) if isinstance(item, dict) else (item, "")
    if not isinstance(source, str):
        raise ValueError("a regex without a source")
    python_source, bits = to_python(source, flags if isinstance(flags, str) else "")
    return re.compile(python_source, bits)


def _text(entry: "Entry", key: str) -> str:
    value = entry.get(key)
    return value if isinstance(value, str) else ""


def _items(value: object) -> list[object]:
    return value if isinstance(value, list) else []
