"""Tables of programs: what each starts besides itself, and which only look."""

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import TypedDict

    class Starter(TypedDict, total=False):
        """How a program starts another command. Options are letters, then names."""

        wraps: str  # the command follows its options; these take the next word as value
        runs: str  # the same, but the command runs elsewhere or may be a script of the project
        joins: str  # the same, but a shell reads the joined words
        operands: int  # how many words are between the options and the command
        code: str  # options that have code as their value
        after: str  # the command follows one of these words
        unless: str  # with these options it does something else
        shell: bool  # without a command it starts a shell that reads its input
        elsewhere: bool  # on another machine or in a container


_UV = (
    "pwifPC --with --with-editable --with-requirements --from --python --package --project --directory --env-file"
    " --extra --no-extra --group --no-group --only-group --index --default-index --index-url --extra-index-url"
    " --find-links --index-strategy --prerelease --resolution --exclude-newer --link-mode --upgrade-package"
    " --reinstall-package --refresh-package --config-setting --config-file --cache-dir --color --python-platform"
)
_NODE = "pcw --package --call --workspace"
_CONDA = "npre --name --prefix --root-prefix --env --cwd"
_MPI = "nHcx -np --np -host --host -hostfile --hostfile -machinefile --map-by --bind-to -wdir --wdir"
_PERF = "eopatCFcgGu --event --output --pid --tid --cpu --count --freq --repeat --call-graph"
EXEC = "euw --env --env-file --user --workdir --detach-keys --index"
RUN = (
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

# By program, with or without a sub-command.
STARTERS: "dict[str, Starter]" = {
    "adb shell": {"joins": "e", "shell": True, "elsewhere": True},
    "apptainer exec": {"runs": _BIND, "operands": 1, "elsewhere": True},
    "arch": {"wraps": "ed"},
    "asdf exec": {"wraps": ""},
    "autossh": {"joins": _SSH + "M", "operands": 1, "shell": True, "elsewhere": True},
    "aws ecs execute-command": {"code": "--command", "elsewhere": True},
    "aws-vault exec": {"wraps": "dnt --duration --region --mfa-token --backend", "operands": 1},
    "buildah run": {"runs": "v --volume --user --workingdir --env", "operands": 1, "elsewhere": True},
    "builtin": {"wraps": ""},
    "bun run": {"runs": "c --cwd --config --env-file --filter"},
    "bun x": {"wraps": _NODE},
    "bundle exec": {"wraps": ""},
    "bunx": {"wraps": _NODE},
    "busybox": {"wraps": ""},
    "cabal exec": {"wraps": ""},
    "caffeinate": {"wraps": "tw"},
    "ccache": {"wraps": ""},
    "cf ssh": {"code": "-c --command", "shell": True, "elsewhere": True},
    "chamber exec": {"wraps": "br", "after": "--"},
    "chokidar": {"code": "-c --command"},
    "chpst": {"wraps": "uUbe/nmdolpfcrtP"},
    "chronic": {"wraps": ""},
    "chroot": {"wraps": " --userspec --groups", "operands": 1},
    "chrt": {"wraps": "TPD --sched-runtime --sched-period --sched-deadline", "operands": 1, "unless": "pm"},
    "clush": {"runs": "wgxXlfoBt --worker --user", "elsewhere": True},
    "colima ssh": {"runs": "p --profile", "shell": True, "elsewhere": True},
    "command": {"wraps": "", "unless": "vV"},
    "composer exec": {"wraps": ""},
    "conda run": {"wraps": _CONDA},
    "coverage run": {"wraps": " --source --omit --include --rcfile --data-file --context --concurrency"},
    "cProfile": {"wraps": "os"},
    "cpulimit": {"wraps": "lpe --limit --pid --exe"},
    "crictl exec": {"runs": "r --timeout", "operands": 1, "elsewhere": True},
    "cross-env": {"wraps": ""},
    "cross-env-shell": {"joins": ""},
    "dbus-run-session": {"wraps": " --config-file --dbus-daemon"},
    "ddev exec": {"runs": "sd --service --dir", "elsewhere": True},
    "devbox run": {"wraps": "ce --config --env --env-file --environment"},
    "devcontainer exec": {
        "runs": " --workspace-folder --container-id --id-label --config --remote-env --log-level",
        "elsewhere": True,
    },
    "direnv exec": {"wraps": "", "operands": 1},
    "distcc": {"wraps": ""},
    "distrobox enter": {"runs": "na --name --additional-flags", "operands": 1, "shell": True, "elsewhere": True},
    "doas": {"wraps": "auC"},
    "docker compose exec": {"runs": EXEC, "operands": 1, "elsewhere": True},
    "docker compose run": {"runs": RUN, "operands": 1, "elsewhere": True},
    "docker container exec": {"runs": EXEC, "operands": 1, "elsewhere": True},
    "docker container run": {"runs": RUN, "operands": 1, "elsewhere": True},
    "docker exec": {"runs": EXEC, "operands": 1, "elsewhere": True},
    "docker run": {"runs": RUN, "operands": 1, "elsewhere": True},
    "docker-compose exec": {"runs": EXEC, "operands": 1, "elsewhere": True},
    "docker-compose run": {"runs": RUN, "operands": 1, "elsewhere": True},
    "docker-machine ssh": {"joins": "", "operands": 1, "shell": True, "elsewhere": True},
    "doppler run": {
        "wraps": "pcts --project --config --token --scope --fallback --mount --mount-format --name-transformer",
        "code": "--command",
    },
    "dotenv": {"wraps": "evcp"},
    "dotenv run": {"wraps": ""},
    "dotenvx run": {"wraps": "fe --env-file --env --env-vault-file --convention"},
    "dumb-init": {"wraps": "r --rewrite"},
    "eb ssh": {"code": "-c --command", "shell": True, "elsewhere": True},
    "entr": {"wraps": "", "code": "-s"},
    "env": {"wraps": "uCSP --unset --chdir --split-string", "code": "-S --split-string"},
    "env-cmd": {"wraps": "fer --file --environments --rc-file"},
    "envchain": {"wraps": "", "operands": 1},
    "envdir": {"wraps": "", "operands": 1},
    "exec": {"wraps": "a"},
    "fakeroot": {"wraps": "lsibu --lib --faked"},
    "faketime": {"wraps": "f", "operands": 1},
    "firejail": {"wraps": ""},
    "flock": {
        "wraps": "wE --timeout --wait --conflict-exit-code",
        "operands": 1,
        "code": "-c --command",
        "unless": "u --unlock",
    },
    "flox activate": {"after": "--"},
    "fly ssh console": {"code": "-C --command", "shell": True, "elsewhere": True},
    "flyctl ssh console": {"code": "-C --command", "shell": True, "elsewhere": True},
    "fnm exec": {"wraps": " --using --fnm-dir --node-dist-mirror"},
    "foreman run": {"wraps": "efd --env --procfile --root"},
    "gcloud compute ssh": {"code": "--command", "shell": True, "elsewhere": True},
    "gdb": {"after": "--args"},
    "gh codespace ssh": {"after": "--", "elsewhere": True},
    "gh cs ssh": {"after": "--", "elsewhere": True},
    "git bisect run": {"runs": ""},
    "git difftool": {"code": "-x --extcmd"},
    "git filter-branch": {
        "code": "--tree-filter --index-filter --msg-filter --env-filter --commit-filter --parent-filter"
    },
    "git rebase": {"code": "-x --exec"},
    "git submodule foreach": {"joins": ""},
    "gosu": {"wraps": "", "operands": 1},
    "gtime": {"wraps": "fo --format --output"},
    "gtimeout": {"wraps": "ks --kill-after --signal", "operands": 1},
    "guix shell": {"after": "--"},
    "hatch run": {"wraps": ""},
    "heaptrack": {"wraps": "op --output --pid"},
    "heroku run": {"joins": "aesr --app --env --size --remote --type", "elsewhere": True},
    "honcho run": {"wraps": "efd --env --procfile --app-root"},
    "incus exec": {"runs": _LXC, "operands": 1, "elsewhere": True},
    "infisical run": {"wraps": " --env --path --projectId --token --tags", "code": "--command"},
    "ionice": {"wraps": "cnpPu --class --classdata --pid --pgid --uid", "unless": "pPu"},
    "kubectl debug": {"after": "--", "elsewhere": True},
    "kubectl exec": {"runs": _KUBECTL, "operands": 1, "elsewhere": True},
    "kubectl run": {"after": "--", "elsewhere": True},
    "lando ssh": {"code": "-c --command", "shell": True, "elsewhere": True},
    "lerna exec": {"wraps": " --scope --ignore --concurrency --since"},
    "limactl shell": {"runs": " --workdir --shell", "operands": 1, "shell": True, "elsewhere": True},
    "linux32": {"wraps": ""},
    "linux64": {"wraps": ""},
    "lldb": {"after": "--"},
    "ltrace": {"wraps": "aeiIlnopsSux --output --library"},
    "lxc exec": {"runs": _LXC, "operands": 1, "elsewhere": True},
    "machinectl shell": {"runs": "MHE --uid --setenv", "operands": 1, "elsewhere": True},
    "mamba run": {"wraps": _CONDA},
    "memray run": {"wraps": "op --output --live-port"},
    "micromamba run": {"wraps": _CONDA},
    "mise exec": {"wraps": "", "after": "--"},
    "mise x": {"wraps": "", "after": "--"},
    "mosh": {"runs": " --ssh --port --predict --server --client --family", "operands": 1, "elsewhere": True},
    "mpiexec": {"wraps": _MPI},
    "mpirun": {"wraps": _MPI},
    "multipass exec": {"runs": "d --working-directory", "operands": 1, "elsewhere": True},
    "nerdctl exec": {"runs": EXEC, "operands": 1, "elsewhere": True},
    "nerdctl run": {"runs": RUN, "operands": 1, "elsewhere": True},
    "newgrp": {"joins": "", "operands": 1, "shell": True},
    "nice": {"wraps": "n --adjustment"},
    "nix develop": {"after": "-c --command"},
    "nix shell": {"after": "-c --command"},
    "nix-shell": {"code": "--run --command", "shell": True},
    "nodemon": {"code": "-x --exec"},
    "nodenv exec": {"wraps": ""},
    "nohup": {"wraps": ""},
    "npm exec": {"wraps": _NODE, "code": "-c --call"},
    "npm x": {"wraps": _NODE, "code": "-c --call"},
    "npx": {"wraps": _NODE, "code": "-c --call"},
    "nsenter": {"wraps": "tSGeW --target --setuid --setgid"},
    "numactl": {"wraps": "NmpiCP --cpunodebind --membind --physcpubind --interleave --preferred"},
    "nvm exec": {"wraps": "", "operands": 1},
    "nx exec": {"wraps": ""},
    "oc debug": {"after": "--", "elsewhere": True},
    "oc exec": {"runs": _KUBECTL, "operands": 1, "elsewhere": True},
    "oc rsh": {"runs": _KUBECTL + " --shell", "operands": 1, "shell": True, "elsewhere": True},
    "oc run": {"after": "--", "elsewhere": True},
    "op run": {"wraps": " --env-file --account --environment"},
    "opam exec": {"wraps": " --switch --root"},
    "pct exec": {"runs": "", "operands": 1, "elsewhere": True},
    "pdb": {"wraps": "c"},
    "pdm run": {"wraps": "p --project"},
    "pdsh": {"joins": "wxlfRtu", "elsewhere": True},
    "perf record": {"wraps": _PERF},
    "perf stat": {"wraps": _PERF},
    "perf trace": {"wraps": _PERF},
    "pipenv run": {"wraps": ""},
    "pipx run": {"wraps": "i --spec --python --pip-args --index-url"},
    "pixi exec": {"wraps": "sc --spec --channel --platform"},
    "pixi run": {"wraps": "em --environment --manifest-path"},
    "pkexec": {"wraps": " --user"},
    "plink": {"joins": "PlipwLRD -load -batch", "operands": 1, "shell": True, "elsewhere": True},
    "pnpm dlx": {"wraps": "p --package"},
    "pnpm exec": {"wraps": ""},
    "pnpm run": {"runs": ""},
    "pnpx": {"wraps": "p --package"},
    "podman compose exec": {"runs": EXEC, "operands": 1, "elsewhere": True},
    "podman compose run": {"runs": RUN, "operands": 1, "elsewhere": True},
    "podman container exec": {"runs": EXEC, "operands": 1, "elsewhere": True},
    "podman container run": {"runs": RUN, "operands": 1, "elsewhere": True},
    "podman exec": {"runs": EXEC, "operands": 1, "elsewhere": True},
    "podman run": {"runs": RUN, "operands": 1, "elsewhere": True},
    "poetry run": {"wraps": ""},
    "prlimit": {"wraps": "", "unless": "p --pid"},
    "proxychains": {"wraps": "f"},
    "proxychains4": {"wraps": "f"},
    "py-spy record": {"wraps": "orfdptn --output --rate --format --duration --pid"},
    "pyenv exec": {"wraps": ""},
    "pyinstrument": {"wraps": "ort --outfile --renderer --interval"},
    "railway run": {"wraps": "es --environment --service"},
    "rbenv exec": {"wraps": ""},
    "rlwrap": {"wraps": ""},
    "rsh": {"joins": "l", "operands": 1, "shell": True, "elsewhere": True},
    "rtk": {"wraps": ""},
    "rtk err": {"wraps": ""},
    "rtk proxy": {"wraps": ""},
    "rtk test": {"wraps": ""},
    "runuser": {
        "wraps": "ugGsw --user --group --supp-group --shell --whitelist-environment",
        "code": "-c --command --session-command",
        "shell": True,
    },
    "rustup run": {"wraps": "", "operands": 1},
    "rye run": {"wraps": " --pyproject"},
    "sccache": {"wraps": ""},
    "scl enable": {"joins": "", "operands": 1},
    "script": {"code": "-c --command"},
    "setarch": {"wraps": "", "operands": 1},
    "setpriv": {
        "wraps": " --reuid --regid --groups --ruid --euid --rgid --egid --inh-caps --ambient-caps --bounding-set"
    },
    "setsid": {"wraps": ""},
    "setuidgid": {"wraps": "", "operands": 1},
    "sg": {"joins": "", "operands": 1},
    "singularity exec": {"runs": _BIND, "operands": 1, "elsewhere": True},
    "sops exec-env": {"joins": "", "operands": 1},
    "srun": {
        "wraps": "nNcptJoeAwxDG --ntasks --nodes --cpus-per-task --partition --time --job-name --mem --gres --account"
    },
    "ssh": {"joins": _SSH, "operands": 1, "shell": True, "elsewhere": True},
    "ssh-agent": {"wraps": "aEt"},
    "sshpass": {"wraps": "fdpP"},
    "stack exec": {"wraps": " --package --stack-yaml --resolver"},
    "stdbuf": {"wraps": "ioe --input --output --error"},
    "strace": {"wraps": "abeEIoOpPsSuUX --output --trace --attach --user --env --string-limit"},
    "su": {"code": "-c --command --session-command", "shell": True},
    "su-exec": {"wraps": "", "operands": 1},
    "sudo": {
        "wraps": "ughpCDRTUrt --user --group --host --prompt --close-from --chdir --chroot --command-timeout",
        "unless": "lveVK --list --validate --edit --remove-timestamp",
    },
    "systemd-inhibit": {"wraps": ""},
    "systemd-run": {
        "wraps": "pMHEu --unit --property --setenv --slice --description --uid --gid --working-directory --host"
    },
    "taskset": {"wraps": "", "operands": 1, "unless": "p --pid"},
    "time": {"wraps": "fo --format --output"},
    "timeout": {"wraps": "ks --kill-after --signal", "operands": 1},
    "tini": {"wraps": "epv"},
    "toolbox run": {"runs": "cdr --container --distro --release", "elsewhere": True},
    "torify": {"wraps": ""},
    "torsocks": {"wraps": ""},
    "tox exec": {"wraps": "e"},
    "toybox": {"wraps": ""},
    "unbuffer": {"wraps": ""},
    "unshare": {"wraps": "RwSG --root --wd --setuid --setgid"},
    "uv run": {"wraps": _UV},
    "uv tool run": {"wraps": _UV},
    "uvx": {"wraps": _UV},
    "vagrant ssh": {"code": "-c --command", "shell": True, "elsewhere": True},
    "valgrind": {"wraps": ""},
    "viztracer": {"wraps": "o --output_file"},
    "volta run": {"wraps": " --node --npm --yarn --pnpm"},
    "watch": {"wraps": "nq --interval --equexit"},
    "watchexec": {"wraps": "wefidosE --exts --watch --filter --ignore --signal --debounce --env"},
    "wine": {"wraps": ""},
    "wine64": {"wraps": ""},
    "wsl": {"joins": "du --distribution --user --cd --shell-type --system", "shell": True, "elsewhere": True},
    "xcrun": {"wraps": " --sdk -sdk --toolchain -toolchain"},
    "xvfb-run": {"wraps": "efnpsw --auth-file --error-file --server-num --server-args --wait --xauth-protocol"},
    "yarn dlx": {"wraps": "p --package"},
    "yarn exec": {"wraps": ""},
    "yarn run": {"runs": ""},
}
# Options before the sub-command that take a value, for programs missing in GLOBAL_OPTIONS.
RUNNER_OPTIONS = {"dotenv": "feq --file --export --quote", "micromamba": _CONDA, "pipenv": " --python"}
SHELLS = ("bash", "sh", "zsh", "dash", "ksh", "ash", "mksh", "rbash", "fish")
PYTHONS = ("python", "py", "pypy")
# They start a command in a way of their own.
SPECIAL = frozenset(
    ". ansible at batch cmd concurrently eval find hyperfine parallel pnpm powershell pwsh sem source sudo trap watch"
    " xargs yarn".split()
)
# All names, one per line: searching this is faster than building a table of their first words.
NAMES = "\n".join(("", *STARTERS, ""))

CHANGE_FOLDER = frozenset(("cd", "pushd"))
# Commands that change nothing: if they find nothing, that is an answer.
LOOK = frozenset(
    "ls cat head tail find stat file which type whereis test [ [[ grep rg egrep fgrep ag ack wc tree pgrep diff cmp du"
    " df realpath readlink dirname basename lsof ps jq yq sed awk less more nl sort uniq cut comm look locate fd bat"
    " eza exa lsd command hash id env printenv pwd whoami hostname uname date man dpkg-query sha256sum md5sum base64"
    " xxd od zgrep column tr".split()
)
EDIT_IN_PLACE = frozenset(("sed", "yq", "awk"))  # of LOOK, if asked to
LOOK_OR_IDLE = LOOK | CHANGE_FOLDER | frozenset("popd echo printf sleep true set wait exit".split())
