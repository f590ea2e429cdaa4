"""A shell line in, the program and the sub-command that do its work out."""

import re
from functools import lru_cache

from lessons.shell.line import LONGEST_LINE, SCRIPT_DEPTH, SHELLS, Part, parts, working
from lessons.shell.split import invocations

# Programs whose first plain argument says what they do, and the options before it that take the next word.
_FAMILIES = {
    "ansible-galaxy": "",
    "apt": "-o",
    "apt-get": "-o",
    "aws": "--profile --region --output --endpoint-url --query",
    "az": "--subscription --output -o --query",
    "bazel": "--output_base",
    "brew": "",
    "bun": "--cwd --config -c",
    "bundle": "",
    "cargo": "-C -Z --config --color --manifest-path",
    "composer": "-d --working-dir",
    "conda": "",
    "dart": "",
    "deno": "",
    "docker": "-H --host -c --context --config -l --log-level",
    "docker-compose": "-f --file -p --project-name --env-file --profile --project-directory",
    "dotnet": "",
    "expo": "",
    "firebase": "-P --project --token",
    "flutter": "-d --device-id",
    "fly": "-a --app",
    "forge": "--root",
    "gcloud": "--project --account --configuration --format",
    "gem": "",
    "gh": "-R --repo --hostname",
    "git": "-C -c --git-dir --work-tree --namespace --exec-path",
    "glab": "-R --repo",
    "go": "-C",
    "gradle": "-p --project-dir -b --build-file",
    "gradlew": "-p --project-dir -b --build-file",
    "hatch": "-e --env -p --project",
    "helm": "-n --namespace --kube-context --kubeconfig",
    "heroku": "-a --app",
    "jj": "-R --repository",
    "just": "-f --justfile -d --working-directory",
    "kubectl": "-n --namespace --context --kubeconfig --cluster --user -s --server",
    "make": "-C --directory -f --file --makefile -I -o -W",
    "mise": "-C --cd",
    "mix": "",
    "mvn": "-f --file -pl -P -s",
    "mvnw": "-f --file -pl -P -s",
    "next": "",
    "npm": "--prefix -w --workspace -C",
    "nx": "",
    "pdm": "-p --project",
    "pip": "--python --log --proxy --cache-dir",
    "pip3": "--python --log --proxy --cache-dir",
    "pipenv": "",
    "pipx": "",
    "pixi": "",
    "pnpm": "-C --dir -F --filter",
    "poetry": "-C --directory -P --project",
    "podman": "-c --connection --log-level",
    "prisma": "",
    "pulumi": "-C --cwd -s --stack",
    "rails": "",
    "rake": "-f --rakefile",
    "ruff": "--config",
    "rustup": "",
    "snap": "",
    "supabase": "--workdir --profile",
    "swift": "",
    "systemctl": "-H --host -M --machine -t -p",
    "task": "-t --taskfile -d --dir",
    "terraform": "",
    "tmux": "-L -S -f",
    "turbo": "--cwd --filter",
    "uv": "--directory --project --config-file --cache-dir --color",
    "vercel": "--cwd --scope -S --token -t",
    "wrangler": "-c --config -e --env",
    "yarn": "--cwd",
    "zig": "",
}
# Where one word says too little; an empty string stands for every first word.
_SECOND_WORD = {
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
_COMPOSE_OPTIONS = _FAMILIES["docker-compose"]
_PROGRAM = re.compile(r"[A-Za-z0-9_][\w.+-]{0,63}")
_WORD = re.compile(r"[a-z][a-z0-9]*(?:[-:_][a-z0-9]+)*")
_LONGEST_WORD = 40


def program_of(command: str) -> tuple[str, str]:
    """The first command of the line that is no preparation, as (`git`, `commit`); empty where there is none."""
    return _remembered(command[:LONGEST_LINE])  # cut first: what is remembered stays small


@lru_cache(maxsize=4096)
def _remembered(command: str) -> tuple[str, str]:
    return _of_line(command, 0)


def _of_line(command: str, depth: int) -> tuple[str, str]:
    line = parts(command)
    for index in working(line):
        found = _of_part(line[index], depth)
        if found[0]:
            return found
    if "$(" in command or "`" in command:  # the work is done inside of `x=$(…)` or `echo "$(…)"`
        for texts in invocations(command):
            words = texts[-1].split(" ")
            if working((Part(words, [], ""),)) and (name := _name(words[0])):
                return name, _sub_command(name, words)
    return (_name(line[0].program), "") if line else ("", "")


def _of_part(part: Part, depth: int) -> tuple[str, str]:
    if part.inner and part.program in SHELLS and depth < SCRIPT_DEPTH:
        found = _of_line(part.inner[0], depth + 1)
        if found[0]:
            return found
    name = _name(part.program)
    return name, _sub_command(name, part.words)


def _name(word: str) -> str:
    """`git` for `git.exe`, `tsc` for `tsc@5`; nothing for `$TOOL` and whatever else is no name."""
    name = word.rpartition("/")[2].partition("@")[0].removesuffix(".exe")
    return name if _PROGRAM.fullmatch(name) else ""


def _sub_command(name: str, words: list[str]) -> str:
    if name not in _FAMILIES:
        return ""
    first, index = _plain_word(words, 1, _FAMILIES[name])
    second_for = _SECOND_WORD.get(name)
    if not first or second_for is None or not ("" in second_for or first in second_for):
        return first
    second, _ = _plain_word(words, index, _COMPOSE_OPTIONS if first == "compose" else _FAMILIES[name])
    return f"{first} {second}" if second else first


def _plain_word(words: list[str], index: int, with_value: str) -> tuple[str, int]:
    """The first word from `index` on that is no option, if it looks like a command, and the index behind it."""
    options = with_value.split()
    while index < len(words):
        word = words[index]
        index += 1
        if word[:1] in ("-", "+"):  # `+nightly` chooses a toolchain
            index += word in options
        elif not word.isdigit() and not (word[:1].isalpha() and "=" in word):
            return (word, index) if len(word) <= _LONGEST_WORD and _WORD.fullmatch(word) else ("", index)
    return "", index
