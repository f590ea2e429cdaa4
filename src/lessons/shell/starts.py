"""What a program starts: the command behind a wrapper, commands and code in its arguments or in what it reads."""

from lessons.shell.command import LONGEST_SCRIPT, Command, Known
from lessons.shell.fast import after_assignments
from lessons.shell.global_options import GLOBAL_OPTIONS, sub_command_places
from lessons.shell.parser import Script
from lessons.shell.tables import (
    CODE_SUB_COMMANDS,
    EXEC,
    INTERPRETERS,
    NAMES,
    NODE_BUILT_IN,
    PYTHONS,
    RUN,
    RUNNER_OPTIONS,
    SHELLS,
    STARTERS,
)

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    from lessons.shell.command import Code, Input, Payload

_STDIN = ("-", "/dev/stdin", "/dev/fd/0", "/proc/self/fd/0")
_LONGEST_NAME = 3  # words
_DEEPEST = 12  # pipes after pipes, substitutions inside substitutions
_MOST_FILES = 8  # of one `cat`


# Wrappers


def unwrap(words: list[str], start: int) -> int:
    """Returns the index of the command that the program at `start` would run, 0 if it wraps none.

    If only a part of a word names that command (`-mpytest`), replaces the word by that part.
    """
    program = words[start]
    if f"\n{program} " in NAMES:
        index = _after_subcommand(words, start)
    elif "wraps" in STARTERS.get(program, ()):
        index = _after_wrapper(words, start + 1, program)
    elif program.rstrip("0123456789.") in PYTHONS:
        index = _module(words, start)
    else:
        return 0
    if not index:
        return 0
    index = after_assignments(words, index)
    if index >= len(words) or words[index][:1] == "-" or words[index].lstrip("0123456789&")[:1] in ("<", ">"):
        return 0
    return index


def _after_subcommand(words: list[str], start: int) -> int:
    program = words[start]
    options = GLOBAL_OPTIONS[program][0] if program in GLOBAL_OPTIONS else RUNNER_OPTIONS.get(program, "")
    index = after_options(words, start + 1, options)
    for size in (1, 2):
        name = " ".join([program, *words[index : index + size]])
        if "wraps" in STARTERS.get(name, ()):
            return _after_wrapper(words, index + size, name)
    return _after_wrapper(words, start + 1, program) if "wraps" in STARTERS.get(program, ()) else 0


def _after_wrapper(words: list[str], index: int, name: str) -> int:
    row = STARTERS[name]
    if "after" in row:
        return words.index(row["after"], index) + 1 if row["after"] in words[index:] else 0
    begin, index = index, after_options(words, index, row["wraps"])
    if _has_option(words[begin:index], row.get("unless", ""), row["wraps"]):
        return 0
    if "operands" in row:
        index = after_options(words, index + row["operands"], row["wraps"])
    if name == "hatch run" and index < len(words):
        words[index] = words[index].rpartition(":")[2]  # an environment name may precede it
    return index


def _has_option(options: list[str], asked: str, with_value: str) -> bool:
    """Whether the options include one of these letters or names; a letter that takes a value ends a cluster."""
    letters, _, names = asked.partition(" ")
    others = with_value.partition(" ")[0]
    for option in options:
        if option[:2] == "--":
            if option.partition("=")[0] in names.split():
                return True
        elif option[:1] == "-":
            for letter in option[1:]:
                if letter in letters:
                    return True
                if letter in others:
                    break
    return False


def after_options(words: list[str], index: int, with_value: str) -> int:
    """Returns the index of the first word from `index` on that is neither an option nor the value of one."""
    letters, _, names = with_value.partition(" ")
    while index < len(words) and words[index][:1] == "-":
        word = words[index]
        index += 1
        if word == "--":
            break
        if word in ("--help", "--version"):
            return len(words)  # it prints information and runs nothing
        if word[:2] == "--" or word in names.split():
            index += word in names.split()
        else:
            index += next((place == len(word) - 1 for place in range(1, len(word)) if word[place] in letters), False)
    return index


def _module(words: list[str], start: int) -> int:
    """Returns the index of the module that `python -m` runs."""
    index = start + 1
    while index < len(words) and words[index][:1] == "-":
        word = words[index]
        index += 1
        for position in range(1, len(word)):
            letter = word[position]
            if letter == "m":
                if position < len(word) - 1:
                    index -= 1
                    words[index] = word[position + 1 :]
                return index
            if letter in "c-":
                return 0
            if letter in "WX":
                index += position == len(word) - 1
                break
    return 0


# Texts that the line itself contains


def known_input(around: "Payload", depth: int = 0) -> str:
    """Returns the known part of what a command or a script reads."""
    read: Input = around.input
    if read is None:
        return ""
    return _output(read, depth + 1) if isinstance(read, Command) else "".join(read)


def written_into(file: str, known: Known, depth: int = 0) -> str:
    """Returns what the line wrote to a file so far, as far as known."""
    return "".join([_output(writer, depth + 1) for writer in known.writers_of(file)])


