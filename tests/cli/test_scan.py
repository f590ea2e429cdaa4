"""`lessons scan`: the background scan finds a verb that answers; a person is told that there is nothing yet."""

from tests.cli.command_line import CommandLine


def test_it_says_so(lessons: CommandLine) -> None:
    sentence = "This version does not read transcripts yet: write lessons with `lessons add`.\n"
    assert lessons.refused("scan") == sentence
    assert lessons.ok("scan", "--auto") == ""
