"""A hook index that is damaged, foreign or old: the right answer or none from it, and the right one from the hook."""

import json
import marshal
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from lessons.match.call import ToolCall
from lessons.store import hook_index
from lessons.store.hook_index import UnusableIndex
from tests.builders.index import Entries, by_hook, by_index, by_looking_at_all, command_lesson, entries_of, put
from tests.builders.lessons import lesson
from tests.sizes import size
from tests.tables import table

BYTE_EVERY = size("INDEX_BYTE_EVERY", 17)
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

    def is_harmless(self) -> bool:
        """Whether each call has the right answer or none from the index, and the right one from the hook."""
        for call, expected in zip(CALLS, self.expected, strict=True):
            try:
                if by_index(self.home, call) != expected:
                    return False
            except UnusableIndex:
                pass
        return True

    def hook_agrees(self) -> bool:
        return [by_hook(self.home, call) for call in CALLS] == self.expected


def test_sound_it_is(tmp_path: Path) -> None:
    sound = Sound(tmp_path)
    assert [by_index(sound.home, call) for call in CALLS] == sound.expected
    assert sound.hook_agrees()


@table("change", [0x01, 0x80, 0xFF])
def test_no_changed_byte_changes_an_answer(tmp_path: Path, change: int) -> None:
    sound = Sound(tmp_path)
    wrong = []
    for position in range(change % BYTE_EVERY, len(sound.data), BYTE_EVERY):
        damaged = bytearray(sound.data)
        damaged[position] ^= change
        sound.put(bytes(damaged))
        if not sound.is_harmless():
            wrong.append(position)
    assert wrong == []


def test_the_hook_answers_whatever_byte_is_changed(tmp_path: Path) -> None:
    sound = Sound(tmp_path)
    for position in range(0, len(sound.data), 53):
        damaged = bytearray(sound.data)
        damaged[position] ^= 0xA5
        sound.put(bytes(damaged))
        assert sound.hook_agrees(), position


def test_cut_off_anywhere_it_is_unusable(tmp_path: Path) -> None:
    sound = Sound(tmp_path)
    for length in [*range(60), *range(60, len(sound.data), 41), len(sound.data) - 1]:
        sound.put(sound.data[:length])
        with pytest.raises(UnusableIndex):
            by_index(sound.home, CALLS[0])
    assert sound.hook_agrees()


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


def test_repacking_alone_changes_nothing(tmp_path: Path) -> None:
    sound = Sound(tmp_path)
    sound.put(repacked(sound.data, more="keys"))
    assert [by_index(sound.home, call) for call in CALLS] == sound.expected


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


def test_a_damaged_length_takes_no_memory(tmp_path: Path) -> None:
    """A process with little memory, as in a container, still falls back to the manifest."""
    sound = Sound(tmp_path)
    length = int.from_bytes(sound.data[16:24], "little")
    directory = 32 + length + marshal.loads(sound.data[32 : 32 + length])["directory"]
    damaged = bytearray(sound.data)
    for record in range(len(sound.entries)):
        damaged[directory + 12 * record + 4 : directory + 12 * record + 8] = b"\xff\xff\xff\xff"
    sound.put(bytes(damaged))
    program = (
        "import resource, sys; resource.setrlimit(resource.RLIMIT_AS, (1 << 30, 1 << 30))\n"
        "from lessons.hook.lookup import matching\n"
        "from lessons.match.call import ToolCall\n"
        "print(len(matching(sys.argv[1], 'PreToolUse', ToolCall('Bash', {'command': 'git stash pop'}))[1]))"
    )
    ended = subprocess.run([sys.executable, "-c", program, sound.home], capture_output=True, text=True, timeout=60)
    assert ended.stdout == "3\n"
