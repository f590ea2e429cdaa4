"""Splits a Markdown file into front matter (plain values and a list of conditions) and body."""

import re
from typing import NamedTuple

_LINE = re.compile(r"(\s*)(-\s+)?([A-Za-z_]\w*)\s*:\s*(.*)")
_INLINE = re.compile(r"(\w+)\s*:\s*(\"[^\"]*\"|'[^']*'|[^,}]*)")


class Condition(NamedTuple):
    field: str
    operator: str
    pattern: str


class FrontMatter(NamedTuple):
    """The values of a front matter; supports only the YAML that hookify rules use."""

    values: dict[str, str]
    conditions: list[Condition]
    body: str


def split(text: str) -> FrontMatter | None:
    """Returns None if the file does not begin with a line of ---, or that is never closed."""
    lines = text.replace("\r\n", "\n").split("\n")
    if lines[0].strip() != "---":
        return None
    end = next((number for number, line in enumerate(lines[1:], 1) if line.strip() == "---"), 0)
    if not end:
        return None
    values: dict[str, str] = {}
    items: list[dict[str, str]] = []
    in_conditions = False
    for line in lines[1:end]:
        found = _LINE.fullmatch(line)
        if found is None:
            if in_conditions and line.strip().startswith("- {"):
                items.append({key: _plain(value) for key, value in _INLINE.findall(line)})
            continue
        margin, dash, key, value = found.groups()
        if dash and in_conditions:
            items.append({key: _plain(value)})
        elif margin and in_conditions and items:
            items[-1][key] = _plain(value)
        elif not margin:
            in_conditions = key == "conditions"
            values[key] = _plain(value)
    conditions = [
        Condition(each.get("field", ""), each.get("operator", "regex_match"), each.get("pattern", "")) for each in items
    ]
    return FrontMatter(values, conditions, "\n".join(lines[end + 1 :]).strip())


def _plain(value: str) -> str:
    """Returns a value without its quotes; removes a comment only after an unquoted value."""
    value = value.strip()
    if value[:1] == value[-1:] == "'" and len(value) > 1:
        return value[1:-1].replace("''", "'")
    if value[:1] == value[-1:] == '"' and len(value) > 1:
        return re.sub(r"\\([\\\"])", r"\1", value[1:-1])
    return re.sub(r"\s+#.*$", "", value)
