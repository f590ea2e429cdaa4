"""What a program runs besides itself: commands and code in its arguments or input, and code in other languages."""

from lessons.shell.global_options import sub_command_places
from lessons.shell.tables import EXEC, NAMES, RUN, SHELLS, STARTERS
from lessons.shell.unwrap import after_options, has_option, unwrap
from lessons.shell.values import known_input, run_as_code, substituted, written_into

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    from lessons.shell.command import Command, Payload

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
_LONGEST_NAME = 3
_SSH_LETTERS = "46AaCfGgKkMNnqsTtVvXxYy"  # options without a value
_SSH_RUNS_NONE = "GNV"
_ABOUT_WSL = (
    "-l --list -t --terminate -s --set-default -v --set-version --export --import --unregister --install --update"
    " --mount --unmount --shutdown --status --manage"
)
_NODE_CODE = ("-e --eval -p --print -pe", "rCe --require --import --conditions --loader --env-file --input-type")
_LUA = ("-e", "el")
# Options whose value is code, then all options that take a value.
_INTERPRETERS = {
    "bun": ("-e --eval -p --print", "epr --preload --eval --print"),
    "deno": ("", ""),
    "elixir": ("-e --eval", "er --eval --require"),
    "ghc": ("-e", "e"),
    "groovy": ("-e", "e"),
    "guile": ("-c", "csLl"),
    "ipython": ("-c", "cm"),
    "julia": ("-e -E --eval --print", "eELtJp --eval --print --project"),
    "lua": _LUA,
    "luajit": _LUA,
    "node": _NODE_CODE,
    "nodejs": _NODE_CODE,
    "osascript": ("-e", "el"),
    "perl": ("-e -E", "eEIMm"),
    "php": ("-r", "rdcBREz"),
    "py": ("-c", "cmWX"),
    "pypy": ("-c", "cmWX"),
    "python": ("-c", "cmWX"),
    "R": ("-e", "e"),
    "Rscript": ("-e", "e"),
    "racket": ("-e", "erltf"),
    "ruby": ("-e", "erIC"),
    "scala": ("-e", "e"),
    "ts-node": ("-e --eval -p --print", "eprPO --eval --print --require --project"),
    "tsx": ("-e --eval -p --print", "ep --eval --print --tsconfig"),
}
# Sub-commands that take code: as the next word, or as an option's value.
_SUB_COMMANDS = {"deno eval": "", "rails runner": "", "artisan tinker": "--execute", "manage.py shell": "-c --command"}
_RUN_MODULES = ("ipython", "py", "pypy", "python")


def payloads(command: "Command", start: int) -> "list[Payload]":
    """Returns what the program at `start` will run."""
    program = command.words[start]
    if program in SHELLS:
        return _of_shell(command, start)
    if program in _READERS:
        return _READERS[program](command, start)
    found = _of_table(command, start) if f"\n{program}" in NAMES else []
    return found or (_of_node(command, start) if program in ("pnpm", "yarn") else [])


def _of_shell(command: "Command", start: int) -> "list[Payload]":
    words = command.words
    index = after_options(words, start + 1, "oO --rcfile --init-file")
    options = [word for word in words[start + 1 : index] if word[:1] == "-" and word[:2] != "--"]
    if has_option(options, "nD", "oO") or "noexec" in words[start:index]:
        return []  # it only checks the code
    if any("c" in option for option in options):
        return [command.code(command.contents[index])] if index < len(words) else []
    if index >= len(words) or any("s" in option for option in options):
        return [command.code(known_input(command))]
    return _of_file(command, index)


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
    index = after_options(words, start + 1, STARTERS["sudo"]["wraps"])
    if not has_option(words[start + 1 : index], "si --shell --login", STARTERS["sudo"]["wraps"]):
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


def _of_windows(command: "Command", start: int) -> "list[Payload]":
    from lessons.shell.windows import of_cmd, of_powershell  # few lines need it

    return of_cmd(command, start) if command.words[start] == "cmd" else of_powershell(command, start)


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
    "cmd": _of_windows,
    "concurrently": _of_each,
    "eval": _of_eval,
    "find": _of_find,
    "hyperfine": _of_each,
    "parallel": _of_parallel,
    "powershell": _of_windows,
    "pwsh": _of_windows,
    "sem": _of_parallel,
    "source": _of_source,
    "sudo": _of_sudo,
    "trap": _of_trap,
    "watch": _of_watch,
    "xargs": _of_xargs,
}


def _of_table(command: "Command", start: int) -> "list[Payload]":
    """Returns what the program at `start`, which is in the table, would run."""
    words = command.words
    places = sub_command_places(words, start)
    while len(places) < _LONGEST_NAME:
        places.append(places[-1] + 1)
    for size in range(_LONGEST_NAME, 0, -1):
        if places[size - 1] < len(words):
            name = " ".join(words[place] for place in places[:size])
            found = _named(command, name, places[size - 1] + 1)
            if found is not None:
                return found or _from_input(command, name, places[size - 1] + 1)
    return []


