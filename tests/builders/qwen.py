"""Steps in, the transcript of a Qwen Code session in the client's format out; all values invented."""

import json
from pathlib import Path
from typing import Any
from uuid import NAMESPACE_URL, uuid5

Line = dict[str, Any]
FOLDER = "/home/somebody/shop"


class QwenSession:
    """Every call adds lines; `write` puts all of them where the client would."""

    def __init__(self, name: str = "first", agent: str = "", folder: str = FOLDER) -> None:
        self.id = str(uuid5(NAMESPACE_URL, name))
        self.agent, self.folder = agent, folder
        self.lines: list[str] = []

    def add(self, kind: str, **more: object) -> None:
        number = len(self.lines)
        time = (
            f"2026-01-01T{10 + number // 36_000:02d}:{number // 600 % 60:02d}:{number // 10 % 60:02d}.{number % 10}00Z"
        )
        names = {"uuid": self._uuid(number), "parentUuid": self._uuid(number - 1), "sessionId": self.id}
        place = {"cwd": self.folder, "version": "0.24.4", "gitBranch": "main"}
        agent = {"agentId": self.agent, "isSidechain": True} if self.agent else {}
        line: Line = {**names, "timestamp": time, "type": kind, **place, **agent, **more}
        self.lines.append(json.dumps(line, separators=(",", ":")))

    def _uuid(self, number: int) -> str:
        return str(uuid5(NAMESPACE_URL, f"{self.id} {self.agent} {number}"))

    def prompt(self, words: str, provenance: str = "real_user", **more: object) -> None:
        self.add("user", provenance=provenance, message={"role": "user", "parts": [{"text": words}]}, **more)

    def say(self, words: str) -> None:
        self.add("assistant", model="qwen3", message={"role": "model", "parts": [{"text": words}]})

    def request(self, name: str, tool: str, arguments: object) -> None:
        part = {"functionCall": {"id": name, "name": tool, "args": arguments}}
        self.add("assistant", model="qwen3", message={"role": "model", "parts": [part]})
        self.add("system", subtype="ui_telemetry", systemPayload={"uiEvent": {"call_id": name, "function_name": tool}})

    def result(self, name: str, response: Line, **told: object) -> None:
        part = {"functionResponse": {"id": name, "name": "any", "response": response}}
        result = {"callId": name, **told}
        self.add("tool_result", message={"role": "user", "parts": [part]}, toolCallResult=result)

    def shell(self, name: str, command: str, code: int, printed: str = "") -> None:
        self.request(name, "run_shell_command", {"command": command, "is_background": False})
        frame = (
            f"Command: {command}\nDirectory: (root)\nOutput: {printed or '(empty)'}\nError: (none)\nExit Code: {code}\n"
        )
        words = f"{frame}Signal: (none)\nProcess Group PGID: (none)"
        shown = {"type": "shell_result", "exitCode": code, "output": printed}
        if self.agent:
            self.result(name, {"error" if code else "output": words})
        else:
            status = "error" if code else "success"
            self.result(name, {"error" if code else "output": words}, status=status, resultDisplay=shown)

    def failure(self, name: str, tool: str, arguments: object, error: str, kind: str) -> None:
        self.request(name, tool, arguments)
        self.result(name, {"error": error}, status="error", errorType=kind, resultDisplay=error)

    def write(self, root: Path) -> Path:
        project = root / self.folder.replace("/", "-")
        file = project / "chats" / f"{self.id}.jsonl"
        if self.agent:
            file = project / "subagents" / self.id / f"agent-{self.agent}.jsonl"
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text("".join(line + "\n" for line in self.lines), encoding="utf-8")
        return file


def eventful(root: Path) -> None:
    """Failures of every kind, a fix, a subagent, a compaction, ids that two sessions share."""
    for name in ("first", "second"):
        session = QwenSession(name)
        session.prompt("Run the tests.")
        session.shell("call_1", "make tset", 2, "make: *** No rule to make target 'tset'.  Stop.")
        session.shell("call_2", "make test", 0, "fine")
        session.failure("call_3", "edit", {"file_path": "/none"}, "Failed to edit, 0 occurrences", "edit_no_occurrence")
        session.failure("call_4", "run_shell_command", {"command": "git push --force"}, "No.", "execution_denied")
        session.add("system", subtype="chat_compression", systemPayload={})
        session.request("call_5", "agent", {"prompt": "Look.", "subagent_type": "explore"})
        session.result("call_5", {"output": "Background agent launched successfully.\ntask_id: explore-call_5 (x)"})
        ended = "<task-id>explore-call_5</task-id>\n<tool-use-id>call_5</tool-use-id>\n<status>completed</status>"
        session.prompt(f"<task-notification>\n{ended}\n</task-notification>", "system", subtype="notification")
        session.write(root)
        agent = QwenSession(name, "explore-call_5")
        agent.prompt("Look.", "")
        agent.shell("call_1", "grpe x y", 127, "bash: grpe: command not found")
        agent.write(root)
