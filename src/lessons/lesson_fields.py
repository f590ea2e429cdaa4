"""Every field of a lesson that a person can set, declared once.

model.py has the types. This table drives the options of `add`, `edit` and `promote`, `lessons show`, the questions of
`add` and `review`, the rules for patterns, and the entry of the manifest.
"""

from collections.abc import Iterable, Iterator
from functools import cache
from typing import TYPE_CHECKING, Literal, NamedTuple

if TYPE_CHECKING:
    from lessons.model import Lesson, Triggers

Kind = Literal["text", "integer", "number", "switch", "choice", "texts", "regexes", "globs", "project", "machine"]
LookedAt = Literal["", "command", "path", "content", "error"]


class LessonField(NamedTuple):
    """One row; an empty column does not apply to the field."""

    place: str  # in the record, such as triggers.commandPatterns
    kind: Kind
    option: str
    help: str
    choices: tuple[str, ...] = ()
    label: str = ""  # in `lessons show`
    manifest_key: str = ""  # in the manifest; written if the value is not the default
    looks_at: LookedAt = ""  # for a pattern that can fire: the text it searches
    question: str = ""  # asked by `lessons add` on a terminal
    edit_key: str = ""  # the key in the edit menu of `lessons review`
    also: str = ""  # another spelling of the option
    when_promoting: bool = True  # whether `lessons promote` has the option too

    @property
    def group(self) -> str:
        """Returns `triggers` for triggers.commandPatterns, empty for a field of the lesson itself."""
        return self.place.rpartition(".")[0]

    @property
    def name(self) -> str:
        return self.place.rpartition(".")[2]

    @property
    def attribute(self) -> str:
        """The attribute name in the classes of model.py."""
        return attribute_of(self.name)

    @property
    def is_list(self) -> bool:
        return self.kind in ("texts", "regexes", "globs")


FIELDS = (
    LessonField(
        "summary", "text", "--summary", "One line, at most 120 characters.", label="summary",
        question="In one line, what goes wrong?", edit_key="s",
    ),
    LessonField(
        "problem", "text", "--problem", "What goes wrong, and why.", label="problem",
        question="Why does it go wrong?", edit_key="p",
    ),
    LessonField(
        "solution", "text", "--solution", "What works instead, concretely.", label="solution",
        question="What works instead?", edit_key="l",
    ),
    LessonField(
        "triggers.commandPatterns", "regexes", "--command-pattern", "Regex on a shell command.", label="commands",
        manifest_key="commandRegexSources", looks_at="command",
        question="How does the command start? (regex, such as 'git stash$')",
    ),
    LessonField(
        "triggers.pathPatterns", "globs", "--path-pattern", "Glob on a path, such as 'src/**/*.py'.", label="paths",
        manifest_key="pathRegexSources", looks_at="path", question="Which files? (glob, such as 'src/**/*.lock')",
    ),
    LessonField(
        "triggers.contentPatterns", "regexes", "--content-pattern", "Regex on the text to be written.",
        label="content", manifest_key="contentRegexSources", looks_at="content",
    ),
    LessonField(
        "triggers.errorPatterns", "regexes", "--error-pattern", "Regex on the error of a failed call.", label="errors",
        manifest_key="errorRegexSources", looks_at="error", question="What does the error say? (regex)",
    ),
    LessonField(
        "triggers.unless", "regexes", "--unless", "Regex; the lesson does not fire where it matches.", label="unless",
        manifest_key="unlessRegexSources",
    ),
    LessonField("triggers.toolNames", "texts", "--tool", "Only for this tool, such as Bash.", label="tools"),
    LessonField(
        "triggers.matchOn", "choice", "--match-on", "The whole line, each command from its start, or code.",
        ("command", "invocation", "script"), label="matched on", manifest_key="matchOn",
    ),
    LessonField(
        "triggers.when.os", "texts", "--os", "Only on linux, macos or windows.", label="only on",
        manifest_key="when.os",
    ),
    LessonField(
        "triggers.when.shell", "texts", "--shell", "Only in this shell, such as zsh.", label="only in shell",
        manifest_key="when.shell",
    ),
    LessonField(
        "triggers.when.agents", "texts", "--agent", "Only for this agent, such as claude-code.",
        label="only for agent", manifest_key="when.agents",
    ),
    LessonField(
        "triggers.when.models", "texts", "--model", "Only for models with this in their name.",
        label="only for model", manifest_key="when.models",
    ),
    LessonField(
        "triggers.when.missing", "texts", "--missing", "Only while this program is not on PATH; such a lesson hints.",
        label="only if missing", manifest_key="when.missing",
    ),
    LessonField(
        "triggers.when.absent", "texts", "--absent",
        "Only while this path does not exist. {1}: a group of the pattern, {root}: the project root.",
        label="only if absent", manifest_key="when.absent",
    ),
    LessonField(
        "triggers.when.present", "texts", "--present", "Only while this path exists; names as in --absent.",
        label="only if present", manifest_key="when.present",
    ),
    LessonField(
        "triggers.when.dirty", "texts", "--dirty", "Only while git has changes to lose: tracked or untracked files.",
        label="only if dirty", manifest_key="when.dirty",
    ),
    LessonField(
        "triggers.when.folder", "globs", "--folder", "Only in this folder, from the project root, such as 'web/**'.",
        label="only in folder", manifest_key="folderRegexSources",
    ),
    LessonField(
        "triggers.sessionStart", "switch", "--session-start", "Show it when a session starts, not at a call."
    ),
    LessonField(
        "stopOnce", "switch", "--stop-once", "Stop the first such call of a session.", manifest_key="stopOnce",
        also="--stop",
    ),
    LessonField("block", "switch", "--block", "Deny every such call; needs --block-reason."),
    LessonField(
        "blockReason", "text", "--block-reason", "What the agent reads; {command} stands for the command.",
        label="block reason",
    ),
    LessonField(
        "injection", "text", "--injection", "Text to show instead of summary, problem and solution.",
        label="injection", when_promoting=False,
    ),
    LessonField(
        "stage", "choice", "--stage", "shadow: log matches, show nothing.", ("shadow", "active", "retired"),
        label="stage", manifest_key="stage", when_promoting=False,
    ),
    LessonField("priority", "integer", "--priority", "1 to 10; the highest is shown first.", label="priority"),
    LessonField(
        "confidence", "number", "--confidence", "0 to 1; below 0.7 it needs a review.", label="confidence",
        when_promoting=False,
    ),
    LessonField("tags", "texts", "--tag", "category:value, such as tool:git.", label="tags"),
    LessonField(
        "scope", "project", "--project", "Only in this folder and below.", label="project", when_promoting=False
    ),
    LessonField(
        "scope", "machine", "--machine", "Everywhere on this machine; left out of `export`.", label="scope",
        when_promoting=False,
    ),
    LessonField(
        "rule.text", "text", "--rule", "The sentence of an instructions file that it enforces.", label="enforces",
        when_promoting=False,
    ),
    LessonField(
        "examples.fires", "texts", "--fires", "A command it must fire on.", when_promoting=False
    ),
    LessonField(
        "examples.quiet", "texts", "--quiet-on", "A command it must not fire on.", when_promoting=False
    ),
)  # fmt: skip

