"""What runs on Windows: PowerShell, cmd and programs with a suffix. First what runs nothing."""

from hypothesis import given
from hypothesis import strategies as st

from lessons.match.call import ToolCall
from lessons.shell.command import POWERSHELL
from lessons.shell.split import invocations
from tests.tables import table


def runs(command: str, dialect: str = "") -> bool:
    return any(text.startswith("git push") for texts in invocations(command, dialect) for text in texts)


def test_the_tool_says_how_its_line_is_written() -> None:
    line = {"command": "$x = git `\n  push"}
    assert ["git push"] in ToolCall("PowerShell", line).invocations()
    assert ["git push"] in ToolCall("powershell", line).invocations()
    assert ["git push"] not in ToolCall("Bash", line).invocations()


PIECES = [
    *"git push ; | & && ( ) { } @{ @( $( $x = # <# #> ' ` > 2>&1 *> .".split(),
    *(" ", " ", "\n", " = ", '"', "@'\n", "\n'@", '@"\n', '\n"@', "if ", "foreach ", " in "),
    *("cmd /c ", "pwsh -c ", "\r\n", "\0", "[int]", ",", "\\"),
]


@given(st.text() | st.lists(st.sampled_from(PIECES), max_size=40).map("".join))
def test_no_script_raises_and_every_text_is_one_line(script: str) -> None:
    for texts in invocations(script, POWERSHELL):
        assert texts
        for text in texts:
            assert text.strip(" ") and "\n" not in text and "\t" not in text


@table("unit", ["a", "a ", "{", "(", "$(", '"', "'", "`", "@'\n", '"$(', "a;", "if ", "$x = ", "& "])
def test_a_huge_script_gives_a_bounded_answer(unit: str) -> None:
    found = invocations(unit * (1_000_000 // len(unit)), POWERSHELL)
    assert sum(len(text) for texts in found for text in texts) < 3_000_000
