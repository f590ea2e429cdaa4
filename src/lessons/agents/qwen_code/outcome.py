"""Parses from the parts of a `tool_result` of Qwen Code how the call ended, and its output."""

import re
from typing import NamedTuple

from lessons.agents.object_lines import Fields, inner, number, text
from lessons.agents.outcomes import DENIED_BY_HOOK, Outcome, Verdict

_NOTHING = ("(none)", "(empty)", "")
_DENIED = "execution_denied"
_REFUSED = (_DENIED, "permission_denied", "policy_denied")
# How the client words its own denials; a hook's reason is the whole text.
_BY_RULE = re.compile(
    r"Qwen Code requires permission |Permission (?:denied|to use)|[^\n]{0,300}\b(?:[Pp]lan|[Aa]uto)[- ]mode\b"
    r"|(?:Deferred )?[Tt]ool \"[^\"\n]{1,200}\" (?:is|was|changed)\b"
)
_BY_PERSON = "User did not allow tool call"
_TASK = re.compile(r"^task_id: ([\w-]{1,200})", re.MULTILINE)
_BACKGROUND = re.compile(r"^Background \w+ launched successfully\.")
_TASK_FIELDS = re.compile(r"<(task-id|tool-use-id|status|summary)>([^<]{0,2000})</\1>")
_ENDS: dict[str, Outcome] = {"completed": "ok", "failed": "failed", "error": "failed"}


class Ended(NamedTuple):
    """`task` is set if the call continues in the background."""

    verdict: Verdict
    printed: str
    task: str = ""


class TaskEnd(NamedTuple):
    """A notification about a background task."""

    task: str
    call: str
    verdict: Verdict
    summary: str


def outcome_of(response: Fields, result: Fields) -> Ended:
    """`response` is what the model got, `result` the client's record of it; subagents have little of the second."""
    refusal = text(response, "error")
    output_text = refusal or text(response, "output")
    if refusal and text(result, "errorType") in _REFUSED:
        is_hook = text(result, "errorType") == _DENIED and not _BY_RULE.match(refusal)
        return Ended(DENIED_BY_HOOK if is_hook else Verdict("refused", None), output_text)
    if text(result, "status") == "cancelled":
        return Ended(Verdict("refused" if _BY_PERSON in output_text else "interrupted", None), output_text)
    display = inner(result, "resultDisplay")
    printed, code = _shell(output_text, display)
    if refusal or code:
        return Ended(Verdict("failed", code), printed)
    task = _TASK.search(output_text) if _BACKGROUND.match(output_text) else None
    if task:
        return Ended(Verdict("unknown", None), output_text, task[1])
    return Ended(Verdict("ok", code), printed)


def _shell(output_text: str, display: Fields) -> tuple[str, int | None]:
    """Returns the output of a command without the frame around it, and its exit code; other text unchanged.

    The lines of the frame are Command, Directory, Output, Error, Exit Code and more; hooks add their text after it.
    """
    code = number(display, "exitCode")
    output, ending = output_text.find("\nOutput: "), output_text.rfind("\nExit Code: ")
    error = output_text.rfind("\nError: ", output, ending) if 0 < output < ending else -1
    if not output_text.startswith("Command: ") or error < 0:
        return text(display, "output") or output_text if text(display, "type") == "shell_result" else output_text, code
    if code is None:
        digits = output_text[ending:].split(" ", 2)[2].partition("\n")[0]
        code = int(digits) if digits.isdecimal() and digits.isascii() else None
    parts = (output_text[output:error].partition(": ")[2], output_text[error:ending].partition(": ")[2])
    return "\n".join(part for part in parts if part not in _NOTHING), code


def task_end(notification: str) -> TaskEnd | None:
    """Returns None if it names no task."""
    fields = dict(_TASK_FIELDS.findall(notification[:8_192]))
    if not fields.get("task-id"):
        return None
    verdict = Verdict(_ENDS.get(fields.get("status", ""), "interrupted"), None)
    return TaskEnd(fields["task-id"], fields.get("tool-use-id", ""), verdict, fields.get("summary", ""))
