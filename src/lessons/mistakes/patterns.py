"""Writes the features of a call as triggers: one renderer for each family that a pattern can express."""

import re
from collections.abc import Callable, Iterator, Sequence
from typing import NamedTuple

from lessons.match.rule import Rule
from lessons.mistakes.features import family_of
from lessons.model import MatchOn, ScopeType, Triggers
from lessons.store.manifest import PublishedLesson, compile_source

_START = r"(?:^|[;&|(\n] *)"
NAME_END = r"(?![\w-])"
_SPECIAL = re.compile(r"[\\.^$*+?{}\[\]|()]")
_PROGRAM = re.compile(r"[\w.+]")
_LETTERS = re.compile(r"-[A-Za-z]{1,6}")
# Kinds of arguments that a pattern can recognise: as the shell passes it, and a text that the line must have.
_KINDS = {
    "above": (r"\.\.", ".."),
    "bracket": (r"\S*\[", "["),
    "drive": (r"[A-Za-z]:[/\\]", ":"),
    "drive-mount": (r"/[A-Za-z]/", "/"),
    "glob": (r"\S*\*", "*"),
    "home": (r"(?:~|/home/|/Users/|/root\b)", ""),
    "number": (r"\d[\d.]*(?!\S)", ""),
    "pair": (r"[\w.-]+=", "="),
    "temporary": (r"(?:/private)?/(?:var/)?tmp\b", "/tmp"),
    "url": (r"\S*://", "://"),
    "variable": (r"\$", "$"),
}
_UNQUOTED = {"glob": r"\*", "bracket": r"\[", "variable": r"\$"}  # quoted they have another meaning


class Pattern(NamedTuple):
    """A feature as a trigger."""

    triggers: Triggers
    literals: tuple[str, ...] = ()  # texts without which it cannot fire: most calls need no closer look
    rough: str = ""  # the same as a regex
    word: str = ""  # what an error would complain about
    head: str = ""  # program and sub-command
    needs_name: bool = False  # counts only where the errors name its word


def literal(text: str) -> str:
    """Returns a pattern that matches only the text, with as few backslashes as possible."""
    return _SPECIAL.sub(r"\\\g<0>", text)


def patterns_of(feature: str) -> list[Pattern]:
    family, _, rest = feature.partition(":")
    render = _FAMILIES.get(family, _NONE)[0]
    return list(render(rest)) if render and _PROGRAM.match(rest) else []


def head_of(head: str) -> str:
    return literal(head) + (r"\b" if head[-1:].isalnum() or head[-1:] == "_" else r"(?!\S)")


def shell_pattern(pattern: str, match_on: MatchOn, literals: Sequence[str], word: str = "", rough: str = "") -> Pattern:
    triggers = Triggers(command_patterns=[pattern], match_on=match_on)
    return Pattern(triggers, tuple(filter(None, literals)), rough, word)


def _option(rest: str) -> Iterator[Pattern]:
    head, _, option = rest.rpartition(" ")
    pattern = rf"^{head_of(head)}.*\s{literal(option)}{NAME_END}"
    yield shell_pattern(pattern, "invocation", (*head.split(), option), option)._replace(head=head)
    for letter in option[1:] if _LETTERS.fullmatch(option) else "":
        # Only where an error rejects the letter: with others it stands in one word.
        pattern = rf"^{head_of(head)}.*\s-[A-Za-z]*{letter}"
        yield shell_pattern(pattern, "invocation", head.split(), f"-{letter}", rf"-[A-Za-z]*{letter}")._replace(
            head=head, needs_name=True
        )


def _options(rest: str) -> Iterator[Pattern]:
    head, first, second = _last_two(rest)
    pattern = rf"^{head_of(head)}(?=.*\s{literal(first)}{NAME_END}).*\s{literal(second)}{NAME_END}"
    yield shell_pattern(pattern, "invocation", (*head.split(), first, second))


def _option_kind(rest: str) -> Iterator[Pattern]:
    head, option, kind = _last_two(rest)
    if kind in _KINDS:
        regex, sign = _KINDS[kind]
        pattern = rf"^{head_of(head)}(?=.*\s{literal(option)}{NAME_END}).*\s{regex}"
        yield shell_pattern(pattern, "invocation", (*head.split(), option, sign), "", regex)


def _kind(rest: str) -> Iterator[Pattern]:
    head, _, kind = rest.rpartition(" ")
    if kind in _KINDS:
        regex, sign = _KINDS[kind]
        yield shell_pattern(rf"^{head_of(head)}.*\s{regex}", "invocation", (*head.split(), sign), "", regex)
    if kind in _UNQUOTED:
        regex = rf"{_START}{head_of(head)}[^'\"|;&\n]*\s[^'\"\s]*{_UNQUOTED[kind]}"
        yield shell_pattern(regex, "command", (*head.split(), sign), "", regex)


