"""Commands that run on another machine, in a container or in another system: what they are told to run."""

from lessons.shell.global_options import sub_command_places
from lessons.shell.known_output import known_input
from lessons.shell.wrappers import after_options

TYPE_CHECKING = False
if TYPE_CHECKING:
    from lessons.shell.commands import Command, Payload

_EXEC = "euw --env --env-file --user --workdir --detach-keys --index"
_RUN = (
    "aceghlmpuvw --name --network --net --entrypoint --mount --env --env-file --volume --volumes-from --publish --user"
    " --workdir --hostname --label --label-file --memory --memory-swap --cpus --cpu-shares --cpuset-cpus --gpus"
    " --restart --platform --pull --add-host --dns --dns-search --cap-add --cap-drop --device --ipc --pid --uts"
    " --userns --tmpfs --ulimit --shm-size --log-driver --log-opt --security-opt --runtime --stop-signal"
    " --stop-timeout --sysctl --cidfile --cgroupns --link --expose --network-alias --group-add --pids-limit --attach"
    " --annotation --ip --ip6 --mac-address --storage-opt --arch --os --variant --secret --systemd --pod"
)
_KUBECTL = "cnf --container --namespace --context --filename --kubeconfig --cluster --user --pod-running-timeout"
_LXC = "uTn --cwd --env --group --mode --user"
_BIND = "BHWec --bind --home --pwd --env --overlay --workdir"
_SSH = "BbcDEeFIiJLlmOopQRSWw"
_RUN_NO_COMMAND = {"ssh": "GNV", "autossh": "GNV"}  # letters that make it do something else
_SSH_LETTERS = "46AaCfGgKkMNnqsTtVvXxYy"  # of options without a value
_ABOUT_WSL = (
    "-l --list -t --terminate -s --set-default -v --set-version --export --import --unregister --install --update"
    " --mount --unmount --shutdown --status --manage"
).split()

# The command stands in the arguments, word by word: the options that take a value, and how many words come before it.
_WORDS = {
    "apptainer exec": (_BIND, 1),
    "buildah run": ("v --volume --user --workingdir --env", 1),
    "clush": ("wgxXlfoBt --worker --user", 0),
    "colima ssh": ("p --profile", 0),
    "crictl exec": ("r --timeout", 1),
    "ddev exec": ("sd --service --dir", 0),
    "devcontainer exec": (" --workspace-folder --container-id --id-label --config --remote-env --log-level", 0),
    "distrobox enter": ("na --name --additional-flags", 1),
    "docker compose exec": (_EXEC, 1),
    "docker compose run": (_RUN, 1),
    "docker container exec": (_EXEC, 1),
    "docker container run": (_RUN, 1),
    "docker exec": (_EXEC, 1),
    "docker run": (_RUN, 1),
    "docker-compose exec": (_EXEC, 1),
    "docker-compose run": (_RUN, 1),
    "incus exec": (_LXC, 1),
    "kubectl exec": (_KUBECTL, 1),
    "limactl shell": (" --workdir --shell", 1),
    "lxc exec": (_LXC, 1),
    "machinectl shell": ("MHE --uid --setenv", 1),
    "mosh": (" --ssh --port --predict --server --client --family", 1),
    "multipass exec": ("d --working-directory", 1),
    "nerdctl exec": (_EXEC, 1),
    "nerdctl run": (_RUN, 1),
    "oc exec": (_KUBECTL, 1),
    "oc rsh": (_KUBECTL + " --shell", 1),
    "pct exec": ("", 1),
    "podman compose exec": (_EXEC, 1),
    "podman compose run": (_RUN, 1),
    "podman container exec": (_EXEC, 1),
    "podman container run": (_RUN, 1),
    "podman exec": (_EXEC, 1),
    "podman run": (_RUN, 1),
    "singularity exec": (_BIND, 1),
    "toolbox run": ("cdr --container --distro --release", 0),
}
# The arguments are joined and read by a shell.
_CODE = {
    "adb shell": ("e", 0),
    "autossh": (_SSH + "M", 1),
    "docker-machine ssh": ("", 1),
    "heroku run": ("aesr --app --env --size --remote --type", 0),
    "pdsh": ("wxlfRtu", 0),
    "plink": ("PlipwLRD -load -batch", 1),
    "rsh": ("l", 1),
    "ssh": (_SSH, 1),
    "wsl": ("du --distribution --user --cd --shell-type --system", 0),
}
# An option has the code as its value.
_OPTIONS = {
    "aws ecs execute-command": "--command",
    "cf ssh": "-c --command",
    "eb ssh": "-c --command",
    "fly ssh console": "-C --command",
    "flyctl ssh console": "-C --command",
    "gcloud compute ssh": "--command",
    "lando ssh": "-c --command",
    "nix-shell": "--run --command",
    "vagrant ssh": "-c --command",
}
# The command stands behind one of these words.
_BEHIND = {
    "gh codespace ssh": ("--",),
    "gh cs ssh": ("--",),
    "kubectl debug": ("--",),
    "kubectl run": ("--",),
    "nix develop": ("-c", "--command"),
    "nix shell": ("-c", "--command"),
    "oc debug": ("--",),
    "oc run": ("--",),
}
# Without a command they start a shell, which reads what they read.
_SHELLS = frozenset((*_CODE, *_OPTIONS, "colima ssh", "distrobox enter", "limactl shell", "oc rsh"))
_PROGRAMS = frozenset(name.partition(" ")[0] for names in (_WORDS, _CODE, _OPTIONS, _BEHIND) for name in names)
_LONGEST_NAME = 3


