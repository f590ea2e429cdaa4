"""The starter pack: taken over whole or in part, once, and never by force."""

from lessons.promote.starter import pack
from tests.cli.command_line import CommandLine, finish
from tests.cli.walking import records


def test_nobody_is_given_lessons_without_saying_so(lessons: CommandLine) -> None:
    told = f"The starter pack has {len(pack())} lessons that you do not have."
    sentence = f"{told} Add --yes to import them, or --list to read them.\n"
    assert lessons.refused("add", "--starter") == sentence
    assert lessons.refused("add", "--starter", "--json") == sentence
    terminal = lessons.terminal("add", "--starter")
    terminal.expect(r"\[n\]one  > ")
    terminal.send("n")
    assert finish(terminal)[0] == 0
    assert records(lessons) == []


def tagged(tag: str) -> list[str]:
    return [str(record["slug"]) for record in pack() if tag in record["tags"]]  # type: ignore[operator]


def test_a_tag_that_no_lesson_has_and_options_that_do_not_go_together(lessons: CommandLine) -> None:
    assert "is tagged tool:gti. Its tags: " in lessons.refused("add", "--starter", "--yes", "--tag", "tool:gti")
    assert "--list needs --starter" in lessons.refused("add", "--list", code=2)
    assert "--list needs --starter" in lessons.refused("add", "--starter", "--list", "--yes", code=2)
    assert "only one of them" in lessons.refused("add", "--starter", "--summary", "x" * 30, code=2)
    assert records(lessons) == []


def test_they_can_be_read_without_importing_any(lessons: CommandLine) -> None:
    rows = [line.split("\t") for line in lessons.ok("add", "--starter", "--list").splitlines()]
    assert [row[0] for row in rows] == [record["slug"] for record in pack()]
    document = lessons.json("add", "--starter", "--list", "--tag", "docker")
    assert [record["slug"] for record in document["lessons"]] == tagged("tool:docker")
    assert records(lessons) == []


def test_a_tag_on_a_terminal(lessons: CommandLine) -> None:
    terminal = lessons.terminal("add", "--starter", "--tag", "docker")
    terminal.expect(r"The starter pack has 4 lessons that you do not have:.*\[n\]one  > ")
    terminal.send("\r")  # nothing is decided by chance
    terminal.expect(r"\[n\]one  > ")
    terminal.send("h")
    assert finish(terminal)[0] == 0
    assert [each["slug"] for each in records(lessons)] == tagged("tool:docker")


def test_what_was_accepted_is_kept_when_a_person_leaves(lessons: CommandLine) -> None:
    terminal = lessons.terminal("add", "--starter")
    terminal.expect(r"\[n\]one  > ")
    terminal.send("c")
    for key in ("y", "n", "h"):
        terminal.expect(r"\[q\]uit choosing  > ")
        terminal.send(key)
    terminal.expect(r"\[q\]uit choosing  > ")
    terminal.send("\x03")
    assert finish(terminal)[0] == 130
    assert [each["slug"] for each in records(lessons)] == [str(pack()[number]["slug"]) for number in (0, 2)]
