"""Reads a lessons.json or a manifest of joeblackwaslike/lessons-learned."""

import json
import os
import re

from lessons.errors import Refused
from lessons.lesson_fields import FIELDS
from lessons.match.call import canonical_name
from lessons.model import MOST_SOURCE_SESSIONS
from lessons.promote.imports.review import MOST_DRAFTS, Draft, NotOurs, short_name, text_of


def drafts(path: str) -> list[Draft]:
    """Returns drafts in the order of the file."""
    try:
        document: object = json.loads(text_of(path))
    except (RecursionError, ValueError) as fault:
        raise Refused(f"{path} is not JSON ({fault}): fix it.") from None
    lessons = document.get("lessons") if isinstance(document, dict) else document
    if isinstance(lessons, dict):
        # In a manifest the id of a lesson is its key.
        found = [
            (f"lesson {short_name(key)}", {"id": key, **record} if isinstance(record, dict) else record)
            for key, record in lessons.items()
        ]
    elif isinstance(lessons, list):
        found = [(f"lesson {number}", record) for number, record in enumerate(lessons, start=1)]
    else:
        raise Refused(f"{path} holds no lessons: give a lessons.json or a manifest.")
    if len(found) > MOST_DRAFTS:
        raise Refused(f"{path} holds {len(found):,} lessons, and at most {MOST_DRAFTS:,} are taken: split it.")
    return [
        draft_of(record, place)
        if isinstance(record, dict)
        else Draft(place, place, refusal=f"it is {short_name(json.dumps(record))} and not a record.")
        for place, record in found
    ]


_WHOLE = re.compile(r"\A(?:## [^\n]*\n)?(?P<problem>.*?)\n\*\*Fix\*\*:\s*(?P<solution>.*)\Z", re.DOTALL)
_HEADING = re.compile(r"\A#+ [^\n]*\n")
_TAG = re.compile(r"[a-z][a-z0-9_-]*:[^\s:,]+")
_REGEX_SIGNS = frozenset("\\^$|+()[]{}")
_FILE_TOOLS = {"Edit", "Write", "NotebookEdit", "Read", "Glob"}
_AT_START = ("directive", "protocol")
_DEFAULT_CONFIDENCE = 0.6
_SHARED_KEYS = ("toolNames", "commandPatterns", "pathPatterns", "contentPatterns")
_ALIKE = frozenset(
    "id slug injection priority occurrenceCount sourceSessionIds createdAt updatedAt needsReview stage stopOnce".split()
)
# They become other fields, or are made anew.
_OTHER_NAMES = frozenset(
    "mistake remediation fix message type status archiveReason disabled enabled block blockReason contentHash".split()
)
# Keys of a trigger that only our own files have.
_OWN_KEYS = {field.place.split(".")[1] for field in FIELDS if field.group.startswith("triggers")} - {
    "sessionStart",
    *_SHARED_KEYS,
}


def draft_of(record: dict[str, object], place: str) -> Draft:
    """Returns the record in our fields; a refusal if we have nothing equivalent."""
    name = short_name(_text(record, "slug") or _text(record, "summary") or place)
    status, reason = _text(record, "status"), _text(record, "archiveReason")
    try:
        if status == "archived":
            raise NotOurs(f"it is archived there{f' ({short_name(reason)})' if reason else ''}.")
        if status == "disabled" or record.get("disabled") in (True, 1) or record.get("enabled") is False:
            raise NotOurs("it is disabled there.")
        problem, solution = _words(record)
        sure = record.get("confidence")
        document: dict[str, object] = {
            **_kept(record),
            "summary": _text(record, "summary"),
            "problem": problem,
            "solution": solution,
            "triggers": _triggers(record),
            "scope": _scope(record),
            "tags": [tag for tag in _strings(record.get("tags")) if _TAG.fullmatch(tag)],
            "confidence": float(sure) if isinstance(sure, int | float) and 0 <= sure <= 1 else _DEFAULT_CONFIDENCE,
        }
    except NotOurs as inactive:
        return Draft(place, name, refusal=str(inactive))
    if record.get("type") == "guard" or record.get("block") in (True, 1):
        document |= {"block": True, "blockReason": _text(record, "blockReason") or solution}
    path = scope.get("path") if isinstance(scope := document["scope"], dict) else None
    note = f"its project {path} is not on this machine" if path and not os.path.isdir(str(path)) else ""
    return Draft(place, name, document, note=note, is_whole=True)


def _kept(record: dict[str, object]) -> dict[str, object]:
    """Returns what both systems have alike; of a record of a lessons.json also fields that neither knows."""
    names = record.keys() - _OTHER_NAMES if isinstance(record.get("triggers"), dict) else _ALIKE
    kept = {name: value for name, value in record.items() if name in names and value not in (None, "")}
    sessions = _strings(kept.pop("sourceSessionIds", None))
    has_words = _text(record, "problem") or _text(record, "mistake")
    kept.pop("" if has_words else "injection", None)  # it is taken apart into problem and solution
    return {**kept, **({"sourceSessionIds": sessions[:MOST_SOURCE_SESSIONS]} if sessions else {})}


def _words(record: dict[str, object]) -> tuple[str, str]:
    """Returns problem and solution; a manifest may have them in one text only."""
    problem = _text(record, "problem") or _text(record, "mistake")
    solution = _text(record, "solution") or _text(record, "fix") or _text(record, "remediation")
    if problem and solution:
        return problem, solution
    text = _text(record, "injection") or _text(record, "message")
    if parts := _WHOLE.match(text):
        return parts["problem"].strip(), parts["solution"].strip()
    if rest := _HEADING.sub("", text).strip():
        return _text(record, "summary"), rest
    raise NotOurs(f"{'solution' if problem else 'problem'} is missing.")


