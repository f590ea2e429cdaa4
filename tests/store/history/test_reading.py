"""The same transcripts, read in one go, in steps, again, or by files: the same tables."""

from pathlib import Path

from lessons.scan.discover import Root
from lessons.scan.scan import Coverage, Request, scan
from lessons.store.consent import Consent
from tests.builders.transcript import Session
from tests.store.history.history import History, history
from tests.tables import table

TAG = "#lesson\nproblem: {}\nsolution: open it with the other key\n#/lesson"


def read(made: History, root: Path, full: bool = False) -> Coverage:
    return scan(made.product, Request([Root(str(root), ("claude-code",))], Consent(), full))


def tables(made: History) -> dict[str, list[tuple[object, ...]]]:
    """All tables; of the files what does not depend on the clock and on the disk."""
    found = made.dump()
    found["sources"] = made.rows(
        "SELECT path, generation, size, offset, memory, records, malformed FROM sources ORDER BY 1, 2"
    )
    found["call_features"] = made.rows(
        "SELECT c.tool_use_id, f.keys FROM call_features f JOIN calls c ON c.id = f.call_id ORDER BY 1"
    )
    return found


def story() -> list[Session]:
    """A session with all that can happen, a subagent of it, and a fork that withdraws and goes on."""
    one = Session("one")
    one.prompt("open the shop")
    one.result(one.call("Bash", {"command": "make door | tail"}), "Error: no such door")
    one.say(TAG.format("the door was locked"))
    started = one.call("Bash", {"command": "make long", "run_in_background": True})
    one.result(started, "Command running in background with ID: b1", background="b1")
    agent = one.subagent("a1")
    agent.result(agent.call("Read", {"file_path": "/home/somebody/shop/door"}), "a door")
    agent.say(TAG.format("nobody told the agent"))
    one.compact()
    refused = one.call("Bash", {"command": "rm door"})
    one.result(refused, "no", denial="user-rejected")
    one.interrupt(for_tool=True, message_id=one.message_id)
    fork = one.fork("two")
    fork.say("#lesson:cancel")
    fork.result(fork.call("Bash", {"command": "make window"}), "Exit code 2\nno glass", error=True)
    fork.notify("b1", exit_code=3, status="failed")
    one.notify("b1", exit_code=3, status="failed", tool_use_id=started)
    one.say(TAG.format("the window was shut"))
    one.say("#lesson:cancel")
    one.title("A shop")
    return [one, fork]


def expected(tmp_path: Path) -> tuple[Path, dict[str, list[tuple[object, ...]]]]:
    root = tmp_path / "projects"
    for session in story():
        session.write(root)
    with history() as made:
        coverage = read(made, root)
        assert coverage.calls["total"] == made.one("SELECT count(*) FROM calls") == 5
        assert made.rows("SELECT outcome, count(*) FROM calls GROUP BY 1 ORDER BY 1") == [
            ("failed", 2),
            ("interrupted", 1),
            ("ok", 2),
        ]
        assert made.one("SELECT count(*) FROM candidates") == 4
        return root, tables(made)


def test_nothing_new_changes_nothing(tmp_path: Path) -> None:
    root, whole = expected(tmp_path)
    with history() as made:
        read(made, root)
        again = read(made, root)
        assert (again.files.read, again.files.unchanged, again.records) == (0, 3, 0)
        assert tables(made) == whole
        full = read(made, root, full=True)
        assert (full.files.read, full.new_candidates, full.updated_candidates) == (3, set(), set())
        assert tables(made) == whole


@table("step", [400, 1500, 7001])
def test_growth_in_steps_gives_the_same_tables(tmp_path: Path, step: int) -> None:
    root, whole = expected(tmp_path)
    contents = {path: path.read_bytes() for path in sorted(root.rglob("*.jsonl")) if "tool-results" not in path.parts}
    for path in contents:
        path.write_bytes(b"")
    with history() as made:
        for end in range(step, max(map(len, contents.values())) + step, step):
            for path, content in contents.items():
                with path.open("ab") as file:
                    file.write(content[path.stat().st_size : end])
            read(made, root)
        assert tables(made) == whole
