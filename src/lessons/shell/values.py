"""What a line shows of itself: values of simple variables, and texts that it writes and a later shell runs."""

from lessons.shell.command import LONGEST_PATH, Code, Command, Values, located
from lessons.shell.fast import after_assignments, is_assignment
from lessons.shell.unwrap import unwrap

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable

    from lessons.shell.command import Payload

_CHANGE_FOLDER = ("cd", "pushd", "popd")
_DECLARING = ("export", "local", "readonly", "declare", "typeset")
MOST_VALUES = 8
# Limits far beyond what people write, so that no line can slow the hook.
_LONGEST_VALUE = 4096
_LONGEST_TEXT = 65_536
_DEEPEST = 12  # pipes after pipes, substitutions inside substitutions
_HAND_ON = ("cat", "tee", "envsubst", "pv")  # they write what they read


def assign(command: Command, values: Values, is_certain: bool) -> None:
    """Records what the command assigns; assignments before another command apply to that command alone.

    If the command is certain to run, files that it replaces or removes lose their earlier content.
    """
    words = command.contents
    if words[0] in _DECLARING:
        _remember([word for word in words[1:] if is_assignment(word)], values)
    elif "=" in words[0]:
        if after_assignments(words, 0) == len(words):
            _remember(words, values)
    elif words[0] == "tee" or (words[0] == "sudo" and "tee" in words):
        writer = command.behind(words.index("tee"))
        replaces = is_certain and "-a" not in words and "--append" not in words
        for word in writer.contents[1:]:
            if word[:1] != "-" and word[:2] != ">(":
                values.write(resolved(word, values), writer, replaces)
    elif words[0] == "rm" and is_certain:
        for word in words[1:]:
            values.write(resolved(word, values), Command([], [], []), True)
    elif words[0] in _CHANGE_FOLDER:
        _go(words, values)


def _remember(assignments: list[str], values: Values) -> None:
    for assignment in assignments:
        name, _, value = assignment.partition("=")
        if name[-1:] == "+":
            name = name[:-1]
            value = (values.get(name) or [""])[-1] + value
        add_value(name, value, values)


def add_value(name: str, value: str, values: Values) -> None:
    known = values.setdefault(name, [])
    if value and len(known) < MOST_VALUES and len(value) <= _LONGEST_VALUE:
        values[name] = [*known, value]  # a new list: copies for other scripts share the old one


def _go(words: list[str], values: Values) -> None:
    """Changes the folder; an unknown folder gets a unique name, so that it equals no other."""
    wanted = [word for word in words[1:] if word != "--"]
    folder = resolved(wanted[0], values) if len(wanted) == 1 else "~" if not wanted and words[0] == "cd" else "-"
    is_plain = folder[:1] != "-" and not any(sign in folder for sign in "$`*?")
    path = located(folder, values.folder)
    values.folder = path if is_plain and len(path) <= LONGEST_PATH else f"?{values.order}"


def resolved(name: str, values: Values) -> str:
    """Replaces the known variables in a file name."""
    if "$" not in name:
        return name
    found = put_together(name, values)
    return found[0] if found and len(found[0]) <= LONGEST_PATH else name


def put_together(word: str, values: Values) -> list[str]:
    """Returns the value of a word of letters and variables, such as `$name$suffix`; nothing if a part is unknown."""
    text, position = "", 0
    while position < len(word):
        end = _piece_end(word, position)
        piece = word[position:end]
        if piece[0] == "$":
            known = values_of(piece, values)
            if not known:
                return []
            piece = known[-1]
        text += piece
        position = end
    return [text]


def _piece_end(word: str, start: int) -> int:
    """Returns where the variable or the letters that start at `start` end."""
    if word[start] != "$":
        found = word.find("$", start)
        return found if found > 0 else len(word)
    if word[start + 1 : start + 2] == "{":
        return word.find("}", start) + 1 or len(word)
    end = start + 1
    while end < len(word) and (word[end].isalnum() or word[end] == "_"):
        end += 1
    return end


def values_of(word: str, values: Values) -> list[str]:
    """Returns all possible values of a word such as `$tool` or `${TOOL:-make}`; empty if unknown."""
    name, default = word[1:], ""
    if name[:1] == "{":
        name = name[1:-1]
        for sign in (":-", ":=", "-", "="):
            before, found, after = name.partition(sign)
            if found:
                name, default = before, after.strip("\"'")
                break
    return values.get(name) or ([default] if default else [])


