"""Our plugin in the plugins folder of opencode: the whole file is ours."""

import json
import os
import re
import shlex
import sys
from contextlib import suppress

from lessons.agents.base import InstallReport
from lessons.agents.settings_file import command_places, read_text, replace, report
from lessons.errors import Refused

_TEMPLATE = os.path.join(os.path.dirname(os.path.abspath(__file__)), "plugin.js")
_EMPTY = "const HOOK = {}\n"
_HOOK = re.compile(r"^const HOOK = (\{.*\})$", re.MULTILINE)
_FIRST_LINE = "// Lets the lessons of `lessons` act in opencode."


def plugin_text(home: str, executable: str = sys.executable) -> str:
    """Returns the plugin for this Python and this data home."""
    python, entry, home, worker = command_places(home, executable)
    places = {"python": python, "entry": entry, "home": home, "worker": worker}
    with open(_TEMPLATE, encoding="utf-8") as file:
        template = file.read()
    # JSON is JavaScript except for two line separators, which no path should have; they are escaped here.
    return template.replace(_EMPTY, f"const HOOK = {json.dumps(places)}\n", 1)


def install(settings_file: str, home: str, dry_run: bool = False) -> InstallReport:
    before = _ours(settings_file)
    after = plugin_text(home)
    replace(settings_file, before, after, dry_run)
    return report(settings_file, before, after)


def uninstall(settings_file: str, dry_run: bool = False) -> InstallReport:
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


def installed_commands(settings_file: str) -> dict[str, str]:
    """Returns event -> what the plugin starts for it, as a user would type it."""
    from lessons.agents.opencode.wire import EVENTS

    places = installed_places(settings_file)
    if places is None:
        return {}
    home, python, entry, worker = (shlex.quote(places[name]) for name in ("home", "python", "entry", "worker"))
    run = f"LESSONS_HOME={home} {python} -I -S {entry}"
    return {event: f"{run} {event} --python {worker} --agent opencode" for event in EVENTS}


def installed_places(settings_file: str) -> dict[str, str] | None:
    """Returns the paths in our plugin; None if there is none, or its format is unknown to this version."""
    text = read_text(settings_file)
    found = _HOOK.search(text) if text and text.startswith(_FIRST_LINE) else None
    try:
        places = json.loads(found[1]) if found else None
    except ValueError:
        return None
    names = ("python", "entry", "home", "worker")
    is_whole = isinstance(places, dict) and all(isinstance(places.get(name), str) for name in names)
    return places if is_whole else None


def _ours(file: str) -> str | None:
    text = read_text(file)
    if text is not None and not text.startswith(_FIRST_LINE):
        raise Refused(f"{file} is not a plugin of lessons: move it away and try again; nothing was changed.")
    return text
