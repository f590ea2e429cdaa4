"""What a shell line is: its commands, the program that does its work, whether it only looks or can hide a failure."""

import re
from collections.abc import Iterator, Sequence
from functools import lru_cache
from typing import TYPE_CHECKING

from lessons.shell.command import Code, Command, Known
from lessons.shell.fast import after_assignments
from lessons.shell.global_options import GLOBAL_OPTIONS, forms
from lessons.shell.parser import Script
from lessons.shell.places import own_commands
from lessons.shell.split import command_texts, invocations
from lessons.shell.starts import after_options
from lessons.shell.tables import CHANGE_FOLDER, EDIT_IN_PLACE, LOOK_OR_IDLE, SHELLS, STARTERS

if TYPE_CHECKING:
    from lessons.shell.command import Payload

LONGEST_LINE = 4096  # characters read of one line
_SCRIPT_DEPTH = 3  # how many nested shells are followed
_MOST_CARRIERS = 6  # inside each other

# Programs whose first plain argument is a sub-command, with the options before it that take the next word.
_SUB_COMMANDS = {
    "forge": " --root",
    "rake": "f --rakefile",
    **dict.fromkeys(
        "ansible-galaxy bundle dart deno dotnet expo gem mix next nx pipenv pipx pixi prisma rails rustup snap swift"
        " zig".split(),
        "",
    ),
    **{program: with_value for program, (with_value, _) in GLOBAL_OPTIONS.items()},
}
# Where one word is too vague; an empty string means every first word.
_TWO_SUB_COMMANDS = {
    "aws": frozenset(("",)),
    "az": frozenset(("",)),
    "docker": frozenset(("compose", "buildx", "container", "image", "network", "volume", "system")),
    "gcloud": frozenset(("",)),
    "gh": frozenset(("",)),
    "glab": frozenset(("",)),
    "podman": frozenset(("compose",)),
    "supabase": frozenset(("",)),
    "uv": frozenset(("pip", "tool", "python")),
}

_RUN_SCRIPT = frozenset(("run", "run-script", "task", "exec", "x", "dlx"))  # sub-commands that run a script
# They prepare, print, test or change the shell; another command of the line does the work.
_SET_UP = CHANGE_FOLDER | frozenset(
    "export source . set unset alias shopt ulimit umask trap local declare typeset readonly"
    " popd echo printf sleep true false : test [ [[ wait exit return".split()
)
# They only pass a text to the next command of a pipe, or only show a part of their input.
_FEEDERS = frozenset(("cat", "yes"))
_FILTERS = frozenset(
    "awk bat cat column cut egrep fgrep fold gawk grep head jq less more nl rev rg sed sort tac tail tee tr uniq"
    " wc yq".split()
)
_RUN_SCRIPT_IN_ARGUMENTS = frozenset((*SHELLS, "eval", "su", "watch"))
_ELSEWHERE = tuple(name for name, row in STARTERS.items() if "elsewhere" in row)
_PROGRAM = re.compile(r"[A-Za-z0-9_][\w.+-]{0,63}")
_SUB_COMMAND = re.compile(r"[a-z][a-z0-9]*(?:[-:_][a-z0-9]+)*")
_LONGEST_SUB_COMMAND = 40
_LOOKING_VERBS = frozenset(
    "list ls show status view get describe info log logs ps inspect search diff blame rev-parse ls-files ls-remote"
    " ls-tree reflog why outdated help version checks top images history explain doctor shortlog cat-file"
    " whoami".split()
)
_LOOKING_OPTIONS = frozenset(("--help", "--version", "--dry-run", "--list", "--status"))
_LOOK_ALONE = frozenset(("branch", "remote", "tag", "stash"))  # they only look if nothing follows
_ADD = frozenset(("install", "add"))
_IN_PLACE = re.compile(r"-[A-Za-z]{0,3}i.*|--in-?place.*")
_OF_FIND = re.compile(r"-exec\w*|-delete")
_DISCARDED = re.compile(r"[2&]>>? ?/dev/null|> ?/dev/null +2>&1|2>&-")


