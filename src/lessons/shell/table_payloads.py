"""What programs of the payload table run: commands and code in their arguments, or code from their input."""

from lessons.shell.global_options import sub_command_places
from lessons.shell.known_output import known_input
from lessons.shell.payload_table import BEHIND, CODE, ENTRYPOINT, OPTIONS, START_SHELLS, WORDS
from lessons.shell.wrapper_table import OPERANDS, WRAPPERS
from lessons.shell.wrappers import after_options

TYPE_CHECKING = False
if TYPE_CHECKING:
    from lessons.shell.commands import Command, Payload

_LONGEST_NAME = 3
_SSH_LETTERS = "46AaCfGgKkMNnqsTtVvXxYy"  # options without a value
_SSH_RUNS_NONE = "GNV"
_ABOUT_WSL = (
    "-l --list -t --terminate -s --set-default -v --set-version --export --import --unregister --install --update"
    " --mount --unmount --shutdown --status --manage"
)


def table_payloads(command: "Command", start: int) -> "list[Payload]":
    """Returns what the program at `start`, which is in the table, would run."""
    words = command.words
    places = sub_command_places(words, start)
    while len(places) < _LONGEST_NAME:
        places.append(places[-1] + 1)
    for size in range(_LONGEST_NAME, 0, -1):
        if places[size - 1] < len(words):
            name = " ".join(words[place] for place in places[:size])
            found = _named(command, name, places[size - 1] + 1)
            if found is not None:
                return found or _from_input(command, name, places[size - 1] + 1)
    return []


def _named(command: "Command", name: str, index: int) -> "list[Payload] | None":
    """Returns None for an unknown name; `index` is that of the first word after it."""
    words = command.words
    if name in OPTIONS:
        is_wrapper = name in WRAPPERS and name != "runuser"
        end = _end_of_options(words, name, index) if is_wrapper else len(words)
        return [command.code(value) for value in values_of_options(command, index, OPTIONS[name].split(), end)]
    if name in BEHIND:
        marks = [place for place in range(index, len(words) - 1) if words[place] in BEHIND[name]]
        return [command.behind(marks[0] + 1)] if marks else []
    if name in WORDS:
        return _of_words(command, name, index)
    return _of_code(command, name, index) if name in CODE else None


def _of_words(command: "Command", name: str, index: int) -> "list[Payload]":
    words = command.words
    with_value, operands = WORDS[name]
    operand = after_options(words, index, with_value)
    behind = operand + operands
    if name in ENTRYPOINT:
        entry = values_of_options(command, index, ["--entrypoint"], operand)
        if entry:
            started = command.behind(min(behind, len(words)))
            started.words, started.contents = [entry[0], *started.words], [entry[0], *started.contents]
            return [started]
    else:  # others take options after the name too, and `--`
        behind = after_options(words, behind, with_value)
    return [command.behind(behind)] if behind < len(words) and words[behind][:1] != "-" else []


def _of_code(command: "Command", name: str, index: int) -> "list[Payload]":
    words, contents = command.words, command.contents
    with_value, operands = CODE[name]
    operand = after_options(words, index, with_value)
    behind = after_options(words, operand + operands, with_value)
    if behind >= len(words) or _runs_none(name, words[index:operand]):
        return []
    # `wsl` passes its words on with their quotes, so one word alone may be a whole script.
    if name == "wsl" and " " not in contents[behind]:
        return [command.behind(behind)]
    return [command.code(" ".join(contents[behind:]))]


def _from_input(command: "Command", name: str, index: int) -> "list[Payload]":
    if name not in START_SHELLS or _runs_none(name, command.words[index:]):
        return []
    return [command.code(known_input(command))]


def _end_of_options(words: list[str], name: str, index: int) -> int:
    """Returns where the options of a wrapper end: what follows belongs to the command it wraps."""
    end = after_options(words, index, WRAPPERS[name])
    return after_options(words, end + OPERANDS[name], WRAPPERS[name]) if name in OPERANDS else end


def _runs_none(name: str, options: list[str]) -> bool:
    """Whether the options ask for something other than running a command."""
    if name == "wsl":
        return any(option in _ABOUT_WSL.split() for option in options)
    return name in ("ssh", "autossh") and any(
        option[:1] == "-" and not option[1:].strip(_SSH_LETTERS) and any(letter in option for letter in _SSH_RUNS_NONE)
        for option in options
    )


def values_of_options(command: "Command", index: int, names: list[str], end: int) -> list[str]:
    """Returns the values of these options: the next word, after `=`, or after the letter in the same word."""
    words, contents = command.words, command.contents
    found = []
    for place in range(index, min(end, len(words))):
        word = words[place]
        name, equals, _ = word.partition("=")
        if word[:1] != "-":
            continue
        if equals and name in names:
            found.append(contents[place].partition("=")[2])
        elif word in names or (word[1:2] != "-" and "-" + word[-1:] in names and word[1:].isalpha()):
            found += contents[place + 1 : place + 2]
        elif word[:2] in names:
            found.append(contents[place][2:])
    return found
