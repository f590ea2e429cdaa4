"""Reads a lessons.json or a manifest of joeblackwaslike/lessons-learned."""

import json
import os
import re
import shutil
import sqlite3
import tempfile
import time
from collections.abc import Iterator
from contextlib import closing, contextmanager

from lessons.errors import Refused
from lessons.lesson_fields import FIELDS
from lessons.match.tools import canonical_name
from lessons.promote.imports.review import MOST_DRAFTS, Draft, NotOurs, short_name, text_of


def drafts_of_file(path: str) -> list[Draft]:
    """Returns drafts in the order of the file."""
    found = []
    for place, record in _records_of_file(path):
        if isinstance(record, dict):
            found.append(draft_of(record, place))
        else:
            found.append(Draft(place, place, refusal=f"it is {short_name(json.dumps(record))} and not a record."))
    return found


def _records_of_file(path: str) -> list[tuple[str, object]]:
    try:
        document: object = json.loads(text_of(path))
    except json.JSONDecodeError as fault:
        reason = f"line {fault.lineno}, column {fault.colno}: {fault.msg}"
        raise Refused(f"{path} is not JSON ({reason}): fix it.") from None
    except (RecursionError, ValueError):
        raise Refused(f"{path} is not JSON that can be read.") from None
    lessons = document.get("lessons") if isinstance(document, dict) else document
    if isinstance(lessons, dict):
        found = [(f"lesson {short_name(key)}", record) for key, record in lessons.items()]
    elif isinstance(lessons, list):
        found = [(f"lesson {number}", record) for number, record in enumerate(lessons, start=1)]
    else:
        raise Refused(f"{path} holds no lessons: give a lessons.json or a manifest.")
    if len(found) > MOST_DRAFTS:
        raise Refused(f"{path} holds {len(found):,} lessons, and at most {MOST_DRAFTS:,} are taken: split it.")
    return found


HEADER = b"SQLite format 3\0"
_LARGEST_DATABASE = 256 * 1024**2
_LONGEST_TEXT = 1 << 20
_SECONDS = 10.0
_COLUMNS = (
    "slug status type summary problem solution toolNames commandPatterns pathPatterns contentPatterns modelPatterns"
    " tags confidence archiveReason scope"
).split()


def drafts_of_database(path: str) -> list[Draft]:
    """Returns drafts in the order of the table."""
    try:
        with _opened_copy(path) as connection:
            return [
                draft_of(record, f"row {number}")
                for number, record in enumerate(_records_of_database(connection, path), 1)
            ]
    except sqlite3.Error as fault:
        raise Refused(f"{path} cannot be read as a database of lessons ({fault}): name another file.") from None


@contextmanager
def _opened_copy(path: str) -> Iterator[sqlite3.Connection]:
    """Opens a temporary copy: reading a database in use would write files beside the original."""
    if not os.path.isfile(path) or os.path.getsize(path) > _LARGEST_DATABASE:
        raise Refused(f"{path} is not a file, or larger than {_LARGEST_DATABASE // 1024**2} MB: too large for lessons.")
    with tempfile.TemporaryDirectory(prefix="lessons-") as folder:
        copy = os.path.join(folder, "copy.db")
        for ending in ("", "-wal"):
            if os.path.isfile(path + ending) and os.path.getsize(path + ending) <= _LARGEST_DATABASE:
                shutil.copyfile(path + ending, copy + ending)
        with closing(sqlite3.connect(copy)) as connection:
            connection.execute("PRAGMA trusted_schema = OFF")
            connection.setlimit(sqlite3.SQLITE_LIMIT_LENGTH, _LONGEST_TEXT)
            # A foreign file may contain anything, including queries that never end.
            end = time.monotonic() + _SECONDS
            connection.set_progress_handler(lambda: time.monotonic() > end, 10_000)
            yield connection


