"""A data home in; a resident server, addressed like a client does, and the command beside it out."""

import json
import os
import re
import select
import subprocess
from pathlib import Path
from typing import Any, Self

from lessons.agents.claude_code.install import server_of
from lessons.agents.hook_command import installed_script
from tests.builders.home import commands_for
from tests.hook.installed import SECONDS, Machine

_TEXTS = (
    "session_id", "transcript_path", "cwd", "hook_event_name", "permission_mode", "prompt_id", "agent_id", "agent_type",
    "tool_name", "tool_use_id",
)  # fmt: skip
_SURROGATE = re.compile("[\ud800-\udfff]")


def arguments_of(payload: dict[str, object]) -> dict[str, str]:
    """A payload as the client fills it into the template: all texts, what is missing empty."""
    texts = {name: str(payload.get(name, "")) for name in _TEXTS}
    written = json.dumps(payload["tool_input"], ensure_ascii=False, separators=(",", ":"))
    return {**texts, "tool_input": _SURROGATE.sub(lambda half: f"\\u{ord(half[0]):04x}", written)}


class Resident:
    """The registered server as the client starts it; one request at a time."""

    def __init__(self, machine: Machine, server: dict[str, Any] | None = None, **variables: str) -> None:
        installed = installed_script(str(machine.home))
        assert installed is not None
        entry = server or server_of(installed)
        pipe = subprocess.PIPE
        self.process = subprocess.Popen(
            [entry["command"], *entry["args"]],
            stdin=pipe,
            stdout=pipe,
            stderr=pipe,
            cwd=machine.work,
            env=machine.environment(**variables),
        )
        self.file = machine.home / "warm" / str(os.getpid())
        self._number = 0
        self._unread = b""

    def __enter__(self) -> Self:
        self.request("initialize", protocolVersion="2025-11-25", capabilities={})
        self.send({"jsonrpc": "2.0", "method": "notifications/initialized"})
        return self

    def __exit__(self, *raised: object) -> None:
        try:
            self.end()
        finally:
            self.process.kill()
            self.process.wait(SECONDS)
            for pipe in (self.process.stdout, self.process.stderr):
                if pipe is not None:
                    pipe.close()

    def end(self) -> int:
        """What the client does when its session is over."""
        assert self.process.stdin is not None
        try:
            self.process.stdin.close()
        except BrokenPipeError:
            pass
        return self.process.wait(SECONDS)

    def send(self, message: object) -> None:
        data = message if isinstance(message, bytes) else json.dumps(message, ensure_ascii=False).encode() + b"\n"
        assert self.process.stdin is not None
        self.process.stdin.write(data)
        self.process.stdin.flush()

    def read(self) -> Any:
        """The next line that it has written."""
        assert self.process.stdout is not None
        while b"\n" not in self._unread:
            assert select.select([self.process.stdout], [], [], SECONDS)[0], "the server does not answer"
            data = os.read(self.process.stdout.fileno(), 1 << 16)
            assert data, "the server has ended"
            self._unread += data
        line, _, self._unread = self._unread.partition(b"\n")
        return json.loads(line)

    def request(self, method: str, **parameters: object) -> Any:
        self._number += 1
        self.send({"jsonrpc": "2.0", "id": self._number, "method": method, "params": parameters})
        answer = self.read()
        assert answer["id"] == self._number
        return answer.get("result", answer.get("error"))

    def call(self, payload: dict[str, object]) -> str:
        """What the hook says before a call; empty where that is nothing."""
        [said] = self.request("tools/call", name="hook", arguments=arguments_of(payload))["content"]
        return "" if said["text"] == "{}" else str(said["text"])

    def kill(self) -> None:
        self.process.kill()
        self.process.wait(SECONDS)

    def memory(self) -> int:
        """What it holds of the machine's memory, in KB."""
        lines = Path(f"/proc/{self.process.pid}/status").read_text().splitlines()
        return next(int(line.split()[1]) for line in lines if line.startswith("VmRSS:"))


def commands_of(machine: Machine, entry: str) -> dict[str, str]:
    """The commands of a copy of the package."""
    return commands_for(str(machine.home), entry)
