"""Refuses calls in which an agent runs `lessons` to weaken a lesson, or to activate text in the user's name.

Only what the command line shows is refused: a script that an earlier call wrote, or a file that is edited directly,
runs. Such a process is recorded as the agent's where its environment names the agent (`started_by.py`).
"""

from lessons.agents.hook_event import Answer
from lessons.started_by import VARIABLES

TYPE_CHECKING = False
if TYPE_CHECKING:
    from lessons.match.call import ToolCall

# Only the user may run these -> the options with which anyone may, because nothing is then weakened or activated.
_OF_USER = {
    "allow": (),
    "archive": (),
    "edit": (),
    "mute": ("--list", "--off"),
    "remove": (),
    "retire": (),
    "trust": ("--list",),
    "unarchive": (),
    "undo": ("--list",),
    "uninstall": ("--dry-run",),
}
# These ask the user; only with --yes they do not. What is in shadow has no effect.
_ASKING = frozenset("add forget import learn promote refine restore review tend".split())
_NOUNS = ("dev", "history", "scan", "team")
# What an agent may run, and is recorded as its doing.
_RECORDED = ("add", "candidates", "feedback", "learn", "promote", "refine", "reject", "rules")
_VERBS = (*_OF_USER, *_ASKING, "config", "install", *_RECORDED)
_CLEARS_VARIABLES = ("env -i", "env -", "env --ignore-environment", "exec -c")
# Code that names none of these starts no program.
_STARTERS = ("subprocess", "system", "popen", "spawn", "exec", "pty", "lessons.cli", "Process", "%x", "`", "do shell")
# They give a command a terminal of its own, in a way that `shell` does not follow.
_TERMINALS = frozenset(
    "abduco alacritty asciinema dtach gnome-terminal kitty konsole screen socat tmux xterm zellij".split()
)
_MOST_WORDS_BETWEEN = 8
_LONGEST_EXCERPT = 80


def refusal(call: "ToolCall") -> Answer | None:
    """Returns the answer that denies the call; None if it may run."""
    command = call.command or ""
    # A name is found however it is quoted: `al\\low`.
    bare = command.replace("'", "").replace('"', "").replace("\\", "")
    if not any(verb in bare for verb in _VERBS) and "$" not in bare and "`" not in bare:
        return None
    codes = [code for code in call.scripts() if any(starter in code for starter in _STARTERS)]
    for texts in call.invocations():
        if texts[-1].partition(" ")[0] in _TERMINALS:
            codes.append(command)
        for text in texts:
            program, *words = text.split(" ")
            if program != "lessons":
                continue
            if _is_of_user(words, command):
                return _denied(text, "changes what the user's lessons do, so only the user may run it")
            verbs = words[1:2] if words[:1] and words[0] in _NOUNS else words[:1]
            if verbs and verbs[0] in _RECORDED and _hides_agent(command, texts):
                return _denied(text, "is recorded as the agent's work, and this line hides which agent runs it")
            break
    for code in codes:
        if words := _started_by_code(code):
            return _denied(f"lessons {words[0]}", "changes what the user's lessons do, so only the user may run it")
    return None


def _is_of_user(words: list[str], command: str) -> bool:
    """`words` come after the program; those that are quoted and have blanks are empty."""
    if "--help" in words or "-h" in words:
        return False
    if not words:
        return "xargs" in command  # it adds the words
    if words[0] in _NOUNS:
        words = words[1:] or [""]
    verb = words[0]
    if verb in _OF_USER:
        return not any(option in words for option in _OF_USER[verb])
    if verb == "config":
        names = [word for word in words[1:] if word != "--json"]
        return names[:1] in (["set"], ["unset"]) or (len(names) > 1 and names[0] not in ("get", "list"))
    if verb == "install":
        return "--remove" in words
    if verb in _ASKING:
        return "--yes" in words and not (verb == "promote" and "--shadow" in words)
    return "$" in verb or "`" in verb


def _hides_agent(command: str, texts: list[str]) -> bool:
    return (
        any(name in command for name in VARIABLES)
        or "unset " in command
        or any(text.startswith(_CLEARS_VARIABLES) for text in texts)
    )


def _started_by_code(code: str) -> list[str]:
    """Returns the words of a refused call of `lessons` that stands anywhere in the text."""
    letters = [sign if sign.isalnum() or sign in "-_$" else " " for sign in code]
    words = "".join(letters).split()
    for place, word in enumerate(words):
        if word == "lessons":
            for begin in range(place + 1, min(place + _MOST_WORDS_BETWEEN, len(words))):
                if words[begin] in _VERBS and _is_of_user(words[begin:], code):
                    return words[begin:]
    return []


def _denied(text: str, why: str) -> Answer:
    from lessons.inject.decide import REFUSED, clean

    shown = " ".join(clean(text[: 4 * _LONGEST_EXCERPT]).replace("`", "'").split())[:_LONGEST_EXCERPT]
    return Answer(
        deny=f"`{shown}` {why}: {REFUSED} Ask the user if it is needed.",
        message=f"lessons: refused `{shown}`, which the agent tried to run. You can run it in a terminal of your own.",
    )
