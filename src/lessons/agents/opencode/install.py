"""Our plugin in the plugins folder of opencode: the whole file is ours. Added, removed, and checked for `doctor`."""

import json
import os
import re
import shlex
import sys
import tempfile
from collections.abc import Iterator
from contextlib import suppress

from lessons.agents.base import Check, InstallReport, Trial
from lessons.agents.hook_command import Places, places_of
from lessons.agents.install import read_text, replace, report
from lessons.agents.table import AGENTS
from lessons.agents.trial import SettingsChecks, run_hook
from lessons.errors import Refused

_TEMPLATE = os.path.join(os.path.dirname(os.path.abspath(__file__)), "plugin.js")
_EMPTY = "const HOOK = {}\n"
_HOOK = re.compile(r"^const HOOK = (\{.*\})$", re.MULTILINE)
# Events that answer about the trial's word.
_ANSWERING = ("BeforeTool", "AfterTool", "ToolError", "SessionStart")
_FIRST_LINE = "// Lets the lessons of `lessons` act in opencode."


def plugin_text(home: str, executable: str = sys.executable) -> str:
    """Returns the plugin for this Python and this data home."""
    places = places_of(home, executable)._asdict()
    with open(_TEMPLATE, encoding="utf-8") as file:
        template = file.read()
    # JSON is JavaScript except for two line separators, which no path should have; they are escaped here.
    return template.replace(_EMPTY, f"const HOOK = {json.dumps(places)}\n", 1)


class PluginInstaller:
    def install(self, settings_file: str, home: str, dry_run: bool = False) -> InstallReport:
        before = _ours(settings_file)
        after = plugin_text(home)
        replace(settings_file, before, after, dry_run)
        return report(settings_file, before, after)

    def uninstall(self, settings_file: str, dry_run: bool = False) -> InstallReport:
        """Removes the file; keeps a file that is not ours."""
        before = _ours(settings_file)
        if before is None:
            return InstallReport(settings_file, changed=False, diff="")
        if not dry_run:
            try:
                os.unlink(settings_file)
            except OSError as fault:
                raise Refused(f"Cannot remove {settings_file} ({fault.strerror}): remove it yourself.") from fault
            with suppress(OSError):  # only if it is empty
                os.rmdir(os.path.dirname(settings_file))
        return report(settings_file, before, "")

    def installed_commands(self, settings_file: str) -> dict[str, str]:
        """Returns event -> what the plugin starts for it, as a user would type it."""
        places = installed_places(settings_file)
        if places is None:
            return {}
        python, entry, home, worker = (shlex.quote(places[name]) for name in Places._fields)
        run = f"LESSONS_HOME={home} {python} -I -S {entry}"
        return {event: f"{run} {event} --python {worker} --agent opencode" for event in AGENTS["opencode"].events}


def installed_places(settings_file: str) -> dict[str, str] | None:
    """Returns the paths in our plugin; None if there is none, or its format is unknown to this version."""
    text = read_text(settings_file)
    found = _HOOK.search(text) if text and text.startswith(_FIRST_LINE) else None
    try:
        places = json.loads(found[1]) if found else None
    except ValueError:
        return None
    is_whole = isinstance(places, dict) and all(isinstance(places.get(name), str) for name in Places._fields)
    return places if is_whole else None


def _ours(file: str) -> str | None:
    text = read_text(file)
    if text is not None and not text.startswith(_FIRST_LINE):
        raise Refused(f"{file} is not a plugin of lessons: move it away and try again; nothing was changed.")
    return text


class PluginChecks(SettingsChecks):
    """Whether the plugin is complete and its hook answers."""

    def file_checks(self, file: str, home: str, client_config: str | None, trial: Trial) -> Iterator[Check]:
        text, places = read_text(file), installed_places(file)
        if text is None:
            return
        if places is None:
            yield Check("settings", False, f"{file} is not a plugin that this version of lessons knows.", self.again)
            return
        for path in (places["python"], places["worker"], places["entry"]):
            if not os.path.exists(path):
                yield Check("settings", False, f"{file} names {path}, which is missing.", self.again)
                return
        if text != plugin_text(places["home"]):
            # A file may name any program: the user decides whether that one runs.
            yield Check("settings", False, f"{file} is not what this version writes, so it is not run.", self.again)
            return
        yield Check("settings", True, f"{file} has the plugin.")
        if os.path.realpath(places["home"]) != os.path.realpath(home):
            used = places["home"]
            detail = f"The plugin works on {used}, and this is about {home}."
            yield Check("hook home", False, detail, self.again)
        with tempfile.TemporaryDirectory(prefix="lessons-doctor-") as folder:
            trial.lay(folder)
            for event in _ANSWERING:
                # As the plugin does, without a shell.
                command = [places["python"], "-I", "-S", places["entry"], event, "--agent", "opencode"]
                payload = self.payload(event, folder, trial.word)
                yield run_hook(
                    f"hook {event}", command, payload, folder, self.again, lambda output: trial.word in output
                )


INSTALLER = PluginInstaller()
CHECKS = PluginChecks("opencode")
