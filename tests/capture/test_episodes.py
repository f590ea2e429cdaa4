"""Whole small threads: which failures are mistakes, and which call resolved them."""

import time

import msgspec

from lessons.capture.episodes import episodes
from lessons.episode import Change, Episode, Step
from tests.builders.steps import failed, ran, thread, used
from tests.tables import table

WINDOW = 8
UNKNOWN = "unknown flag: --stat"
GENERATE = "Please run `make gen` first"
NO_BUN = "zsh: command not found: bun"
EDIT = used("Edit", "src/a.py")
LOOK = ran("git status")


def found(*steps: Step, window: int = WINDOW) -> list[Episode]:
    return list(episodes(thread(*steps), window))


def told(*steps: Step, window: int = WINDOW) -> list[tuple[str, str, Change]]:
    """The failing and the working call of each mistake that has both."""
    return [
        (one.failure.command or one.failure.tool, one.fix.command or one.fix.tool, one.change)
        for one in found(*steps, window=window)
        if one.fix
    ]


def parallel(*steps: Step) -> list[Step]:
    """All of them were made before the first had ended."""
    return [msgspec.structs.replace(step, time=steps[0].time, ended="2026-01-31T00:10:00.000Z") for step in steps]


QUIET = {
    "nothing at all": [],
    "nothing failed": [ran("make"), ran("make all")],
    "an identical retry": [failed("make dist"), ran("make dist")],
    "an identical retry after a look": [failed("make dist"), LOOK, ran("ls"), ran("make dist")],
    "an identical retry, then other work": [failed("make dist"), ran("make dist"), ran("make dist --all")],
    "another piece of work": [failed("make dist"), ran("git push"), ran("npm test")],
    "another sub-command": [failed("git merge next"), ran("git log next")],
    "reading instead of writing": [
        failed("gh api repos/a/b/replies/7 -f body=x", "gh: Not Found (HTTP 404)"),
        ran("gh api repos/a/b/comments/7"),
    ],
    "only another number": [failed("gh pr view 17"), ran("gh pr view 18")],
    "a success that a pipe may hide": [failed("make dist"), ran("make dist --all | tail -3")],
    "a success that || may hide": [failed("make dist"), ran("make dist --all || true")],
    "a call that reads like a failure": [
        failed("make dist"),
        msgspec.structs.replace(ran("make dist --all"), suspicious=True),
    ],
    "code was edited": [failed("make dist"), EDIT, ran("make dist --all")],
    "code was edited by the shell": [failed("make dist"), ran("sed -i s/a/b/ a.c"), ran("make dist --all")],
    "code was written by the shell": [failed("make dist"), ran("cat > a.c <<'EOF'\nx\nEOF"), ran("make dist --all")],
    "refused": [ran("make dist", outcome="refused"), ran("make dist --all")],
    "cancelled sibling": [ran("make dist", outcome="cancelled"), ran("make dist --all")],
    "interrupted": [ran("make dist", outcome="interrupted"), ran("make dist --all")],
    "in the background": [failed("make dist"), ran("make dist --all", outcome="unknown")],
    "every try failed": [failed("make dist"), failed("make dist --all"), failed("make --all")],
    "a test found something": [failed("npm test", "Tests: 1 failed, 3 passed"), ran("npm test -- --only a")],
    "the tests of another folder": [failed("npm test", "Tests: 1 failed, 3 passed"), ran("cd ../web && npm test")],
    "a check was left out": [failed("git commit -m x", "hook declined"), ran("git commit -m x --no-verify")],
    "a check was left out by a letter": [failed("git commit -m x", "hook declined"), ran("git commit -n -m x")],
    "a check was switched off": [
        failed("git commit -m x", "✖ subject may not be empty [subject-empty]\ncommit-msg script failed"),
        ran("HUSKY=0 git commit -m x"),
    ],
    "a hook that tells was left out": [failed("git commit -m x", GENERATE), ran("git commit -n -m x")],
    "a check was left out, then something else": [
        failed("git commit -m x", GENERATE),
        ran("git commit -n -m x"),
        ran("git commit -a -m x"),
    ],
    "a protected branch was forced": [failed("git push", "remote: GH006: Protected branch"), ran("git push --force")],
    "a folder was removed with all": [failed("rm build", "rm: build: is a directory"), ran("rm -rf build")],
    "any certificate is good": [
        failed("curl https://a.test", "curl: (60) SSL certificate problem"),
        ran("curl -k https://a.test"),
    ],
    "work was thrown away": [
        failed("git reset HEAD~1 x.py", "fatal: Cannot do mixed reset with paths."),
        ran("git reset --hard HEAD~1"),
    ],
    "the system's packages were broken": [
        failed("pip install rich", "error: externally-managed-environment"),
        ran("pip install --break-system-packages rich"),
    ],
    "another container": [failed("docker logs web", "No such container: web"), ran("docker logs api")],
    "what was asked for is not there": [failed("bun --version", NO_BUN, code=127), ran("node --version")],
    "a branch that was asked for": [
        failed("git rev-parse --verify web", "fatal: Needed a single revision"),
        ran("git rev-parse --verify main"),
    ],
    "a package was asked for, then installed": [
        failed("brew list jq", "Error: No such keg: /opt/jq"),
        ran("brew install jq"),
        ran("brew list jq"),
    ],
    "a server was asked for, then started": [
        failed("pg_isready", "localhost:5432 - no response", code=2),
        ran("docker compose up -d db"),
        ran("pg_isready"),
    ],
    "changes were asked for, then committed": [
        failed("git diff --exit-code", "diff --git a/x b/x\n+1"),
        ran("git commit -am x"),
        ran("git diff --exit-code"),
    ],
    "the program under development": [
        failed("go run ./cmd/shop list", 'Error: unknown command "list" for "shop"'),
        EDIT,
        ran("go build ./..."),
        ran("go run ./cmd/shop list"),
    ],
    "what is out of date was asked for, then made": [
        failed("python manage.py makemigrations --check", "Migrations for 'shop':\n    - Add field name to order"),
        ran("python manage.py makemigrations"),
    ],
    "the fix is too far away": [failed("make dist"), *[LOOK] * WINDOW, ran("make dist --all")],
}


