"""Tables of programs: which take a sub-command, which take files, which only prepare, help or look."""

from lessons.shell.global_options import GLOBAL_OPTIONS
from lessons.shell.looking import CHANGE_FOLDER as CHANGE_FOLDER
from lessons.shell.looking import LOOK as LOOK
from lessons.shell.wrappers import SHELLS as _SCRIPT_SHELLS


def _separated(options: str) -> str:
    """Turns `Cc --git-dir` into `-C -c --git-dir`."""
    letters, _, names = options.partition(" ")
    return " ".join([*(f"-{letter}" for letter in letters), names])


# Programs whose first plain argument is a sub-command, with the options before it that take the next word.
SUB_COMMANDS = {
    "forge": "--root",
    "rake": "-f --rakefile",
    **dict.fromkeys(
        "ansible-galaxy bundle dart deno dotnet expo gem mix next nx pipenv pipx pixi prisma rails rustup snap swift"
        " zig".split(),
        "",
    ),
    **{program: _separated(with_value) for program, (with_value, _) in GLOBAL_OPTIONS.items() if " " not in program},
}
# Where one word is too vague; an empty string means every first word.
TWO_SUB_COMMANDS = {
    "aws": frozenset(("",)),
    "az": frozenset(("",)),
    "docker": frozenset(("compose", "buildx", "container", "image", "network", "volume", "system")),
    "gcloud": frozenset(("",)),
    "gh": frozenset(("",)),
    "glab": frozenset(("",)),
    "podman": frozenset(("compose",)),
    "supabase": frozenset(("",)),
    "uv": frozenset(("pip", "tool", "python")),
}
COMPOSE_OPTIONS = SUB_COMMANDS["docker-compose"]

# Sub-commands that mean nothing without the script they run, and the options after them that take the next word.
RUN_SCRIPT = frozenset(("run", "run-script", "task", "exec", "x", "dlx"))
RUN_OPTIONS = frozenset(
    "--prefix -C --cwd --dir --directory -w --workspace -F --filter -p --package --project --with --extra --group"
    " --env -e --env-file --python --from -c --config --node-options".split()
)
# Their `run` or `exec` runs a container, a workflow or the project itself, not a script of the project.
RUN_NO_SCRIPT = frozenset(
    "docker podman kubectl docker-compose gh aws gcloud az cargo go flutter dart dotnet swift zig mix forge".split()
)
INTERPRETERS = frozenset("python node ruby perl php bun deno tsx ts-node bash sh zsh".split())

SHELLS = frozenset((*_SCRIPT_SHELLS, "eval", "su"))  # they run the script in their arguments
CARRIERS = SHELLS | {"ssh", "xargs"}  # they run a command elsewhere, or for each line
# They change the shell itself for the commands that follow.
CHANGE_SHELL = frozenset(
    "export source . set unset alias shopt ulimit umask trap local declare typeset readonly".split()
)
# They prepare, print or test; another command of the line does the work.
SET_UP = (
    CHANGE_SHELL | CHANGE_FOLDER | frozenset("popd echo printf sleep true false : test [ [[ wait exit return".split())
)
# Sub-commands that prepare the work of the command after them.
_INSTALL = frozenset(("install", "ci", "i", "sync", "restore"))
SET_UP_SUB_COMMANDS = {
    "git": frozenset("pull fetch add checkout switch stash status init clone".split()),
    **dict.fromkeys("npm pnpm yarn bun pip pip3 uv bundle composer poetry brew apt apt-get dotnet".split(), _INSTALL),
}
# They only pass a text to the next command of a pipe, or only show a part of their input.
FEEDERS = frozenset(("cat", "yes"))
FILTERS = frozenset(
    "awk bat cat column cut egrep fgrep fold gawk grep head jq less more nl rev rg sed sort tac tail tee tr uniq"
    " wc yq".split()
)
CHANGE_FILES = frozenset("mkdir rmdir rm cp mv ln touch chmod chown".split())
# They prepare for another command, run it elsewhere, or show a part of its output.
HELPERS = CHANGE_FILES | CARRIERS | FILTERS
# They start each error with their own name: any other error comes from another command.
NAME_THEMSELVES = CHANGE_FILES | frozenset("ls cat head tail cd echo printf source export".split())

# Run for their exit code.
ASK = frozenset(("pg_isready", "which", "type", "command", "hash", "test", "[", "[["))

# Their first word is a file or a value, never a sub-command.
TAKE_FILES = (
    CHANGE_FILES
    | LOOK
    | FILTERS
    | CARRIERS
    | INTERPRETERS
    | frozenset(
        "cd echo printf kill pkill killall sleep export curl wget scp rsync open code vim nano tar zip unzip gzip time"
        " nc ping dig host psql mysql sqlite3 redis-cli mongosh pytest jest vitest eslint prettier tsc mypy black"
        " flake8 gcc cc clang javac java python3".split()
    )
) - SUB_COMMANDS.keys()
