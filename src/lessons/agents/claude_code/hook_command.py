"""The paths of an installation become the sh line of a hook event, and such a line the paths again."""

import re
from dataclasses import dataclass

from lessons.errors import Refused

# The event at which a person is told at once.
REPORTING_EVENT = "SessionStart"
# The event whose every printed word goes to the model that writes the summary: it never tells of itself.
SILENT_EVENT = "PreCompact"
# Those that start work in the background, by an interpreter that has all of the package's dependencies.
WORKING_EVENTS = (REPORTING_EVENT, SILENT_EVENT, "Stop", "SessionEnd", "PostToolUse")

CANNOT_START = (
    '{"systemMessage":"The lessons hook cannot start, because its Python or its files are gone or broken:'
    ' run `lessons install` again."}'
)

# A shell that cannot fork ends with 2, which would block every call, and one that nobody listens to is killed.
_GUARD = "trap 'exit 0' EXIT; trap '' PIPE; "
# Every list ends in a command that succeeds, so that a shell with errexit set still comes to `exit 0`.
_HOME = _GUARD + '[ -n "${LESSONS_HOME-}" ] || LESSONS_HOME=<home>; export LESSONS_HOME; '
_PATHS = "python=<python>; entry=<entry>; "
# zsh ends at once, without a trap, when it cannot fork or redirect, unless that happens in `eval` (and for a fork in
# `$(…)`). An answer is held back anyway, since only an empty one may be replaced by the report.
_START = '[ -x "$python" ] && [ -r "$entry" ] && '
_RUN = '"$python" -I -S "$entry" <event>'
_WORK = "worker=<environment_python>; "
# A session that starts tells the person in any case, other events once for a client, whose process is the parent of
# every hook: who makes the file tells, and where it cannot be made nobody does, rather than at each call.
_MARK = '"$LESSONS_HOME/fired/cannot-start.$PPID"'
_MESSAGE = f"answer=; message='{CANNOT_START}'; "
_TELL_ONCE = f"""eval 'answer=$({{ set -C; : > {_MARK}; }} 2>/dev/null && printf %s "$message")' || :"""
_TELL_ALWAYS = f"""{{ eval 'answer=$({{ : > {_MARK}; }} 2>/dev/null)' || :; answer=$message; }}"""
_END = """; [ -z "$answer" ] || printf %s "$answer" || :; exit 0"""


def _answering(run: str, otherwise: str) -> str:
    return f"""{_PATHS}{_MESSAGE}{_START}eval 'answer=$({run})' || [ -n "$answer" ] || {otherwise}{_END}"""


_QUIET_LINE = _HOME + _answering(_RUN, _TELL_ONCE)
_WORKING_LINE = _HOME + _WORK + _answering(f'{_RUN} --python "$worker"', _TELL_ONCE)
_SILENT_LINE = _HOME + _WORK + _answering(f'{_RUN} --python "$worker"', ":")
_REPORTING_LINE = _HOME + _WORK + _answering(f'{_RUN} --python "$worker" --client "$PPID"', _TELL_ALWAYS)
# Beside a resident server: while the process that the server's file names is alive, a few builtins are all that runs.
# Where the system tells (Linux), one that was killed and one that is not a child of the client count as gone: the first
# answers signals until its parent has looked, the second has got the number of a server of long ago.
_SERVER = '"$LESSONS_HOME/warm/$PPID"'
_FALLBACK_LINE = (
    f"{_HOME}server=; [ -r {_SERVER} ] && eval '{{ read -r server < {_SERVER}; }} 2>/dev/null' || :; gone=;"
    """ if [ -n "$server" ]; then state=; eval '{ read -r state < "/proc/$server/stat"; } 2>/dev/null' || :;"""
    """ case $state in *") Z "*) ;; *") "?" $PPID "*) exit 0 ;;"""
    """ "") eval 'kill -0 "$server" 2>/dev/null' && exit 0 ;; esac;"""
    " gone=--server-gone; fi; " + _answering(f"{_RUN} --behind-server $gone", _TELL_ONCE)
)
_PLACE = re.compile(r"<(\w+)>")
_QUOTED = r"'(?:[^']|'\\'')*'"

