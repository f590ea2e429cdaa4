"""What Windows shells run, and the names of Windows programs."""

from lessons.shell.commands import CMD, POWERSHELL
from lessons.shell.known_output import known_input

TYPE_CHECKING = False
if TYPE_CHECKING:
    from lessons.shell.commands import Command, Payload

_SUFFIXES = (".exe", ".cmd", ".bat", ".com")
# PowerShell options that take the next word; all may be abbreviated, case is ignored.
_WITH_VALUE = (
    *("-executionpolicy", "-ep", "-ex", "-workingdirectory", "-wd", "-windowstyle", "-w", "-outputformat", "-of"),
    *("-inputformat", "-if", "-configurationname", "-config", "-custompipename", "-settingsfile", "-psconsolefile"),
    "-version",
)
# The command is encoded, or they run nothing.
_RUN_NO_COMMAND = ("-e", "-ec", "-en", "-enc", "-encodedcommand", "-h", "-help", "-?", "-v")


def program_name(path: str) -> str:
    """Returns `git` for `git.exe`, `GIT.EXE` or `C:\\\\Git\\\\cmd\\\\git.exe`; other paths unchanged."""
    name = path
    if "\\" in path and (path[1:3] == ":\\" or path[:2] in (".\\", "\\\\") or path[-4:].lower() in _SUFFIXES):
        name = path.rpartition("\\")[2]
    return name[:-4] if name[-4:].lower() in _SUFFIXES and len(name) > 4 else name


def of_cmd(command: "Command", start: int) -> "list[Payload]":
    """Returns all that follows `/c` or `/k`; shells of other systems write `//c`."""
    words = command.words
    for place in range(start + 1, len(words)):
        option = words[place].lower()
        if option[:1] != "/":
            return []
        if option.lstrip("/")[:1] in ("c", "k") and place + 1 < len(words):
            code = command.code(" ".join(command.contents[place + 1 :]))
            code.dialect = CMD
            return [code] if place + 2 == len(words) else [command.behind(place + 1), code]
    return []


def of_powershell(command: "Command", start: int) -> "list[Payload]":
    """Returns all that follows `-Command`, or from the first word that is not an option; `-` means its input."""
    words = command.words
    place = start + 1
    while place < len(words):
        option = words[place].lower()
        place += 1
        if option in _WITH_VALUE:
            place += 1
        elif option in _RUN_NO_COMMAND or (len(option) > 1 and "-file".startswith(option)):
            return []
        elif option[:1] != "-" or (len(option) > 1 and "-command".startswith(option)):
            place -= option[:1] != "-"
            break
    text = " ".join(command.contents[place:])
    code = command.code(known_input(command) if text in ("", "-") else text)
    code.dialect = POWERSHELL
    return [code]


def as_posix(code: str) -> str:
    """Rewrites a line for `cmd` as a POSIX shell would write it: `cmd` escapes with `^` instead of a backslash."""
    return code.replace("\\", "\\\\").replace("^", "")
