"""Texts by the cause that an error names; first where it names none, or where the fix shows something else."""

import msgspec

from lessons.capture.wording.wording import words
from lessons.episode import Change, Episode
from tests.capture.wording.cases import episode
from tests.tables import table

FLAG = Change("wrong-flag", "--stat", "--name-only")


@table(
    ("one", "words_that_must_not_occur"),
    [
        # Nothing to write instead of a sign.
        (
            episode("lamp on \\;", "lamp: bad end", Change("quoting", ";", ""), "lamp on"),
            ("``", "wrong place"),
        ),
        # The replacement of an option is an option, never a path.
        (
            episode("git show --no-stat HEAD", "fatal: unrecognized argument: --no-stat",
                    Change("wrong-flag", "--no-stat", "--format= -- src/a/b.go"),
                    "git show --format= HEAD -- src/a/b.go"),
            ("src/a/b.go",),
        ),
        # An option exists where the call that worked has it too, or where the error is about its value.
        (
            episode("lamp view 3 --json a,mergable", 'Unknown JSON field: "mergable"',
                    Change("wrong-arguments", "a,mergable", "a,mergeable"), "lamp view 3 --json a,mergeable"),
            ("has no option", "Leave out"),
        ),
        (
            episode("lamp list --output jsn", "lamp: error: argument --output: Invalid choice, valid are: json",
                    Change("wrong-flag", "jsn", "json"), "lamp list --output json"),
            ("has no option", "Leave out"),
        ),
        (
            episode("lamp test --coverage", 'lamp: Unknown cli config "--coverage"',
                    Change("wrong-flag", "", "--"), "lamp test -- --coverage"),
            ("has no option", "instead of"),
        ),
        (
            episode("lamp logs a --previous=1h", 'error: invalid argument "1h" for "-p, --previous" flag: no boolean',
                    Change("wrong-flag", "--previous=1h", "--since=1h"), "lamp logs a --since=1h"),
            ("has no option", "Leave out"),
        ),
        # The same path worked: it exists.
        (
            episode("gh api repos/a/b/issues/7 --method=patch", "gh: Not Found (HTTP 404)",
                    Change("wrong-flag", "--method=patch", "-X PATCH"), "gh api repos/a/b/issues/7 -X PATCH"),
            ("no such path", "documentation"),
        ),
        (
            episode("lamp list --color blue", "error: invalid value 'blue' for '--color <WHEN>'",
                    Change("telling-error"), ""),
            ("has no option", "Leave out"),
        ),
        (
            episode("lamp find a --type tsx", "lamp: unrecognized file type: tsx", Change("telling-error"), ""),
            ("has no option", "Leave out"),
        ),
        # Whoever leaves the option out, and nothing else, has another call than the one that worked.
        (
            episode("glow -f a", "glow: illegal option -- f", Change("wrong-command", "glow -f", "shine"), "shine a"),
            ("Leave out",),
        ),
        (
            episode("lamp --no-watch a.ts", "LuxError: Unknown option `--no-watch`",
                    Change("wrong-arguments", "--no-watch", "run"), "lamp run a.ts"),
            ("Leave out",),
        ),
        (
            episode("lamp -s --json '{}' a", "lamp: option --json: is unknown",
                    Change("wrong-flag", "--json", "-H -d"), "lamp -s -H 'Type: x' -d '{}' a"),
            ("Leave out",),
        ),
        # A number, or what another word was exchanged for, does not belong to the option.
        (
            episode("lamp log --limit 5", "fatal: unrecognized argument: --limit",
                    Change("wrong-flag", "--limit 5", "-n 8"), "lamp log -n 8"),
            ("8",),
        ),
        (
            episode("lamp on --bulb a.yml", "unknown flag: --bulb",
                    Change("wrong-flag", "--bulb a.yml", "--light b.yml"), "lamp on --light b.yml"),
            ("b.yml",),
        ),
        # The words of a script are not on the command line.
        (
            episode("lamp - <<'X'\nrun('a')\nX", "LuxError: not an executable object: 'a'",
                    Change("wrong-arguments", "", "text"), "lamp - <<'X'\nrun(text('a'))\nX"),
            ("Write it like", "other arguments"),
        ),
        # A word that was added has its place, and is another one the next time.
        (
            episode("lamp install ./dim", "Error: must provide a name",
                    Change("wrong-arguments", "", "lux"), "lamp install lux ./dim"),
            ("Add",),
        ),
        (
            episode("lamp push", "fatal: The room has no upstream", Change("wrong-arguments", "", "-u origin lux"),
                    "lamp push -u origin lux"),
            ("Add",),
        ),
        # An option does not replace a file.
        (
            episode("lamp -p . src/a.ts", "error L5: Option 'p' cannot be mixed with source files",
                    Change("wrong-arguments", "src/a.ts", "--dry"), "lamp --dry -p ."),
            ("instead of",),
        ),
        # A keyword of another shell is no program, and a container lacks what this machine may have.
        (
            episode("for x in a; do lamp $x; done", "fish: Unknown command: do",
                    Change("wrong-command", "", "bash -c"), "bash -c 'for x in a; do lamp $x; done'"),
            ("not installed", "command -v"),
        ),
        (
            episode("docker exec web lux -v", 'exec failed: exec: "lux": executable file not found in $PATH',
                    Change("wrong-arguments", "lux", "lamp"), "docker exec web lamp -v"),
            ("not installed", "command -v"),
        ),
        # A text between backquotes was run: nothing is missing.
        (
            episode('lamp note "uses `lux` now"', "zsh: command not found: lux",
                    Change("quoting", '"uses `lux` now"', "'uses `lux` now'"), "lamp note 'uses `lux` now'"),
            ("not installed", "command -v"),
        ),
        # A program that is there refuses something: it is neither missing nor run from a text.
        (
            episode('lamp note "uses `lux` now"', "lamp: no such room", Change("telling-error"), ""),
            ("backquotes",),
        ),
        (
            episode("lamp on && lamp dim", "lamp: the token '&&' is not known", Change("telling-error"), ""),
            ("PowerShell",),
        ),
        (
            episode("rm build", "rm: build: is a directory", Change("telling-error"), ""),
            ("-f",),
        ),
        (
            episode("rm -f a.lock && lamp on", "lamp: a.bulb: No such file or directory", Change("telling-error"), ""),
            ("rm",),
        ),
        # To force is no remedy, neither by the general rule nor because one call did so.
        (
            episode("rm .git/index.lock && git pull", "rm: .git/index.lock: No such file or directory",
                    Change("wrong-command", "rm .git/index.lock"), "git pull"),
            ("-f",),
        ),
        (
            episode("rm a.lock && lamp on", "rm: a.lock: No such file or directory", Change("telling-error"), ""),
            ("-f",),
        ),
        (
            episode("lamp install lux", "lamp: permission denied", Change("wrong-command", "", "sudo"),
                    "sudo lamp install lux"),
            ("sudo",),
        ),
        (
            episode("lamp on", "lamp: the bulb exists", Change("order-of-steps", "", "rm bulb.toml"),
                    "rm bulb.toml && lamp on"),
            ("Run `rm", "before `rm"),
        ),
        (
            episode("lamp build", "lamp: a stale cache", Change("order-of-steps", "", "sudo rm -r cache"),
                    "lamp build"),
            ("Run `", "before `"),
        ),
        # What is of one machine or one day is in no remedy.
        (
            episode("scp a.txt root@10.1.2.3:/srv", "scp: bad",
                    Change("wrong-arguments", "root@10.1.2.3:/srv", "ann@10.1.2.4:/srv"),
                    "scp a.txt ann@10.1.2.4:/srv"),
            ("10.1.2.4",),
        ),
        (
            episode("lamp read 2026-01-02.log", "lamp: bad",
                    Change("wrong-arguments", "2026-01-02.log", "2026-01-03.log"), "lamp read 2026-01-03.log"),
            ("Use `2026-01-03.log`",),
        ),
    ],
)  # fmt: skip
def test_what_no_remedy_says(one: Episode, words_that_must_not_occur: tuple[str, ...]) -> None:
    shown = words([one], None)
    assert not any(text in shown.solution + shown.summary for text in words_that_must_not_occur)


