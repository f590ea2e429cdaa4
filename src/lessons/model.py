"""The nouns of a lesson: typed records of the documents in lessons.json."""

import json
import re
from typing import Annotated, Literal

import msgspec

from lessons.errors import Refused

SHORTEST_TEXT = 20
LONGEST_SUMMARY = 120
MOST_SOURCE_SESSIONS = 5
HIGHEST_PRIORITY = 10
REVIEW_BELOW_CONFIDENCE = 0.7

Stage = Literal["shadow", "active", "retired"]
MatchOn = Literal["command", "invocation", "script"]
ScopeType = Literal["global", "project", "machine"]


def _about(description: str, **limits: object) -> msgspec.Meta:
    # Limits are for editors only: a short summary in a hand-edited file must not hide the lesson from the hook, so
    # reading does not enforce them; promote/intake.py does.
    return msgspec.Meta(description=description, extra_json_schema=dict(limits))


class When(msgspec.Struct, rename="camel", kw_only=True, frozen=True, omit_defaults=True):
    """Conditions on the surroundings of a call; every one that is given must hold."""

    os: Annotated[list[str], _about("Operating systems, such as darwin, linux, windows.")] = []
    shell: Annotated[list[str], _about("Shells, such as zsh, bash.")] = []
    agents: Annotated[list[str], _about("Agents, such as claude-code, codex.")] = []
    models: Annotated[list[str], _about("Models, by a part of the name.")] = []
    missing: Annotated[list[str], _about("Programs, none of which is on PATH.")] = []
    absent: Annotated[
        list[str], _about("Paths, none of which exists; {1} stands for a group, {root} for the root.")
    ] = []
    present: Annotated[
        list[str], _about("Paths, all of which exist; {1} stands for a group, {root} for the root.")
    ] = []
    dirty: Annotated[
        list[str], _about("What the repository has: tracked (changed tracked files), untracked (new files).")
    ] = []
    folder: Annotated[list[str], _about("Globs on the folder of the call, from the project root; . is the root.")] = []


class _WhenWithUnknown(When, kw_only=True, frozen=True):
    """Conditions of which some are not known to this version: a lesson with them must stay silent."""

    unknown_keys: list[str] = []


class Triggers(msgspec.Struct, rename="camel", kw_only=True, frozen=True):
    """What makes a lesson fire."""

    tool_names: Annotated[list[str], _about("Tools; alone they fire on any use, beside patterns they gate.")] = []
    command_patterns: Annotated[list[str], _about("Regexes on the command of a shell tool.")] = []
    path_patterns: Annotated[list[str], _about("Globs on the path that is read or written.")] = []
    content_patterns: Annotated[list[str], _about("Regexes on what would be written.")] = []
    error_patterns: Annotated[list[str], _about("Regexes on the error text of a failed call.")] = []
    unless: Annotated[list[str], _about("Regexes that veto a match.")] = []
    match_on: Annotated[
        MatchOn | None,
        _about("The whole line, each simple command from its start, or code for an interpreter (python -c)."),
    ] = None
    when: When | None = None
    session_start: Annotated[bool, _about("Show at the start of a session instead of at a call.")] = False


class Scope(msgspec.Struct, rename="camel", kw_only=True, frozen=True, omit_defaults=True):
    """Where a lesson acts."""

    type: Annotated[ScopeType, _about("machine acts everywhere on this machine and is left out of export.")]
    path: Annotated[str | None, _about("The absolute path of the project.")] = None


class ExampleCall(msgspec.Struct, rename="camel", kw_only=True, frozen=True, omit_defaults=True):
    """An example that is not a plain shell command."""

    tool: str | None = None
    command: str | None = None
    path: str | None = None
    content: str | None = None
    error: str | None = None
    folder: Annotated[str | None, _about("The folder of the call, from the project root.")] = None
    present: Annotated[list[str], _about("Paths that exist, from the project root; no others do.")] = []
    missing: Annotated[list[str], _about("Programs that are not on PATH; all others are.")] = []
    dirty: Annotated[list[str], _about("What the repository has: tracked, untracked.")] = []


