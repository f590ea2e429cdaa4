"""Whether a failed call only searched for something that does not exist."""

import re

from lessons.episode import Step
from lessons.shell.line import parts, working
from lessons.shell.looks import is_looking_program, looks
from lessons.shell.programs import SHELLS

_ABSENT = re.compile(
    r"No such file or directory|[Cc]annot access|[Dd]oes not exist|[Nn]ot found|ENOENT|[Nn]o such|can't read|can't open"
)
_GONE = re.compile(r"^(?:.{0,100}(?:: |- ))?[Nn]o (?:such process|matching processes)", re.MULTILINE)
_WRITES = re.compile(r"(?<![&\d])>>? ?(?![&]|/dev/null)")
_SPEAKER = re.compile(r"^((?:[\w.-]{0,30}/){0,5}[A-Za-z][\w.-]{0,40}): (?:line \d+: )?\S", re.MULTILINE)
_SEARCH = frozenset("grep egrep fgrep rg ag ack".split())
_QUIET = 1  # exit status of programs that found nothing


def only_looks(step: Step) -> bool:
    line = parts(step.command)
    return (
        bool(line)
        and not _WRITES.search(step.command)
        and all(is_looking_program(line[index]) for index in working(line))
    )


def found_nothing(step: Step, text: str) -> bool:
    """Whether a command that only looks failed silently, or because a file is missing."""
    if not text or _GONE.search(text) or _only_reports(step, text):
        return True
    if not only_looks(step):
        return False
    return (step.exit_code == _QUIET and not _complains(step, text)) or _ABSENT.search(text) is not None


def _only_reports(step: Step, text: str) -> bool:
    """Whether a line that ends in a search changes nothing and has no error message: the search found nothing."""
    line = parts(step.command)
    if not line or line[-1].program not in _SEARCH or step.exit_code not in (_QUIET, None):
        return False
    return all(map(looks, line)) and not _complains(step, text)


def _complains(step: Step, text: str) -> bool:
    """Whether one of the programs, or a shell, has an error message; everything else is search results."""
    speakers = {name.rpartition("/")[2] for name in _SPEAKER.findall(text)}
    return not speakers.isdisjoint(part.program for part in parts(step.command)) or not speakers.isdisjoint(SHELLS)
