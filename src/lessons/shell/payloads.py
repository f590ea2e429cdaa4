"""What a program runs besides itself: code in its arguments or input, and commands in its arguments."""

from lessons.shell.commands import Values
from lessons.shell.known_output import known_input, substituted, written_into
from lessons.shell.multiplexers import of_screen, of_tmux
from lessons.shell.payload_table import PROGRAMS
from lessons.shell.table_payloads import table_payloads, values_of_options
from lessons.shell.windows import of_cmd, of_powershell
from lessons.shell.wrapper_table import WRAPPERS
from lessons.shell.wrappers import SHELLS, after_options, has_option, unwrap

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    from lessons.shell.commands import Command, Payload

_XARGS = "EIJLnPRSsad --max-args --max-procs --max-chars --arg-file --delimiter --process-slot-var"
_PARALLEL = (
    "jaIELNnSPCd --jobs --arg-file --colsep --delay --joblog --results --tmpdir --timeout --retries --max-args"
    " --max-procs --halt --sshlogin --sshloginfile --wd --workdir --env --tagstring --basefile --load --nice"
    " --delimiter --rpl --recstart --recend --block --shebang-wrap --semaphorename --id --progress-bar"
)
_STDIN = ("-", "/dev/stdin", "/dev/fd/0", "/proc/self/fd/0")
# Each plain argument is code.
_EACH_IS_CODE = {
    "concurrently": "nckplm --names --prefix --prefix-colors --max-processes --restart-tries --restart-after --success",
    "hyperfine": (
        "wrmMspcLSnu --warmup --runs --min-runs --max-runs --setup --prepare --conclude --cleanup --parameter-list"
        " --shell --export-json --export-markdown --export-csv --style --command-name --time-unit"
    ),
}
_CODE_OF_HYPERFINE = ["-p", "--prepare", "-s", "--setup", "-c", "--cleanup", "-C", "--conclude"]
# Anything else is a script of the project, or a program of one of its dependencies.
_BUILT_IN = frozenset(
    "add audit bin cache cat-file cat-index config create dedupe deploy dlx doctor env exec explain fetch find-hash"
    " global help import info init install install-test link list login logout ls licenses node npm outdated owner pack"
    " patch patch-commit plugin plugins policies prune publish rebuild remove root run server set setup stage start"
    " store team test uninstall unlink unplug up update upgrade upgrade-interactive version versions why workspace"
    " workspaces i rm un rb ln t tag whoami search completion approve-builds".split()
)


def payloads(command: "Command", start: int) -> "list[Payload]":
    """Returns what the program at `start` will run."""
    program = command.words[start]
    if program in SHELLS:
        return _of_shell(command, start)
    if program in _READERS:
        return _READERS[program](command, start)
    if program in PROGRAMS:
        found = table_payloads(command, start)
        return found or (_of_node(command, start) if program in ("pnpm", "yarn") else found)
    return []


def _of_shell(command: "Command", start: int) -> "list[Payload]":
    words = command.words
    index = after_options(words, start + 1, "oO --rcfile --init-file")
    options = [word for word in words[start + 1 : index] if word[:1] == "-" and word[:2] != "--"]
    if has_option(options, "nD", "oO") or "noexec" in words[start:index]:
        return []  # it only checks the code
    if any("c" in option for option in options):
        return [_with_arguments(command, index)] if index < len(words) else []
    if index >= len(words) or any("s" in option for option in options):
        return [command.code(known_input(command))]
    return _of_file(command, index)


def _with_arguments(command: "Command", index: int) -> "Payload":
    """Returns the code at `index`; the words after it are `$0`, `$1` and so on."""
    code = command.code(command.contents[index])
    arguments = command.contents[index + 1 :]
    if arguments:
        numbered = {str(number): [word] for number, word in enumerate(arguments[:10])}
        everything = " ".join(arguments[1:])
        code.values = Values(code.values)
        code.values.update(numbered | {"@": [everything], "*": [everything]})
    return code


def _of_file(command: "Command", index: int) -> "list[Payload]":
    """Returns the content of a script file that the line itself writes."""
    file = command.contents[index] if index < len(command.contents) else ""
    if file in _STDIN:
        return [command.code(known_input(command))]
    text = substituted(file, command) if file[:2] == "<(" else written_into(file, command)
    return [command.code(text)] if text else []


def _of_source(command: "Command", start: int) -> "list[Payload]":
    return _of_file(command, start + 1)


def _of_eval(command: "Command", start: int) -> "list[Payload]":
    index = start + 1 + (command.words[start + 1 : start + 2] == ["--"])
    return [command.code(" ".join(command.contents[index:]))]


