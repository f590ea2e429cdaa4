"""Mistakes of every kind, with the expected problem and solution texts."""

from lessons.episode import Change, Episode, Step
from lessons.shell.program import program_of

FLAG = Change("wrong-flag", "--stat", "--name-only")


def step(command: str, error: str = "", outcome: str = "failed", cwd: str = "/srv/shop", name: str = "t") -> Step:
    program, subcommand = program_of(command)
    return Step(name, "Bash", program, subcommand, command, "", "{}", outcome, error, cwd=cwd)


def tool(name: str, path: str = "", arguments: str = "{}", error: str = "") -> Step:
    return Step("t", name, "", "", "", path, arguments, "failed" if error else "ok", error)


def episode(
    failed: str, error: str, change: Change, worked: str = "", cwd: str = "/srv/shop", name: str = "t"
) -> Episode:
    fix = step(worked, outcome="ok") if worked else None
    return Episode(step(failed, error, cwd=cwd, name=name), fix, change, 2)


SENTENCES: dict[str, tuple[Episode, str, str]] = {
    "another flag": (
        episode(
            "gh pr diff 12 --stat | head -5",
            "Exit code 1\nunknown flag: --stat\n\nUsage:  gh pr diff [<number>]",
            FLAG,
            "gh pr diff 12 --name-only",
        ),
        "`gh pr diff` has no option `--stat`",
        "Use `--name-only` instead of `--stat`; that worked.",
    ),
    "a flag of a later command of the line": (
        episode(
            "sed -n 3p a.txt | cat -Q",
            "Exit code 1\ncat: illegal option -- Q",
            Change("wrong-flag", "-Q"),
            "sed -n 3p a.txt | cat",
        ),
        "`cat` has no option `-Q` on this machine",
        "Leave out `-Q`; that worked.",
    ),
    "a variable that no error asks for": (
        episode(
            "lamp glow hall",
            "Exit code 1\nError: no level; pass --dim",
            Change("wrong-flag", "", "--dim 3"),
            "MYTOKEN=abcd1234secret lamp glow hall --dim 3",
        ),
        "`lamp glow hall` fails without `--dim 3`: no level; pass --dim",
        "Add `--dim 3`; that worked.",
    ),
    "a variable with a secret": (
        episode(
            "lamp glow hall",
            "Exit code 1\nError: not logged in",
            Change("wrong-command", "", "MYTOKEN=abcd1234secret"),
            "MYTOKEN=abcd1234secret lamp glow hall",
        ),
        "`lamp glow hall` fails: not logged in",
        "Set `MYTOKEN=…`; that worked.",
    ),
    "a variable without one": (
        episode(
            "lamp glow hall",
            "Exit code 1\nError: no room",
            Change("wrong-command", "", "LUXPATH=."),
            "LUXPATH=. lamp glow hall",
        ),
        "`lamp glow hall` fails: no room",
        "Set `LUXPATH=.`; that worked.",
    ),
    "a variable of the command before": (
        episode(
            "lamp apply",
            "Exit code 1\nError: error asking for approval: EOF",
            Change("wrong-arguments", "", "lux.plan"),
            "MYTOKEN=abcd1234secret lamp plan -out=lux.plan && lamp apply lux.plan",
        ),
        "`lamp apply` fails: error asking for approval: EOF",
        "Write it like `lamp apply lux.plan`, and run `lamp plan -out=lux.plan` first; that worked.",
    ),
    "a flag and a variable": (
        episode(
            "lamp glow hall",
            "Exit code 1\nError: LUX is not set; also pass --dim",
            Change("wrong-flag", "", "--dim 3"),
            "LUX=warm lamp glow hall --dim 3",
        ),
        "`lamp glow hall` fails without `--dim 3`: LUX is not set; also pass --dim",
        "Add `--dim 3`, and set `LUX`; that worked.",
    ),
    "a variable that was set before": (
        episode(
            "LUX=warm lamp glow hall",
            "Exit code 1\nError: no level; pass --dim",
            Change("wrong-flag", "", "--dim 3"),
            "LUX=cold lamp glow hall --dim 3",
        ),
        "`lamp glow hall` fails without `--dim 3`: no level; pass --dim",
        "Add `--dim 3`; that worked.",
    ),
    "a flag that another command takes over": (
        episode(
            "lamp find -R lux",
            "Exit code 1\nunknown flag: -R",
            Change("wrong-flag", "-R"),
            "lamp list -R | lamp find lux",
        ),
        "`lamp find` has no option `-R`",
        "Leave out `-R`, and pipe `lamp list -R` into it; that worked.",
    ),
    "a file that the command before only looks at": (
        episode(
            "lamp apply",
            "Exit code 1\nError: error asking for approval: EOF",
            Change("wrong-arguments", "", "lux.plan"),
            "ls -la lux.plan && lamp apply lux.plan",
        ),
        "`lamp apply` fails: error asking for approval: EOF",
        "Write it like `lamp apply lux.plan`; that worked.",
    ),
    "a file that the command before makes": (
        episode(
            "lamp apply",
            "Exit code 1\nError: error asking for approval: EOF",
            Change("wrong-arguments", "", "lux.plan"),
            "lamp plan -out=lux.plan && lamp apply lux.plan",
        ),
        "`lamp apply` fails: error asking for approval: EOF",
        "Write it like `lamp apply lux.plan`, and run `lamp plan -out=lux.plan` first; that worked.",
    ),
    "a folder that the command before makes": (
        episode(
            "lamp install lux",
            "Exit code 1\nerror: this house is managed by somebody else",
            Change("wrong-command", "lamp", "house/bin/lamp"),
            "python -m rooms house && house/bin/lamp install lux",
        ),
        "`lamp install lux` fails: this house is managed by somebody else",
        "Use `house/bin/lamp` instead of `lamp`, and run `python -m rooms house` first; that worked.",
    ),
    "another command beside it": (
        episode(
            "lamp find -R lux",
            "Exit code 1\nunknown flag: -R",
            Change("wrong-flag", "-R"),
            "lamp list --all && lamp find lux",
        ),
        "`lamp find` has no option `-R`",
        "Leave out `-R`; that worked.",
    ),
    "a sign at the end": (
        episode(
            "find . -exec wc -l",
            "Exit code 1\nfind: missing argument to `-exec'",
            Change("wrong-flag", "", "{} \\;"),
            "find . -exec wc -l {} \\;",
        ),
        "`find . -exec wc -l` fails without `{} \\;`: missing argument to '-exec'",
        "Add `{} \\;`; that worked.",
    ),
    "a sign alone": (
        episode("find . -exec ls {}", "no end", Change("wrong-arguments", "", ";"), "find . -exec ls {} \\;"),
        "`find . -exec ls {}` fails: no end",
        "Add `\\;`; that worked.",
    ),
    "two steps before it": (
        episode(
            "lamp on",
            "Exit code 1\nError: there is no bulb",
            Change("order-of-steps", "", "lamp buy bulb && lamp screw bulb"),
            "lamp buy bulb && lamp screw bulb && lamp on",
        ),
        "`lamp on` fails before `lamp buy bulb && lamp screw bulb` was run: there is no bulb",
        "Run `lamp buy bulb && lamp screw bulb` first; that worked.",
    ),
    "the last of many steps before it": (
        episode(
            "lamp on",
            "Exit code 1\nError: there is no bulb",
            Change("order-of-steps", "", "… && lamp buy bulb && lamp screw bulb"),
            "lamp off && lamp buy bulb && lamp screw bulb && lamp on",
        ),
        "`lamp on` fails before `… && lamp buy bulb && lamp screw bulb` was run: there is no bulb",
        "Run `… && lamp buy bulb && lamp screw bulb` first; that worked.",
    ),
    "a flag behind an argument": (
        episode(
            "lamp run hall -p 8080:80",
            'Exit code 127\nlamp: cannot start: exec: "-p": no such program',
            Change("wrong-flag", "hall -p", "-p hall"),
            "lamp run -d -p 8080:80 hall",
        ),
        '`lamp run hall -p 8080:80` fails: cannot start: exec: "-p": no such program',
        "Put `-p` before `hall`; that worked.",
    ),
    "a flag too few": (
        episode(
            "ship work",
            "Exit code 1\nError: several found; pass --id",
            Change("wrong-flag", "", "--id 7"),
            "ship work --id 7",
        ),
        "`ship work` fails without `--id 7`: several found; pass --id",
        "Add `--id 7`; that worked.",
    ),
    "another command": (
        episode(
            "npm run tests",
            'Exit code 1\nnpm error Missing script: "tests"',
            Change("wrong-command", "npm run tests", "npm test"),
            "npm test",
        ),
        '`npm run tests` fails: Missing script: "tests"',
        "Use `npm test` instead of `npm run tests`; that worked.",
    ),
    "a wrapper too many": (
        episode(
            "wrap bun run test", "error: unrecognized subcommand 'bun'", Change("wrong-command", "wrap"), "bun run test"
        ),
        "`wrap bun run test` fails: unrecognized subcommand 'bun'",
        "Run it without `wrap`; that worked.",
    ),
    "a wrapper too few": (
        episode(
            "pytest -q",
            "ModuleNotFoundError: No module named 'shop'",
            Change("wrong-command", "", "uv run"),
            "uv run pytest -q",
        ),
        "`pytest -q` fails: ModuleNotFoundError: No module named 'shop'",
        "Run it through `uv run`; that worked.",
    ),
    "a program that is not there": (
        episode(
            "timeout 5 make",
            "Exit code 127\n(eval):1: command not found: timeout",
            Change("missing-tool", "timeout", "gtimeout"),
            "gtimeout 5 make",
        ),
        "`timeout` is not installed or not on PATH here (command not found)",
        "Use `gtimeout` instead; that worked.",
    ),
    "another directory": (
        episode(
            "pytest tests/x.py",
            "Exit code 4\nERROR: file or directory not found: tests/x.py",
            Change("wrong-path", "", "cd /srv/shop"),
            "cd /srv/shop && pytest tests/x.py",
            cwd="/srv/shop/web",
        ),
        "`pytest` is meant for the folder above `web`, where an earlier `cd` has left the shell",
        'Run it from the project root: `cd "$(git rev-parse --show-toplevel)" && …`; that worked.',
    ),
    "another path": (
        episode(
            "cat /home/ann/shop/conf.toml",
            "Exit code 1\ncat: /home/ann/shop/conf.toml: No such file or directory",
            Change("wrong-path", "/home/ann/shop/conf.toml", "/home/ann/shop/etc/conf.toml"),
            "cat /home/ann/shop/etc/conf.toml",
        ),
        "`cat ~/shop/conf.toml` fails: ~/shop/conf.toml: No such file or directory",
        "The remedy is not known; the error says: ~/shop/conf.toml: No such file or directory.",
    ),
    "quotes": (
        episode(
            "pnpm add left@workspace:*",
            "Exit code 1\n(eval):1: no matches found: left@workspace:*",
            Change("quoting", "add left@workspace:*", "add 'left@workspace:*'"),
            "pnpm add 'left@workspace:*'",
        ),
        "zsh stops the whole command when a glob matches nothing (`no matches found`)",
        "Quote what is no glob; look for files with `find` or the Glob tool instead of `ls` with a pattern.",
    ),
    "a step before": (
        episode(
            "make test",
            "Exit code 2\nerror: generated.h is missing",
            Change("order-of-steps", "", "cd web && make gen 2>&1 | tail -3"),
            "make test",
        ),
        "`make test` fails before `make gen` was run: generated.h is missing",
        "Run `make gen` first; that worked.",
    ),
    "a step before, on the same line": (
        episode(
            "git stash pop",
            "error: Your local changes would be overwritten",
            Change("wrong-arguments", "", "git checkout a.json &&"),
            "git checkout a.json && git stash pop",
        ),
        "`git stash pop` fails: Your local changes would be overwritten",
        "Run `git checkout a.json` first; that worked.",
    ),
    "other arguments": (
        episode(
            "curl -s localhost:3000/health",
            "Exit code 7",
            Change("wrong-arguments", "localhost:3000/health", "localhost:8080/health"),
            "curl -s localhost:8080/health",
        ),
        "`curl -s localhost:3000/health` fails",
        "Use `localhost:8080/health` instead of `localhost:3000/health`; that worked.",
    ),
    "too many changes for a sentence": (
        episode(
            "tar -x a.tar && rm a.tar",
            "tar: bad",
            Change("wrong-arguments", "-x a.tar && rm", "-xf a.tar; ls"),
            "tar -xf a.tar; ls",
        ),
        "`tar -x a.tar` fails: bad",
        "Write it like `tar -xf a.tar`; that worked.",
    ),
    "other arguments of a tool": (
        Episode(
            tool("mcp__board__move", "", '{"to":7,"text":"a"}', "Error: to: expected string"),
            tool("mcp__board__move", "", '{"to":"7"}'),
            Change("wrong-arguments", "to=7", 'to="7"'),
            1,
        ),
        "`move` fails: to: expected string",
        'Use `to="7"` instead of `to=7`; that worked.',
    ),
    "long arguments of a tool": (
        Episode(
            tool(
                "Ask",
                "",
                '{"questions":[1,2],"n":1}',
                'InputValidationError: [\n {\n "message": "Too big: at most one"\n }\n]',
            ),
            tool("Ask", "", '{"questions":[1],"n":1}'),
            Change("wrong-arguments", "1, 2 " * 40, "1, 3 " * 40),
            1,
        ),
        "`Ask` fails: Too big: at most one",
        "Call it with another `questions`; that worked.",
    ),
    "another tool": (
        Episode(
            step("ls src/**/*.vue", "(eval):1: no matches found: src/**/*.vue"),
            tool("Glob"),
            Change("other-tool", "Bash", "Glob"),
            1,
        ),
        "zsh stops the whole command when a glob matches nothing (`no matches found`)",
        "Quote what is no glob; look for files with `find` or the Glob tool instead of `ls` with a pattern.",
    ),
    "no fix, a name is proposed": (
        episode(
            "git stauts",
            "git: 'stauts' is not a git command.\n\nThe most similar command is\n\tstatus",
            Change("telling-error"),
        ),
        "`git stauts` fails: 'stauts' is not a git command",
        "The error proposes `status` instead.",
    ),
    "no fix, advice": (
        episode(
            "git add dist",
            "The following paths are ignored:\ndist\nhint: Use -f if you want to add them.",
            Change("telling-error"),
        ),
        "`git add dist` fails: The following paths are ignored: dist",
        "The error itself proposes: Use -f if you want to add them.",
    ),
    "no fix, usage": (
        episode("cat -Q", "cat: illegal option -- Q\nusage: cat [-belnstuv] [file ...]", Change("telling-error")),
        "`cat` has no option `-Q` on this machine",
        "Leave out `-Q`; `cat --help` shows what it has.",
    ),
    "no fix, nothing said": (
        episode("frob", "Exit code 3", Change("telling-error")),
        "`frob` fails and does not say why",
        "The remedy is not known, and the error says nothing.",
    ),
    "no fix, not there": (
        episode("podman ps", "Exit code 127\nbash: line 1: podman: command not found", Change("telling-error")),
        "`podman` is not installed or not on PATH here (command not found)",
        "No replacement was seen: check `command -v podman` before relying on it.",
    ),
    "no fix": (
        episode("frob", "fatal: the moon is full", Change("telling-error")),
        "`frob` fails: the moon is full",
        "The remedy is not known; the error says: the moon is full.",
    ),
    "the agent's own rules": (
        Episode(
            tool(
                "Edit",
                "/srv/shop/src/api/main.py",
                "{}",
                "<tool_use_error>File has not been read yet. Read it first.</tool_use_error>",
            ),
            None,
            Change("protocol"),
            1,
        ),
        "`Edit …/api/main.py` fails: File has not been read yet. Read it first",
        "The error itself proposes: Read it first.",
    ),
}
