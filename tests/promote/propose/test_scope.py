"""Where a proposed lesson acts: first what may not act in other projects, then what holds everywhere."""

from lessons.match.call import ToolCall
from lessons.promote.propose.mistake import Mistake
from lessons.promote.propose.propose import propose_for
from tests.tables import table

SHOP = "/srv/shop"


def scope_of(failed: str, error: str, fix: str) -> tuple[str, str | None]:
    """Of a mistake that was made twice in one project."""
    failures = [ToolCall("Bash", {"command": f"{failed} {number}"}, error=error, cwd=SHOP) for number in (1, 2)]
    fixes = [ToolCall("Bash", {"command": f"{fix} {number}"}, cwd=SHOP) for number in (1, 2)]
    found = propose_for(Mistake(failures, fixes, successes=fixes, projects=[SHOP, SHOP]))
    return found.scope.type, found.acts_at


@table(
    ("failed", "error", "fix"),
    [
        ("git push upstream", "fatal: 'upstream' does not appear to be a git repository", "git push origin"),
        ("git rebase master -X", "fatal: invalid upstream 'master'", "git rebase main -X"),
        (
            "git checkout develop",
            "error: pathspec 'develop' did not match any file(s) known to git",
            "git checkout main",
        ),
        ("lamp restart api -t", "no such service: api", "lamp restart backend -t"),
        ("lamp exec shop_db ls", "Error: No such container: shop_db", "lamp exec shop-db-1 ls"),
        (
            "lamp upgrade head --sql",
            "FAILED: Multiple head revisions are present for 'head'",
            "lamp upgrade heads --sql",
        ),
        ("cd backend && lamp test", "cd: no such file or directory: backend", "cd apps/backend && lamp test"),
        ("lamp -q unit", "ERROR: file or directory not found: unit", "lamp -q tests/unit"),
        (
            "lamp build -t x",
            "Error: no Lampfile found: stat Lampfile: no such file",
            "lamp build -f deploy/Lampfile -t x",
        ),
        ("python -c 'import lamp'", "ModuleNotFoundError: No module named 'lamp'", ".venv/bin/python -c 'import lamp'"),
        ("sql3 a.db 'select pirce' -n", "Error: in prepare, no such column: pirce", "sql3 a.db 'select price' -n"),
    ],
)
def test_things_of_a_project(failed: str, error: str, fix: str) -> None:
    assert scope_of(failed, error, fix) == ("project", "call")


@table("failed", ["git -C web status", "git show --lux"])
def test_a_program_that_runs_in_place_of_another_is_of_its_project(failed: str) -> None:
    option = failed.split()[1 if "-C" in failed else 2]
    error = f"error: unexpected argument '{option}' found\n\nUsage: lux git [OPTIONS] <COMMAND>"
    failures = [ToolCall("Bash", {"command": f"{failed} {number}"}, error=error, cwd=SHOP) for number in (1, 2)]
    fixes = [ToolCall("Bash", {"command": f"git status {number}"}, cwd=SHOP) for number in (1, 2)]
    found = propose_for(Mistake(failures, fixes, successes=fixes, kind="wrong-flag", projects=[SHOP, SHOP]))
    assert found.scope.type == "project"


@table(
    ("failed", "error", "fix"),
    [
        ("lamp list --nmae x", "error: unknown flag: --nmae in this project", "lamp list --name x"),
        (
            "lamp ec2 list --output jsn",
            "argument --output: Invalid choice: text | table",
            "lamp ec2 list --output json",
        ),
        ("lamp lsit x", "lamp: 'lsit' is not a lamp command", "lamp list x"),
        ("lamp get podes -n", 'error: the server doesn\'t have a resource type "podes"', "lamp get pods -n"),
    ],
)
def test_what_is_wrong_everywhere(failed: str, error: str, fix: str) -> None:
    assert scope_of(failed, error, fix) == ("global", "call")


