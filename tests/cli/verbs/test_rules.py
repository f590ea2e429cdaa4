"""`lessons rules`: what is refused, nothing without a terminal, the table, and the lesson that enforces a rule."""

import json
from typing import Any

import pytest

from tests.builders.past import Past, failed, home_with
from tests.cli.command_line import COLUMNS, CommandLine, finish, plain, widest

TEXT = """# Shop

- Always use pnpm, never npm.
- Keep functions small.

## Git

- Run `make test` before you commit.
- Never push without permission.
- Never run `git push --force`.
"""


@pytest.fixture
def shop(lessons: CommandLine) -> CommandLine:
    """A project with five rules and a history in which three of them applied."""
    (lessons.work / ".git").mkdir()
    (lessons.work / "CLAUDE.md").write_text(TEXT)
    here: dict[str, Any] = {"cwd": str(lessons.work), "project": str(lessons.work)}
    calls = [Past(command=f"npm install p{number}", session=f"s{number}", **here) for number in range(3)]
    calls += [failed("npm test", session="s1", **here), Past(command="pnpm test", **here)]
    calls += [Past(command="git push origin x", **here), Past(command="npm i", cwd="/other", project="/other")]
    calls += [Past(command=f"ls {number}", **here) for number in range(300)]
    home_with(lessons.home, *calls)
    return lessons


def rows(shop: CommandLine) -> dict[str, dict[str, Any]]:
    return {row["text"]: row for row in shop.json("rules")["rules"]}


def records(shop: CommandLine) -> list[dict[str, Any]]:
    file = shop.home / "lessons.json"
    found: list[dict[str, Any]] = json.loads(file.read_text())["lessons"] if file.exists() else []
    return found


@pytest.mark.parametrize(
    ("arguments", "code", "sentence"),
    [
        (["--stop"], 2, "need --enforce ID"),
        (["--enforce", "x", "--stop", "--block"], 2, "not both"),
        (["--enforce", "zzz"], 1, "No rule has the id zzz."),
        (["--enforce", ""], 1, "5 rules have an id"),
        (["none.md"], 1, "No file"),
        (["."], 1, "was skipped"),
    ],
)
def test_what_is_refused(arguments: list[str], code: int, sentence: str, shop: CommandLine) -> None:
    assert sentence in " ".join(shop.refused("rules", *arguments, code=code).split())
    assert records(shop) == []


def test_without_rules_and_without_a_history(lessons: CommandLine) -> None:
    assert lessons.json("rules") == {"rules": [], "sessions": 0, "changes": []}
    assert "No rules found" in lessons("rules").error
    (lessons.work / "AGENTS.md").write_text("- Never run `rm -rf`.")
    assert [row["broken"] for row in lessons.json("rules")["rules"]] == [0]
    assert not (lessons.home / "history.db").exists()


def test_nothing_is_asked_without_a_terminal(shop: CommandLine) -> None:
    before = (shop.work / "CLAUDE.md").stat().st_mtime_ns
    out = shop.ok("rules")
    assert "5 rules, 3 can be checked: broken 4 times in 3 sessions." in out
    assert "cannot be checked: Keep functions small." in out
    assert "needs the order of calls: Run `make test` before you commit." in out
    assert records(shop) == [] and (shop.work / "CLAUDE.md").stat().st_mtime_ns == before


def test_the_document(shop: CommandLine) -> None:
    found = rows(shop)
    assert next(iter(found)) == "Always use pnpm, never npm."
    npm, push = found["Always use pnpm, never npm."], found["Never push without permission."]
    keys = "id file line section text checked triggers applicable broken unknown sessions cost lastBroken examples slug"
    assert [*npm] == keys.split()
    assert (npm["line"], npm["applicable"], npm["broken"], npm["unknown"], npm["sessions"]) == (3, 5, 4, 0, 3)
    assert npm["triggers"]["commandPatterns"] == ["^npm(?=\\s|$)"] and npm["slug"] is None
    assert len(npm["examples"]) == 4 and npm["lastBroken"] == "2026-09-01T08:00:00.000Z"
    assert npm["cost"] == {"tokens": 0, "seconds": 0.0}
    assert (push["broken"], push["unknown"], push["lastBroken"]) == (0, 1, None)
    assert found["Keep functions small."]["triggers"] is None