@table("steps", QUIET.values())
def test_no_mistake(steps: list[Step]) -> None:
    assert told(*steps) == []


UNTOLD = {
    "what was asked for is not there": [failed("bun --version", NO_BUN, code=127), ran("node --version")],
    "an option of the program under development": [
        failed("./shop --hlp", "error: unknown flag: --hlp"),
        EDIT,
        ran("./shop --hlp"),
    ],
    "a script that was added": [failed("npm run gen", 'npm error Missing script: "gen"'), EDIT, ran("npm run gen")],
}


@table("steps", UNTOLD.values())
def test_nothing_is_told(steps: list[Step]) -> None:
    assert found(*steps) == []


def test_who_gets_round_a_check_has_not_done_what_it_tells() -> None:
    (one,) = found(failed("git commit -m x", GENERATE), ran("git commit -n -m x"))
    assert (one.fix, one.change.kind, one.told) == (None, "telling-error", True)


def test_calls_made_in_parallel_are_no_answer() -> None:
    steps = parallel(*thread(failed("make dist"), ran("make dist --all"), ran("ls")))
    assert not [one for one in episodes(steps, WINDOW) if one.fix]


def test_the_fix_of_another_thread_is_not_seen() -> None:
    assert found(failed("make dist")) == []
    assert found(ran("make dist --all")) == []


def test_an_unknown_option() -> None:
    (one,) = found(failed("gh pr diff 7 --stat", UNKNOWN), LOOK, ran("gh pr diff 7 --name-only"))
    assert one.change == Change("wrong-flag", "--stat", "--name-only")
    assert one.told
    assert one.calls_lost == 2


def test_an_error_that_tells_enough_needs_no_fix() -> None:
    (one,) = found(failed("gh pr diff 7 --stat", UNKNOWN), ran("git status"))
    assert (one.fix, one.change.kind, one.calls_lost, one.told) == (None, "telling-error", 1, True)


def test_the_rules_of_the_tools_are_kept_apart() -> None:
    error = "<tool_use_error>File has not been read yet. Read it first before writing to it.</tool_use_error>"
    (one,) = found(used("Edit", "a.py", "failed", error), used("Read", "a.py"), used("Edit", "a.py"))
    assert one.change.kind == "protocol"


