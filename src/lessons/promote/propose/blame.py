"""The commands of a failing line and its error in, those that the error can be about out."""

import re
from collections.abc import Callable

from lessons.promote.propose.words import is_named, option_of

Command = list[str]
_READ = 4096  # of an error
_SHORTEST_WORD = 4
# What prepares or decorates a line: the mistake is seldom in there, and nobody wants a lesson at every `cd`.
_ASIDE = frozenset("cd pushd popd export source . set echo printf true test [ [[ wait exit : local sleep".split())
# What clears the way for another command, carries it elsewhere, or shows a part of what it says.
_HELPERS = frozenset(
    "mkdir rmdir rm cp mv ln touch chmod chown ssh bash sh zsh eval xargs su awk cat column cut egrep fgrep fold grep"
    " head jq less more nl rev rg sed sort tail tee tr uniq wc yq".split()
)
_INSTALLS = frozenset(("install", "ci", "i", "sync", "restore"))
_SET_UP = {
    "git": frozenset("pull fetch add checkout switch stash status init clone".split()),
    **dict.fromkeys("npm pnpm yarn bun pip pip3 uv bundle composer poetry brew apt apt-get dotnet".split(), _INSTALLS),
}
_SHELL = r"(?:\(eval\)|[\w./-]{0,60}sh)(?::(?: line)? ?\d+)?: "
_SPEAKER = re.compile(rf"^(?:{_SHELL})?([A-Za-z_][\w.+-]{{0,40}}?)(?:\.exe)?(?:\[\d+\])?(?:: | ERR! | error )", re.M)


def is_missing(program: str, error: str) -> bool:
    """Whether the shell says that there is no such program."""
    name = re.escape(program)
    told = rf"not found: {name}(?![\w.-])|(?<![\w.-]){name}: (?:command )?not found"
    return program in error and re.search(told, error) is not None


def blamed(commands: list[Command], error: str) -> list[Command]:
    """Each sign leaves those that have it, if any has: missing, speaking, named, no helper, no preparation."""
    error = error[:_READ]
    left = [words for words in commands if words[0] not in _ASIDE]
    signs: tuple[Callable[[Command], bool], ...] = (
        lambda words: is_missing(words[0], error),
        _is_speaker(left, error),
        lambda words: any(option and is_named(option, [error]) for option in map(option_of, words[1:])),
        lambda words: any(words[1:2]) and is_named(words[1], [error]),
        lambda words: any(len(word) >= _SHORTEST_WORD and word in error for word in words[2:]),
        lambda words: words[0] not in _HELPERS,
    )
    for has_sign in signs:
        if len(left) > 1:
            left = [words for words in left if has_sign(words)] or left
    return [words for words in left if words is left[-1] or not _is_set_up(words)]


def _is_set_up(words: Command) -> bool:
    return words[0] in _SET_UP and not _SET_UP[words[0]].isdisjoint(words[1:2])


def _is_speaker(commands: list[Command], error: str) -> Callable[[Command], bool]:
    """The first program of the line that begins a line of the error: `cat: …`; what others say may follow from it."""
    programs = {words[0] for words in commands}
    speaker = next((found[1] for found in _SPEAKER.finditer(error) if found[1] in programs), "")
    return lambda words: words[0] == speaker
