"""How a tool call ended, according to a Claude Code transcript."""

import re
from collections.abc import Mapping
from html import unescape
from typing import NamedTuple

import msgspec

from lessons.agents.events import DENIED_BY_HOOK, Outcome, Verdict

# Fixed sentences of the client. They count only at the start of a result flagged as an error: files, logs and other
# transcripts quote them.
_REFUSED = (
    "The user doesn't want to proceed with this tool use",
    "The user doesn't want to take this action right now",
    "The agent proposed a plan that was rejected by the user",
    "User rejected ",
    "User declined to answer questions",
    "Claude requested permissions to ",
    "Permission for this tool use was denied",
    "Permission for this action ",
    "This command requires approval",
    "File is in a directory that is denied by your permission settings",
)
_REFUSED_LINE = re.compile(
    r"Permission to use [A-Za-z]\S* (?:with |on |has been denied)"
    r"|This \w+ command contains multiple operations\. [^\n]{0,200}?requires? approval"
    r"|[^\n]{1,2000}? (?:was blocked\. For security, Claude Code |needs approval\. The path is )"
)
# Followed by the reason; if that was printed by a command, the command comes first.
_HOOK = re.compile(r"(?:Hook )?PreToolUse:[^\n]{1,200}? (?:hook error|denied this tool)")
_HOOK_FRAME = re.compile(r"PreToolUse:[^\n]{1,200}? hook error: (?:\[[^\n]{1,2000}?\]: )?")
_CANCELLED = (
    "Sibling tool call errored",
    "Cancelled: parallel tool call",
    "Streaming fallback - tool execution discarded",
    "Tool permission request failed",
    "Tool permission stream closed",
)
_INTERRUPTED = ("[Request interrupted by user", "Interrupted by user")
_INTERRUPTED_WHOLE = ("[Request interrupted by user]", "[Request interrupted by user for tool use]")
_ABORTED_WHOLE = ("Request was aborted.", "Request was aborted.</tool_use_error>")
_ABORTED = "<error>Command was aborted before completion</error>"
_LOST = "[Tool result missing due to internal error]"

_EXIT_CODE = re.compile(r"Exit code (-?\d{1,10})(?:\s|$)")
_TIMED_OUT = re.compile(r"^Command timed out after ", re.MULTILINE)
_IN_BACKGROUND = re.compile(
    r"Command (?:running in background|was manually backgrounded by user) with ID: ([\w-]+)"
    r"|Command (?:did not complete within|was moved to the background|exceeded the)[^\n]{0,200}?ID: ([\w-]+)"
    r"|Async agent launched successfully.{0,500}?agentId: ([\w-]+)",
    re.DOTALL,
)
_LAUNCHED = ("async_launched", "remote_launched", "teammate_spawned")
_STOPPED_TASK = ("Successfully stopped task", "Successfully killed shell")

_NOTE = "<task-notification>"
_NOTIFICATION = re.compile(r"^<task-notification>(.*?)(?:</task-notification>|\Z)", re.MULTILINE | re.DOTALL)
_FIELD = re.compile(r"<(task-id|tool-use-id|status|summary)>(.{0,2000}?)</\1>", re.DOTALL)
# At the end: the command's own description, quoted before it, may mention exit codes too.
_LAST_EXIT_CODE = re.compile(r"exit code (-?\d{1,10})\)?\s*\Z")
_TOOL_USE_ID = re.compile(r"[a-z]+_[\w-]{1,200}")
_ENDED = ("completed", "failed", "killed", "stopped")
_BY_RULE = "permission-rule"  # toolDenialKind; also of hooks
# Asked to stop: SIGINT, SIGKILL, SIGTERM. Background commands are ended this way when they are no longer needed.
_STOP_CODES = (130, 137, 143)


