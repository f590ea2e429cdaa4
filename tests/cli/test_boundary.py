"""How a verb ends: refused, interrupted, a bug; and characters that the output cannot hold."""

import json
import sys

from tests.builders.home import DataHome
from tests.builders.lessons import lesson
from tests.cli.command_line import CommandLine

# A verb with a fault in it, beside the real ones.
BROKEN = """
import sys, types, click
from lessons.cli import main
broken = types.ModuleType("lessons.cli.broken")
@click.command("broken")
def command():
    {statement}
broken.command = command
sys.modules["lessons.cli.verbs.broken"] = broken
main.VERBS["broken"] = "Fails"
sys.argv = ["lessons", "broken"]
main.main()
"""


def broken(lessons: CommandLine, statement: str) -> tuple[int, str]:
    ended = lessons.run([sys.executable, "-c", BROKEN.format(statement=statement)])
    assert ended.out == ""
    return ended.code, ended.error


def test_a_bug_ends_with_3_and_says_what_to_report(lessons: CommandLine) -> None:
    code, error = broken(lessons, "raise ZeroDivisionError('in a verb')")
    assert code == 3
    assert "ZeroDivisionError: in a verb" in error
    assert error.endswith("This is a bug in lessons. Report the lines above and the command you ran.\n")


def test_an_interruption_ends_with_130(lessons: CommandLine) -> None:
    assert broken(lessons, "raise KeyboardInterrupt") == (130, "Interrupted.\n")


def test_a_file_that_cannot_be_used_is_named(lessons: CommandLine) -> None:
    code, error = broken(lessons, "open('/no/such/file')")
    assert (code, "/no/such/file" in error, "Traceback" in error) == (1, True, False)


def test_text_that_no_terminal_can_show_is_spelled_out(home: DataHome, lessons: CommandLine) -> None:
    home.write(lesson(summary="Half a character \ud83d and nothing after it"))
    assert "\\ud83d" in lessons.ok("list")
    assert lessons.json("list")["lessons"][0]["summary"][17] == "\ud83d"


def test_an_output_without_unicode_gets_escapes(home: DataHome, lessons: CommandLine) -> None:
    home.write(lesson(summary="Grüße an alle, die nur ASCII verstehen"))
    ended = lessons("list", "--json", PYTHONIOENCODING="ascii")
    assert ended.out.isascii()
    assert json.loads(ended.out)["lessons"][0]["summary"].startswith("Grüße")
    ended = lessons("doctor", PYTHONIOENCODING="latin-1")
    assert (ended.code, "-> Run `lessons build`." in ended.out) == (1, True)
