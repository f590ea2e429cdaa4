"""A call that worked and those that failed in, whether it only got round what the failures were told out."""

import re
from collections.abc import Iterable

from lessons.match.call import ToolCall
from lessons.shell.unsafe_options import LETTERS, LONG_OPTION

# What a trigger must not ask for either: some of these are right at times, but no pattern can tell when.
_DOUBTFUL = re.compile(
    r"--(?:force.*|no-(?:strict.*|audit|edit-check)|skip-.*|ignore-.*|allow-(?:unsafe.*|unrelated.*|empty|root)"
    r"|legacy-peer-deps|disable-.*|no-preserve-root|unsafe.*|overwrite|delete|prune|nodeps|no-deps|bypass.*)"
)
_CLUSTER = re.compile(r"-[A-Za-z0-9]+")
_ASSIGNMENT = re.compile(
    r"(?:HUSKY|LEFTHOOK|OVERCOMMIT_DISABLE|NODE_TLS_REJECT_UNAUTHORIZED|GIT_SSL_NO_VERIFY|PIP_BREAK_SYSTEM_PACKAGES"
    r"|SKIP|\w*(?:SKIP_|_SKIP|NO_VERIFY|INSECURE|DISABLE_|_DISABLE|FORCE)\w*)=.*"
)


def is_way_round(words: list[str], option: str) -> bool:
    """Whether this option makes the command do without a check, or destroy what stands in the way."""
    if LONG_OPTION.fullmatch(option) or _DOUBTFUL.fullmatch(option):
        return True
    if not _CLUSTER.fullmatch(option):
        return False
    return any(letter in option[1:] for name in _names(words) for letter in LETTERS.get(name, ""))


def goes_round(fix: ToolCall, failures: Iterable[ToolCall]) -> bool:
    """Whether the call that worked has such an option or assignment, and no failing one."""
    ways = _ways(fix)
    return bool(ways) and not any(ways & _ways(failure) for failure in failures)


def _ways(call: ToolCall) -> set[str]:
    found: set[str] = set()
    for texts in call.invocations():
        words = texts[-1].split(" ")
        found |= {
            name for word in words[1:] if (name := word.partition("=")[0])[:1] == "-" and is_way_round(words, name)
        }
        found |= {word.partition("=")[0] for word in texts[0].split(" ") if "=" in word and _ASSIGNMENT.fullmatch(word)}
    return found


def _names(words: list[str]) -> tuple[str, str]:
    """`git`, and `git push` also of `git -C folder push`."""
    behind = next((word for word in words[1:] if f"{words[0]} {word}" in LETTERS), "")
    return words[0], f"{words[0]} {behind}"
