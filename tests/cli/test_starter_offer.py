"""The starter pack: taken over whole or in part, once, and never by force."""

import json

from lessons.promote.starter import pack
from tests.cli.command_line import CommandLine, finish


def stored(lessons: CommandLine) -> list[str]:
    file = lessons.home / "lessons.json"
    records = json.loads(file.read_text(encoding="utf-8"))["lessons"] if file.exists() else []
    return [record["slug"] for record in records]


def test_nobody_is_given_lessons_without_saying_so(lessons: CommandLine) -> None:
    sentence = f"The starter pack has {len(pack())} lessons that you do not have. Add --yes to import them.\n"
    assert lessons.refused("add", "--starter") == sentence
    assert lessons.refused("add", "--starter", "--json") == sentence
    terminal = lessons.terminal("add", "--starter")
    terminal.expect("Import all")
    terminal.sendline("none")
    assert finish(terminal)[0] == 0
    assert stored(lessons) == []


def test_all_of_them_and_not_again(lessons: CommandLine) -> None:
    document = lessons.json("add", "--starter", "--yes")
    assert len(document["lessons"]) == len(pack()) == len(stored(lessons))
    assert lessons.ok("add", "--starter", "--yes") == "You already have every lesson of the starter pack.\n"
    assert lessons.json("add", "--starter", "--yes") == {"lessons": []}
    assert len(stored(lessons)) == len(pack())


def test_one_that_was_archived_is_not_offered_again(lessons: CommandLine) -> None:
    lessons.ok("add", "--starter", "--yes")
    lessons.ok("archive", stored(lessons)[0])
    assert lessons.json("add", "--starter", "--yes") == {"lessons": []}


def test_one_by_one(lessons: CommandLine) -> None:
    terminal = lessons.terminal("add", "--starter")
    terminal.expect("Import all")
    terminal.sendline("choose")
    for number in range(len(pack())):
        terminal.expect(r"\? \[Y/n\]: ")
        terminal.sendline("y" if number == 1 else "n")
    code, lines = finish(terminal)
    assert (code, lines[-1]) == (0, "Imported 1 lessons of the starter pack. `lessons list` lists them.")
    assert stored(lessons) == [str(pack()[1]["slug"])]
