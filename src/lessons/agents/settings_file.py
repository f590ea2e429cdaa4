"""Changes a settings file of an agent, keeps a backup of the original, and reports the difference."""

import difflib
import io
import os
import re
import stat
import sys
from collections.abc import Callable, Mapping
from contextlib import suppress

import lessons
from lessons.agents.base import InstallReport
from lessons.agents.hook_settings import BYTE_ORDER_MARK, Registration, our_handlers, plan, read, remove
from lessons.agents.interpreter import usable_interpreter
from lessons.agents.settings_text import find
from lessons.errors import DamagedFile, Refused
from lessons.match.call import is_of_windows
from lessons.store.atomic import write_text

BACKUP_SUFFIX = ".lessons-backup"
# The text of a settings file, its name and its original text if known -> the text without our hooks.
Without = Callable[[str, str, str | None], str]
_BLANK = BYTE_ORDER_MARK + " \t\r\n"
_EMPTY_CONTAINER = re.compile(r"([{[])[ \t\r\n]+([}\]])")


def entry_file() -> str:
    """Returns the file of the installed package that every hook command starts."""
    return os.path.join(os.path.abspath(lessons.__path__[0]), "hook", "entry.py")


def command_places(home: str, executable: str = sys.executable, entry: str | None = None) -> tuple[str, str, str, str]:
    """Returns the paths in a hook command: interpreter, entry file, data home, and the Python with all dependencies."""
    python = usable_interpreter(executable)
    return (
        _with_slashes(python),
        _with_slashes(entry or entry_file()),
        _with_slashes(os.path.abspath(home)),
        _with_slashes(executable),
    )


def _with_slashes(path: str) -> str:
    """On Windows the client runs commands in the shell of Git, which uses slashes in program paths."""
    return path.replace("\\", "/") if is_of_windows(path) else path


def change(
    file: str, planned: Callable[[str | None], str], dry_run: bool, without: Without = remove
) -> tuple[str, InstallReport]:
    """Returns the file's new text and a report; makes a backup before our first change."""
    before = read_text(file)
    after = planned(before)
    backup = None if after == before or dry_run else _back_up(file, before, without)
    replace(file, before, after, dry_run)
    return after, report(file, before, after, backup)


def put_in(
    file: str, commands: Mapping[str, str], registrations: Mapping[str, Registration], dry_run: bool, made: str = "{}\n"
) -> tuple[str, InstallReport]:
    """Adds exactly our command for each event; an empty file starts as `made`. Returns the new text first."""
    return change(file, lambda before: plan(_begun(before, made), commands, registrations, file), dry_run)


def _begun(before: str | None, made: str) -> str:
    return before if before and before.strip(_BLANK) else made


def take_out(file: str, dry_run: bool, made: str | None = None, without: Without = remove) -> InstallReport:
    """Removes our commands from the file, and the earlier backup if it is now identical.

    Deletes a file that we created from the text `made` if it has nothing else, or empties it if it was empty.
    """
    before = read_text(file)
    if before is None:
        return InstallReport(file, changed=False, diff="")
    backup = file + BACKUP_SUFFIX
    original = _original(backup, without)
    after = without(before, file, original)
    if original is not None and _differ_in_nothing(after, original, made):
        after = original
    replace(file, before, after, dry_run)
    if not dry_run:
        with suppress(OSError):  # a leftover file does no harm
            if after == original:
                os.unlink(backup)
            elif after == made and original is None and not os.path.lexists(backup):
                os.unlink(file)
    return report(file, before, after, backup if os.path.exists(backup) else None)


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
        with open(file, encoding="utf-8", newline="") as opened:
            return opened.read()
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
    if read_text(file) != before:
        raise Refused(f"{file} was changed by another program meanwhile: try again; nothing was changed.")
    _write(file, after)


def _differ_in_nothing(after: str, original: str, made: str | None) -> bool:
    """Whether the difference is only from installing and removing: an added text, blanks in empty containers."""
    if not original.strip(_BLANK):
        return after.removeprefix(BYTE_ORDER_MARK) == made
    return _EMPTY_CONTAINER.sub(r"\1\2", after) == _EMPTY_CONTAINER.sub(r"\1\2", original)


def _diff(file: str, before: str, after: str) -> str:
    lines = difflib.unified_diff(_lines(before), _lines(after), file, file + " (with the change)")
    return "".join(line if line.endswith("\n") else line + "\n\\ No newline at end of file\n" for line in lines)


def _lines(text: str) -> list[str]:
    return list(io.StringIO(text, newline="\n"))


def _original(backup: str, without: Without) -> str | None:
    """Returns the file before the first install, if its backup exists and is readable."""
    try:
        text = read_text(backup)
        if text is not None:
            without(text, backup, None)
    except (DamagedFile, Refused):
        return None
    return text


def _back_up(file: str, text: str | None, without: Without) -> str | None:
    """Keeps the text from before our first change; an existing backup is that one."""
    backup = file + BACKUP_SUFFIX
    if text is None:
        return None
    if not os.path.lexists(backup):
        if without(text, file, None) != text:
            return None  # changed before, and the backup of that time is gone
        _write(backup, text, stat.S_IMODE(os.stat(file).st_mode))
    return backup


def _write(file: str, text: str, mode: int = 0o600) -> None:
    try:
        # Created here, with the usual permissions: the folder is the client's, not one of our private ones.
        os.makedirs(os.path.dirname(os.path.realpath(file)), exist_ok=True)
        write_text(file, text, mode)
    except OSError as error:
        raise _refused("write", file, error) from error


def _refused(verb: str, file: str, error: OSError) -> Refused:
    return Refused(f"Cannot {verb} {file} ({error.strerror}): make it a file you may {verb}, or name another one.")
