"""A pair and its change in, whether what worked only got round a check, or destroys something out."""

import re

from lessons.capture.program import program_of
from lessons.capture.signals.difference import Words
from lessons.capture.signals.pair import Pair
from lessons.episode import Change

# Of every program: what leaves out a check, what throws away, what trusts everybody.
_LONG = re.compile(
    r"--no-(?:verify\S*|gpg-sign|check\S*|pre-commit|hooks?|strict-ssl)|--skip-\S*(?:check|hook|test|valid|verif|tls)\S*"
    r"|--(?:force(?:-with-lease|-if-includes|-yes|-unsafe\S*)?|hard|discard-changes|insecure\S*|break-system-packages"
    r"|trusted-host|allow-unauthenticated|allow-dirty|accept-data-loss|ignore-certificate-errors|dangerous\S*"
    r"|disable-\S*(?:check|hook|verif)\S*)(?:=(?!false|no|0)\S*)?"
    r"|--verify=(?:no|false|0)|-D(?:skipTests|skipITs|maven\.test\.skip)\S*|-auto-approve|-lock=false"
    r"|(?:-o)?StrictHostKeyChecking=no",
    re.IGNORECASE,
)
# Letters that say the same of one program, or of one of its sub-commands.
_SHORT = {
    "git commit": "n",
    "git push": "f",
    "git checkout": "f",
    "git switch": "fC",
    "git clean": "fxX",
    "git branch": "DMf",
    "git tag": "f",
    "git rm": "f",
    "git add": "f",
    "git worktree": "f",
    "rm": "rRf",
    "curl": "k",
    "npm": "f",
    "pnpm": "f",
    "docker rm": "f",
    "docker rmi": "f",
    "docker compose down": "v",
    "docker-compose down": "v",
    "podman rm": "f",
    "gradle": "x",
    "gradlew": "x",
    "kill": "9",
    "pkill": "9",
    "killall": "9",
}
_LETTERS = re.compile(r"-([A-Za-z\d]{1,8})")
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
    letters = {letter for word in came if (found := _LETTERS.fullmatch(word)) for letter in found[1]}
    return any(map(_LONG.fullmatch, came)) or not letters.isdisjoint(_dangerous(words))


def _dangerous(words: Words) -> frozenset[str]:
    program, subcommand = program_of(" ".join(words))
    return frozenset(_SHORT.get(f"{program} {subcommand}".strip()) or _SHORT.get(program, ""))
