"""Reads a hookify rule as the draft of a lesson that fires on the same calls."""

import os
import re

from lessons.errors import Refused
from lessons.promote.imports.draft import Draft, NotOurs, first_sentence, short_name, text_of
from lessons.promote.imports.front_matter import Condition, FrontMatter, split
from lessons.promote.imports.path_glob import globs_of

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
