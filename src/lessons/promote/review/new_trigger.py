"""Changes the trigger of a case so that the result can fire."""

from collections.abc import Sequence

import msgspec

from lessons.lesson_fields import FIRING, LessonField, has_any
from lessons.match.tools import canonical_name
from lessons.model import Triggers


def with_patterns(present: Triggers, field: LessonField, patterns: Sequence[str]) -> Triggers:
    """Returns the trigger with its patterns of one kind replaced by these."""
    changes: dict[str, object] = {field.attribute: list(patterns)}
    changed = msgspec.structs.replace(present, **changes)
    if not has_any(changed, FIRING):
        return changed
    changes = {"session_start": False}  # a note for the start of a session fires at no call
    if field.looks_at == "command" and not present.command_patterns and present.match_on is None:
        changes["match_on"] = "invocation"
    if field.looks_at in ("path", "content") and not _reach_files(present.tool_names):
        changes["tool_names"] = []
    return msgspec.structs.replace(changed, **changes)


def alone(triggers: Triggers, field: LessonField, pattern: str) -> Triggers:
    """Returns the trigger with this pattern and none of another kind, to test it by itself."""
    others: dict[str, object] = {each.attribute: [] for each in FIRING}
    # Path patterns restrict content patterns.
    if field.looks_at == "content":
        del others["path_patterns"]
    return with_patterns(msgspec.structs.replace(triggers, **others), field, [pattern])


def _reach_files(tools: Sequence[str]) -> bool:
    """Whether a lesson for these tools ever sees a call with a path."""
    return not tools or any(canonical_name(tool) != "Bash" for tool in tools)
