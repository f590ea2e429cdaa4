"""Adds the hook to an agent's settings and removes it, with the server that some agents can run.

A settings file is changed with a backup of the original, and the difference is reported.
"""

import difflib
import io
import json
import os
import stat
from collections.abc import Mapping
from contextlib import suppress
from typing import NamedTuple

from lessons.agents.base import InstallReport, Warn
from lessons.agents.hook_command import Places, installed_script, places_of, script_text, write_script
from lessons.agents.hook_lines import in_posix_shell, line_of
from lessons.agents.hook_settings import BYTE_ORDER_MARK, Wanted, our_handlers, plan, read, remove, switched_off
from lessons.agents.places import settings_path
from lessons.agents.table import AGENTS, DEFAULT_AGENT, installer_of, server_setup_of
from lessons.errors import DamagedFile, Refused
from lessons.json_edit import find
from lessons.store.files import Changed, change
from lessons.system import open_regular

BACKUP_SUFFIX = ".lessons-backup"
_BLANK = BYTE_ORDER_MARK + " \t\r\n"


class Request(NamedTuple):
    """Which file of an agent to change, and how."""

    agent: str
    file: str
    client_config: str | None = None
    dry_run: bool = False


class Installed(NamedTuple):
    """What was done to an agent's settings, and to the file with its servers."""

    agent: str
    report: InstallReport
    server: InstallReport | None = None

    @property
    def changed(self) -> list[InstallReport]:
        return [each for each in (self.report, self.server) if each and each.changed]

    def document(self, dry_run: bool) -> dict[str, object]:
        return {
            "agent": self.agent,
            "file": self.report.file,
            "changed": self.report.changed,
            "dryRun": dry_run,
            "diff": self.report.diff if dry_run else None,
            "clientConfig": self.server.document(dry_run) if self.server else None,
        }


def install(request: Request, home: str, warm: bool, warn: Warn) -> Installed:
    """Installs with the server (`warm`); otherwise removes an earlier server."""
    agent, file, dry_run = request.agent, request.file, request.dry_run
    setup = server_setup_of(agent)
    if setup is None:
        if warm:
            raise Refused(f"--warm does not work with {agent}: run `lessons install` without it.")
        return Installed(agent, installer_of(agent).install(file, home, dry_run))
    return Installed(agent, *setup.install_hook(file, home, request.client_config, dry_run, warm, warn))


def uninstall(request: Request, warn: Warn) -> Installed:
    agent, dry_run = request.agent, request.dry_run
    report = installer_of(agent).uninstall(request.file, dry_run)
    setup = server_setup_of(agent)
    server = setup.unregister(request.client_config, report.file, dry_run, warn) if setup else None
    return Installed(agent, report, server)


class SettingsInstaller:
    """The installer of every agent whose settings have hooks in the format of Claude Code, or nearly."""

    def __init__(self, agent: str) -> None:
        self._spec = AGENTS[agent]

    def hook_commands(self, home: str) -> dict[str, str]:
        """Returns the command of every event. Each exits with 0: some clients deny a call on any other exit code."""
        agent = "" if self._spec.name == DEFAULT_AGENT else self._spec.name
        lines = {event: line_of(event, home, agent) for event in self._spec.events}
        if not self._spec.runs_users_shell:
            return lines
        return {event: in_posix_shell(line) for event, line in lines.items()}

    def install(self, settings_file: str, home: str, dry_run: bool = False) -> InstallReport:
        """Adds our commands to the file; running it again changes nothing, so that the user's trust stays valid."""
        places = places_of(home)
        return self._put(settings_file, self.hook_commands(places.home), places, dry_run)

    def _put(self, file: str, wanted: Mapping[str, Wanted], places: Places, dry_run: bool) -> InstallReport:
        spec, before, repaired = self._spec, read_text(file), installed_script(places.home) != places
        begun = before if before and before.strip(_BLANK) else spec.empty_settings
        written = {spec.written_event(event): one for event, one in wanted.items()}
        hooks = {spec.written_event(event): hook for event, hook in spec.events.items()}
        after = plan(begun, written, hooks, file, spec.has_flat_events)
        script_text(places)  # refuses what it cannot hold before anything is written
        backup = None if after == before or dry_run else _back_up(file, before)
        if not dry_run:
            write_script(places)
        replace(file, before, after, dry_run)
        steps = (spec.next_step,) if spec.next_step else ()
        return report(file, before, after, backup)._replace(
            changed=after != before or repaired, warnings=self._warnings(file, after, dry_run), next_steps=steps
        )

    def _warnings(self, file: str, text: str, dry_run: bool) -> tuple[str, ...]:
        spec = self._spec
        found = switched_off(text, file, spec.off_switch) if spec.off_switch else ()
        is_users = os.path.abspath(file) == settings_path(spec.name, "user", "", os.environ)
        if spec.project_warning and not is_users and file.replace("\\", "/").endswith("/" + spec.project_settings):
            found += (spec.project_warning.format(file),)
        return (*found, spec.warning) if spec.warning and not dry_run else found

    def uninstall(self, settings_file: str, dry_run: bool = False) -> InstallReport:
        """Removes our commands from the file, and the earlier backup if it is now identical.

        Deletes a file that we created if it has nothing else, or empties it if it was empty.
        """
        before, made = read_text(settings_file), self._spec.empty_settings
        if before is None:
            return InstallReport(settings_file, changed=False, diff="")
        backup = settings_file + BACKUP_SUFFIX
        original = _original(backup)
        after = remove(before, settings_file)
        if original is not None and _say_the_same(after, original, made):
            after = original
        replace(settings_file, before, after, dry_run)
        if not dry_run:
            with suppress(OSError):  # a leftover file does no harm
                if after == original:
                    os.unlink(backup)
                elif after == made and original is None and not os.path.lexists(backup):
                    os.unlink(settings_file)
        return report(settings_file, before, after, backup if os.path.exists(backup) else None)

    def installed_commands(self, settings_file: str) -> dict[str, str]:
        """Returns event -> our command in the file, of any version; empty if there is no file."""
        names = {self._spec.written_event(event): event for event in self._spec.events}
        return {names.get(event, event): command for event, command in commands_in(settings_file).items()}


