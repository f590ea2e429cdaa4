"""Options that skip a check, discard work or trust everybody: no lesson may tell an agent to use them."""

import re
from collections.abc import Collection, Sequence

from lessons.shell.line import LONGEST_LINE, parts
from lessons.shell.program import program_of

# For every program.
_OPTION = re.compile(
    r"--no-(?:verify\S*|gpg-sign|check\S*|pre-commit|hooks?|strict-ssl)|--skip-\S*(?:check|hook|test|valid|verif|tls)\S*"
    r"|--(?:admin|force(?:-with-lease|-if-includes|-yes|-unsafe\S*)?|hard|discard-changes|insecure\S*|break-system-packages"
    r"|trusted-host|allow-unauthenticated|allow-dirty|accept-data-loss|ignore-certificate-errors|dangerous\S*"
    r"|disable-\S*(?:check|hook|verif)\S*)(?:=(?!false|no|0)\S*)?"
    r"|--verify=(?:no|false|0)|-D(?:skipTests|skipITs|maven\.test\.skip)\S*|-auto-approve|-lock=false"
    r"|(?:-o)?StrictHostKeyChecking=no",
    re.IGNORECASE,
)
# Letters with the same meaning for one program, or for one of its sub-commands.
_LETTERS = {
    "cp": "f",
    "curl": "k",
    "docker compose down": "v",
    "docker rm": "f",
    "docker rmi": "f",
    "docker-compose down": "v",
    "git add": "f",
    "git branch": "DMf",
    "git checkout": "fB",
    "git clean": "fdxX",
    "git commit": "n",
    "git push": "fd",
    "git rebase": "f",
    "git rm": "f",
    "git switch": "fC",
    "git tag": "fd",
    "git worktree": "f",
    "gradle": "x",
    "gradlew": "x",
    "kill": "9",
    "killall": "9",
    "ln": "f",
    "mv": "f",
    "npm": "f",
    "pkill": "9",
    "pnpm": "f",
    "podman rm": "f",
    "rm": "rRf",
}
_CLUSTER = re.compile(r"-([A-Za-z\d]{1,8})")
# These disable hooks, validation or certificates.
_ASSIGNMENT = re.compile(
    r"(?:^|[\s;&|(])((?:(?:HUSKY|LEFTHOOK|PYTHONHTTPSVERIFY|NODE_TLS_REJECT_UNAUTHORIZED)=[\"']?0"
    r"|(?:SKIP|OVERCOMMIT_DISABLE|GIT_SSL_NO_VERIFY|PIP_BREAK_SYSTEM_PACKAGES|PRE_COMMIT_ALLOW_NO_CONFIG)="
    r"|\w{0,40}(?:SKIP|BYPASS|DISABLE|NO)_\w{0,40}(?:CHECK|HOOK|TEST|VALID|VERIF|LINT|GUARD)\w{0,20}=)\S*)"
)
_SETTING = re.compile(
    r"\b(?:core\.hookspath|(?:http\.sslverify|commit\.gpgsign|strict-ssl)[ =](?:false|0)|reject_unauthorized[ =]0)\b",
    re.IGNORECASE,
)
# Some of these are legitimate at times, but no pattern can decide when: a trigger must not ask for them either.
_DOUBTFUL_OPTION = re.compile(
    r"--(?:force.*|no-(?:strict.*|audit|edit-check)|skip-.*|ignore-.*|allow-(?:unsafe.*|unrelated.*|empty|root)"
    r"|legacy-peer-deps|disable-.*|no-preserve-root|unsafe.*|overwrite|delete|prune|nodeps|no-deps|bypass.*)"
)
_DOUBTFUL_ASSIGNMENT = re.compile(
    r"(?:HUSKY|LEFTHOOK|NODE_TLS_REJECT_UNAUTHORIZED|\w*(?:SKIP_|_SKIP|NO_VERIFY|INSECURE|DISABLE_|_DISABLE|FORCE)\w*)=.*"
)
# They run everything as another user, delete, or end what others run.
_FORCE = re.compile(r"(?:^|[;&|(]\s*)(?:\w+=\S*\s+)*(?:sudo|doas|rm|shred|kill|killall|pkill)(?=\s|$)")
# They throw away work that was not committed, or data.
_DISCARD = re.compile(
    r"\bgit (?:checkout (?:\S+ )?--(?=\s)|restore\b(?! --staged)|stash (?:drop|clear)|push \S+ :)"
    r"|\b(?:drop (?:table|database|schema)|truncate table)\b",
    re.IGNORECASE,
)


def is_unsafe_line(line: str) -> bool:
    """Whether a command of the line skips a check, forces, deletes or discards: nobody may be told to do the same."""
    line = line[:LONGEST_LINE]
    if forces(line) or _DISCARD.search(line) or sets_check_off(line, ""):
        return True
    return any(bypasses_check(part.words) for part in parts(line))


def forces(command: str) -> bool:
    """Whether a command of the line takes rights or deletes: that it helped once does not make it a remedy."""
    return _FORCE.search(command) is not None


def bypasses_check(words: Sequence[str], before: Collection[str] = ()) -> bool:
    """Whether a command has an unsafe option that is not among the words `before`."""
    return any(_is_unsafe(words, word) for word in words if word[:1] in ("-", "S") and word not in before)


def sets_check_off(line: str, before: str) -> bool:
    """Whether a line has an assignment or setting that disables a check, and the line `before` has not."""
    set_now = [found[1] for found in _ASSIGNMENT.finditer(line)] if "=" in line else []
    if any(text not in before for text in set_now):
        return True
    return _SETTING.search(line) is not None and not _SETTING.search(before)


def may_bypass_check(words: Sequence[str], option: str) -> bool:
    """Whether this option of the command skips a check, always or sometimes."""
    return _DOUBTFUL_OPTION.fullmatch(option) is not None or _is_unsafe(words, option)


def may_set_check_off(assignment: str) -> bool:
    return _ASSIGNMENT.fullmatch(assignment) is not None or _DOUBTFUL_ASSIGNMENT.fullmatch(assignment) is not None


def _is_unsafe(words: Sequence[str], option: str) -> bool:
    if _OPTION.fullmatch(option):
        return True
    letters = _CLUSTER.fullmatch(option)
    return letters is not None and any(letter in _unsafe_letters(words) for letter in letters[1])


def _unsafe_letters(words: Sequence[str]) -> str:
    program, sub_command = program_of(" ".join(words))
    return _LETTERS.get(f"{program} {sub_command}") or _LETTERS.get(program, "")
