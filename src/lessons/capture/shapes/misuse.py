"""Whether an error says that the call itself was wrong, and which kind of mistake it names."""

import re

from lessons.capture.shapes.findings import broke, names_place
from lessons.capture.shapes.misuse_lines import OF_LINE, OF_SHELL, Shapes
from lessons.capture.shapes.misuse_words import OF_TOOLS, SURE, TELLING, Words
from lessons.episode import Kind

_SHELL = re.compile(
    r"(?:\(eval\)|(?:[\w.-]{0,30}/){0,5}(?:ba|z|da|k|fi)?sh)(?::(?:cd|\.|source))?(?::(?: line)? ?\d+)?: "
    r"(?:-c: |eval: )?(?:line \d+: )?"
)
_DECORATION = re.compile(r"[\s>│●❌✖×✗✘⨯!=-]*")
# The source of a message: `error:`, `fatal:`, a program's name, a time. Removed one after the other.
_SPEAKER = re.compile(
    r"(?:npm (?:ERR!|error)|\[?(?:error|ERROR|Error|fatal|FATAL|ERR!?)\]?[:!]?|ERR_\w{1,60}|(?:\*\* )?\([\w.-]{1,60}\)"
    r"|\d{4}[-/]\d\d[-/]\d\d[T ][\d:.]{1,20}Z?|[^:]{1,90}:(?:\d+:)?) +"
)
_MOST_SPEAKERS = 5
_ASIDE = re.compile(r"\W{0,3}(?:npm )?(?:warn(?:ing)?|WARN(?:ING)?|Warning|note|notice|hint|info|INFO|help|tip)\b")
_PROGRAM = re.compile(r"[A-Za-z][\w.+-]*")
_OPTION = re.compile(r"(?<!\S)--?([A-Za-z][\w-]+)")
_WORD = re.compile(r"[A-Za-z][\w-]+")
_FEW_LINES = 15
_LINES = 30  # at either end of a long error
_LONGEST_LINE = 500


def kind_of_misuse(text: str, command: str, about_code: bool) -> Kind | None:
    """`about_code`: it also reports on code, whose tests and messages may have the same words."""
    kind = _of_lines(text, command, about_code) or _of_words(text, SURE)
    if not kind and not about_code:
        kind = _of_words(_without_asides(text), TELLING)
        # Code that ran passes on what a database or a service said about its own arguments.
        kind = None if kind == "wrong-arguments" and broke(text) else kind
    return kind if kind or command else _of_words(text, OF_TOOLS)


def _of_lines(text: str, command: str, about_code: bool) -> Kind | None:
    lines = text.splitlines()
    if len(lines) > 2 * _LINES:
        lines = lines[:_LINES] + lines[-_LINES:]
    programs = frozenset(_PROGRAM.findall(command)) if about_code else frozenset()
    # A few lines that name an option of this call are about the call, however they are marked.
    options = frozenset(_OPTION.findall(command)) if about_code and len(lines) <= _FEW_LINES else frozenset()
    for index, whole in enumerate(lines):
        line = whole[:_LONGEST_LINE]
        kind = _of_shell(line) if ": " in line else None
        if kind:
            return kind
        of_call = _is_named(line, programs) or not options.isdisjoint(_WORD.findall(line))
        if not about_code or of_call or (index == 0 and not names_place(line)):
            kind = _of_line(line)
            if kind:
                return kind
    return None


def _without_asides(text: str) -> str:
    if "warn" not in text and "WARN" not in text:
        return text
    return "\n".join(line for line in text.split("\n") if not _ASIDE.match(line))


def _of_words(text: str, words: Words) -> Kind | None:
    for kind, literal, shape in words:
        if literal in text and (shape is None or shape.search(text)):
            return kind
    return None


def _of_shell(line: str) -> Kind | None:
    shell = _SHELL.match(line)
    return _of_shapes(line, shell.end(), OF_SHELL) if shell else None


def _of_line(line: str) -> Kind | None:
    if _ASIDE.match(line):
        return None
    decoration = _DECORATION.match(line)
    position = decoration.end() if decoration else 0
    for _ in range(_MOST_SPEAKERS):
        kind = _of_shapes(line, position, OF_LINE)
        if kind:
            return kind
        speaker = _SPEAKER.match(line, position)
        if not speaker:
            return None
        position = speaker.end()
    return None


def _of_shapes(line: str, position: int, shapes: Shapes) -> Kind | None:
    for kind, shape in shapes:
        if shape.match(line, position):
            return kind
    return None


def _is_named(line: str, programs: frozenset[str]) -> bool:
    """Whether the line starts with a program of the command: `rg: …`."""
    name, colon, _ = line.partition(": ")
    return colon != "" and name in programs
