"""The sh lines of hook events: built from a template and its parts, parsed, and found in a settings file. (hot)"""

from lessons.agents.table import AGENTS, DEFAULT_AGENT, first_place, wire_of
from lessons.store.json_text import decode
from lessons.system import environment, open_regular, system

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

# The event at which the user is informed at once.
REPORTING_EVENT = "SessionStart"
# The event whose whole output goes to the summarising model: it never reports problems.
SILENT_EVENT = "PreCompact"
# Events that start background work, with an interpreter that has all dependencies of the package.
WORKING_EVENTS = (REPORTING_EVENT, SILENT_EVENT, "Stop", "SessionEnd", "PostToolUse", "AfterTool", "AfterAgent")


def cannot_start(agent: str = "") -> str:
    option = f" --agent {agent}" if agent else ""
    return (
        '{"systemMessage":"The lessons hook cannot start, because its Python or its files are gone or broken:'
        f' run `lessons install{option}` again."}}'
    )


CANNOT_START = cannot_start()

# A shell that cannot fork exits with 2, which would block every call. A shell without a reader is killed, and bash
# kills itself if Python was interrupted.
_GUARD = "trap 'exit 0' EXIT; trap '' PIPE; trap : INT; "
# Every list ends in a command that succeeds, so that a shell with errexit still reaches `exit 0`.
# A project may set variables for its sessions (`.env`): they must not lead the hook to other lessons.
_HOME = _GUARD + "LESSONS_HOME=<home>; export LESSONS_HOME; "
_PATHS = "python=<python>; entry=<entry>; "
# zsh exits at once, without a trap, when it cannot fork or redirect, unless that happens in `eval` (and for a fork in
# `$(…)`). An answer is buffered anyway, because only an empty one may be replaced by the report.
_START = '[ -x "$python" ] && [ -r "$entry" ] && '
_RUN = '"$python" -I -S "$entry" <event>'
_WORK = "worker=<environment_python>; "
# A session start always informs the user, other events once per client, whose process is the parent of every hook: the
# hook that creates the file reports; if it cannot be created, none does, rather than each call.
_MARK = '"$LESSONS_HOME/fired/cannot-start.$PPID"'
_TELL_ONCE = f"""{{ eval 'answer=$({{ set -C; : > {_MARK}; }} 2>/dev/null)' && answer=$message || :; }}"""
_TELL_ALWAYS = f"""{{ eval 'answer=$({{ : > {_MARK}; }} 2>/dev/null)' || :; answer=$message; }}"""
# Some shells have no printf of their own, and PATH may lead to one of the project.
_END = """; [ -z "$answer" ] || PATH=/usr/bin:/bin printf %s "$answer" || :; exit 0"""


def _answering(run: str, otherwise: str, message: str = CANNOT_START) -> str:
    assignments = f"answer=; message='{message}'; "
    return f"""{_PATHS}{assignments}{_START}eval 'answer=$({run})' || [ -n "$answer" ] || {otherwise}{_END}"""


def line_of(event: str, agent: str = "") -> str:
    """Returns the template of an event that no server answers; it names the agent unless it is the default one."""
    is_working = event in WORKING_EVENTS
    run = f"{_RUN} --agent {agent}" if agent else _RUN
    run += ' --python "$worker"' if is_working else ""
    run += ' --client "$PPID"' if event == REPORTING_EVENT else ""
    if agent and AGENTS[agent].waits_for_streams:
        # A Python that hangs must have none of the client's streams, nor a shell that waits for it.
        run = f"exec {run} 2>/dev/null"
    otherwise = {REPORTING_EVENT: _TELL_ALWAYS, SILENT_EVENT: ":"}.get(event, _TELL_ONCE)
    return _HOME + (_WORK if is_working else "") + _answering(run, otherwise, cannot_start(agent))


