"""Events of a session in, the transcript lines and files that Claude Code would write out."""

import copy
import json
from collections.abc import Mapping
from datetime import datetime
from pathlib import Path
from typing import Self

from tests.builders.client_lines import (
    ACCEPTED,
    CONTINUED,
    SHELLS,
    START,
    STEP,
    STOPPED,
    Line,
    api_identifier,
    assistant_message,
    denied,
    encode,
    envelope,
    error_details,
    hook_attachment,
    identifier,
    notification,
    progress_data,
    result_block,
    shell_details,
    slug,
    tool_details,
)


class Session:
    """One transcript file in the making: every method adds the lines of one event; nothing in it is left to chance."""

    def __init__(
        self,
        name: str = "s1",
        cwd: str = "/home/somebody/shop",
        branch: str = "main",
        version: str = "2.1.325",
        model: str = "claude-x",
        old: bool = False,
        began: datetime = START,
    ) -> None:
        self.name, self.cwd, self.branch, self.version, self.model, self.old = name, cwd, branch, version, model, old
        self.began = began
        # The id has digits of its own, so that the ids of the lines can be exchanged and the session stays.
        self.id = identifier(f"session {name}", "id")
        self.home_folder, self.entrypoint, self.message_id = cwd, "cli", ""
        self.agent_id: str | None = None
        self.workflow: str | None = None
        self.lines: list[Line] = []
        self.subagents: list[Session] = []
        self.calls: dict[str, tuple[str, Mapping[str, object], str]] = {}
        self.parent: str | None = None
        self._steps = self._prompts = 0

    # What a person, a program or the client says to the agent.

    def prompt(self, text: str, source: str | None = "typed", meta: bool = False, blocks: bool = False) -> str:
        """`source`: typed, queued, sdk, or None where the line does not say; `blocks`: the text as a list of blocks."""
        self._prompts += 1
        if source == "sdk":
            self.entrypoint = "sdk-cli"
        said: Line = {}
        if source is not None and not meta and self.agent_id is None:
            human: Line = {} if source == "sdk" else {"origin": {"kind": "human"}}
            position = {"promptIndex": self._prompts, "turnIndex": self._prompts}
            said = {"permissionMode": "default", **human, "promptSource": source}
            said |= {"turnOrigin": "sdk" if source == "sdk" else "human", "turnPosition": position}
        content: object = [{"type": "text", "text": text}] if blocks else text
        return self._user(content, {"isMeta": True} if meta else {}, said)

    def compact(self, old_marker: bool = False, boundary: bool = True, trigger: str = "auto") -> str:
        """The uuid of the boundary; `old_marker`: only the sentence tells of it; not `boundary`: only the flag does."""
        boundary_uuid = self._boundary(trigger) if boundary and not old_marker else None
        marks: Line = {} if old_marker else {"isVisibleInTranscriptOnly": True, "isCompactSummary": True}
        summary = f"{CONTINUED} What was done so far:\n\n1. The shop was opened ({self._steps} steps)."
        summary_uuid = self._user(summary, marks, {})
        return boundary_uuid or summary_uuid

    def interrupt(self, for_tool: bool = False, message_id: str | None = None) -> str:
        text = "[Request interrupted by user for tool use]" if for_tool else "[Request interrupted by user]"
        named: Line = {} if message_id is None else {"interruptedMessageId": message_id}
        return self._user([{"type": "text", "text": text}], {}, named)

    def notify(
        self,
        task_id: str,
        status: str = "completed",
        exit_code: int = 0,
        tool_use_id: str | None = None,
        description: str = "a long task",
    ) -> str:
        """A background task ended: queued first, then said to the agent."""
        text = notification(task_id, status, exit_code, tool_use_id, description)
        self.queue(text)
        origin = {"kind": "task-notification", "producer": "session-task", "runId": f"run-{task_id}"}
        said: Line = {"permissionMode": "default", "origin": origin, "promptSource": "system"}
        said |= {"turnOrigin": "task_notification", "queueSkipAttachments": True}
        return self._user(text, {}, said)

    # What the agent says and does.

    def say(self, text: str, same_message: bool = False) -> str:
        return self._assistant({"type": "text", "text": text}, same_message, "end_turn")

    def think(self, text: str = "", same_message: bool = False) -> str:
        return self._assistant({"type": "thinking", "thinking": text, "signature": "c2lnbmVk"}, same_message, None)

    def call(self, tool: str, arguments: Mapping[str, object], same_message: bool = False) -> str:
        """The tool_use id; `same_message`: beside the line before, as parallel calls are."""
        tool_use_id = api_identifier("toolu", self.name, f"{self.agent_id} {self._steps}")
        block: Line = {"type": "tool_use", "id": tool_use_id, "name": tool, "input": arguments}
        self.calls[tool_use_id] = (tool, arguments, self._assistant(block, same_message, "tool_use"))
        return tool_use_id

    def result(
        self,
        call: str,
        text: str = "",
        error: bool = False,
        interrupted: bool = False,
        background: str | None = None,
        interpretation: str | None = None,
        denial: str | None = None,
        permission: Line | None = ACCEPTED,
        no_details: bool | None = None,
        details: object = None,
    ) -> str:
        """`denial` (user-rejected, permission-rule) makes it an error; a subagent's good results carry no details."""
        tool, arguments, assistant = self.calls.get(call, ("Bash", {}, ""))
        error = error or denial is not None
        if details is None and error:
            details = error_details(text)
        elif details is None and tool in SHELLS:
            details = shell_details(text, interrupted, background, interpretation)
        elif details is None:
            details = tool_details(tool, arguments, text)
        left_out = no_details if no_details is not None else self.agent_id is not None and not error
        rest: Line = {} if left_out else {"toolUseResult": details}
        if denial is not None:
            rest["toolDenialKind"] = denial
            permission = denied(denial) if permission is ACCEPTED else permission
        elif tool in SHELLS:
            rest["sandboxed"] = False
        rest["sourceToolAssistantUUID"] = assistant
        if permission is not None:
            rest["permissionDecision"] = permission
        return self._user([result_block(tool, call, text, error)], {}, rest, parent=assistant or self.parent)

    # What the client notes beside the conversation.

    def hook_context(self, call: str, text: str, event: str = "PreToolUse") -> str:
        """A hook's text was shown; a leaf beside the call. For events without a call, `call` is the event's name."""
        tool, _, assistant = self.calls.get(call, ("", {}, self.parent))
        shown, rendered = hook_attachment(f"{event}:{tool}" if tool else event, event, call, text)
        return self._attachment(shown, rendered, assistant)

    def progress(self, call: str, text: str = "", kind: str = "bash_progress") -> str:
        """What clients until spring 2026 wrote while a call ran; agent_progress repeats the subagent's messages."""
        body: Line = {"type": "progress", "data": progress_data(text, kind, self._steps)}
        body |= {"toolUseID": f"{kind}-{self._steps}", "parentToolUseID": call}
        return self._add(body, {}, parent=self.parent)

    def bookkeeping(self, size: int = 2000) -> Self:
        """The lines of newer clients about their own requests: bulky, with the words of the conversation once more."""
        bulk = ("Notes of the machine about itself. #lesson is explained here. " * (size // 60 + 1))[:size]
        request = identifier(self.name, f"request {self._steps}")
        self._bare("api-request-shape", timestamp=self.now(), requestRef=request, shape={"system": bulk})
        self._bare("api-request-blob", hash=request, blob=bulk)
        repeated = [line["message"] for line in self.lines[-3:] if "message" in line]
        self._bare("api-request", timestamp=self.now(), requestRef=request, body={"messages": repeated, "system": bulk})
        self._attachment({"type": "prompt_snapshot", "prompt": bulk}, {}, self.parent)
        self._bare("tools-used", tools=["Bash", "Read"])
        self._bare("cost-state", totalCostUSD=0.25, totalDuration=61000, modelUsage={self.model: {"inputTokens": 5}})
        self._bare("atis-latch", atis="")
        return self

    def turn_end(self, *errors: str, **fields: object) -> Self:
        """`errors`: what hooks said that failed."""
        stop: Line = {"type": "system", "subtype": "stop_hook_summary", **STOPPED, "hookErrors": list(errors), **fields}
        self._add(stop, {"toolUseID": f"stop-{self._steps}"})
        self._add({"type": "system", "subtype": "turn_duration", "durationMs": 61000}, {"isMeta": False})
        return self

    def title(self, text: str) -> Self:
        return self._bare("ai-title", aiTitle=text)

    def queued_command(self, text: str) -> str:
        """A queued prompt reaches the agent in the middle of its turn."""
        return self._attachment({"type": "queued_command", "prompt": text}, {}, self.parent)

    def take_back(self, text: str) -> Self:
        """The person takes all that is queued back into the line to edit."""
        return self._bare("queue-operation", operation="popAll", timestamp=self.now(), content=text)

    def queue(self, text: str) -> Self:
        self._bare("queue-operation", operation="enqueue", timestamp=self.now(), content=text)
        return self._bare("queue-operation", operation="dequeue", timestamp=self.now())

    def snapshot(self) -> Self:
        files: Line = {"messageId": self.parent, "trackedFileBackups": {}, "timestamp": self.now()}
        line: Line = {"type": "file-history-snapshot", "messageId": self.parent}
        self.lines.append({**line, "snapshot": files, "isSnapshotUpdate": False})
        return self

    def in_folder(self, folder: str) -> Self:
        """The agent works in another folder from here on; the file stays where it is."""
        self.cwd = folder
        return self

    # Other files.

    def fork(self, name: str, from_boundary: bool = False) -> "Session":
        """A new session that begins with copies of the lines: same uuids, its own session id."""
        boundaries = [number for number, line in enumerate(self.lines) if line.get("subtype") == "compact_boundary"]
        first = boundaries[-1] if from_boundary and boundaries else 0
        forked = Session(name, self.cwd, self.branch, self.version, self.model, self.old)
        forked.home_folder, forked.entrypoint, forked.calls = self.home_folder, self.entrypoint, dict(self.calls)
        forked._steps, forked._prompts, forked.parent = self._steps, self._prompts, self.parent
        for line in copy.deepcopy(self.lines[first:]):
            forked.lines.append({**line, "sessionId": forked.id} if "sessionId" in line else line)
        return forked

    def subagent(self, agent_id: str, workflow: str | None = None) -> "Session":
        """A file of its own under the same session id, written together with this one."""
        agent = Session(self.name, self.cwd, self.branch, self.version, self.model, self.old)
        agent.agent_id, agent.workflow, agent._steps = agent_id, workflow, self._steps
        self.subagents.append(agent)
        return agent

    def data(self, newline: bool = True) -> bytes:
        text = b"\n".join(map(encode, self.lines))
        return text + b"\n" if newline and text else text

    def write(self, root: Path) -> Path:
        """All files of the session under `root`, the folder `projects`, and two dumps that are no transcripts."""
        path = root / slug(self.home_folder) / f"{self.id}.jsonl"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(self.data())
        for agent in self.subagents:
            agent._write_agent(path.with_suffix("") / "subagents")
        dump = Session(f"{self.name} dump", self.cwd)
        dump.result(dump.call("Bash", {"command": "echo never-read"}), "Exit code 9\nnever read", error=True)
        dumps = path.with_suffix("") / "tool-results"
        dumps.mkdir(parents=True, exist_ok=True)
        for name in ("b0dump.txt", "b0dump.jsonl"):
            (dumps / name).write_bytes(dump.data())
        return path

    def _write_agent(self, folder: Path) -> None:
        folder = folder / "workflows" / self.workflow if self.workflow else folder
        folder.mkdir(parents=True, exist_ok=True)
        (folder / f"agent-{self.agent_id}.jsonl").write_bytes(self.data())
        about = {"agentType": "general-purpose", "description": "a part", "spawnDepth": 1, "finished": True}
        (folder / f"agent-{self.agent_id}.meta.json").write_text(json.dumps(about), encoding="utf-8")

    # How lines are put together.

    def now(self) -> str:
        moment = self.began + self._steps * STEP
        return moment.isoformat(timespec="milliseconds").replace("+00:00", "Z")

    def _agent(self) -> Line:
        return {} if self.agent_id is None else {"agentId": self.agent_id}

    def _bare(self, kind: str, **fields: object) -> Self:
        """A line that has no more than its type and the session."""
        self.lines.append({"type": kind, "sessionId": self.id, **fields})
        return self

    def _add(self, body: Line, tail: Line, parent: str | None = None, leaf: bool = False, **logical: object) -> str:
        """A line with the whole envelope; a leaf is nobody's parent."""
        uuid = identifier(self.name, f"{self.agent_id} line {self._steps}")
        head: Line = {"parentUuid": parent if logical or parent else self.parent, **logical}
        head["isSidechain"] = self.agent_id is not None
        tail = {"uuid": uuid, "timestamp": self.now(), **tail}
        ends: Line = {"userType": "external", "entrypoint": self.entrypoint, "cwd": self.cwd}
        ends |= {"sessionId": self.id, "version": self.version, "gitBranch": self.branch}
        self.lines.append(envelope(ends, head, body, tail, self.old))
        self._steps += 1
        self.parent = self.parent if leaf else uuid
        return uuid

    def _user(self, content: object, marks: Line, rest: Line, parent: str | None = None) -> str:
        turn: Line = {} if "isMeta" in marks else {"promptId": identifier(self.name, f"prompt {self._prompts}")}
        body: Line = {**turn, **self._agent(), "type": "user", "message": {"role": "user", "content": content}}
        return self._add({**body, **marks}, rest, parent)

    def _assistant(self, block: Line, same_message: bool, reason: str | None) -> str:
        if not same_message or not self.message_id:
            self.message_id = api_identifier("msg", self.name, f"{self.agent_id} {self._steps}")
        streamed: Line = {"toolInputStreamMs": 2} if block["type"] == "tool_use" else {}
        message = assistant_message(self.message_id, self.model, block, reason)
        body: Line = {**self._agent(), "message": message, **streamed, "apiBlockIndex": 0}
        body |= {"requestId": f"req_{self.message_id}", "requestRef": identifier(self.name, self.message_id)}
        body |= {"requestedModel": self.model, "promptCacheRequested": "5m", "type": "assistant"}
        return self._add(body, {"effort": "medium", "perTurnEffort": "medium", "madeBy": "model"})

    def _attachment(self, attachment: Line, rest: Line, parent: str | None) -> str:
        body: Line = {**self._agent(), "attachment": attachment, "type": "attachment"}
        return self._add(body, rest, parent, leaf=True)

    def _boundary(self, trigger: str) -> str:
        about: Line = {"trigger": trigger, "preTokens": 155000, "postTokens": 9000}
        body: Line = {"type": "system", "subtype": "compact_boundary", "content": "Conversation compacted"}
        body |= {"level": "info", "compactMetadata": about}
        return self._add(body, {}, None, logicalParentUuid=self.parent)
