"""Finds matches in a whole command line that count although no single command matches from its start.

For lessons that prevent calls and do not name `matchOn`. Their patterns may be about a sub-command, an option or a
file, or join several commands: `push.*--force`, `curl.*\\| *sh`. A match that only mentions a program, as in
`cat pytest.ini`, does not count. So a match counts

- anywhere, if it does not begin with the name of a known program, or if its pattern names an operator;
- otherwise where a command starts: there the line shows operators, redirections and quoted text too.
"""

from lessons.match.rule import find, is_vetoed
from lessons.shell.fast import is_assignment
from lessons.shell.global_options import GLOBAL_OPTIONS
from lessons.shell.split import invocations

TYPE_CHECKING = False
if TYPE_CHECKING:
    import re

    from lessons.match.call import ToolCall
    from lessons.match.rule import Rule

    Mentions = list[re.Match[str]]

# Only names that mean hardly anything else: not `reset`, `install` or `truncate`, which are also parts of commands.
# A name that is missing here is searched anywhere, so the lesson fires too often rather than never.
PROGRAMS = frozenset(
    "ansible-playbook apk awk bash black cat cd chgrp chmod chown cmake cp createdb crontab curl dd deno"
    " diskutil dotnet dropdb echo egrep emacs eslint fdisk find flake8 gawk gcc gem gpg grep halt iptables java"
    " javac jest kill killall ln ls mkdir mkfs mocha mongo mongosh mv mypy mysql mysqldump nano nc ninja node"
    " npx openssl osascript pacman parted perl pg_dump pg_restore php pipenv pipx pkill poweroff prettier printf"
    " psql pylint pytest python rails rake reboot redis-cli rg rm rmdir rsync ruby rustc rustup scp sed sftp sh"
    " shred shutdown sqlite3 ssh ssh-keygen su sudo svn tar tee telnet touch tox tsc ufw umount unzip useradd"
    " userdel usermod vi vim vitest wget xargs yum zip zsh".split()
) | {name for name in GLOBAL_OPTIONS if " " not in name}
_VERSION = "0123456789."
_JOINS = "-_.+"  # they are part of a program's name
_OPERATORS = "|;&<>"
_GROUPS = ("(?P<", "(?P>", "(?<", "(?>")
# Names a place in the line; a plain word, so that the line is parsed as before.
_MARK = "lessons_match_"
_MOST_MENTIONS = 50


def number_that_counts(rule: "Rule", call: "ToolCall") -> int | None:
    """Returns the number of the first pattern with a match that counts."""
    line = call.command or ""
    if is_vetoed(rule, (line,)):
        return None
    for number, pattern in enumerate(rule.command):
        is_joined = names_operator(pattern.pattern)
        mentions: Mentions = []
        match = find(pattern, line)
        while match and len(mentions) < _MOST_MENTIONS:
            if is_joined or not is_program(first_word(match.group())):
                return number
            mentions.append(match)
            match = find(pattern, line, match.start() + 1)
        if mentions and _start_a_command(mentions, call):
            return number
    return None


def _start_a_command(mentions: "Mentions", call: "ToolCall") -> bool:
    """Whether one of the matches begins where a command starts, after wrappers such as `sudo` or in `bash -c` too."""
    line, marked, end = call.command or "", "", 0
    for mention in mentions:
        begin = mention.end() - len(mention.group().lstrip())
        marked += line[end:begin] + _MARK
        end = begin
    for texts in invocations(marked + line[end:], call.dialect):
        for text in texts:
            word = text.partition(" ")[0]
            if _MARK in word and not is_assignment(word):  # in `pnpm publish`, `npm publish` begins within the program
                return True
    return False


def first_word(text: str) -> str:
    """Returns the name of a program with which the text begins; empty if it begins with another sign."""
    text = text.lstrip()
    end = 0
    while end < len(text) and (text[end].isalnum() or text[end] in _JOINS):
        end += 1
    return text[:end]


def is_program(word: str) -> bool:
    return word in PROGRAMS or word.rstrip(_VERSION) in PROGRAMS


def names_operator(source: str) -> bool:
    """Whether a regex has an operator or a redirection as such, not only among characters that it excludes."""
    position = 0
    while position < len(source):
        char, step = source[position], 1
        if char == "\\":
            if source[position + 1 : position + 2] in (*_OPERATORS, "n"):
                return True
            step = 2
        elif char == "[":
            end = position + 2
            while end < len(source) and source[end] != "]":
                end += 2 if source[end] == "\\" else 1
            if source[position + 1] != "^" and any(sign in source[position:end] for sign in _OPERATORS):
                return True
            step = end + 1 - position
        elif char == "(":
            opening = next((each for each in _GROUPS if source.startswith(each, position)), "")
            step = len(opening) or 1
            if opening.endswith("P<") or (opening == "(?<" and source[position + 3] not in "=!"):
                step = source.find(">", position) + 1 - position or len(source)
        elif char in ";&<>":
            return True
        position += step
    return False
