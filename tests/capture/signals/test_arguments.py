"""Other words of the same command."""

from lessons.capture.signals.arguments import change
from lessons.episode import Change
from tests.builders.steps import Case, failed, ran
from tests.tables import table


def other(before: str, after: str) -> Change:
    return Change("wrong-arguments", before, after)


def path(before: str, after: str) -> Change:
    return Change("wrong-path", before, after)


UNRESOLVED = "gh: Could not resolve to a Repository with the name 'acme/shop'."
QUIET = [
    Case(failed("git add a.py"), ran("git add a.py")),
    Case(failed("git add  a.py"), ran("git add a.py")),
    Case(failed("gh pr view 17"), ran("gh pr view 18")),  # only another number
    Case(failed("git log -5", "fatal: not a git repository"), ran("git log -3"), kind="wrong-path"),
    Case(failed("git show 1a2b3c4d"), ran("git show 99ffee1")),
    Case(failed("git checkout main"), ran("git push origin")),  # another sub-command
    Case(failed("npm run lint"), ran("npm run build")),  # another script
    Case(failed("python a.py --all"), ran("python b.py --all")),  # another script of an interpreter
    Case(failed("cp a b c d"), ran("cp x y z w")),  # nothing in common
    Case(failed("echo a"), ran("echo b")),
    Case(failed("make 2>&1 | head -5"), ran("make 2>&1 | tail -5")),  # only shown otherwise
    Case(failed("shop send order"), ran("shop send invite")),  # nobody says that the first was wrong
    # It is not there, and another one is.
    Case(failed("rm build/a.txt", "rm: build/a.txt: No such file or directory"), ran("rm build/a2.txt")),
    Case(
        failed("curl -f http://a.test/items/1", "curl: (22) returned error: 404"), ran("curl -f http://a.test/items/2")
    ),
    Case(failed("docker logs web", "No such container: web"), ran("docker logs api")),
    Case(failed("kubectl get pod web-1", 'pods "web-1" not found'), ran("kubectl get pod web-2")),
    Case(failed("python -c 'import numpy'", "No module named 'numpy'"), ran("python -c 'import scipy'")),
    Case(failed("cat docs/setup.md", "docs/setup.md: No such file"), ran("cat docs/plan.md"), kind="wrong-path"),
]
FIRES = [
    Case(
        failed("git add a.py gone.py", "pathspec 'gone.py' did not match any files"),
        ran("git add a.py"),
        other("gone.py", ""),
    ),
    Case(
        failed("cat /srv/shop/packages/orders/and/returns/source/pages/overview/a.ts"),
        ran("cat /srv/shop/packages/orders/and/returns/source/views/overview/a.ts"),
        path("…/source/pages/overview/a.ts", "…/source/views/overview/a.ts"),
    ),
    Case(failed("sed -i s/a/b/ a.txt"), ran("sed -i '' s/a/b/ a.txt"), other("", "-i ''")),
    Case(failed("node -e 'load(\"./a\")'"), ran("node -e 'load(\"./src/a\")'"), path("./a", "./src/a")),
    Case(
        failed("git push", "fatal: the branch web has no upstream"),
        ran("git push -u origin web"),
        other("", "-u origin web"),
    ),
    # The value that the error names leaves with its option, if an option replaces both.
    Case(
        failed("rg -n lux --type tsx", "rg: unrecognized file type: tsx"),
        ran("rg -n lux -g a.tsx"),
        other("--type tsx", "-g a.tsx"),
        "wrong-arguments",
    ),
    Case(
        failed("git push origin master", "pathspec 'master' not found"),
        ran("git push origin main"),
        other("master", "main"),
    ),
    Case(
        failed("docker logs shop-web", "No such container: shop-web"),
        ran("docker logs shop_web"),
        other("shop-web", "shop_web"),
    ),
    Case(
        failed("cat src/pages/a.ts", "src/pages/a.ts: No such file"),
        ran("cat src/views/a.ts"),
        path("src/pages/a.ts", "src/views/a.ts"),
    ),
    Case(
        failed("psql -c 'select name, price from users order by name'", 'relation "users" does not exist'),
        ran("psql -c 'select name, price from accounts order by name'"),
        other("users", "accounts"),
    ),
    Case(failed("git checkout mian"), ran("git checkout main"), other("mian", "main")),
    Case(failed("pytest test/unit"), ran("pytest tests/unit"), path("test/unit", "tests/unit")),
    Case(
        failed("git add old.py new.py", "pathspec 'old.py' did not match any files"),
        ran("git add new.py web.py && git status"),
        other("old.py", ""),
    ),
    Case(
        failed("git add src/api.py", "generated files are not staged\n  run make and stage api/client.json"),
        ran("git add src/api.py api/client.json docs/more.md"),
        other("", "api/client.json"),
    ),
    Case(
        failed('gh api graphql -f query=\'{ repository(owner: "acme", name: "shop") { id } }\'', UNRESOLVED),
        ran('gh api graphql -f query=\'{ repository(owner: "example", name: "shop") { id name } }\''),
        other("acme", "example"),
    ),
    Case(
        failed(
            "gh api graphql -f query='{ body(short: 80) path }'", "gh: Field 'body' doesn't accept argument 'short'"
        ),
        ran("gh api graphql -f query='{ path line }'"),
        other("body(short: 80)", ""),
    ),
    Case(
        failed("gh run list --json name | jq '.[] | select(.name != \"a b\")'", "jq: error: syntax error at \\!="),
        ran("gh run list --json name | jq '.[] | select(.name == \"c d\")'"),
        other('!= "a b"', '== "c d"'),
    ),
    Case(
        failed("git add a.py && git commit -F notes.txt", "fatal: could not read log file 'notes.txt'"),
        ran("git add a.py && git commit -F docs.txt"),
        other("notes.txt", "docs.txt"),
    ),
    Case(
        failed('ssh web "systemctl restart shop"', "Unit shop.service not found."),
        ran('ssh web "systemctl restart shop-web"'),
        other("shop", "shop-web"),
    ),
    Case(
        failed("python3 - <<'EOF'\nimport yaml\nprint(yaml.load('a'))\nEOF", "TypeError: load() is wrong"),
        ran("python3 - <<'EOF'\nimport yaml\nprint(yaml.safe_load('a'))\nEOF"),
        other("yaml.load", "yaml.safe_load"),
    ),
]
LONG = "x" * 30


def test_what_is_long_is_cut_at_the_end_of_a_word() -> None:
    names = " ".join(f"src/{LONG}/{number}.py" for number in range(9))
    found = change(Case(failed(f"git add base.py {names} last.py"), ran("git add base.py last.py")).pair())
    assert found
    assert len(found.before) <= 120
    assert found.before.endswith(".py…")


@table("case", QUIET)
def test_stays_quiet(case: Case) -> None:
    assert change(case.pair()) is None


@table("case", FIRES)
def test_fires(case: Case) -> None:
    assert change(case.pair()) == case.expected
