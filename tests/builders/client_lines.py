"""Parts of a transcript line in, the same parts in Claude Code's format out."""

import hashlib
import json
import re
from collections.abc import Mapping
from datetime import UTC, datetime, timedelta
from uuid import UUID

Line = dict[str, object]

START = datetime(2026, 9, 1, 8, 0, 0, tzinfo=UTC)
STEP = timedelta(seconds=2)
CONTINUED = "This session is being continued from a previous conversation that ran out of context."
REJECTED = "The user doesn't want to proceed with this tool use. The tool use was rejected."
SHELLS = ("Bash", "PowerShell")
ACCEPTED: Line = {"decision": "accept", "source": "config", "reasonType": "rule", "ruleSource": "cliArg"}
STOPPED: Line = {
    "hookCount": 1, "hookInfos": [{"command": "true", "durationMs": 9}], "hookErrors": [],
    "hookAdditionalContext": [], "preventedContinuation": False, "stopReason": "", "hasOutput": False,
    "level": "suggestion",
}  # fmt: skip

# What clients of early 2026 did not write yet; they also put the envelope first.
LATER_KEYS = frozenset(
    "promptId promptSource origin turnOrigin turnPosition permissionDecision sandboxed entrypoint apiBlockIndex"
    " requestRef requestedModel promptCacheRequested toolInputStreamMs effort perTurnEffort madeBy renderedRole"
    " rendered queueSkipAttachments summarizedTurnPromptUuids hookAdditionalContext".split()
)


def digest(text: str) -> str:
    return hashlib.blake2b(text.encode(), digest_size=16).hexdigest()


def identifier(owner: str, purpose: str) -> str:
    """An id of the shape of a UUID; all ids of one owner begin with the same eight digits, and no other's do."""
    return str(UUID(hex=owner_digits(owner) + digest(f"{owner} {purpose}")[8:], version=4))


def owner_digits(owner: str) -> str:
    return digest(owner)[:8]


def api_identifier(prefix: str, owner: str, purpose: str) -> str:
    """An id of the shape the API gives: toolu_…, msg_…, req_…"""
    return f"{prefix}_01{owner_digits(owner)}{digest(f'{owner} {prefix} {purpose}')[:14]}"


def slug(folder: str) -> str:
    """The name of the folder that holds the transcripts of a working folder."""
    return re.sub(r"[^a-zA-Z0-9]", "-", folder)


def encode(line: object) -> bytes:
    """One line without its end: no spaces, letters as they are, a lone surrogate as its escape."""
    return json.dumps(line, ensure_ascii=False, separators=(",", ":")).encode("utf-8", "backslashreplace")


def envelope(ends: Line, head: Line, body: Line, tail: Line, old: bool) -> Line:
    """A whole line: `ends` are the fields that every line of a session has, at the end or, in old clients, in front."""
    if not old:
        return {**head, **body, **tail, **ends}
    line = {**head, **ends, **body, **tail}
    return {key: value for key, value in line.items() if key not in LATER_KEYS}


def usage(output_tokens: int) -> Line:
    return {
        "input_tokens": 3, "cache_creation_input_tokens": 211, "cache_read_input_tokens": 18240,
        "output_tokens": output_tokens, "server_tool_use": {"web_search_requests": 0, "web_fetch_requests": 0},
        "service_tier": "standard",
        "cache_creation": {"ephemeral_1h_input_tokens": 0, "ephemeral_5m_input_tokens": 211},
    }  # fmt: skip


def assistant_message(message_id: str, model: str, block: Line, reason: str | None) -> Line:
    message: Line = {"id": message_id, "type": "message", "role": "assistant", "model": model, "content": [block]}
    return {**message, "stop_reason": reason, "stop_sequence": None, "usage": usage(40), "stop_details": None}


def result_block(tool: str, call: str, text: str, error: bool) -> Line:
    if error:
        return {"type": "tool_result", "content": text, "is_error": True, "tool_use_id": call}
    content: object = [{"type": "text", "text": text}] if tool.startswith("mcp__") else text
    block: Line = {"tool_use_id": call, "type": "tool_result", "content": content}
    return {**block, "is_error": False} if tool in SHELLS else block