# How commands of other versions are recognised: they run the entry file with an event, or the verb `lessons hook`.
_ENTRY_FILE = re.compile(
    r"(?<![\w.-])lessons[/\\]hook[/\\]entry\.py\b"
    r"(?=.*\b(?:PreToolUse|PostToolUse|PostToolUseFailure|SessionStart|SubagentStart|PreCompact|Stop|SessionEnd)\b)"
)
_INVOCATION = re.compile(
    r"""(?:^|[;&|(])\s*(?:exec\s+)?(?:\w+=\S*\s+)*(?:\S+\s+-m\s+)?"""
    r"""(?:"[^"]*/lessons"|'[^']*/lessons'|(?:[^\s"';&|]*/)?lessons)\s+hook\s+\w"""
)


@dataclass(frozen=True)
class InstalledCommand:
    """What a command of ours was built from; `environment_python` is empty where the line has none."""

    event: str
    python: str
    entry: str
    home: str
    environment_python: str
    behind_server: bool = False


def build_command(event: str, python: str, entry: str, home: str, environment_python: str) -> str:
    """One line for any POSIX shell; whatever happens to Python, it ends with exit status 0."""
    return _fill(_line_of(event), event, python, entry, home, environment_python)


def _line_of(event: str) -> str:
    if event == REPORTING_EVENT:
        return _REPORTING_LINE
    if event == SILENT_EVENT:
        return _SILENT_LINE
    return _WORKING_LINE if event in WORKING_EVENTS else _QUIET_LINE


def build_fallback(event: str, python: str, entry: str, home: str) -> str:
    """The line that answers for a resident server that is not there, and leaves at once while it is."""
    return _fill(_FALLBACK_LINE, event, python, entry, home, "")


def parse_command(command: str) -> InstalledCommand | None:
    """The parts of a command that is exactly what is written today, else None."""
    found = next((match for line in _PATTERNS if (match := line.fullmatch(command))), None)
    if found is None:
        return None
    parts = {name: text if name == "event" else _unquote(text) for name, text in found.groupdict().items()}
    parsed = InstalledCommand(**{"environment_python": "", **parts}, behind_server=found.re is _FALLBACK_PATTERN)
    try:
        again = rebuild(parsed)
    except Refused:
        return None
    return parsed if again == command else None


def rebuild(parsed: InstalledCommand) -> str:
    """The command that has these parts."""
    if parsed.behind_server:
        return build_fallback(parsed.event, parsed.python, parsed.entry, parsed.home)
    return build_command(parsed.event, parsed.python, parsed.entry, parsed.home, parsed.environment_python)


def is_ours(command: str) -> bool:
    """True for a command of this version of lessons or of another one."""
    return bool(_ENTRY_FILE.search(command) or _INVOCATION.search(command) or parse_command(command))


def _fill(line: str, event: str, python: str, entry: str, home: str, environment_python: str) -> str:
    places = {
        "event": event,
        "python": _quote(python),
        "entry": _quote(entry),
        "home": _quote(home),
        "environment_python": _quote(environment_python),
    }
    return _PLACE.sub(lambda place: places[place[1]], line)


def _quote(path: str) -> str:
    if "\0" in path or any("\ud800" <= character <= "\udfff" for character in path):
        raise Refused(f"The path {path!r} cannot stand in a settings file: use one that is valid UTF-8.")
    return "'" + path.replace("'", "'\\''") + "'"


def _unquote(quoted: str) -> str:
    return quoted[1:-1].replace("'\\''", "'")


def _pattern(line: str) -> re.Pattern[str]:
    """A line as a regex: its fixed text literally, each place as a named group."""
    pieces = _PLACE.split(line)
    for position in range(0, len(pieces), 2):
        pieces[position] = re.escape(pieces[position])
    for position in range(1, len(pieces), 2):
        name = pieces[position]
        pieces[position] = f"(?P<{name}>{r'[A-Za-z]+' if name == 'event' else _QUOTED})"
    return re.compile("".join(pieces))


_FALLBACK_PATTERN = _pattern(_FALLBACK_LINE)
_LINES = (_REPORTING_LINE, _SILENT_LINE, _WORKING_LINE, _QUIET_LINE)
_PATTERNS = (*map(_pattern, _LINES), _FALLBACK_PATTERN)
