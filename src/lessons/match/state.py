"""A rule with conditions on the state of the machine and a call in, a verdict out: yes, no or unknown.

The call brings a probe that answers about files and programs. What the probe or the line does not tell is unknown,
and a lesson fires only where every condition is known to hold.
"""

from lessons.match.placeholders import ABOVE, FOLDER, ROOT, filled, names_in
from lessons.match.rule import applies, find, is_vetoed, why_of_patterns
from lessons.shell.global_options import forms
from lessons.shell.places import is_plain, joined

TYPE_CHECKING = False
if TYPE_CHECKING:
    import re
    from collections.abc import Iterator
    from typing import Literal, Protocol

    from lessons.match.call import ToolCall
    from lessons.match.rule import Rule

    Answer = bool | None | Literal["any"]
    # The trigger that matched, its match if it has one, and the folder of the command or None.
    Occurrence = tuple[str, re.Match[str] | None, str | None]

    class Probe(Protocol):
        """What can be asked about a machine; None is unknown. Paths are absolute, or begin with `~/`."""

        def exists(self, path: str) -> Answer: ...
        def which(self, program: str) -> Answer: ...
        def root(self, folder: str) -> str | None:
            """The root of the repository that the folder belongs to."""


ANY: "Literal['any']" = "any"  # the answer of a probe to which everything is as it is asked for
_MOST_BINDINGS = 32
_MOST_MATCHES = 20


class Verdict:
    """`why` names the trigger where the lesson fires; `values` are what the names in its texts stand for."""

    __slots__ = ("is_unknown", "values", "why")

    def __init__(self, why: str | None = None, values: dict[str, str] | None = None, is_unknown: bool = False) -> None:
        self.why = why
        self.values = values or {}
        self.is_unknown = is_unknown  # a pattern matches, and nobody can say whether the conditions hold


def judge(rule: "Rule", call: "ToolCall", only_certain: bool = False) -> Verdict:
    """For any rule; one without conditions on the state is never unknown.

    With `only_certain` commands are not looked at whose state nobody could know, so that "unknown" is not told.
    """
    if not rule.has_state:
        return Verdict(why_of_patterns(rule, call) if applies(rule, call) else None)
    if not applies(rule, call):
        return Verdict()
    is_unknown = False
    for why, match, folder in _occurrences(rule, call, only_certain):
        answer, values = _holds(rule, call.probe, folder, match)
        if answer:
            return Verdict(why, values)
        is_unknown = is_unknown or answer is None
    return Verdict(is_unknown=is_unknown)


def values_here(rule: "Rule", call: "ToolCall") -> dict[str, str] | None:
    """What names stand for where the folder of the call is as the rule wants it, whatever the call does; else None."""
    answer, values = _holds(rule, call.probe, call.folder, None)
    return values if answer else None


def _occurrences(rule: "Rule", call: "ToolCall", only_certain: bool) -> "Iterator[Occurrence]":
    if call.error is not None:
        for number, pattern in enumerate(rule.error):
            if (match := find(pattern, call.error)) and not is_vetoed(rule, (call.error,)):
                yield f"errorPatterns[{number}]", match, call.folder if call.stays() else None
    elif call.is_shell and rule.command:
        if call.command is not None and not rule.session_start:
            yield from _in_commands(rule, call, only_certain) if rule.invocation else _in_line(rule, call)
    elif why := why_of_patterns(rule, call):
        yield why, None, call.folder if not call.is_shell or call.stays() else None


def _in_commands(rule: "Rule", call: "ToolCall", only_certain: bool) -> "Iterator[Occurrence]":
    """Every command that a pattern matches, those first of which the folder is known.

    Without its global options a command may work in another folder, as `git -C web add` does.
    """
    certain = [(text, place.folder) for place in call.places() for text in place.texts]
    for text, folder in certain:
        yield from ((why, match, folder) for why, match in _matches(rule, text))
    if only_certain:
        return
    known = {text for text, _ in certain}
    for texts in call.invocations():
        for form in (form for text in texts for form in forms(text)):
            if form not in known:
                yield from ((why, match, None) for why, match in _matches(rule, form))


def _matches(rule: "Rule", text: str) -> "list[tuple[str, re.Match[str]]]":
    found = [(f"commandPatterns[{n}]", match) for n, each in enumerate(rule.command) if (match := each.match(text))]
    return found if found and not is_vetoed(rule, forms(text)) else []