def test_several_failures_before_the_fix() -> None:
    steps = [
        failed("gh pr diff 7 --stat", UNKNOWN),
        failed("gh pr diff 7 --short", UNKNOWN),
        ran("gh pr diff 7 --name-only"),
    ]
    assert told(*steps) == [
        ("gh pr diff 7 --stat", "gh pr diff 7 --name-only", Change("wrong-flag", "--stat", "--name-only")),
        ("gh pr diff 7 --short", "gh pr diff 7 --name-only", Change("wrong-flag", "--short", "--name-only")),
    ]


def test_two_mistakes_that_overlap() -> None:
    missing = "zsh: command not found: python"
    steps = [
        failed("gh pr diff 7 --stat", UNKNOWN),
        failed("python a.py", missing),
        ran("gh pr diff 7"),
        ran("python3 a.py"),
    ]
    assert told(*steps) == [
        ("gh pr diff 7 --stat", "gh pr diff 7", Change("wrong-flag", "--stat", "")),
        ("python a.py", "python3 a.py", Change("missing-tool", "python", "python3")),
    ]


def test_the_first_call_that_works_is_the_fix() -> None:
    steps = [failed("gh pr diff 7 --stat", UNKNOWN), ran("gh pr diff 7 --name-only"), ran("gh pr diff 7 --patch")]
    assert [fix for _, fix, _ in told(*steps)] == ["gh pr diff 7 --name-only"]


def test_who_reads_the_help_has_fixed_nothing_yet() -> None:
    steps = [failed("gh pr diff 7 --stat", UNKNOWN), ran("gh pr diff --help"), ran("gh pr diff 7 --name-only")]
    assert [fix for _, fix, _ in told(*steps)] == ["gh pr diff 7 --name-only"]


@table("window", [1, 2, 3])
def test_the_window_counts_calls(window: int) -> None:
    steps = [failed("make dist"), LOOK, ran("make dist --all")]
    assert bool(told(*steps, window=window)) == (window >= 2)


def test_a_prerequisite() -> None:
    steps = [failed("npm start"), ran("cat package.json"), ran("npm ci && ls"), LOOK, ran("npm start")]
    assert told(*steps) == [("npm start", "npm start", Change("order-of-steps", "", "npm ci"))]


def test_what_made_it_possible_does_not_replace_it() -> None:
    build = "cmake --build out"
    steps = [failed(build, "Error: could not load cache"), ran("cmake -B out -S ."), ran(build)]
    assert told(*steps) == [(build, build, Change("order-of-steps", "", "cmake -B out -S ."))]


def test_short_words() -> None:
    missing = failed("docker-compose up -d", "zsh: command not found: docker-compose", code=127)
    assert told(missing, ran("docker compose up -d"))[0][2] == Change(
        "missing-tool", "docker-compose", "docker compose"
    )
    unknown = failed("ruff src", "error: unrecognized subcommand 'src'")
    assert told(unknown, ran("ruff check src"))[0][2] == Change("wrong-command", "ruff", "ruff check")
    unlocked = failed(
        "npm ci", "npm error code EUSAGE\nnpm error `npm ci` can only install with a lock file, run an install"
    )
    assert told(unlocked, ran("npm install"))[0][2] == Change("wrong-command", "ci", "install")


@table("before", ["mkdir -p out && ", "rm -rf out; ", "git pull && "])
def test_the_command_of_a_line_that_is_to_blame(before: str) -> None:
    unknown = failed(f"{before}npx tsc --outdirr out", "error TS5023: Unknown compiler option '--outdirr'.")
    assert told(unknown, ran("npx tsc --outDir out"))[0][2] == Change("wrong-flag", "--outdirr", "--outDir")


def test_an_option_of_run() -> None:
    several = failed("cargo run", "error: could not determine which binary to run. Use the `--bin` option")
    assert told(several, ran("cargo run --bin server"))[0][2] == Change("wrong-flag", "", "--bin server")


def test_what_runs_in_the_background_may_have_been_missing() -> None:
    steps = [failed("npm run seed"), ran("docker compose up", outcome="unknown"), ran("npm run seed")]
    assert [change.after for *_, change in told(*steps)] == ["docker compose up"]


def test_the_shell_had_moved() -> None:
    error = "fatal: pathspec 'web/a.py' did not match any files"
    steps = [ran("cd /srv/shop/web && ls"), failed("git add web/a.py", error), ran("cd /srv/shop && git add web/a.py")]
    assert told(*steps)[0][2] == Change("wrong-path", "/srv/shop/web", "cd /srv/shop")


