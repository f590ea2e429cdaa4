"""Reduces a call to the words a reader needs: program, sub-command, options and what was changed."""

import re
from collections.abc import Callable
from functools import lru_cache
from typing import NamedTuple

from lessons.capture.family import blame_of
from lessons.capture.wording.text import ELLIPSIS, cut, plain, unticked, with_short_homes
from lessons.episode import Step
from lessons.failure.telling_line import telling_line
from lessons.shell.assignments import after_assignments
from lessons.shell.blame import Blame, suspects
from lessons.shell.looking import CHANGE_FOLDER
from lessons.shell.program import program_of
from lessons.shell.split import invocations

_LONGEST_COMMAND = 4096
_LONGEST_WORD = 60
_LONGEST_KEPT = 40  # of the words that were changed
_LONGEST_CHANGE = 1024  # more of it than is ever shown
_BLANKED = '""'  # replaces a quoted text with white space
_REDIRECTION = re.compile(r"(?:\d*|&)(?:>>?|<<?<?-?)(?:[&|]\d?)?(.*)", re.DOTALL)
_IDENTIFIER = re.compile(
    r"[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}|(?=[a-z]*\d)(?=\d*[a-f])[0-9a-f]{7,64}|\d{6,}", re.IGNORECASE
)
_HOST = re.compile(r"(?:[\w.-]+@)?(?:\d{1,3}(?:\.\d{1,3}){3})(?::\d+)?|[\w.-]+@[\w-]+(?:\.[\w-]+)*\.[A-Za-z]{2,}")
_HEREDOC = re.compile(r"<<-?[ \t]*(['\"]?)(\w+)\1[^\n]*\n(?:.*?\n)?[ \t]*\2(?=\n|$)", re.DOTALL)
_NOISE = re.compile(r"(?:^| )(?:\d?&?> ?(?:/dev/null|&\d)|\| (?:head|tail)(?: -\S+| \d+)*$)")
_QUOTED = re.compile(r"'[^']*'|\"(?:[^\"\\]|\\.)*\"")
_SEVERAL = re.compile(r"&&|[|;]|<<|\$\(")


def family(step: Step) -> str:
    """Returns `gh pr diff` for a shell call, else the tool's own name."""
    if not step.program:
        return tool_name(step.tool)
    return plain(f"{step.program} {step.subcommand}")


def tool_name(tool: str) -> str:
    """Returns `click` for `mcp__browser__click`."""
    return plain(tool.rpartition("__")[2] if tool.startswith("mcp__") else tool)


def essential(step: Step, changed: str, limit: int) -> str:
    """Returns the command without unimportant words; `changed` are the important ones."""
    if not step.command:
        name, path = tool_name(step.tool), short_word(plain(step.path))
        return cut(f"{name} {path}".strip(), limit) or "the call"
    important = set(plain(changed).split())
    words, name = chosen(step, important)
    if not words:
        return cut(unticked(step.command), limit)
    kept = {*name.split(), *important}
    choices: tuple[Callable[[str], bool], ...] = (
        lambda word: True,
        lambda word: word in kept or word.startswith("-"),
        lambda word: word in kept,
    )
    shown = ""
    for choice in choices:
        shown = _joined([words[0], *(word if choice(word) else ELLIPSIS for word in words[1:])], important)
        if len(shown) <= limit:
            break
    return cut(shown, limit)


def verbatim(step: Step, changed: str, limit: int) -> str:
    """Returns the start of the call as made, or its essential words if the change is further on."""
    if not step.command:
        return cut(plain(f"{step.tool} {step.arguments[:_LONGEST_COMMAND]}"), limit)
    text = cut(plain(_HEREDOC.sub(rf"<<\2 {ELLIPSIS}", step.command[:_LONGEST_COMMAND])), limit)
    return text if all(word in text for word in plain(changed).split()) else essential(step, changed, limit)


