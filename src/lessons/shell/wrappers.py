"""The words of one command in, where the command it wraps begins out."""

# The options that take a value from the next word: first all letters, then the names.
_UV = (
    "pwifPC --with --with-editable --with-requirements --from --python --package --project --directory --env-file"
    " --extra --no-extra --group --no-group --only-group --index --default-index --index-url --extra-index-url"
    " --find-links --index-strategy --prerelease --resolution --exclude-newer --link-mode --upgrade-package"
    " --reinstall-package --refresh-package --config-setting --config-file --cache-dir --color --python-platform"
)
_NODE = "pcw --package --call --workspace"
_CONDA = "npre --name --prefix --root-prefix --env --cwd"

# Programs, with or without a subcommand, that start the command in their arguments.
_WRAPPERS = {
    "builtin": "",
    "bun x": _NODE,
    "bundle exec": "",
    "bunx": _NODE,
    "caffeinate": "tw",
    "chronic": "",
    "command": "",
    "conda run": _CONDA,
    "direnv exec": "",
    "doas": "auC",
    "dotenv run": "",
    "env": "uCSP --unset --chdir --split-string",
    "exec": "a",
    "gtimeout": "ks --kill-after --signal",
    "hatch run": "",
    "ionice": "cnpPu --class --classdata --pid --pgid --uid",
    "mamba run": _CONDA,
    "micromamba run": _CONDA,
    "mise exec": "",
    "mise x": "",
    "nice": "n --adjustment",
    "nohup": "",
    "npm exec": _NODE,
    "npm x": _NODE,
    "npx": _NODE,
    "pdm run": "p --project",
    "pipenv run": "",
    "pipx run": "i --spec --python --pip-args --index-url",
    "pixi run": "em --environment --manifest-path",
    "pnpm dlx": "p --package",
    "pnpm exec": "",
    "pnpx": "p --package",
    "poetry run": "",
    "rtk": "",
    "rtk err": "",
    "rtk proxy": "",
    "rtk test": "",
    "rye run": " --pyproject",
    "setsid": "",
    "stdbuf": "ioe --input --output --error",
    "strace": "abeEIoOpPsSuUX --output --trace --attach --user --env --string-limit",
    "sudo": "ughpCDRTUrt --user --group --host --prompt --close-from --chdir --chroot --command-timeout",
    "time": "fo --format --output",
    "timeout": "ks --kill-after --signal",
    "uv run": _UV,
    "uv tool run": _UV,
    "uvx": _UV,
    "watch": "nq --interval --equexit",
    "xvfb-run": "efnpsw --auth-file --error-file --server-num --server-args --wait --xauth-protocol",
    "yarn dlx": "p --package",
    "yarn exec": "",
}
_OPERANDS = {"direnv exec": 1, "gtimeout": 1, "timeout": 1}  # words between the options and the command

# Programs with subcommands, and the options that may stand before those.
_RUNNERS = {
    "bun": " --cwd",
    "bundle": "",
    "conda": "",
    "direnv": "",
    "dotenv": "feq --file --export --quote",
    "hatch": "ep --env --project --data-dir --cache-dir --config",
    "mamba": "",
    "micromamba": _CONDA,
    "mise": "CEj --cd --env --jobs",
    "npm": "Cw --prefix --workspace",
    "pdm": "c --config",
    "pipenv": " --python",
    "pipx": "",
    "pixi": "",
    "pnpm": "CF --dir --filter",
    "poetry": "CP --directory --project",
    "rtk": "",
    "rye": "",
    "uv": " --directory --project --config-file --cache-dir --color",
    "yarn": " --cwd",
}

_PYTHONS = ("python", "py", "pypy")
SHELLS = ("bash", "sh", "zsh", "dash", "ksh")


def after_assignments(words: list[str], start: int) -> int:
    """The index of the first word from `start` on that is no `NAME=value`."""
    while start < len(words) and _is_assignment(words[start]):
        start += 1
    return start


def _is_assignment(word: str) -> bool:
    equals = word.find("=")
    if equals < 1:
        return False
    name = word[:equals]
    if name[-1] == "+":
        name = name[:-1]
    return name.partition("[")[0].isidentifier()


def unwrap(words: list[str], start: int) -> int:
    """The index of the command that the program at `start` would run, 0 where it wraps none.

    Where only a part of a word names that command (`-mpytest`), the word is replaced by that part.
    """
    program = words[start]
    if program in _RUNNERS:
        index = _after_subcommand(words, start)
    elif program in _WRAPPERS:
        index = _after_wrapper(words, start + 1, program)
    elif program.rstrip("0123456789.") in _PYTHONS:
        index = _module(words, start)
    else:
        return 0
    if not index:
        return 0
    index = after_assignments(words, index)
    if index >= len(words) or words[index].lstrip("0123456789&")[:1] in ("<", ">"):
        return 0
    return index


def _after_subcommand(words: list[str], start: int) -> int:
    program = words[start]
    index = after_options(words, start + 1, _RUNNERS[program])
    for size in (1, 2):
        name = " ".join([program, *words[index : index + size]])
        if name in _WRAPPERS:
            return _after_wrapper(words, index + size, name)
    return _after_wrapper(words, start + 1, program) if program in _WRAPPERS else 0


def _after_wrapper(words: list[str], index: int, name: str) -> int:
    if name == "command" and index < len(words) and words[index][:2] in ("-v", "-V"):
        return 0  # it looks a command up and does not run it
    if name in ("mise exec", "mise x"):  # tools and their versions come first
        return words.index("--", index) + 1 if "--" in words[index:] else 0
    index = after_options(words, index, _WRAPPERS[name]) + _OPERANDS.get(name, 0)
    if name == "hatch run" and index < len(words):
        words[index] = words[index].rpartition(":")[2]  # the name of an environment can stand before it
    return index


def after_options(words: list[str], index: int, with_value: str) -> int:
    """The index of the first word from `index` on that is neither an option nor the value of one."""
    letters, _, names = with_value.partition(" ")
    while index < len(words) and words[index][:1] == "-":
        word = words[index]
        index += 1
        if word == "--":
            break
        if word in ("--help", "--version"):
            return len(words)  # it tells about itself and runs nothing
        if word[:2] == "--":
            index += word in names.split()
        else:
            index += _takes_next_word(word, letters)
    return index


def _takes_next_word(cluster: str, letters: str) -> bool:
    for position in range(1, len(cluster)):
        if cluster[position] in letters:
            return position == len(cluster) - 1
    return False


def _module(words: list[str], start: int) -> int:
    index = start + 1
    while index < len(words) and words[index][:1] == "-":
        word = words[index]
        index += 1
        for position in range(1, len(word)):
            letter = word[position]
            if letter == "m":
                if position < len(word) - 1:
                    index -= 1
                    words[index] = word[position + 1 :]
                return index
            if letter in "c-":
                return 0
            if letter in "WX":
                index += position == len(word) - 1
                break
    return 0
