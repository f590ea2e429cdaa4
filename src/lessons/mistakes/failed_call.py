"""What a failed call itself shows: how probably it was a mistake, and which later call is like it.

The hook asks this about a call that has just failed, mining about every failed call of a history.
"""

from math import log, log1p

import lessons
from lessons.mistakes.features import commands_of, error_words, program_of
from lessons.store.json_text import decode
from lessons.system import O_BINARY, environment, system

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

ENOUGH = 0.28  # a failure from here on, or a group of them in the mean, is likelier a mistake than most failures are
VARIABLE = "LESSONS_MEMORY_WEIGHTS"
WORD = "word:"  # how the name of a feature that is a word of the error starts
_EXIT_CODES = frozenset((1, 2, 124, 126, 127, 128, 130, 143))
_SHORT = 200
_LONGEST_CALL = 2000
_READ_FOR_NAMES, _READ_FOR_OPTIONS = 1500, 400
_MOST_NAMED = 3
_MOST_BYTES = 1 << 20  # of a file of weights

_LONGEST_TEXT = 8192
_QUOTES = {34: " ", 39: " "}
_IN_PROGRAMS = frozenset("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_@.+-")
_LONGEST_PROGRAM = 64
_ENOUGH_WORDS = 0.3  # of the smaller call, with a program or tool in common
_MOST_WORDS = 0.5  # whatever the program


def own_features(error: str, exit_code: "int | None", text: str, is_shell: bool) -> "dict[str, float]":
    """Returns what error and call say about a mistake; `text` is the line of a shell, or the arguments of a tool."""
    words = error_words(error, None, "")
    found = {f"{WORD}{word}": 1.0 for word in words if word[0] != "="}
    found[f"exit:{'none' if exit_code is None else exit_code if exit_code in _EXIT_CODES else 'other'}"] = 1.0
    call = text[:_LONGEST_CALL]
    found.update((name, float(value)) for name, value in (*_of_error(error, call), *_of_call(call, is_shell)))
    return found


def _of_error(error: str, call: str) -> "Iterator[tuple[str, float]]":
    yield "error:length", log1p(len(error)) / 5
    yield "error:short", len(error) < _SHORT
    yield "error:lines", log1p(error.count("\n")) / 3
    yield "error:empty", len(error) < _SHORT and len(_without_exit_code(error).strip()) < 2
    named = _names(error[:_READ_FOR_NAMES]) & _names(call)
    yield "error:names", min(_MOST_NAMED, len(named)) / _MOST_NAMED
    beginning = error[:_READ_FOR_OPTIONS]
    yield "error:names-option", any(option in beginning for option in _options(call))


def _of_call(call: str, is_shell: bool) -> "Iterator[tuple[str, float]]":
    yield "call:shell", is_shell
    yield "call:length", log1p(len(call)) / 8
    yield "call:commands", log1p(sum(call.count(sign) for sign in ("&&", ";", "\n", "|")))


def _without_exit_code(error: str) -> str:
    """Removes the line of the client above the output."""
    head, rest = error.lstrip()[:9], error.lstrip()[9:].removeprefix(":")
    words = rest.split(None, 1)
    if head != "Exit code" or not rest[:1].isspace() or not words or not words[0].removeprefix("-").isdigit():
        return error
    return words[1] if len(words) > 1 else ""


def _names(text: str) -> "set[str]":
    """Returns names of three letters and more in lower case; a letter of the alphabet begins one."""
    found = set()
    for run in _runs(text):
        place = next((number for number, sign in enumerate(run) if sign.isascii() and sign.isalpha()), len(run))
        if len(run) - place > 2:
            found.add(run[place:].lower())
    return found


def _runs(text: str) -> "list[str]":
    others = {ord(sign): " " for sign in set(text) if not (sign.isalnum() or sign in "_-")}
    return text.translate(others).split()


def _options(call: str) -> "Iterator[str]":
    for word in call.split():
        name = word[1:].removeprefix("-") if word[0] == "-" else ""
        if not (name[:1].isascii() and name[:1].isalpha()):
            continue
        end = next((number for number, sign in enumerate(name) if not (sign.isalnum() or sign in "_-")), len(name))
        if end > 1:
            yield word[: len(word) - len(name) + end]


def has_enough_weight(error: str, exit_code: "int | None", text: str, is_shell: bool) -> bool:
    """Whether the call was probably a mistake, before it is known what the agent did next.

    False where the weights cannot be read.
    """
    weights = _weights()
    if weights is None:
        return False
    known, bias = weights
    found = own_features(error, exit_code, text, is_shell)
    total = bias + sum(known.get(name, 0.0) * value for name, value in found.items())
    return total >= log(ENOUGH / (1 - ENOUGH))


def _weights() -> "tuple[dict[str, float], float] | None":
    try:
        file = system.open(environment(VARIABLE) or shipped_weights(), system.O_RDONLY | O_BINARY)
        try:
            document = decode(system.read(file, _MOST_BYTES).decode())
        finally:
            system.close(file)
    except (OSError, ValueError):
        return None
    weights, bias = (document.get("weights"), document.get("bias")) if isinstance(document, dict) else (None, None)
    return (weights, bias) if isinstance(weights, dict) and isinstance(bias, int | float) else None


def shipped_weights() -> str:
    """Returns the file that came with lessons; a module of the bundle has no file of its own to ask."""
    return f"{lessons.__path__[0]}/mistakes/weights.json"


def words_of(text: str) -> "frozenset[str]":
    """Returns the words of a call; quotes separate them, and what has no letter or digit is none."""
    found = text[:_LONGEST_TEXT].translate(_QUOTES).split()
    return frozenset(word for word in found if any(map(str.isalnum, word)))


def programs_of(command: str) -> "tuple[str, ...]":
    """Returns the programs of a line in order, each once."""
    names = (program_of(each.words[0][0]) for each in commands_of(command) if each.words)
    return tuple(dict.fromkeys(filter(_is_program, names)))


def _is_program(name: str) -> bool:
    return 0 < len(name) <= _LONGEST_PROGRAM and _IN_PROGRAMS.issuperset(name)


def is_alike(one: "frozenset[object]", other: "frozenset[object]", same_kind: bool) -> bool:
    """Whether two calls with these words are about the same; `same_kind`: they share a program, or the tool."""
    shared = len(one & other) / max(1, min(len(one), len(other)))
    return shared >= _MOST_WORDS or (shared >= _ENOUGH_WORDS and same_kind)
