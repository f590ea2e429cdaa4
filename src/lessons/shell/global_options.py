"""Removes the options before a sub-command from the text of a command.

`git -C /repo --no-pager reset --hard` is a `git reset --hard`. The table only has options that set where a program
works or how much it prints. Options that change what is done (`make -n`, `npm -g`) and unknown ones stay.
"""

_APT = ("oct", "qy --quiet --yes --assume-yes")
_DNF = ("c --config --releasever --setopt", "qvy --quiet --verbose --assumeyes")
_GRADLE = (
    "pbcgIP --project-dir --build-file --settings-file --gradle-user-home --init-script --console",
    "qisd --quiet --info --stacktrace --no-daemon --daemon --offline --parallel --no-parallel --build-cache",
)
_MAKE = (
    "CfIoW --directory --file --makefile --include-dir",
    "jkswr --jobs --keep-going --silent --quiet --no-print-directory --print-directory --no-builtin-rules",
)
_MAVEN = (
    "fPsT -pl -gs --file --projects --activate-profiles --settings --threads",
    "qBoeXVU -am -ntp --quiet --batch-mode --offline --errors --no-transfer-progress --also-make --update-snapshots",
)
_PIP = (
    " --python --log --proxy --cache-dir --retries --timeout --cert --client-cert --use-feature --keyring-provider",
    "qv --quiet --verbose --no-input --isolated --require-virtualenv --no-cache-dir --no-color --debug"
    " --disable-pip-version-check --no-python-version-warning",
)
_TERRAFORM = (" -chdir", "")

# Per program, or program and group: options that take a value, options that take none. First all letters, then the
# names.
GLOBAL_OPTIONS = {
    "adb": ("sHPtL", "ade"),
    "apt": _APT,
    "apt-get": _APT,
    "aws": (
        " --profile --region --output --endpoint-url --query --color --ca-bundle --cli-read-timeout"
        " --cli-connect-timeout",
        " --debug --no-verify-ssl --no-paginate --no-sign-request --no-cli-pager",
    ),
    "az": ("o --subscription --output --query", " --debug --verbose --only-show-errors"),
    "bazel": (" --output_base --output_user_root --bazelrc --host_jvm_args", " --batch --nohome_rc --noworkspace_rc"),
    "brew": ("", "qv --quiet --verbose --debug"),
    "bun": ("c --cwd --config", " --silent --bun"),
    "cargo": ("CZ --config --color --manifest-path", "qv --quiet --verbose --locked --offline --frozen"),
    "composer": ("d --working-dir", "nqv --no-interaction --quiet --verbose --ansi --no-ansi --no-cache --profile"),
    "conda": ("", "qv --quiet --verbose"),
    "dnf": _DNF,
    "docker": (
        "Hcl --host --context --config --log-level --tlscacert --tlscert --tlskey",
        "D --debug --tls --tlsverify",
    ),
    "docker compose": (
        "fp --file --project-name --env-file --profile --project-directory --ansi --parallel --progress",
        " --compatibility --all-resources --verbose",
    ),
    "docker-compose": (
        "fpHc --file --project-name --env-file --profile --project-directory --ansi --host --context --log-level",
        " --compatibility --verbose --no-ansi --tls --tlsverify",
    ),
    "firebase": ("P --project --token --account --config", "j --json --non-interactive --debug"),
    "flutter": ("d --device-id", "v --verbose --suppress-analytics --no-color --color --no-version-check"),
    "fly": ("a --app --config --org --access-token", " --verbose --debug --json"),
    "gcloud": (
        " --project --account --configuration --format --verbosity --billing-project --impersonate-service-account",
        "q --quiet --no-user-output-enabled --log-http",
    ),
    "gh": ("R --repo --hostname", ""),
    "git": (
        "Cc --git-dir --work-tree --namespace --config-env --attr-source --super-prefix",
        "pP --paginate --no-pager --bare --no-replace-objects --no-lazy-fetch --no-optional-locks --no-advice"
        " --literal-pathspecs --glob-pathspecs --noglob-pathspecs --icase-pathspecs --exec-path=",
    ),
    "glab": ("R --repo --group", ""),
    "gmake": _MAKE,
    "go": ("C", ""),
    "gradle": _GRADLE,
    "gradlew": _GRADLE,
    "hatch": ("ep --env --project --data-dir --cache-dir --config", "vq --verbose --quiet --no-color --color"),
    "helm": (
        "n --namespace --kube-context --kubeconfig --registry-config --repository-cache --repository-config",
        " --debug",
    ),
    "heroku": ("a --app", ""),
    "hg": ("R --repository --cwd --config --encoding", "qvy --quiet --verbose --noninteractive --traceback"),
    "jj": ("R --repository --at-operation --color --config --config-file", " --quiet --no-pager --ignore-working-copy"),
    "just": ("fd --justfile --working-directory --color --dotenv-path --shell", "qv --quiet --verbose --unstable"),
    "kubectl": (
        "nsv --namespace --context --kubeconfig --cluster --user --server --token --as --as-group --request-timeout"
        " --cache-dir --certificate-authority --client-certificate --client-key",
        " --insecure-skip-tls-verify --warnings-as-errors",
    ),
    "make": _MAKE,
    "mise": ("CEj --cd --env --jobs", "qvy --quiet --verbose --yes --silent"),
    "mvn": _MAVEN,
    "mvnw": _MAVEN,
    "nerdctl": ("nHa --namespace --host --address --snapshotter --cni-path", " --debug --debug-full"),
    "nix": (" --extra-experimental-features --experimental-features --store", "v --verbose --quiet --offline"),
    "npm": (
        "Cw --prefix --workspace --loglevel --cache --userconfig --registry",
        "sdq -ws --silent --quiet --workspaces --no-audit --no-fund --no-color --include-workspace-root --yes",
    ),
    "oc": ("nsv --namespace --context --kubeconfig --cluster --user --server --token --as --request-timeout", ""),
    "pdm": ("cp --config --project", "vqI --verbose --quiet --ignore-python"),
    "pip": _PIP,
    "pip3": _PIP,
    "pnpm": (
        "CF --dir --filter --filter-prod --loglevel --reporter --workspace-concurrency",
        "rws --recursive --workspace-root --silent --stream --parallel --aggregate-output --color --no-color",
    ),
    "podman": ("c --connection --log-level --url --root --runroot --storage-driver --identity", "r --remote --noout"),
    "podman compose": ("fp --file --project-name --env-file --profile --project-directory", " --verbose"),
    "poetry": ("CP --directory --project", "qvn --quiet --verbose --no-interaction --no-ansi --ansi --no-plugins"),
    "pulumi": ("Csv --cwd --stack --color", " --non-interactive --logtostderr --emoji --disable-integrity-checking"),
    "ruff": (" --config --color", "qsv --quiet --silent --verbose --isolated"),
    "supabase": (" --workdir --profile --network-id --output", " --debug --yes --experimental"),
    "systemctl": ("HMtpn --host --machine --type --property --output --root", "ql --user --system --no-pager --quiet"),
    "task": ("td --taskfile --dir --output --concurrency", "sv --silent --verbose --yes --color"),
    "terraform": _TERRAFORM,
    "tmux": ("LSf", "2uCvN"),
    "tofu": _TERRAFORM,
    "turbo": (" --cwd --filter --color --verbosity", " --no-color --no-daemon --daemon"),
    "uv": (
        " --directory --project --config-file --cache-dir --color --allow-insecure-host --python-preference",
        "qvn --quiet --verbose --no-cache --offline --no-progress --native-tls --no-config --preview"
        " --no-python-downloads --managed-python --no-managed-python",
    ),
    "vercel": ("AQSt --cwd --scope --token --local-config --global-config --team", "d --debug --no-color"),
    "wrangler": ("ce --config --env --cwd --env-file", ""),
    "yarn": (" --cwd --cache-folder --modules-folder --network-timeout", "s --silent --json --verbose --offline"),
    "yum": _DNF,
}


