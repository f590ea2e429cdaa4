"""A shell line and its start folder in, the commands out for which it is certain where they run, and what they read.

Skips a command whose surroundings are not clear from the text: inside brackets, loops and scripts of other shells, or
after programs that run it elsewhere. Also skips it in a folder named by a variable, and after a command that may create
files or programs. The same applies where the line itself checks for what is missing or expects a failure.
"""

from lessons.shell.command import LONGEST_PATH, Command
from lessons.shell.fast import after_assignments, simple_commands
from lessons.shell.tables import CHANGE_FOLDER, EDIT_IN_PLACE, LOOK, LOOK_OR_IDLE

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

# They start a command with the same folder, files and programs.
_TRANSPARENT = frozenset(
    "builtin caffeinate chronic command env exec gtimeout ionice nice nohup setsid stdbuf time timeout".split()
)
_MOVING_OPTIONS = ("-C", "--chdir", "-S", "--split-string")
_MOVING_VARIABLES = ("PATH=", "HOME=", "CDPATH=", "BASH_ENV=")
_GIT_LOOKS = frozenset("status diff log show branch rev-parse ls-files remote blame".split())
_GIVES_UP = ("exit", "return")

_WRAPPERS_IN_A_ROW = 16  # more are not followed, so that no line can slow the hook
_LONGEST_LINE = 65_536
# The shell replaces these, or they were blanked: such a word does not show which file is meant.
_NOT_PLAIN = "$`*?[]{}()<>|&;\"'\\\n\r\t\0"
_OF_CD = ("--", "-L", "-P", "-e", "-LP", "-PL")
# They check nothing that a later command could need, so `&&` after them is not a check.
_NO_CHECK = frozenset(
    "cd pushd echo printf sleep true set wait pwd date whoami hostname uname id env printenv git".split()
)
_ENDS_OF_LIST = ("", ";", "\n", "&", ")")
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


def places(command: str, folder: str) -> list[Command]:
    """Returns the commands that certainly start in a known folder with nothing changed before them."""
    found: list[Command] = []
    here: str | None = folder
    is_settled = True  # no earlier command created or removed files or programs
    is_guarded = False  # this command depends on an earlier one
    in_pipe = has_moved_perhaps = False
    line = steps(command) if folder and len(command) <= _LONGEST_LINE else []
    for number, step in enumerate(line):
        following = line[number + 1].program if number + 1 < len(line) else ""
        is_handled = step.operator == "||" and following not in _GIVES_UP
        if is_settled and here and not (is_guarded or step.is_odd or step.hides_errors or is_handled):
            step.folder = here
            found.append(step)
        if step.is_odd:
            is_settled = False
        elif step.program == "popd":
            here = None
        elif step.program in CHANGE_FOLDER and step.operator not in ("|", "&") and not in_pipe:
            here = _target(step, here) if here and not is_handled else None
            has_moved_perhaps = has_moved_perhaps or is_guarded
        is_settled = is_settled and _is_harmless(step)
        in_pipe = step.operator == "|"
        if step.operator == "||" or (step.operator == "&&" and step.program in LOOK - _NO_CHECK):
            is_guarded = True
        elif step.operator in _ENDS_OF_LIST:
            here = None if has_moved_perhaps else here
            is_guarded = has_moved_perhaps = False
    return found


def steps(command: str) -> list[Command]:
    """Returns the commands of the line, with their texts after each wrapper that keeps the surroundings."""
    found = own_commands(command)
    for one in found:
        one.texts = _texts(one.words)
    return found


def own_commands(command: str) -> list[Command]:
    """Returns every simple command in order, without those of substitutions and of scripts for other shells."""
    simple = simple_commands(command)
    if simple is None:
        return _parsed(command)
    found = []
    for words, begin, end, operator in simple:
        found.append(Command(words, list(words)))
        found[-1].begin, found[-1].end, found[-1].operator = begin, end, operator
    return found


def _parsed(command: str) -> list[Command]:
    from lessons.shell.parser import Script  # most lines do not need it

    text = command.replace("\r\n", "\n") if "\r" in command else command
    reader = Script(text, 0, len(text), [])
    reader.read()
    return reader.own