@table(
    ("one", "problem", "solution"),
    [
        (
            episode("gh pr diff 7 --stat", "unknown flag: --stat", FLAG, "gh pr diff 7 --name-only"),
            "`gh pr diff` has no option `--stat`",
            "Use `--name-only` instead of `--stat`; that worked.",
        ),
        (
            episode("for x in a do lamp $x; done", 'sh: 1: Syntax error: "do" unexpected',
                    Change("quoting", "a do", "a; do"), "for x in a; do lamp $x; done"),
            'Missing `;` before `do`: Syntax error: "do" unexpected',
            "Write `a; do` instead of `a do`; that worked.",
        ),
        (
            episode('for x in a; do lamp "a;b" done', "sh: 1: Syntax error: end of file unexpected",
                    Change("quoting", '"a;b" done', '"a;b"; done'), 'for x in a; do lamp "a;b"; done'),
            "Missing `;` before `done`: Syntax error: end of file unexpected",
            'Write `"a;b"; done` instead of `"a;b" done`; that worked.',
        ),
        (
            episode("for x in a; do; lamp $x; done", 'sh: 1: Syntax error: ";" unexpected',
                    Change("quoting", "do; lamp", "do lamp"), "for x in a; do lamp $x; done"),
            'A `;` is in the wrong place: Syntax error: ";" unexpected',
            "Write `do lamp` instead of `do; lamp`; that worked.",
        ),
        (
            episode("for x in a; do lamp $x; done", "fish: Unknown command: do",
                    Change("wrong-command", "", "bash -c"), "bash -c 'for x in a; do lamp $x; done'"),
            "This line uses the syntax of another shell: fish: Unknown command: do",
            "Run it through `bash -c '…'`; that worked.",
        ),
        (
            episode("docker exec web lux -v", 'exec failed: exec: "lux": executable file not found in $PATH',
                    Change("telling-error")),
            "`lux` is not on PATH where `docker exec` runs it",
            "Install it there, or use a program that is installed there.",
        ),
        (
            episode("gcloud compute instances list --zone a", "ERROR: unrecognized arguments: --zone",
                    Change("wrong-flag", "--zone", "--zones"), "gcloud compute instances list --zones a"),
            "`gcloud compute instances list` has no option `--zone`",
            "Use `--zones` instead of `--zone`; that worked.",
        ),
        (
            episode("ssh host 'lux a'", "bash: line 1: lux: command not found",
                    Change("wrong-command", "ssh host", "ssh host bash -lc"), 'ssh host "bash -lc \'lux a\'"'),
            "`lux` is not on PATH where `ssh` runs it",
            "Use `ssh host bash -lc` instead of `ssh host`; that worked.",
        ),
        (
            episode("jq '.[] | select(.a != 1)'", r"jq: error: syntax error\n.[] | select(.a \!= 1)",
                    Change("wrong-arguments", "!=", "=="), "jq '.[] | select(.a == 1 | not)'"),
            r"`!` in a command reaches the program as `\!`: the expression no longer parses",
            "Write the condition without `!` (such as `== … | not`), or put the expression into a file.",
        ),
        (
            episode("gh api repos/o/r/pulls/comments/12/replies", "gh: Not Found (HTTP 404)",
                    Change("wrong-path", "a", "b"), "gh api repos/o/r/pulls/3/comments/12/replies"),
            "`gh api` finds no `…/r/pulls/comments/N/replies`: the API has no such path",
            "Use `…/pulls/N/comments/N/replies`; that worked.",
        ),
        (
            episode("git add src/a.py dist/b.css",
                    "The following paths are ignored by one of your .gitignore files:\ndist",
                    Change("wrong-arguments", "dist/b.css"), "git add src/a.py"),
            "`git add dist` fails: The following paths are ignored by one of your .gitignore files: dist",
            "Leave out `dist`; that worked.",
        ),
        (
            episode('lamp note "uses `lux` now"', "zsh: command not found: lux",
                    Change("quoting", '"uses `lux` now"', "'uses `lux` now'"), "lamp note 'uses `lux` now'"),
            "The shell runs what stands between backquotes, inside double quotes too (command not found)",
            "Put the text between single quotes, or into a file; that worked.",
        ),
        (
            episode("git checkout develop", "error: pathspec 'develop' did not match any file(s) known to git",
                    Change("wrong-arguments", "develop", "main"), "git checkout main"),
            "`git checkout develop` fails: pathspec 'develop' did not match any file(s) known to git",
            "Use `main` instead of `develop`; that worked.",
        ),
        (
            episode("go test ./till", "go: go.mod file not found in current directory or any parent directory",
                    Change("wrong-path", "/srv/shop", "cd /srv/shop/services"), "cd services && go test ./till"),
            "`go test` is meant for the folder `services`",
            "Begin the line with `cd services`; that worked.",
        ),
        (
            episode("go test ./till", "go: go.mod file not found in current directory or any parent directory",
                    Change("wrong-path", "/srv/shop/web", "cd /srv/shop/api"), "cd ../api && go test ./till",
                    cwd="/srv/shop/web"),
            "`go test` is meant for the folder `../api`",
            "Begin the line with `cd ../api`; that worked.",
        ),
        (
            episode("git add web/src/a.ts", "fatal: pathspec 'web/src/a.ts' did not match any files",
                    Change("wrong-path", "", "cd /srv/shop"), "cd /srv/shop && git add web/src/a.ts",
                    cwd="/srv/shop/web"),
            "`git add` is meant for the folder above `web`, where an earlier `cd` has left the shell",
            'Run it from the project root: `cd "$(git rev-parse --show-toplevel)" && …`; that worked.',
        ),
        (
            episode('lamp find "a|to `lux`"', 'zsh:1: unmatched "', Change("telling-error"), ""),
            "The shell runs what stands between backquotes, inside double quotes too",
            "Put the text between single quotes, or into a file.",
        ),
        (
            episode("timeout 60 lamp on", "zsh: command not found: timeout",
                    Change("wrong-command", "timeout 60", "gtimeout 60"), "gtimeout 60 lamp on"),
            "`timeout` is not installed or not on PATH here (command not found)",
            "Use `gtimeout` instead; that worked.",
        ),
        (
            episode("lamp list | lux -20",
                    "lux : The term 'lux' is not recognized as the name of a cmdlet, function, script file",
                    Change("wrong-command", "lux -20", "Select-Object -First 20"),
                    "lamp list | Select-Object -First 20"),
            "`lux` is not installed or not on PATH here (command not found)",
            "Use `Select-Object -First 20` instead; that worked.",
        ),
        (
            episode("grep -oP 'a\\K' b.txt", "grep: invalid option -- P",
                    Change("wrong-flag", "-oP", "-oE"), "grep -oE 'a' b.txt"),
            "`grep` has no option `-P` on this machine",
            "Use `-E` instead of `-P`; that worked.",
        ),
        (
            episode("glow -f a", "glow: illegal option -- f", Change("wrong-command", "glow -f", "shine"), "shine a"),
            "`glow` has no option `-f` on this machine",
            "Use `shine` instead of `glow -f`; that worked.",
        ),
        (
            episode("lamp --no-watch a.ts", "LuxError: Unknown option `--no-watch`",
                    Change("wrong-arguments", "--no-watch", "run"), "lamp run a.ts"),
            "`lamp` has no option `--no-watch`",
            "Write it like `lamp run a.ts`; that worked.",
        ),
        (
            episode("lamp -s --json '{}' a", "lamp: option --json: is unknown",
                    Change("wrong-flag", "--json", "-H -d"), "lamp -s -H 'Type: x' -d '{}' a"),
            "`lamp` has no option `--json`",
            "Write it like `lamp -s -H … -d {} a`; that worked.",
        ),
        (
            episode("lamp . -name a -not-path b", "lamp: unknown predicate `-not-path'",
                    Change("wrong-flag", "-not-path"), "lamp . -name a -not -path b"),
            "`lamp` has no option `-not-path`",
            "Use `-not -path` instead of `-not-path`; that worked.",
        ),
        (
            episode("lamp add --dev lux", 'The option "--dev" does not exist',
                    Change("wrong-flag", "--dev", "--group dev"), "lamp add --group dev lux"),
            "`lamp add` has no option `--dev`",
            "Use `--group dev` instead of `--dev`; that worked.",
        ),
        (
            episode("lamp -c 'select 1' a.db", "lamp: Error: unknown option: -c",
                    Change("wrong-flag", "-c"), "lamp a.db 'select 1'"),
            "`lamp` has no option `-c`",
            "Write it like `lamp a.db …`; that worked.",
        ),
        (
            episode("lamp install ./dim", "Error: must provide a name",
                    Change("wrong-arguments", "", "lux"), "lamp install lux ./dim"),
            "`lamp install ./dim` fails: must provide a name",
            "Write it like `lamp install lux ./dim`; that worked.",
        ),
        (
            episode("lamp --no-watch a.ts", "LuxError: Unknown option `--noWatch`",
                    Change("wrong-arguments", "--no-watch", "run"), "lamp run a.ts"),
            "`lamp --no-watch a.ts` fails: LuxError: Unknown option '--noWatch'",
            "Write it like `lamp run a.ts`; that worked.",
        ),
        (
            episode("git -C /srv/a status",
                    "error: unexpected argument '-C' found\n\nUsage: wrap git [OPTIONS] <COMMAND>",
                    Change("wrong-flag", "-C /srv/a"), "git status"),
            "`git` runs as `wrap git` here, which has no option `-C`",
            "Leave out `-C`; that worked.",
        ),
        (
            episode("lamp on && lamp dim", "The token '&&' is not a valid statement separator in this version.",
                    Change("telling-error"), ""),
            "This PowerShell does not know `&&`",
            "Use `;` between the commands, or `if ($?) { … }` where the second depends on the first.",
        ),
        (
            episode("LUX=7 lamp on", "LUX=7 : The term 'LUX=7' is not recognized as the name of a cmdlet, function",
                    Change("telling-error"), ""),
            "PowerShell takes `LUX=7` before a command for a program: only other shells set a variable so",
            "Set it first: `$env:LUX = '7'; …`",
        ),
        (
            episode("lamp a | lux -l && \\\necho b", "(eval):1: permission denied: ",
                    Change("telling-error"), ""),
            "The shell runs an empty command where a pipe ends in `&&` and a backslash before the next line",
            "Write the commands on one line, or each on a line of its own without `&&` and the backslash.",
        ),
        (
            episode("rm .git/index.lock && git pull", "rm: .git/index.lock: No such file or directory",
                    Change("wrong-command", "rm .git/index.lock"), "git pull"),
            "`rm` fails where the file is already gone, and what follows behind `&&` does not run",
            "Run what follows on its own: there is nothing to remove; that worked.",
        ),
        (
            episode("sleep 180; lamp list", "<tool_use_error>Blocked: sleep 180 followed by: lamp list. To wait, use x",
                    Change("telling-error"), ""),
            "The client blocks `sleep` with other commands behind it",
            "Run the line in the background, or wait in a loop that ends: `until …; do sleep 2; done`.",
        ),
        (
            episode("ssh box 'cd /srv && lamp ps && lamp logs web --tail 3'",
                    "no configuration file provided: not found",
                    Change("wrong-flag", "", "-f lamp.yml"), "ssh box 'cd /srv && lamp -f lamp.yml logs web --tail 3'"),
            "`lamp logs web --tail 3` fails without `-f lamp.yml`: no configuration file provided: not found",
            "Add `-f lamp.yml`; that worked.",
        ),
        # The command that printed the error, not the `cd` before it or what never ran.
        (
            episode("ssh box 'cd /srv/lux && lamp -f a.yml ps && echo LOGS && lamp -f a.yml logs'",
                    "open /srv/lux/a.yml: no such file or directory",
                    Change("wrong-path", "/srv/lux", "/srv/lux/deploy"),
                    "ssh box 'cd /srv/lux/deploy && lamp -f a.yml logs'"),
            "`lamp -f a.yml ps` fails in `/srv/lux`: open …/lux/a.yml: no such file or directory",
            "Run `cd /srv/lux/deploy` first; that worked.",
        ),
        (
            episode("ssh box 'cd /srv && lamp ps web && echo LOGS && lamp logs web'",
                    "no configuration file provided: not found",
                    Change("wrong-flag", "", "-f lamp.yml"), "ssh box 'cd /srv && lamp -f lamp.yml logs web'"),
            "`lamp ps web` fails without `-f lamp.yml`: no configuration file provided: not found",
            "Add `-f lamp.yml`; that worked.",
        ),
        (
            episode('rg -n "- name: lux" a', "rg: unrecognized flag -", Change("wrong-arguments", "- name: lux"),
                    'rg -n "name: lux" a'),
            "`rg` takes an argument that begins with `-` for an option",
            "Put `--` before it, or `-e` before the pattern of a search.",
        ),
        (
            episode("lamp eval a.yaml --filter x",
                    "error: found 1 error\n\n  lamp eval run a.yaml --filter x\n"
                    "                       ^ Unknown arguments\n\nhint: for more information, try 'lamp --help'",
                    Change("telling-error"), ""),
            "`lamp eval` has no option `--filter`",
            "Leave out `--filter`; `lamp eval --help` shows what it has.",
        ),
        (
            episode("tar -xzf a.tgz -C", "tar: option requires an argument -- 'C'",
                    Change("wrong-arguments", "", "out"), "tar -xzf a.tgz -C out"),
            "`tar` needs a value behind `-C`",
            "Give `-C` its value, or leave it out.",
        ),
        (
            episode("adb shell pm list x", "adb: more than one device", Change("wrong-flag", "", "-s lux"),
                    "adb -s lux shell pm list x"),
            "`adb shell pm list x` fails without `-s lux`: more than one device",
            "Add `-s lux`; that worked.",
        ),
        (
            episode("bazel test lux/...", "ERROR: no such target '//:lux/...'",
                    Change("wrong-path", "lux/...", "//lux/..."), "bazel test //lux/..."),
            "`bazel test lux/...` fails: no such target '//:lux/...'",
            "Use `//lux/...` instead of `lux/...`; that worked.",
        ),
        (
            episode("lamp on x", "LampError: Run 'lamp init' before 'lamp on'",
                    Change("order-of-steps", "", 'source "my lamp.sh"'),
                    'source "my lamp.sh" && lamp on x'),
            "`lamp on x` fails before `source \"my lamp.sh\"` was run: LampError: Run 'lamp init' before 'lamp on'",
            'Run `source "my lamp.sh"` first; that worked.',
        ),
        (
            episode("helm install a lux/dim", "Error: repo lux not found",
                    Change("order-of-steps", "", "helm repo add lux https://charts.lux.example/dim"),
                    "helm repo add lux https://charts.lux.example/dim && helm install a lux/dim"),
            "`helm install a lux/dim` fails before `helm repo add lux …` was run: repo lux not found",
            "Run `helm repo add lux …` first; that worked.",
        ),
        (
            episode("cat > notes/till.md", "(eval):1: no such file or directory: notes/till.md",
                    Change("telling-error"), ""),
            "`>` does not create a folder, and `notes` does not exist",
            "Create it first: `mkdir -p notes`.",
        ),
    ],
)  # fmt: skip
def test_the_cause(one: Episode, problem: str, solution: str) -> None:
    shown = words([one], None)
    assert (shown.problem, shown.solution) == (problem, solution)


