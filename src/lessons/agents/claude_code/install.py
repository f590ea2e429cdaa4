"""The hooks in Claude Code's settings, our resident server in the client's own file, and the checks of `doctor`.

The settings ask the server with an `mcp_tool` handler; the command beside it answers if no server runs.
"""

import json
import os
import re
import secrets
import sys
import tempfile
from collections.abc import Iterable, Iterator, Mapping
from contextlib import suppress
from pathlib import Path
from typing import Any

from lessons.agents.base import Check, InstallReport, Trial, Warn
from lessons.agents.hook_command import Places, home_of, places_of
from lessons.agents.hook_lines import line_of
from lessons.agents.hook_settings import BYTE_ORDER_MARK, TOOL, Handler, Wanted, our_handlers, parsed, read, split_mark
from lessons.agents.install import SettingsInstaller, read_text, replace, report
from lessons.agents.places import SCOPES, settings_file, settings_path
from lessons.agents.trial import SettingsChecks, run_hook
from lessons.errors import LessonsError, Refused
from lessons.json_edit import delete, find, insert

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

Server = dict[str, Any]
_SERVERS = "mcpServers"
_NEW = "{}\n"  # a file that has nothing yet
_WARM_AGAIN = "Run `lessons install --warm` again."
# A project may define a server of any name, which then replaces the user's own server of that name: so ours has a name
# that no project can know.
PRIVATE_NAME = re.compile(r"lessons-[0-9a-f]{8}")

# A server that ends at once would show the user an error at every call: this loop answers instead of one that cannot
# start, and its answers are empty. No variable is written as a dollar sign and braces, because the client would replace
# it: `$d{…}` becomes that only in `eval`. The client puts the id first or last: a search from that end is short.
_STUB = (
    r"""d='$'; reply() { printf '{"jsonrpc":"2.0","id":%s,%s}\n' "$id" "$1"; }; while IFS= read -r line; do"""
    """ case $line in '{"jsonrpc":"2.0","id":'*) eval "id=$d{line#*'\\"id\\":'}" ;;"""
    """ *'"id":'*) eval "id=$d{line##*'\\"id\\":'}" ;; *) continue ;; esac; eval "id=$d{id%%[,\\}]*}";"""
    r""" case $line in *'"method":'*'"tools/call"'*) reply '"result":{"content":[{"type":"text","text":"{}"}]}' ;;"""
    """ *'"method":'*'"initialize"'*'"protocolVersion":'*) eval "version=$d{line#*'\\"protocolVersion\\":'}";"""
    """ eval "version=$d{version%%[,\\}]*}"; reply '"result":{"protocolVersion":'"$version"',"capabilities":"""
    """{"tools":{}},"serverInfo":{"name":"lessons-stand-in","version":"0"}}' ;;"""
    """ *'"method":'*'"tools/list"'*) reply '"result":{"tools":[]}' ;; *'"method":'*'"ping"'*) reply '"result":{}' ;;"""
    """ *) reply '"error":{"code":-32601,"message":"no such method"}' ;; esac; done; exit 0"""
)
# The client starts the server as its own child, which `exec` preserves; after `exec` nothing could replace a failing
# Python.
_LINE = (
    "LESSONS_HOME=$1; export LESSONS_HOME;"
    ' [ -x "$2" ] && [ -r "$3" ] && "$2" -I -S "$3" Resident --check </dev/null >/dev/null 2>&1'
    f' && exec "$2" -I -S "$3" Resident; {_STUB}'
)


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


def client_config_file(given: str | None, environment: Mapping[str, str] = os.environ) -> str:
    """Returns the file with the client's servers, among much else."""
    folder = environment.get("CLAUDE_CONFIG_DIR") or environment.get("HOME") or os.path.expanduser("~")
    return os.path.abspath(given or os.path.join(folder, ".claude.json"))


