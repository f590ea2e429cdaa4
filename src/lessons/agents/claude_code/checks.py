"""Whether the hook in the settings files of Claude Code answers, and whether its plugin is complete."""

import os
import tempfile
from collections.abc import Iterator
from contextlib import suppress

from lessons.agents.base import Trial
from lessons.agents.claude_code import plugin_checks
from lessons.agents.claude_code.install import (
    asked_server,
    hook_commands,
    install,
    installed_commands,
    parse_command,
)
from lessons.agents.claude_code.places import client_config_path, settings_path
from lessons.agents.claude_code.replay import payload_of
from lessons.agents.claude_code.server.check import check as check_server
from lessons.agents.claude_code.settings import REGISTRATIONS
from lessons.agents.hook_trial import environment_in, other_home, try_by_name
from lessons.check import Check
from lessons.errors import LessonsError

_INSTALL = "Run `lessons install` again."
# Events without output for a session without a transcript: the data home shows that they ran.
_SILENT = ("Stop", "SessionEnd", "PostToolUse")


def checks(home: str, settings: str | None, client_config: str | None, trial: Trial) -> Iterator[Check]:
    """Checks one settings file, or else the user's and the project's."""
    files = [settings] if settings else [settings_path(scope, os.getcwd(), os.environ) for scope in ("user", "project")]
    client_file = client_config or client_config_path(os.environ)
    is_reported = False
    for file in files:
        try:
            commands = installed_commands(file)
            warnings = install(file, home, dry_run=True).warnings if commands else ()
            server = asked_server(file)
        except LessonsError as wrong:
            is_reported = True
            yield Check("settings", False, str(wrong), "Fix the file.")
            continue
        if not commands and not server:
            continue
        is_reported = True
        missing = [event for event in REGISTRATIONS if event not in commands]
        if missing:
            yield Check("settings", False, f"{file} lacks the hook for {', '.join(missing)}.", _INSTALL)
        else:
            yield Check("settings", True, f"{file} has the hook for {', '.join(commands)}.")
        yield from (Check("settings", False, sentence, "Fix the file.") for sentence in warnings)
        found = _commands(commands, home, client_file, server, trial)
        yield from (
            check._replace(fix=check.fix.replace("install`", "install --warm`")) if server else check for check in found
        )
    yield from _acting_twice(files)
    plugin = list(plugin_checks.checks(os.environ))
    yield from plugin
    yield from _beside_plugin(files, plugin)
    if not is_reported and not plugin:
        yield Check("settings", False, f"No hook in {' or '.join(files)}.", "Run `lessons install`.")


def _acting_twice(files: list[str]) -> Iterator[Check]:
    """Finds hooks in several files: the client runs identical ones once, and different ones once each."""
    found = {}
    for file in files:
        with suppress(LessonsError):
            found[file] = installed_commands(file), asked_server(file)
    hooked = [file for file, hook in found.items() if any(hook)]
    if any(found[file] != found[hooked[0]] for file in hooked):
        detail = f"{' and '.join(hooked)} have the hook in different forms, so every call is answered twice."
        remedy = "Run `lessons uninstall --scope project`, or `lessons install` with the same options for both."
        yield Check("settings", False, detail, remedy)


def _beside_plugin(files: list[str], plugin: list[Check]) -> Iterator[Check]:
    """Reports a project hook beside the plugin: the plugin's hook stays silent only for the user's own settings."""
    own = settings_path("user", os.getcwd(), os.environ)
    hooked = []
    for file in dict.fromkeys([own, *files]):
        with suppress(LessonsError):
            hooked += [file] if installed_commands(file) else []
    if hooked and own not in hooked and any(check.ok for check in plugin):
        detail = f"The plugin and {' and '.join(hooked)} both have the hook, so every call is answered twice."
        yield Check("settings", False, detail, "Run `lessons uninstall --scope project`.")


def _commands(commands: dict[str, str], home: str, client_config: str, server: str, trial: Trial) -> Iterator[Check]:
    """Checks the answer of each command, and of the server if the settings use one."""
    parsed = [each for command in commands.values() if (each := parse_command(command))]
    used = parsed[0].home if parsed else home
    written = hook_commands(used)
    parsed_ours = {event: parse_command(command) for event, command in written.items()}
    with tempfile.TemporaryDirectory(prefix="lessons-doctor-") as folder:
        trial.lay(folder)
        for event, command in commands.items():
            payload = payload_of(event, folder, trial.word)
            yield try_by_name(event, command, parsed_ours.get(event), payload, folder, trial, _SILENT, _INSTALL)
        if server:
            payload = payload_of("PreToolUse", folder, trial.word)
            yield check_server(client_config, server, written, payload, environment_in(folder))
    yield from other_home(used, home, _INSTALL)
