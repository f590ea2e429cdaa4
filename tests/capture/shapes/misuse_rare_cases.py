"""Wrong calls of rarely used programs, collected last."""

RARE = r"""
$$ [2] rg -n "- name: lamp" config
rg: unrecognized flag -
$$ lamp eval run a.yaml --filter x
error: found 1 error

  lamp eval run a.yaml --filter x
                         ^ Unknown arguments

hint: for more information, try 'lamp eval run --help'
$$ gh pr edit 12 --body-file b.md
GraphQL: Projects (classic) is being deprecated in favor of the new Projects experience, see: https://x.example/a. (y)
$$ lamp sync
Error: `lamp sync` has been removed. Use `lamp push`.
$$ [255] ssh -o StrictHostKeyCheck=no ann@box uptime
command-line: line 0: Bad configuration option: stricthostkeycheck
$$ tox -e py31
ROOT: HandledError| provided environments not found in configuration file:
py31
$$ cmake --build .
Error: could not load cache
$$ systemctl restart lamp
System has not been booted with systemd as init system (PID 1). Can't operate.
Failed to connect to bus: Host is down
$$ [5] curl -s localhost:8000/a | jq -r '.[] | .id + .name'
jq: error (at <stdin>:3): number (7) and string ("a") cannot be added
$$ [2] gofmt -l ./cart/...
stat ./cart/...: no such file or directory
$$ ruff --fix .
error: unexpected argument '--fix' found
$$ uv run pytest
error: Failed to spawn: `pytest`
$$ celery wrk
Usage: celery [OPTIONS] COMMAND [ARGS]...
Try 'celery --help' for help.

Error: No such command 'wrk'.
$$ pre-commit rn
pre-commit: error: argument command: invalid choice: 'rn' (choose from 'autoupdate', 'run')
$$ ansible -x
ansible: error: unrecognized arguments: -x
$$ vagrant up
A Vagrant environment or target machine is required to run this command.
Run `vagrant init` to create a new Vagrant environment.
$$ doctl x
Error: unknown command "x" for "doctl"
$$ supabase db psh
unknown command "psh" for "supabase db"
$$ stripe listn
Unknown command "listn" for "stripe".
$$ fly lgs
Error: unknown command "lgs" for "flyctl"
$$ [64] dart tst
Could not find a command named "tst".
$$ flutter run
No pubspec.yaml file found.
This command should be run from the root of your Flutter project.
$$ mix nope
** (Mix) The task "nope" could not be found
$$ rebar3 nope
===> Command nope not found
$$ lein nope
'nope' is not a task. See 'lein help'.
$$ sbt nope
[error] Not a valid command: nope (similar: new)
$$ stack nope
Invalid argument `nope'
$$ bazel biuld //...
ERROR: Command 'biuld' not found. Try 'bazel help'.
$$ brew upgrade --nope
Error: invalid option: --nope
$$ tmux nope
unknown command: nope
$$ nginx -z
nginx: invalid option: "z"
$$ pg_dump --nope
pg_dump: unrecognized option '--nope'
$$ redis-cli --nope
Unrecognized option or bad number of args for: '--nope'
$$ ssh-keygen -z
unknown option -- z
usage: ssh-keygen [-q] [-a rounds]
$$ watch ls
zsh: command not found: watch
$$ tac x
(eval):1: command not found: tac
$$ grep --include *.ts x
(eval):1: no matches found: *.ts
$$ date -v-1d
date: invalid option -- 'v'
Try 'date --help' for more information.
$$ sed -E -i.bak
sed: 1: "a.txt": command a expects \ followed by text
$$ find . -regextype x
find: -regextype: unknown primary or operator
$$ cp x
cp: missing destination file operand after 'x'
$$ ln -s
ln: missing file operand
$$ chmod z x
chmod: invalid mode: 'z'
$$ base64 -w0 x
base64: invalid option -- w
Usage:	base64 [-Ddh] [-b num] [-i in_file] [-o out_file]
$$ md5sum x
zsh: command not found: md5sum
$$ jq -z
jq: Unknown option: -z
Use jq --help for help with command-line options
$$ jq '.a' nope.json
jq: error: Could not open nope.json: No such file or directory
$$ gh api /x --jq '.a['
failed to parse jq expression (line 1, column 4)
$$ gh pr view --json nope
Unknown JSON field: "nope"
$$ gh pr create --fil
unknown flag: --fil
$$ gh repo view nope
GraphQL: Could not resolve to a Repository with the name 'me/nope'. (repository)
$$ gh search prs "x" --state al
invalid argument "al" for "--state" flag: valid values are {open|closed}
"""
