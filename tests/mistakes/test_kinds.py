"""The kind of a mistake, from what the failed call has and the fix has not."""

from lessons.episode import Kind, Step
from lessons.mistakes.kinds import kind_of_mistake
from tests.builders.steps import failed, ran, used
from tests.tables import table


@table(
    "failure, fix, kind",
    [
        (failed("gh pr diff --stat"), None, "telling-error"),
        (failed("gh pr diff --stat", "unknown flag: --stat"), ran("gh pr diff --name-only"), "wrong-flag"),
        (failed("gti status", "command not found: gti", code=127), ran("git status"), "missing-tool"),
        (failed("python a.py", "Python was not found", code=49), ran("python3 a.py"), "wrong-command"),
        (failed("npm rn lint", "Unknown command: rn"), ran("npm run lint"), "wrong-command"),
        (failed("npm test", "no package.json"), ran("cd web && npm test"), "wrong-path"),
        (failed("cd web && npm test", "cd: no such file or directory: web"), ran("npm test"), "wrong-path"),
        (failed("cat web/a.ts", "web/a.ts: No such file"), ran("cat app/web/a.ts"), "wrong-path"),
        (failed("echo hi!", "event not found"), ran("echo 'hi!'"), "quoting"),
        (failed("git rebase -i", "timed out"), ran("GIT_EDITOR=true git rebase -i"), "order-of-steps"),
        (failed("make all", "no build"), ran("make build && make all"), "order-of-steps"),
        (used("Edit", outcome="failed", error="x", limit=1), used("Edit", limit="a"), "wrong-arguments"),
        (failed("cat a.py", "no"), used("Read", file_path="a.py"), "other-tool"),
    ],
)
def test_kind(failure: Step, fix: Step | None, kind: Kind) -> None:
    assert kind_of_mistake(failure, fix) == kind
