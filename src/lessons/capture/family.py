"""A call in, the name of what was called out: program and sub-command behind wrappers, or the tool."""

import re

from lessons.capture.culprit import culprit
from lessons.capture.wording.error import telling_of
from lessons.episode import Step
from lessons.shell.line import parts
from lessons.shell.program import program_of

# Sub-commands that say nothing without the script they run.
_RUNS = frozenset(("run", "run-script", "task", "exec", "x", "dlx"))
_OF_CONTAINERS = frozenset(("docker", "podman", "kubectl", "docker-compose", "gh", "aws", "gcloud", "az"))
# Their `run` runs the project itself: what stands behind it is for that.
_OF_PROJECTS = frozenset(("cargo", "go", "flutter", "dart", "dotnet", "swift", "zig", "mix", "forge"))
_WITH_VALUE = frozenset(
    "--prefix -C --cwd --dir --directory -w --workspace -F --filter -p --package --project --with --extra --group"
    " --env -e --env-file --python --from -c --config --node-options".split()
)
_SCRIPT = re.compile(r"[A-Za-z][\w:.-]{0,60}")
# Programs whose first word is a file or a value, not a sub-command.
_PLAIN = frozenset(
    "ls cat rm mv cp mkdir touch chmod chown ln cd echo printf head tail find stat file which grep rg sed awk wc tree"
    " diff sort uniq cut tr tee xargs kill pkill pgrep killall sleep test env export curl wget ssh scp rsync jq yq open"
    " code vim nano less more tar zip unzip gzip man type command time date rmdir du df ps lsof nc ping dig host psql"
    " mysql sqlite3 redis-cli mongosh pytest jest vitest eslint prettier tsc mypy ruff black flake8 gcc cc clang javac"
    " java node python ruby perl php bash sh zsh bun deno make".split()
)
_SUBCOMMAND = re.compile(r"[a-z][a-z-]{1,20}")
_INTERPRETER = re.compile(r"(?:python|node|ruby|perl|php|bun|deno|tsx|ts-node|bash|sh|zsh)[\d.]*")
_FILE = re.compile(r"[\w./-]{0,100}?([\w-]{1,60}\.\w{1,5})")
_SHELLS = re.compile(r"(?:\(eval\)|(?:[\w.-]{0,30}/){0,5}(?:ba|z|da|k|fi)?sh)(?::(?: line)? ?\d+)?: (.*)")
_MISSING = re.compile(r"command not found: ([\w./+@-]{1,80})|([\w./+@-]{1,80}): (?:command )?not found$")
SHELL = "shell"


def family(step: Step) -> str:
    """`git add`, `npm run build`, `mcp__browser__click`; calls of one family can be compared."""
    if not step.command:
        return step.tool
    for part in parts(step.command):
        if (
            part.program == "ssh" == step.program
            and part.inner
            and (name := " ".join(program_of(part.inner[0])).strip())
        ):
            return name  # what another machine is told to run
        if part.program.rpartition("/")[2] == step.program:
            return family_of(tuple(part.words), step.program, step.subcommand)
    return f"{step.program} {step.subcommand}".strip()


def family_of(words: tuple[str, ...], program: str, subcommand: str) -> str:
    """The same for the words of one command."""
    if subcommand in _RUNS and program not in _OF_CONTAINERS and program not in _OF_PROJECTS:
        detail = _script_name(words, subcommand)
    elif not subcommand:
        detail = _script_file(words, program) or _first_word(words, program)
    else:
        detail = ""
    return " ".join(filter(None, (program, subcommand, detail)))


def blamed(step: Step) -> str:
    """The family that the error speaks of: in `sed … | cat -A` it is `cat` that complains, in `ls *.x` the shell."""
    if not step.command:
        return step.tool
    line = telling_of(step.error)
    shell = _SHELLS.match(line)
    if shell:
        missing = _MISSING.search(shell[1][:200])
        return (missing[1] or missing[2]) if missing else SHELL
    found = culprit(step.command, step.error)
    if found is None or found.part.inner:
        return family(step)
    words = tuple(found.part.words)
    return family_of(words, *program_of(" ".join(words))) or family(step)


def surely_blamed(step: Step) -> str:
    """The program that the error speaks of; empty where any of several may be meant."""
    found = culprit(step.command, step.error) if step.command else None
    if found and not found.is_sure and not _SHELLS.match(telling_of(step.error)):
        return ""
    return blamed(step).partition(" ")[0]


def _script_name(words: tuple[str, ...], subcommand: str) -> str:
    """The first word behind `run` that is neither an option nor the value of one."""
    if subcommand not in words:
        return ""
    behind = words[words.index(subcommand) + 1 :]
    for place, word in enumerate(behind):
        if not word.startswith("-") and (place == 0 or behind[place - 1] not in _WITH_VALUE):
            return word if _SCRIPT.fullmatch(word) else ""
    return ""


def _first_word(words: tuple[str, ...], program: str) -> str:
    """What looks like the sub-command of a program that nobody has described."""
    word = words[1] if len(words) > 1 and program not in _PLAIN else ""
    return word if _SUBCOMMAND.fullmatch(word) else ""


def _script_file(words: tuple[str, ...], program: str) -> str:
    """The script that an interpreter runs; nothing for one that is written on the line itself."""
    if not _INTERPRETER.fullmatch(program):
        return ""
    first = next((word for word in words[1:] if not word.startswith("-")), "")
    found = _FILE.fullmatch(first)
    return found[1] if found else ""