def remote_payloads(command: "Command", start: int) -> "list[Payload]":
    """What the program at `start` has another machine, container or system run."""
    words = command.words
    if words[start] == "ansible":
        return _of_ansible(command, start)
    if words[start] not in _PROGRAMS:
        return []
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
    """None where nothing is known about the name; `index` is that of the first word behind it."""
    words = command.words
    if name in _OPTIONS:
        return [command.code(value) for value in _values(command, index, _OPTIONS[name].split())]
    if name in _BEHIND:
        marks = [place for place in range(index, len(words) - 1) if words[place] in _BEHIND[name]]
        return [command.behind(marks[0] + 1)] if marks else []
    if name not in _WORDS and name not in _CODE:
        return None
    with_value, operands = _WORDS[name] if name in _WORDS else _CODE[name]
    operand = after_options(words, index, with_value)
    if _runs_none(name, words[index:operand]):
        return []
    behind = operand + operands
    if with_value not in (_EXEC, _RUN):  # others take options behind the host too, and `--`
        behind = after_options(words, behind, with_value)
    if name.endswith(" run") and (entry := _values(command, index, ["--entrypoint"], operand)):
        started = command.behind(min(behind, len(words)))
        started.words, started.contents = [entry[0], *started.words], [entry[0], *started.contents]
        return [started]
    if behind >= len(words) or words[behind][:1] == "-":
        return []
    # It hands its words on as they are quoted, so that one alone may be a whole script.
    if name in _WORDS or (name == "wsl" and " " not in command.contents[behind]):
        return [command.behind(behind)]
    return [command.code(" ".join(command.contents[behind:]))]


def _from_input(command: "Command", name: str, index: int) -> "list[Payload]":
    if name not in _SHELLS or _runs_none(name, command.words[index:]):
        return []
    return [command.code(known_input(command))]


def _runs_none(name: str, options: list[str]) -> bool:
    """Whether the options ask for something else than to run a command."""
    if name == "wsl":
        return any(option in _ABOUT_WSL for option in options)
    letters = _RUN_NO_COMMAND.get(name, "")
    return bool(letters) and any(
        option[:1] == "-" and not option[1:].strip(_SSH_LETTERS) and any(letter in option for letter in letters)
        for option in options
    )


def _values(command: "Command", index: int, names: list[str], end: int | None = None) -> list[str]:
    """The values of these options, from the next word or behind `=`."""
    words = command.words[:end]
    found = []
    for place in range(index, len(words)):
        name, equals, _ = words[place].partition("=")
        if name in names:
            if equals:
                found.append(command.contents[place].partition("=")[2])
            elif place + 1 < len(words):
                found.append(command.contents[place + 1])
    return found


def _of_ansible(command: "Command", start: int) -> "list[Payload]":
    modules = _values(command, start, ["-m", "--module-name"])
    if modules and modules[-1].rpartition(".")[2] not in ("shell", "command", "raw"):
        return []
    return [command.code(code) for code in _values(command, start, ["-a", "--args"])]
