"""The path check, by the installed hook in real folders: first what must not speak, then what must."""

import json
import subprocess
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from tests.builders import payloads
from tests.builders.home import DataHome, commands_for, context_of
from tests.builders.lessons import lesson
from tests.builders.project_tree import make_tree
from tests.hook.state_calls import rows_below
from tests.tables import table

# Below each folder the commands; every path in them is missing there and exists in the root.
QUIET = """
:: .
cat src/main.py
:: web
cat src/app.ts ¦ cat ../api/main.py ¦ cat api/nowhere.py ¦ cat /etc/hosts ¦ cat "$ROOT/api/main.py"
cat $(pwd)/api/main.py ¦ cat `echo api/main.py` ¦ cat api/*.py ¦ cat api/main.p? ¦ cat {api,docs}/main.py
cat ~/api/main.py ¦ ls api ¦ grep -rn main tests ¦ grep -rn api/main.py . ¦ grep -rn -e api/main.py .
rg docs/guide.md ¦ git grep docs/guide.md ¦ sed s/api/main/ src/app.ts ¦ find . -path ./docs/guide.md
find . -newer docs/guide.md ¦ echo api/main.py ¦ printf %s docs/guide.md ¦ git commit -m docs/guide.md
git push origin docs/guide.md ¦ git checkout -b api/src ¦ git branch api/src ¦ git show HEAD:api/main.py
git log origin/main ¦ git clone https://example.com/x api/src ¦ git -C .. add api/main.py ¦ make -C .. docs/guide.md
mkdir -p api/src ¦ mkdir -p api/src && ls api/src ¦ touch docs/guide.md ¦ touch docs/guide.md && cat docs/guide.md
sudo mkdir api/src ¦ cp src/app.ts docs/guide.md ¦ mv src/app.ts docs/guide.md ¦ ln -s docs/guide.md guide
tee docs/guide.md ¦ echo x > docs/guide.md ¦ python3 make_it.py && cat docs/guide.md
gcc -o scripts/tool.py src/app.ts ¦ tsc --outDir api/src ¦ tsc --out-dir=api/src ¦ pytest -k docs/guide.md
eslint --ignore-pattern docs/guide.md src ¦ tar cf docs/guide.md src ¦ rm -f docs/guide.md ¦ test -f docs/guide.md
[ -f docs/guide.md ] && cat docs/guide.md ¦ cat docs/guide.md || true ¦ cat docs/guide.md 2>/dev/null
ls docs/guide.md 2>/dev/null || ls ../docs/guide.md ¦ (cd .. && cat docs/guide.md) ¦ cd .. && cat docs/guide.md
cd "$ROOT" && cat docs/guide.md ¦ cd $(git rev-parse --show-toplevel) && cat docs/guide.md
pushd .. && cat docs/guide.md ¦ cd - && cat docs/guide.md ¦ cd .. ¦ cd ¦ cd nowhere ¦ cd nowhere && cat docs/guide.md
for f in docs/guide.md; do cat $f; done ¦ if true; then cat docs/guide.md; fi ¦ ssh host cat docs/guide.md
ssh host 'cd api && ls' ¦ docker exec box cat docs/guide.md ¦ docker compose run web pytest docs/guide.md
kubectl exec box -- cat docs/guide.md ¦ npm test -- docs/guide.md ¦ npx jest docs/guide.md ¦ gh api docs/guide.md
curl localhost/docs/guide.md ¦ bash -c 'cat docs/guide.md' ¦ python3 -c "open('docs/guide.md')" ¦ cat <<'EOF'
type api\\main.py ¦ cat c:/docs/guide.md ¦ tool file=docs/guide.md ¦ tool user@docs/guide.md
"""
# The folder, the command, the word and the folder from which it exists.
SPOKEN = """
web :: cat docs/guide.md :: docs/guide.md :: .
web :: cat 'docs/guide.md' | head -3 :: docs/guide.md :: .
web/src/lib :: cat src/app.ts :: src/app.ts :: web
web/src/lib :: cat api/main.py :: api/main.py :: .
web/src :: cat ../api/main.py :: ../api/main.py :: web
web :: ls -la api/ :: api/ :: .
web :: ls --all docs/guide.md :: docs/guide.md :: .
web :: git add api/main.py src/app.ts :: api/main.py :: .
web :: git --no-pager diff HEAD -- api/main.py :: api/main.py :: .
web :: grep -n main api/main.py :: api/main.py :: .
web :: grep -o -e main api/main.py :: api/main.py :: .
web :: sed -i s/a/b/ api/main.py :: api/main.py :: .
web :: find api/src -name '*.py' :: api/src :: .
web :: pytest -q tests/test_main.py::test_main :: tests/test_main.py :: .
web :: uv run pytest -x tests/test_main.py :: tests/test_main.py :: .
web :: python3 -m pytest tests/test_main.py :: tests/test_main.py :: .
web :: python3 scripts/tool.py --fast :: scripts/tool.py :: .
web :: ./scripts/run.sh :: ./scripts/run.sh :: .
web :: scripts/run.sh now :: scripts/run.sh :: .
web :: FOO=1 timeout 5 bash scripts/run.sh :: scripts/run.sh :: .
web :: source scripts/run.sh :: scripts/run.sh :: .
web :: cp api/main.py copy.py :: api/main.py :: .
web :: eslint --fix web/src/app.ts :: web/src/app.ts :: .
web :: pwd; cat docs/guide.md :: docs/guide.md :: .
web :: make -C api/src :: api/src :: .
web :: npm --prefix ./api test :: ./api :: .
web :: cd api :: api :: .
web :: cd ./docs && ls :: ./docs :: .
web/src :: cd src :: src :: web
. :: cd web && cat docs/guide.md :: docs/guide.md :: .
. :: cd web && cd src && ls web/src :: web/src :: .
"""


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory) -> DataHome:
    home = DataHome(tmp_path_factory.mktemp("home"))
    home.publish(lesson())
    return home


