"""Whether a settings file already runs the hook for an event, so that the plugin's hook stays silent."""

from lessons.store.json_text import decode
from lessons.system import environment, system

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

_ENTRY = "lessons/hook/entry.py"
# How a single quote inside single quotes is written for a shell.
_ESCAPED_QUOTE = "'\\''"


def in_settings(event: str) -> bool:
    """Then the plugin's hook stands back: nothing is to be said, stopped or counted twice."""
    return any(_has_hook(file, event) for file in _files())


def _files() -> "Iterator[str]":
    """Those that the client reads; it tells a hook where the project is."""
    home = environment("HOME") or environment("USERPROFILE")
    yield (environment("CLAUDE_CONFIG_DIR") or home + "/.claude") + "/settings.json"
    project = environment("CLAUDE_PROJECT_DIR")
    if project:
        yield project + "/.claude/settings.json"
        yield project + "/.claude/settings.local.json"


def _has_hook(file: str, event: str) -> bool:
    try:
        with open(file, "rb") as opened:
            content = opened.read()
        if b"lessons" not in content:
            return False
        settings = decode(content.decode("utf-8").removeprefix("\ufeff"))
    except (OSError, ValueError):
        return False  # the client cannot read it either
    groups = _child(_child(settings, "hooks"), event)
    for group in groups if isinstance(groups, list) else ():
        handlers = _child(group, "hooks")
        for handler in handlers if isinstance(handlers, list) else ():
            if _is_ours(handler, event):
                return True
    return False


def _is_ours(handler: object, event: str) -> bool:
    """What agents/claude_code/settings.py takes for ours, and that can run.

    A resident server is not looked for: the command that answers in its place stands beside it.
    """
    command, arguments = _child(handler, "command"), _child(handler, "args")
    if not isinstance(command, str):
        return False
    words = (command, *(arguments if isinstance(arguments, list) else ()))
    return any(isinstance(word, str) and (_starts_entry(word, event) or _is_verb(word, event)) for word in words)


def _starts_entry(line: str, event: str) -> bool:
    """Whether the line names an entry file that is there, and the event after it."""
    plain = line.replace(_ESCAPED_QUOTE, "\0").replace("\\", "/")
    place = plain.find(_ENTRY)
    while place >= 0:
        end = place + len(_ENTRY)
        before, after = plain[place - 1 : place], plain[end : end + 1]
        is_whole = not _is_of_a_name(before) and before not in (".", "-") and not _is_of_a_name(after)
        if is_whole and event in _names(plain[end:]) and _may_exist(_path_around(plain, place, end)):
            return True
        place = plain.find(_ENTRY, end)
    return False


def _path_around(plain: str, place: int, end: int) -> str:
    """From the quote that is closed behind it, or from the end of the word before it."""
    quote = plain[end : end + 1]
    ends = quote if quote in ("'", '"') else " \t\n'\"=;&|("
    start = max(plain.rfind(each, 0, place) for each in ends) + 1
    return plain[start:end].replace("\0", "'")


def _may_exist(path: str) -> bool:
    """False where it is known to be gone: then the hook in the settings cannot start, and stands in nobody's way."""
    if not path.startswith("/") and path[1:2] != ":":
        return True  # from a variable, or from a folder that is not known here
    try:
        system.stat(path)
    except (OSError, ValueError):
        return False
    return True


def _is_verb(line: str, event: str) -> bool:
    if "lessons" not in line or "hook" not in line:
        return False
    from lessons.shell.split import invocations

    return any(f"{text} ".startswith(f"lessons hook {event} ") for texts in invocations(line) for text in texts)


def _names(text: str) -> list[str]:
    return "".join(each if _is_of_a_name(each) else " " for each in text).split()


def _is_of_a_name(character: str) -> bool:
    return character.isalnum() or character == "_"


def _child(value: object, name: str) -> object:
    return value.get(name) if isinstance(value, dict) else None
