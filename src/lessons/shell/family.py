"""The family of a command: program, sub-command and script. Commands of one family can be compared."""

import re

from lessons.shell.line import parts
from lessons.shell.program import program_of
from lessons.shell.programs import INTERPRETERS, RUN_NO_SCRIPT, RUN_OPTIONS, RUN_SCRIPT, TAKE_FILES

# After the things of a deep sub-command they say what to do with these: `gcloud compute instances list`.
VERBS = frozenset("add create delete deploy describe get list remove set show start stop update".split())
_SCRIPT_NAME = re.compile(r"[A-Za-z][\w:.-]{0,60}")
_SUB_COMMAND = re.compile(r"[a-z][a-z-]{1,20}")
_SCRIPT_FILE = re.compile(r"[\w./-]{0,100}?([\w-]{1,60}\.\w{1,5})")


def family_of_line(command: str, program: str, sub_command: str) -> str:
    """Returns the family, such as `git add` or `npm run build`; `program` and `sub_command` are those of the line."""
    for part in parts(command):
        if part.program == "ssh" == program and part.inner and (name := " ".join(program_of(part.inner[0])).strip()):
            return name  # what the other machine runs
        if part.program.rpartition("/")[2] == program:
            return _family(part.words, program, sub_command)
    return f"{program} {sub_command}".strip()


def family_of(words: list[str] | tuple[str, ...]) -> str:
    """Returns the family for the words of one command."""
    return _family(words, *program_of(" ".join(words)))


def _family(words: list[str] | tuple[str, ...], program: str, sub_command: str) -> str:
    if sub_command in RUN_SCRIPT and program not in RUN_NO_SCRIPT:
        detail = _script_name(words, sub_command)
    elif not sub_command:
        detail = _script_file(words, program) or _likely_sub_command(words, program)
    else:
        detail = ""
    return " ".join(filter(None, (program, sub_command, detail)))


def _script_name(words: list[str] | tuple[str, ...], sub_command: str) -> str:
    """Returns the first word after `run` that is neither an option nor the value of one."""
    if sub_command not in words:
        return ""
    behind = words[words.index(sub_command) + 1 :]
    for place, word in enumerate(behind):
        if not word.startswith("-") and (place == 0 or behind[place - 1] not in RUN_OPTIONS):
            return word if _SCRIPT_NAME.fullmatch(word) else ""
    return ""


def _likely_sub_command(words: list[str] | tuple[str, ...], program: str) -> str:
    """For a program that is not in the table."""
    word = words[1] if len(words) > 1 and program not in TAKE_FILES else ""
    return word if _SUB_COMMAND.fullmatch(word) else ""


def _script_file(words: list[str] | tuple[str, ...], program: str) -> str:
    """Returns the script file that an interpreter runs; empty for code written on the line itself."""
    if program.rstrip("0123456789.") not in INTERPRETERS:
        return ""
    first = next((word for word in words[1:] if not word.startswith("-")), "")
    found = _SCRIPT_FILE.fullmatch(first)
    return found[1] if found else ""
