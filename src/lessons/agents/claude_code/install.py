"""The hooks in Claude Code's settings, with the server that can answer some of them; and the checks of `doctor`."""

import os
import secrets
import sys
import tempfile
from collections.abc import Iterable, Iterator, Mapping
from contextlib import suppress
from pathlib import Path

from lessons.agents.base import Check, InstallReport, Trial, Warn
from lessons.agents.claude_code.server_setup import (
    PRIVATE_NAME,
    change_servers,
    check_server,
    client_config_file,
    server_of,
    servers_in,
)
from lessons.agents.hook_command import home_of, places_of
from lessons.agents.hook_lines import line_of
from lessons.agents.hook_settings import TOOL, Handler, Wanted, our_handlers, read
from lessons.agents.install import SettingsInstaller, read_text
from lessons.agents.places import SCOPES, settings_file, settings_path
from lessons.agents.trial import SettingsChecks
from lessons.errors import LessonsError, Refused
from lessons.json_edit import find

_AGENT = "claude-code"
# The event that a resident server can answer, and the maximum wait: a hanging server must not delay the user.
_SERVED = "PreToolUse"
_CALL_TIMEOUT_SECONDS = 2
_FIELDS = (
    "session_id", "transcript_path", "cwd", "hook_event_name", "permission_mode", "prompt_id", "agent_id", "agent_type",
    "tool_name", "tool_input", "tool_use_id",
)  # fmt: skip
_SETUP_FAILED = "lessons could not be set up: "
_SETUP_AGAIN = "Start a session of Claude Code: it sets the plugin up again in the background."


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
        places = places_of(home, executable, entry)
        wanted: dict[str, Wanted] = {**self.hook_commands(places.home)}
        if server:
            wanted[_SERVED] = self.served(server, places.home)
        return self._put(settings_file, wanted, places, dry_run)

    def served(self, server: str, home: str) -> list[Handler]:
        """Returns the call of the server of that name, and the command that answers if the server is not running."""
        given = {name: f"${{{name}}}" for name in _FIELDS}
        call = {"type": "mcp_tool", "server": server, "tool": TOOL, "input": given, "timeout": _CALL_TIMEOUT_SECONDS}
        line, timeout = line_of(_SERVED, home, is_beside=True), self._spec.events[_SERVED].timeout
        return [call, {"type": "command", "command": "/bin/sh", "args": ["-c", line], "timeout": timeout}]

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

    def file_checks(self, file: str, home: str, client_config: str | None, trial: Trial) -> Iterator[Check]:
        try:
            commands, server = INSTALLER.installed_commands(file), INSTALLER.asked_server(file)
        except LessonsError as wrong:
            yield Check("settings", False, str(wrong), "Fix the file.")
            return
        if not commands and not server:
            return
        yield from self.registered(file, commands, client_config)
        tried = self.tried(commands, home, trial)
        if not server:
            yield from tried
            return
        for check in tried:
            yield check._replace(fix=check.fix.replace("install`", "install --warm`"))
        used = next(filter(None, map(home_of, commands.values())), home)
        with tempfile.TemporaryDirectory(prefix="lessons-doctor-") as folder:
            trial.lay(folder)
            payload, config = self.payload(_SERVED, folder, trial.word), client_config_file(client_config)
            yield check_server(config, server, places_of(used), payload, folder, trial.word)

    def together(self, files: list[str], hooked: list[str]) -> Iterator[Check]:
        """The client runs identical hooks once, and different ones once each."""
        hooks = _hooked(files)
        if any(hook != next(iter(hooks.values())) for hook in hooks.values()):
            detail = f"{' and '.join(hooks)} have the hook in different forms, so every call is answered twice."
            remedy = "Run `lessons uninstall --scope project`, or `lessons install` with the same options for both."
            yield Check("settings", False, detail, remedy)
        plugin = list(plugin_checks(os.environ))
        yield from plugin
        # The plugin's hook is silent only beside the user's own settings.
        own = settings_file(_AGENT)
        if hooks and own not in _hooked([own, *files]) and any(check.ok for check in plugin):
            detail = f"The plugin and {' and '.join(hooks)} both have the hook, so every call is answered twice."
            yield Check("settings", False, detail, "Run `lessons uninstall --scope project`.")
        if not plugin:
            yield from super().together(files, hooked)


def _hooked(files: Iterable[str]) -> dict[str, tuple[dict[str, str], str]]:
    """Returns the readable files with our hook -> its commands, and the server that it asks."""
    found = {}
    for file in files:
        with suppress(LessonsError):
            found[file] = INSTALLER.installed_commands(file), INSTALLER.asked_server(file)
    return {file: hook for file, hook in found.items() if any(hook)}


def plugin_checks(environment: Mapping[str, str]) -> Iterator[Check]:
    """Yields one check per loaded plugin; none if it is not loaded."""
    client = Path(settings_path(_AGENT, "user", "", environment)).parent
    for folder in sorted((client / "plugins" / "data").glob("lessons-*")):
        installed = _lines(folder / "installation")
        failed = _lines(folder / "failed")
        if len(installed) == 5:
            # As in plugin/bin/lessons; another plugin may be called lessons-of-somebody.
            if f"/{folder.name}/versions/" in installed[2].replace("\\", "/"):
                yield _installed(*installed[:4])
        elif failed and failed[0].startswith(_SETUP_FAILED):
            yield Check("plugin", False, failed[0], f"The log is {folder / 'setup.log'}.")


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


def install_hook(
    settings: str, home: str, client_config: str | None, dry_run: bool, warm: bool, warn: Warn
) -> tuple[InstallReport, InstallReport | None]:
    """Changes the settings and the client's file; all refusals happen before anything is written."""
    if not warm:
        return INSTALLER.install(settings, home, dry_run), unregister(client_config, settings, dry_run, warn)
    if sys.platform == "win32":
        raise Refused("--warm does not work on Windows yet: run `lessons install` without it.")
    file = client_config_file(client_config)
    # The name in the settings is not trusted: a project may have its own.
    name = next(filter(PRIVATE_NAME.fullmatch, servers_in(file)), "") or f"lessons-{secrets.token_hex(4)}"
    planned = INSTALLER.install(settings, home, dry_run=True, server=name)
    server = change_servers(file, dry_run, name, server_of(places_of(home)))
    if dry_run:
        return planned, server
    try:
        return INSTALLER.install(settings, home, server=name), server
    except LessonsError:
        unregister(client_config, None, dry_run, warn)
        raise


def unregister(client_config: str | None, settings: str | None, dry_run: bool, warn: Warn) -> InstallReport | None:
    """Returns None if there is nothing to remove, or the user's or the project's settings still ask the server."""
    file, left = client_config_file(client_config), os.path.realpath(settings) if settings else ""
    others = [other for scope in SCOPES if os.path.realpath(other := settings_file(_AGENT, scope)) != left]
    try:
        servers = servers_in(file)
    except LessonsError:
        return None  # the client cannot read it either
    if not servers or any(server in servers for _, server in _hooked(others).values()):
        return None
    try:
        return change_servers(file, dry_run)
    except LessonsError as wrong:
        # The hook does not depend on it: installing or removing it continues.
        warn([f"The server of lessons is still in {file}. {wrong}"])
        return None


CHECKS = ClaudeChecks(_AGENT)