_CONDITIONS = "triggers.when"
# What triggers.when.dirty may ask for, in words.
DIRTY = {"tracked": "uncommitted changes", "untracked": "untracked files"}
# Conditions on the state of the machine at the time of a call.
STATE = tuple(
    field
    for field in FIELDS
    if field.group == _CONDITIONS and field.name in ("missing", "absent", "present", "dirty", "folder")
)
# Patterns that can fire, those that can fire before a call runs, and all fields that are patterns.
FIRING = tuple(field for field in FIELDS if field.looks_at)
BEFORE_A_CALL = tuple(field for field in FIRING if field.looks_at != "error")
PATTERNS = tuple(field for field in FIELDS if field.kind in ("regexes", "globs"))
# The texts of a lesson that a person is asked for.
WORDS = tuple(field for field in FIELDS if field.kind == "text" and field.question)


@cache  # every field of every lesson is looked up by its attribute
def attribute_of(name: str) -> str:
    """Converts `commandPatterns` to `command_patterns`."""
    return "".join(f"_{letter.lower()}" if letter.isupper() else letter for letter in name)


def value_of(lesson: "Lesson", field: LessonField) -> object:
    """Returns the value of a field; None if its group is missing."""
    value: object = lesson
    for name in field.place.split("."):
        value = getattr(value, attribute_of(name), None)
    return value


def patterns_in(triggers: "Triggers", fields: Iterable[LessonField]) -> Iterator[tuple[LessonField, list[str]]]:
    """Yields each of these fields of a trigger with its values, possibly none."""
    for field in fields:
        holder = triggers.when if field.group == _CONDITIONS else triggers
        yield field, getattr(holder, field.attribute) if holder else []


def conditions(triggers: "Triggers") -> list[str]:
    """Returns the conditions on the machine's state as text: `npx is not on PATH`, `{1} does not exist`."""
    return [_condition(field.name, values) for field, values in patterns_in(triggers, STATE) if values]


def _condition(name: str, values: list[str]) -> str:
    named, are = (" or " if name == "folder" else " and ").join(values), len(values) > 1
    match name:
        case "missing":
            return f"{named} {'are' if are else 'is'} not on PATH"
        case "absent":
            return f"{named} {'do' if are else 'does'} not exist"
        case "dirty":
            return f"the repository has {' and '.join(DIRTY[each] for each in values if each in DIRTY)}"
        case "present":
            return f"{named} {'exist' if are else 'exists'}"
        case _:
            return f"the folder is {named}"


def has_any(triggers: "Triggers", fields: Iterable[LessonField]) -> bool:
    return any(values for _, values in patterns_in(triggers, fields))


def put(document: dict[str, object], place: str, value: object) -> None:
    """Sets a value by its dotted place; creates missing objects on the way."""
    *groups, name = place.split(".")
    for group in groups:
        inner = document.setdefault(group, {})
        assert isinstance(inner, dict)
        document = inner
    document[name] = value
