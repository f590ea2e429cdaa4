"""The hooks in Claude Code's settings, with the server that can answer some of them; and the checks of `doctor`."""

import json
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Mapping
from contextlib import suppress
from pathlib import Path

from lessons.agents.base import Check, InstallReport, Trial
from lessons.agents.hook_command import build_fallback, parse_command
from lessons.agents.hook_settings import TOOL, Handler, Wanted, our_handlers, read
from lessons.agents.install import SettingsInstaller, read_text
from lessons.agents.places import settings_file, settings_path
from lessons.agents.trial import SECONDS, SettingsChecks, environment_in
from lessons.errors import LessonsError
from lessons.json_edit import find

_AGENT = "claude-code"
_SESSION = "doctor"
# The event that a resident server can answer, and the maximum wait: a hanging server must not delay the user.
_SERVED = "PreToolUse"
_CALL_TIMEOUT_SECONDS = 2
_FIELDS = (
    "session_id", "transcript_path", "cwd", "hook_event_name", "permission_mode", "prompt_id", "agent_id", "agent_type",
    "tool_name", "tool_input", "tool_use_id",
)  # fmt: skip
_AGAIN = "Run `lessons install` again."
_SETUP_FAILED = "lessons could not be set up: "
_SETUP_AGAIN = "Start a session of Claude Code: it sets the plugin up again in the background."


def client_config_path(environment: Mapping[str, str]) -> str:
    """Returns the file with the client's servers, among much else."""
    folder = environment.get("CLAUDE_CONFIG_DIR") or environment.get("HOME") or os.path.expanduser("~")
    return os.path.join(os.path.abspath(folder), ".claude.json")


class ClaudeInstaller(SettingsInstaller):
    def install(
        self,
        settings_file: str,
        home: str,
        dry_run: bool = False,
        executable: str = sys.executable,
        entry: str | None = None,
        server: str = "",
    ) -> InstallReport:
        """Adds our commands to the file, and the call of the server if one is named; safe to run again."""
        wanted: dict[str, Wanted] = {**self.hook_commands(home, executable, entry)}
        if server:
            ours = parse_command(str(wanted[_SERVED]))
            assert ours is not None
            wanted[_SERVED] = self.served(server, build_fallback(_SERVED, ours.python, ours.entry, ours.home))
        return self._put(settings_file, wanted, dry_run)

    def served(self, server: str, fallback: str) -> list[Handler]:
        """Returns the call of the server of that name, and the command that answers if the server is not running."""
        given = {name: f"${{{name}}}" for name in _FIELDS}
        call = {"type": "mcp_tool", "server": server, "tool": TOOL, "input": given, "timeout": _CALL_TIMEOUT_SECONDS}
        timeout = self._spec.events[_SERVED].timeout
        return [call, {"type": "command", "command": "/bin/sh", "args": ["-c", fallback], "timeout": timeout}]

    def asked_server(self, settings_file: str) -> str:
        """Returns the name of the server that the hook in the file asks; empty if it asks none."""
        text = read_text(settings_file)
        if text is None or not text.strip("\ufeff \t\r\n"):
            return ""
        root = read(text, settings_file)
        asked = (find(root, (*path, "server")) for path in our_handlers(root))
        return next((str(node.value) for node in asked if node is not None), "")


INSTALLER = ClaudeInstaller(_AGENT)


class ClaudeChecks(SettingsChecks):
    """Also of the server that the hook may ask, and of our plugin."""

    saves_handoff = True

    def file_checks(self, file: str, home: str, client_config: str | None, trial: Trial) -> Iterator[Check]:
        try:
            commands, server = INSTALLER.installed_commands(file), INSTALLER.asked_server(file)
        except LessonsError as wrong:
            yield Check("settings", False, str(wrong), "Fix the file.")
            return
        if not commands and not server:
            return
        yield from self.registered(file, commands, client_config)
        for check in self.tried(commands, home, trial):
            yield _warm(check) if server else check
        if server:
            used = next((each.home for line in commands.values() if (each := parse_command(line))), home)
            with tempfile.TemporaryDirectory(prefix="lessons-doctor-") as folder:
                trial.lay(folder)
                payload, written = self.payload(_SERVED, folder, trial.word), INSTALLER.hook_commands(used)
                yield _warm(check_server(client_config, server, written, payload, environment_in(folder)))

    def payload(self, event: str, folder: str, word: str) -> dict[str, object]:
        usual = {**super().payload(event, folder, word), "session_id": _SESSION}
        if event != "PreCompact":
            return usual
        return {**usual, "transcript_path": _lay_transcript(folder, word), "cwd": folder}

    def together(self, files: list[str], hooked: list[str]) -> Iterator[Check]:
        yield from _acting_twice(files)
        plugin = list(plugin_checks(os.environ))
        yield from plugin
        yield from _beside_plugin(files, plugin)
        if not plugin:
            yield from super().together(files, hooked)


def _warm(check: Check) -> Check:
    return check._replace(fix=check.fix.replace("install`", "install --warm`"))


