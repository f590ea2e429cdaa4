"""Splits shell lines that consist of words and operators only, without the full shell parser.

Most lines are like this. Loading the tables of everything that can start a command costs the hook more than the rest of
a match. The names below replace those tables; a test checks that they agree.
"""

TYPE_CHECKING = False
if TYPE_CHECKING:
    # The words of a command, its start and end in the line, and the operator after it.
    SimpleCommand = tuple[list[str], int, int, str]

# A line without these has only words and operators, and needs no reading by character.
_NOT_SIMPLE = frozenset("'\"\\`$<>(){}!#;&| \t\n\r\v\f\0")
_KEYWORDS = frozenset("if then elif else fi while until for do done case esac select function coproc time".split())
_OPERATORS = ("&&", "||", "|", ";", "&")
_LONGEST_LINE = 65_536
# Programs that can start another command, as one text: searched once, never rebuilt.
STARTERS = (
    " ansible arch ash at autossh bash batch builtin bunx busybox cProfile caffeinate case ccache chokidar chpst"
    " chronic chroot chrt clush cmd command concurrently coproc cpulimit cross-env cross-env-shell dash"
    " dbus-run-session distcc do doas done dotenv dumb-init elif else entr env env-cmd envchain envdir esac eval exec"
    " fakeroot faketime fi find firejail fish flock for function gdb gosu gtime gtimeout heaptrack hyperfine if"
    " ionice ksh linux32 linux64 lldb ltrace mksh mosh mpiexec mpirun newgrp nice nix-shell nodemon nohup npx"
    " nsenter numactl parallel pdb pdsh pkexec plink pnpm pnpx powershell prlimit proxychains proxychains4 pwsh py"
    " pyinstrument pypy python rbash rlwrap rsh rtk runuser sccache screen script select sem setarch setpriv setsid"
    " setuidgid sg sh source srun ssh ssh-agent sshpass stdbuf strace su su-exec sudo systemd-inhibit systemd-run"
    " taskset then time timeout tini tmux torify torsocks toybox trap unbuffer unshare until uvx valgrind viztracer"
    " watch watchexec while wine wine64 wsl xargs xcrun xvfb-run yarn zsh"
    " "
)
# The same for programs that do so only with certain sub-commands.
STARTING_SUBCOMMANDS = {
    "adb": " shell ",
    "apptainer": " exec ",
    "asdf": " exec ",
    "aws": " ecs ",
    "aws-vault": " exec ",
    "buildah": " run ",
    "bun": " run x ",
    "bundle": " exec ",
    "cabal": " exec ",
    "cf": " ssh ",
    "chamber": " exec ",
    "colima": " ssh ",
    "composer": " exec ",
    "conda": " run ",
    "coverage": " run ",
    "crictl": " exec ",
    "ddev": " exec ",
    "devbox": " run ",
    "devcontainer": " exec ",
    "direnv": " exec ",
    "distrobox": " enter ",
    "docker": " compose container exec run ",
    "docker-compose": " exec run ",
    "docker-machine": " ssh ",
    "doppler": " run ",
    "dotenvx": " run ",
    "eb": " ssh ",
    "flox": " activate ",
    "fly": " ssh ",
    "flyctl": " ssh ",
    "fnm": " exec ",
    "foreman": " run ",
    "gcloud": " compute ",
    "gh": " codespace cs ",
    "git": " bisect difftool filter-branch rebase submodule ",
    "guix": " shell ",
    "hatch": " run ",
    "heroku": " run ",
    "honcho": " run ",
    "incus": " exec ",
    "infisical": " run ",
    "kubectl": " debug exec run ",
    "lando": " ssh ",
    "lerna": " exec ",
    "limactl": " shell ",
    "lxc": " exec ",
    "machinectl": " shell ",
    "mamba": " run ",
    "memray": " run ",
    "micromamba": " run ",
    "mise": " exec x ",
    "multipass": " exec ",
    "nerdctl": " exec run ",
    "nix": " develop shell ",
    "nodenv": " exec ",
    "npm": " exec x ",
    "nvm": " exec ",
    "nx": " exec ",
    "oc": " debug exec rsh run ",
    "op": " run ",
    "opam": " exec ",
    "pct": " exec ",
    "pdm": " run ",
    "perf": " record stat trace ",
    "pipenv": " run ",
    "pipx": " run ",
    "pixi": " exec run ",
    "podman": " compose container exec run ",
    "poetry": " run ",
    "py-spy": " record ",
    "pyenv": " exec ",
    "railway": " run ",
    "rbenv": " exec ",
    "rustup": " run ",
    "rye": " run ",
    "scl": " enable ",
    "singularity": " exec ",
    "sops": " exec-env ",
    "stack": " exec ",
    "toolbox": " run ",
    "tox": " exec ",
    "uv": " run tool ",
    "vagrant": " ssh ",
    "volta": " run ",
}


def simple_invocations(command: str) -> list[list[str]] | None:
    """Returns the same as split.invocations for a simple line; None for any other."""
    if len(command) > _LONGEST_LINE:
        return None
    found = simple_commands(command)
    if found is None or any(_may_start_another(words) for words, *_ in found):
        return None
    return [[" ".join(words)] for words, *_ in found]


def _may_start_another(words: list[str]) -> bool:
    """Also true if the program is not given by its plain name."""
    program = words[0]
    if any(sign in program for sign in "=/.") or f" {program} " in STARTERS:
        return True
    if program[-1].isdigit() and f" {program.rstrip('0123456789')} " in STARTERS:
        return True  # `python3`
    if program not in STARTING_SUBCOMMANDS or len(words) == 1:
        return False
    return words[1][:1] == "-" or f" {words[1]} " in STARTING_SUBCOMMANDS[program]


def simple_commands(command: str) -> "list[SimpleCommand] | None":
    """Returns the commands of a line of words, operators and `2>&1` only; None for any other."""
    tokens = _tokens(command)
    signs = [sign for token, _ in tokens if token not in _OPERATORS for sign in token or " "]
    if "[[" in command or not _NOT_SIMPLE.isdisjoint(signs):
        return None
    found: list[SimpleCommand] = []
    words: list[str] = []
    begin = 0
    for token, position in [*tokens, ("", len(command))]:
        if token and token not in _OPERATORS:
            begin = begin if words else position
            if not words and token in _KEYWORDS:
                return None
            words.append(token)
        elif words:
            found.append((words, begin, position, token))
            words = []
        elif token:
            return None  # an operator with no command before it
    return found


def _tokens(command: str) -> list[tuple[str, int]]:
    """Returns words and operators with their positions; an empty word where two blanks follow each other."""
    tokens: list[tuple[str, int]] = []
    position = 0
    for token in command.split(" "):
        if token[-1:] == ";" and len(token) > 1:
            tokens += [(token[:-1], position), (";", position + len(token) - 1)]
        elif token != "2>&1":
            tokens.append((token, position))
        position += len(token) + 1
    return tokens
