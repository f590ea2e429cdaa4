"""Parses from a `tool.execution_complete` of Copilot CLI how the call ended, and its text."""

import re
from typing import NamedTuple

from lessons.agents.copilot_cli.shell_result import split_exit
from lessons.agents.object_lines import Fields, inner, number, text
from lessons.agents.outcomes import DENIED_BY_HOOK, Outcome, Verdict

# A hook's text follows the result; the tool's own output comes before.
_GUIDANCE = re.compile(r'\n\nTool "[^"\n]{1,200}" (?:succeeded|failed)\. Additional guidance from (post\w+) hooks:\n')
_EVENTS = {"postToolUse": "PostToolUse", "postToolUseFailure": "PostToolUseFailure"}
_OUTCOMES: dict[str, Outcome] = {
    "denied": "refused",
    "rejected": "refused",
    "cancelled": "cancelled",
    "canceled": "cancelled",
    "aborted": "interrupted",
    "interrupted": "interrupted",
}
# After a colon comes the reason; a hook that did not work is named instead.
_BY_HOOK = "Denied by preToolUse hook"
_STILL_RUNNING = re.compile(r"<command with shellId: (\w{1,40}) is still running\b[^>]*>\s*\Z")
_STARTED = re.compile(r"<command started in [\w ]*background with shellId: (\w{1,40})>\s*\Z")
_READ_TO_END = re.compile(r"<shellId: (\w{1,40}) (?:completed|exited) with exit code -?\d+>\s*\Z")
_STOPPED = re.compile(r"<command with id: (\w{1,40}) stopped>\s*\Z")
_ENDING = 400


class Ended(NamedTuple):
    """`task` is set if a shell continues, `ended` if this call reported the end of an earlier one."""

    verdict: Verdict
    printed: str
    task: str = ""
    ended: str = ""
    end: Verdict | None = None
    event: str = ""
    guidance: str = ""


def outcome_of(data: Fields) -> Ended:
    failure = inner(data, "error")
    printed, event, guidance = _without_guidance(text(inner(data, "result"), "content") or text(failure, "message"))
    if data.get("success") is False:
        outcome = _OUTCOMES.get(text(failure, "code"), "failed")
        if outcome == "refused" and printed.startswith(_BY_HOOK):
            reason = printed.removeprefix(f"{_BY_HOOK}: ")
            return Ended(DENIED_BY_HOOK, reason, event=event, guidance=guidance)
        return Ended(Verdict(outcome, None), printed or text(data, "error"), event=event, guidance=guidance)
    telemetry = inner(data, "toolTelemetry")
    if _asks_after_shell(inner(telemetry, "properties")):
        return _asked_after(printed)._replace(event=event, guidance=guidance)
    output, printed_code = split_exit(printed)
    code = number(inner(data, "shellExecution"), "exitCode")
    if code is None:
        code = printed_code if printed_code is not None else number(inner(telemetry, "metrics"), "exit_code")
    found = _goes_on(printed) if code is None else ""
    if found:
        return Ended(Verdict("unknown", None), printed, found, event=event, guidance=guidance)
    return Ended(Verdict("failed" if code else "ok", code), output, event=event, guidance=guidance)


def _without_guidance(printed: str) -> tuple[str, str, str]:
    found = _GUIDANCE.search(printed)
    if found is None:
        return printed, "", ""
    return printed[: found.start()], _EVENTS.get(found[1], found[1]), printed[found.end() :]


def _asks_after_shell(properties: Fields) -> bool:
    """Whether the call reads, writes to or stops a shell that an earlier call started."""
    return "shell_operation" in properties or text(properties, "shell_status") == "stopped"


def _asked_after(printed: str) -> Ended:
    ending = printed[-_ENDING:]
    stopped = _STOPPED.search(ending)
    if stopped:
        return Ended(Verdict("ok", None), printed, ended=task_of(stopped[1]), end=Verdict("interrupted", None))
    over = _READ_TO_END.search(ending)
    if over is None:
        return Ended(Verdict("ok", None), printed)
    output, code = split_exit(printed)
    end = Verdict("failed" if code else "ok", code)
    return Ended(Verdict("ok", None), output, ended=task_of(over[1]), end=end)


def _goes_on(printed: str) -> str:
    ending = printed[-_ENDING:]
    found = _STILL_RUNNING.search(ending) or _STARTED.search(ending)
    return task_of(found[1]) if found else ""


def task_of(shell_id: str) -> str:
    """Returns a task id; shells are numbered in each session."""
    return f"shell-{shell_id}"