def _records_of_database(connection: sqlite3.Connection, path: str) -> Iterator[dict[str, object]]:
    if not connection.execute("SELECT 1 FROM sqlite_master WHERE type = 'table' AND name = 'lessons'").fetchone():
        raise Refused(f"{path} has no table of lessons: name the database of lessons-learned.")
    there = {str(row[1]) for row in connection.execute("PRAGMA table_info(lessons)")}
    columns = [name for name in _COLUMNS if name in there]
    if not {"problem", "solution"} <= there:
        raise Refused(f"{path} has no lessons with problem and solution: name the database of lessons-learned.")
    quoted = ", ".join(f'"{name}"' for name in columns)
    for number, row in enumerate(connection.execute(f"SELECT {quoted} FROM lessons")):
        if number == MOST_DRAFTS:
            raise Refused(f"{path} holds more than {MOST_DRAFTS:,} lessons, which is the limit: delete some first.")
        yield dict(zip(columns, row, strict=True))


_WHOLE = re.compile(r"\A(?:## [^\n]*\n)?(?P<problem>.*?)\n\*\*Fix\*\*:\s*(?P<solution>.*)\Z", re.DOTALL)
_HEADING = re.compile(r"\A#+ [^\n]*\n")
_TAG = re.compile(r"[a-z][a-z0-9_-]*:[^\s:,]+")
_REGEX_SIGNS = frozenset("\\^$|+()[]{}")
_FILE_TOOLS = {"Edit", "Write", "NotebookEdit", "Read", "Glob"}
_AT_START = ("directive", "protocol")
_DEFAULT_CONFIDENCE = 0.6
# Keys of a trigger that only our own files have.
_OWN_KEYS = [
    key
    for key in dict.fromkeys(field.place.split(".")[1] for field in FIELDS if field.group.startswith("triggers"))
    if key != "sessionStart"
]


_SHARED_KEYS = ("toolNames", "commandPatterns", "pathPatterns", "contentPatterns")


def draft_of(record: dict[str, object], place: str) -> Draft:
    """Returns the record in our fields; a refusal if we have nothing equivalent."""
    name = short_name(_text(record, "slug") or _text(record, "summary") or place)
    try:
        _refuse_inactive(record)
        problem, solution = _words(record)
        triggers, note = _triggers(record)
        document: dict[str, object] = {
            "summary": _text(record, "summary"),
            "problem": problem,
            "solution": solution,
            "triggers": triggers,
            "scope": _scope(record),
            "tags": [tag for tag in _list(record.get("tags")) if isinstance(tag, str) and _TAG.fullmatch(tag)],
            "confidence": _confidence(record),
        }
    except NotOurs as reason:
        return Draft(place, name, refusal=str(reason))
    return Draft(place, name, document, note=note)


def _refuse_inactive(record: dict[str, object]) -> None:
    status = _text(record, "status")
    if status == "archived":
        reason = _text(record, "archiveReason")
        raise NotOurs(f"it is archived there{f' ({short_name(reason)})' if reason else ''}.")
    if status == "disabled" or record.get("disabled") in (True, 1) or record.get("enabled") is False:
        raise NotOurs("it is disabled there.")


def _words(record: dict[str, object]) -> tuple[str, str]:
    """Returns problem and solution; a manifest may have them in one text only."""
    problem = _text(record, "problem") or _text(record, "mistake")
    solution = _text(record, "solution") or _text(record, "fix") or _text(record, "remediation")
    if problem and solution:
        return problem, solution
    text = _text(record, "injection") or _text(record, "message")
    if parts := _WHOLE.match(text):
        return parts["problem"].strip(), parts["solution"].strip()
    rest = _HEADING.sub("", text).strip()
    if not rest:
        missing = "solution" if problem else "problem"
        raise NotOurs(f"{missing} is missing.")
    return _text(record, "summary"), rest


