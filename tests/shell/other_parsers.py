"""The simple commands of a line, with their words, by tree-sitter-bash, bashlex and our own splitter."""

from collections.abc import Iterator
from typing import Any

import bashlex  # type: ignore[import-untyped]
import bashlex.errors  # type: ignore[import-untyped]
import tree_sitter_bash
from tree_sitter import Language, Node, Parser

from lessons.shell.command import Code, Command
from lessons.shell.fast import after_assignments
from lessons.shell.parser import Script

_PARSER = Parser(Language(tree_sitter_bash.language()))
# The grammar has a kind of its own for each of these, and `time` is a part of a pipeline for bashlex.
_OTHER_KINDS = frozenset(("export", "declare", "typeset", "readonly", "local", "unset", "[", "[[", "time"))

Commands = list[tuple[str, ...]]


def by_splitter(line: str) -> Commands:
    """Each command without its assignments and redirections, those of substitutions too."""
    found: list[tuple[str, ...]] = []
    waiting: list[Code | Command] = [Code(line)]
    while waiting:
        one = waiting.pop()
        if isinstance(one, Code):
            Script(one.text, 0, len(one.text), waiting).read()
        else:
            found.append(tuple(one.contents[after_assignments(one.words, 0) :]))
    return sorted(words for words in found if words and words[0] not in _OTHER_KINDS)


def by_tree_sitter(line: str) -> list[str] | None:
    """The programs alone, without quotes; None for a line that it cannot read."""
    root = _PARSER.parse(line.encode()).root_node
    if root.has_error:
        return None
    found = [node.child_by_field_name("name") for node in _nodes(root) if node.type == "command"]
    names = [plain((name.text or b"").decode() if name else "") for name in found]
    return sorted(name for name in names if name not in _OTHER_KINDS)


def _nodes(node: Node) -> Iterator[Node]:
    yield node
    for child in node.children:
        yield from _nodes(child)


def plain(name: str) -> str:
    return "".join(sign for sign in name if sign not in "'\"\\\n")


def by_bashlex(line: str) -> Commands | None:
    """The words of each command; None for a line that it cannot read."""
    try:
        trees = bashlex.parse(line)
    except (bashlex.errors.ParsingError, NotImplementedError, AttributeError, TypeError, IndexError, AssertionError):
        return None
    found = [tuple(part.word for part in node.parts if part.kind == "word") for node in _commands(trees)]
    return sorted(words for words in found if words and words[0] not in _OTHER_KINDS)


def _commands(nodes: Any) -> Iterator[Any]:
    for node in nodes:
        if node.kind == "command":
            yield node
        inner = [*getattr(node, "parts", []), *getattr(node, "list", []), *getattr(node, "redirects", [])]
        inner += [value for name in ("command", "output") if hasattr(value := getattr(node, name, None), "kind")]
        yield from _commands(inner)