def may_have_options(command: str) -> bool:
    """Whether some program of the line may have such options: a quick check with false positives."""
    if " -" not in command and " +" not in command:
        return False
    return "cargo +" in command or any(name + " -" in command for name in GLOBAL_OPTIONS)


def forms(text: str) -> tuple[str, ...]:
    """Returns the text of one command as it is, and without its global options if it has any."""
    if text.partition(" ")[0] not in GLOBAL_OPTIONS or (" -" not in text and " +" not in text):
        return (text,)
    words = text.split(" ")
    places = sub_command_places(words, 0)
    if places[-1] < len(places):
        return (text,)
    return (text, " ".join([*(words[place] for place in places), *words[places[-1] + 1 :]]))


def sub_command_places(words: list[str], start: int) -> list[int]:
    """Returns the indexes of the program at `start` and of the words that name its sub-command, as far as known."""
    places = [start]
    name = words[start]
    while name in GLOBAL_OPTIONS:
        behind = _after_known_options(words, places[-1] + 1, name)
        if not 0 < behind < len(words):
            break
        places.append(behind)
        name = f"{name} {words[behind]}"
    return places


def _after_known_options(words: list[str], index: int, program: str) -> int:
    """Returns the index of the sub-command; 0 if an option before it is unknown."""
    with_value, without = GLOBAL_OPTIONS[program]
    if program == "cargo" and words[index : index + 1] and words[index][:1] == "+":
        index += 1  # a toolchain
    while index < len(words) and words[index][:1] == "-":
        option, equals, _ = words[index].partition("=")
        index += 1
        if equals and _is_named(option, with_value):
            continue
        if _is_named(option, with_value):
            index += 1
        elif _is_named(option + equals, without):
            # `make -j 4 test`: a sub-command is never a number
            index += index < len(words) and words[index].isdigit()
        elif not _is_cluster(option, with_value, without):
            return 0
    return index


def _is_named(option: str, options: str) -> bool:
    letters, _, names = options.partition(" ")
    if len(option) == 2 and option[0] == "-":
        return option[1] in letters
    return option in names.split()


def _is_cluster(option: str, with_value: str, without: str) -> bool:
    """Whether it is a cluster such as `-qy`, or a letter with its value in the same word, as in `-C/repo`."""
    if option[:2] == "--" or len(option) < 2:
        return False
    if option[1] in with_value.partition(" ")[0]:
        return True
    letters = without.partition(" ")[0]
    return all(letter in letters or letter.isdigit() for letter in option[1:])
