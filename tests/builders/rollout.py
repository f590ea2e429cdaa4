"""Calls and texts in, the rollout of a Codex session out: in the format of 2025 clients, or of today's."""

import itertools
import json
import uuid
from pathlib import Path
from typing import Any

_DAY = "2026-11-15"


class Rollout:
    """Lines of one thread; `paginated` is how clients write since autumn 2026: with what ended, and how."""

    def __init__(self, name: str, paginated: bool = True, cwd: str = "/shop", **meta: Any) -> None:
        self.thread = str(uuid.uuid5(uuid.NAMESPACE_OID, name))
        self.turn = str(uuid.uuid5(uuid.NAMESPACE_OID, name + " turn"))
        self.paginated, self.cwd = paginated, cwd
        self.lines: list[dict[str, Any]] = []
        self._numbers = itertools.count(1)
        self._seconds = itertools.count(1)
        known = {"id": self.thread, "cwd": cwd, "cli_version": "0.166.0", "source": "cli", "thread_source": "user"}
        mode = {"session_id": self.thread, "history_mode": "paginated"} if paginated else {}
        self.add("session_meta", {**known, **mode, "git": {"branch": "main"}, **meta})
        self.add("turn_context", {"turn_id": self.turn, "cwd": cwd, "model": "gpt-5.5"})

    def add(self, kind: str, payload: dict[str, Any], **more: Any) -> "Rollout":
        minutes, seconds = divmod(next(self._seconds), 60)
        time = f"{_DAY}T10:{minutes:02d}:{seconds:02d}.000Z"
        ordinal = {"ordinal": len(self.lines)} if self.paginated else {}
        self.lines.append({"timestamp": time, **ordinal, "type": kind, "payload": payload, **more})
        return self

    def item(self, kind: str, **fields: Any) -> "Rollout":
        extra = {"internal_chat_message_metadata_passthrough": {"turn_id": self.turn}} if self.paginated else {}
        return self.add("response_item", {"type": kind, **fields, **extra})

    def completed(self, kind: str, name: str, **fields: Any) -> "Rollout":
        item = {"type": kind, "id": name, **fields}
        return self.add("event_msg", {"type": "item_completed", "turn_id": self.turn, "item": item})

    def prompt(self, text: str) -> "Rollout":
        """A person's words stand twice, for the model and for the screen."""
        self.item("message", role="user", content=[{"type": "input_text", "text": text}])
        if self.paginated:
            name = str(uuid.uuid5(uuid.NAMESPACE_OID, f"{self.thread} {len(self.lines)}"))
            return self.completed("UserMessage", name, content=[{"type": "text", "text": text}])
        return self.add("event_msg", {"type": "user_message", "message": text})

    def say(self, text: str) -> "Rollout":
        if not self.paginated:
            self.add("event_msg", {"type": "agent_message", "message": text})
        named = {"id": f"msg_{self.thread}_{len(self.lines)}"} if self.paginated else {}
        return self.item("message", role="assistant", content=[{"type": "output_text", "text": text}], **named)

    def call(self, tool: str, arguments: dict[str, Any], name: str = "", **more: Any) -> str:
        """The id of a call without a result."""
        name = name or self.new_name()
        self.item("function_call", name=tool, arguments=json.dumps(arguments), call_id=name, **more)
        return name

    def result(self, name: str, text: str | list[dict[str, str]]) -> "Rollout":
        return self.item("function_call_output", call_id=name, output=text)

    def shell(self, command: str, code: int = 0, printed: str = "", name: str = "", **more: Any) -> str:
        """A command that ran to its end."""
        name = self.call("exec_command", {"cmd": command, **more}, name)
        if self.paginated:
            self.ended(name, command, code, printed)
        self.result(name, _head(f"Process exited with code {code}") + printed)
        return name

    def ended(self, name: str, command: str, code: int, printed: str) -> "Rollout":
        status = "failed" if code else "completed"
        ran = {"command": ["/bin/bash", "-lc", command], "cwd": f"file://{self.cwd}", "source": "unified_exec_startup"}
        return self.completed("CommandExecution", name, **ran, status=status, aggregated_output=printed, exit_code=code)

    def background(self, command: str, code: int, printed: str) -> str:
        """A command that ran longer than the model waited, and was asked after until its end."""
        process = 10_000 + next(self._numbers)
        name = self.call("exec_command", {"cmd": command})
        self.result(name, _head(f"Process running with session ID {process}"))
        for ending in (f"Process running with session ID {process}", f"Process exited with code {code}"):
            poll = self.call("write_stdin", {"session_id": process, "chars": ""})
            if self.paginated and "exited" in ending:
                self.ended(name, command, code, printed)
            self.result(poll, _head(ending) + printed)
        return name

    def patch(self, patch: str, fault: str = "") -> str:
        name = self.new_name()
        self.item("custom_tool_call", name="apply_patch", input=patch, call_id=name)
        if fault:
            self.item("custom_tool_call_output", call_id=name, output=fault)
            return name
        text = "Success. Updated the following files:\n"
        if self.paginated:
            self.completed("FileChange", name, changes={}, status="completed", stdout=text, stderr="")
        else:
            self.add("event_msg", {"type": "patch_apply_end", "call_id": name, "success": True, "stdout": text})
        self.item(
            "custom_tool_call_output", call_id=name, output=f"Exit code: 0\nWall time: 0 seconds\nOutput:\n{text}"
        )
        return name

    def script(self, command: str, code: int, printed: str) -> str:
        """Code mode: the model writes a script, and the client tells what the script has run; the id of that."""
        outer = self.new_name()
        inner = f"exec-{uuid.uuid5(uuid.NAMESPACE_OID, outer)}"
        self.item("custom_tool_call", name="exec", input="await tools.exec_command({…})", call_id=outer)
        self.ended(inner, command, code, printed)
        blocks = [{"type": "input_text", "text": "Script completed\nWall time 0.2 seconds\nOutput:\n"}]
        self.item("custom_tool_call_output", call_id=outer, output=blocks)
        return inner

    def compact(self) -> "Rollout":
        self.add("compacted", {"message": "", "replacement_history": []})
        return self.add("event_msg", {"type": "context_compacted"})

    def new_name(self) -> str:
        return f"call_{uuid.uuid5(uuid.NAMESPACE_OID, f'{self.thread} {next(self._numbers)}').hex[:24]}"

    def data(self) -> bytes:
        return "".join(json.dumps(line, separators=(",", ":")) + "\n" for line in self.lines).encode()

    def write(self, root: Path, folder: str = "sessions/2026/11/15") -> Path:
        path = root / folder / f"rollout-{_DAY}T10-00-00-{self.thread}.jsonl"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(self.data())
        return path