@lru_cache(maxsize=64)
def parts(command: str) -> tuple[Command, ...]:
    """Returns the commands of the line itself, without those inside `$(…)` and without bare assignments.

    Their words and texts are those behind all wrappers.
    """
    commands = own_commands(command[:LONGEST_LINE])
    commands = [one for one in commands if after_assignments(one.words, 0) < len(one.words)]
    for one in commands:
        one.input, one.known = None, Known()  # only the scripts in its arguments are its own
        one.texts, inner = command_texts(one)
        one.words = one.texts[-1].split(" ")
        one.inner = [code.text for code in inner if isinstance(code, Code) and code.text]
    return tuple(commands)


def working(line: tuple[Command, ...]) -> list[int]:
    """Returns the indexes of the commands that do the work of the line."""
    found = []
    for index, part in enumerate(line):
        following = line[index + 1].program if part.operator == "|" and index + 1 < len(line) else ""
        feeds = part.program in _FEEDERS and following != "" and following not in _FILTERS
        if part.program not in _SET_UP and not feeds:
            found.append(index)
    return found


def program_of(command: str) -> tuple[str, str]:
    """Returns the first command of the line that does work, as (`git`, `commit`); empty strings if there is none."""
    return _program_of(command[:LONGEST_LINE])  # cut first, to keep the cache small


@lru_cache(maxsize=4096)
def _program_of(command: str) -> tuple[str, str]:
    return _of_line(command, 0)


def _of_line(command: str, depth: int) -> tuple[str, str]:
    line = parts(command)
    for index in working(line):
        found = _of_part(line[index], depth)
        if found[0]:
            return found
    if "$(" in command or "`" in command:  # the work is done inside `x=$(…)` or `echo "$(…)"`
        for texts in invocations(command):
            words = texts[-1].split(" ")
            if words[0] not in _SET_UP and (name := _name(words[0])):
                return name, _sub_command(name, words)
    return (_name(line[0].program), "") if line else ("", "")


def _of_part(part: Command, depth: int) -> tuple[str, str]:
    if part.inner and part.program in _RUN_SCRIPT_IN_ARGUMENTS and depth < _SCRIPT_DEPTH:
        found = _of_line(part.inner[0], depth + 1)
        if found[0]:
            return found
    name = _name(part.program)
    return name, _sub_command(name, part.words)


def _name(word: str) -> str:
    """Returns `git` for `git.exe`, `tsc` for `tsc@5`; empty for `$TOOL` and anything else that is not a name."""
    name = word.rpartition("/")[2].partition("@")[0].removesuffix(".exe")
    return name if _PROGRAM.fullmatch(name) else ""


def _sub_command(name: str, words: list[str]) -> str:
    if name not in _SUB_COMMANDS:
        return ""
    first, index = _plain_word(words, 1, _SUB_COMMANDS[name])
    second_for = _TWO_SUB_COMMANDS.get(name)
    if not first or second_for is None or not ("" in second_for or first in second_for):
        return first
    second, _ = _plain_word(words, index, _SUB_COMMANDS["docker-compose" if first == "compose" else name])
    return f"{first} {second}" if second else first


def _plain_word(words: list[str], index: int, with_value: str) -> tuple[str, int]:
    """Returns the first word from `index` on that is not an option, if it looks like a command, and the next index."""
    while (index := after_options(words, index, with_value)) < len(words):
        word = words[index]
        index += 1
        is_plain = word[:1] != "+" and not word.isdigit() and not (word[:1].isalpha() and "=" in word)
        if is_plain:  # `+nightly` selects a toolchain
            return (word if len(word) <= _LONGEST_SUB_COMMAND and _SUB_COMMAND.fullmatch(word) else "", index)
    return "", index


