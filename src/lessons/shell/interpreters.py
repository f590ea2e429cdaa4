"""Code in other languages that a command passes to an interpreter: what `matchOn: script` searches."""

from lessons.shell.known_output import known_input, run_as_code
from lessons.shell.table_payloads import values_of_options
from lessons.shell.wrappers import after_options, has_option

TYPE_CHECKING = False
if TYPE_CHECKING:
    from lessons.shell.commands import Command

_NODE = ("-e --eval -p --print -pe", "rCe --require --import --conditions --loader --env-file --input-type")
_LUA = ("-e", "el")
# Options whose value is code, then all options that take a value.
_INTERPRETERS = {
    "bun": ("-e --eval -p --print", "epr --preload --eval --print"),
    "deno": ("", ""),
    "elixir": ("-e --eval", "er --eval --require"),
    "ghc": ("-e", "e"),
    "groovy": ("-e", "e"),
    "guile": ("-c", "csLl"),
    "ipython": ("-c", "cm"),
    "julia": ("-e -E --eval --print", "eELtJp --eval --print --project"),
    "lua": _LUA,
    "luajit": _LUA,
    "node": _NODE,
    "nodejs": _NODE,
    "osascript": ("-e", "el"),
    "perl": ("-e -E", "eEIMm"),
    "php": ("-r", "rdcBREz"),
    "py": ("-c", "cmWX"),
    "pypy": ("-c", "cmWX"),
    "python": ("-c", "cmWX"),
    "R": ("-e", "e"),
    "Rscript": ("-e", "e"),
    "racket": ("-e", "erltf"),
    "ruby": ("-e", "erIC"),
    "scala": ("-e", "e"),
    "ts-node": ("-e --eval -p --print", "eprPO --eval --print --require --project"),
    "tsx": ("-e --eval -p --print", "ep --eval --print --tsconfig"),
}
# Sub-commands that take code: as the next word, or as an option's value.
_SUB_COMMANDS = {"deno eval": "", "rails runner": "", "artisan tinker": "--execute", "manage.py shell": "-c --command"}
_RUN_MODULES = ("ipython", "py", "pypy", "python")
_STDIN = ("-", "/dev/stdin", "/dev/fd/0")


def handed_code(command: "Command", start: int) -> list[str]:
    """Returns the code in the arguments of the program at `start`, else its input if it runs no file."""
    program = command.words[start].rstrip("0123456789.") or command.words[start]
    if program in ("rails", "uv"):
        return _of_sub_command(command, start) if program == "rails" else _of_uv(command, start)
    if program not in _INTERPRETERS:
        return []
    words = command.words
    names, with_value = _INTERPRETERS[program]
    index = start + 1
    while index < len(words) and words[index][:1] == "-" and words[index] not in _STDIN:
        index = after_options(words[: index + 1], index, with_value)
    found = [_resolved(command, text) for text in values_of_options(command, start + 1, names.split(), index)]
    if found or (program in _RUN_MODULES and has_option(words[start + 1 : index], "m", "cWX")):
        return found
    if index >= len(words) or words[index] in _STDIN:
        return _read(command)
    return _of_sub_command(command, start if program == "deno" else index)


def _of_sub_command(command: "Command", start: int) -> list[str]:
    name = " ".join(command.words[start : start + 2]).rpartition("/")[2]
    if name not in _SUB_COMMANDS:
        return []
    if not _SUB_COMMANDS[name]:
        index = after_options(command.words, start + 2, "e --environment --ext")
        return command.contents[index : index + 1]
    names = _SUB_COMMANDS[name].split()
    return values_of_options(command, start + 2, names, len(command.words)) or _read(command)


def _of_uv(command: "Command", start: int) -> list[str]:
    """`uv run -` runs its input."""
    return _read(command) if command.words[start + 1 :][:1] == ["run"] and command.words[-1] == "-" else []


def _resolved(command: "Command", text: str) -> str:
    """Returns the value of one variable or substitution, else the text itself."""
    return run_as_code(command.code(text)).rstrip("\n") if text[:1] in ("$", "`") else text


def _read(command: "Command") -> list[str]:
    text = known_input(command).rstrip("\n")
    return [text] if text else []