def _head(ending: str) -> str:
    return f"Chunk ID: 0a1b2c\nWall time: 0.1000 seconds\n{ending}\nOriginal token count: 3\nOutput:\n"


def fork_of(parent: Rollout, name: str, lines: int) -> Rollout:
    """As older clients did: the first lines of the parent are written again below a head of its own."""
    fork = Rollout(name, parent.paginated, parent.cwd, forked_from_id=parent.thread)
    for line in parent.lines[:lines]:
        fork.add(line["type"], line["payload"])
    return fork


def eventful(root: Path) -> None:
    """All that the reader knows, in one folder."""
    for paginated in (True, False):
        kind = "new" if paginated else "old"
        session = Rollout(f"{kind} story", paginated)
        session.prompt("Ship it.").say("I look first.")
        session.shell("make tset", 2, "make: *** No rule to make target 'tset'.  Stop.\n", workdir="/shop/web")
        session.say("The target is misspelt.")
        session.shell("make test", 0, "ok\n")
        session.background("npm test", 1, "1 failed\n")
        session.patch("*** Begin Patch\n*** Add File: a.py\n+print(1)\n*** End Patch")
        session.patch(
            "*** Begin Patch\n*** End Patch", "apply_patch verification failed: Failed to find expected lines"
        )
        session.compact().prompt("Go on.")
        denied = session.call("exec_command", {"cmd": "git push --force"})
        session.result(denied, "Command blocked by PreToolUse hook: no. Command: git push --force")
        session.shell("make tset", 2, "make: *** No rule to make target 'tset'.  Stop.\n", name="call_1")
        session.shell("make test", 0, "ok\n", name="call_2")
        if paginated:
            session.script("cat nowhere", 1, "cat: nowhere: No such file or directory\n")
            asked = session.call("fail", {}, namespace="mcp__calc")
            told = {"content": [{"type": "text", "text": "boom"}]}
            session.completed("McpToolCall", asked, status="failed", server="calc", tool="fail", result=told)
        session.call("exec_command", {"cmd": "sleep 100"})
        session.write(root)
        fork_of(session, f"{kind} fork", 12).write(root, "archived_sessions")
    helper: dict[str, Any] = {
        "session_id": Rollout("new story").thread,
        "thread_source": "subagent",
        "source": {"subagent": {}},
    }
    subagent = Rollout("helper", True, **helper)
    subagent.shell("ls nowhere", 2, "ls: cannot access 'nowhere': No such file or directory\n", name="call_1")
    subagent.write(root)
