"""Commands that tmux and screen start, or type into a shell."""

from lessons.shell.global_options import sub_command_places
from lessons.shell.table_payloads import values_of_options
from lessons.shell.wrappers import after_options, has_option

TYPE_CHECKING = False
if TYPE_CHECKING:
    from lessons.shell.commands import Command, Payload

# Sub-commands that start the command in their arguments, with their options that take a value.
_START = {
    **dict.fromkeys(("new-session", "new"), "cefFnstxy"),
    **dict.fromkeys(("new-window", "neww"), "ceFnt"),
    **dict.fromkeys(("split-window", "splitw"), "celFpt"),
    **dict.fromkeys(("respawn-pane", "respawnp", "respawn-window", "respawnw"), "cet"),
    **dict.fromkeys(("display-popup", "popup"), "bcdeshStTwxy"),
    **dict.fromkeys(("run-shell", "run"), "dt"),
}
_TYPE = ("send-keys", "send")
_KEYS = ("Enter", "C-m", "C-j", "KPEnter")
_SCREEN = "cehpsStT"


def of_tmux(command: "Command", start: int) -> "list[Payload]":
    """Returns the payloads of each tmux command; `;` separates them."""
    found: list[Payload] = []
    words = command.words
    places = sub_command_places(words, start)
    begin = places[1] if len(places) > 1 else len(words)
    while begin < len(words):
        end = next((place for place in range(begin, len(words)) if words[place] in (";", "\\;")), len(words))
        found += _of_sub_command(command, begin, end)
        begin = end + 1
    return found


def _of_sub_command(command: "Command", begin: int, end: int) -> "list[Payload]":
    words, contents = command.words[:end], command.contents[:end]
    if words[begin] in _TYPE:
        index = after_options(words, begin + 1, "cNt")
        while end > index and words[end - 1] in _KEYS:
            end -= 1
        return [command.code(" ".join(contents[index:end]))]
    if words[begin] not in _START:
        return []
    index = after_options(words, begin + 1, _START[words[begin]])
    if end - index > 1:  # it is started without a shell
        started = command.behind(index)
        started.words, started.contents = words[index:], contents[index:]
        return [started]
    return [command.code(contents[index])] if index < end else []


def of_screen(command: "Command", start: int) -> "list[Payload]":
    words, contents = command.words, command.contents
    sent = values_of_options(command, start + 1, ["-X"], len(words))
    if sent:
        place = words.index("stuff", start) + 1 if "stuff" in words[start:] else len(words)
        text = " ".join(contents[place:])
        return [command.code(text.replace("\\n", "\n").replace("^M", "\n").replace("\\015", "\n"))]
    index = after_options(words, start + 1, _SCREEN)
    if has_option(words[start + 1 : index], "rRxl", _SCREEN):  # it returns to a session, or lists them
        return []
    return [command.behind(index)] if index < len(words) else []