@table(
    ("failed", "error", "fix", "scope"),
    [
        ("lux a", "lux: error: the plugin of the house was not loaded", "sudo lux a", "global"),
        ("lux a", "bash: line 1: lux: command not found", "npx lux a", "machine"),
        ("lux a", "bash: line 1: lux: command not found", "/opt/lux/bin/lux a", "machine"),
        ("lux a", "lux: error: the plugin of the house was not loaded", "poetry run lux a", "project"),
        ("lux a", "bash: line 1: lux: command not found", "bundle exec lux a", "project"),
        ("lux a", "lux: error: the rooms of the house are not known", "LUX=1 lux a", "global"),
        ("lux a", "lux: error: the rooms of the house are not known", "LUX=shop.rooms lux a", "project"),
        ("lux a", "bash: line 1: lux: command not found", "vendor/bin/lux a", "project"),
        ("lux a", "bash: line 1: lux: command not found", "timeout 60 lux a", "machine"),
        ("lux a", "lux: error: the rooms of the house are not known", "LUXPATH=$HOME lux a", "global"),
        ("./lux a", "bash: line 1: lamp: command not found", "./lux --dim a", "global"),
        ("lux a", "bash: line 1: lux: command not found", "CI=1 poetry run lux a", "project"),
        ("lux a", "bash: line 1: lux: command not found", "timeout 60 poetry run lux a", "project"),
        ("lux a", "bash: line 1: lux: command not found", "grep a && ./build.sh", "machine"),
        ("lux a", "bash: line 1: lux: command not found", "./luxw a", "project"),
        ("lux a", "ModuleNotFoundError: No module named 'shop'", "PYTHONPATH=. lux a", "project"),
        ("lux a", "ModuleNotFoundError: No module named 'shop'", "PYTHONPATH=src lux a", "project"),
        ("ssh host 'lux a'", "bash: line 1: lux: command not found", "ssh host 'lamp a'", "project"),
    ],
)
def test_how_a_project_runs_a_program(failed: str, error: str, fix: str, scope: str) -> None:
    assert scope_of(failed, error, fix)[0] == scope


def scope_at_error(failed: str, error: str, fix: str) -> tuple[str, str | None]:
    """Of a mistake that was made once, and whose call works elsewhere as it is."""
    failure = ToolCall("Bash", {"command": failed}, error=f"Exit code 1\n{error}", cwd=SHOP)
    fixed = ToolCall("Bash", {"command": fix}, cwd=SHOP)
    good = [fixed, *(ToolCall("Bash", {"command": failed}, cwd="/srv/other") for _ in range(3))]
    found = propose_for(Mistake([failure], [fixed], successes=good, projects=[SHOP]))
    return found.scope.type, found.acts_at


@table(
    ("failed", "error", "fix"),
    [
        # The fix names a place of the project, or is another program, which only this project wants.
        ("lamp on", "Error: it is not clear which of the many bulbs is meant", "lamp on deploy/bulb.yml"),
        ("lamp on", "Error: it is not clear which of the many bulbs is meant", "glow on"),
        ("lamp on", "Error: it is not clear which of the many bulbs is meant", "cd web && lamp on"),
        # The error is about files, or about a thing of the project that the call names.
        ("lamp on", "Error: the list of all bulbs could not be read: no such file or directory", "lamp on all"),
        ("lamp on web now", "Error: the service web was not found anywhere in this house", "lamp on dim now"),
        # An option that the layout of this project asks for.
        ("lamp add lux", "error: this adds it to the workspace root; make that explicit with -W", "lamp add -W lux"),
        # Too few words: another program may say the same.
        ("lamp on", "Error: name is required", "lamp on lux"),
    ],
)
def test_errors_of_a_project(failed: str, error: str, fix: str) -> None:
    assert scope_at_error(failed, error, fix)[0] == "project"


@table(
    ("failed", "error", "fix"),
    [
        ("lamp push", "fatal: The current branch lux has no upstream branch.", "lamp push origin lux:lux"),
        ("lamp push", "fatal: The current branch fix/lux has no upstream branch.", "lamp push origin fix/lux"),
        ("lamp add a", "INSTALLATION FAILED: must either provide a name or specify one", "lamp add lux a"),
    ],
)
def test_errors_that_any_project_may_meet(failed: str, error: str, fix: str) -> None:
    assert scope_at_error(failed, error, fix) == ("global", "error")


def test_a_file_behind_an_added_option_need_not_be_its_value() -> None:
    error = "error: Requires read access, run again with the --allow-read flag"
    assert scope_of("lamp run a.ts", error, "lamp run --allow-read a.ts") == ("global", "call")
    assert scope_of("lamp run", error, "lamp run --allow-read a.ts")[0] == "project"


def test_a_command_that_lacked_a_file_is_not_wrong_as_such() -> None:
    error = "lamp: lamp.mod file not found in current directory or any parent directory. Use 'lamp install'"
    assert scope_of("lamp get", error, "lamp install")[1] == "error"
