"""The values of the variables of a line, as far as the line itself shows them."""

from lessons.shell.assignments import after_assignments, is_assignment
from lessons.shell.commands import LONGEST_PATH, Command, located

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping

    from lessons.shell.commands import Values

_CHANGE_FOLDER = ("cd", "pushd", "popd")
_DECLARING = ("export", "local", "readonly", "declare", "typeset")
MOST_VALUES = 8
_LONGEST_ARRAY = 1024
# No variable can have such a name.
_FUNCTION = "()"
_SHIFTS = "shift "
_ALIAS = "alias "


def assign(command: "Command", values: "Values", is_certain: bool) -> None:
    """Records what the command assigns; assignments before another command apply to that command alone.

    If the command is certain to run, files that it replaces or removes lose their earlier content.
    """
    words = command.contents
    if words[0] in _DECLARING:
        _remember([word for word in words[1:] if is_assignment(word)], values)
    elif "=" in words[0]:
        if after_assignments(words, 0) == len(words):
            _remember(words, values)
    elif words[0] == "set" and words[1:2] == ["--"]:
        _give(words[2:], values)
    elif words[0] == "shift":
        values[_SHIFTS] = [""]
    elif words[0] == "alias":
        _remember([_ALIAS + word for word in words[1:] if "=" in word], values)
    elif words[0] == "shopt" and "expand_aliases" in words:
        values[_ALIAS] = [""]
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
    elif values and words[0] + _FUNCTION in values:
        _give(words[1:], values)
        if _SHIFTS in values:
            _give(words[2:], values)


def resolved(name: str, values: "Values") -> str:
    """Replaces the known variables in a file name."""
    if "$" not in name:
        return name
    found = put_together(name, values)
    return found[0] if found and len(found[0]) <= LONGEST_PATH else name


def _go(words: list[str], values: "Values") -> None:
    """Changes the folder; an unknown folder gets a unique name, so that it equals no other."""
    wanted = [word for word in words[1:] if word != "--"]
    folder = resolved(wanted[0], values) if len(wanted) == 1 else "~" if not wanted and words[0] == "cd" else "-"
    is_plain = folder[:1] != "-" and not any(sign in folder for sign in "$`*?")
    path = located(folder, values.folder)
    values.folder = path if is_plain and len(path) <= LONGEST_PATH else f"?{values.order}"


def define(function: str, values: "Values") -> None:
    """Records that a function of this name exists: its body may run its arguments."""
    values[function + _FUNCTION] = [""]


def reads_into(command: "Command") -> str:
    """Returns the variable that `read` fills with the rest of a line; empty for another command."""
    start = after_assignments(command.words, 0)
    if command.words[start : start + 1] != ["read"] or command.words[-1][:1] == "-":
        return ""
    return command.words[-1] if len(command.words) > start + 1 else "REPLY"


def add_lines(name: str, text: str, values: "Values") -> None:
    for line in text.split("\n")[:MOST_VALUES]:
        _add(name, line, values)


def _remember(assignments: list[str], values: "Values") -> None:
    for assignment in assignments:
        name, _, value = assignment.partition("=")
        if name[-1:] == "+":
            name = name[:-1]
            value = (values.get(name) or [""])[-1] + value
        if value[:1] == "(" and value[-1:] == ")":
            value = value[1:-1]
        _add(name, value, values)


def _give(arguments: list[str], values: "Values") -> None:
    for number, argument in enumerate(arguments[:9], 1):
        _add(str(number), argument, values)
    for name in ("@", "*"):
        _add(name, " ".join(arguments), values)


def _add(name: str, value: str, values: "Values") -> None:
    known = values.setdefault(name, [])
    if value and len(known) < MOST_VALUES:
        values[name] = [*known, value]  # a new list: copies for other scripts share the old one


def alias_of(word: str, values: "Values") -> list[str]:
    """Returns what the shell replaces the word with; nothing if it expands no aliases."""
    return values.get(_ALIAS + word, []) if _ALIAS in values else []


def put_together(word: str, values: "Mapping[str, list[str]]") -> list[str]:
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


def values_of(word: str, values: "Mapping[str, list[str]]") -> list[str]:
    """Returns all possible values of a word such as `$tool`, `${tools[@]}` or `${TOOL:-make}`; empty if unknown."""
    name, default = word[1:], ""
    if name[:1] == "{":
        name = name[1:-1].removesuffix("[@]").removesuffix("[*]")
        if name[-1:] == "]":
            return _of_array(name, values)
        for sign in (":-", ":=", "-", "="):
            before, found, after = name.partition(sign)
            if found:
                name, default = before, after.strip("\"'")
                break
    return values.get(name) or ([default] if default else [])


def _of_array(name: str, values: "Mapping[str, list[str]]") -> list[str]:
    """Returns the possible values of `tools[1]`."""
    name, _, index = name[:-1].partition("[")
    place = int(index) if index.isdecimal() and len(index) < 4 else 0
    known = [value[:_LONGEST_ARRAY].split() for value in values.get(name, ())]
    return [pieces[place] for pieces in known if len(pieces) > place]
