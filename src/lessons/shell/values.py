"""What the variables of a line hold, as far as the line itself tells."""

from lessons.shell.wrappers import after_assignments

TYPE_CHECKING = False
if TYPE_CHECKING:
    from lessons.shell.commands import Command, Values

_DECLARING = ("export", "local", "readonly", "declare", "typeset")
MOST_VALUES = 8


def assign(command: "Command", values: "Values") -> None:
    """Adds what the command assigns; assignments before another command hold for that one alone."""
    words = command.contents
    if words[0] in _DECLARING:
        assignments = [word for word in words[1:] if after_assignments([word], 0)]
    elif "=" in words[0] and after_assignments(words, 0) == len(words):
        assignments = words
    else:
        return
    for assignment in assignments:
        name, _, value = assignment.partition("=")
        if value[:1] == "(" and value[-1:] == ")":
            value = value[1:-1]
        known = values.setdefault(name, [])
        if value and len(known) < MOST_VALUES:
            known.append(value)


def values_of(word: str, values: "Values") -> list[str]:
    """All that a word such as `$tool`, `${tools[@]}` or `${TOOL:-make}` may stand for; empty where nothing is known."""
    name, default = word[1:], ""
    if name[:1] == "{":
        name = name[1:-1].removesuffix("[@]").removesuffix("[*]")
        for sign in (":-", ":=", "-", "="):
            before, found, after = name.partition(sign)
            if found:
                name, default = before, after.strip("\"'")
                break
    return values.get(name) or ([default] if default else [])
