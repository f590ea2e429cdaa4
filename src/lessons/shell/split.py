"""A shell line in, what it would start out: each invocation as written and again after every wrapper."""

from lessons.shell.assignments import after_assignments
from lessons.shell.commands import CMD, POWERSHELL, Code, Command, Values
from lessons.shell.known_output import known_input, run_as_code, substituted, written_into
from lessons.shell.payloads import payloads
from lessons.shell.script import Script
from lessons.shell.values import MOST_VALUES, add_lines, alias_of, put_together, reads_into, values_of
from lessons.shell.windows import as_posix, program_name
from lessons.shell.wrappers import unwrap

TYPE_CHECKING = False
if TYPE_CHECKING:
    from lessons.shell.commands import Payload

# Limits far beyond what people write, so that no line can slow the hook.
_SCRIPT_LIMIT = 65_536  # characters read of one script, without heredoc bodies
_WORK_LIMIT = 4 * _SCRIPT_LIMIT  # characters of the line and of all scripts inside its arguments
_SCRIPT_COST = 256  # characters that each script counts extra: many tiny ones take time too
_COMMAND_COST = 64  # effort for following a command whose name is replaced
_NOT_PLAIN = "'\"\\$`;&|<>(){}#\n"  # an alias with one of these is more than words
_PAYLOAD_DEPTH = 8  # scripts inside the arguments of scripts
_WRAPPERS_IN_A_ROW = 16


def invocations(command: str, dialect: str = "") -> list[list[str]]:
    """Returns one list of texts for every simple command that this line would start; never raises."""
    return _taken_apart(command, dialect, None)


def scripts_in(command: str, dialect: str = "") -> list[str]:
    """Returns the code that a line passes to interpreters of other languages."""
    scripts: list[str] = []
    _taken_apart(command, dialect, scripts)
    return scripts


def _taken_apart(command: str, dialect: str, scripts: list[str] | None) -> list[list[str]]:
    result: list[list[str]] = []
    queue: list[tuple[Payload, int]] = [(Code(command, dialect=dialect), 0)]
    work = 0
    for payload, depth in queue:  # grows during the loop: what a command runs is queued after it
        if depth > _PAYLOAD_DEPTH:
            continue
        if isinstance(payload, Code):
            work += min(len(payload.text), _SCRIPT_LIMIT) + _SCRIPT_COST
            if work <= _WORK_LIMIT:
                queue += [(found, depth + isinstance(found, Code)) for found in _commands(payload, depth)]
        else:
            texts, inner = command_texts(payload, scripts)
            if texts:
                result.append(texts)
            queue += [(found, depth + 1) for found in inner]
    return result


def command_texts(command: Command, scripts: list[str] | None = None) -> "tuple[list[str], list[Payload]]":
    """Returns the texts of one command, and what it starts besides itself; bare assignments start nothing.

    Adds code for interpreters of other languages to `scripts`.
    """
    words, contents = command.words, command.contents
    start = after_assignments(words, 0)
    inner: list[Payload] = []
    if start == len(words):
        return [], inner
    texts = [" ".join(words)]
    if start:
        texts.append(" ".join(words[start:]))
    for _ in range(_WRAPPERS_IN_A_ROW):
        if start >= len(words):
            break
        path = contents[start]
        if "/" in path and (name := _base_name(path)):
            if text := written_into(path, command):
                inner.append(command.code(text))
            words[start] = path = name
            texts.append(" ".join(words[start:]))
        if "." in path and (name := program_name(path)) != path and " " not in name:
            words[start] = name
            texts.append(" ".join(words[start:]))
        if command.values or "$" in contents[start] or contents[start][:1] in ("`", "{"):
            inner += _replaced(command, start)
        inner += payloads(command, start)
        if scripts is not None:
            from lessons.shell.interpreters import handed_code

            scripts += handed_code(command, start)
        start = unwrap(words, start)
        if not start:
            break
        texts.append(" ".join(words[start:]))
    return texts, inner


def _replaced(command: Command, start: int) -> "list[Payload]":
    """Returns the command after replacing the alias, variable, substitution or braces that name its program."""
    word, values = command.contents[start], Values() if command.values is None else command.values
    if word[:1] == "{":  # `{git,push}`
        known = [word[1:-1].replace(",", " ")] if word[-1] == "}" and "," in word else []
    elif word[:2] == "$(" or word[:1] == "`":
        known = [substituted(word, command)]
    elif "$" in word:
        known = values_of(word, values) if word[0] == "$" else []
        known = known or put_together(word, values)
    else:
        is_name = not command.is_quoted and start == after_assignments(command.words, 0)
        known = alias_of(word, values) if is_name else []
        if known and any(sign in value for value in known for sign in _NOT_PLAIN):
            return [command.code(value) for value in known]
    found: list[Payload] = []
    for value in known[:MOST_VALUES]:
        if not values.effort.spend(_COMMAND_COST + len(value) + len(command.words)):
            break
        if pieces := (substituted(value, command) or value).split():
            words, contents = command.words[start + 1 :], command.contents[start + 1 :]
            found.append(command.with_words(pieces + words, pieces + contents))
    return found


def _base_name(path: str) -> str:
    """Returns the program that a path names; empty if the last part is not a plain name, as in `${x/a/b}`."""
    name = path.rpartition("/")[2]
    return "" if any(char in name for char in " \t\n)}`") else name


def _commands(code: Code, depth: int) -> "list[Payload]":
    """Returns the simple commands of a script, inner ones before the command they are part of; backticks as code."""
    script = run_as_code(code) if depth and not code.dialect else code.text
    if "\r" in script:
        script = script.replace("\r\n", "\n")
    found: list[Payload] = []
    values = Values(code.values, code.order)
    if code.folder is not None:
        values.folder = code.folder
    size = min(len(script), _SCRIPT_LIMIT)
    if code.dialect == POWERSHELL:
        from lessons.shell.powershell import PowerShell

        PowerShell(script, size, found, code.input, values).read()
        return found
    if code.dialect == CMD:
        script = as_posix(script[:size])
        size = len(script)
    Script(script, 0, size, found, code.input, values).read()
    for command in found if "read" in script else ():
        if isinstance(command, Command) and command.input and (name := reads_into(command)):
            add_lines(name, known_input(command), values)
    return found