def test_what_may_leave_out_a_check_is_no_remedy() -> None:
    change = Change("wrong-flag", "", "--legacy-peer-deps")
    worked = "npm install lamp --legacy-peer-deps"
    one = episode("npm install lamp", "npm error ERESOLVE could not resolve", change, worked)
    assert words([one], None).solution == "The remedy is not known; the error says: ERESOLVE could not resolve."


def test_what_two_calls_forced_may_be_a_remedy() -> None:
    change = Change("wrong-command", "", "sudo")
    one, two = (
        episode(f"lamp install {name}", "lamp: needs root", change, f"sudo lamp install {name}") for name in "ab"
    )
    assert words([one, two], None).solution == "Run it through `sudo`; that fixed 2 of 2 such failures."


def test_calls_that_worked_refute_a_remedy() -> None:
    one = episode("lamp run -x a", "lamp: bad", Change("wrong-flag", "-x"), "lamp run a")
    assert "Leave out `-x`" in words([one], None).solution
    refuted = words([one], None, lambda step: ["lamp run -x b"] * 3 + ["lamp run c"] * 3)
    assert refuted.solution == "The remedy is not known; the error says: bad."
    added = episode("lamp run a", "lamp: bad", Change("wrong-flag", "", "-x"), "lamp run -x a")
    refuted = words([added], None, lambda step: ["lamp run b"] * 6)
    assert refuted.problem == "`lamp run a` fails: bad"  # not: without `-x`
    named = episode("lamp run -x a", "lamp: unknown option -x", Change("wrong-flag", "-x"), "lamp run a")
    assert "Leave out `-x`" in words([named], None, lambda step: ["lamp run -x b"] * 6).solution


