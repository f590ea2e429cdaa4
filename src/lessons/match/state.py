"""Whether the conditions of a lesson hold at a call, what the names in its texts stand for, and known answers."""

from lessons.match.rule import applies, find, is_vetoed, why_of_patterns
from lessons.shell.global_options import forms
from lessons.shell.places import is_plain, joined, steps

TYPE_CHECKING = False
if TYPE_CHECKING:
    import re
    from collections.abc import Collection, Iterator, Mapping
    from typing import Literal, Protocol

    from lessons.match.call import ToolCall
    from lessons.match.rule import Rule

    Answer = bool | None | Literal["any"]
    # The trigger that matched, its match if any, and the folder of the command or None.
    Occurrence = tuple[str, re.Match[str] | None, str | None]

    class Probe(Protocol):
        """Questions about a machine; None means unknown. Paths are absolute, or start with `~/`."""

        def exists(self, path: str) -> Answer: ...
        def which(self, program: str) -> Answer: ...
        def root(self, folder: str) -> str | None:
            """Returns the root of the folder's repository."""

        def dirty(self, folder: str, kind: str) -> Answer:
            """Whether the repository of the folder has `tracked` files that were changed, or `untracked` ones."""


# Names available at every call; all others are groups of the matched pattern, by number or by name.
FOLDER = "folder"
ROOT = "root"
ABOVE = "above"
OF_EVERY_CALL = (FOLDER, ROOT, ABOVE)
ANY: "Literal['any']" = "any"  # the answer of a probe that meets every condition
_MOST_BINDINGS = 32
_MOST_MATCHES = 20


class Verdict:
    """`why` names the trigger if the lesson fires; `values` are the values for the names in its texts."""

    __slots__ = ("is_unknown", "values", "why")

    def __init__(self, why: str | None = None, values: dict[str, str] | None = None, is_unknown: bool = False) -> None:
        self.why = why
        self.values = values or {}
        self.is_unknown = is_unknown  # a pattern matches, but it is unknown whether the conditions hold

    @property
    def is_at_error(self) -> bool:
        """Whether it fires only after the call failed."""
        return (self.why or "").startswith("errorPatterns")


def judge(rule: "Rule", call: "ToolCall", only_certain: bool = False) -> Verdict:
    """Works for any rule; without conditions on the state the verdict is never unknown.

    `only_certain` skips commands whose state cannot be known, so the verdict does not report "unknown" for them.
    """
    if not rule.has_state:
        return Verdict(why_of_patterns(rule, call) if applies(rule, call) else None)
    if not applies(rule, call):
        return Verdict()
    is_unknown, is_for_calls = False, bool(rule.command or rule.path or rule.content)
    for why, match, folder in _occurrences(rule, call, only_certain):
        if call.error is not None and is_for_calls:
            return Verdict(why)  # its conditions are about calls that have not run; the error itself shows the state
        answer, values = _holds(rule, call.probe, folder, match)
        if answer:
            return Verdict(why, values)
        is_unknown = is_unknown or answer is None
    return Verdict(is_unknown=is_unknown)


def values_here(rule: "Rule", call: "ToolCall") -> dict[str, str] | None:
    """Returns the values of names if the folder of the call meets the rule, whatever the call does; else None."""
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
    """Yields every command that a pattern matches, first those with a known folder.

    A form without its global options has no known folder: `git -C web add` works in another one.
    """
    certain = [(text, place.folder) for place in call.places() for text in place.texts]
    if rule.state.keys() == {"dirty"} and not rule.folder:
        # What git would lose does not depend on the commands before it.
        line = (call.command or "") if call.stays() else ""
        given = [(text, call.folder) for step in steps(line) for text in step.texts]
        certain += [each for each in given if len(forms(each[0])) == 1]
        certain += [found for each in (*certain, *given) if (found := _in_that_folder(*each))]
    for text, folder in certain:
        yield from ((why, match, folder) for why, match in _matches(rule, text))
    if only_certain:
        return
    known = {text for text, _ in certain}
    for texts in call.invocations():
        for form in (form for text in texts for form in forms(text)):
            if form not in known:
                yield from ((why, match, None) for why, match in _matches(rule, form))


def _in_that_folder(text: str, folder: str) -> "tuple[str, str] | None":
    """Returns `git …` of a `git -C DIR …`, and its folder; None for another text."""
    words = text.split(" ", 3)
    if len(words) == 4 and words[:2] == ["git", "-C"] and is_plain(words[2]) and (there := joined(folder, words[2])):
        return f"git {words[3]}", there
    return None


def _matches(rule: "Rule", text: str) -> "list[tuple[str, re.Match[str]]]":
    found = [(f"commandPatterns[{n}]", match) for n, each in enumerate(rule.command) if (match := each.match(text))]
    return found if found and not is_vetoed(rule, forms(text)) else []


def _in_line(rule: "Rule", call: "ToolCall") -> "Iterator[Occurrence]":
    """Yields every match in the line, with the folder of the command in which it starts."""
    line = call.command or ""
    for number, pattern in enumerate(rule.command):
        if not find(pattern, line) or is_vetoed(rule, (line,)):
            continue
        for _, match in zip(range(_MOST_MATCHES), pattern.finditer(line), strict=False):
            # Windows line ends are removed before a line is parsed, so positions would differ.
            around = [place for place in call.places() if place.begin <= match.start() < place.end and "\r" not in line]
            yield f"commandPatterns[{number}]", match, around[0].folder if around else None


