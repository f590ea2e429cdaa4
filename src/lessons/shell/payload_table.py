"""Programs that pass a command to another program, machine, container or system, and where that command is."""

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

# The command is in the arguments, word by word: options that take a value, and how many words come before it.
WORDS = {
    "apptainer exec": (_BIND, 1),
    "buildah run": ("v --volume --user --workingdir --env", 1),
    "bun run": ("c --cwd --config --env-file --filter", 0),
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
    "git bisect run": ("", 0),
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
    "pnpm run": ("", 0),
    "podman compose exec": (_EXEC, 1),
    "podman compose run": (_RUN, 1),
    "podman container exec": (_EXEC, 1),
    "podman container run": (_RUN, 1),
    "podman exec": (_EXEC, 1),
    "podman run": (_RUN, 1),
    "singularity exec": (_BIND, 1),
    "toolbox run": ("cdr --container --distro --release", 0),
    "yarn run": ("", 0),
}
# A shell reads the joined arguments.
CODE = {
    "adb shell": ("e", 0),
    "autossh": (_SSH + "M", 1),
    "cross-env-shell": ("", 0),
    "docker-machine ssh": ("", 1),
    "git submodule foreach": ("", 0),
    "heroku run": ("aesr --app --env --size --remote --type", 0),
    "newgrp": ("", 1),
    "pdsh": ("wxlfRtu", 0),
    "plink": ("PlipwLRD -load -batch", 1),
    "rsh": ("l", 1),
    "scl enable": ("", 1),
    "sg": ("", 1),
    "sops exec-env": ("", 1),
    "ssh": (_SSH, 1),
    "wsl": ("du --distribution --user --cd --shell-type --system", 0),
}
# An option has the code as its value.
OPTIONS = {
    "aws ecs execute-command": "--command",
    "cf ssh": "-c --command",
    "chokidar": "-c --command",
    "doppler run": "--command",
    "eb ssh": "-c --command",
    "entr": "-s",
    "env": "-S --split-string",
    "flock": "-c --command",
    "fly ssh console": "-C --command",
    "flyctl ssh console": "-C --command",
    "gcloud compute ssh": "--command",
    "git difftool": "-x --extcmd",
    "git filter-branch": "--tree-filter --index-filter --msg-filter --env-filter --commit-filter --parent-filter",
    "git rebase": "-x --exec",
    "infisical run": "--command",
    "lando ssh": "-c --command",
    "nix-shell": "--run --command",
    "nodemon": "-x --exec",
    "npm exec": "-c --call",
    "npm x": "-c --call",
    "npx": "-c --call",
    "runuser": "-c --command --session-command",
    "script": "-c --command",
    "su": "-c --command --session-command",
    "vagrant ssh": "-c --command",
}
# The command follows one of these words.
BEHIND = {
    "flox activate": ("--",),
    "gdb": ("--args",),
    "gh codespace ssh": ("--",),
    "gh cs ssh": ("--",),
    "guix shell": ("--",),
    "kubectl debug": ("--",),
    "kubectl run": ("--",),
    "lldb": ("--",),
    "nix develop": ("-c", "--command"),
    "nix shell": ("-c", "--command"),
    "oc debug": ("--",),
    "oc run": ("--",),
}
# An option may name the program, and options of the command itself follow.
ENTRYPOINT = frozenset(name for name, (with_value, _) in WORDS.items() if with_value in (_EXEC, _RUN))
# Without a command they start a shell that reads their input.
START_SHELLS = frozenset(
    (
        *("adb shell", "autossh", "cf ssh", "colima ssh", "distrobox enter", "docker-machine ssh", "eb ssh"),
        *("fly ssh console", "flyctl ssh console", "gcloud compute ssh", "lando ssh", "limactl shell", "newgrp"),
        *("nix-shell", "oc rsh", "plink", "rsh", "runuser", "ssh", "su", "vagrant ssh", "wsl"),
    )
)
PROGRAMS = frozenset(name.partition(" ")[0] for names in (WORDS, CODE, OPTIONS, BEHIND) for name in names)