def _triggers(record: dict[str, object]) -> tuple[dict[str, object], str]:
    """Returns our triggers, and notes about them for the user."""
    holder = record.get("triggers")
    source = holder if isinstance(holder, dict) else record
    kind = _text(record, "type")
    blocked = kind == "guard" or record.get("block") in (True, 1)
    note = "it blocks the call there; here it is a hint until your history supports a block" if blocked else ""
    if kind in _AT_START or source.get("sessionStart") in (True, 1):
        return {"sessionStart": True}, note
    triggers: dict[str, object] = {
        "toolNames": _strings(source.get("toolNames")),
        "pathPatterns": [glob for pattern in _regexes(source, "path") for glob in _globs(source, pattern)],
        **_commands_and_contents(source),
    }
    for key in _OWN_KEYS:
        if key not in triggers and source.get(key):
            triggers[key] = source[key]
    models = [pattern.strip("^$").replace("\\", "") for pattern in _regexes(source, "model", flags=False)]
    if any(re.search(r"[.*+?|()\[\]{}]", model.replace(".", "")) for model in models):
        raise NotOurs("modelPatterns has a regex: here a model is named by a part of its name.")
    if models:
        triggers["when"] = {"models": models}
    return {key: value for key, value in triggers.items() if value}, note


def _commands_and_contents(source: dict[str, object]) -> dict[str, object]:
    """Converts a command pattern, which there also matches what a file tool writes, with its path pattern.

    Here that is a content pattern, which path patterns restrict; a command pattern would fire on its own.
    """
    commands, contents = _regexes(source, "command"), _regexes(source, "content")
    tools = {canonical_name(tool) for tool in _strings(source.get("toolNames"))}
    looks_at_files = bool(tools & _FILE_TOOLS) or bool(not tools and _regexes(source, "path"))
    is_ours = any(source.get(key) for key in _OWN_KEYS if key not in _SHARED_KEYS)
    if looks_at_files and not is_ours:
        contents += commands
        commands = commands if "Bash" in tools or not tools else []
    return {"commandPatterns": commands, "contentPatterns": contents}


def _regexes(source: dict[str, object], what: str, flags: bool = True) -> list[str]:
    """Returns texts of a record, or pairs of source and flags of a manifest."""
    plain = _strings(source.get(f"{what}Patterns"))
    pairs = [pair for pair in _list(source.get(f"{what}RegexSources")) if isinstance(pair, dict)]
    regexes = [(str(pair.get("source", "")), str(pair.get("flags", ""))) for pair in pairs]
    ignoring = flags and what != "path"  # paths are compared without case there, which nobody intended
    return plain + [f"(?i:{regex})" if "i" in letters and ignoring else regex for regex, letters in regexes]


def _globs(source: dict[str, object], pattern: str) -> list[str]:
    compiled = isinstance(source.get("pathRegexSources"), list)
    if not compiled and not _REGEX_SIGNS & set(pattern):
        return [pattern]
    globs = globs_of(pattern, whole=compiled)
    if globs is None:
        raise NotOurs(f"pathPatterns has {json.dumps(short_name(pattern))}, a regex that no glob can express.")
    return globs


def _scope(record: dict[str, object]) -> dict[str, object]:
    scope = record.get("scope")
    path = scope.get("path") if isinstance(scope, dict) else record.get("projectPath")
    if isinstance(path, str) and path:
        if not os.path.isabs(path) or not os.path.isdir(path):
            raise NotOurs(f"it is for the project {json.dumps(short_name(path))}, which is not on this machine.")
        return {"type": "project", "path": path}
    if isinstance(scope, str) and scope not in ("", "global"):
        raise NotOurs(f"it is for one project ({json.dumps(short_name(scope))}), whose folder it does not name.")
    return {"type": "global"}


def _confidence(record: dict[str, object]) -> float:
    value = record.get("confidence", _DEFAULT_CONFIDENCE)
    return float(value) if isinstance(value, int | float) and 0 <= value <= 1 else _DEFAULT_CONFIDENCE


def _text(record: dict[str, object], key: str) -> str:
    value = record.get(key)
    return value.strip() if isinstance(value, str) else ""


def _strings(value: object) -> list[str]:
    return [each for each in _list(value) if isinstance(each, str)]


def _list(value: object) -> list[object]:
    """Returns a list, or the JSON text of one as the database stores it."""
    if isinstance(value, str) and value.lstrip().startswith("["):
        try:
            value = json.loads(value)
        except (ValueError, RecursionError):
            return []
    return value if isinstance(value, list) else []


