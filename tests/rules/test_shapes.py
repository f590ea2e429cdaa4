"""Sentences that must get no trigger, then those that get one, with a call that breaks them and one that does not."""

import time

from lessons.match.call import ToolCall
from lessons.match.state import KnownState, judge
from lessons.model import Triggers
from lessons.promote.backtest import compiled
from lessons.rules.shapes import SHAPES, checked
from tests.tables import table

ROOT = "/srv/shop"
UNCHECKED = (
    "Keep functions small and focused.",
    "Never commit secrets.",
    "Never commit broken code.",
    "Do not use conventional commits.",
    "Do not push half-finished work.",
    "Use named exports, not default exports.",
    "Use 4 spaces, not tabs.",
    "Do not use `useEffect` for derived state.",
    "Do not run `make deploy` in production.",
    "Never use `git rebase` on shared branches.",
    "Avoid `any` where possible.",
    "Use `pnpm` to start the server.",
    "Run tests with `pytest -q`.",
    "The `dist/` folder is generated.",
    "Never edit `migrations/` after they are merged.",
    "Only edit `config.json` if the user asks for another port.",
    "Do not use `npm` when offline.",
    "Never run `docker` against the shared host.",
    "Never import from `src/internal/`.",
    "Do not use `<div>` as a button.",
    "Use `git add FILE`, not only the editor.",
    "No `pytest` in the documentation.",
    "Read `docs/STYLE.md`, not only the code.",
    "Find the cause rather than the symptom.",
    "Make the change, not the excuse.",
    "Never `curl URL | sh`.",
    "Prefer composition over inheritance.",
    "You should not use more than 3 levels of nesting.",
    "Use `a`, not `a`.",
    "Never push directly to `somebody/shop`.",
)
ORDERED = (
    "Run `make test` before you commit.",
    "Always run the tests before pushing.",
    "After changing `schema.prisma`, run `npx prisma generate`.",
    "Before committing, run `ruff check`.",
    "Never commit without running the tests.",
    "Run `make docs` whenever you change a table.",
)
DEPENDING = (
    ("Ask before running `terraform apply`.", "terraform apply -auto-approve", "terraform plan"),
    ("Never commit unless explicitly asked.", "git commit -m x", "git status"),
    ("Do not push without permission.", "git push origin HEAD", "git pull"),
    ("Do not add new dependencies without approval.", "npm install left-pad", "npm install"),
    ("`npm publish` requires approval.", "npm publish", "npm pack"),
)
LINES = (
    ("Always use pnpm, never npm.", "cd web && npm install", "pnpm install"),
    ("Never use npm or yarn; use bun.", "yarn add x", "bun add npm"),
    ("Use `uv run pytest`, not `pytest`.", "cd a && pytest -q", "uv run pytest -q"),
    ("Use `git add FILE` instead of `git add .`", "git add .", "git add a.py"),
    ("Prefer `rg` over `grep`.", "grep -rn x .", "rg x"),
    ("Use uv for Python package management.", "pip install x", "uv pip install x"),
    ("Use `npm ci`, not `npm install`.", "npm install", "npm ci"),
    ("Instead of `rm -rf`, use `trash`.", "rm -rf build", "rm a.txt"),
    ("Never run `git push --force`.", "git push origin main --force", "git push --force-with-lease"),
    ("Do not use `git commit --amend`.", "git -C /a commit --amend --no-edit", "git commit -m 'no --amend'"),
    ("Never use `--no-verify`.", "git commit --no-verify -m x", "git commit -m x"),
    ("Never use `git add .` or `git add -A`.", "git add -A", "git add src"),
    ("Don't run `docker compose down -v`.", "docker compose down -v", "docker compose down"),
    ("NEVER run `./scripts/reset.sh`.", "./scripts/reset.sh --all", "cat ./scripts/reset.sh"),
    ("`git stash` is forbidden.", "git stash", "git stash-lists"),
    ("Do not skip hooks.", "git commit -n -m x", "git commit -m x"),
    ("Avoid force pushing.", "git push -f", "git push"),
    ("Never amend commits.", "git commit --amend", "git commit"),
    ("Don't add dependencies.", "cargo add serde", "cargo build"),
    ("Never push directly to `main`.", "git push origin main", "git push origin mainline"),
    ("Do not force push to main or master.", "git push --force origin master", "git push origin master"),
    ("Never commit `.env` files.", "git add .env", "git add .env.example"),
    ("Run `rake db:*` with `--trace`.", "rake db:drop", "rake test"),
    ("Run `pytest` with `-x`.", "pytest tests", "pytest -qx tests"),
    ("Use `--frozen-lockfile` when running `pnpm install`.", "pnpm install", "pnpm install --frozen-lockfile"),
    ("Never run `npm test` without `--silent`.", "npm test", "npm test --silent"),
    ("Use Conventional Commits.", "git commit -m 'Fix it'", "git commit -m 'fix(api): it'"),
    ("Use Conventional Commits.", "git commit -am 'Fix it'", "git commit -m '🔧 fix: it' -m 'More of it'"),
    ("Do not add `Co-Authored-By` to commits.", "git commit -m 'x\n\nCo-Authored-By: A'", "git commit -m x"),
)
FILES = (
    ("Do not edit `dist/` by hand.", "Edit", "dist/a.js", "", "src/a.js", ""),
    ("Never modify `src/generated/`; run `make gen`.", "Write", "src/generated/x/a.ts", "", "src/a.ts", ""),
    ("`package-lock.json` is generated, do not edit it.", "Edit", "package-lock.json", "", "package.json", ""),
    ("Never edit `go.sum`.", "Edit", "go.sum", "", "go.work", ""),
    ("Never read `.env`.", "Read", ".env", "", ".env.example", ""),
    ("No `console.log` in `src/`.", "Edit", "src/a.ts", "console.log(1)", "test/a.ts", "console.log(1)"),
    ("Don't use `any` in TypeScript.", "Write", "a.ts", "let a: any = 1", "a.ts", "// any of them"),
    ("Use `logger.info()` instead of `print()`.", "Write", "a.py", "print(1)", "a.py", "pprint(1)"),
    ("Use `const`, never `var`.", "Write", "a.js", "var a = 1", "a.css", "color: var(--a)"),
    ("Never use `eval()` in Python.", "Write", "a.py", "x = eval (y)", "a.py", "evaluate(y)"),
    ("Use `w-full` not `width-full`, `h-full` not `height-full`.", "Edit", "a.ts", "'height-full'", "a.ts", "'h-full'"),
    ("Use `Path`, not `os.path`.", "Write", "a.py", "os.path.join(a)", "a.md", "os.path"),
)


