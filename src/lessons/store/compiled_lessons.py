"""The file `compiled-lessons`: what the last build made of each lesson, by a digest of all it was made from.

A file that is missing, damaged, or of another version of the code is ignored: the next build compiles everything again.
"""

import marshal
import os
import sys
from contextlib import suppress
from hashlib import sha256

import lessons
from lessons import paths
from lessons.store import files
from lessons.store.hook_index import regex_stamp, stamp

_DIGEST_LENGTH = 32
# The code in these folders decides the result for a lesson; it may change without a new version.
_CODE = ("", "match", "shell", "promote", "promote/publish", "store")


class CompiledLessons:
    """Results by key; `write` keeps those that were asked for or added."""

    def __init__(self, home: str) -> None:
        self._path = paths.compiled_lessons_file(home)
        self._stamp = _writer()
        self._known = self._read()
        self._used: dict[bytes, object] = {}

    def get(self, key: bytes) -> object:
        """Returns None if nothing is known."""
        if key in self._known:
            self._used[key] = self._known[key]
        return self._known.get(key)

    def put(self, key: bytes, result: object) -> None:
        self._used[key] = result

    def write(self) -> None:
        """A home that is not writable only costs time."""
        if self._used.keys() == self._known.keys():
            return
        body = marshal.dumps((self._stamp, self._used))
        with suppress(OSError):
            files.write_bytes(self._path, sha256(body).digest() + body)
            os.chmod(self._path, 0o600)  # a file that others can write is not trusted

    def _read(self) -> dict[bytes, object]:
        try:
            with open(self._path, "rb") as file:
                status = os.fstat(file.fileno())
                if hasattr(os, "getuid") and (status.st_uid != os.getuid() or status.st_mode & 0o022):
                    return {}
                digest, body = file.read(_DIGEST_LENGTH), file.read()
        except OSError:
            return {}
        if sha256(body).digest() != digest:
            return {}
        written_by, known = marshal.loads(body)
        return known if written_by == self._stamp else {}


def digest_of(*parts: object) -> bytes:
    return sha256(repr(parts).encode("utf-8", "surrogatepass")).digest()[:16]


def remove(home: str) -> None:
    """Deletes the file: its warnings quote patterns and examples."""
    with suppress(FileNotFoundError):
        os.unlink(paths.compiled_lessons_file(home))


def _writer() -> str:
    """Returns what decides the result for a lesson besides its own text."""
    package = os.path.dirname(lessons.__file__)
    code = [
        (each.path, each.stat().st_size, each.stat().st_mtime_ns)
        for folder in _CODE
        for each in os.scandir(os.path.join(package, folder))
        if each.name.endswith(".py")
    ]
    return repr((stamp(), regex_stamp(), sys.implementation.name, digest_of(sorted(code))))
