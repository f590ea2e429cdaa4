"""The answer to a dossier: its schema and its typed record."""

from typing import Literal

import msgspec

from lessons.model import LONGEST_SUMMARY, SHORTEST_TEXT, MatchOn, Scope, Triggers

MOST_CITED = 50
_MOST_PATTERNS = 5
_LONGEST_PATTERN = 500
_PATTERNS = ("commandPatterns", "pathPatterns", "contentPatterns", "errorPatterns", "unless")


class GivenTriggers(msgspec.Struct, rename="camel", frozen=True, forbid_unknown_fields=True):
    """The triggers that an answer may set: calls and errors. Session-start notes are for a person to choose."""

    tool_names: list[str] = []
    command_patterns: list[str] = []
    path_patterns: list[str] = []
    content_patterns: list[str] = []
    error_patterns: list[str] = []
    unless: list[str] = []
    match_on: MatchOn | None = None

    def triggers(self) -> Triggers:
        return Triggers(**msgspec.structs.asdict(self))


class GivenScope(msgspec.Struct, rename="camel", frozen=True):
    """Where the lesson acts; the path of a project may be omitted if the candidate has only one."""

    type: Literal["global", "machine", "project"] = "global"
    path: str | None = None


class Answer(msgspec.Struct, rename="camel", frozen=True):
    """One answer; for a candidate that is not worth a lesson only the reason counts."""

    fingerprint: str
    worth_a_lesson: bool
    reason: str = ""
    summary: str = ""
    problem: str = ""
    solution: str = ""
    triggers: GivenTriggers = GivenTriggers()
    scope: GivenScope = GivenScope()
    cited_tool_use_ids: list[str] = []
    split_into: list[list[str]] | None = None
    merge_with: str | None = None

    @property
    def cited(self) -> list[str]:
        return list(dict.fromkeys(self.cited_tool_use_ids))

    def scope_in(self, projects: frozenset[str]) -> Scope | None:
        """Returns it as a lesson has it; None if it names a project without evidence of the candidate."""
        if self.scope.type != "project":
            return Scope(type=self.scope.type)
        path = self.scope.path or (next(iter(projects)) if len(projects) == 1 else "")
        return Scope(type="project", path=path) if path in projects else None


def answer_from(document: object) -> Answer | str:
    """Returns the answer, or one sentence that says why it is invalid; never raises."""
    try:
        return msgspec.convert(document, Answer)
    except (msgspec.MsgspecError, ValueError, TypeError, RecursionError) as fault:
        return f"The answer does not have the form that was asked for: {str(fault)[:200]}."


def decoded(text: str | bytes) -> object:
    """Returns the JSON in a text; None if it is not JSON."""
    try:
        return msgspec.json.decode(text)
    except (msgspec.MsgspecError, ValueError, RecursionError):
        return None


def _texts(description: str, longest: int = _LONGEST_PATTERN, most: int = _MOST_PATTERNS) -> dict[str, object]:
    items = {"type": "string", "maxLength": longest}
    return {"type": "array", "items": items, "maxItems": most, "description": description}


_TRIGGERS = {
    "commandPatterns": _texts("Regular expressions on the command line of a shell call."),
    "errorPatterns": _texts("Regular expressions on the error of a failed call."),
    "pathPatterns": _texts("Globs on the path that is read or written."),
    "contentPatterns": _texts("Regular expressions on what is written into a file."),
    "unless": _texts("Regular expressions that veto a match."),
    "toolNames": _texts("Tools that the patterns are limited to, such as Bash."),
    "matchOn": {
        "type": "string",
        "enum": ["command", "invocation", "script"],
        "description": "command: search the whole line; invocation: match from the start of each simple command;"
        " script: search code for an interpreter.",
    },
}
SCHEMA: dict[str, object] = {
    "type": "object",
    "additionalProperties": False,
    "required": ["fingerprint", "worthALesson"],
    "properties": {
        "fingerprint": {"type": "string", "description": "The fingerprint of the dossier."},
        "worthALesson": {"type": "boolean", "description": "Whether the same mistake can be avoided by knowing it."},
        "reason": {"type": "string", "maxLength": 300, "description": "One sentence: why it is not worth a lesson."},
        "summary": {
            "type": "string",
            "maxLength": LONGEST_SUMMARY,
            "description": f"One line of {SHORTEST_TEXT} to {LONGEST_SUMMARY} characters.",
        },
        "problem": {"type": "string", "maxLength": 600, "description": "What goes wrong, and why."},
        "solution": {"type": "string", "maxLength": 600, "description": "What works instead; code in backticks."},
        "triggers": {"type": "object", "additionalProperties": False, "properties": _TRIGGERS},
        "scope": {
            "type": "object",
            "additionalProperties": False,
            "required": ["type"],
            "properties": {"type": {"type": "string", "enum": ["global", "machine", "project"]}},
        },
        "citedToolUseIds": _texts("The failed calls of the dossier that the lesson is about.", 200, MOST_CITED),
        "splitInto": {
            "type": "array",
            "items": _texts("Failed calls that are one mistake.", 200, MOST_CITED),
            "description": "Only where the occurrences are different mistakes; the lesson is about the first group.",
        },
        "mergeWith": {
            "type": "string",
            "description": "The fingerprint of another candidate that is the same mistake.",
        },
    },
}
