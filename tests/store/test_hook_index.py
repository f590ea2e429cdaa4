"""The hook index finds exactly what a plain look at every lesson finds."""

import json
import marshal
import os
import random
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from lessons.match.call import ToolCall
from lessons.store import hook_index
from lessons.store.hook_index import UnusableIndex
from tests.builders.index import Entries, by_hook, by_index, by_looking_at_all, command_lesson, entries_of, put
from tests.builders.lessons import lesson
from tests.sizes import examples
from tests.tables import table

WORDS = [
    "git", "push", "--force", "npm", "i", "pytest", "Kill", "SS", "ss", "-rf", "日本", "日本語", "é", "É", "ß", "ẞ",
    "İ", "ı", "ſ", "\u212a", "Σ", "ς", "ﬀ", "😀", "ñ", "/", ".py", "=", "0",
]  # fmt: skip
PLAIN = st.sampled_from([word.replace(".", r"\.") for word in WORDS])
LOOSE = st.sampled_from([".*", r"\s+", r"\S+", r"\w", "[a-f]", "[gn]", "[^ ]", r"\b", "^", "$", " ", "(?!x)", "."])
pieces = st.one_of(PLAIN, PLAIN, PLAIN, LOOSE)


def _joined(inner: st.SearchStrategy[str]) -> st.SearchStrategy[str]:
    return st.one_of(
        st.lists(inner, min_size=1, max_size=3).map("".join),
        st.lists(inner, min_size=2, max_size=3).map(lambda each: "(" + "|".join(each) + ")"),
        st.lists(inner, min_size=2, max_size=2).map(lambda each: "(?:" + "|".join(each) + "|)"),
        inner.map(lambda each: f"(?:{each})?"),
        inner.map(lambda each: f"(?={each})"),
        inner.map(lambda each: f"(?<name>{each}){{1,2}}" if "name" not in each else each),
        inner.map(lambda each: f"(?i:{each})"),
    )


bodies = st.recursive(pieces, _joined, max_leaves=5).filter(lambda source: source.count("(?<name>") < 2)
regexes = st.builds(lambda flag, body: flag + body, st.sampled_from(["", "", "(?i)", "(?s)"]), bodies)
GLOBS = ["*.py", "**/src/**", "日本/*.txt", "/shop/**/test_*.py", "*.{js,ts}", "?", "[a-f]*"]
TOOLS = ["Bash", "PowerShell", "Edit", "Write", "mcp__a__b", "Grep", "apply_patch"]


def some(strategy: st.SearchStrategy[str], most: int = 2) -> st.SearchStrategy[list[str]]:
    return st.just([]) | st.lists(strategy, max_size=most)


triggers = st.fixed_dictionaries(
    {
        "toolNames": some(st.sampled_from(TOOLS)),
        "commandPatterns": some(regexes),
        "pathPatterns": some(st.sampled_from(GLOBS), 1),
        "contentPatterns": some(regexes, 1),
        "errorPatterns": some(regexes, 1),
        "unless": some(regexes, 1),
        "matchOn": st.sampled_from([None, "command", "invocation", "script"]),
        "sessionStart": st.sampled_from([False, False, False, False, True]),
    }
)
EFFECTS: list[dict[str, object]] = [{}, {"block": True, "blockReason": "no"}, {"stopOnce": True}]
CASES: list[Callable[[str], str]] = [str, str.upper, str.lower, str.swapcase]


@st.composite
def libraries(draw: st.DrawFn) -> Entries:
    drawn = draw(st.lists(st.tuples(triggers, st.sampled_from(EFFECTS)), min_size=1, max_size=6))
    return entries_of(*(lesson(f"l{number}", triggers=one, **two) for number, (one, two) in enumerate(drawn)))


@st.composite
def texts(draw: st.DrawFn) -> str:
    words = draw(st.lists(st.sampled_from(WORDS) | st.text(max_size=3), min_size=1, max_size=6))
    changed = [draw(st.sampled_from(CASES))(word) for word in words]
    return draw(st.sampled_from(["", " ", "\n", " && ", "'"])).join(changed)


