"""Has the client's own server trust all hooks that it finds, like a user confirming /hooks."""

import json
import subprocess
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

_SECONDS = 60


class AppServer:
    """Speaks JSON lines with the client; to be used in a `with` statement."""

    def __init__(self, command: Sequence[str], folder: Path, environment: Mapping[str, str]) -> None:
        self._process = subprocess.Popen(
            command, cwd=folder, env=dict(environment), stdin=subprocess.PIPE, stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL, text=True,
        )  # fmt: skip
        self._number = 0

    def __enter__(self) -> "AppServer":
        self.ask("initialize", {"clientInfo": {"name": "lessons-e2e", "version": "1"}})
        self._send({"method": "initialized", "params": {}})
        return self

    def __exit__(self, *fault: object) -> None:
        assert self._process.stdin
        self._process.stdin.close()
        self._process.terminate()
        self._process.wait(_SECONDS)

    def ask(self, method: str, params: Mapping[str, object]) -> Any:
        """The result of a request; what the server tells in between is passed over."""
        self._number += 1
        self._send({"id": self._number, "method": method, "params": params})
        return self._wait(lambda message: message.get("id") == self._number)["result"]

    def wait_for(self, method: str) -> Any:
        return self._wait(lambda message: message.get("method") == method)["params"]

    def _wait(self, wanted: Any) -> Any:
        assert self._process.stdout
        for line in self._process.stdout:
            message = json.loads(line)
            if wanted(message):
                assert "error" not in message, message
                return message
        raise AssertionError("the client's server has ended")

    def _send(self, message: Mapping[str, object]) -> None:
        assert self._process.stdin
        self._process.stdin.write(json.dumps(message) + "\n")
        self._process.stdin.flush()


def trust_all(command: Sequence[str], folder: Path, environment: Mapping[str, str]) -> None:
    with AppServer(command, folder, environment) as server:
        found = server.ask("hooks/list", {"cwds": [str(folder)]})["data"]
        states = {}
        for hook in (hook for place in found for hook in place["hooks"]):
            # The hash of a plugin's hook is followed by that of the plugin's files.
            handler, _, content = hook["currentHash"].partition("/")
            states[hook["key"]] = {"trusted_hash": handler, **({"trusted_content_hash": content} if content else {})}
        assert states, "the client finds no hook"
        edit = {"keyPath": "hooks.state", "value": states, "mergeStrategy": "upsert"}
        server.ask("config/batchWrite", {"edits": [edit]})