def test_a_rule_is_enforced_and_stays_joined_to_its_sentence(shop: CommandLine) -> None:
    name = rows(shop)["Always use pnpm, never npm."]["id"]
    assert "It fires from the next call on." in shop.ok("rules", "--enforce", name[:6], "--stop")
    [record] = records(shop)
    assert record["rule"] == {"file": "CLAUDE.md", "line": 3, "text": "Always use pnpm, never npm."}
    assert record["stopOnce"] is True and record["scope"] == {"type": "project", "path": str(shop.work)}
    assert shop.json("try", "npm ci")["decision"] == "stop"
    assert shop.json("try", "pnpm install")["decision"] == "none"
    assert rows(shop)["Always use pnpm, never npm."]["slug"] == record["slug"]
    assert "enforces this rule already" in shop.refused("rules", "--enforce", name)
    assert shop.ok("rules", "--check") == "No enforced rule changed.\n"

    (shop.work / "CLAUDE.md").write_text("\n\n" + TEXT)  # it only moved
    assert shop("rules", "--check").code == 0
    (shop.work / "CLAUDE.md").write_text(TEXT.replace("Always use pnpm, never npm", "Always use bun, never npm"))
    ended = shop("rules", "--check")
    assert (ended.code, "changed to “Always use bun, never npm.”" in ended.out) == (1, True)
    assert shop.json("rules")["changes"][0]["slug"] == record["slug"]
    (shop.work / "CLAUDE.md").write_text(TEXT.replace("- Always use pnpm, never npm.\n", ""))
    assert f"`lessons archive {record['slug']}`" in shop("rules", "--check").out
    (shop.work / "CLAUDE.md").unlink()
    assert shop("rules", "--check").code == 1
    shop.ok("archive", record["slug"])
    assert shop("rules", "--check").code == 0


def test_a_block_needs_evidence(shop: CommandLine) -> None:
    name = rows(shop)["Never run `git push --force`."]["id"]
    assert "block needs at least 5 calls" in shop.refused("rules", "--enforce", name, "--block")
    shop.ok("rules", "--enforce", name, "--block", "--force")
    assert records(shop)[0]["block"] is True
    assert shop.json("try", "git push --force")["decision"] == "block"
    assert "block needs at least 5" in (shop.home / "decisions.jsonl").read_text()


def test_what_cannot_be_checked_is_not_enforced(shop: CommandLine) -> None:
    found = rows(shop)
    assert "no shape" in shop.refused("rules", "--enforce", found["Keep functions small."]["id"])
    assert "order of calls" in shop.refused("rules", "--enforce", found["Run `make test` before you commit."]["id"])


def test_an_agent_can_add_a_hint_only(shop: CommandLine) -> None:
    name = rows(shop)["Never run `git push --force`."]["id"]
    assert "It waits for a person" in shop("rules", "--enforce", name, "--stop", CLAUDECODE="1").out
    [record] = records(shop)
    assert (record["needsReview"], record["writtenBy"]) == (True, "Claude Code")


def test_on_a_terminal(shop: CommandLine) -> None:
    terminal = shop.terminal("rules")
    terminal.expect("\\[n\\]ext \\[q\\]uit ")
    assert widest(plain(str(terminal.before)).splitlines()) <= COLUMNS
    terminal.send("l")
    terminal.expect("npm install p")
    terminal.expect("\\[q\\]uit ")
    terminal.send("b")
    terminal.expect("Press b again")
    terminal.expect("\\[q\\]uit ")
    terminal.send("h")
    terminal.expect("Stored always-use-pnpm")
    terminal.expect("Never push without permission")
    terminal.expect("\\[q\\]uit ")
    terminal.send("n")
    assert finish(terminal)[0] == 0
    assert [record.get("block") for record in records(shop)] == [False]
