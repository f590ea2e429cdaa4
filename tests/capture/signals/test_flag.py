"""An option was dropped, added or replaced, or has another value."""

from lessons.capture.signals.flag import change
from lessons.episode import Change
from tests.builders.steps import Case, failed, ran
from tests.tables import table


def option(before: str, after: str) -> Change:
    return Change("wrong-flag", before, after)


QUIET = [
    Case(failed("git diff --stat"), ran("git diff --stat")),
    Case(failed("git diff --stat"), ran("git log --oneline")),  # another sub-command
    Case(failed("npm run lint --fix"), ran("npm run build")),  # another script
    Case(failed("gh run list --limit 5"), ran("gh run list --limit 10")),  # only another number
    Case(failed("gh run list --limit=5"), ran("gh run list --limit=10")),
    Case(failed("git log --oneline -5", "fatal: not a git repository"), ran("git log --oneline -3")),
    Case(failed("head -5 a.txt"), ran("head a.txt b.txt")),  # another thing
    Case(failed("ls -1 web/*.md", "zsh: no matches found: web/*.md"), ran("ls web")),  # not the option's fault
    Case(failed("grep -n needle a.py"), ran("grep -n other a.py")),  # a pattern is no value of `-n`
    Case(failed("git add a.py"), ran("git add b.py")),
    Case(failed("cargo test --lib"), ran("cargo build --release")),
]
FIRES = [
    Case(failed("lamp -s a[1]", "lamp: bad range"), ran("lamp -sg a[1]"), option("", "-g")),
    Case(
        failed("gh pr diff 7 --stat", "unknown flag: --stat"),
        ran("gh pr diff 7 --name-only"),
        option("--stat", "--name-only"),
    ),
    Case(
        failed("nix build a", "experimental feature 'x' is disabled; add '--features x'"),
        ran("nix build --features 'x y' a"),
        option("", "--features 'x y'"),
    ),
    Case(failed("cat -A a.txt", "cat: illegal option -- A"), ran("cat a.txt"), option("-A", "")),
    Case(failed("shop work abc", "pass --order"), ran("shop work --order abc"), option("", "--order")),
    Case(failed("tar -xzf a.tar"), ran("tar -xf a.tar"), option("-xzf", "-xf")),
    Case(failed("ls --color=never"), ran("ls --color=auto"), option("--color=never", "--color=auto")),
    Case(failed("docker build --file web.docker ."), ran("docker build -f web.docker ."), option("--file", "-f")),
    Case(failed("git -C web status", "unexpected argument '-C' found"), ran("git status"), option("-C web", "")),
    Case(
        failed("shop status --all --json", "unknown option '--json'"), ran("shop status"), option("--json", "")
    ),  # of two the one that the error names
    Case(
        failed("gh pr view 7 --repo acme/shop", "Could not resolve to a Repository with the name 'acme/shop'."),
        ran("gh pr view 7 --repo example/shop"),
        option("--repo acme/shop", "--repo example/shop"),
    ),
    Case(
        failed("shop list --limit 5000", "--limit must be at most 100"),
        ran("shop list --limit 100"),
        option("--limit 5000", "--limit 100"),
    ),
    Case(
        failed("shop list --limit=5000", "--limit must be at most 100"),
        ran("shop list --limit=100"),
        option("--limit=5000", "--limit=100"),
    ),
    Case(
        failed("git add a.py && git commit --sign -m 'one two'", "error: unknown option `sign'"),
        ran("git add a.py && git commit -m 'one two'"),
        option("--sign", ""),
    ),
    Case(
        failed('ssh web "docker logs --lines 5 shop"'),
        ran('ssh web "docker logs --tail 5 shop"'),
        option("--lines", "--tail"),
    ),
]


@table("case", QUIET)
def test_stays_quiet(case: Case) -> None:
    assert change(case.pair()) is None


@table("case", FIRES)
def test_fires(case: Case) -> None:
    assert change(case.pair()) == case.expected
