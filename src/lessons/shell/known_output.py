"""Computes what a command writes if the line itself shows it: a text that a later shell will run."""

from lessons.shell.assignments import after_assignments
from lessons.shell.commands import Code, Values, located
from lessons.shell.script import Script
from lessons.shell.values import resolved, values_of
from lessons.shell.words import closing_bracket
from lessons.shell.wrappers import unwrap

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable

    from lessons.shell.commands import Command, Payload

_LONGEST_TEXT = 65_536
_SCRIPT_COST = 64  # effort per script beyond its own length: many tiny ones take time too
_DEEPEST = 12  # pipes after pipes, substitutions inside substitutions
_HAND_ON = ("cat", "tee", "envsubst", "pv")  # they write what they read
_BLANK = " \t\n"


def known_input(command: "Command", depth: int = 0) -> str:
    """Returns the known part of its input."""
    return _joined(command.input or (), command.values, depth)


def _joined(sources: "Iterable[str | Command | Code]", values: "Values | None", depth: int) -> str:
    """Returns what the sources write, one after the other."""
    texts: list[str] = []
    size = 0
    for source in sources:
        text = source if isinstance(source, str) else _output(source, depth + 1)
        texts.append(text)
        size += len(text)
        if size > _LONGEST_TEXT or not (values is None or values.effort.spend(1 + len(text) * (len(texts) > 1))):
            break
    return "".join(texts)


def written_into(file: str, command: "Command") -> str:
    """Returns what the line writes to a file before the command, as far as known."""
    values = command.values
    if values is None or not values.files:
        return ""
    writers: list[Command] = []
    for order, replaces, writer in values.files.get(located(resolved(file, values), command.folder), ()):
        if order < command.order:
            if replaces:
                writers.clear()
            writers.append(writer)
        if not values.effort.spend(1):
            break
    return _joined(writers, values, 0)


def output_of(code: "Code", depth: int = 0) -> str:
    """Returns what the commands of a script write, one after the other."""
    values = Values(code.values, code.order)
    if depth > _DEEPEST or not values.effort.spend(_SCRIPT_COST + len(code.text)):
        return ""
    if code.folder is not None:
        values.folder = code.folder
    found: list[Payload] = []
    text = code.text if code.text.lstrip()[:1] != "<" else "cat " + code.text  # `$(< file)`
    script = Script(text, 0, min(len(text), _LONGEST_TEXT), found, code.input, values)
    script.read()
    return _joined(script.written, values, depth)


def substituted(word: str, command: "Command | Code") -> str:
    """Returns the value of a word that starts with `$(…)`, backticks or `<(…)`; empty if unknown."""
    if word[:2] in ("$(", "<("):
        close = len(word) - 1 if word[-1] == ")" else closing_bracket(word, 2, len(word))
        text = output_of(_inside(word[2:close], command)).rstrip("\n")
        return text + word[close + 1 :] if text else ""
    if len(word) > 1 and word[0] == "`" == word[-1]:
        return output_of(_inside(word[1:-1].replace("\\`", "`"), command))
    return ""


def _inside(text: str, command: "Command | Code") -> "Code":
    code = Code(text, command.input, command.values)
    code.order, code.folder = command.order, command.folder
    return code


def run_as_code(code: "Code") -> str:
    """Returns the text that a shell reads: the code, or its value if it is one substitution or one variable."""
    text = code.text.strip()
    if text[:1] == "$" and code.values and " " not in text and (known := values_of(text, code.values)):
        return "\n".join([substituted(value, code) or value for value in known])
    return substituted(text, code) or code.text


def _output(source: "Command | Code", depth: int) -> str:
    if depth > _DEEPEST:
        return ""
    return output_of(source, depth) if isinstance(source, Code) else _of_command(source, depth)


def _of_command(command: "Command", depth: int) -> str:
    if command.output is None:
        command.output = ""  # for a command that would read its own output
        program, words = _started(command)
        if program == "echo":
            command.output = _echo(words[1:])
        elif program == "printf":
            command.output = _printf(words[1:])
        elif program == "cat" and len(words) > 1:
            command.output = _joined((_content(word, command, depth) for word in words[1:]), command.values, depth)
        elif program in _HAND_ON:
            command.output = known_input(command, depth)
        elif command.values is not None and program in command.values.functions:
            command.output = _joined(command.values.functions[program][0], command.values, depth)
    return command.output


def _content(file: str, command: "Command", depth: int) -> str:
    """Returns what `cat` reads from a file, ending in a newline."""
    if file == "-":
        return known_input(command, depth)
    text = substituted(file, command) if file[:2] == "<(" else written_into(file, command)
    return text if text[-1:] in ("", "\n") else text + "\n"


def _started(command: "Command") -> tuple[str, list[str]]:
    """Returns the program after all wrappers, and the words of its command."""
    shown = [*command.words]
    start = after_assignments(shown, 0)
    while start < len(shown) and (index := unwrap(shown, start)):
        start = index
    words = command.contents[start:]
    return (words[0].rpartition("/")[2], words) if words else ("", words)


def _echo(words: list[str]) -> str:
    decodes = False
    while words and len(words[0]) > 1 and words[0][0] == "-" and not words[0][1:].strip("neE"):
        decodes |= "e" in words[0]
        words = words[1:]
    text = " ".join(words) + "\n"
    return _decoded(text) if decodes else text


def _printf(words: list[str]) -> str:
    """Handles simple cases only: texts without placeholders, and `%s` surrounded by blanks."""
    if words[:1] == ["--"]:
        words = words[1:]
    if not words:
        return ""
    pieces = _decoded(words[0]).split("%s")
    if any("%" in piece for piece in pieces):
        return ""
    text = pieces[0]
    arguments = words[1:] or [""]
    if len(pieces) == 1:
        return text
    if any(piece and piece[0] not in _BLANK for piece in pieces[1:]) or (text and text[-1] not in _BLANK):
        return ""
    for number, argument in enumerate(arguments):
        text += argument + pieces[1 + number % (len(pieces) - 1)]
    return text


def _decoded(text: str) -> str:
    return text.replace("\\n", "\n").replace("\\t", "\t") if "\\" in text else text