def denied(denial: str) -> Line:
    """The decision beside a refused call: a hook's or a rule's, or nobody there to ask."""
    if denial == "permission-rule":
        return {"decision": "reject", "source": "hook", "reasonType": "hook", "reasonCode": "hook:PreToolUse"}
    return {"decision": "reject", "source": "config", "reasonCode": "unknown"}


def hook_attachment(name: str, event: str, call: str, text: str) -> tuple[Line, Line]:
    """The note that a hook's text was shown, and how the agent saw it."""
    shown: Line = {"type": "hook_additional_context", "content": [text], "hookName": name, "toolUseID": call}
    reminder = f"<system-reminder>\n{name} hook additional context: {text}\n</system-reminder>"
    return {**shown, "hookEvent": event}, {"rendered": [{"content": reminder}], "renderedRole": "system"}


def progress_data(text: str, kind: str, step: int) -> Line:
    if kind == "hook_progress":
        return {"type": kind, "hookEvent": "PreToolUse", "hookName": "PreToolUse:Bash", "command": text}
    if kind == "agent_progress":
        shown = {"type": "tool_use", "id": f"toolu_shown_{step}", "name": "Bash", "input": {"command": text}}
        message = {"type": "assistant", "message": {"role": "assistant", "content": [shown]}}
        return {"message": message, "normalizedMessages": [], "type": kind, "prompt": text, "agentId": "ab12"}
    data: Line = {"type": kind, "output": text[-200:], "fullOutput": text, "elapsedTimeSeconds": 3}
    return {**data, "totalLines": text.count("\n") + 1}


def error_details(text: str) -> str:
    """What stands in toolUseResult when a call failed: the text again, without the tags around it."""
    if text.startswith(REJECTED[:50]):
        return "User rejected tool use"
    inner = text.removeprefix("<tool_use_error>").removesuffix("</tool_use_error>")
    return inner if inner.startswith(("Sibling", "InputValidationError")) else "Error: " + inner


def shell_details(text: str, interrupted: bool, background: str | None, interpretation: str | None) -> Line:
    details: Line = {"stdout": text, "stderr": "", "interrupted": interrupted, "isImage": False}
    if interpretation is not None:
        details["returnCodeInterpretation"] = interpretation
    details["noOutputExpected"] = False
    if background is not None:
        details["backgroundTaskId"] = background
    return details


def tool_details(tool: str, arguments: Mapping[str, object], text: str) -> object:
    """What stands in toolUseResult when a call of a tool other than the shell went well."""
    path = str(arguments.get("file_path", ""))
    if tool.startswith("mcp__"):
        return [{"type": "text", "text": text}]
    if tool == "Read":
        lines = text.count("\n") + 1
        file = {"filePath": path, "content": text, "numLines": lines, "startLine": 1, "totalLines": lines}
        return {"type": "text", "file": file}
    if tool == "Edit":
        old, new = str(arguments.get("old_string", "")), str(arguments.get("new_string", ""))
        patch = {"oldStart": 1, "oldLines": 1, "newStart": 1, "newLines": 1, "lines": ["-" + old, "+" + new]}
        return {
            "filePath": path, "oldString": old, "newString": new, "originalFile": old + "\n",
            "structuredPatch": [patch], "userModified": False, "replaceAll": False,
        }  # fmt: skip
    if tool == "Write":
        content = arguments.get("content", "")
        return {"type": "create", "filePath": path, "content": content, "structuredPatch": [], "originalFile": None}
    if tool == "Grep":
        return {"mode": "content", "numFiles": 0, "filenames": [], "content": text, "numLines": text.count("\n") + 1}
    return {"success": True, "content": text}


def notification(task_id: str, status: str, exit_code: int, tool_use_id: str | None, description: str) -> str:
    """The text in which the client tells the agent that a background task ended."""
    ended = "failed with exit code {}" if status == "failed" else status + " (exit code {})"
    call = f"<tool-use-id>{tool_use_id}</tool-use-id>\n" if tool_use_id else ""
    return (
        f"<task-notification>\n<task-id>{task_id}</task-id>\n{call}<output-file>/tmp/tasks/{task_id}.output</output-file>\n"
        f'<status>{status}</status>\n<summary>Background command "{description}" {ended.format(exit_code)}</summary>\n'
        "</task-notification>"
    )