Example = str | ExampleCall


class Examples(msgspec.Struct, rename="camel", kw_only=True, frozen=True):
    """Calls the lesson must fire on, and calls it must leave alone."""

    fires: Annotated[list[Example], _about("A string is a shell command.")] = []
    quiet: Annotated[list[Example], _about("A string is a shell command.")] = []


class WrittenRule(msgspec.Struct, rename="camel", kw_only=True, frozen=True, omit_defaults=True):
    """The sentence of a file with instructions that a lesson enforces (rules/)."""

    file: Annotated[str, _about("From the project's folder, or with ~/.")] = ""
    line: int = 0
    text: Annotated[str, _about("The sentence.")] = ""


Text = Annotated[str, _about("At least 20 characters, unless you typed it.")]
Summary = Annotated[str, _about("One line, at most 120 characters.", maxLength=LONGEST_SUMMARY)]
Priority = Annotated[int, _about("1 to 10; the higher wins the budget.", minimum=1, maximum=HIGHEST_PRIORITY)]
Confidence = Annotated[float, _about("0 to 1.", minimum=0, maximum=1)]
Tag = Annotated[str, _about("category:value, such as lang:python.", pattern="^[^:\\s]+:[^:\\s]+$")]
Sessions = Annotated[list[str], _about("Sessions it was seen in.", maxItems=MOST_SOURCE_SESSIONS)]


class Lesson(msgspec.Struct, rename="camel", kw_only=True, frozen=True):
    """One lesson, in the key order of the file."""

    id: Annotated[str, _about("A ULID; given on add.")]
    slug: Annotated[str, _about("The summary in kebab-case and four random characters; given on add.")]
    summary: Summary
    problem: Text
    solution: Text
    injection: Annotated[str | None, _about("Words to show instead of summary, problem and solution.")] = None
    block: Annotated[bool, _about("Deny every matching call; needs blockReason.")] = False
    block_reason: Annotated[str | None, _about("Why; {command} stands for the call's command.")] = None
    stop_once: Annotated[bool, _about("Deny the first matching call of a context, let the rerun pass.")] = False
    stage: Annotated[Stage, _about("shadow matches are logged and not shown.")] = "active"
    triggers: Triggers = Triggers()
    scope: Scope = Scope(type="global")
    priority: Priority = 5
    confidence: Confidence = 0.8
    needs_review: Annotated[bool, _about("True keeps the lesson out of the manifest.")] = False
    tags: list[Tag] = []
    source_session_ids: Sessions = []
    occurrence_count: int = 0
    fingerprints: Annotated[list[str], _about("Mistakes it is about; a scan counts their new occurrences.")] = []
    examples: Examples | None = None
    rule: Annotated[WrittenRule | None, _about("The rule that it enforces; `lessons rules` compares it.")] = None
    written_by: Annotated[str, _about("The agent that wrote or changed it by itself, if one did.")] = ""
    created_at: str = ""
    updated_at: str = ""
    content_hash: Annotated[str, _about("Of problem, solution and triggers; finds exact duplicates.")] = ""


# Other programs expect these keys in every record; all other keys are written only if not the default.
_ALWAYS_WRITTEN = frozenset(
    "id slug summary problem solution block triggers scope priority confidence needsReview tags sourceSessionIds "
    "occurrenceCount createdAt updatedAt contentHash "
    "toolNames commandPatterns pathPatterns contentPatterns sessionStart".split()
)
_BLANK: dict[str, object] = msgspec.to_builtins(Lesson(id="", slug="", summary="", problem="", solution=""))
_BLANK_TRIGGERS: dict[str, object] = msgspec.to_builtins(Triggers())
_CONDITIONS = frozenset(field.encode_name for field in msgspec.structs.fields(When))