def _named(command: "Command", name: str, index: int) -> "list[Payload] | None":
    """Returns None for an unknown name; `index` is that of the first word after it."""
    words, row = command.words, STARTERS.get(name, {})
    if "code" in row:
        end = len(words)
        if "wraps" in row and name != "runuser":  # what follows its options belongs to the command it wraps
            end = after_options(words, index, row["wraps"])
            end = after_options(words, end + row["operands"], row["wraps"]) if "operands" in row else end
        return [command.code(value) for value in values_of_options(command, index, row["code"].split(), end)]
    if "runs" in row:
        return _of_words(command, name, index)
    if "joins" in row:
        return _of_code(command, name, index)
    if "after" in row and "wraps" not in row:
        marks = [place for place in range(index, len(words) - 1) if words[place] in row["after"].split()]
        return [command.behind(marks[0] + 1)] if marks else []
    return [] if "shell" in row else None


def _of_words(command: "Command", name: str, index: int) -> "list[Payload]":
    words = command.words
    with_value, operands = STARTERS[name]["runs"], STARTERS[name].get("operands", 0)
    operand = after_options(words, index, with_value)
    behind = operand + operands
    if with_value in (EXEC, RUN):  # an option may name the program, and options of the command itself follow
        entry = values_of_options(command, index, ["--entrypoint"], operand)
        if entry:
            started = command.behind(min(behind, len(words)))
            started.words, started.contents = [entry[0], *started.words], [entry[0], *started.contents]
            return [started]
    else:  # others take options after the name too, and `--`
        behind = after_options(words, behind, with_value)
    return [command.behind(behind)] if behind < len(words) and words[behind][:1] != "-" else []


def _of_code(command: "Command", name: str, index: int) -> "list[Payload]":
    words, contents = command.words, command.contents
    with_value, operands = STARTERS[name]["joins"], STARTERS[name].get("operands", 0)
    operand = after_options(words, index, with_value)
    behind = after_options(words, operand + operands, with_value)
    if behind >= len(words) or _runs_none(name, words[index:operand]):
        return []
    # `wsl` passes its words on with their quotes, so one word alone may be a whole script.
    if name == "wsl" and " " not in contents[behind]:
        return [command.behind(behind)]
    return [command.code(" ".join(contents[behind:]))]


def _from_input(command: "Command", name: str, index: int) -> "list[Payload]":
    if "shell" not in STARTERS.get(name, ()) or _runs_none(name, command.words[index:]):
        return []
    return [command.code(known_input(command))]


def _runs_none(name: str, options: list[str]) -> bool:
    """Whether the options ask for something other than running a command."""
    if name == "wsl":
        return any(option in _ABOUT_WSL.split() for option in options)
    return name in ("ssh", "autossh") and any(
        option[:1] == "-" and not option[1:].strip(_SSH_LETTERS) and any(letter in option for letter in _SSH_RUNS_NONE)
        for option in options
    )


def values_of_options(command: "Command", index: int, names: list[str], end: int) -> list[str]:
    """Returns the values of these options: the next word, after `=`, or after the letter in the same word."""
    words, contents = command.words, command.contents
    found = []
    for place in range(index, min(end, len(words))):
        word = words[place]
        name, equals, _ = word.partition("=")
        if word[:1] != "-":
            continue
        if equals and name in names:
            found.append(contents[place].partition("=")[2])
        elif word in names or (word[1:2] != "-" and "-" + word[-1:] in names and word[1:].isalpha()):
            found += contents[place + 1 : place + 2]
        elif word[:2] in names:
            found.append(contents[place][2:])
    return found


def handed_code(command: "Command", start: int) -> list[str]:
    """Returns the code in the arguments of the program at `start`, else its input if it runs no file."""
    program = command.words[start].rstrip("0123456789.") or command.words[start]
    if program in ("rails", "uv"):
        return _of_sub_command(command, start) if program == "rails" else _of_uv(command, start)
    if program not in _INTERPRETERS:
        return []
    words = command.words
    names, with_value = _INTERPRETERS[program]
    index = start + 1
    while index < len(words) and words[index][:1] == "-" and words[index] not in _STDIN:
        index = after_options(words[: index + 1], index, with_value)
    found = [_resolved(command, text) for text in values_of_options(command, start + 1, names.split(), index)]
    if found or (program in _RUN_MODULES and has_option(words[start + 1 : index], "m", "cWX")):
        return found
    if index >= len(words) or words[index] in _STDIN:
        return _input_of(command)
    return _of_sub_command(command, start if program == "deno" else index)


def _of_sub_command(command: "Command", start: int) -> list[str]:
    name = " ".join(command.words[start : start + 2]).rpartition("/")[2]
    if name not in _SUB_COMMANDS:
        return []
    if not _SUB_COMMANDS[name]:
        index = after_options(command.words, start + 2, "e --environment --ext")
        return command.contents[index : index + 1]
    names = _SUB_COMMANDS[name].split()
    return values_of_options(command, start + 2, names, len(command.words)) or _input_of(command)


def _of_uv(command: "Command", start: int) -> list[str]:
    """`uv run -` runs its input."""
    return _input_of(command) if command.words[start + 1 :][:1] == ["run"] and command.words[-1] == "-" else []


def _resolved(command: "Command", text: str) -> str:
    """Returns the value of one variable or substitution, else the text itself."""
    return run_as_code(command.code(text)).rstrip("\n") if text[:1] in ("$", "`") else text


def _input_of(command: "Command") -> list[str]:
    text = known_input(command).rstrip("\n")
    return [text] if text else []