def commands_in(file: str) -> dict[str, str]:
    """Returns event -> our command in the file, of any version; empty if there is no file."""
    text = read_text(file)
    if text is None or not text.strip(_BLANK):
        return {}
    root = read(text, file)
    commands: dict[str, str] = {}
    for path in our_handlers(root):
        first = find(root, (*path, "args", 0))
        line = find(root, (*path, "args", 1) if first and first.value == "-c" else (*path, "command"))
        if line is not None:
            commands.setdefault(str(path[1]), line.value)
    return commands


def report(file: str, before: str | None, after: str, backup: str | None = None) -> InstallReport:
    return InstallReport(file, before != after, _diff(file, before or "", after), backup)


def read_text(file: str) -> str | None:
    """Returns None if there is no file."""
    try:
        with open_regular(file) as opened:
            return opened.read().decode()
    except FileNotFoundError:
        return None
    except UnicodeDecodeError as error:
        raise DamagedFile(
            f"{file} is not UTF-8 text (byte {error.start}): save it as UTF-8. Nothing was changed."
        ) from error
    except OSError as error:
        raise _refused("read", file, error) from error


def replace(file: str, before: str | None, after: str, dry_run: bool) -> None:
    if after == before or dry_run:
        return
    _write(file, before, after)


def _say_the_same(after: str, original: str, made: str) -> bool:
    """Whether the difference is only from installing and removing: a new file's text, or empty containers of hooks."""
    if not original.strip(_BLANK) or not after.strip(_BLANK):
        return after.removeprefix(BYTE_ORDER_MARK) == made
    first, second = (json.loads(text.removeprefix(BYTE_ORDER_MARK)) for text in (after, original))
    hooks = [_without_empty(settings.pop("hooks", {})) for settings in (first, second)]
    return json.dumps([first, hooks[0]]) == json.dumps([second, hooks[1]])


def _without_empty(value: object) -> object:
    if isinstance(value, dict):
        return {key: found for key, item in value.items() if (found := _without_empty(item)) not in ({}, [])}
    if isinstance(value, list):
        return [found for item in value if (found := _without_empty(item)) not in ({}, [])]
    return value


def _diff(file: str, before: str, after: str) -> str:
    old, new = (list(io.StringIO(text, newline="\n")) for text in (before, after))
    lines = difflib.unified_diff(old, new, file, file + " (with the change)")
    return "".join(line if line.endswith("\n") else line + "\n\\ No newline at end of file\n" for line in lines)


def _original(backup: str) -> str | None:
    """Returns the file before the first install, if its backup exists and is readable."""
    try:
        text = read_text(backup)
        if text is not None:
            remove(text, backup)
    except (DamagedFile, Refused):
        return None
    return text


def _back_up(file: str, text: str | None) -> str | None:
    """Keeps the text from before our first change; an existing backup is that one."""
    backup = file + BACKUP_SUFFIX
    if text is None:
        return None
    if not os.path.lexists(backup):
        if remove(text, file) != text:
            return None  # changed before, and the backup of that time is gone
        _write(backup, None, text, stat.S_IMODE(os.stat(file).st_mode))
    return backup


def _write(file: str, before: str | None, after: str, mode: int = 0o600) -> None:
    try:
        # Created here, with the usual permissions: the folder is the client's, not one of our private ones.
        os.makedirs(os.path.dirname(os.path.realpath(file)), exist_ok=True)
        change(file, None if before is None else before.encode(), after.encode(), mode)
    except Changed:
        raise Refused(f"{file} was changed by another program meanwhile: try again; nothing was changed.") from None
    except OSError as error:
        raise _refused("write", file, error) from error


def _refused(verb: str, file: str, error: OSError) -> Refused:
    return Refused(f"Cannot {verb} {file} ({error.strerror}): make it a file you may {verb}, or name another one.")