_PIECE = re.compile(
    r"(?P<start>\(\^\|/\)|\(\?:\^\|/\))|(?P<any>\.\*)|(?P<name>\[\^/\][*+])|(?P<one>\[\^/\])"
    r"|\((?:\?:)?(?P<either>[\w.|-]+)\)|(?P<plain>[\w/ @~-]|\\[./_-])(?P<maybe>\??)"
)


def globs_of(source: str, whole: bool = False) -> list[str] | None:
    """Returns one glob per alternative of the regex: `a|b$` fires if either does; None if one has no glob."""
    globs = [glob_of(part, whole) for part in _alternatives(source)]
    known = [glob for glob in globs if glob is not None]
    return known if len(known) == len(globs) else None


def _alternatives(source: str) -> list[str]:
    """Returns the parts between the `|` outside groups and classes."""
    parts, depth, in_class, position = [""], 0, False, 0
    while position < len(source):
        sign = source[position : position + (2 if source[position] == "\\" else 1)]
        position += len(sign)
        if sign == "|" and not depth and not in_class:
            parts.append("")
            continue
        in_class = sign == "[" or (in_class and sign != "]")
        depth += 0 if in_class else {"(": 1, ")": -1}.get(sign, 0)
        parts[-1] += sign
    return parts


def glob_of(source: str, whole: bool = False) -> str | None:
    """Returns a glob. With `whole` the regex was made from a glob; else it may match anywhere in a path."""
    at_end = source.endswith("$") and not source.endswith("\\$")
    source = source[:-1] if at_end else source
    at_start = source.startswith("^")
    source = source[1:] if at_start else source
    if at_start and not source.startswith(("/", ".*")):
        return None
    pieces = _pieces(source, whole)
    if not pieces:
        return None
    if not (whole or at_start) and pieces[0] not in ("", "**") and not pieces[0].startswith(("*", "/")):
        pieces.insert(0, "*")
    glob = "".join(pieces)
    if not (whole or at_end) and not glob.endswith(("*", "/")):
        glob += "*"
    if glob.startswith("/") and not at_start:
        glob = "**" + glob
    if "//" in glob or (at_end and glob.endswith("/")):
        return None
    return glob if glob.strip("*/?") else None


def _pieces(source: str, whole: bool) -> list[str] | None:
    """Returns the pieces of the glob; None at the first element that globs do not support."""
    pieces: list[str] = []
    position = 0
    while position < len(source):
        found = _PIECE.match(source, position)
        if found is None or (found["start"] and position):
            return None
        if found["maybe"] and ("".join(pieces) or "/").endswith("/"):
            return None  # a name must not be empty
        if (found["any"] or found["name"]) and pieces and pieces[-1].endswith("*"):
            return None  # two in a row: no glob can say where one ends
        position = found.end()
        if found["start"]:
            pieces.append("")
        elif found["any"]:
            piece = _any(pieces, source[position : position + 1], whole)
            if piece is None:
                return None
            pieces.append(piece)
        elif found["name"]:
            pieces.append("*" if found["name"].endswith("*") else "?*")
        elif found["one"]:
            pieces.append("?")
        elif found["either"]:
            pieces.append(_either(found["either"]))
        else:
            character = found["plain"].lstrip("\\")
            pieces.append(f"{{{character},}}" if found["maybe"] else character)
    return pieces


def _any(before: list[str], following: str, whole: bool) -> str | None:
    """Translates `.*`, which crosses folders; `*` does not. Needs a folder between two slashes unless `whole`."""
    if not before or before == [""]:
        return "**" if following in ("/", "") else "*"
    opens, closes = before[-1].endswith("/"), following in ("/", "")
    if opens and following == "/" and not whole:
        return "*/**"
    if opens:
        return "**" if closes else "**/*"
    return ("*/**" if following == "/" else "*") if closes else None


def _either(text: str) -> str:
    parts = [part.replace("\\", "") for part in text.split("|")]
    return parts[0] if len(parts) == 1 else "{" + ",".join(parts) + "}"
