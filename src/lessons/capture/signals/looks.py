"""A step in, the command of it that changes something out: what only looks cannot have helped."""

import re

from lessons.capture.signals.content import around
from lessons.episode import Step
from lessons.shell.line import LONGEST_LINE, Part, parts

_MOST = 50  # commands of a line
_LOOKERS = frozenset(
    "ls cat head tail grep egrep fgrep rg ag find fd echo printf pwd which whereis type command ps sleep date stat wc"
    " tree env printenv lsof sed awk jq yq diff cmp sort uniq cut file du df id whoami hostname uname man less more"
    " test [ [[ true cd pushd popd set wait exit xxd od base64 column tr nl".split()
)
_VERBS = frozenset(
    "list ls show status view get describe info log logs ps inspect search diff blame rev-parse ls-files ls-remote"
    " reflog why outdated help version checks top images history explain doctor shortlog cat-file whoami".split()
)
_ASKS = frozenset(("--help", "--version", "--dry-run", "--list", "--status"))
_NAMES_ALONE = frozenset(("branch", "remote", "tag", "stash"))  # they look unless more is said
_RUNS = frozenset(("run", "exec", "x", "dlx", "install", "add"))
_WRITES = re.compile(r"\d?>>?(?!&)\|?(?P<target>.*)")
_SILENCES = re.compile(r"\d?>&\d|[\d&]?>>?/dev/null")
_IN_PLACE = re.compile(r"-\w*i.*|--in-place.*|-exec\w*|-delete")
_LOOKING_TOOL = re.compile(
    r"(?:\A|_)(?:get|list|read|search|find|snapshot|view|status|describe|fetch|query|console)(?:_|\Z)"
)
_LOOKING_TOOLS = frozenset(("Read", "Glob", "Grep", "LS", "WebFetch", "WebSearch", "NotebookRead"))


def doing(step: Step) -> list[str]:
    """The commands of the line that change something, as they are written; of other tools the name."""
    if not step.command:
        return [step.tool] if step.tool.startswith("mcp__") and not is_looking_tool(step.tool) else []
    script = step.command[:LONGEST_LINE]
    return [_as_written(script, part) for part in parts(script)[:_MOST] if not looks(part)]


def only_looks(command: str) -> bool:
    return all(map(looks, parts(command[:LONGEST_LINE])))


def is_looking_tool(tool: str) -> bool:
    return tool in _LOOKING_TOOLS or _LOOKING_TOOL.search(tool.rpartition("__")[2]) is not None


def looks(part: Part) -> bool:
    words = part.words
    if _writes(words):
        return False
    if part.program in _LOOKERS:
        return not any(_IN_PLACE.fullmatch(word) for word in words[1:]) or part.program in (
            "grep",
            "rg",
            "ls",
            "diff",
            "ps",
        )
    if not _ASKS.isdisjoint(words):
        return True
    plain = [word for word in words[1:] if not word.startswith("-")]
    if not plain or plain[0] in _RUNS or (words[0], plain[0]) == ("go", "get"):
        return False
    if plain[0] in _NAMES_ALONE:
        return (len(plain) == 1 and plain[0] != "stash") or plain[1:2] in (["list"], ["show"])
    return any(word in _VERBS or word.startswith("list-") for word in plain[:2])


def _writes(words: list[str]) -> bool:
    for number, word in enumerate(words):
        found = _WRITES.fullmatch(word)
        target = (found["target"] or "".join(words[number + 1 : number + 2])) if found else "/dev/null"
        if target != "/dev/null":
            return True
    return False


def _as_written(script: str, part: Part) -> str:
    shown = (word for word in part.words if not _SILENCES.fullmatch(word))
    return around(script, tuple(part.words)) + " ".join(shown)