def reads_into(command: Command) -> str:
    """Returns the variable that `read` fills with the rest of a line; empty for another command."""
    start = after_assignments(command.words, 0)
    if command.words[start : start + 1] != ["read"] or command.words[-1][:1] == "-":
        return ""
    return command.words[-1] if len(command.words) > start + 1 else "REPLY"


def known_input(command: Command, depth: int = 0) -> str:
    """Returns the known part of its input."""
    return _joined(command.input or (), depth)


def _joined(sources: "Iterable[str | Command | Code]", depth: int) -> str:
    """Returns what the sources write, one after the other."""
    texts: list[str] = []
    size = 0
    for source in sources:
        texts.append(source if isinstance(source, str) else _output(source, depth + 1))
        size += len(texts[-1]) + 1
        if size > _LONGEST_TEXT:
            break
    return "".join(texts)


def written_into(file: str, command: Command) -> str:
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
    return _joined(writers, 0)


def substituted(word: str, command: "Payload") -> str:
    """Returns the value of a word that starts with `$(…)`, backticks or `<(…)`; empty if unknown."""
    from lessons.shell.lexer import closing_bracket

    if word[:2] in ("$(", "<("):
        close = len(word) - 1 if word[-1] == ")" else closing_bracket(word, 2, len(word))
        text = _output(_inside(word[2:close], command), 0).rstrip("\n")
        return text + word[close + 1 :] if text else ""
    if len(word) > 1 and word[0] == "`" == word[-1]:
        return _output(_inside(word[1:-1].replace("\\`", "`"), command), 0)
    return ""


def _inside(text: str, command: "Payload") -> Code:
    code = Code(text, command.input, command.values)
    code.order, code.folder = command.order, command.folder
    return code


def run_as_code(code: Code) -> str:
    """Returns the text that a shell reads: the code, or its value if it is one substitution or one variable."""
    text = code.text.strip()
    if text[:1] == "$" and code.values and " " not in text and (known := values_of(text, code.values)):
        return "\n".join([substituted(value, code) or value for value in known])
    return substituted(text, code) or code.text


def _output(source: "Payload", depth: int) -> str:
    """Returns what a command writes; of a script, what its commands write one after the other."""
    if depth > _DEEPEST:
        return ""
    if isinstance(source, Code):
        from lessons.shell.parser import Script

        values = Values(source.values, source.order)
        if source.folder is not None:
            values.folder = source.folder
        text = source.text if source.text.lstrip()[:1] != "<" else "cat " + source.text  # `$(< file)`
        script = Script(text, 0, min(len(text), _LONGEST_TEXT), [], source.input, values)
        script.read()
        return _joined(script.written, depth)
    if source.output is None:
        source.output = ""  # for a command that would read its own output
        source.output = _of_command(source, depth)
    return source.output


def _of_command(command: Command, depth: int) -> str:
    shown = [*command.words]
    start = after_assignments(shown, 0)
    while start < len(shown) and (index := unwrap(shown, start)):
        start = index
    words = command.contents[start:]
    program = words[0].rpartition("/")[2] if words else ""
    if program == "echo":
        return _echo(words[1:])
    if program == "printf":
        text = next((word for word in words[1:] if word != "--"), "")
        return "" if "%" in text else _decoded(text)  # arguments are not put in their places
    if program == "cat" and len(words) > 1:
        return _joined((_content(word, command, depth) for word in words[1:]), depth)
    return known_input(command, depth) if program in _HAND_ON else ""


def _content(file: str, command: Command, depth: int) -> str:
    """Returns what `cat` reads from a file, ending in a newline."""
    if file == "-":
        return known_input(command, depth)
    text = substituted(file, command) if file[:2] == "<(" else written_into(file, command)
    return text if text[-1:] in ("", "\n") else text + "\n"


def _echo(words: list[str]) -> str:
    decodes = False
    while words and len(words[0]) > 1 and words[0][0] == "-" and not words[0][1:].strip("neE"):
        decodes |= "e" in words[0]
        words = words[1:]
    text = " ".join(words) + "\n"
    return _decoded(text) if decodes else text


def _decoded(text: str) -> str:
    return text.replace("\\n", "\n").replace("\\t", "\t") if "\\" in text else text
