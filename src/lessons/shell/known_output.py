"""What a command writes, where the line itself tells: a text that a shell behind it will run."""

from lessons.shell.assignments import after_assignments
from lessons.shell.commands import Command
from lessons.shell.script import Script
from lessons.shell.values import values_of
from lessons.shell.words import closing_bracket
from lessons.shell.wrappers import unwrap

TYPE_CHECKING = False
if TYPE_CHECKING:
    from lessons.shell.commands import Code, Input, Payload

_LONGEST_TEXT = 65_536
_DEEPEST = 12  # pipes behind pipes, substitutions inside of substitutions
_HAND_ON = ("cat", "tee", "envsubst", "pv")  # they write what they read
_BLANK = " \t\n"


def known_input(command: "Command", depth: int = 0) -> str:
    """All that it reads, as far as that is known."""
    texts: list[str] = []
    size = 0
    for source in command.input or ():
        text = source if isinstance(source, str) else _output(source, depth + 1)
        texts.append(text)
        size += len(text)
        if size > _LONGEST_TEXT:
            break
    return "".join(texts)


def written_into(file: str, command: "Command") -> str:
    """What the line writes into a file before the command, as far as that is known."""
    writers = command.values.files.get(file.removeprefix("./")) if command.values is not None else None
    return known_input(Command([], [], [*writers])) if writers else ""


def output_of(code: str, depth: int = 0, source: "Input | None" = None) -> str:
    """What the commands of a script write, one after the other; `source` is what they read."""
    if depth > _DEEPEST:
        return ""
    found: list[Payload] = []
    script = Script(code, 0, min(len(code), _LONGEST_TEXT), found, source)
    script.read()
    return "".join(_output(command, depth + 1) for command in script.written)


def substituted(word: str, source: "Input | None" = None) -> str:
    """What a word stands for that begins with `$(…)`, backticks or `<(…)`; empty where that is not known."""
    if word[:2] in ("$(", "<("):
        close = len(word) - 1 if word[-1] == ")" else closing_bracket(word, 2, len(word))
        return (text + word[close + 1 :]) if (text := output_of(word[2:close], 0, source).rstrip("\n")) else ""
    if len(word) > 1 and word[0] == "`" == word[-1]:
        return output_of(word[1:-1].replace("\\`", "`"), 0, source)
    return ""


def run_as_code(code: "Code") -> str:
    """The text that a shell reads: the code, or what it stands for where it is one substitution or one variable."""
    text = code.text.strip()
    if text[:1] == "$" and code.values and " " not in text and (known := values_of(text, code.values)):
        return "\n".join(known)
    return substituted(text, code.input) or code.text


def _output(source: "Command | Code", depth: int) -> str:
    if depth > _DEEPEST:
        return ""
    text = getattr(source, "text", None)
    if text is not None:
        return output_of(text, depth)
    return _of_command(source, depth)  # type: ignore[arg-type]


def _of_command(command: "Command", depth: int) -> str:
    if command.output is None:
        command.output = ""  # for a command that would read its own output
        program, words = _started(command)
        if program == "echo":
            command.output = _echo(words[1:])
        elif program == "printf":
            command.output = _printf(words[1:])
        elif program == "cat" and len(words) > 1:
            files = [known_input(command, depth) if word == "-" else substituted(word) for word in words[1:]]
            command.output = "\n".join(files)
        elif program in _HAND_ON:
            command.output = known_input(command, depth)
        elif command.values is not None and program in command.values.functions:
            command.output = "".join(_output(inside, depth + 1) for inside in command.values.functions[program])
    return command.output


def _started(command: "Command") -> tuple[str, list[str]]:
    """The program behind all wrappers, and the words of its command."""
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
    """Only what is plain to see: `%s` that stand alone, and texts without any."""
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