@st.composite
def calls(draw: st.DrawFn) -> ToolCall:
    tool = draw(st.sampled_from([*TOOLS, "Bash", "Bash"]))
    text, path = draw(texts()), draw(st.sampled_from(["/shop/src/test_a.py", "日本/x.txt", "a.ts", "b"]))
    arguments: dict[str, object]
    if tool in ("Bash", "PowerShell"):
        arguments = {"command": text}
    elif tool == "apply_patch":
        added = "\n+".join(text.split("\n"))
        arguments = {"command": f"*** Begin Patch\n*** Add File: {path}\n+{added}\n*** End Patch"}
    else:
        content = draw(st.sampled_from(["content", "new_string", "pattern", "old_string"]))
        arguments = {"file_path": path, content: text, "more": [draw(texts())]}
    return ToolCall(tool, arguments, cwd="/shop", error=draw(st.none() | st.none() | texts()))


@given(libraries(), st.lists(calls(), min_size=1, max_size=5))
@settings(max_examples=examples(150), deadline=None, suppress_health_check=list(HealthCheck))
def test_index_manifest_and_a_plain_look_agree(tmp_path: Path, entries: Entries, made: list[ToolCall]) -> None:
    home = put(tmp_path, entries)
    for call in made:
        expected = by_looking_at_all(entries, call)
        assert by_index(home, call) == expected
        assert by_hook(home, call) == expected
    (tmp_path / "hook-index").unlink()
    for call in made:
        assert by_hook(home, call) == by_looking_at_all(entries, call)
    assert not (tmp_path / "faults.log").exists()


def test_a_table_of_several_reads_misses_no_lesson_of_a_long_line(tmp_path: Path) -> None:
    """A gram that is not in its own slot leads to the next page; the grams after it may be on the page before."""
    words = [f"{number * 2654435761 % 2**32:08x}" for number in range(2_000)]
    entries = entries_of(*(command_lesson(word, word) for word in words))
    home = put(tmp_path, entries)
    identifiers = {entry["slug"]: identifier for identifier, entry in entries.items()}
    chance = random.Random(7)
    for _ in range(100):
        some = chance.sample(words, 60)
        found = {identifier for identifier, _ in by_index(home, ToolCall("Bash", {"command": " ".join(some)}))}
        assert {identifiers[word] for word in some} <= found


@table(
    ("triggers", "call"),
    [
        ({"contentPatterns": [r"^\s*$"]}, ToolCall("Write", {"file_path": "/a", "content": ""})),
        ({"contentPatterns": [r"\A\Z"]}, ToolCall("Edit", {"file_path": "/a", "new_string": ""})),
        ({"commandPatterns": ["^$"]}, ToolCall("Bash", {"command": ""})),
    ],
)
def test_empty_texts_are_looked_at(tmp_path: Path, triggers: dict[str, object], call: ToolCall) -> None:
    entries = entries_of(lesson(triggers=triggers))
    assert by_index(put(tmp_path, entries), call) == by_looking_at_all(entries, call) != set()


@table("pattern", [r"\x00\x00", r"\x00\x00\x00\x00"])
def test_zero_bytes_are_found(tmp_path: Path, pattern: str) -> None:
    entries = entries_of(command_lesson("zeros", pattern), *(command_lesson(f"l{n}", f"word{n}") for n in range(9)))
    home = put(tmp_path, entries)
    for command in ("a\0\0\0\0b", "word1", "ls"):
        call = ToolCall("Bash", {"command": command})
        assert by_index(home, call) == by_looking_at_all(entries, call)


CALLS = [
    ToolCall("Bash", {"command": "git stash pop"}),
    ToolCall("Bash", {"command": "npm ci && git push --force"}),
    ToolCall("Edit", {"file_path": "/shop/a.py", "new_string": "print(1)"}),
    ToolCall("mcp__a__b", {"text": "urgent"}),
    ToolCall("Bash", {"command": "ls"}, error="zsh: no matches found"),
    ToolCall("Bash", {"command": "nothing to see"}),
]


