"""Applies one change to JSON text and leaves every other character unchanged."""

import json
import re
from dataclasses import dataclass
from typing import Any

Key = str | int
Path = tuple[Key, ...]

_SPACE = re.compile(r"[ \t\r\n]*")
_DECODER = json.JSONDecoder()


@dataclass(frozen=True)
class Node:
    """One value and its position; `start` is where its key starts, or the value if there is none."""

    key: Key
    start: int
    value_start: int
    end: int
    value: Any
    children: tuple["Node", ...] = ()


def parse(text: str, depth: int = -1) -> Node:
    """Returns the tree of a text, or its first levels; raises json.JSONDecodeError or RecursionError if invalid."""
    json.loads(text)  # finds every error, so that the code below need not check
    return _node(text, "", _skip(text, 0), None, depth)


def find(root: Node, path: Path) -> Node | None:
    """Returns the node at a path, or None; of repeated keys the last counts, as for other JSON readers."""
    node: Node | None = root
    for key in path:
        if node is None:
            return None
        node = next((child for child in reversed(node.children) if child.key == key), None)
    return node


def insert(text: str, path: Path, key: Key, value: Any) -> str:
    """Adds a last child to the container at `path`, in the style of its neighbours."""
    root = parse(text)
    container = _existing(root, path)
    gap = _gap(text, root)
    name = json.dumps(key, ensure_ascii=False) + ":" + gap if isinstance(key, str) else ""
    if container.children:
        lead = text[container.value_start + 1 : container.children[0].start]
        indent = lead.rpartition("\n")[2] if "\n" in lead else None
        at = container.children[-1].end
        element = name + _render(text, root, value, indent)
        return text[:at] + "," + (gap if indent is None else lead) + element + text[at:]
    opened, closing = text[: container.value_start + 1], text[container.end - 1 :]
    if _indent_unit(text, root) is None:
        return opened + name + _render(text, root, value, None) + closing
    outer = _newline(text) + _line_indent(text, container.start)
    inner = outer + (_indent_unit(text, root) or "")
    return opened + inner + name + _render(text, root, value, inner.lstrip("\r\n")) + outer + closing


def put(text: str, key: str, value: Any) -> str:
    """Sets a member of the object in the text; a list that only grows keeps the layout of what it has."""
    node = find(parse(text), (key,))
    if node is None:
        return insert(text, (), key, value)
    before = node.value
    if not before or not isinstance(value, list) or value[: len(node.children)] != before:
        return replace(text, (key,), value)
    for number in range(len(before), len(value)):
        text = insert(text, (key,), number, value[number])
    return text


def replace(text: str, path: Path, value: Any) -> str:
    """Replaces the value at `path` by another one, on one line."""
    node = _existing(parse(text), path)
    return text[: node.value_start] + json.dumps(value, ensure_ascii=False) + text[node.end :]


def delete(text: str, path: Path) -> str:
    """Removes the element at `path` with its comma; an empty container becomes {} or []."""
    root = parse(text)
    container, node = _existing(root, path[:-1]), _existing(root, path)
    position = container.children.index(node)
    if len(container.children) == 1:
        return text[: container.value_start + 1] + text[container.end - 1 :]
    if position == 0:
        return text[: node.start] + text[container.children[1].start :]
    return text[: container.children[position - 1].end] + text[node.end :]


def _existing(root: Node, path: Path) -> Node:
    node = find(root, path)
    if node is None:
        raise LookupError(f"nothing at {path}")
    return node


def _skip(text: str, position: int) -> int:
    found = _SPACE.match(text, position)
    return found.end() if found else position


def _node(text: str, key: Key, start: int, value_start: int | None, depth: int) -> Node:
    at = start if value_start is None else value_start
    value, end = _DECODER.raw_decode(text, at)
    children: list[Node] = []
    if depth and text[at] in "{[":
        position = _skip(text, at + 1)
        while text[position] not in "}]":
            child = _child(text, position, len(children) if text[at] == "[" else None, depth - 1)
            children.append(child)
            position = _skip(text, child.end)
            if text[position] == ",":
                position = _skip(text, position + 1)
    return Node(key, start, at, end, value, tuple(children))


def _child(text: str, start: int, index: int | None, depth: int) -> Node:
    if index is not None:
        return _node(text, index, start, None, depth)
    name, end = _DECODER.raw_decode(text, start)
    colon = _skip(text, end)
    return _node(text, name, start, _skip(text, colon + 1), depth)


def _indent_unit(text: str, root: Node) -> str | None:
    """Returns the indentation of one level; None for a text on one line."""
    if not root.children:
        return "  "
    lead = text[root.value_start + 1 : root.children[0].start]
    return lead.rpartition("\n")[2] if "\n" in lead else None


def _line_indent(text: str, position: int) -> str:
    line = text[text.rfind("\n", 0, position) + 1 : position]
    return line[: len(line) - len(line.lstrip(" \t"))]


def _newline(text: str) -> str:
    return "\r\n" if "\r\n" in text else "\n"


def _gap(text: str, root: Node) -> str:
    """Returns the space after a colon, and after a comma between elements on one line."""
    first = root.children[0] if root.children else None
    tight = first is not None and text[first.start : first.value_start].endswith(":")
    return "" if tight else " "


def _render(text: str, root: Node, value: Any, indent: str | None) -> str:
    """Renders the value on one line, or on several if the indentation of its first line is given."""
    gap = _gap(text, root)
    if indent is None:
        return json.dumps(value, ensure_ascii=False, separators=("," + gap, ":" + gap))
    unit = _indent_unit(text, root)
    written = json.dumps(value, ensure_ascii=False, indent="  " if unit is None else unit, separators=(",", ":" + gap))
    return written.replace("\n", _newline(text) + indent)
