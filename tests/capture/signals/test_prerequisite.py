"""The identical call after another command was run."""

from lessons.capture.signals.prerequisite import change
from lessons.episode import Change
from tests.builders.steps import Case, failed, ran, used
from tests.tables import table


def first(command: str) -> Change:
    return Change("order-of-steps", "", command)


TEST, WORKS = failed("npm test"), ran("npm test")
QUIET = [
    Case(TEST, WORKS),  # it passed by itself
    *(
        Case(TEST, WORKS, between=[ran(look)])
        for look in (
            "ls -la",
            "git status",
            "cat package.json | head -5",
            "cd web && git log --oneline",
            "docker compose ps",
            "gh pr checks 7",
            "npm ls react",
            "tmux list-windows",
            "sed -n 1,20p a.py",
            "npm ci --help",
            "git branch",
            "kubectl get pods",
            "sleep 5",
        )
    ),
    Case(TEST, WORKS, between=[failed("npm ci")]),  # it did not do anything
    Case(TEST, WORKS, between=[ran("npm ci", outcome="refused")]),
    Case(TEST, WORKS, between=[used("Read", "a.py")]),
    Case(TEST, ran("npm test -- --run"), between=[ran("npm ci")]),  # not the same call
    Case(TEST, WORKS, between=[ran("npm test --silent")]),  # another try prepares nothing
    Case(
        used("mcp__web__click", outcome="failed", ref="e1"),
        used("mcp__web__click", ref="e2"),
        between=[used("mcp__web__open")],
    ),
    Case(
        used("mcp__web__click", outcome="failed", ref="e1"),
        used("mcp__web__click", ref="e1"),
        between=[used("mcp__web__get_page")],
    ),
]
FIRES = [
    # What the error speaks of, although something else was run after it.
    Case(
        failed("lamp deploy", "error: the bulb has not been built"),
        ran("lamp deploy"),
        first("lamp make bulb"),
        between=[ran("lamp make bulb"), ran("lamp login")],
    ),
    Case(
        failed("lamp deploy", "error: deploy was refused"),
        ran("lamp deploy"),
        first("lamp login"),
        between=[ran("lamp make deploy"), ran("lamp login")],
    ),
    Case(TEST, WORKS, first("npm ci"), between=[ran("npm ci")]),
    Case(TEST, WORKS, first("npx prisma generate"), between=[ran("npx prisma generate && ls dist"), ran("git status")]),
    Case(
        TEST,
        ran("npm  test"),
        first("sudo systemctl start redis"),
        between=[ran("sudo systemctl start redis 2>&1 | tail -3")],
    ),
    Case(TEST, WORKS, first("docker compose up -d"), between=[ran("docker compose up -d", outcome="unknown")]),
    Case(
        failed("cmake --build out"),
        ran("cmake --build out"),
        first("cmake -B out -S ."),
        between=[ran("cmake -B out -S .")],
    ),
    Case(TEST, WORKS, first("go get ./..."), between=[ran("go get ./...")]),
    Case(TEST, WORKS, first("rm -rf dist"), between=[ran("npm ci"), ran("rm -rf dist")]),  # the last one
    Case(failed("npm test", "run npm ci first"), WORKS, first("npm ci"), between=[ran("npm ci"), ran("mkdir -p out")]),
    Case(
        failed("shop apply", "please run shop init first"),
        ran("shop apply --yes"),
        first("shop init"),
        "order-of-steps",
        [ran("shop init")],
    ),
    Case(TEST, WORKS, first("echo A=1 > .env"), between=[ran("echo A=1 > .env")]),
    Case(TEST, WORKS, Change("wrong-path", "", "cd /srv/other"), between=[ran("cd /srv/other && touch a")]),
    Case(
        used("mcp__web__upload", outcome="failed", file="a"),
        used("mcp__web__upload", file="a"),
        first("mcp__web__click"),
        between=[used("mcp__web__click", ref="e1")],
    ),
]


@table("case", QUIET)
def test_stays_quiet(case: Case) -> None:
    assert change(case.pair()) is None


@table("case", FIRES)
def test_fires(case: Case) -> None:
    assert change(case.pair()) == case.expected
