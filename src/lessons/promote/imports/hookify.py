"""Converts a regex on paths to globs that match the same or less; None if there are none."""

import os
import re

from lessons.errors import Refused
from lessons.promote.imports.markdown import Condition, FrontMatter, split
from lessons.promote.imports.review import Draft, NotOurs, first_sentence, short_name, text_of

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


_TOOLS = {"bash": ["Bash"], "file": ["Edit", "Write", "MultiEdit"]}
_FIELD_OF_EVENT = {"bash": "command", "file": "new_text"}
_KEYS = {"command": "commandPatterns", "new_text": "contentPatterns", "content": "contentPatterns"}
_NO_CALL = ("stop", "prompt")
_SPECIAL = re.compile(r"([.^$*+?{}\[\]\\|()])")
_EMPHASIS = re.compile(r"\*\*|__|^#+\s+", re.MULTILINE)
_FLAGS = re.compile(r"\(\?[aimsux]+\)")
_SENTENCE_END = re.compile(r"(?<=[.!?])\s+")


def drafts(path: str) -> list[Draft]:
    """Returns one draft: one file is one rule."""
    name = os.path.basename(path)
    matter = split(text_of(path))
    if matter is None:
        raise Refused(f"{path} does not begin with a front matter between lines of ---: it is not a hookify rule.")
    title = short_name(matter.values.get("name", "") or name)
    try:
        return [Draft(name, title, _document(matter, title), note=_note(matter))]
    except NotOurs as reason:
        return [Draft(name, title, refusal=str(reason))]


def _note(matter: FrontMatter) -> str:
    blocks = matter.values.get("action") == "block"
    paths = any(each.field == "file_path" and each.operator == "regex_match" for each in matter.conditions)
    notes = ["it blocks the call there; here it is a hint until your history supports a block"] if blocks else []
    notes += ["it compares paths without their case there; here the case counts"] if paths else []
    return "; ".join(notes)


def _document(matter: FrontMatter, title: str) -> dict[str, object]:
    event = matter.values.get("event", "all")
    if matter.values.get("enabled", "true").lower() in ("false", "no"):
        raise NotOurs("enabled is false.")
    if event not in _TOOLS:
        at = "at no call of a tool" if event in _NO_CALL else "at every event"
        raise NotOurs(f"event is {short_name(event)}: it fires {at}, a lesson fires at calls of some tools.")
    body = _EMPHASIS.sub("", matter.body).strip()
    problem, solution = _words(body, title)
    summary = first_sentence(body.partition("\n")[0])
    words = title.replace("-", " ").replace("_", " ")
    return {
        "summary": summary if len(summary) >= 20 else f"{words}: {summary or 'a rule of hookify'}",
        "problem": problem,
        "solution": solution,
        "triggers": {"toolNames": _TOOLS[event], **_patterns(matter, event)},
        "confidence": 0.6,
    }


def _words(body: str, title: str) -> tuple[str, str]:
    """Splits the message of a rule: its first paragraph or sentence is the problem, the rest the solution."""
    paragraphs = [part.strip() for part in re.split(r"\n\s*\n", body, maxsplit=1) if part.strip()]
    if len(paragraphs) == 1:
        paragraphs = _SENTENCE_END.split(paragraphs[0], maxsplit=1)
    if not paragraphs:
        raise NotOurs("it has no message to show.")
    if len(paragraphs) == 1 or len(paragraphs[0]) < 20 or len(paragraphs[1]) < 20:
        return f"The rule {title} of hookify was written about this call.", body
    return paragraphs[0], paragraphs[1]


def _patterns(matter: FrontMatter, event: str) -> dict[str, list[str]]:
    """Returns patterns that mean the same: all conditions of a rule must hold, but any pattern of a lesson."""
    conditions = list(matter.conditions)
    if pattern := matter.values.get("pattern"):
        conditions.append(Condition(_FIELD_OF_EVENT[event], "regex_match", pattern))
    found: dict[str, list[str]] = {}
    for condition in conditions:
        key, values = _pattern(condition)
        if key in found and key != "unless":
            raise NotOurs(f"conditions has two for {condition.field}: a lesson fires on either, the rule on both.")
        found.setdefault(key, []).extend(values)
    if not found.keys() - {"unless"}:
        raise NotOurs("it has no pattern that could fire.")
    return found


def _pattern(condition: Condition) -> tuple[str, list[str]]:
    field, operator, text = condition
    if field == "file_path" and operator != "not_contains":
        globs = _globs(operator, text)
        if globs is None:
            raise NotOurs(f"conditions has the path pattern {short_name(text)}, which no glob can express.")
        return "pathPatterns", globs
    if field not in _KEYS:
        raise NotOurs(f"conditions has the field {short_name(field)}, which a lesson does not look at.")
    escaped = _SPECIAL.sub(r"\\\1", text)
    forms = {
        "regex_match": _ignoring_case(text),
        "contains": escaped,
        "not_contains": escaped,
        "equals": f"^{escaped}$",
        "starts_with": f"^{escaped}",
        "ends_with": f"{escaped}$",
    }
    if operator not in forms:
        raise NotOurs(f"conditions has the operator {short_name(operator)}, which is not supported.")
    return "unless" if operator == "not_contains" else _KEYS[field], [forms[operator]]


def _ignoring_case(regex: str) -> str:
    """Ignores case, as hookify does for regexes only. Flags of its own must stay in front."""
    flags = _FLAGS.match(regex)
    rest = regex[flags.end() :] if flags else regex
    return f"{flags[0] if flags else ''}(?i:{rest})" if any(sign.isalpha() for sign in rest) else regex


def _globs(operator: str, text: str) -> list[str] | None:
    if operator == "regex_match":
        return globs_of(text)
    if re.search(r"[*?\[\]{}\\]", text):
        return None
    start = "" if operator in ("equals", "starts_with") else "**" if text.startswith("/") else "*"
    end = {"contains": "*", "starts_with": "**" if text.endswith("/") else "*"}.get(operator, "")
    return [f"{start}{text}{end}"] if operator in ("equals", "starts_with", "ends_with", "contains") else None