def test_a_folder_that_each_call_names_for_itself() -> None:
    steps = [failed("npm test", "npm error Missing script: test"), ran("npm test", cwd="/srv/shop/web")]
    assert told(*steps)[0][2] == Change("wrong-path", "/srv/shop", "cd /srv/shop/web")


def test_tests_failed_because_of_how_they_were_run() -> None:
    steps = [failed("pytest tests", "tests/a.py:3: error: no\n2 failed"), LOOK, ran("uv run pytest tests")]
    assert told(*steps)[0][2] == Change("wrong-command", "", "uv run")
    assert told(steps[0], ran("npm ci"), steps[2]) == []  # something else may have helped


def test_what_is_wrong_stays_wrong_whatever_was_edited() -> None:
    assert told(failed("gh pr diff 7 --stat", UNKNOWN), EDIT, ran("gh pr diff 7"))


def test_a_script_with_or_inside_of_quotes_is_no_choice() -> None:
    steps = [failed("node -e 'a || b' --stat", UNKNOWN), ran("node -e 'a || b'")]
    assert told(*steps)[0][2] == Change("wrong-flag", "--stat", "")


def test_how_often_the_fix_worked_again() -> None:
    diff = ran("gh pr diff 8 --name-only")
    again = [diff, ran("gh pr diff 9"), failed("gh pr diff 9 --name-only"), ran("gh pr view 8 --name-only"), diff]
    first = found(failed("gh pr diff 7 --stat", UNKNOWN), ran("gh pr diff 7 --name-only"), *again)[0]
    assert (first.later_worked, first.later_tried) == (2, 3)


def test_the_same_thread_gives_the_same_episodes() -> None:
    steps = [
        failed("gh pr diff 7 --stat", UNKNOWN),
        LOOK,
        ran("gh pr diff 7 --name-only"),
        failed("make"),
        ran("make -B"),
    ]
    assert found(*steps) == found(*steps)


def _seconds(count: int) -> float:
    story = [
        failed("gh pr diff 7 --stat", UNKNOWN),
        LOOK,
        failed("make dist"),
        ran("gh pr diff 7"),
        ran("make dist -B"),
    ]
    steps = thread(*story * (count // len(story)))
    began = time.process_time()
    assert len(list(episodes(steps, WINDOW))) == 2 * count // len(story)
    return time.process_time() - began


def test_a_long_thread_takes_no_longer_for_each_call() -> None:
    _seconds(100)
    short, long = min(_seconds(1000) for _ in range(3)), _seconds(10_000)
    assert long < 30 * short


def _names(count: int) -> list[str]:
    return [f"{number:x}x" for number in range(count)]


HOSTILE = {
    "the same few words": ("git add " + "a b " * 1000, "git add " + "a b c " * 700, UNKNOWN),
    "a long message": ('git commit -m "' + "a b " * 1000 + '"', 'git commit -m "' + "a b c " * 700 + '"', UNKNOWN),
    "a script": ("python3 - <<E\n" + "a b(c) " * 600 + "\nE", "python3 - <<E\n" + "b a(c) " * 600 + "\nE", UNKNOWN),
    "a thousand commands": ("\n".join(_names(1000)), "\n".join(reversed(_names(1000))), UNKNOWN),
    "two thousand commands": ("a\nb\n" * 1000, "b\nc\n" * 1000, "it went wrong"),
    "a thousand folders": ("cd a;" * 800 + "make", "cd b;" * 800 + "make", UNKNOWN),
    "an endless word": ("git add " + "x" * 1_000_000, "git add " + "y" * 1_000_000, UNKNOWN),
    "only quotes": ("git add " + '"' * 3001, "git add " + "'" * 3001, 'zsh: unmatched "'),
    "an endless error": ("git add " + "abc " * 900, "git add abc x", "abcd " * 100_000),
    "control characters": ("git add \x00\x1b[31m \ud800", "git add \x00\x1b[31m \ud801x", UNKNOWN),
}


@table(("failing", "working", "error"), HOSTILE.values())
def test_hostile_texts_take_no_time(failing: str, working: str, error: str) -> None:
    steps = thread(failed(failing, error), ran(working), ran(working + " "), ran(failing))
    began = time.process_time()
    changes = [one.change for one in episodes(steps, WINDOW)]
    assert time.process_time() - began < 2
    assert all(len(change.before) <= 120 and len(change.after) <= 120 for change in changes)
