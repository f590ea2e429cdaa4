"""The file `hook-index`: finds the few lessons that can fire on a call; promote/publish/index.py writes it.

Layout: a prefix (magic, length and checksum of the head), the head (marshalled dictionary), one table per kind
of text, the lesson directory, the lesson records. A table is an open-addressing hash from grams (2 or 4 bytes
that a text must contain for a lesson to fire) to lesson numbers, read in place without being parsed. Every part
is checked before it is used (head and records by a checksum, each slot of a table by a word of its own, so that
only the slots that are looked at cost anything); anything unexpected is `UnusableIndex`, and the caller reads the
manifest instead.
"""

import marshal
import sys

from lessons import __version__
from lessons.match.call import fold
from lessons.paths import manifest_file
from lessons.shell.global_options import forms, may_have_options
from lessons.system import O_BINARY, read_at, system

TYPE_CHECKING = False
if TYPE_CHECKING:
    import re
    from typing import Any

    from lessons.match.call import ToolCall
    from lessons.store.manifest import PublishedLesson

    # offset, slots, whether there are grams of two bytes, checksum of the whole
    Table = tuple[int, int, bool, int]

_NOT_PLAIN = "'\"\\`$<>(){}^\t\n\r\v\f"  # a caret escapes where `cmd` reads it
# Where these are, a program may be named another way than it is shown.
_OTHER_NAMES = (".exe", ".cmd", ".bat", ".com", "pwsh", "powershell", "--entrypoint")
MAGIC = b"lessons index 3\n"
PREFIX_LENGTH = 32
# A prime below 2**30: CPython takes the remainder in one pass over the digits, with nothing imported.
_CHECK_PRIME = 1073741789
# From this length on a text has more grams than a table has slots.
_LONG_TEXT = 1 << 17
# A value from here on is the number of a record that lists lessons, below it the number of a lesson.
SEVERAL = 0x80000000
# Grams of similar texts are similar numbers: spread them over the table.
SPREAD = 0x9E3779B1


def manifest_stamp(home: str) -> tuple[int, int] | None:
    """Size and time of the manifest, by which an index knows that it still belongs to it; None: no manifest."""
    return stamp_of(manifest_file(home))


def stamp_of(path: str) -> tuple[int, int] | None:
    try:
        status = system.stat(path)
    except OSError:
        return None
    return status.st_size, status.st_mtime_ns


class UnusableIndex(Exception):
    """The index cannot be used; the manifest says the same, more slowly."""


def stamp() -> tuple[object, ...]:
    """What must be equal between the writer and the reader; the version of the regex code is looked at with a regex."""
    return (__version__, sys.hexversion, sys.byteorder)


def regex_stamp() -> tuple[int, int]:
    import _sre  # type: ignore[import-not-found]

    return (_sre.MAGIC, _sre.CODESIZE)


def checksum(data: bytes) -> int:
    """Never zero, so that a page of zeros, which is what a crash leaves, is not taken for an empty part."""
    return 1 + int.from_bytes(data + b"\1", "little") % _CHECK_PRIME