def document_from_lesson(lesson: Lesson) -> dict[str, object]:
    """Returns the record as written to lessons.json."""
    document: dict[str, object] = msgspec.to_builtins(lesson)
    triggers = document["triggers"]
    assert isinstance(triggers, dict)
    if isinstance(triggers["when"], dict):
        triggers["when"].pop("unknownKeys", None)
    for group, blank in ((document, _BLANK), (triggers, _BLANK_TRIGGERS)):
        for key, default in blank.items():
            if key not in _ALWAYS_WRITTEN and group[key] == default:
                del group[key]
    return document


def document_from_triggers(triggers: Triggers) -> dict[str, object]:
    """Returns the keys that say something."""
    document: dict[str, object] = msgspec.to_builtins(triggers)
    return {key: value for key, value in document.items() if value}


# Name of a field in early records of lessons-learned -> its present name.
_EARLIER_NAMES = {"mistake": "problem", "remediation": "solution"}


def with_present_names(document: dict[str, object]) -> dict[str, object]:
    """Returns a record with the earlier names of fields replaced, unless it has the present ones too."""
    present = {name: new for name, new in _EARLIER_NAMES.items() if name in document and new not in document}
    return {present.get(name, name): value for name, value in document.items()} if present else document


def lesson_from_document(document: dict[str, object]) -> Lesson:
    """Returns the typed record; ignores unknown fields, refuses a wrong type by name."""
    document = with_present_names(document)
    try:
        lesson = msgspec.convert(document, Lesson)
    except msgspec.ValidationError as error:
        raise Refused(_sentence(str(error), document)) from None
    if not lesson.triggers.when or not (unknown := _unknown_keys(document)):
        return lesson
    known = {name: getattr(lesson.triggers.when, name) for name in When.__struct_fields__}
    triggers = msgspec.structs.replace(lesson.triggers, when=_WhenWithUnknown(**known, unknown_keys=unknown))
    return msgspec.structs.replace(lesson, triggers=triggers)


def _unknown_keys(document: dict[str, object]) -> list[str]:
    triggers = document["triggers"]
    when = triggers["when"] if isinstance(triggers, dict) else {}
    return sorted(set(when) - _CONDITIONS) if isinstance(when, dict) else []


def unknown_conditions(triggers: Triggers) -> list[str]:
    """Returns keys of `when` unknown to this version: it cannot decide whether they hold."""
    return triggers.when.unknown_keys if isinstance(triggers.when, _WhenWithUnknown) else []


_REMEDIES = {
    "str": "write a text in double quotes",
    "int": "write a whole number",
    "float": "write a number",
    "bool": "write true or false",
    "array": 'write a list, such as ["one", "two"]',
    "object": "write an object, such as {}",
    "str | object": 'write a command in double quotes, or an object with "tool" and what it was given',
}
_CHOICES = {
    "stage": 'write "shadow", "active" or "retired"',
    "scope.type": 'write "global", "project" or "machine"',
    "triggers.matchOn": 'write "command", "invocation" or "script"',
}


def _sentence(message: str, document: object) -> str:
    """Turns msgspec's message about a path in the document into a sentence with field, value and remedy."""
    place = re.search(r" - at `\$\.?(.*)`$", message)
    field = place[1] if place else ""
    missing = re.match(r"Object missing required field `(.*?)`", message)
    if missing:
        name = f"{field}.{missing[1]}" if field else missing[1]
        return f"{name} is missing: {_CHOICES.get(name, 'add it as a text in double quotes')}."
    expected = re.match(r"Expected `(.*?)(?: \| null)?`", message)
    remedy = _CHOICES.get(field) or _REMEDIES.get(expected[1] if expected else "", "correct it")
    return f"{field or 'the lesson'} is {shown(_value_at(field, document))}: {remedy}."


def _value_at(field: str, document: object) -> object:
    for name, position in re.findall(r"([^.\[\]]+)|\[(\d+)\]", field):
        if isinstance(document, dict):
            document = document.get(name)
        elif isinstance(document, list) and position:
            document = document[int(position)]
    return document


def shown(value: object) -> str:
    """Formats a value as JSON for a sentence, shortened if long."""
    text = json.dumps(value, ensure_ascii=False, default=str)
    return text if len(text) <= 80 else text[:77] + "..."
