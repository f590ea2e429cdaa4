"""Files with Windows line ends are read like any other, and keep their line ends when edited."""

import json
from pathlib import Path
from typing import Any

import pytest

from lessons.promote.imports.markdown import drafts
from lessons.store import consent, decisions
from lessons.store.decisions import Decision
from tests.builders import payloads
from tests.builders.home import DataHome, reason_of
from tests.builders.lessons import blocking, lesson
from tests.cli.command_line import CommandLine
from tests.cli.transcripts import projects, shop_session
from tests.flows.tables import Tables, tables

RULES = "# Rules\n- Use pnpm for everything; npm breaks the lock file.\n- Never push to main:\n  open a pull request\n"
RECORD = {**lesson("force-push"), "block": True, "blockReason": "no", "triggers": {"commandPatterns": ["git push -f"]}}


def with_two_characters(file: Path) -> None:
    data = file.read_bytes()
    assert b"\r" not in data
    file.write_bytes(data.replace(b"\n", b"\r\n"))


def ends(file: Path) -> tuple[int, int]:
    data = file.read_bytes()
    return data.count(b"\r\n"), data.count(b"\n")


@pytest.fixture
def lessons(tmp_path: Path) -> CommandLine:
    return CommandLine(tmp_path)


def put(home: DataHome, name: str, document: object) -> Path:
    file = home.folder / name
    file.write_text(json.dumps(document, indent=2) + "\n", encoding="utf-8")
    return file


def manifest(home: DataHome) -> dict[str, Any]:
    home.publish()
    return {**home.manifest(), "generatedAt": ""}


def test_lessons_and_settings_are_read_the_same(tmp_path: Path) -> None:
    home = DataHome(tmp_path)
    files = [
        put(home, "lessons.json", {"lessons": [lesson(), blocking()]}),
        put(home, "config.json", {"injectionBudgetBytes": 900}),
    ]
    before = manifest(home)
    for file in files:
        with_two_characters(file)
    assert manifest(home) == before
    assert before["config"]["injectionBudgetBytes"] == 900


def test_a_manifest_and_a_payload(tmp_path: Path) -> None:
    home = DataHome(tmp_path)
    home.publish(blocking())
    call = payloads.bash("git push --force\r\ngit status\r\n")
    data = json.dumps(call, indent=2).replace("\n", "\r\n").encode() + b"\r\n"
    assert "The branch is shared" in reason_of(home.run_raw("PreToolUse", data))
    manifest_file = home.folder / "lesson-manifest.json"
    manifest_file.write_bytes(manifest_file.read_bytes().replace(b",", b",\r\n") + b"\r\n")
    assert "The branch is shared" in reason_of(home.run_raw("PreToolUse", data))
    assert home.faults() == ""


def test_edits_keep_the_ends_of_the_lines(lessons: CommandLine) -> None:
    lessons.ok("add", "--from", "-", "--json", text=json.dumps(RECORD))
    lessons.ok("config", "set", "injectionBudgetBytes", "900", "--json")
    lessons.settings.parent.mkdir()
    lessons.settings.write_text('{\n  "model": "opus"\n}\n')
    files = [lessons.home / "lessons.json", lessons.home / "config.json", lessons.settings]
    for file in files:
        with_two_characters(file)
    original = lessons.settings.read_bytes()
    lessons("edit", "force-push", "--priority", "9", "--json")
    lessons("config", "set", "maxLessonsPerInjection", "2", "--json")
    lessons.ok("install", "--agent", "claude-code", "--json")
    for file in files:
        two, one = ends(file)
        assert two == one > 2, file
    assert lessons.json("show", "force-push")["priority"] == 9
    assert lessons.json("config", "get", "maxLessonsPerInjection")["value"] == 2
    lessons.ok("uninstall", "--agent", "claude-code", "--json")
    assert lessons.settings.read_bytes() == original


def test_a_record_from_outside(lessons: CommandLine) -> None:
    text = json.dumps(RECORD, indent=2).replace("\n", "\r\n")
    assert lessons.json("add", "--from", "-", text=text)["slug"] == "force-push"


def scanned(lessons: CommandLine, two_characters: bool) -> tuple[Tables, list[object]]:
    session = shop_session()
    session.say(
        "#lesson\r\nproblem: The till has no roof.\r\nsolution: Build one.\r\n#/lesson"
        if two_characters
        else "#lesson\nproblem: The till has no roof.\nsolution: Build one.\n#/lesson"
    )
    file = session.write(projects(lessons))
    if two_characters:
        with_two_characters(file)
    counted = lessons.json("scan")
    assert (counted["malformed"], counted["calls"]["total"]) == (0, 3)
    found = lessons.json("candidates", "--all")["candidates"]
    return tables(lessons.home, projects(lessons)), [(each["problem"], each["solution"]) for each in found]


def test_a_transcript_and_its_tags(tmp_path: Path) -> None:
    results = []
    for number, two_characters in enumerate((False, True)):
        folder = tmp_path / str(number)
        folder.mkdir()
        results.append(scanned(CommandLine(folder), two_characters))
    (one_tables, one_candidates), (two_tables, two_candidates) = results
    assert one_candidates == two_candidates != []
    # The last columns tell where in the file a row comes from, which the longer lines change.
    assert [row[:-5] for row in one_tables["calls"]] == [row[:-5] for row in two_tables["calls"]]
    assert len(one_tables["tags"]) == len(two_tables["tags"]) == 2


def test_decisions(tmp_path: Path) -> None:
    home = str(tmp_path)
    made = [Decision(time="2026-01-01T00:00:00Z", id=name, action="archived", fingerprint=name) for name in "ab"]
    decisions.append(home, made)
    consent.record_forgotten(home, session="gone")
    known = (decisions.read(home), decisions.statuses(home), consent.read_forgotten(home))
    with_two_characters(tmp_path / "decisions.jsonl")
    assert (decisions.read(home), decisions.statuses(home), consent.read_forgotten(home)) == known
    more = Decision(time="2026-01-02T00:00:00Z", id="c", action="promoted", fingerprint="c")
    decisions.append(home, [*made, more])
    assert decisions.read(home) == [*made, more]


def test_rules_of_a_markdown_file(tmp_path: Path) -> None:
    file = tmp_path / "CLAUDE.md"
    file.write_text(RULES, encoding="utf-8")
    before = drafts(str(file))
    with_two_characters(file)
    assert drafts(str(file)) == before
    assert len(before) == 2
