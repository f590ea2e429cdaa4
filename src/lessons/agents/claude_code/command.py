"""The paths of an installation become the sh line of a hook event, and such a line the paths again."""

import re
from dataclasses import dataclass

from lessons.errors import Refused

# The one event whose output a person sees at once: it reports a hook that cannot start.
REPORTING_EVENT = "SessionStart"

CANNOT_START = (
    '{"systemMessage":"The lessons hook cannot start, because its Python or its files are gone or broken:'
    ' run `lessons install` again."}'
)

# Every list ends in a command that succeeds, so that a shell with errexit set still comes to `exit 0`.
_PREPARE = '[ -n "${LESSONS_HOME-}" ] || LESSONS_HOME=<home>; export LESSONS_HOME; python=<python>; entry=<entry>; '
_QUIET_LINE = _PREPARE + '[ -x "$python" ] && [ -r "$entry" ] && "$python" -I -S "$entry" <event> || :; exit 0'
# The answer is held back, since only an empty one may be replaced by the report.
_REPORTING_LINE = (
    _PREPARE + 'answer=; [ -x "$python" ] && [ -r "$entry" ]'
    ' && answer=$("$python" -I -S "$entry" <event> --python <environment_python>)'
    f" || [ -n \"$answer\" ] || answer='{CANNOT_START}';"
    ' [ -z "$answer" ] || printf \'%s\\n\' "$answer" || :; exit 0'
)
_PLACE = re.compile(r"<(\w+)>")
_QUOTED = r"'(?:[^']|'\\'')*'"

# How commands of other versions are recognised: they run the entry file with an event, or the verb `lessons hook`.
_ENTRY_FILE = re.compile(
    r"(?<![\w.-])lessons[/\\]hook[/\\]entry\.py\b"
    r"(?=.*(?:PreToolUse|PostToolUse|SessionStart|SubagentStart))"
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


def build_command(event: str, python: str, entry: str, home: str, environment_python: str) -> str:
    """One line for any POSIX shell; whatever happens to Python, it ends with exit status 0."""
    places = {
        "event": event,
        "python": _quote(python),
        "entry": _quote(entry),
        "home": _quote(home),
        "environment_python": _quote(environment_python),
    }
    return _PLACE.sub(lambda place: places[place[1]], _line(event))


def parse_command(command: str) -> InstalledCommand | None:
    """The parts of a command that is exactly what build_command writes today, else None."""
    found = _REPORTING_PATTERN.fullmatch(command) or _QUIET_PATTERN.fullmatch(command)
    if found is None:
        return None
    parts = {name: text if name == "event" else _unquote(text) for name, text in found.groupdict().items()}
    parsed = InstalledCommand(**{"environment_python": "", **parts})
    try:
        again = build_command(parsed.event, parsed.python, parsed.entry, parsed.home, parsed.environment_python)
    except Refused:
        return None
    return parsed if again == command else None


def is_ours(command: str) -> bool:
    """True for a command of this version of lessons or of another one."""
    return bool(_ENTRY_FILE.search(command) or _INVOCATION.search(command) or parse_command(command))


def _line(event: str) -> str:
    return _REPORTING_LINE if event == REPORTING_EVENT else _QUIET_LINE


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


_REPORTING_PATTERN = _pattern(_REPORTING_LINE)
_QUIET_PATTERN = _pattern(_QUIET_LINE)