def stays(command: str) -> bool:
    """Whether no command of the line can change the folder of another."""
    if len(command) > _LONGEST_LINE:
        return False
    return all(not step.is_odd and step.program not in (*CHANGE_FOLDER, "popd") for step in steps(command))


def is_plain(path: str) -> bool:
    """Whether the word is a literal path: the shell replaces nothing in it except `~/`."""
    if not path or any(character in _NOT_PLAIN for character in path):
        return False
    return path[0] != "~" or path[:2] in ("~", "~/")


def joined(folder: str, path: str) -> str | None:
    """Joins folder and path, without `.` and `..`; None if it is too long or `..` leads above the known part."""
    if len(folder) + len(path) > LONGEST_PATH:
        return None
    is_absolute = path[:1] in ("/", "~") or path[1:3] == ":/"
    kept: list[str] = [] if is_absolute else folder.rstrip("/").split("/")
    for part in path.split("/"):
        if part == "..":
            if kept[-1:] in (["~"], []):
                return None
            if len(kept) > 1:
                kept.pop()
        elif part != "." and (part or not kept):
            kept.append(part)
    return "/".join(kept) or "/"


def _target(step: Command, folder: str) -> str | None:
    """Returns the folder after a `cd`; None if unknown."""
    start = after_assignments(step.words, 0)
    if step.words[start] not in CHANGE_FOLDER:
        return None  # after a wrapper
    wanted = [word for word in step.contents[start + 1 :] if word not in _OF_CD]
    if not wanted and step.program == "cd":
        return "~"
    if len(wanted) != 1 or wanted[0][:1] in ("-", "+") or not is_plain(wanted[0]):
        return None
    return joined(folder, wanted[0])


def _is_harmless(step: Command) -> bool:
    """Whether it creates and removes neither files nor programs."""
    if step.alters or any(word.startswith(_MOVING_VARIABLES) for word in step.words):
        return False
    if after_assignments(step.words, 0) == len(step.words) or step.program in _GIVES_UP:
        return True
    words = step.texts[-1].split(" ")
    if step.program == "git":
        return words[1:2] != [] and words[1] in _GIT_LOOKS
    if step.program == "find":
        return not any(word.startswith(("-exec", "-ok", "-delete", "-fprint", "-fls")) for word in words)
    if step.program in EDIT_IN_PLACE:
        return not any(word[:1] == "-" and "i" in word for word in words[1:])
    return step.program in LOOK_OR_IDLE


def _texts(words: list[str]) -> list[str]:
    """Returns the text as written, and after each wrapper that keeps the surroundings; a program path stays a path."""
    texts = [" ".join(words)]
    words = list(words)
    start = after_assignments(words, 0)
    if start and (start == len(words) or _moves(words[:start])):
        return texts
    if start:
        texts.append(" ".join(words[start:]))
    for _ in range(_WRAPPERS_IN_A_ROW):
        if words[start] not in _TRANSPARENT:
            break
        from lessons.shell.starts import unwrap  # few lines have such a program

        inner = unwrap(words, start)
        if not inner or _moves(words[start:inner]):
            break
        start = inner
        texts.append(" ".join(words[start:]))
    return texts


def _moves(words: list[str]) -> bool:
    return any(word.startswith((*_MOVING_VARIABLES, *_MOVING_OPTIONS)) for word in words)


def _is_relative_path(word: str) -> bool:
    """Whether the word is a literal relative path; a single name is one only where a path must stand."""
    return is_plain(word) and word[0] not in "/~-+" and not any(sign in _NOT_IN_PATH for sign in word)


def read_paths(words: "list[str]", has_run: bool = False) -> "Iterator[str]":
    """Yields the relative paths that a simple command certainly reads."""
    program = words[0].rpartition("/")[2]
    if program in CHANGE_FOLDER:
        wanted = [word for word in words[1:] if word not in _OF_CD]
        if len(wanted) == 1 and _is_relative_path(wanted[0]):
            yield wanted[0]
        return
    if not is_plain(words[0]):
        return
    if "/" in words[0] and _is_relative_path(words[0]):
        yield words[0]
    moved = _moved_to(words)
    if moved is not None:
        if _is_relative_path(moved):
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
        if "/" in path and _is_relative_path(path):
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
