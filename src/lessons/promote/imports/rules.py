"""Reads rules of hookify, which people wrote in Markdown."""

import os
import re
from typing import NamedTuple

from lessons.errors import Refused
from lessons.promote.imports.lessons_learned import globs_of
from lessons.promote.imports.review import BLOCKS, Draft, NotOurs, first_sentence, short_name, text_of

_SHORTEST_TEXT = 20

# A rule of hookify: conditions in a front matter, then the message that it shows.

_MATTER = re.compile(r"---[ \t]*\n(?P<fields>.*?)^---[ \t]*$(?P<body>.*)", re.DOTALL | re.MULTILINE)
_TOOLS = {"bash": ["Bash"], "file": ["Edit", "Write", "MultiEdit"]}
_KEYS = {
    "command": "commandPatterns",
    "new_text": "contentPatterns",
    "content": "contentPatterns",
    "file_path": "pathPatterns",
}
_FORMS = {"contains": "{}", "not_contains": "{}", "equals": "^{}$", "starts_with": "^{}", "ends_with": "{}$"}
_SPECIAL = re.compile(r"([.^$*+?{}\[\]\\|()])")
_FLAGS = re.compile(r"\(\?[aimsux]+\)")
_EMPHASIS = re.compile(r"\*\*|__|^#+\s+", re.MULTILINE)
_END_OF_PROBLEM = re.compile(r"(?<=[.!?])\s+|\n\s*\n")


class Condition(NamedTuple):
    field: str = ""
    operator: str = "regex_match"
    pattern: str = ""


class HookifyRule(NamedTuple):
    """The front matter as hookify understands it, which is less than YAML, and the message."""

    values: dict[str, str]
    conditions: list[Condition]
    message: str


def hookify_drafts(path: str) -> list[Draft]:
    """Returns one draft: one file is one rule."""
    file_name = os.path.basename(path)
    rule = _rule_in(path)
    title = short_name(rule.values.get("name", "") or file_name)
    notes = [BLOCKS] if rule.values.get("action") == "block" else []
    if any(each[:2] == ("file_path", "regex_match") for each in rule.conditions):
        notes.append("it compares paths without their case there; here the case counts")
    try:
        return [Draft(file_name, title, _document(rule, title), note="; ".join(notes))]
    except NotOurs as reason:
        return [Draft(file_name, title, refusal=str(reason))]


def _rule_in(path: str) -> HookifyRule:
    found = _MATTER.match(text_of(path).replace("\r\n", "\n"))
    if found is None:
        raise Refused(f"{path} does not begin with a front matter between lines of ---: it is not a hookify rule.")
    values: dict[str, str] = {}
    items: list[dict[str, str]] = []
    key = ""
    for line in found["fields"].splitlines():
        stripped = line.strip()
        if not stripped or stripped.startswith("#"):
            continue
        if line[0] not in " \t-":
            key = line.partition(":")[0].strip()
            values |= _pairs([line])
        elif key == "conditions" and stripped.startswith("-"):
            parts = stripped[1:].split(",")
            items.append(_pairs(parts if all(":" in part for part in parts) else [stripped[1:]]))
        elif key == "conditions" and items:
            items[-1] |= _pairs([stripped])
    if not items and values.get("pattern"):
        items = [{"field": "command" if values.get("event") == "bash" else "new_text", "pattern": values["pattern"]}]
    conditions = [Condition(**{name: each[name] for name in Condition._fields if name in each}) for each in items]
    return HookifyRule(values, conditions, _EMPHASIS.sub("", found["body"]).strip())


def _pairs(texts: list[str]) -> dict[str, str]:
    """Returns the values of `key: value` without quotes; hookify knows neither escapes nor comments there."""
    parts = (text.partition(":") for text in texts)
    return {key.strip(): value.strip().strip('"').strip("'") for key, colon, value in parts if colon}


def _document(rule: HookifyRule, title: str) -> dict[str, object]:
    event = rule.values.get("event", "all")
    if rule.values.get("enabled", "").lower() == "false":
        raise NotOurs("enabled is false.")
    if event not in _TOOLS:
        raise NotOurs(f"event is {short_name(event)}: a lesson can stand for rules of the events bash and file only.")
    if not rule.message:
        raise NotOurs("it has no message to show.")
    # All conditions of a rule must hold, but any pattern of a lesson.
    patterns: dict[str, list[str]] = {}
    for condition in rule.conditions:
        key, own = _pattern(condition)
        if key in patterns and key != "unless":
            raise NotOurs(f"conditions has two for {condition.field}: a lesson fires on either, the rule on both.")
        patterns.setdefault(key, []).extend(own)
    if not patterns.keys() - {"unless"}:
        raise NotOurs("it has no pattern that could fire.")
    matcher = rule.values.get("tool_matcher", "*")
    problem, *rest = _END_OF_PROBLEM.split(rule.message, maxsplit=1)
    if not rest or min(len(problem), len(rest[0])) < _SHORTEST_TEXT:
        problem, rest = f"The rule {title} of hookify was written about this call.", [rule.message]
    summary = first_sentence(rule.message.partition("\n")[0])
    return {
        "summary": summary if len(summary) >= _SHORTEST_TEXT else f"{re.sub('[-_]', ' ', title)}: {summary}",
        "problem": problem,
        "solution": rest[0],
        "triggers": {"toolNames": _TOOLS[event] if matcher == "*" else matcher.split("|"), **patterns},
        "confidence": 0.6,
    }


def _pattern(condition: Condition) -> tuple[str, list[str]]:
    field, operator, text = condition
    if field not in _KEYS:
        raise NotOurs(f"conditions has the field {short_name(field)!r}, which a lesson does not look at.")
    if operator not in ("regex_match", *_FORMS):
        raise NotOurs(f"conditions has the operator {short_name(operator)!r}, which is not supported.")
    regex = _FORMS[operator].format(_SPECIAL.sub(r"\\\1", text)) if operator in _FORMS else text
    if field == "file_path":
        globs = None if operator == "not_contains" else globs_of(regex)
        if globs is None:
            raise NotOurs(f"conditions has the path pattern {short_name(text)!r}, which no glob can express.")
        return "pathPatterns", globs
    if operator == "regex_match" and any(character.isalpha() for character in text):
        flags = _FLAGS.match(text)  # must stay in front
        start = flags[0] if flags else ""
        regex = f"{start}(?i:{text.removeprefix(start)})"  # hookify ignores the case of a regex only
    return "unless" if operator == "not_contains" else _KEYS[field], [regex]
