"""What skips a check, forces, deletes or discards: no lesson may tell an agent to do it, and nothing may quote it."""

import re
from collections.abc import Collection, Iterator, Sequence

from lessons.shell.describe import LONGEST_LINE, program_of
from lessons.shell.split import invocations
from lessons.shell.tables import LOOK_OR_IDLE

# For every program.
_OPTION = re.compile(
    r"--no-(?:verify\S*|gpg-sign|check\S*|pre-commit|hooks?|strict-ssl)|--skip-\S*(?:check|hook|test|valid|verif|tls)\S*"
    r"|--(?:admin|force(?:-with-lease|-if-includes|-yes|-unsafe\S*)?|hard|discard-changes|insecure\S*|break-system-packages"
    r"|trusted-host|allow-unauthenticated|allow-dirty|accept-data-loss|ignore-certificate-errors|dangerous\S*"
    r"|disable-\S*(?:check|hook|verif)\S*)(?:=(?!(?:false|no|0)$)\S*)?"
    r"|--verify=(?:no|false|0)|-D(?:skipTests|skipITs|maven\.test\.skip)\S*|-auto-approve|-lock=false"
    r"|(?:-o)?StrictHostKeyChecking=no",
    re.IGNORECASE,
)
# Letters with the same meaning for one program, or for one of its sub-commands.
_LETTERS = {
    name: letters
    for letters, names in (
        ("f", "cp, docker rm, docker rmi, git add, git filter-branch, git rebase, git rm, git worktree, ln, mv, npm"),
        ("f", "pnpm, podman rm"),
        ("v", "docker compose down, docker-compose down"),
        ("9", "kill, killall, pkill"),
        ("fd", "git push, git tag"),
        ("x", "gradle, gradlew"),
        ("k", "curl"),
        ("d", "git update-ref"),
        ("n", "git commit"),
        ("rR", "rm"),
        ("DMf", "git branch"),
        ("fB", "git checkout"),
        ("fC", "git switch"),
        ("fdxX", "git clean"),
    )
    for name in names.split(", ")
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
    r"--(?:force.*|no-(?:strict.*|audit|edit-check)|skip(?:-.*)?|ignore-(?!case|space|white|blank).*"
    r"|allow-(?:unsafe.*|unrelated.*|empty|root|downgrade.*)|legacy-peer-deps|disable-.*|no-preserve-root|unsafe.*"
    r"|overwrite|delete.*|purge|prune|nodeps|no-deps|bypass.*|abort|discard.*)(?:=(?!(?:false|no|0)$).*)?|-delete"
)
_DOUBTFUL_ASSIGNMENT = re.compile(
    r"(?:HUSKY|LEFTHOOK|NODE_TLS_REJECT_UNAUTHORIZED|\w*(?:SKIP_|_SKIP|NO_VERIFY|INSECURE|DISABLE_|_DISABLE|FORCE)\w*)=.*"
)
# They run everything as another user, delete, or end what others run.
_FORCE = re.compile(r"(?:^|[;&|(]\s*)(?:\w+=\S*\s+)*(?:sudo|doas|rm|shred|kill|killall|pkill)(?=\s|$)")
# Programs, and verbs of other programs and tools, that do the same.
_FORCING = frozenset(
    "sudo doas rm shred kill killall pkill rmdir unlink truncate dropdb dropuser del erase rd taskkill dd mkfs wipefs"
    " shutdown reboot halt poweroff setenforce"
    " remove-item clear-content stop-process".split()
)
_VERBS = frozenset(
    "delete destroy discard drop erase flush flushall force kill prune purge remove rm rmi uninstall wipe".split()
)
# What these are given is text to write, find or ask for, and no call.
_TEXT_TOOLS = frozenset("Read Write Edit NotebookEdit Grep Glob Agent WebFetch WebSearch".split())
_WORD_OF_NAME = re.compile(r"[A-Z]?[a-z]+|[A-Z]+(?![a-z])")
# They throw away work that was not committed, or data, or hide that a command failed.
_DISCARD = re.compile(
    r"\bgit (?:checkout (?:\S+ )?(?:--(?:theirs|ours)?|\.)(?=\s|$)|restore\b(?! --staged)|stash (?:drop|clear)"
    r"|push (?:\S+ [:+]|.*--mirror)|reset --(?:keep|merge)|reflog expire|filter-(?:repo|branch)"
    r"|update-index --(?:assume-unchanged|skip-worktree))"
    r"|\b(?:svn revert|hg strip|(?:db|pg):(?:drop|reset)|dropDatabase\(|chmod (?:-\w+ )*0?777|iptables -F|ufw disable)"
    r"|(?:^|[;&|(])\s*(?::|true|cat /dev/null)?\s*>(?![>&])\s*(?!/dev/null)\S"
    r"|\b(?:drop (?:table|database|schema)|truncate table|delete from)\b"
    r"|(?:-X ?|--request[ =]|\bmethod\W{1,4})[\"']?DELETE\b|\b(?:rmtree|rmSync|unlinkSync|os\.remove|\.unlink)\("
    r"|\|\|\s*(?:true|:)(?=\s|[;)&|]|$)",
    re.IGNORECASE,
)
_FORCE_IN_PROSE = re.compile(
    r"\bforc(?:e|ing)[- ]?push|\b(?:skip|bypass|disabl|ignor|overrid)(?:e|es|ing|ping)? (?:[\w-]+ ){0,3}"
    r"(?:check|hook|test|lint|validation|verification|protection|rule)s?\b",
    re.IGNORECASE,
)