def _last_two(rest: str) -> tuple[str, str, str]:
    head, first, second = ("", "", *rest.rsplit(" ", 2))[-3:]
    return head, first, second


def _words(rest: str) -> Iterator[Pattern]:
    yield shell_pattern(f"^{head_of(rest)}", "invocation", rest.split(), rest.rpartition(" ")[2])


def _word(rest: str) -> Iterator[Pattern]:
    head, _, word = rest.rpartition(" ")
    yield shell_pattern(rf"^{head_of(head)}.*\s{literal(word)}{NAME_END}", "invocation", (*head.split(), word), word)


def _path(rest: str) -> Iterator[Pattern]:
    head, _, path = rest.rpartition(" ")
    pattern = rf"^{head_of(head)}.*\s(?:\./)?{literal(path)}"
    if path.strip("./"):
        yield shell_pattern(pattern, "invocation", (*head.split(), path), path.rstrip("/"))


def _path_shape(rest: str) -> Iterator[Pattern]:
    program, _, shape = rest.rpartition(" ")
    regex = r"\d+".join(map(literal, shape.split("#")))
    yield shell_pattern(rf"^{head_of(program)}.*[\s/]{regex}(?![\w/-])", "invocation", (program,), "", regex)


def _escape(rest: str) -> Iterator[Pattern]:
    head, _, sign = rest.rpartition(" ")
    pattern = rf"{_START}{head_of(head)}[^\n]*\\\\{literal(sign)}"
    yield shell_pattern(pattern, "command", (*head.split(), "\\" + sign))


def _name(rest: str) -> Iterator[Pattern]:
    head, _, name = rest.rpartition(" ")
    pattern = rf"{_START}{head_of(head)}[\s\S]{{0,400}}\b{literal(name)}\b"
    yield shell_pattern(pattern, "command", (*head.split(), name), name)


def _module(rest: str) -> Iterator[Pattern]:
    name = rest.rpartition(" ")[2]
    pattern = rf"\b(?:import|from|require\(['\"]?)\s*{literal(name)}{NAME_END}"
    yield shell_pattern(pattern, "script", (name,), name)


def _assigned(rest: str) -> Iterator[Pattern]:
    yield shell_pattern(rf"^(?:\w+=\S* )*{literal(rest)}=", "invocation", (f"{rest}=",), rest)


def _tool(rest: str) -> Iterator[Pattern]:
    if rest.strip():
        yield Pattern(Triggers(tool_names=[rest]))


def _value(rest: str) -> Iterator[Pattern]:
    tool, _, pair = rest.partition(" ")
    value = pair.partition("=")[2]
    if tool and value.strip():
        yield Pattern(Triggers(tool_names=[tool], command_patterns=[f"^{literal(value)}$"]), (value,), "", value)


def _value_folder(rest: str) -> Iterator[Pattern]:
    tool, _, folder = (*rest.split(" ", 2), "", "")[:3]
    if tool and folder:
        yield Pattern(Triggers(tool_names=[tool], command_patterns=[f"{literal(folder)}/"]), (folder,), "", folder)


def _value_kind(rest: str) -> Iterator[Pattern]:
    tool, _, kind = (*rest.split(" ", 2), "", "")[:3]
    if tool and kind in _KINDS:
        yield Pattern(Triggers(tool_names=[tool], command_patterns=[f"^{_KINDS[kind][0]}"]))


_Render = Callable[[str], Iterator[Pattern]]
_NONE: tuple[None, None] = (None, None)
# How each family is written as a trigger, and where such a lesson acts.
_FAMILIES: dict[str, tuple[_Render | None, ScopeType | None]] = {
    "option": (_option, "global"),
    "options": (_options, "global"),
    "words": (_words, "global"),
    "option-kind": (_option_kind, "global"),
    "kind": (_kind, "global"),
    "escape": (_escape, "global"),
    "assigned": (_assigned, "global"),
    "word": (_word, "global"),
    "module": (_module, "machine"),
    "path": (_path, "project"),
    "path-shape": (_path_shape, "global"),
    "name": (_name, "project"),
    "tool": (_tool, "machine"),
    "value": (_value, "project"),
    "value-folder": (_value_folder, "project"),
    "value-kind": (_value_kind, "machine"),
}


def scope_of(feature: str) -> ScopeType | None:
    """Returns where a lesson about this feature acts; None if no pattern can express it."""
    return _FAMILIES.get(family_of(feature), _NONE)[1]


def rule_of(triggers: Triggers) -> Rule:
    """Returns the rule that publishing would make of them."""
    entry: dict[str, object] = {
        "toolNames": triggers.tool_names,
        "commandRegexSources": triggers.command_patterns,
        "unlessRegexSources": triggers.unless,
        "matchOn": triggers.match_on,
    }
    return PublishedLesson("proposal", entry, compile_source).rule
