"""The words of a simple command in, the relative paths out that it certainly reads: so they must exist.

Leaves out what may be an output, a pattern, a reference or a text, and everything of programs that take paths from
another folder, another machine or no paths at all.
"""

from lessons.shell.looking import CHANGE_FOLDER
from lessons.shell.places import OF_CD, is_plain

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

_NOT_IN_PATH = "=:@,%^!#"
# Their arguments are texts, references, URLs, or paths that need not exist, or are on another machine.
_QUIET = frozenset(
    "mkdir touch tee ln mktemp mkfifo install truncate dd split csplit rmdir"
    " echo printf export alias set unset read local declare let eval trap test [ [[ : true false exit return"
    " basename dirname realpath readlink which type whereis command hash man jest vitest"
    " ssh scp sftp mosh rsync docker docker-compose podman nerdctl kubectl oc helm vagrant multipass limactl lxc incus"
    " toolbox distrobox wsl adb chroot nsenter firejail bwrap fakeroot cmd powershell pwsh"
    " curl wget http xh gh glab hub aws gcloud az heroku fly flyctl vercel wrangler netlify brew apt apt-get dnf yum"
    " pipx conda mamba gem cpan"
    " tar zip unzip 7z ffmpeg convert magick pandoc sqlite3 sphinx-build cmake ninja bazel bazelisk buck buck2"
    " npm pnpm yarn bun deno nx turbo lerna rush moon just task rake gradle gradlew mvn mvnw tox nox pre-commit"
    " lefthook tr seq date expr kill pkill pgrep useradd su".split()
)
# They start another program in the same folder: how many words stand before it.
_RUNNERS = {"sudo": 1, "doas": 1, "npx": 1, "bunx": 1, "uvx": 1, "xargs": 1} | dict.fromkeys(
    ("uv", "poetry", "bundle", "pipenv", "pdm", "rye", "hatch"), 2
)
# The first argument is a pattern or a program of their own.
_PATTERN_FIRST = frozenset("grep egrep fgrep zgrep rg ag ack fd sed gsed awk gawk mawk jq yq".split())
# The last argument is what they create.
_CREATE_LAST = frozenset(("cp", "mv", "git mv"))
_REMOVE = frozenset(("rm", "mv", "git rm", "git mv", "unlink"))
_GIT_READS_PATHS = frozenset("add apply blame checkout diff grep log mv reset restore rm show".split())
# The option changes the folder for the other arguments.
_MOVING = ("-C", "--prefix", "--cwd", "--dir", "--directory", "--chdir", "-chdir", "--work-tree", "--git-dir")
# Options before a value that is no path to read: by last letter, or by a part of a long name.
_VALUE_LETTERS = "oOdDekmgGtTbBPILXS"
_VALUE_LETTERS_BESIDE_PATTERN = "emABCgtTjdD"
_VALUE_NAMES = (
    "out", "dest", "target", "exclude", "ignore", "include", "pattern", "filter", "match", "grep", "glob", "regex",
    "message", "title", "body", "branch", "base", "head", "tag", "label", "name", "repo", "log", "report", "save",
    "cache", "format", "data", "url", "image", "package", "module", "import", "version", "ref", "artifact", "into",
    "dist", "emit", "cov", "write-to", "temp", "tmp", "backup", "create", "init", "new", "key", "value", "author",
)  # fmt: skip


def is_relative_path(word: str) -> bool:
    """Whether the word is a literal relative path; a single name is one only where a path must stand."""
    return is_plain(word) and word[0] not in "/~-+" and not any(sign in _NOT_IN_PATH for sign in word)


def read_paths(words: "list[str]", has_run: bool = False) -> "Iterator[str]":
    """Yields the relative paths that a simple command certainly reads."""
    program = words[0].rpartition("/")[2]
    if program in CHANGE_FOLDER:
        wanted = [word for word in words[1:] if word not in OF_CD]
        if len(wanted) == 1 and is_relative_path(wanted[0]):
            yield wanted[0]
        return
    if not is_plain(words[0]):
        return
    if "/" in words[0] and is_relative_path(words[0]):
        yield words[0]
    moved = _moved_to(words)
    if moved is not None:
        if is_relative_path(moved):
            yield moved
        return  # the other arguments are relative to that folder
    if program in _RUNNERS:
        start = _RUNNERS[program]
        if (
            words[1:start] in ([], ["run"], ["exec"])
            and words[start : start + 1]
            and words[start][0:1] not in ("", "-")
        ):
            yield from _arguments(words[start], words[start:], has_run)
    else:
        yield from _arguments(program, words, has_run)


def _arguments(program: str, words: "list[str]", has_run: bool) -> "Iterator[str]":
    if program in _QUIET or program in _RUNNERS:
        return
    first = 1
    if program == "git":
        while words[first : first + 1] and words[first][:1] == "-":
            first += 2 if words[first] == "-c" else 1
        if words[first : first + 1] == [] or words[first] not in _GIT_READS_PATHS:
            return
        program, first = f"git {words[first]}", first + 1
    options, values = _split(program.removeprefix("git "), words[first:])
    if program in _CREATE_LAST:
        values = values[:-1]
    if (has_run and program in _REMOVE) or (program == "rm" and any("f" in option for option in options)):
        return  # `rm -f` of a missing file is no error
    for word in values:
        path = word.partition("::")[0]
        if "/" in path and is_relative_path(path):
            yield path


def _split(program: str, words: "list[str]") -> "tuple[list[str], list[str]]":
    """Returns the options, and the words that are neither options, nor patterns, nor values that name no path to read.

    What `find` is to look for follows its first option.
    """
    options: list[str] = []
    values: list[str] = []
    has_pattern = program in _PATTERN_FIRST
    letters = _VALUE_LETTERS_BESIDE_PATTERN if has_pattern else _VALUE_LETTERS
    is_value = False
    for word in words:
        if is_value:
            is_value = False
        elif word[:1] == "-" and len(word) > 1 and "--" not in options:
            options.append(word)
            is_value = _takes_other_value(word, letters)
        elif program != "find" or not (options or word in ("(", "!")):
            values.append(word)
    is_given = any(word[:2] != "--" and word[-1] == "e" for word in options)
    return options, values[1:] if has_pattern and not is_given else values


def _takes_other_value(option: str, letters: str) -> bool:
    """Whether the next word may be a value that is no path to read."""
    if "=" in option:
        return False
    if option[:2] == "--":
        return any(name in option for name in _VALUE_NAMES)
    # A word with one hyphen may be a long name too, as in `-output`.
    return option[-1] in letters or (len(option) > 4 and any(name in option for name in _VALUE_NAMES))


def _moved_to(words: "list[str]") -> str | None:
    """Returns the folder that an option changes to; None if there is no such option, empty if it is unknown."""
    for number, word in enumerate(words[1:], start=1):
        name, equals, value = word.partition("=")
        if name not in _MOVING:
            continue
        if not equals:
            value = words[number + 1] if number + 1 < len(words) else ""
            if value.isdigit():
                continue  # lines of context
        return value
    return None
