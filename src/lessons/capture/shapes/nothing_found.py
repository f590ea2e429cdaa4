"""A failed call in, whether it only looked for something that is not there out."""

import re

from lessons.capture.command_line import parts, working
from lessons.episode import Step

# Commands that change nothing: what they do not find is an answer.
_LOOKING = frozenset(
    "ls cat head tail find stat file which type whereis test [ [[ grep rg egrep fgrep ag ack wc tree pgrep diff cmp du"
    " realpath readlink dirname basename lsof ps jq yq sed awk less more nl sort uniq cut comm look locate fd bat eza"
    " exa lsd command hash id env printenv pwd whoami uname dpkg-query rpm sha256sum md5sum xxd od strings zgrep".split()
)
_ABSENT = re.compile(
    r"No such file or directory|[Cc]annot access|[Dd]oes not exist|[Nn]ot found|ENOENT|[Nn]o such|can't read|can't open"
)
_GONE = re.compile(r"^(?:.{0,100}: )?[Nn]o (?:such process|matching processes)")
_WRITES = re.compile(r"(?<![&\d])>>? ?(?![&]|/dev/null)")
_QUIET = 1  # exit status of programs that found nothing


def found_nothing(step: Step, text: str) -> bool:
    """Without a word, or with the word that a file is not there, from commands that only look."""
    if not text or _GONE.search(text):
        return True
    line = parts(step.command)
    looks = (
        bool(line)
        and not _WRITES.search(step.command)
        and all(line[index].program in _LOOKING for index in working(line))
    )
    if not looks:
        return False
    return step.exit_code == _QUIET and not _complains(text) or (_ABSENT.search(text) is not None)


def _complains(text: str) -> bool:
    """Whether something in it is a program's own complaint, and not what was found."""
    return re.search(r"^[\w./-]{1,40}: (?:line \d+: )?\S", text, re.MULTILINE) is not None