def mixed_entries() -> Entries:
    return entries_of(
        command_lesson("stash", r"git\s+stash", "git stash"),
        command_lesson("npm", r"npm (ci|install)\b", "git (push|pull)"),
        command_lesson("git", "(?i)GIT "),
        command_lesson("always", "^(ls|np)?"),
        lesson("paths", triggers={"pathPatterns": ["*.py"], "contentPatterns": ["print"]}),
        lesson("errors", triggers={"errorPatterns": ["no matches found"]}),
        lesson("server", triggers={"toolNames": ["mcp__a__b"], "commandPatterns": ["urgent"]}),
        lesson("tool", triggers={"toolNames": ["mcp__a__b"]}),
    )


class Sound:
    """An index that is in order, and what must come out of it."""

    def __init__(self, folder: Path) -> None:
        self.entries = mixed_entries()
        self.home = put(folder, self.entries)
        self.file = folder / "hook-index"
        self.data = self.file.read_bytes()
        self.expected = [by_looking_at_all(self.entries, call) for call in CALLS]
        assert [len(fired) for fired in self.expected] == [3, 3, 1, 2, 1, 1]

    def put(self, data: bytes) -> None:
        self.file.write_bytes(data)

    def hook_agrees(self) -> bool:
        return [by_hook(self.home, call) for call in CALLS] == self.expected


def repacked(data: bytes, **changes: object) -> bytes:
    """The same index with another head, sound in itself."""
    length = int.from_bytes(data[16:24], "little")
    head = marshal.dumps({**marshal.loads(data[32 : 32 + length]), **changes})
    sums = len(head).to_bytes(8, "little") + hook_index.checksum(head).to_bytes(8, "little")
    return data[:16] + sums + head + data[32 + length :]


STAMP = hook_index.stamp()
FOREIGN: dict[str, Callable[[bytes], bytes]] = {
    "longer": lambda data: data + b"\0",
    "twice": lambda data: data * 2,
    "magic": lambda data: data.replace(b"lessons index 3\n", b"lessons index 1\n"),
    "text": lambda data: b'{"lessons": {}}' * 10,
    "zeros": lambda data: bytes(len(data)),
    "version": lambda data: repacked(data, stamp=("0.0.0", *STAMP[1:])),
    "python": lambda data: repacked(data, stamp=(STAMP[0], 0x030C00F0, *STAMP[2:])),
    "regex": lambda data: repacked(data, regexes=(1, 4)),
    "manifest": lambda data: repacked(data, manifest=(1, 1)),
    "endless": lambda data: data[:16] + b"\xff" * 8 + data[24:],
}


@table("name", FOREIGN)
def test_what_is_not_this_index_is_unusable(tmp_path: Path, name: str) -> None:
    sound = Sound(tmp_path)
    sound.put(FOREIGN[name](sound.data))
    with pytest.raises(UnusableIndex):
        by_index(sound.home, CALLS[0])
    assert sound.hook_agrees()


def test_missing_or_a_folder_it_is_unusable(tmp_path: Path) -> None:
    sound = Sound(tmp_path)
    sound.file.unlink()
    assert sound.hook_agrees()
    sound.file.mkdir()
    assert sound.hook_agrees()
    with pytest.raises(UnusableIndex):
        by_index(sound.home, CALLS[0])


def test_older_than_the_manifest_it_is_unusable(tmp_path: Path) -> None:
    sound = Sound(tmp_path)
    path = tmp_path / "lesson-manifest.json"
    status = path.stat()
    os.utime(path, ns=(status.st_atime_ns, status.st_mtime_ns + 1))
    with pytest.raises(UnusableIndex):
        by_index(sound.home, CALLS[0])
    assert sound.hook_agrees()


def test_an_edited_manifest_counts_at_once(tmp_path: Path) -> None:
    sound = Sound(tmp_path)
    path = tmp_path / "lesson-manifest.json"
    document = json.loads(path.read_text())
    document["lessons"] = {"id-stash": document["lessons"]["id-stash"]}
    path.write_text(json.dumps(document))
    assert [len(by_hook(sound.home, call)) for call in CALLS] == [1, 0, 0, 0, 0, 0]