def _in_line(rule: "Rule", call: "ToolCall") -> "Iterator[Occurrence]":
    """Every match in the line, with the folder of the command in which it begins."""
    line = call.command or ""
    for number, pattern in enumerate(rule.command):
        if not find(pattern, line) or is_vetoed(rule, (line,)):
            continue
        for _, match in zip(range(_MOST_MATCHES), pattern.finditer(line), strict=False):
            # Line ends of Windows are taken away before a line is read: positions would not agree.
            around = [place for place in call.places() if place.begin <= match.start() < place.end and "\r" not in line]
            yield f"commandPatterns[{number}]", match, around[0].folder if around else None


def _holds(
    rule: "Rule", probe: "Probe | None", folder: str | None, match: "re.Match[str] | None"
) -> "tuple[bool | None, dict[str, str]]":
    """Whether every condition holds for one and the same choice of words, and that choice."""
    if not all(rule.state.values()):
        return False, {}  # a condition without values, which no writer of ours makes
    if probe is None or not folder:
        return None, {}
    # Programs are looked for on PATH, wherever the call runs.
    if (rule.folder or rule.state.keys() - {"missing"}) and _is(probe.exists(folder), True) is not True:
        return None, {}
    names = [name for templates in rule.state.values() for template in templates for name in names_in(template)]
    root = probe.root(folder) if rule.folder or ROOT in names or ABOVE in names else None
    verdict: bool | None = False
    for _, values in zip(range(_MOST_BINDINGS), _bindings(names, folder, root, match), strict=False):
        answer = _all_hold(rule, probe, folder, root, values)
        if answer:
            return True, values
        verdict = verdict if answer is False else None
    return verdict, {}


def _all_hold(rule: "Rule", probe: "Probe", folder: str, root: str | None, values: dict[str, str]) -> bool | None:
    answers = [_in_folder(rule, folder, root)] if rule.folder else []
    for name in ("missing", "absent", "present"):
        for template in rule.state.get(name, ()) if False not in answers else ():
            if name == "missing":
                program = _value(template, values)
                answers.append(_is(probe.which(program), False) if program and "/" not in program else None)
            else:
                path = _path(template, values, folder)
                answers.append(_is(probe.exists(path), name == "present") if path else None)
    return False if False in answers else None if None in answers else True


def _in_folder(rule: "Rule", folder: str, root: str | None) -> bool | None:
    if root is None:
        return None
    relative = _below(folder, root)
    return root == ANY or (relative is not None and any(pattern.search(relative) for pattern in rule.folder))


def _below(folder: str, root: str) -> str | None:
    """The folder from the root on, with a slash before it; None where it is not in there."""
    base = root.rstrip("/")
    return (folder[len(base) :] or "/") if f"{folder}/".startswith(base + "/") else None


def _bindings(
    names: list[str], folder: str, root: str | None, match: "re.Match[str] | None"
) -> "Iterator[dict[str, str]]":
    """What the names may stand for: the words of a group of several words one by one, and each folder above."""
    groups = _groups(match)
    values = {FOLDER: folder, **{name: value for name, value in groups.items() if is_plain(value) and " " not in value}}
    if root is not None:
        values[ROOT] = folder if root == ANY else root
    several = next((name for name in names if " " in groups.get(name, "")), "")
    words = [word for word in groups[several].split() if word[0] != "-"] if several else [""]
    aboves = _above(folder, root) if ABOVE in names and root is not None else [""]
    for word in words:
        chosen = {**values, several: word} if several and is_plain(word) else values
        for above in aboves:
            yield {**chosen, ABOVE: above} if above else chosen


def _groups(match: "re.Match[str] | None") -> dict[str, str]:
    if match is None:
        return {}
    numbered = {str(number): value for number, value in enumerate(match.groups(), start=1)}
    return {name: value for name, value in {**numbered, **match.groupdict()}.items() if value}


def _above(folder: str, root: str) -> list[str]:
    """The folders around the folder up to the root, the nearest first."""
    if root == ANY:
        return [joined(folder, "..") or folder]
    found: list[str] = []
    while (_below(folder, root) or "/") != "/" and len(found) < _MOST_BINDINGS:
        folder = folder.rpartition("/")[0] or "/"
        found.append(folder)
    return found


def _path(template: str, values: dict[str, str], folder: str) -> str | None:
    path = _value(template, values)
    # Two slashes name another machine on some systems, and asking about it would call there.
    if path is None or path.startswith(("//", "\\\\")):
        return None
    is_absolute = path.startswith(("/", "~/")) or path == "~" or path[1:3] == ":/"
    return path if is_absolute else f"{folder}/{path}"


def _value(template: str, values: dict[str, str]) -> str | None:
    return filled(template, values) if all(name in values for name in names_in(template)) else None


def _is(answer: "Answer", wanted: bool) -> bool | None:
    return True if answer == ANY else None if answer is None else answer is wanted
