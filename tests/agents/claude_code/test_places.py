"""Where transcripts are: every home of the client, conversations only."""

from pathlib import Path

from lessons.agents.claude_code import places
from tests.conftest import SetVariable
from tests.tables import table


@table(
    ("path", "stem"),
    [
        ("/p/-a/s1.jsonl", "s1"),
        ("/p/-a/s1/subagents/agent-a1.jsonl", "agent-a1"),
        ("/p/-a/s1/subagents/workflows/w1/agent-a1.jsonl", "agent-a1"),
        ("/p/-a/agent-a1.jsonl", "agent-a1"),
        ("/p/-a-tool-results-b/s1.jsonl", "s1"),
        ("/p/-a/s.1.jsonl", "s.1"),
    ],
)
def test_names_of_conversations(path: str, stem: str) -> None:
    assert places.stem(path) == stem


def test_all_homes_of_the_client(surroundings: Path, variable: SetVariable) -> None:
    person = surroundings / "person"
    usual = [str(person / ".claude" / "projects"), str(person / ".config" / "claude" / "projects")]
    assert places.roots() == usual, "the folder that the variable names is one of the usual"
    variable("CLAUDE_CONFIG_DIR", str(person / "elsewhere"))
    assert places.roots() == [str(person / "elsewhere" / "projects"), *usual]
    variable("CLAUDE_CONFIG_DIR", "")
    assert places.roots() == usual
    variable("CLAUDE_CONFIG_DIR", "~/mine/")
    assert places.roots() == [str(person / "mine" / "projects"), *usual]
    variable("XDG_CONFIG_HOME", str(person / "xdg"))
    assert usual[0] in places.roots()


def test_a_home_that_is_a_link_is_named_once(surroundings: Path, variable: SetVariable) -> None:
    person = surroundings / "person"
    (person / "real").mkdir()
    (person / ".claude").rmdir()
    (person / ".claude").symlink_to(person / "real")
    variable("CLAUDE_CONFIG_DIR", str(person / "real"))
    assert places.roots().count(str(person / "real" / "projects")) == 1
    assert len(places.roots()) == 2
