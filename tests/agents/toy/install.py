"""The toy agent's settings, with our hook as one line per event, and without it."""

import os
import re
import shlex
import sys

import lessons
from lessons.agents.base import InstallReport
from lessons.agents.interpreter import usable_interpreter
from lessons.agents.table import wire_of
from lessons.errors import Refused
from lessons.store import atomic

_OURS = re.compile(r"on (\w+) run (LESSONS_HOME=.*hook/entry\.py.* --agent toy; exit 0)\n")


def install(settings_file: str, home: str, dry_run: bool = False) -> InstallReport:
    python, entry = usable_interpreter(), os.path.join(lessons.__path__[0], "hook", "entry.py")
    run = f"LESSONS_HOME={shlex.quote(home)} {shlex.quote(python)} -I -S {shlex.quote(entry)}"
    wanted = [
        f"on {event} run {run} {event} --python {shlex.quote(sys.executable)} --agent toy; exit 0\n"
        for event in wire_of("toy").EVENTS
    ]
    before = _read(settings_file)
    return _replace(settings_file, before, _OURS.sub("", before) + "".join(wanted), dry_run)


def uninstall(settings_file: str, dry_run: bool = False) -> InstallReport:
    before = _read(settings_file)
    return _replace(settings_file, before, _OURS.sub("", before), dry_run)


def installed_commands(settings_file: str) -> dict[str, str]:
    return dict(_OURS.findall(_read(settings_file)))


def _read(file: str) -> str:
    try:
        with open(file, encoding="utf-8") as opened:
            return opened.read()
    except FileNotFoundError:
        return ""
    except UnicodeDecodeError:
        raise Refused(f"{file} is not text. Correct it and try again.") from None


def _replace(file: str, before: str, after: str, dry_run: bool) -> InstallReport:
    if after != before and not dry_run:
        os.makedirs(os.path.dirname(file), exist_ok=True)
        atomic.write_text(file, after)
    return InstallReport(file, after != before, after.removeprefix(before))