# Beside a resident server: while the process named in the server's file is alive, only a few builtins run. On Linux, a
# killed process and one that is not a child of the client count as gone: the first still answers signals until its
# parent has collected it, the second has reused the process id of an old server.
_SERVER = '"$LESSONS_HOME/warm/$PPID"'
# A shell that redirects its own streams needs file numbers from 10 on. Without them busybox exits with 1 and runs no
# trap. These quotes and no version are what tells it from the usual shells.
_FEW_FILES = (
    "case $'few'${BASH_VERSION-}${ZSH_VERSION-} in few) case $(ulimit -n) in [0-9]|1[0-3]) exit 0 ;; esac ;; esac; "
)
FALLBACK_LINE = (
    f"{_HOME}{_FEW_FILES}server=; [ -r {_SERVER} ] && eval '{{ read -r server < {_SERVER}; }} 2>/dev/null' || :;"
    """ if [ -n "$server" ]; then state=; eval '{ read -r state < "/proc/$server/stat"; } 2>/dev/null' || :;"""
    """ case $state in *") Z "*) ;; *") "?" $PPID "*) exit 0 ;;"""
    """ "") eval 'kill -0 "$server" 2>/dev/null' && exit 0 ;; esac; fi; """ + _answering(_RUN, _TELL_ONCE)
)
_PLACES = ("event", "python", "entry", "home", "environment_python", "line")
# A single quote inside single quotes, escaped for a shell.
_ESCAPED_QUOTE = "'\\''"


def fill(line: str, parts: dict[str, str]) -> str:
    """Fills in the parts: the event as it is, paths in quotes."""
    pieces = _pieces(line)
    for number in range(1, len(pieces), 2):
        name = pieces[number]
        pieces[number] = parts[name] if name == "event" else "'" + parts[name].replace("'", _ESCAPED_QUOTE) + "'"
    return "".join(pieces)


def parts_of(line: str, command: str) -> dict[str, str] | None:
    """Returns the parts that a command was built from; None unless it is exactly this line."""
    parts: dict[str, str] = {}
    place = 0
    for number, piece in enumerate(_pieces(line)):
        if number % 2 == 0:
            if not command.startswith(piece, place):
                return None
            place += len(piece)
            continue
        end = _end_of_word(command, place) if piece == "event" else _end_of_quoted(command, place)
        if end <= place:
            return None
        text = command[place:end]
        parts[piece] = text if piece == "event" else text[1:-1].replace(_ESCAPED_QUOTE, "'")
        place = end
    return parts if place == len(command) else None


def _pieces(line: str) -> list[str]:
    """Returns fixed text and place names alternately; the first and the last are text."""
    pieces = [line]
    for name in _PLACES:
        for number in range(len(pieces) - 1, -1, -2):
            before, found, after = pieces[number].partition(f"<{name}>")
            if found:
                pieces[number : number + 1] = [before, name, after]
    return pieces


def _end_of_word(command: str, place: int) -> int:
    while command[place : place + 1].isalpha():
        place += 1
    return place


def _end_of_quoted(command: str, place: int) -> int:
    """Returns the position after the closing quote; 0 if nothing is quoted."""
    if command[place : place + 1] != "'":
        return 0
    end = command.find("'", place + 1)
    while end >= 0 and command.startswith(_ESCAPED_QUOTE, end):
        end = command.find("'", end + len(_ESCAPED_QUOTE))
    return end + 1


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
    lines = (line_of(event, "" if agent == DEFAULT_AGENT else agent), FALLBACK_LINE)
    for group, number, command in _commands_for(file, spec.written_event(event)):
        if _runs(from_posix_shell(command) if spec.runs_users_shell else command, event, lines):
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


def _runs(command: str, event: str, lines: tuple[str, ...]) -> bool:
    """Whether it is exactly one of these lines for the event, from an installation that still exists."""
    for line in lines:
        parts = parts_of(line, command)
        if parts and parts["event"] == event:
            return _exists(parts["python"]) and _exists(parts["entry"])
    return False


def _exists(path: str) -> bool:
    """A hook that cannot start does not count."""
    try:
        system.stat(path)
    except (OSError, ValueError):
        return False
    return True


def _child(value: object, name: str) -> object:
    return value.get(name) if isinstance(value, dict) else None
