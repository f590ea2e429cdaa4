"""`lessons import`: line by line what was taken, what was refused and why, and what was there already."""

import json
import os
from pathlib import Path

import pytest

from tests.builders.home import DataHome
from tests.builders.learned import database, manifest, row
from tests.cli.command_line import COLUMNS, CommandLine, widest

REPORT = """\
taken          m.json, lesson 01GUARD (runner-waits-ab12): it blocks the call there; here it is a hint until your history supports a block
taken          m.json, lesson 01PATH (lock-files-cd34)
taken          m.json, lesson 01START (answer-in-kind-ef56)
refused        m.json, lesson 01SCOPED (of-one-author-gh78): it is for one project ("Users-somebody-shop"), whose folder it does not name.
refused        m.json, lesson 01OFF (switched-off): it is disabled there.
refused        m.json, lesson 01SLOW (slow-pattern): triggers.commandPatterns "^(a+)+$" is left out: It takes more than 50 ms on a text with 'a' over and over.
refused        m.json, lesson 01THIN (thin): summary is "thin": write at least 20 characters. problem is "a": write at least 20 characters. solution is "b": write at least 20 characters.
refused        m.json, lesson 01NONE (lesson 01NONE): it is 7 and not a record.
"""  # noqa: E501


def test_what_cannot_be_imported_is_one_sentence(lessons: CommandLine) -> None:
    (lessons.work / "x.txt").write_text("x")
    (lessons.work / "x.json").write_text("{")
    os.mkfifo(lessons.work / "pipe.md")
    assert "No nowhere" in lessons.refused("import", "nowhere")
    assert "add --format" in lessons.refused("import", "x.txt")
    assert "x.json is not JSON (line 1, column 2" in lessons.refused("import", "x.json")
    assert "not a regular file" in lessons.refused("import", "pipe.md")
    assert "FILE|DIR" in lessons.refused("import", code=2)
    assert not (lessons.home / "history.db").exists()


def test_the_lessons_of_another_system_line_by_line(lessons: CommandLine) -> None:
    file = manifest(lessons.work / "m.json")
    before = file.read_bytes()
    ended = lessons("import", "m.json")
    assert (ended.code, ended.out) == (0, REPORT)
    assert ended.error.splitlines() == [
        "3 taken, 5 refused, 0 already there.",
        "Next: `lessons review`. Nothing fires before you promote it.",
    ]
    again = lessons("import", "m.json")
    assert again.out.count("already there  m.json") == 3
    assert again.error == "0 taken, 5 refused, 3 already there.\n"
    assert file.read_bytes() == before
    assert len(lessons.json("candidates")["candidates"]) == 3
    assert lessons.json("list")["lessons"] == []


def test_the_same_from_the_database(lessons: CommandLine) -> None:
    database(lessons.work / "lessons.db", row(), row("old", status="archived", archiveReason="was never needed"))
    document = lessons.json("import", "lessons.db")
    assert (document["taken"], document["refused"], document["alreadyThere"], document["dryRun"]) == (1, 1, 0, False)
    assert [(line["result"], line["place"], line["name"], line["reason"]) for line in document["lines"]] == [
        ("taken", "row 1", "lock-files-cd34", ""),
        ("refused", "row 2", "old", "it is archived there (was never needed)."),
    ]
    [candidate] = lessons.json("candidates")["candidates"]
    assert candidate["fingerprint"] == document["lines"][0]["fingerprint"]


def test_a_dry_run_stores_nothing(home: DataHome, lessons: CommandLine) -> None:
    manifest(lessons.work / "m.json")
    before = sorted(home.folder.rglob("*"))
    ended = lessons("import", "m.json", "--dry-run")
    assert ended.out == REPORT
    assert ended.error == "3 taken, 5 refused, 0 already there. Nothing was stored: this was a dry run.\n"
    assert sorted(home.folder.rglob("*")) == before


def test_a_section_of_a_file_for_agents(lessons: CommandLine) -> None:
    notes = (
        "# Shop\n## House\n- Wipe your feet before you come in, always.\n## Rules\n- Use pnpm for everything here.\n"
    )
    (lessons.work / "CLAUDE.md").write_text(notes)
    assert lessons.json("import", "CLAUDE.md")["lines"][0]["place"] == "line 5"
    assert lessons.json("import", ".", "--section", "house")["lines"][0]["place"] == "line 3"
    assert "its headings are Shop, House, Rules" in lessons.refused("import", "CLAUDE.md", "--section", "x")
    (lessons.work / "CLAUDE.md").write_text("nothing")
    ended = lessons("import", "CLAUDE.md")
    assert (ended.code, ended.out) == (1, "")
    assert "--section" in ended.error


def test_where_all_is_refused_the_exit_code_says_so(lessons: CommandLine) -> None:
    (lessons.work / "l.json").write_text(json.dumps([{"slug": "a"}]))
    assert lessons("import", "l.json").code == 1


@pytest.mark.parametrize("name", ["m\x1b[31m.json", "m.json"])
def test_no_name_steers_the_terminal(name: str, lessons: CommandLine) -> None:
    (lessons.work / name).write_text(json.dumps([{"slug": "\x1b]0;x\x07", "problem": "\x1b[2J", "solution": "x"}]))
    assert not any("\x1b" in line or "\x07" in line for line in lessons.screen("import", name))


def test_a_narrow_terminal(lessons: CommandLine) -> None:
    manifest(lessons.work / "m.json")
    assert widest(lessons.screen("import", "m.json")) <= COLUMNS


def test_an_import_can_be_seen_and_told_from_what_was_mined(lessons: CommandLine) -> None:
    database(lessons.work / "lessons.db", row())
    lessons("import", "lessons.db")
    heading = lessons.screen("candidates")[0]
    assert heading == "  1  import  from lessons.db, row 1"
    assert Path(lessons.json("candidates")["candidates"][0]["source"]).name == "lessons.db, row 1"
