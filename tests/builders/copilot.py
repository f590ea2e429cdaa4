"""Steps in, the `events.jsonl` of a Copilot CLI session in the client's format out; all values invented."""

import json
from pathlib import Path
from typing import Any
from uuid import NAMESPACE_URL, uuid5

Event = dict[str, Any]
FOLDER = "/home/somebody/shop"


class CopilotSession:
    """Every call adds lines; `write` puts all of them into the folder of session states."""

    def __init__(self, name: str = "first", version: str = "1.0.102", folder: str = FOLDER) -> None:
        self.id = str(uuid5(NAMESPACE_URL, name))
        self.lines: list[str] = []
        self._agent = ""
        context = {"cwd": folder, "gitRoot": folder, "branch": "main"}
        producer = {"version": 1, "producer": "copilot-agent", "copilotVersion": version}
        self.add("session.start", {"sessionId": self.id, **producer, "context": context})

    def add(self, kind: str, data: Event, **more: object) -> None:
        number = len(self.lines)
        time = (
            f"2026-01-01T{10 + number // 36_000:02d}:{number // 600 % 60:02d}:{number // 10 % 60:02d}.{number % 10}00Z"
        )
        agent = {"agentId": self._agent} if self._agent else {}
        event = {"type": kind, "data": data, **agent, "id": self._uuid(number), "timestamp": time}
        self.lines.append(json.dumps({**event, "parentId": self._uuid(number - 1), **more}, separators=(",", ":")))

    def _uuid(self, number: int) -> str:
        return str(uuid5(NAMESPACE_URL, f"{self.id} {number}"))

    def in_agent(self, name: str) -> "CopilotSession":
        """What follows is told of this subagent; an empty name is the session itself."""
        self._agent = name
        return self

    def prompt(self, words: str, **more: object) -> None:
        self.add("user.message", {"content": words, "transformedContent": f"<now>\n{words}", **more})

    def say(self, words: str) -> None:
        self.add("assistant.message", self._message(words, []))

    def request(self, name: str, tool: str, arguments: object, words: str = "") -> None:
        wanted = {"toolCallId": name, "name": tool, "arguments": arguments, "type": "function"}
        self.add("assistant.message", self._message(words, [wanted]))
        self.add("tool.execution_start", {"toolCallId": name, "toolName": tool, "arguments": arguments, "turnId": "0"})

    def _message(self, words: str, requests: list[Event]) -> Event:
        number = str(len(self.lines))
        common = {"messageId": f"m{number}-{self.id}", "model": "gpt-4.1", "interactionId": f"i-{self.id}"}
        return {**common, "content": words, "toolRequests": requests, "turnId": number}

    def complete(self, name: str, **data: object) -> None:
        common = {"toolCallId": name, "model": "gpt-4.1", "interactionId": f"i-{self.id}", "turnId": "0"}
        self.add("tool.execution_complete", {**common, **data})

    def shell(self, name: str, command: str, code: int, printed: str = "", structured: bool = True) -> None:
        """`structured`: as newer clients tell the exit code, beside the words for the model."""
        self.request(name, "bash", {"command": command, "description": "A step"})
        words = f"{printed}\n<shellId: {len(self.lines)} completed with exit code {code}>"
        told = {"shellExecution": {"exitCode": code}} if structured else {}
        self.complete(name, success=True, result={"content": words}, **told)

    def failure(self, name: str, tool: str, arguments: object, message: str, code: str = "failure") -> None:
        self.request(name, tool, arguments)
        self.complete(name, success=False, error={"message": message, "code": code})

    def text(self) -> str:
        return "".join(line + "\n" for line in self.lines)

    def write(self, root: Path) -> Path:
        file = root / self.id / "events.jsonl"
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(self.text(), encoding="utf-8")
        return file


def eventful(root: Path) -> None:
    """Failures of every kind, a fix, a subagent, a shell that goes on, a compaction, ids that two sessions share."""
    for name, version in (("first", "1.0.102"), ("second", "1.0.64")):
        session = CopilotSession(name, version)
        new = version == "1.0.102"
        session.prompt("Run the tests.")
        session.shell("call_1", "make tset", 2, "make: *** No rule to make target 'tset'.  Stop.", new)
        session.shell("call_2", "make test", 0, "fine", new)
        session.failure("call_3", "view", {"path": "/none"}, "Path does not exist")
        session.failure("call_4", "bash", {"command": "git push --force"}, "Denied by preToolUse hook", "denied")
        session.request("call_5", "bash", {"command": "sleep 100"})
        running = "<command with shellId: 7 is still running after 30 seconds. Use read_bash to wait.>"
        session.complete("call_5", success=True, result={"content": running})
        session.add("system.notification", {"kind": {"type": "shell_completed", "shellId": "7", "exitCode": 1}})
        session.add("session.compaction_complete", {"success": True})
        session.request("call_6", "task", {"prompt": "Look.", "agent_type": "explore"})
        session.in_agent("agent-1").shell("call_7", "grpe x y", 127, "bash: grpe: command not found", new)
        session.in_agent("").complete("call_6", success=True, result={"content": "Looked."})
        session.write(root)
