"""Figures of rules: calls of other projects and calls that did not run first, then what counts."""

import random

from lessons.rules.judge import MOST_EXAMPLES, Check, Figures, figures_of
from lessons.rules.shapes import checked
from tests.builders.past import SHOP, Past, failed, history_of

NO_NPM, NO_DIST = "Use pnpm, never npm.", "Do not edit `dist/`."


def figures(*calls: Past, text: str, project: str = "") -> Figures:
    with history_of(*calls) as history:
        return figures_of(history, [Check(checked(text), project)])[0]


def edit(path: str, content: str = "x", **more: object) -> Past:
    return Past(tool="Edit", arguments={"file_path": path, "new_string": content}, **more)  # type: ignore[arg-type]


def counted(found: Figures) -> tuple[int, int, int, int]:
    return found.applicable, found.broken, found.unknown, found.sessions


def test_calls_of_other_projects_do_not_count() -> None:
    calls = (Past(command="npm i"), Past(command="npm i", cwd="/other"), edit("/other/dist/a", cwd="/other"))
    assert counted(figures(*calls, text=NO_NPM, project=SHOP)) == (1, 1, 0, 1)
    assert counted(figures(*calls, text=NO_DIST, project=SHOP)) == (0, 0, 0, 0)
    assert counted(figures(*calls, text=NO_NPM)) == (2, 2, 0, 1)


def test_what_only_mentions_it_does_not_count() -> None:
    lines = ("echo npm", "cat npm.md", "git commit -m 'npm i'", "pnpm i # npm", "grep npm a")
    assert counted(figures(*(Past(command=line) for line in lines), text=NO_NPM)) == (1, 0, 0, 0)


def test_what_did_not_run_is_unknown() -> None:
    calls = [Past(command="npm i", outcome=outcome) for outcome in ("refused", "cancelled", "interrupted", "unknown")]
    found = figures(*calls, text=NO_NPM)
    assert counted(found) == (4, 0, 4, 0) and found.last_broken == ""
    assert counted(figures(Past(command="git push"), text="Never push without permission.")) == (1, 0, 1, 0)


def test_breaches_have_their_newest_examples_and_their_cost() -> None:
    calls = [Past(command=f"npm i {number}", time=f"2026-09-01T08:00:{number:02}.000Z") for number in range(20)]
    calls += [failed("cd a && npm i", session="s2"), Past(command="pnpm i"), Past(command="ls")]
    random.Random(1).shuffle(calls)
    found = figures(*calls, text=NO_NPM)
    assert counted(found) == (22, 21, 0, 2)
    assert found.last_broken == "2026-09-01T08:00:19.000Z"
    assert [past.command for past in found.breaches[:2]] == ["npm i 19", "npm i 18"]
    assert len(found.breaches) == MOST_EXAMPLES
    assert (found.tokens, found.seconds) == (0, 0.0)


def test_folders_files_and_contents() -> None:
    npm_in_web = "Run `npm` commands from `web/`."
    lines = (Past(command="npm i"), Past(command="npm i", cwd=f"{SHOP}/web"), Past(command="cd web && npm i"))
    assert counted(figures(*lines, Past(command="npm i", cwd=""), text=npm_in_web)) == (4, 1, 2, 1)  # `cd` may fail
    reads = Past(tool="Read", arguments={"file_path": f"{SHOP}/dist/a"})
    patch = Past(tool="apply_patch", arguments={"input": "*** Begin Patch\n*** Update File: dist/b\n+x\n*** End Patch"})
    assert counted(figures(reads, edit(f"{SHOP}/dist/a"), edit(f"{SHOP}/a"), patch, text=NO_DIST)) == (3, 2, 0, 1)
    writes = (edit("/a/b.ts", "let x: any"), edit("/a/b.ts", "let x"), edit("/a/b.md", "x: any"))
    assert counted(figures(*writes, text="Never use `any`.")) == (2, 1, 0, 1)


def test_many_rules_are_counted_as_each_alone() -> None:
    texts = (NO_NPM, NO_DIST, "Never use `--no-verify`.", "Never use `git add .`", "Don't add dependencies.")
    calls = [Past(command=line) for line in ("npm i x", "git add .", "git commit --no-verify", "git add -p; npm i")]
    calls += [edit(f"{SHOP}/dist/a.js"), edit(f"{SHOP}/a.js")]
    with history_of(*calls) as history:
        together = figures_of(history, [Check(checked(text)) for text in texts])
        alone = [figures_of(history, [Check(checked(text))])[0] for text in texts]
    assert [counted(each) for each in together] == [counted(each) for each in alone]
    assert [each.broken for each in together] == [2, 1, 1, 1, 1]