def grams_of(data: bytes, with_pairs: bool) -> set[int]:
    """Every run of four bytes (and of two, if asked) in the data, as the machine's own integers."""
    # Whole groups of four and three bytes more, so that each of the four alignments reads to the very end.
    size = max(4, (len(data) + 3) // 4 * 4)
    padded = memoryview(data + b"\0" * (size + 3 - len(data)))
    found: set[int] = set()
    for shift in (0, 1, 2, 3):
        found.update(padded[shift : shift + size].cast("I"))
    if with_pairs:
        for shift in (0, 1):
            found.update(padded[shift : shift + size].cast("H"))
    return found


def is_plain(command: str) -> bool:
    """Whether all the text of the invocations stands in the line as it is, so that it need not be taken apart.

    Quotes, escapes, substitutions and unusual white space are what makes them differ, and redirections and tests,
    whose parts are set apart by spaces, options that stand before the sub-command, and ways to name a program.
    """
    # The one redirection that is everywhere, where it stands last in its command.
    rest = command.replace(" 2>&1 | ", "").replace(" 2>&1 && ", "").removesuffix(" 2>&1")
    if "  " in command or "[[" in command or any(character in rest for character in _NOT_PLAIN):
        return False
    lowered = command.lower()
    return not any(name in lowered for name in _OTHER_NAMES) and not may_have_options(command)


def texts_of(call: "ToolCall") -> dict[str, tuple[str, ...]]:
    if call.error is not None:
        return {"error": (call.error,)}
    found: dict[str, tuple[str, ...]] = {}
    if call.command is not None:
        # Triggers look at the raw line, at its invocations or at code in it: one table serves all.
        found["command"] = (call.command, *([] if not call.dialect and is_plain(call.command) else _apart(call)))
    strings = call.strings
    if strings:
        found["strings"] = strings
    if call.paths:
        found["path"] = call.paths
    if call.content is not None:
        found["content"] = (call.content,)
    return found


def _apart(call: "ToolCall") -> list[str]:
    """What stands in the line another way; code, which may be long, only where it does."""
    texts = [form for texts in call.invocations() for text in texts for form in forms(text)]
    return texts + [code for code in call.scripts() if code not in (call.command or "")]


class HookIndex:
    """An open index, verified so far as it has been read."""

    _file = -1

    def __del__(self) -> None:
        # The hook leaves without this; the command line and the tests go on.
        if self._file >= 0:
            system.close(self._file)

    def __init__(self, path: str, manifest: tuple[int, int]) -> None:
        try:
            self._file = system.open(path, system.O_RDONLY | O_BINARY)
        except OSError as fault:
            raise UnusableIndex("missing or unreadable") from fault
        status = system.fstat(self._file)
        self._size = status.st_size
        if hasattr(system, "getuid") and (status.st_uid != system.getuid() or status.st_mode & 0o022):
            raise UnusableIndex("not yours alone")
        prefix = self._read(0, PREFIX_LENGTH)
        if prefix[:16] != MAGIC:
            raise UnusableIndex("written by another version")
        length = int.from_bytes(prefix[16:24], "little")
        head = self._checked(PREFIX_LENGTH, length, int.from_bytes(prefix[24:32], "little"))
        try:
            self.head = marshal.loads(head)
            expected = PREFIX_LENGTH + length + self.head["bodyLength"]
            writer, belongs_to = self.head["stamp"], self.head["manifest"]
        except (ValueError, EOFError, TypeError, KeyError) as fault:
            raise UnusableIndex("damaged") from fault
        if writer != stamp():
            raise UnusableIndex("written for another interpreter")
        if belongs_to != manifest:
            raise UnusableIndex("older than the manifest")
        if self._size != expected:
            raise UnusableIndex("cut off")
        self._body = PREFIX_LENGTH + length
        self._records: dict[int, Any] = {}

    @property
    def config(self) -> dict[str, object]:
        config: dict[str, object] = self.head["config"]
        return config

    def possible_matches(self, call: "ToolCall") -> list[int]:
        """The numbers of the lessons that may fire on this call; all others certainly do not."""
        found: set[int] = set()
        for name in () if call.error is not None else call.names:
            found.update(self.head["tools"].get(name, ()))
        folded = {kind: fold("\n".join(texts)) for kind, texts in texts_of(call).items()}
        for kind, text in folded.items():
            found.update(self.head["always"].get(kind, ()))
            if kind in self.head["tables"]:
                self._look_up(self.head["tables"][kind], text, found)
        return [number for number in sorted(found) if self._may_fire(number, folded)]

    def _may_fire(self, number: int, folded: dict[str, str]) -> bool:
        """A gram may be there by chance: whether all that some pattern needs is there too.

        `needs` tells for each kind of text and each pattern sets of literals, of each of which one must be there.
        """
        needs = self._record(number)[1]
        if not needs:
            return True
        return any(
            all(any(literal in folded[kind] for literal in literals) for literals in sets)
            for kind, patterns in needs.items()
            if kind in folded
            for sets in patterns
        )

    def check(self) -> None:
        """Reads everything there is; raises UnusableIndex where any of it is damaged."""
        for offset, slots, _, expected in self.head["tables"].values():
            self._checked(self._body + offset, 12 * slots, expected)
        for number in range(self.head["lessons"]):
            self.lesson(number)

    def session_start(self) -> list[int]:
        return list(self.head["sessionStart"])

    def lesson(self, number: int) -> "PublishedLesson":
        from lessons.store.manifest import PublishedLesson  # most calls have no candidate

        if self.head["regexes"] != regex_stamp():
            raise UnusableIndex("written for another interpreter")
        identifier, _, entry = self._record(number)
        return PublishedLesson(identifier, marshal.loads(entry), _compiled)

    def _record(self, number: int) -> "Any":
        if number in self._records:
            return self._records[number]
        offset, length, expected = self._place(number)
        self._records[number] = marshal.loads(self._checked(self._body + offset, length, expected))
        return self._records[number]

    def _place(self, number: int) -> "memoryview[int]":
        """Where the record begins, its length and its checksum."""
        return memoryview(self._read(self._body + self.head["directory"] + 12 * number, 12)).cast("I")

    def _look_up(self, table: "Table", text: str, found: set[int]) -> None:
        """Adds the lessons of every gram of the text; looks at as few slots as it can, because each is checked."""
        offset, slots, with_pairs, _ = table
        words = memoryview(self._read(self._body + offset, 12 * slots)).cast("I")
        encoded = text.encode("utf-8", "surrogatepass")
        grams = set(grams_of(encoded[:_LONG_TEXT], with_pairs))
        if len(encoded) > _LONG_TEXT:  # it has more grams than the table has slots
            keys = set(words[::3])
            for start in range(_LONG_TEXT, len(encoded), _LONG_TEXT):
                grams |= keys & grams_of(encoded[start - 3 : start + _LONG_TEXT], with_pairs)
        for gram in grams - {0}:
            slot = gram * SPREAD % slots
            while True:
                key, value, check = words[3 * slot : 3 * slot + 3]
                # the writer's check, written out: this is the innermost loop of the hook
                if check != (key * 31 + value * 17 + 1) & 0xFFFFFFFF or (value and not key):
                    raise UnusableIndex("damaged")
                if not key:
                    break
                if key == gram:
                    found.update((value,) if value < SEVERAL else self._record(value - SEVERAL))
                    break
                slot = (slot + 1) % slots

    def _checked(self, offset: int, length: int, expected: int) -> bytes:
        data = self._read(offset, length)
        if checksum(data) != expected:
            raise UnusableIndex("damaged")
        return data

    def _read(self, offset: int, length: int) -> bytes:
        if offset + length > self._size:  # a damaged length must not ask for all the memory there is
            raise UnusableIndex("cut off")
        try:
            data = read_at(self._file, length, offset)
        except OSError as fault:
            raise UnusableIndex("unreadable") from fault
        if len(data) != length:
            raise UnusableIndex("cut off")
        return data


def _compiled(stored: "Any") -> "re.Pattern[str]":
    """A pattern from the code that `re` made when the index was written."""
    import _sre

    return _sre.compile(*stored)  # type: ignore[no-any-return]