def _of_trap(command: "Command", start: int) -> "list[Payload]":
    """The first word is code only if a signal follows; otherwise it is a signal."""
    words, contents = command.words, command.contents
    index = start + 1 + (words[start + 1 : start + 2] == ["--"])
    is_code = index + 1 < len(words) and words[index][:1] != "-"
    return [command.code(contents[index])] if is_code else []


def _of_xargs(command: "Command", start: int) -> "list[Payload]":
    """The inner command does not read the input of `xargs`."""
    index = after_options(command.words, start + 1, _XARGS)
    inner = command.behind(index)
    inner.input = None
    replaced = values_of_options(command, start + 1, ["-I"], index) or ["{}"]
    if inner.words[1:] in (["-c"], ["-c", replaced[-1]]) and inner.words[0] in SHELLS:
        return [inner, command.code(known_input(command))]
    return [inner] if inner.words else []


def _of_find(command: "Command", start: int) -> "list[Payload]":
    found: list[Payload] = []
    words = command.words
    index = start + 1
    while index < len(words):
        index += 1
        if words[index - 1] in ("-exec", "-execdir", "-ok", "-okdir"):
            begin = index
            while index < len(words) and words[index] not in (";", "+"):
                index += 1
            if index > begin:
                found.append(command.with_words(words[begin:index], command.contents[begin:index]))
    return found


def _of_watch(command: "Command", start: int) -> "list[Payload]":
    """`watch` passes its arguments to a shell, so a quoted one can be a whole script."""
    index = unwrap([*command.words], start)
    contents = command.contents
    return [command.code(" ".join(contents[index:]))] if index and " " in contents[index] else []


def _of_sudo(command: "Command", start: int) -> "list[Payload]":
    """With `-s` or `-i` a shell reads the arguments, or the input of `sudo`."""
    words = command.words
    index = after_options(words, start + 1, WRAPPERS["sudo"])
    if not has_option(words[start + 1 : index], "si --shell --login", WRAPPERS["sudo"]):
        return []
    return [command.code(" ".join(command.contents[index:]) if index < len(words) else known_input(command))]


def _of_at(command: "Command", start: int) -> "list[Payload]":
    return [] if has_option(command.words[start + 1 :], "flrdc", "") else [command.code(known_input(command))]


def _of_parallel(command: "Command", start: int) -> "list[Payload]":
    """The words before `:::` are a command for a shell; if there are none, each word after it is one."""
    words, contents = command.words, command.contents
    index = after_options(words, start + 1, _PARALLEL)
    if has_option(words[start + 1 : index], " --dry-run --dryrun", _PARALLEL):
        return []
    end = next((place for place in range(index, len(words)) if words[place][:3] == ":::"), len(words))
    if end > index:
        return [command.code(" ".join(contents[index:end]))]
    if end < len(words):
        return [command.code(content) for content in contents[end + 1 :]]
    return [command.code(known_input(command))]


def _of_each(command: "Command", start: int) -> "list[Payload]":
    words = command.words
    with_value = _EACH_IS_CODE[words[start]]
    codes = values_of_options(command, start, _CODE_OF_HYPERFINE, len(words)) if words[start] == "hyperfine" else []
    index = start + 1
    while (index := after_options(words, index, with_value)) < len(words):
        codes.append(command.contents[index])
        index += 1
    return [command.code(code) for code in codes]


def _of_ansible(command: "Command", start: int) -> "list[Payload]":
    size = len(command.words)
    modules = values_of_options(command, start, ["-m", "--module-name"], size)
    if modules and modules[-1].rpartition(".")[2] not in ("shell", "command", "raw"):
        return []
    return [command.code(code) for code in values_of_options(command, start, ["-a", "--args"], size)]


def _of_node(command: "Command", start: int) -> "list[Payload]":
    """`yarn jest` runs the program, unless the project has a script with that name."""
    index = after_options(command.words, start + 1, "CF --cwd --dir --filter")
    known = index >= len(command.words) or command.words[index] in _BUILT_IN
    return [] if known else [command.behind(index)]


_READERS: "dict[str, Callable[[Command, int], list[Payload]]]" = {
    ".": _of_source,
    "ansible": _of_ansible,
    "at": _of_at,
    "batch": _of_at,
    "cmd": of_cmd,
    "concurrently": _of_each,
    "eval": _of_eval,
    "find": _of_find,
    "hyperfine": _of_each,
    "parallel": _of_parallel,
    "powershell": of_powershell,
    "pwsh": of_powershell,
    "screen": of_screen,
    "sem": _of_parallel,
    "source": _of_source,
    "sudo": _of_sudo,
    "tmux": of_tmux,
    "trap": _of_trap,
    "watch": _of_watch,
    "xargs": _of_xargs,
}
