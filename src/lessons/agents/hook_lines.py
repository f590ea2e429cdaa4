"""The sh lines of hook events in settings files: built, parsed, and found there. (hot)

A line sets the event and sources the script `lessons-hook` of the data home (`hook_script.sh`).
"""

from lessons.agents.table import AGENTS, DEFAULT_AGENT, first_place, wire_of
from lessons.store.json_text import decode
from lessons.system import environment, open_regular, system

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

# The event at which the user is informed at once.
REPORTING_EVENT = "SessionStart"
PROBLEM = "The lessons hook cannot start, because its Python or its files are gone or broken"
# What the line beside a resident server sets after the event.
_BESIDE = " '' beside"
# A script that cannot be opened ends most shells: not with 0 without the trap, and zsh without the trap unless it is
# told that sourcing is nothing special. No other variable: Gemini CLI replaces those in its settings, and a project may
# set them.
_START = """trap 'exit 0' EXIT; [ -z "${ZSH_VERSION-}" ] || unsetopt POSIX_BUILTINS; set -- """
_SCRIPT, _SOURCE, _END = "; [ -r ", " ] && . ", " || :; "
# A single quote inside single quotes, escaped for a shell.
_ESCAPED_QUOTE = "'\\''"


def hook_script_file(home: str) -> str:
    return f"{home}/lessons-hook"


def quoted(path: str) -> str:
    return "'" + path.replace("'", _ESCAPED_QUOTE) + "'"


def unquoted(words: str) -> str:
    return words[1:-1].replace(_ESCAPED_QUOTE, "'")


def line_of(event: str, home: str, agent: str = "", is_beside: bool = False) -> str:
    """Returns one line for any POSIX shell that exits with 0; it names the agent unless it is the default one."""
    words = f"{event}{_BESIDE}" if is_beside else f"{event} {agent}".rstrip()
    script = quoted(hook_script_file(home))
    line = f"{_START}{words}{_SCRIPT}{script}{_SOURCE}{script}{_END}"
    if event == REPORTING_EVENT:  # the script does not come back
        option = f" --agent {agent}" if agent else ""
        message = f'{{"systemMessage":"{PROBLEM}: run `lessons install{option}` again."}}'
        return f"trap '' PIPE; {line}echo '{message}'; exit 0"
    return f"{line}exit 0"


def parts_of(line: str) -> "tuple[str, str, str] | None":
    """Returns event, agent (empty for the default one) and data home; None unless it is exactly such a line."""
    words, _, rest = line.partition(_START)[2].partition(_SCRIPT)
    home = unquoted(rest.partition(_SOURCE)[0]).rpartition("/")[0]
    is_beside = words.endswith(_BESIDE)
    event, _, agent = words.removesuffix(_BESIDE).partition(" ")
    is_known = event.isidentifier() and (not agent or agent in AGENTS)
    return (event, agent, home) if is_known and line == line_of(event, home, agent, is_beside) else None


# A backslash has a meaning in the quotes of fish, so none may be there: such characters are put in double quotes.
# A shell that starts another one has to fork, and exits with 2 where it cannot: so it is replaced.
_SHELL, _SINGLE, _BACKSLASH = "exec /bin/sh -c ", "'\"'\"'", "'\"\\\\\"'"


def in_posix_shell(line: str) -> str:
    """Returns the line for a client that runs commands in the user's own shell, whichever that is."""
    quoted = "".join(_SINGLE if sign == "'" else _BACKSLASH if sign == "\\" else sign for sign in line)
    return f"{_SHELL}'{quoted}'"


def from_posix_shell(command: str) -> str:
    """Returns the line in such a command; empty if it is not one."""
    line = command.removeprefix(_SHELL)[1:-1].replace(_BACKSLASH, "\\").replace(_SINGLE, "'")
    return line if command == in_posix_shell(line) else ""


_LARGEST_SETTINGS = 4 << 20


def in_settings(agent: str, event: str) -> bool:
    """Whether the user's settings run the agent's hook, from an installation that still exists.

    Then the hook of a plugin, or in the settings of another agent, does nothing, so that no call is answered or counted
    twice. Only the user's own file counts: a line in a repository must not disable a hook. A resident server is not
    checked: its fallback command is in the same file.
    """
    spec = AGENTS[agent]
    file = first_place(spec.settings, environment)
    for group, number, command in _commands_for(file, spec.written_event(event)):
        if _runs(from_posix_shell(command) if spec.runs_users_shell else command, agent, event):
            is_trusted = getattr(wire_of(agent), "is_trusted", None)
            return is_trusted is None or bool(is_trusted(file, event, group, number))
    return False


def _commands_for(path: str, event: str) -> "Iterator[tuple[int, int, str]]":
    """Yields group, handler and command of every plain command for the event that may be ours.

    The handlers of an event are in groups, or directly in its list.
    """
    try:
        content = read_small(path)
        if b"lessons" not in content:
            return
        settings = decode(content.decode("utf-8").removeprefix("\ufeff"))
    except (OSError, ValueError, RecursionError):
        return  # the client cannot read it either
    groups = _child(_child(settings, "hooks"), event)
    for group_number, group in enumerate(groups if isinstance(groups, list) else ()):
        handlers = _child(group, "hooks")
        # A handler outside a group needs no type.
        types = ("command",) if isinstance(handlers, list) else ("command", None)
        for number, handler in enumerate(handlers if isinstance(handlers, list) else (group,)):
            command, arguments = _child(handler, "command"), _child(handler, "args")
            if command == "/bin/sh" and isinstance(arguments, list) and len(arguments) == 2 and arguments[0] == "-c":
                command, arguments = arguments[1], None
            if isinstance(command, str) and arguments is None and _child(handler, "type") in types:
                yield group_number, number, command


def read_small(path: str) -> bytes:
    """Returns the content of a regular file; empty if it is too large."""
    with open_regular(path) as file:
        return file.read() if system.fstat(file.fileno()).st_size <= _LARGEST_SETTINGS else b""


def _runs(line: str, agent: str, event: str) -> bool:
    """Whether it is our line for the event, or that of an older version, from an installation that still exists."""
    parts = parts_of(line)
    if parts is None:
        return _runs_as_before(line, agent, event)
    if parts[:2] != (event, "" if agent == DEFAULT_AGENT else agent):
        return False
    try:
        script = read_small(hook_script_file(parts[2])).decode("utf-8", "replace")
    except OSError:
        return False
    return _starts(script, "\n")


def _runs_as_before(line: str, agent: str, event: str) -> bool:
    """The whole script was in the line."""
    run = f'"$python" -I -S "$entry" {event}' + ("" if agent == DEFAULT_AGENT else f" --agent {agent}")
    is_whole = line.startswith("trap 'exit 0' EXIT; ") and line.endswith("; exit 0")
    return is_whole and any(run + end in line for end in (")", " ")) and _starts(line, "; ")


def _starts(script: str, end: str) -> bool:
    """Whether the Python and the entry file that it names are there: a hook that cannot start does not count."""
    for name in ("python", "entry"):
        _, found, rest = script.partition(f"{end}{name}=")
        try:
            system.stat(unquoted(rest[: rest.find("'" + end) + 1]) if found else "")
        except (OSError, ValueError):
            return False
    return True


def _child(value: object, name: str) -> object:
    return value.get(name) if isinstance(value, dict) else None