def server_of(places: Places) -> Server:
    """Returns how the client starts the server of this installation."""
    for path in (places.python, places.entry, places.home):
        if "${" in path:
            raise Refused(
                f"The path {path!r} has `${{` in it, which Claude Code would replace: install without --warm."
            )
    return {
        "type": "stdio",
        "command": "/bin/sh",
        "args": ["-c", _LINE, "Resident", places.home, places.python, places.entry],
    }


def servers_in(file: str, text: str | None = None) -> dict[str, Server]:
    """Returns servers that start our entry file, by name; including one with an older, guessable name."""
    content = read_text(file) if text is None else text
    if not (content or "").strip(BYTE_ORDER_MARK + " \t\r\n"):
        return {}
    found = find(parsed(split_mark(content or "")[1], file, _SERVERS), (_SERVERS,))
    return {name: value for name, value in (found.value if found else {}).items() if _is_ours(value)}


def _is_ours(value: object) -> bool:
    """Decides by what it starts, whatever its name."""
    words = json.dumps(value, ensure_ascii=False).replace("\\\\", "/")
    return "lessons/hook/entry.py" in words and " Resident" in words


def plan_server(text: str | None, file: str, name: str = "", server: Server | None = None) -> str:
    """Returns the client's file with this server, and no other of ours; leaves everything else unchanged."""
    mark, rest = split_mark(text or "")
    rest = rest if rest.strip() or server is None else _NEW
    if server is not None:
        found = find(parsed(rest, file, _SERVERS), (_SERVERS, name))
        if found is not None and not _is_ours(found.value):
            raise Refused(f"{file} has a server `{name}` of another program: rename it there. Nothing was changed.")
    for other, present in servers_in(file, rest).items():
        if other != name or present != server:
            servers = find(parsed(rest, file, _SERVERS), (_SERVERS,))
            is_last = server is None and servers is not None and len(servers.children) == 1
            path = (_SERVERS,) if is_last else (_SERVERS, other)
            rest = delete(rest, path)
    if server is not None:
        root = parsed(rest, file, _SERVERS)
        if find(root, (_SERVERS,)) is None:
            rest = insert(rest, (), _SERVERS, {name: server})
        elif find(root, (_SERVERS, name)) is None:
            rest = insert(rest, (_SERVERS,), name, server)
    return mark + rest


def change_servers(file: str, dry_run: bool = False, name: str = "", server: Server | None = None) -> InstallReport:
    """Keeps no backup of a file that may have keys, and that the client rewrites all the time."""
    before = read_text(file)
    if before is None and server is None:
        return InstallReport(file, changed=False, diff="")
    after = plan_server(before, file, name, server)
    replace(file, before, after, dry_run)
    if after != before and not dry_run and split_mark(after)[1] == _NEW:  # nothing is left of what we have created
        with suppress(OSError):  # a leftover file does no harm
            os.unlink(file)
    return report(file, before, after)


def check_server(file: str, name: str, places: Places, payload: Mapping[str, object], folder: str, word: str) -> Check:
    """Whether the server that the hook asks answers `payload` with the word."""
    try:
        server, expected = servers_in(file).get(name), server_of(places)
    except LessonsError as wrong:
        return Check("server", False, str(wrong), "Fix the file.")
    if server is None:
        return Check("server", False, f"{file} does not name the server that the hook asks.", _WARM_AGAIN)
    if server != expected or not PRIVATE_NAME.fullmatch(name):
        detail = f"What {file} says is not what this version writes, so it was not started."
        return Check("server", False, detail, _WARM_AGAIN)
    # All fields of a call are text.
    given = {key: value if isinstance(value, str) else json.dumps(value) for key, value in payload.items()}
    request = {"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": {"name": TOOL, "arguments": given}}
    command = [server["command"], *server["args"][:3], folder, *server["args"][4:]]
    return run_hook("server", command, request, folder, _WARM_AGAIN, lambda output: word in output)


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
