"""What a program runs besides itself: code in its arguments or in its input, and commands in its arguments."""

from lessons.shell.known_output import known_input, substituted
from lessons.shell.remotes import remote_payloads
from lessons.shell.wrappers import SHELLS, after_options, unwrap

TYPE_CHECKING = False
if TYPE_CHECKING:
    from lessons.shell.commands import Command, Payload

_XARGS = "EIJLnPRSsad --max-args --max-procs --max-chars --arg-file --delimiter --process-slot-var"
_STDIN = ("-", "/dev/stdin", "/dev/fd/0", "/proc/self/fd/0")


def payloads(command: "Command", start: int) -> "list[Payload]":
    """What the program at `start` will run."""
    words, contents = command.words, command.contents
    program = words[start]
    if program in SHELLS:
        return _of_shell(command, start)
    if program == "eval":
        index = start + 1 + (words[start + 1 : start + 2] == ["--"])
        return [command.code(" ".join(contents[index:]))]
    if program in ("source", "."):
        return _of_file(command, start + 1)
    if program == "xargs":
        index = after_options(words, start + 1, _XARGS)
        return [_without_input(command.behind(index))] if index < len(words) else []
    if program == "find":
        return _of_find(command, start)
    if program == "su":
        return [command.code(contents[i + 1]) for i in range(start, len(words) - 1) if words[i] in ("-c", "--command")]
    if program == "watch":  # it hands its arguments to a shell, so a quoted one can be a whole script
        index = unwrap(words, start)
        return [command.code(" ".join(contents[index:]))] if index and " " in contents[index] else []
    return remote_payloads(command, start)


def _of_shell(command: "Command", start: int) -> "list[Payload]":
    words = command.words
    index = after_options(words, start + 1, "oO --rcfile --init-file")
    options = [word for word in words[start + 1 : index] if word[:1] == "-" and word[:2] != "--"]
    if any("c" in option for option in options):
        return [_with_arguments(command, index)] if index < len(words) else []
    if index >= len(words) or any("s" in option for option in options):
        return [command.code(known_input(command))]
    return _of_file(command, index)


def _with_arguments(command: "Command", index: int) -> "Payload":
    """The code at `index`; the words behind it are `$0`, `$1` and so on."""
    code = command.code(command.contents[index])
    arguments = command.contents[index + 1 :]
    if arguments:
        numbered = {str(number): [word] for number, word in enumerate(arguments[:10])}
        everything = " ".join(arguments[1:])
        code.values = {**(code.values or {}), **numbered, "@": [everything], "*": [everything]}
    return code


def _of_file(command: "Command", index: int) -> "list[Payload]":
    """A script that is written on the line itself."""
    file = command.contents[index] if index < len(command.contents) else ""
    if file in _STDIN:
        return [command.code(known_input(command))]
    return [command.code(substituted(file))] if file[:2] == "<(" else []


def _of_find(command: "Command", start: int) -> "list[Payload]":
    found: list[Payload] = []
    words = command.words
    index = start + 1
    while index < len(words):
        index += 1
        if words[index - 1] in ("-exec", "-execdir", "-ok", "-okdir"):
            begin = index
            while index < len(words) and words[index] not in (";", "+"):
                index += 1
            if index > begin:
                inner = command.behind(begin)
                inner.words, inner.contents = inner.words[: index - begin], inner.contents[: index - begin]
                found.append(inner)
    return found


def _without_input(command: "Command") -> "Command":
    command.input = None
    return command