def is_unsafe_line(line: str) -> bool:
    """Whether a command of the line skips a check, forces, deletes or discards: nobody may be told to do the same."""
    line = line[:LONGEST_LINE]
    if _DISCARD.search(line) or _FORCE.search(line) or disables_check(line, ""):
        return True
    return any(_is_unsafe_command(text.split(" ")) for texts in invocations(line) for text in texts)


def _is_unsafe_command(words: list[str]) -> bool:
    program = words[0].lstrip("\\").rpartition("/")[2].lower().removesuffix(".exe")
    if program.partition(".")[0] in _FORCING:
        return True
    if any(may_bypass_check(words, word) for word in words[1:] if word[:1] in ("-", "S")):
        return True
    if any(may_disable_check(word) for word in words if "=" in word):
        return True
    plain = [word for word in words[1:] if word[:1] != "-"]
    return program not in LOOK_OR_IDLE and not _VERBS.isdisjoint(plain[:2])


def is_unsafe_call(tool: str, command: str, arguments: object) -> bool:
    """Whether nobody may be told to make this call; `tool` is the name that lessons use for it."""
    if command:
        return is_unsafe_line(command)
    return tool not in _TEXT_TOOLS and is_unsafe_request(tool, arguments)


def is_unsafe_request(tool: str, arguments: object) -> bool:
    """The same for a tool that is no shell: by its name, its switches, and lines among its arguments."""
    if not _VERBS.isdisjoint(word.lower() for word in _WORD_OF_NAME.findall(tool)):
        return True
    return any(is_unsafe_line(text) for text in _texts(arguments))


def _texts(value: object, name: str = "") -> Iterator[str]:
    """Yields every line among the arguments; a switch that is on as an option."""
    if isinstance(value, str):
        yield f"request {value.lower()}" if value.lower() in _VERBS else value
    elif value is True:
        yield f"request --{name.replace('_', '-')}"
    elif isinstance(value, dict):
        for key, inner in value.items():
            yield from _texts(inner, str(key))
    elif isinstance(value, list):
        for inner in value:
            yield from _texts(inner, name)


def names_unsafe(sentence: str) -> bool:
    """Whether a sentence speaks of skipping a check, forcing or deleting."""
    parts = sentence.split("`")
    if bypasses_check(" ".join(parts).split()) or any(map(forces, parts)) or _FORCE_IN_PROSE.search(sentence):
        return True
    return any(is_unsafe_line(code) for code in parts[1::2])


def forces(command: str) -> bool:
    """Whether a command of the line takes rights or deletes: that it helped once does not make it a remedy."""
    return _FORCE.search(command) is not None


def bypasses_check(words: Sequence[str], before: Collection[str] = ()) -> bool:
    """Whether a command has an unsafe option that is not among the words `before`."""
    return any(_is_unsafe(words, word) for word in words if word[:1] in ("-", "S") and word not in before)


def disables_check(line: str, before: str) -> bool:
    """Whether a line has an assignment or setting that disables a check, and the line `before` has not."""
    set_now = [found[1] for found in _ASSIGNMENT.finditer(line)] if "=" in line else []
    if any(text not in before for text in set_now):
        return True
    return _SETTING.search(line) is not None and not _SETTING.search(before)


def may_bypass_check(words: Sequence[str], option: str) -> bool:
    """Whether this option of the command skips a check, always or sometimes."""
    return _DOUBTFUL_OPTION.fullmatch(option) is not None or _is_unsafe(words, option)


def may_disable_check(assignment: str) -> bool:
    return _ASSIGNMENT.fullmatch(assignment) is not None or _DOUBTFUL_ASSIGNMENT.fullmatch(assignment) is not None


def _is_unsafe(words: Sequence[str], option: str) -> bool:
    if _OPTION.fullmatch(option):
        return True
    letters = _CLUSTER.fullmatch(option)
    if not letters:
        return False
    program, sub_command = program_of(" ".join(words))
    unsafe = _LETTERS.get(f"{program} {sub_command}") or _LETTERS.get(program, "")
    return any(letter in unsafe for letter in letters[1])
