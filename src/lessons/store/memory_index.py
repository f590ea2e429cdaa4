"""The file `memory-index`: what failed before, looked up at a call and at an error; mistakes/remember.py writes it.

Layout: a prefix (magic, length of the head, its checksum), the head (marshalled dictionary), an open-addressing table
from keys to blocks, the blocks. A key stands for a feature, a word of an error or a folder. A block is a row of 32-bit
numbers, or a marshalled record. Only the slots and blocks that are looked at are read. The file is derived: whatever
is wrong with it, nothing is recalled until the next scan makes it again.
"""

import marshal
import sys

from lessons.paths import memory_index_file
from lessons.store.hook_index import checksum
from lessons.system import O_BINARY, read_at, system

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

MAGIC = b"lessons memory 4"
PREFIX_LENGTH = 32
SLOT_LENGTH = 16  # key, offset of the block in units of four bytes, check of both
BLOCK_HEAD = 8  # length in bytes, checksum
_PRIME = (1 << 61) - 1
_SPREAD = 0x9E3779B97F4A7C15
_SLOTS_AT_ONCE = 4
_EMPTY = bytes(8)  # where no key is
_LARGEST_BLOCK = 1 << 20
_DEEPEST_FOLDER, _LONGEST_FOLDER = 40, 4096
_EVERYWHERE = 0  # the number of the machine among the projects


def remove(home: str) -> None:
    """Deletes the index; the next scan makes it again."""
    try:
        system.unlink(memory_index_file(home))
    except FileNotFoundError:
        pass


class UnusableMemory(Exception):
    """The index cannot be used; nothing is recalled."""


def key_of(text: str, project: int = _EVERYWHERE) -> int:
    """Returns a number below 2**61 that stands for a text in a project, the same on every machine and never 0."""
    number = int.from_bytes(text.encode("utf-8", "surrogatepass") + b"\1", "little")
    return 1 + (number + project * _SPREAD) % (_PRIME - 1)


def slot_of(key: int, slots: int) -> int:
    """Returns where the search for a key begins."""
    return (key * _SPREAD & 0xFFFFFFFFFFFFFFFF) * slots >> 64


def slot_check(key: int, offset: int) -> int:
    return (key * 31 + offset * 17 + 1) & 0xFFFFFFFF


class MemoryIndex:
    """An open index, verified so far as it has been read."""

    _file = -1

    def __init__(self, path: str) -> None:
        try:
            self._file = system.open(path, system.O_RDONLY | O_BINARY)
            status = system.fstat(self._file)
        except OSError as fault:
            raise UnusableMemory("missing or unreadable") from fault
        self._size = status.st_size
        if hasattr(system, "getuid") and (status.st_uid != system.getuid() or status.st_mode & 0o022):
            raise UnusableMemory("not yours alone")
        prefix = self._read(0, PREFIX_LENGTH)
        length = int.from_bytes(prefix[16:24], "little")
        if prefix[:16] != MAGIC or length > _LARGEST_BLOCK:
            raise UnusableMemory("written by another version")
        head = self._read(PREFIX_LENGTH, length)
        if checksum(head) != int.from_bytes(prefix[24:32], "little"):
            raise UnusableMemory("damaged")
        self.head: dict[str, Any] = marshal.loads(head)
        if not isinstance(self.head, dict) or self.head.get("byteorder") != sys.byteorder:
            raise UnusableMemory("written for another machine")
        self._table = PREFIX_LENGTH + length
        self._slots: int = self.head["slots"]
        self._blocks = self._table + SLOT_LENGTH * self._slots

    def __del__(self) -> None:
        if self._file >= 0:
            system.close(self._file)

    def project_of(self, folder: str, root_of: "Callable[[str], str]") -> int:
        """Returns the number of the project of a folder, or of the nearest folder above it in the same project.

        `root_of` finds the root of an unknown folder's project: above it are other people's. 0 if that is unknown too.
        """
        folder, root = folder.replace("\\", "/").rstrip("/"), ""
        for _ in range(_DEEPEST_FOLDER):
            if not folder or len(folder) > _LONGEST_FOLDER:
                break
            found = self.numbers(key_of(f"folder {folder}"))
            if found:
                return found[0]
            root = root or root_of(folder)
            if not root or folder == root:
                break
            folder = folder.rpartition("/")[0]
        return _EVERYWHERE

    def numbers(self, key: int) -> "memoryview[int] | None":
        """Returns the numbers stored for a key; None if there are none."""
        slot, wanted = slot_of(key, self._slots), key.to_bytes(8, sys.byteorder)
        for _ in range(self._slots):
            length = min(_SLOTS_AT_ONCE, self._slots - slot)
            data = self._read(self._table + SLOT_LENGTH * slot, SLOT_LENGTH * length)
            for at in range(0, len(data), SLOT_LENGTH):
                found = data[at : at + 8]
                if found == wanted:
                    offset = int.from_bytes(data[at + 8 : at + 12], sys.byteorder)
                    if int.from_bytes(data[at + 12 : at + 16], sys.byteorder) != slot_check(key, offset):
                        raise UnusableMemory("damaged")
                    return memoryview(self._block(offset)).cast("I")
                if found == _EMPTY:
                    return None
            slot = (slot + length) % self._slots
        return None

    def record(self, number: int) -> "Any":
        """Returns what is remembered about a failure."""
        directory = self._blocks + int(self.head["directory"]) + 4 * number
        return marshal.loads(self._block(int.from_bytes(self._read(directory, 4), sys.byteorder)))

    def _block(self, offset: int) -> bytes:
        start = self._blocks + 4 * offset
        head = self._read(start, BLOCK_HEAD)
        length = int.from_bytes(head[:4], sys.byteorder)
        if length > _LARGEST_BLOCK:
            raise UnusableMemory("damaged")
        data = self._read(start + BLOCK_HEAD, length)
        if checksum(data) != int.from_bytes(head[4:], sys.byteorder):
            raise UnusableMemory("damaged")
        return data

    def _read(self, offset: int, length: int) -> bytes:
        try:
            data = read_at(self._file, length, offset) if offset + length <= self._size else b""
        except OSError as fault:
            raise UnusableMemory("unreadable") from fault
        if len(data) != length:
            raise UnusableMemory("cut off")
        return data