def triggers(text: str) -> Triggers:
    found = checked(text)
    assert found.broken is not None and found.about is not None, found
    return found.broken


def fires(trigger: Triggers, call: ToolCall) -> bool:
    call.probe = KnownState({call.cwd: True}, root=ROOT)
    return bool(judge(compiled(trigger).rule, call).why)


def shell(line: str, cwd: str = ROOT) -> ToolCall:
    return ToolCall("Bash", {"command": line}, cwd=cwd)


@table("text", UNCHECKED)
def test_no_trigger_is_guessed(text: str) -> None:
    assert checked(text).certainty == "none" and checked(text).broken is None


@table("text", ORDERED)
def test_what_needs_an_order_has_no_trigger_yet(text: str) -> None:
    assert checked(text).certainty == "order" and checked(text).broken is None


@table("text, broken, right", DEPENDING)
def test_what_a_person_may_have_allowed_is_no_breach_for_certain(text: str, broken: str, right: str) -> None:
    assert checked(text).certainty == "depends"
    assert fires(triggers(text), shell(broken)) and not fires(triggers(text), shell(right))


@table("text, broken, right", LINES)
def test_a_command_that_breaks_a_rule(text: str, broken: str, right: str) -> None:
    assert checked(text).certainty == "broken"
    assert not fires(triggers(text), shell(right))
    assert not fires(triggers(text), shell(f"echo '{text}'".replace("`", "")))
    assert fires(triggers(text), shell(broken))


@table("text, tool, path, content, other, harmless", FILES)
def test_a_file_that_breaks_a_rule(text: str, tool: str, path: str, content: str, other: str, harmless: str) -> None:
    def call(name: str, written: str) -> ToolCall:
        return ToolCall(tool, {"file_path": f"{ROOT}/{name}", "content": written}, cwd=ROOT)

    assert not fires(triggers(text), call(other, harmless))
    assert fires(triggers(text), call(path, content))


def test_what_a_rule_is_about_is_no_more_than_its_command() -> None:
    about = checked("Never use `git add .` or `git add -A`.").about
    assert about and fires(about, shell("git add a.py")) and not fires(about, shell("git status"))


def test_the_folder_of_a_command() -> None:
    inside, root = triggers("Run `npm` commands from `web/`."), triggers("Run `make` from the repository root.")
    assert fires(inside, shell("npm test")) and not fires(inside, shell("npm test", f"{ROOT}/web"))
    assert not fires(inside, shell("cd web && npm test"))
    assert fires(root, shell("make", f"{ROOT}/web")) and not fires(root, shell("make"))


def test_the_example_of_each_shape_is_of_that_shape() -> None:
    for place, shape in enumerate(SHAPES):
        before = [each.name for each in SHAPES[:place]]
        assert checked(shape.example).certainty != "none", shape.name
        assert before.count(shape.name) == 0


HOSTILE = (
    "Never use `" + "a" * 190 + "`" * 300,
    "Never run " + "`a` or " * 80 + "`b`",
    "Never run `(a+)+$` or `" + "(x+x+)+y" * 20 + "`",
    "use " * 140 + "not",
    "run without " * 50,
    "before " * 80,
    "⟨0⟩ ⟨99⟩ never use ⟨1⟩",
    "Never use `` or ` ` or `-` or `--`",
)


@table("text", HOSTILE)
def test_hostile_sentences_take_no_time(text: str) -> None:
    start = time.process_time()
    found = checked(text[:600])
    if found.broken:
        compiled(found.broken)
    assert time.process_time() - start < 1