def looks(part: Command) -> bool:
    """Decides by program, sub-command and options."""
    words = part.words
    if any(">" in one and ">&" not in one and not one.endswith("/dev/null") for one in part.redirections):
        return False
    if part.program == "find":
        return not any(_OF_FIND.fullmatch(word) for word in words[1:])
    if part.program in LOOK_OR_IDLE:
        return not (part.program in EDIT_IN_PLACE and any(_IN_PLACE.fullmatch(word) for word in words[1:]))
    if not _LOOKING_OPTIONS.isdisjoint(words):
        return True
    plain = [word for word in words[1:] if not word.startswith("-")]
    if not plain or plain[0] in _RUN_SCRIPT or plain[0] in _ADD or (words[0], plain[0]) == ("go", "get"):
        return False
    if plain[0] in _LOOK_ALONE:
        return (len(plain) == 1 and plain[0] != "stash") or plain[1:2] in (["list"], ["show"])
    return any(word in _LOOKING_VERBS or word.startswith("list-") for word in plain[:2])


def only_looks(command: str) -> bool:
    """Whether every command of the line only looks."""
    return all(map(looks, parts(command[:LONGEST_LINE])))


def hides_exit(command: str) -> bool:
    """Whether the shell may report success although a command that does the work failed."""
    return _hides_exit(command[:LONGEST_LINE])


def hides_errors(command: str) -> bool:
    """Whether neither exit code nor output may show a failure: `make 2>/dev/null | head`."""
    return bool(_DISCARDED.search(command[:LONGEST_LINE])) and hides_exit(command)


@lru_cache(maxsize=1024)
def _hides_exit(command: str) -> bool:
    return _hides(command, 0)


def _hides(command: str, depth: int) -> bool:
    line = parts(command)
    options = _options(line)
    piped_safely = "pipefail" in options or "pipestatus" in command.lower()
    # `exit` or `exit $status` at the end returns a saved exit code.
    ends_with_status = line and line[-1].program == "exit" and all(word[:1] == "$" for word in line[-1].words[1:2])
    listed_safely = "e" in options or ends_with_status
    for index in working(line):
        part = line[index]
        if part.operator in ("||", "&") or (part.operator == "|" and not piped_safely):
            return True
        if part.operator in (";", "\n") and index < len(line) - 1 and not listed_safely:
            return True
        inner = part.inner if depth < _SCRIPT_DEPTH and part.program in _RUN_SCRIPT_IN_ARGUMENTS else []
        if any(_hides(one, depth + 1) for one in inner):
            return True
    return False


def _options(line: tuple[Command, ...]) -> set[str]:
    """Returns what `set` turned on anywhere in the line: single letters, and the names after `-o`."""
    found: set[str] = set()
    for part in line:
        if part.program == "set":
            for word in part.words[1:]:
                found |= {"e"} if word == "errexit" else {word}
                if word[:1] == "-":
                    found |= set(word[1:])
    return found


def carrier(command: str, program: str) -> str:
    """Returns `docker exec` or `ssh` if the line starts the program only through it; else an empty text."""
    found = list(_carriers([Code(command[:LONGEST_LINE])], program, "", 0))
    return found[0] if found and all(found) else ""


def _carriers(payloads: "Sequence[Payload]", program: str, outer: str, depth: int) -> Iterator[str]:
    """Yields what carries the program, for each of its starts; an empty text where it runs here."""
    if depth > _MOST_CARRIERS:
        return
    for payload in payloads:
        inner: list[Payload] = []
        name = ""
        if isinstance(payload, Code):
            Script(payload.text, 0, len(payload.text), inner).read()
        else:
            texts, inner = command_texts(payload)
            if any(text.partition(" ")[0] == program for text in texts):
                yield outer
            shown = [f"{form} " for text in texts for form in forms(text)]
            name = next((name for text in shown for name in _ELSEWHERE if text.startswith(f"{name} ")), "")
        yield from _carriers(inner, program, outer or name, depth + 1)