class ResultDetails(msgspec.Struct, rename="camel", gc=False):
    """What an object-valued toolUseResult says about the outcome; values of an unexpected type are ignored."""

    interrupted: object = None
    background_task_id: object = None
    return_code_interpretation: object = None
    status: object = None
    is_async: object = None
    agent_id: object = None
    message: object = None
    stopped_id: object = msgspec.field(default=None, name="task_id")
    killed_id: object = msgspec.field(default=None, name="shell_id")
    shell_id: object = msgspec.field(default=None, name="shellId")
    exit_code: object = None
    task: msgspec.Raw = msgspec.Raw(b"null")
    retrieval_status: object = msgspec.field(default=None, name="retrieval_status")

    @property
    def is_shell(self) -> bool:
        """Only shells report whether they were interrupted."""
        return isinstance(self.interrupted, bool)

    @property
    def runs_on(self) -> bool:
        """Whether the call left a task running that ends later."""
        return bool(self.background_task_id) or self.is_async is True or self.status in _LAUNCHED

    @property
    def task_id(self) -> str:
        """The id of the task that is still running."""
        named = (self.background_task_id or self.agent_id) if self.runs_on else None
        return named if isinstance(named, str) else ""

    @property
    def may_end_tasks(self) -> bool:
        """Whether the next two can be set: nearly never."""
        return not (self.message is None and self.shell_id is None and self.retrieval_status is None)

    @property
    def stopped_task(self) -> str:
        """The task that this call stopped; clients often record nothing else about its end."""
        named = self.stopped_id or self.killed_id
        message = self.message if isinstance(self.message, str) else ""
        return named if isinstance(named, str) and message.startswith(_STOPPED_TASK) else ""

    @property
    def told_end(self) -> "TaskEnd | None":
        """The end of a task that this call polled; None while it runs."""
        if isinstance(self.shell_id, str):
            return _asked_end(self.shell_id, self.status, self.exit_code)
        if not isinstance(self.retrieval_status, str) or bytes(memoryview(self.task)[:1]) != b"{":
            return None
        task = _task_of(self.task)
        return _asked_end(task.task_id, task.status, task.exit_code)


class _Task(msgspec.Struct, gc=False):
    """The state of a task, as reported to a call that polls it."""

    task_id: object = None
    status: object = None
    exit_code: object = msgspec.field(default=None, name="exitCode")


_task_of = msgspec.json.Decoder(_Task).decode
_OK, _EXIT_0 = Verdict("ok", None), Verdict("ok", 0)


def verdict(
    is_error: bool | None,
    text: str,
    details: ResultDetails | None,
    denial: str | None,
    permission: Mapping[str, object] | None,
) -> Verdict:
    """Returns how the call of a tool_result ended; `text` may be cut, `denial` is toolDenialKind."""
    is_rejected = permission is not None and permission.get("decision") in ("reject", "deny")
    if (denial or is_rejected) and denial in (None, "", _BY_RULE) and _is_of_hook(text, denial, permission):
        return DENIED_BY_HOOK
    if denial:
        # Two values are not refusals: a sibling failed, or the user stopped a running call.
        others: dict[str, Outcome] = {"cancelled": "cancelled", "interrupted": "interrupted"}
        return Verdict(others.get(denial, "refused"), None)
    if is_rejected:
        return Verdict("refused", None)
    if is_error:
        return _flagged(text, details)
    return _bare(text) if details is None else _detailed(text, details)


def _is_of_hook(text: str, denial: str | None, permission: Mapping[str, object] | None) -> bool:
    """A hook that asks, where nobody can answer, has the source `config`: that is a refusal.

    Without a source: a rule of the person denies with a sentence of the client, a hook with its own words.
    """
    source = permission.get("source") if permission is not None else None
    if source is not None:
        return source == "hook"
    message = _message(text)
    if _HOOK.match(message):
        return True
    return (
        denial == _BY_RULE and bool(message) and not message.startswith(_REFUSED) and not _REFUSED_LINE.match(message)
    )


def hook_reason(text: str) -> str:
    """Returns the reason of a hook that denied the call, without what the client adds."""
    message = _message(text)
    frame = _HOOK_FRAME.match(message)
    return (message[frame.end() :].strip() if frame else "") or message


def _message(text: str) -> str:
    return text.lstrip().removeprefix("<tool_use_error>").removeprefix("Error: ")


