"""The real client in its own terminal in, what a person types and sees there out."""

import shlex
import shutil
import subprocess
import tempfile
import time
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from types import TracebackType
from typing import Self

from tests.e2e.rig import client
from tests.e2e.rig.conversation import Conversation
from tests.e2e.rig.model import Model
from tests.e2e.rig.script import Turn
from tests.e2e.rig.world import World, check

_COLUMNS, _LINES = 160, 50
_SECONDS = 30.0
_PROMPT = "❯"
# The mode that newcomers get asks a server about each call, which no script can answer.
_MODE = ("--permission-mode", "default")


class Terminal:
    """An interactive session while the `with` block lasts; at its end the script must have been played out."""

    def __init__(
        self,
        world: World,
        turns: Sequence[Turn],
        routes: Mapping[str, Sequence[Turn]] | None = None,
        arguments: Sequence[str] = (),
        environment: Mapping[str, str] | None = None,
    ) -> None:
        self.model = Model(turns, routes)
        self._world, self._arguments, self._more = world, arguments, environment or {}
        # The path of a socket has to be short.
        self._folder = Path(tempfile.mkdtemp(prefix="lessons-", dir="/tmp"))

    def __enter__(self) -> Self:
        self.model.__enter__()
        environment = {**self._world.client_environment(self.model), **self._more, "TERM": "xterm-256color"}
        size = ["-x", str(_COLUMNS), "-y", str(_LINES)]
        command = shlex.join([client.binary(), *_MODE, *self._arguments])
        self._tmux("new-session", "-d", *size, "-c", str(self._world.project), command, environment=environment)
        self.wait_for(_PROMPT)
        return self

    def __exit__(self, kind: type[BaseException] | None, value: object, trace: TracebackType | None) -> None:
        screen = self.screen()
        self._tmux("kill-server")
        shutil.rmtree(self._folder, ignore_errors=True)
        self.model.__exit__(kind, value, trace)
        if kind is None:
            check(self.model, screen)

    def say(self, prompt: str) -> None:
        """Types a prompt and sends it once it stands on the screen."""
        self.type(prompt)
        self.wait_for(prompt)
        self.press_until("Enter", lambda: prompt not in self._input_line())

    def type(self, text: str) -> None:
        self._tmux("send-keys", "-l", text)

    def press(self, *keys: str) -> None:
        """Keys by their tmux names, such as Enter, Escape, Down."""
        self._tmux("send-keys", *keys)

    def press_until(self, key: str, holds: Callable[[], bool]) -> None:
        """The client passes over keys in the moment in which it draws what they are meant for."""
        give_up = time.monotonic() + _SECONDS
        while not holds():
            assert time.monotonic() < give_up, f"{key} does nothing:\n{self.screen()}"
            self.press(key)
            patience = time.monotonic() + 1
            while not holds() and time.monotonic() < patience:
                time.sleep(0.05)

    def answer(self, question: str, key: str) -> None:
        """Waits for a dialog and answers it with a key."""
        self.wait_for(question)
        self.press_until(key, lambda: question not in self.screen())

    def screen(self) -> str:
        return self._tmux("capture-pane", "-p", "-J")

    def read(self) -> str:
        return " ".join(self.screen().split())

    def wait_for(self, text: str, seconds: float = _SECONDS) -> str:
        """What can be read on the screen as soon as the text is there, on one line: the client breaks long ones."""
        self.wait_until(lambda: text in self.read(), f"{text!r} on the screen", seconds)
        return self.read()

    def wait_until(self, holds: Callable[[], bool], what: str, seconds: float = _SECONDS) -> None:
        give_up = time.monotonic() + seconds
        while not holds():
            assert time.monotonic() < give_up, f"no {what} after {seconds} s:\n{self.screen()}"
            time.sleep(0.05)

    def conversation(self) -> Conversation:
        """What has reached the model so far."""
        return Conversation(self.model.requests, self._world.config)

    def _input_line(self) -> str:
        return next((line for line in reversed(self.screen().splitlines()) if _PROMPT in line), "")

    def _tmux(self, *arguments: str, environment: Mapping[str, str] | None = None) -> str:
        command = ["tmux", "-S", str(self._folder / "tmux"), "-f", "/dev/null", *arguments]
        done = subprocess.run(command, env=environment, capture_output=True, text=True, timeout=_SECONDS)
        assert done.returncode == 0, f"tmux {arguments[0]}: {done.stderr}"
        return done.stdout