def _holds(
    rule: "Rule", probe: "Probe | None", folder: str | None, match: "re.Match[str] | None"
) -> "tuple[bool | None, dict[str, str]]":
    """Whether every condition holds for one choice of values, and that choice."""
    if not all(rule.state.values()):
        return False, {}  # a condition without values, which our own code never writes
    if probe is None or not folder:
        return None, {}
    # Programs are searched on PATH, wherever the call runs.
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
    # Git is asked last: that takes longest.
    for kind in rule.state.get("dirty", ()) if False not in answers else ():
        answers.append(_is(probe.dirty(folder, kind), True))
    return False if False in answers else None if None in answers else True


def _in_folder(rule: "Rule", folder: str, root: str | None) -> bool | None:
    if root is None:
        return None
    relative = _below(folder, root)
    return root == ANY or (relative is not None and any(pattern.search(relative) for pattern in rule.folder))


def _below(folder: str, root: str) -> str | None:
    """Returns the folder relative to the root, with a leading slash; None if it is outside."""
    base = root.rstrip("/")
    return (folder[len(base) :] or "/") if f"{folder}/".startswith(base + "/") else None


def _bindings(
    names: list[str], folder: str, root: str | None, match: "re.Match[str] | None"
) -> "Iterator[dict[str, str]]":
    """Yields the possible values of the names: each word of a group with several words, and each folder above."""
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
    """Returns the folders above the folder up to the root, nearest first."""
    if root == ANY:
        return [joined(folder, "..") or folder]
    found: list[str] = []
    while (_below(folder, root) or "/") != "/" and len(found) < _MOST_BINDINGS:
        folder = folder.rpartition("/")[0] or "/"
        found.append(folder)
    return found


def _path(template: str, values: dict[str, str], folder: str) -> str | None:
    path = _value(template, values)
    # Two slashes name another machine on some systems, and checking the path would contact it.
    if path is None or path.startswith(("//", "\\\\")):
        return None
    is_absolute = path.startswith(("/", "~/")) or path == "~" or path[1:3] == ":/"
    return path if is_absolute else f"{folder}/{path}"


def _value(template: str, values: dict[str, str]) -> str | None:
    return filled(template, values) if all(name in values for name in names_in(template)) else None


def _is(answer: "Answer", wanted: bool) -> bool | None:
    return True if answer == ANY else None if answer is None else answer is wanted


class KnownState:
    """Answers from two mappings, of absolute paths and of programs, to whether they exist.

    The folders around an existing path exist too. Anything else gets `other_paths` or `other_programs`: None for
    unknown.
    """

    def __init__(
        self,
        paths: "Mapping[str, bool] | None" = None,
        programs: "Mapping[str, bool] | None" = None,
        root: str | None = None,
        *,
        other_paths: bool | None = None,
        other_programs: bool | None = None,
        dirty: "Collection[str] | None" = None,
    ) -> None:
        self._paths = _with_parents({_normal(path): there for path, there in (paths or {}).items()})
        self._programs = dict(programs or {})
        self._root = root
        self._other_paths = other_paths
        self._other_programs = other_programs
        self._dirty = dirty

    def exists(self, path: str) -> bool | None:
        return self._paths.get(_normal(path), self._other_paths)

    def which(self, program: str) -> bool | None:
        return self._programs.get(program, self._other_programs)

    def root(self, folder: str) -> str | None:
        inside = self._root is not None and f"{folder}/".startswith(self._root.rstrip("/") + "/")
        return self._root if inside else None

    def dirty(self, folder: str, kind: str) -> bool | None:
        return None if self._dirty is None else kind in self._dirty


class AsWanted:
    """Answers everything as the lesson asks: only the call itself decides."""

    def exists(self, path: str) -> "Answer":
        return ANY

    def which(self, program: str) -> "Answer":
        return ANY

    def root(self, folder: str) -> str | None:
        return ANY

    def dirty(self, folder: str, kind: str) -> "Answer":
        return ANY


def _with_parents(paths: dict[str, bool]) -> dict[str, bool]:
    present = [path for path, there in paths.items() if there]
    parents = {path[:end]: True for path in present for end, sign in enumerate(path) if sign == "/" and end}
    return {**parents, **paths}


def _normal(path: str) -> str:
    """Removes `.`, `..` and a trailing slash."""
    return (joined("/", path) or path).rstrip("/") or "/"


def names_in(text: str) -> list[str]:
    """Returns the names in order; other braces are plain text."""
    return [
        name for name in (piece.partition("}")[0] for piece in text.split("{")[1:] if "}" in piece) if _is_name(name)
    ]


def filled(text: str, values: "Mapping[str, str]") -> str:
    """Replaces each known name by its value; names inside values are not replaced again."""
    first, *pieces = text.split("{")
    found = [first]
    for piece in pieces:
        name, brace, rest = piece.partition("}")
        found.append(values[name] + rest if brace and name in values else "{" + piece)
    return "".join(found)


def _is_name(text: str) -> bool:
    return text.isidentifier() or (text.isascii() and text.isdigit())