def _flagged(text: str, details: ResultDetails | None) -> Verdict:
    message = _message(text)
    code = _EXIT_CODE.match(message)
    if code:
        # An exit code of a signal alone (130, 137, 143) is a failure: time-outs, lack of memory and the agent's own
        # kill end like that too. A user's stop is in the line below it or, after a signal, in the last line.
        number = int(code[1])
        stopped = message[code.end() :].startswith(_INTERRUPTED) or (
            number in _STOP_CODES and message.rstrip().rpartition("\n")[2] in _INTERRUPTED_WHOLE
        )
        return Verdict("interrupted" if stopped else "failed", number)
    return DENIED_BY_HOOK if _HOOK.match(message) else Verdict(_flagged_without_code(message, details), None)


def _flagged_without_code(message: str, details: ResultDetails | None) -> Outcome:
    if message.startswith(_REFUSED) or _REFUSED_LINE.match(message):
        return "refused"
    if message.startswith(_CANCELLED):
        return "cancelled"
    if message.startswith(_LOST):
        return "unknown"
    end = message.rstrip()
    if message.startswith(_INTERRUPTED) or end.endswith(_ABORTED) or end in _ABORTED_WHOLE:
        return "interrupted"
    if details is not None and details.interrupted is True and not _TIMED_OUT.search(message):
        return "interrupted"
    return "failed"


def _bare(text: str) -> Verdict:
    """Subagent files have no details of a success: a shell's soft failures look the same, so no exit code is known."""
    if started_task(text):
        return Verdict("unknown", None)
    stopped = text.strip() in _INTERRUPTED_WHOLE or text.rstrip().endswith(_ABORTED)
    return Verdict("interrupted" if stopped else "ok", None)


def _detailed(text: str, details: ResultDetails) -> Verdict:
    if details.runs_on:
        return Verdict("unknown", None)
    if details.interrupted is True:
        # Older clients call a command interrupted that reached its time limit.
        return Verdict("failed" if _TIMED_OUT.search(text) else "interrupted", None)
    soft = isinstance(details.return_code_interpretation, str) and details.return_code_interpretation
    return _EXIT_0 if details.is_shell and not soft else _OK


def started_task(text: str) -> str:
    """Returns the background task that a result without details has started; empty if none."""
    found = _IN_BACKGROUND.match(text)
    return found[1] or found[2] or found[3] if found else ""


class TaskEnd(NamedTuple):
    """How a background task ended; either id may be empty."""

    task_id: str
    tool_use_id: str
    verdict: Verdict
    summary: str


def task_ends(text: str) -> list[TaskEnd]:
    """Returns the ended tasks in a text that starts with a task notification; ignores events of running tasks."""
    if not text.startswith(_NOTE):
        return []
    return [end for found in _NOTIFICATION.finditer(text) if (end := _end(found[1])) is not None]


def _end(body: str) -> TaskEnd | None:
    # The task's own output follows in <result> and may contain anything.
    head = body.partition("<result>")[0]
    fields: dict[str, str] = {}
    for name, value in _FIELD.findall(head):
        fields.setdefault(name, unescape(value).strip())
    task_id, tool_use_id = fields.get("task-id", ""), fields.get("tool-use-id", "")
    if not _TOOL_USE_ID.fullmatch(tool_use_id):
        tool_use_id = ""  # people replace it before they share a transcript
    status, summary = fields.get("status", ""), fields.get("summary", "")
    if status not in _ENDED or not (task_id or tool_use_id):
        return None
    found = _LAST_EXIT_CODE.search(summary)
    return TaskEnd(task_id, tool_use_id, _ended_with(status, int(found[1]) if found else None), summary)


def _asked_end(task_id: object, status: object, exit_code: object) -> TaskEnd | None:
    if not isinstance(task_id, str) or not task_id or not isinstance(status, str) or status not in _ENDED:
        return None
    code = exit_code if isinstance(exit_code, int) and not isinstance(exit_code, bool) else None
    return TaskEnd(task_id, "", _ended_with(status, code), "")


def _ended_with(status: str, code: int | None) -> Verdict:
    if status in ("killed", "stopped") or code in _STOP_CODES:
        return Verdict("interrupted", code)
    return Verdict("ok" if status == "completed" and not code else "failed", code)
