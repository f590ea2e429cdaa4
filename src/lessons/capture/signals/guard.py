"""A pair and its change in, whether what worked only got round a check, or destroys something out."""

import re

from lessons.capture.signals.difference import Words
from lessons.capture.signals.pair import Pair
from lessons.episode import Change
from lessons.shell.program import program_of
from lessons.shell.unsafe_options import LETTERS, LONG_OPTION

_CLUSTER = re.compile(r"-([A-Za-z\d]{1,8})")
# Settings that switch hooks, validation or certificates off.
_ASSIGNMENT = re.compile(
    r"(?:^|[\s;&|(])((?:(?:HUSKY|LEFTHOOK|PYTHONHTTPSVERIFY|NODE_TLS_REJECT_UNAUTHORIZED)=[\"']?0"
    r"|(?:SKIP|OVERCOMMIT_DISABLE|GIT_SSL_NO_VERIFY|PIP_BREAK_SYSTEM_PACKAGES|PRE_COMMIT_ALLOW_NO_CONFIG)="
    r"|\w{0,40}(?:SKIP|BYPASS|DISABLE|NO)_\w{0,40}(?:CHECK|HOOK|TEST|VALID|VERIF|LINT|GUARD)\w{0,20}=)\S*)"
)
_SETTING = re.compile(
    r"\b(?:core\.hookspath|(?:http\.sslverify|commit\.gpgsign|strict-ssl)[ =](?:false|0)|reject_unauthorized[ =]0)\b",
    re.IGNORECASE,
)
_READ = 4096


def gets_round(change: Change, pair: Pair) -> bool:
    """Only what the failed call did not have: who always forces is not told to by this."""
    if _risks(pair.after.words, pair.before.words) or _risks(tuple(change.after.split()), pair.before.words):
        return True
    failed, fixed = pair.failure.command[:_READ], f"{pair.fix.command[:_READ]}\n{change.after}"
    set_now = [found[1] for found in _ASSIGNMENT.finditer(fixed)] if "=" in fixed else []
    if any(text not in failed for text in set_now):
        return True
    return _SETTING.search(fixed) is not None and not _SETTING.search(failed)


def _risks(words: Words, known: Words) -> bool:
    came = [word for word in words if word[:1] in "-S" and word not in known]
    if not came:
        return False
    letters = {letter for word in came if (found := _CLUSTER.fullmatch(word)) for letter in found[1]}
    return any(map(LONG_OPTION.fullmatch, came)) or not letters.isdisjoint(_dangerous(words))


def _dangerous(words: Words) -> frozenset[str]:
    program, subcommand = program_of(" ".join(words))
    return frozenset(LETTERS.get(f"{program} {subcommand}".strip()) or LETTERS.get(program, ""))
