"""The shell ran the text between backquotes, or could not parse it."""

import re

from lessons.capture.wording.causes.cause import Cause
from lessons.episode import Episode
from lessons.failure.telling_line import telling_line
from lessons.shell.missing import is_said_by_shell

_NOT_READ = re.compile(r"unmatched|parse error|command substitution|unexpected EOF|looking for matching ``'")
_BETWEEN_DOUBLE_QUOTES = re.compile(r"""^(?:[^'"\\]|\\.|'[^']*'|"[^"`\\]*")*"(?:[^"`\\]|\\.)*`""")
_LONGEST_COMMAND = 4096
PROBLEM = "The shell runs what stands between backquotes, inside double quotes too"
REMEDY = "Put the text between single quotes, or into a file"


def cause(episode: Episode) -> Cause | None:
    line, command = telling_line(episode.failure.error), episode.failure.command[:_LONGEST_COMMAND]
    if not is_said_by_shell(line) or not _NOT_READ.search(line) or not _BETWEEN_DOUBLE_QUOTES.search(command):
        return None
    return Cause(PROBLEM, REMEDY, episode.change.kind == "quoting")