def check_server(
    client_config: str | None,
    name: str,
    commands: Mapping[str, str],
    payload: Mapping[str, object],
    environment: dict[str, str],
) -> Check:
    """Whether the server that the hook asks answers `payload` like the hook's command."""
    from lessons.agents.claude_code.server_setup import (
        PRIVATE_NAME,
        STUB_NAME,
        file_of,
        home_of,
        server_of,
        servers_in,
    )

    file = file_of(client_config)
    try:
        server, expected = servers_in(file).get(name), server_of(commands)
    except LessonsError as wrong:
        return Check("server", False, str(wrong), "Fix the file.")
    if server is None:
        return Check("server", False, f"{file} does not name the server that the hook asks.", _AGAIN)
    python = server["args"][4] if home_of(server) else ""
    if python and not os.access(python, os.X_OK):
        return Check("server", False, f"Its Python is missing: {python}.", _AGAIN)
    if server != expected or not PRIVATE_NAME.fullmatch(name):
        detail = f"What {file} says is not what this version writes, so it was not started."
        return Check("server", False, detail, _AGAIN)
    # All fields of a call are text.
    sent = {**payload, "tool_use_id": f"{payload['tool_use_id']}-server"}
    arguments = {key: value if isinstance(value, str) else json.dumps(value) for key, value in sent.items()}
    messages: list[dict[str, object]] = [
        {"id": 0, "method": "initialize", "params": {"protocolVersion": "2025-11-25", "capabilities": {}}},
        {"method": "notifications/initialized"},
        {"id": 1, "method": "tools/list"},
        {"id": 2, "method": "tools/call", "params": {"name": TOOL, "arguments": arguments}},
    ]
    lines = "".join(json.dumps({"jsonrpc": "2.0", **message}) + "\n" for message in messages)
    try:
        began = time.perf_counter()
        output = _output([server["command"], *server["args"]], lines, environment)
        took = (time.perf_counter() - began) * 1000
        by_command = _output(["/bin/sh", "-c", commands[_SERVED]], json.dumps(payload), environment)
        answer = json.loads(output.splitlines()[-1])["result"]["content"][0]["text"]
    except subprocess.TimeoutExpired:
        return Check("server", False, f"It did not answer within {SECONDS} seconds.", _AGAIN)
    except (ValueError, LookupError, TypeError):
        return Check("server", False, f"Unexpected answer: {output.strip()[-300:]}", _AGAIN)
    if f'"name":"{STUB_NAME}"' in output:
        return Check("server", False, "It cannot start.", _AGAIN)
    if answer != by_command:
        return Check("server", False, "Its answer differs from that of the hook's command.", _AGAIN)
    return Check("server", True, f"starts and answers, in {took:.0f} ms.")


def _output(command: list[str], text: str, environment: dict[str, str]) -> str:
    done = subprocess.run(command, input=text, capture_output=True, text=True, env=environment, timeout=SECONDS)
    return done.stdout or done.stderr


def _acting_twice(files: list[str]) -> Iterator[Check]:
    """Finds hooks in several files: the client runs identical ones once, and different ones once each."""
    found = {}
    for file in files:
        with suppress(LessonsError):
            found[file] = INSTALLER.installed_commands(file), INSTALLER.asked_server(file)
    hooked = [file for file, hook in found.items() if any(hook)]
    if any(found[file] != found[hooked[0]] for file in hooked):
        detail = f"{' and '.join(hooked)} have the hook in different forms, so every call is answered twice."
        remedy = "Run `lessons uninstall --scope project`, or `lessons install` with the same options for both."
        yield Check("settings", False, detail, remedy)


def _beside_plugin(files: list[str], plugin: list[Check]) -> Iterator[Check]:
    """Reports a project hook beside the plugin: the plugin's hook stays silent only for the user's own settings."""
    own = settings_file(_AGENT)
    hooked = []
    for file in dict.fromkeys([own, *files]):
        with suppress(LessonsError):
            hooked += [file] if INSTALLER.installed_commands(file) else []
    if hooked and own not in hooked and any(check.ok for check in plugin):
        detail = f"The plugin and {' and '.join(hooked)} both have the hook, so every call is answered twice."
        yield Check("settings", False, detail, "Run `lessons uninstall --scope project`.")


def plugin_checks(environment: Mapping[str, str]) -> Iterator[Check]:
    """Yields one check per loaded plugin; none if it is not loaded."""
    client = Path(settings_path(_AGENT, "user", "", environment)).parent
    for folder in sorted((client / "plugins" / "data").glob("lessons-*")):
        installed = _lines(folder / "installation")
        failed = _lines(folder / "failed")
        if len(installed) == 5:
            if _is_inside(installed[2], folder.name):
                yield _installed(*installed[:4])
        elif failed and failed[0].startswith(_SETUP_FAILED):
            yield Check("plugin", False, failed[0], f"The log is {folder / 'setup.log'}.")


def _is_inside(entry: str, folder: str) -> bool:
    """Whether the folder is ours, as in plugin/bin/lessons; another plugin may be called lessons-of-somebody."""
    return f"/{folder}/versions/" in entry.replace("\\", "/")


def _installed(version: str, python: str, entry: str, own_python: str) -> Check:
    """Checks the lines that plugin/setup/install.py writes."""
    gone = [path for path in (python, entry, own_python) if not os.path.isfile(path)]
    if gone:
        return Check("plugin", False, f"Of the plugin's installation {gone[0]} is gone.", _SETUP_AGAIN)
    return Check("plugin", True, f"The plugin of Claude Code has set up version {version}.")


def _lines(file: Path) -> list[str]:
    try:
        return file.read_text("utf-8", "replace").splitlines()
    except OSError:
        return []


def _lay_transcript(folder: str, word: str) -> str:
    """Writes the transcript of a session that ran this one command, and returns its path."""
    call = {"type": "tool_use", "id": "doctor", "name": "Bash", "input": {"command": word}}
    result = {"type": "tool_result", "tool_use_id": "doctor", "content": "done"}
    common = {"sessionId": _SESSION, "cwd": folder, "isSidechain": False}
    lines = [
        {**common, "type": role, "uuid": f"0-{role}", "message": {"role": role, "content": [block]}}
        for role, block in (("assistant", call), ("user", result))
    ]
    path = os.path.join(folder, "doctor.jsonl")
    with open(path, "w", encoding="utf-8") as file:
        file.writelines(json.dumps(line) + "\n" for line in lines)
    return path


CHECKS = ClaudeChecks(_AGENT)
