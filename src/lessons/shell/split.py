"""A shell line in, what it would start out: each invocation as written and again after every wrapper."""

from lessons.shell.command import CMD, LONGEST_SCRIPT, POWERSHELL, Code, Command
from lessons.shell.fast import after_assignments
from lessons.shell.parser import Script
from lessons.shell.starts import handed_code, payloads, run_as_code, substituted, unwrap, written_into

TYPE_CHECKING = False
if TYPE_CHECKING:
    from lessons.shell.command import Payload

# Limits far beyond what people write, so that no line can slow the hook.
_WORK_LIMIT = 4 * LONGEST_SCRIPT  # characters of the line and of all scripts inside its arguments
_SCRIPT_COST = 256  # characters that each script counts extra: many tiny ones take time too
_COMMAND_COST = 64  # the same for a command that another one starts
_WINDOWS_SUFFIXES = (".exe", ".cmd", ".bat", ".com")
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
            work += min(len(payload.text), LONGEST_SCRIPT) + _SCRIPT_COST
            if work <= _WORK_LIMIT:
                queue += [(found, depth + isinstance(found, Code)) for found in _commands(payload, depth)]
        else:
            work += depth and _COMMAND_COST + sum(map(len, payload.words))
            if work > _WORK_LIMIT:
                continue
            texts, inner = command_texts(payload, scripts)
            if texts:
                result.append(texts)
            queue += [(found, depth + 1) for found in inner]
    return result


def _commands(code: Code, depth: int) -> "list[Payload]":
    """Returns the simple commands of a script, inner ones before the command they are part of; backticks as code."""
    script = run_as_code(code) if depth and not code.dialect else code.text
    if "\r" in script:
        script = script.replace("\r\n", "\n")
    found: list[Payload] = []
    size = min(len(script), LONGEST_SCRIPT)
    if code.dialect == POWERSHELL:
        from lessons.shell.windows import PowerShell  # few lines need it

        PowerShell(script, size, found, code.input).read()
        return found
    if code.dialect == CMD:
        # `cmd` escapes with `^` instead of a backslash.
        script = script[:size].replace("\\", "\\\\").replace("^", "")
        size = len(script)
    Script(script, 0, size, found, code.input, code.known).read()
    return found


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
            if text := written_into(path, command.known):
                inner.append(command.code(text))
            words[start] = path = name
            texts.append(" ".join(words[start:]))
        if "." in path and (name := _windows_name(path)) != path and " " not in name:
            words[start] = name
            texts.append(" ".join(words[start:]))
        if "$" in contents[start] or contents[start][:1] in ("`", "{"):
            inner += _replaced(command, start)
        inner += payloads(command, start)
        if scripts is not None:
            scripts += handed_code(command, start)
        start = unwrap(words, start)
        if not start:
            break
        texts.append(" ".join(words[start:]))
    return texts, inner


def _replaced(command: Command, start: int) -> "list[Payload]":
    """Returns the command after replacing the variable, substitution or braces that name its program."""
    word = command.contents[start]
    if word[:1] == "{":  # `{git,push}`
        value = word[1:-1].replace(",", " ") if word[-1] == "}" and "," in word else ""
    elif word[:2] == "$(" or word[:1] == "`":
        value = substituted(word, command)
    else:
        value = command.known.expanded(word)
        value = substituted(value, command) or value
    pieces = value.split()
    if not pieces:
        return []
    return [command.with_words(pieces + command.words[start + 1 :], pieces + command.contents[start + 1 :])]


def _base_name(path: str) -> str:
    """Returns the program that a path names; empty if the last part is not a plain name, as in `${x/a/b}`."""
    name = path.rpartition("/")[2]
    return "" if any(char in name for char in " \t\n)}`") else name


def _windows_name(path: str) -> str:
    """Returns `git` for `git.exe`, `GIT.EXE` or `C:\\\\Git\\\\cmd\\\\git.exe`; other paths unchanged."""
    name = path
    if "\\" in path and (path[1:3] == ":\\" or path[:2] in (".\\", "\\\\") or path[-4:].lower() in _WINDOWS_SUFFIXES):
        name = path.rpartition("\\")[2]
    return name[:-4] if name[-4:].lower() in _WINDOWS_SUFFIXES and len(name) > 4 else name