def test_calls_about_another_part_refute_nothing() -> None:
    added = episode("lamp run a", "bad", Change("wrong-flag", "", "-x"), "lamp run -x a")
    added = msgspec.structs.replace(added, failure=msgspec.structs.replace(added.failure, subcommand="run"))
    assert words([added], None, lambda step: ["lamp --room b run a"] * 6).solution == "Add `-x`; that worked."
    # The name of another program may end like this one.
    refuted = words([added], None, lambda step: ["streetlamp -q && lamp run b"] * 6)
    assert refuted.problem == "`lamp run a` fails: bad"


@table(
    ("one", "worked"),
    [
        # A word that the error names was exchanged: that calls that went well have another one says nothing.
        (
            episode("lamp run -g Nijna a", "lamp: could not create generator Nijna",
                    Change("wrong-arguments", "Nijna", "Ninja"), "lamp run -g Ninja a"),
            "Use `Ninja` instead of `Nijna`; that worked.",
        ),
        # The error itself asks for what was added.
        (
            episode("lamp use a", "lamp: the room is dark\nTo light it, add the '--light' option",
                    Change("wrong-flag", "", "--light"), "lamp use --light a"),
            "Add `--light`; that worked.",
        ),
    ],
)  # fmt: skip
def test_what_the_error_names_is_not_refuted(one: Episode, worked: str) -> None:
    assert words([one], None, lambda step: ["lamp run b"] * 6).solution == worked


def test_another_program_is_told_although_the_first_works_for_other_calls() -> None:
    change = Change("wrong-command", "lamp", "npx lux")
    one = episode("lamp a.ts", 'lamp: unknown file extension ".ts"', change, "npx lux a.ts")
    shown = words([one], None, lambda step: ["lamp b.js"] * 6)
    assert shown.solution == "`lamp` works for other calls; for this one `npx lux` worked."


def test_a_word_within_another_does_not_refute() -> None:
    change = Change("wrong-command", "lamp", ".venv/bin/lamp")
    one = episode("lamp -c on", "lamp: the bulb is old", change, ".venv/bin/lamp -c on")
    shown = words([one], None, lambda step: [".venv/bin/lamp -c off"] * 6)
    assert shown.solution == "Use `.venv/bin/lamp` instead of `lamp`; that worked."