def _triggers(record: dict[str, object]) -> dict[str, object]:
    holder = record.get("triggers")
    source = holder if isinstance(holder, dict) else record
    if _text(record, "type") in _AT_START or source.get("sessionStart") in (True, 1):
        return {"sessionStart": True}
    own = {key: source[key] for key in sorted(_OWN_KEYS) if source.get(key)}
    commands, contents = _regexes(source, "command"), _regexes(source, "content")
    tools = {canonical_name(tool) for tool in _strings(source.get("toolNames"))}
    looks_at_files = bool(tools & _FILE_TOOLS) or bool(not tools and _regexes(source, "path"))
    # There a command pattern also matches what a file tool writes, together with the path pattern. Here that is a
    # content pattern, which path patterns restrict; a command pattern would fire on its own.
    if looks_at_files and not own:
        contents += commands
        commands = commands if "Bash" in tools or not tools else []
    models = [pattern.strip("^$").replace("\\", "") for pattern in _regexes(source, "model", flags=False)]
    if any(re.search(r"[*+?|()\[\]{}]", model) for model in models):
        raise NotOurs("modelPatterns has a regex: here a model is named by a part of its name.")
    triggers: dict[str, object] = {
        "toolNames": _strings(source.get("toolNames")),
        "pathPatterns": [glob for pattern in _regexes(source, "path") for glob in _globs(source, pattern)],
        "commandPatterns": commands,
        "contentPatterns": contents,
        **own,
    }
    if models:
        triggers["when"] = {"models": models}
    return {key: value for key, value in triggers.items() if value}


def _regexes(source: dict[str, object], what: str, flags: bool = True) -> list[str]:
    """Returns texts of a record, or pairs of source and flags of a manifest."""
    pairs = source.get(f"{what}RegexSources")
    compiled = [pair for pair in pairs if isinstance(pair, dict)] if isinstance(pairs, list) else []
    regexes = [(str(pair.get("source", "")), str(pair.get("flags", ""))) for pair in compiled]
    ignoring = flags and what != "path"  # paths are compared without case there, which nobody intended
    plain = _strings(source.get(f"{what}Patterns"))
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
        return {"type": "project", "path": path}
    if isinstance(scope, str) and scope not in ("", "global"):
        raise NotOurs(f"it is for one project ({json.dumps(short_name(scope))}), whose folder it does not name.")
    return {"type": "global"}


def _text(record: dict[str, object], key: str) -> str:
    value = record.get(key)
    return value.strip() if isinstance(value, str) else ""


def _strings(value: object) -> list[str]:
    return [each for each in value if isinstance(each, str)] if isinstance(value, list) else []


_TOKEN = re.compile(
    r"(?P<bar>\|)|(?P<start>\((?:\?:)?\^\|/\)|\^)|(?P<end>\$)|(?P<any>\.\*)|(?P<name>\[\^/\]\*)|(?P<one>\[\^/\])"
    r"|\((?:\?:)?(?P<either>[\w.|-]+)\)|(?P<plain>(?:[\w/ @~-]|\\[./_-])\??)"
)


def globs_of(source: str, whole: bool = False) -> list[str] | None:
    """Returns one glob per alternative of the regex: `a|b$` fires if either does; None if one has no glob.

    With `whole` the regex was made from a glob; else it may match anywhere in a path.
    """
    parts: list[list[re.Match[str]]] = [[]]
    end = 0
    while token := _TOKEN.match(source, end):
        end = token.end()
        if token["bar"]:
            parts.append([])
        else:
            parts[-1].append(token)
    globs = [glob for part in parts if (glob := _glob_of(part, whole)) is not None]
    return globs if end == len(source) and len(globs) == len(parts) else None


def _glob_of(tokens: list[re.Match[str]], whole: bool) -> str | None:
    """Returns a glob that matches nothing else than the regex of these tokens."""
    start = tokens.pop(0)[0] if tokens and tokens[0]["start"] else ""
    start = "" if start == "^" and tokens and tokens[0]["any"] else start
    is_ended = bool(tokens and tokens[-1]["end"] and tokens.pop())
    glob = ""
    for token in tokens:
        kind, text = token.lastgroup, token[0]
        is_empty = (glob or "/").endswith("/")
        if kind in ("start", "end") or (kind in ("any", "name") and glob.endswith("*")):
            return None
        if kind == "any":  # it crosses folders
            if glob and not whole and not is_empty:
                return None
            glob += "**" if whole else "**/*" if glob else ""
        elif kind == "either":
            glob += "{" + token["either"].replace("|", ",") + "}" if "|" in text else token["either"]
        elif kind == "plain" and text.endswith("?"):
            if is_empty:
                return None  # a name must not be empty
            glob += "{" + text[:-1].lstrip("\\") + ",}"
        else:
            glob += {"name": "*", "one": "?"}.get(str(kind), text.lstrip("\\"))
    if not glob.strip("*/?") or "//" in glob or (is_ended and glob.endswith("/")):
        return None
    if whole:
        return glob
    if start == "^" and not glob.startswith("/"):
        return None
    if not start:
        glob = f"**{glob}" if glob.startswith("/") else f"*{glob.removeprefix('*')}"
    return glob if is_ended or glob.endswith(("*", "/")) else f"{glob}*"