def substituted(word: str, around: "Payload", depth: int = 0) -> str:
    """Returns what a word that is one `$(…)`, `<(…)` or backticks stands for; empty if unknown."""
    if word[:2] in ("$(", "<(") and word[-1] == ")":
        text = word[2:-1]
    elif len(word) > 1 and word[0] == "`" == word[-1]:
        text = word[1:-1].replace("\\`", "`")
    else:
        return ""
    if depth > _DEEPEST:
        return ""
    script = Script(text, 0, min(len(text), LONGEST_SCRIPT), [], around.input, around.known)
    script.read()
    shown = [one for one in script.own if one.operator != "|" and not one.target]
    return "".join([_output(one, depth + 1) for one in shown]).rstrip("\n")


def run_as_code(code: "Code") -> str:
    """Returns the text that a shell reads: the code, or its value if it is one substitution or one variable."""
    text = code.text.strip()
    if text[:1] == "$" and " " not in text:
        text = code.known.expanded(text) or text
    return substituted(text, code) or (text if text[:1] != "$" else code.text)


def _output(command: Command, depth: int) -> str:
    """Returns what a command writes, as far as known."""
    if command.output is None:
        command.output = ""  # also for a command that would read its own output
        if depth <= _DEEPEST:
            command.output = _written_by(command, depth)[:LONGEST_SCRIPT]
    return command.output


def _written_by(command: Command, depth: int) -> str:
    shown = [*command.words]
    start = after_assignments(shown, 0)
    while start < len(shown) and (index := unwrap(shown, start)):
        start = index
    words = command.contents[start:]
    program = words[0].rpartition("/")[2] if words else ""
    if program == "echo":
        options = next((place for place in range(1, len(words)) if words[place] not in ("-n", "-e", "-ne")), len(words))
        text = " ".join(words[options:]) + "\n"
        return text.replace("\\n", "\n") if "-e" in words[1:options] or "-ne" in words[1:options] else text
    if program == "printf":
        text = next((word for word in words[1:] if word != "--"), "")
        return "" if "%" in text else text.replace("\\n", "\n")  # arguments are not put in their places
    if program == "cat" and words[1:] not in ([], ["-"]):
        texts = [written_into(file, command.known, depth) for file in words[1 : _MOST_FILES + 1]]
        return "\n".join(texts) if any(texts) else ""
    return known_input(command, depth) if program in ("cat", "tee") else ""


# Commands and code in arguments


def payloads(command: Command, start: int) -> "list[Payload]":
    """Returns what the program at `start` will run."""
    program = command.words[start]
    if program in SHELLS:
        return _of_shell(command, start)
    if program in _READERS:
        return _READERS[program](command, start)
    found = _of_table(command, start) if f"\n{program}" in NAMES else []
    return found or (_of_node(command, start) if program in ("pnpm", "yarn") else [])


def _of_shell(command: Command, start: int) -> "list[Payload]":
    words = command.words
    index = after_options(words, start + 1, "oO --rcfile --init-file")
    options = [word for word in words[start + 1 : index] if word[:1] == "-" and word[:2] != "--"]
    if _has_option(options, "nD", "oO") or "noexec" in words[start:index]:
        return []  # it only checks the code
    if any("c" in option for option in options):
        return [command.code(command.contents[index])] if index < len(words) else []
    if index >= len(words) or any("s" in option for option in options):
        return [command.code(known_input(command))]
    return _of_file(command, index - 1)


def _of_file(command: Command, start: int) -> "list[Payload]":
    """Returns the content of the script file named after `start`, if the line itself writes it."""
    index = start + 1
    file = command.contents[index] if index < len(command.contents) else ""
    text = known_input(command) if file in _STDIN else written_into(file, command.known) or substituted(file, command)
    return [command.code(text)] if text else []


def _of_eval(command: Command, start: int) -> "list[Payload]":
    index = start + 1 + (command.words[start + 1 : start + 2] == ["--"])
    return [command.code(" ".join(command.contents[index:]))]


def _of_trap(command: Command, start: int) -> "list[Payload]":
    """The first word is code only if a signal follows; otherwise it is a signal."""
    words, contents = command.words, command.contents
    index = start + 1 + (words[start + 1 : start + 2] == ["--"])
    is_code = index + 1 < len(words) and words[index][:1] != "-"
    return [command.code(contents[index])] if is_code else []


def _of_find(command: Command, start: int) -> "list[Payload]":
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
                found.append(command.with_words(words[begin:index], command.contents[begin:index]))
    return found


def _of_sudo(command: Command, start: int) -> "list[Payload]":
    """With `-s` or `-i` a shell reads the arguments, or the input of `sudo`."""
    words = command.words
    index = after_options(words, start + 1, STARTERS["sudo"]["wraps"])
    if not _has_option(words[start + 1 : index], "si --shell --login", STARTERS["sudo"]["wraps"]):
        return []
    return [command.code(" ".join(command.contents[index:]) if index < len(words) else known_input(command))]


def _of_windows(command: Command, start: int) -> "list[Payload]":
    from lessons.shell.windows import of_cmd, of_powershell  # few lines need it

    return of_cmd(command, start) if command.words[start] == "cmd" else of_powershell(command, start)