def short_word(word: str) -> str:
    """Shortens a long path to its end, a long text to its start, an identifier or a host to an ellipsis."""
    if _IDENTIFIER.fullmatch(word) or _HOST.fullmatch(word):
        return ELLIPSIS
    word = with_short_homes(word)
    if (word.count("/") > 2 or len(word) > _LONGEST_WORD) and "/" in word:
        option, equals, path = word.rpartition("=") if word.startswith("-") else ("", "", word)
        ends = path.rstrip("/").rsplit("/", 2)
        word = f"{option}{equals}{ELLIPSIS}/{'/'.join(ends[-2:])}"
    return cut(plain(word), _LONGEST_WORD)


def changed_words(text: str) -> str:
    """Returns a piece of a command without parts that only hide or shorten its output, homes as `~`."""
    text = text[:_LONGEST_CHANGE].strip()
    return with_short_homes(_NOISE.sub("", text).strip() or text)


def is_several(text: str) -> bool:
    """Whether a piece of a command spans more than one simple command."""
    return _SEVERAL.search(_QUOTED.sub("", text)) is not None


class Chosen(NamedTuple):
    """The command of a line that is most likely meant."""

    words: list[str]
    family: str


def chosen(step: Step, important: set[str]) -> Chosen:
    """Returns the command with the most changed words, then the one to blame; a `cd` only if that one failed."""
    blamed = blame_of(step)
    at_fault = _at_fault(step, blamed) if blamed else None
    best, words, name = (-1, False), [""], family(step)
    for texts in _invocations(step.command[:_LONGEST_COMMAND]):
        written = texts[0].split(" ")
        bare = texts[-1].split(" ")
        is_blamed = bare == at_fault if at_fault else _program(bare) == step.program
        only_goes = bare[0] in CHANGE_FOLDER and not is_blamed
        rank = (0 if only_goes else len(important.intersection(written)), is_blamed)
        if rank > best and after_assignments(written, 0) < len(written):
            best, words = rank, written[after_assignments(written, 0) :]
            name = _family_of(texts[-1])
    return Chosen(_without_redirections([plain(word) for word in words]), name)


def _at_fault(step: Step, blamed: Blame) -> list[str] | None:
    """Returns the words of the command to blame; for a shell or `ssh`, the last suspect in its script."""
    said = telling_line(step.error)
    if not blamed.part.inner or said.startswith(f"{blamed.part.program}: "):
        return _without_redirections(blamed.part.words)
    inside = suspects(step.command, step.error, said)
    return _without_redirections(inside[-1]) if inside and inside[-1] != blamed.part.words else None


def _program(words: list[str]) -> str:
    return words[0].rpartition("/")[2]


def _family_of(text: str) -> str:
    return " ".join(program_of(text)).strip() or plain(text.split(" ")[0])


@lru_cache(maxsize=64)
def _invocations(command: str) -> list[list[str]]:
    """Cached, because the sentence, the trigger and the quotes use the same call."""
    return invocations(command)


def _without_redirections(words: list[str]) -> list[str]:
    kept = []
    target = False  # whether this word is the file of the redirection before it
    for number, word in enumerate(words):
        found = _REDIRECTION.fullmatch(word) if number and not target else None
        if found is None and not target and word:
            kept.append(word)
        target = found is not None and not found[1] and "&" not in word
    return kept


def _joined(words: list[str], important: set[str]) -> str:
    shown: list[str] = []
    for word in words:
        kept = word in important and len(word) <= _LONGEST_KEPT
        word = with_short_homes(word) if kept else short_word(word.replace(_BLANKED, ELLIPSIS))
        if word and not (word == ELLIPSIS and shown and shown[-1] == ELLIPSIS):
            shown.append(word)
        if word == ELLIPSIS and shown[-4:-2] == shown[-2:]:
            del shown[-2:]  # `-f … -f …`
    return " ".join(shown).replace("`", "'")