@pytest.fixture(scope="module")
def project(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return make_tree(tmp_path_factory.mktemp("tree") / "shop")


_numbers = iter(range(1_000_000))


def call(folder: Path, command: str, session: str = "") -> payloads.Payload:
    """Each in a session of its own, unless named."""
    return payloads.bash(command, session or f"session-{next(_numbers)}", str(folder.resolve()))


@table(("where", "command"), rows_below(QUIET, "docs/guide.md"))
def test_quiet(home: DataHome, project: Path, where: str, command: str) -> None:
    assert home.run(call(project / where, command)) == (0, None)


@table(("where", "command", "path", "above"), [line.split(" :: ") for line in SPOKEN.split("\n")[1:-1]])
def test_spoken(home: DataHome, project: Path, where: str, command: str, path: str, above: str) -> None:
    told = context_of(home.run(call(project / where, command)))
    assert told.startswith(f"`{path}` does not exist in {project}")
    assert (
        told.removesuffix(".")
        .removesuffix(": the shell is already there")
        .endswith(f"it exists in {(project / above).resolve()}")
    )
    assert "\n" not in told and len(told.encode()) <= 300


def test_words_name_both_folders(home: DataHome, project: Path) -> None:
    wanted = {
        ("web", "cat docs/guide.md"): "`docs/guide.md` does not exist in R/web, where the shell is; it exists in R.",
        (".", "cd web && cat docs/guide.md"): (
            "`docs/guide.md` does not exist in R/web, where the shell is after its `cd`; it exists in R."
        ),
        ("api", "cd api"): (
            "`api` does not exist in R/api, where the shell is; it exists in R: the shell is already there."
        ),
    }
    for (where, command), told in wanted.items():
        assert context_of(home.run(call(project / where, command))) == told.replace("R", str(project), 9)


def test_recorded_as_a_hint_from_memory(home: DataHome, project: Path) -> None:
    home.run(call(project / "web", "cat docs/guide.md", "recorded"))
    line = home.log()[-1]
    assert {key: line.get(key) for key in ("session", "source", "decision", "why", "toolUseIds", "slug", "cwd")} == {
        "session": "recorded", "source": "memory", "decision": "hint", "why": "path", "toolUseIds": [], "slug": None,
        "cwd": str(project / "web"),
    }  # fmt: skip
    assert "guide.md" not in json.dumps(line)


def test_once_for_each_path_in_a_context(home: DataHome, project: Path) -> None:
    web, subagent = project / "web", {"agent_id": "a1", "agent_type": "helper"}
    assert context_of(home.run(call(web, "cat docs/guide.md", "once")))
    assert home.run(call(web, "head -1 docs/guide.md", "once")) == (0, None)
    assert context_of(home.run(call(web, "cat api/main.py", "once")))
    assert context_of(home.run({**call(web, "cat docs/guide.md", "once"), **subagent}))
    assert home.run({**call(web, "cat docs/guide.md", "once"), **subagent}) == (0, None)


def test_five_in_a_session_at_most(home: DataHome, project: Path) -> None:
    paths = ("docs/guide.md", "api/main.py", "data/a.csv", "src/main.py", "scripts/tool.py", "scripts/run.sh")
    told = [context_of(home.run(call(project / "web", f"cat {path}", "five"))) for path in paths]
    assert [bool(text) for text in told] == [True] * 5 + [False]


def test_calls_at_once_are_told_once(home: DataHome, project: Path) -> None:
    with ThreadPoolExecutor(8) as pool:
        answers = list(pool.map(lambda _: home.run(call(project / "web", "cat docs/guide.md", "atonce")), range(8)))
    assert sorted(bool(context_of(answer)) for answer in answers) == [False] * 7 + [True]


def test_lesson_comes_first(home: DataHome, project: Path) -> None:
    told = context_of(home.run(call(project / "web", "git stash; cat docs/guide.md")))
    assert "Stash with -u" in told and "does not exist" not in told


@pytest.mark.parametrize("value", ["false", "error", "0"])
def test_setting_switches_it_off(home: DataHome, project: Path, value: str) -> None:
    assert home.run(call(project / "web", "cat docs/guide.md"), LESSONS_MEMORY=value) == (0, None)


def test_setting_in_the_manifest(tmp_path: Path, project: Path) -> None:
    for value in (False, "error"):
        home = DataHome(tmp_path / str(value))
        home.publish(lesson(), memory=value)
        assert home.run(call(project / "web", "cat docs/guide.md")) == (0, None)


def test_project_of_the_client_where_no_repository_is(home: DataHome, tmp_path: Path) -> None:
    (tmp_path / "p" / "web").mkdir(parents=True)
    (tmp_path / "p" / "docs").mkdir()
    (tmp_path / "docs").mkdir()
    wrong = call(tmp_path / "p" / "web", "ls docs/")
    assert home.run(wrong) == (0, None)
    assert context_of(home.run(wrong, CLAUDE_PROJECT_DIR=str(tmp_path / "p"))).endswith(f"exists in {tmp_path / 'p'}.")


def test_nothing_above_the_root(home: DataHome, tmp_path: Path) -> None:
    for folder in ("outer/inner/.git", "outer/inner/web", "outer/docs"):
        (tmp_path / folder).mkdir(parents=True)
    assert home.run(call(tmp_path / "outer/inner/web", "ls docs/"), CLAUDE_PROJECT_DIR=str(tmp_path)) == (0, None)


def test_folder_that_is_gone_or_unknown(home: DataHome, project: Path) -> None:
    assert home.run(call(project / "gone", "cat docs/guide.md")) == (0, None)
    assert home.run({**call(project, "cat docs/guide.md"), "cwd": ""}) == (0, None)
    assert home.run(call(project / "web", "cd api"), CDPATH="..") == (0, None)


def test_long_names_are_not_told(home: DataHome, tmp_path: Path) -> None:
    root = tmp_path / ("r" * 100)
    (root / ".git").mkdir(parents=True)
    (root / ("d" * 100) / "e").mkdir(parents=True)
    assert home.run(call(root / ("d" * 100) / "e", f"ls {'d' * 100}/e")) == (0, None)


def test_excluded_project_is_not_logged(tmp_path: Path, project: Path) -> None:
    home = DataHome(tmp_path)
    home.publish(lesson(), excludeProjects=[str(project)])
    assert context_of(home.run(call(project / "web", "cat docs/guide.md")))
    assert home.log() == []


def test_many_words_and_deep_folders_end(home: DataHome, tmp_path: Path) -> None:
    deep = tmp_path / "p" / "/".join("abcdefgh") / "/".join("ijklmnop")
    deep.mkdir(parents=True)
    (tmp_path / "p" / ".git").mkdir()
    line = "cat " + " ".join(f"x{number}/y" for number in range(5_000))
    assert home.run(call(deep, line)) == (0, None)
    assert home.faults() == ""


def test_other_agents(home: DataHome, project: Path) -> None:
    wrong = {**call(project / "web", "cat docs/guide.md"), "turn_id": "t1", "model": "gpt-5.5"}
    command = home_command(home, "codex")
    assert "it exists in" in ran(home, command, wrong)
    # Where the folder of a call is not proven, nothing is said.
    assert ran(home, home_command(home, "copilot-cli"), call(project / "web", "cat docs/guide.md")) == ""


def test_agent_that_is_told_with_the_result(home: DataHome, project: Path) -> None:
    arguments = {"command": "cat docs/guide.md", "workdir": "web"}
    event: payloads.Payload = {
        "session": "of-opencode",
        "directory": str(project),
        "tool": "bash",
        "args": arguments,
        "call": "c1",
    }
    command = home_command(home, "opencode")
    assert ran(home, command.replace(" PreToolUse", " BeforeTool"), event) == ""
    after = command.replace(" PreToolUse", " AfterTool")
    assert f"it exists in {project}." in ran(home, after, {**event, "output": "", "exit": 1})
    # What the call itself removed says nothing.
    removed = {**event, "session": "removed", "args": {**arguments, "command": "rm docs/guide.md"}, "exit": 0}
    assert ran(home, after, removed) == ""


def home_command(home: DataHome, agent: str) -> str:
    line = commands_for(home.path)["PreToolUse"]
    return line.replace(" PreToolUse", f" PreToolUse {agent}")


def ran(home: DataHome, command: str, payload: payloads.Payload) -> str:
    done = subprocess.run(
        ["/bin/sh", "-c", command],
        input=json.dumps(payload),
        capture_output=True,
        text=True,
        timeout=60,
        env=home.environment(),
    )
    assert done.returncode == 0
    return done.stdout
