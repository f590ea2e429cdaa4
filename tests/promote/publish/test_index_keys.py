"""Keys of the hook index: whatever fires on a text can be found by one of them, and rare ones are chosen."""

import re

from hypothesis import given, settings
from hypothesis import strategies as st

from lessons.match.call import fold
from lessons.model import lesson_from_document
from lessons.promote.publish.entry import entry_of
from lessons.promote.publish.index import Keys, indexed, keys_of, literals_of
from lessons.store.hook_index import grams_of
from tests.builders.lessons import lesson
from tests.sizes import examples
from tests.tables import table


def entry(**triggers: object) -> dict[str, object]:
    return entry_of(lesson_from_document(lesson(triggers=triggers)), lambda source, flags: None).entry


def keys(**triggers: object) -> Keys:
    return keys_of([indexed("id", entry(**triggers))])[0]


def grams(text: str) -> set[int]:
    return grams_of(fold(text).encode("utf-8", "surrogatepass"), True)


@table(
    "triggers",
    [
        {"commandPatterns": ["."]},
        {"commandPatterns": [r"\w+"]},
        {"commandPatterns": ["git stash", "x"]},
        {"commandPatterns": ["git stash|x"]},
        {"commandPatterns": ["(git stash)?"]},
        {"commandPatterns": ["git stash"], "errorPatterns": ["."]},
        {"toolNames": ["Bash"]},
        {"sessionStart": True},
    ],
)
def test_no_literal_is_promised_where_there_is_none(triggers: dict[str, object]) -> None:
    assert literals_of(entry(**triggers)) is None


@table(
    ("triggers", "literals"),
    [
        ({"commandPatterns": ["git stash"]}, ["git stash"]),
        ({"commandPatterns": ["(?i)GIT Stash"]}, ["git stash"]),
        ({"commandPatterns": ["git stash", "npm (ci|install)"]}, ["git stash", "npm "]),
        ({"commandPatterns": ["git stash"], "errorPatterns": ["no matches"]}, ["git stash", "no matches"]),
        # A path pattern beside content patterns is a gate: the content must be there in any case.
        ({"pathPatterns": ["*.py"], "contentPatterns": ["print"]}, ["print"]),
        ({"pathPatterns": ["*.py"]}, [".py"]),
        ({"commandPatterns": ["git stash"], "unless": ["."]}, ["git stash"]),
    ],
)
def test_one_of_these_is_in_every_call_it_fires_on(triggers: dict[str, object], literals: list[str]) -> None:
    found = literals_of(entry(**triggers))
    assert found is not None
    assert all(any(expected in literal or literal in expected for literal in found) for expected in literals)


def test_kinds_of_text_have_keys_of_their_own() -> None:
    assert set(keys(commandPatterns=["git stash"])) == {"command"}
    assert set(keys(commandPatterns=["git stash"], toolNames=["Bash"])) == {"command"}
    assert set(keys(commandPatterns=["git stash"], toolNames=["PowerShell", "shell"])) == {"command"}
    assert set(keys(commandPatterns=["urgent"], toolNames=["mcp__a__b"])) == {"command", "strings"}
    assert set(keys(pathPatterns=["*.py"])) == {"path"}
    assert set(keys(pathPatterns=["*.py"], contentPatterns=["print"])) == {"content"}
    assert set(keys(errorPatterns=["no matches"])) == {"error"}
    assert set(keys(commandPatterns=["git stash"], errorPatterns=["."])) == {"command", "error"}


def test_tool_names_alone_are_found_by_the_name() -> None:
    assert indexed("id", entry(toolNames=["WebFetch", "bash"])).tools == ("WebFetch", "bash", "Bash")
    assert keys(toolNames=["Bash"], errorPatterns=["no matches"]).keys() == {"error"}
    assert indexed("id", entry(toolNames=["Bash"], sessionStart=True)).tools == ()
    assert keys(sessionStart=True) == {}


def test_what_has_no_literal_is_always_looked_at() -> None:
    assert keys(commandPatterns=["git stash", "."]) == {"command": None}
    assert keys(commandPatterns=["x"]) == {"command": None}


def test_one_key_is_enough_for_one_literal() -> None:
    found = keys(commandPatterns=["git stash"])["command"]
    assert found is not None
    assert len(found) == 1
    assert found <= grams("sudo GIT STASH pop")
    assert not found & grams("npm install")


def test_the_rarest_key_is_chosen() -> None:
    """All say `git `, so that would find all of them at every git command."""
    commands = ["stash", "push", "commit", "rebase", "bisect"]
    entries = [indexed(command, entry(commandPatterns=[f"git {command}"])) for command in commands]
    for command, by_kind in zip(commands, keys_of(entries), strict=True):
        found = by_kind["command"]
        assert found is not None
        assert not found & grams("git log --oneline")
        assert found <= grams(f"git {command} --now")


def test_short_literals_have_keys_of_two_bytes() -> None:
    found = keys(commandPatterns=["rm"])["command"]
    assert found is not None
    assert all(gram < 65536 for gram in found)
    assert found & grams("x rm y")
    assert found & grams("RM")
    assert not found & grams_of(b"x rm y", False)


words = st.sampled_from(
    ["git", "rm", "日本", "Kill", "ſs", "é", "-f", "  ", "İx", "(?i)SS", "a.b", "\\d\\d", "x|yz", "q?w"]
)


@given(
    st.lists(words, min_size=1, max_size=3).map("".join).filter(lambda text: "(?i)" not in text[1:]),
    st.lists(st.sampled_from(["git", "RM", "日本", "kill", "SS", "ſS", "É", "-F", "ix", "İX", "a-b", "12", "yz", "W"])),
)
@settings(max_examples=examples(150), deadline=None)
def test_a_text_that_matches_has_one_of_the_keys(pattern: str, parts: list[str]) -> None:
    text = "  ".join(parts) + "".join(parts)
    by_kind = keys(commandPatterns=[pattern])
    if re.search(pattern, text) and by_kind["command"] is not None:
        assert by_kind["command"] & grams(text)


@given(st.binary(max_size=40), st.booleans())
@settings(max_examples=examples(100), deadline=None)
def test_grams_are_all_runs_of_the_data(data: bytes, with_pairs: bool) -> None:
    found = grams_of(data, with_pairs)
    sizes = (2, 4) if with_pairs else (4,)
    runs = {
        memoryview(data[at : at + size]).cast("I" if size == 4 else "H")[0]
        for size in sizes
        for at in range(len(data) - size + 1)
    }
    assert runs <= found