def _of_node(command: Command, start: int) -> "list[Payload]":
    """`yarn jest` runs the program, unless the project has a script with that name."""
    index = after_options(command.words, start + 1, "CF --cwd --dir --filter")
    known = index >= len(command.words) or command.words[index] in NODE_BUILT_IN
    return [] if known else [command.behind(index)]


_READERS: "dict[str, Callable[[Command, int], list[Payload]]]" = {
    ".": _of_file,
    "cmd": _of_windows,
    "eval": _of_eval,
    "find": _of_find,
    "powershell": _of_windows,
    "pwsh": _of_windows,
    "source": _of_file,
    "sudo": _of_sudo,
    "trap": _of_trap,
}


def _of_table(command: Command, start: int) -> "list[Payload]":
    """Returns what the program at `start`, which is in the table, would run."""
    words = command.words
    places = sub_command_places(words, start)
    while len(places) < _LONGEST_NAME:
        places.append(places[-1] + 1)
    for size in range(_LONGEST_NAME, 0, -1):
        if places[size - 1] < len(words):
            name = " ".join(words[place] for place in places[:size])
            if name in STARTERS and STARTERS[name].keys() != {"wraps"}:
                return _of_row(command, name, places[size - 1] + 1)
    return []


def _of_row(command: Command, name: str, index: int) -> "list[Payload]":
    """`index` is that of the first word after the name."""
    words, contents, row = command.words, command.contents, STARTERS[name]
    with_value = row.get("runs", row.get("joins", row.get("each", row.get("wraps", ""))))
    operand = after_options(words, index, with_value)
    behind = operand + row.get("operands", 0)
    if _has_option(words[index:operand], row.get("unless", ""), with_value):
        return []
    found: list[Payload] = []
    if "code" in row:
        # What follows the options of a wrapper belongs to the command it wraps.
        end = after_options(words, behind, with_value) if "wraps" in row else len(words)
        found += [command.code(value) for value in _values_of_options(command, index, row["code"].split(), end)]
    elif "after" in row and "wraps" not in row:
        marks = [place for place in range(index, len(words) - 1) if words[place] in row["after"].split()]
        found += [command.behind(marks[0] + 1)] if marks else []
    if "each" in row:
        while operand < len(words):
            found.append(command.code(contents[operand]))
            operand = after_options(words, operand + 1, with_value)
    elif "runs" in row or "joins" in row:
        entry = _values_of_options(command, index, ["--entrypoint"], operand) if with_value in (EXEC, RUN) else []
        if entry:
            return [command.with_words([entry[0], *words[behind:]], [entry[0], *contents[behind:]])]
        if with_value not in (EXEC, RUN):  # there, options of the command itself follow the name
            behind = after_options(words, behind, with_value)
        end = next((place for place in range(behind, len(words)) if words[place][:3] == ":::"), len(words))
        if behind < end and words[behind][:1] != "-":
            # `wsl` passes its words on with their quotes, so one word alone may be a whole script.
            is_code = "joins" in row and (name != "wsl" or " " in contents[behind])
            found.append(command.code(" ".join(contents[behind:end])) if is_code else command.behind(behind))
        found += [command.code(content) for content in contents[end + 1 :] if behind == end]
    return found or ([command.code(known_input(command))] if "shell" in row else [])


def _values_of_options(command: Command, index: int, names: list[str], end: int) -> list[str]:
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


# Code for interpreters of other languages


def handed_code(command: Command, start: int) -> list[str]:
    """Returns the code in the arguments of the program at `start`, else its input if it runs no file."""
    words = command.words
    program = words[start].rstrip("0123456789.") or words[start]
    if program == "rails":
        return _of_sub_command(command, start)
    if program == "uv":
        return _input_of(command) if words[start + 1 : start + 2] == ["run"] and words[-1] == "-" else []
    if program not in INTERPRETERS:
        return []
    names, with_value = INTERPRETERS[program]
    index = start + 1
    while index < len(words) and words[index][:1] == "-" and words[index] not in _STDIN:
        index = after_options(words[: index + 1], index, with_value)
    codes = _values_of_options(command, start + 1, names.split(), index)
    if codes or (program in ("ipython", *PYTHONS) and _has_option(words[start + 1 : index], "m", "cWX")):
        return [run_as_code(command.code(text)).rstrip("\n") if text[:1] in ("$", "`") else text for text in codes]
    if index >= len(words) or words[index] in _STDIN:
        return _input_of(command)
    return _of_sub_command(command, start if program == "deno" else index)


def _of_sub_command(command: Command, start: int) -> list[str]:
    name = " ".join(command.words[start : start + 2]).rpartition("/")[2]
    if name not in CODE_SUB_COMMANDS:
        return []
    if not CODE_SUB_COMMANDS[name]:
        index = after_options(command.words, start + 2, "e --environment --ext")
        return command.contents[index : index + 1]
    names = CODE_SUB_COMMANDS[name].split()
    return _values_of_options(command, start + 2, names, len(command.words)) or _input_of(command)


def _input_of(command: Command) -> list[str]:
    text = known_input(command).rstrip("\n")
    return [text] if text else []
