"""The tool `report_lesson`: what an agent learned, as a candidate that a person reviews."""

from datetime import UTC, datetime

from lessons.continuity.permission import Permission
from lessons.errors import Refused
from lessons.mcp.caller import Caller
from lessons.promote.imports.reported import Provenance, report
from lessons.promote.imports.review import ALREADY_THERE, TAKEN
from lessons.redact.texts import redacted
from lessons.store.project_folder import root_above

_LONGEST_TEXT = 4_000


def report_lesson(
    caller: Caller, problem: str, solution: str, command_pattern: str = "", error_pattern: str = "", tool: str = ""
) -> str:
    """Report a mistake that you made and what is right instead, so that the user can make it a lesson.

    `problem` says what goes wrong, `solution` what to do instead. `command_pattern` is a regular expression of the
    command that is wrong, `error_pattern` one of its error; without either it is a note for the start of a session. It
    is stored as a candidate and changes nothing by itself.
    """
    root, now = root_above(caller.folder), f"{datetime.now(UTC):%Y-%m-%dT%H:%M:%S.000Z}"
    Permission(caller.home, root, caller.session).require(now)
    for name, text in (("problem", problem), ("solution", solution)):
        if not text.strip():
            raise Refused(f"{name} is empty: say it in a sentence.")
    document: dict[str, object] = {
        "problem": problem[:_LONGEST_TEXT],
        "solution": solution[:_LONGEST_TEXT],
        "triggers": _triggers(command_pattern, error_pattern, tool),
    }
    line = report(caller.home, document, Provenance(caller.client or "an agent", caller.session, root, now), redacted)
    if line.result == TAKEN:
        return "Stored as a candidate. The user decides about it in `lessons review`; until then it changes nothing."
    if line.result == ALREADY_THERE:
        return f"Already known: {line.reason}"
    raise Refused(f"Not stored: {line.reason}")


def _triggers(command_pattern: str, error_pattern: str, tool: str) -> dict[str, object]:
    """Builds the triggers; a tool alone is not one: the lesson would fire at every call of it."""
    patterns = {"commandPatterns": command_pattern, "errorPatterns": error_pattern}
    given: dict[str, object] = {key: [pattern] for key, pattern in patterns.items() if pattern}
    if not given:
        return {"sessionStart": True}
    return {**given, "toolNames": [tool]} if tool else given
