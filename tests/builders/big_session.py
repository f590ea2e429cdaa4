"""Writes transcripts of a given size with a realistic mixture, from a seed; for measuring."""

import random
from collections.abc import Iterator
from datetime import timedelta
from itertools import accumulate
from pathlib import Path

from tests.builders.client_lines import REJECTED, START, Line, encode, owner_digits, slug
from tests.builders.transcript import Session

TEMPLATE_CALLS = 140
# A template is about 2 MB: a compaction every 10 MB.
TEMPLATES_PER_COMPACTION = 5
FOLDER = "/home/somebody/shop"
WORDS = (
    "basket price till counter shelf order customer receipt total stock refund label parcel weight ledger stamp"
    " return await const def import assert None self -> == != ( ) { } [ ] 0 1 42 \"quoted\" 'single' \\path\\to"
    " naïve → ✓ shop.py::test_total \t \n \n   error: warning: passed"
).split(" ")


class _Texts:
    """Endless prose and code of a shop, cut from one long random text."""

    def __init__(self, seed: int) -> None:
        self.random = random.Random(seed)
        self.pool = " ".join(self.random.choices(WORDS, k=40_000))

    def of(self, size: int) -> str:
        start = self.random.randrange(len(self.pool) - size)
        return self.pool[start : start + size]

    def long_tailed(self, middle: int, most: int) -> int:
        """A size: half of them are below the middle, few reach the most."""
        return min(most, int(middle * self.random.lognormvariate(0, 1.25)))


class _Template:
    """Lines that can be repeated: all their ids begin with the same digits, all their times with the same day."""

    def __init__(self, session: Session) -> None:
        self.digits = owner_digits(session.name).encode()
        self.session_id = session.id.encode()
        self.day = START.date().isoformat().encode() + b"T"
        lines = [encode(line) + b"\n" for line in session.lines]
        self.data = b"".join(lines)
        self.ends = list(accumulate(map(len, lines)))

    def copy(self, number: int, session_id: bytes, most: int) -> bytes:
        """The lines with ids and a day of their own; whole lines, at least one, as many as fit."""
        fitting = max((end for end in self.ends if end <= most), default=self.ends[0])
        data = self.data if fitting == self.ends[-1] else self.data[:fitting]
        day = (START + timedelta(days=number // 20 % 3000)).date().isoformat().encode() + b"T"
        fresh = data.replace(self.digits, b"%08x" % (number % 2**32)).replace(self.session_id, session_id)
        return fresh.replace(self.day, day)


def _arguments(texts: _Texts, digits: str, tool: str, number: int) -> Line:
    """The digits in names make the commands and paths of every copy its own."""
    path = f"{FOLDER}/src/shelf_{digits}_{number}.py"
    if tool == "Bash":
        commands = (f"python -m pytest tests/test_{digits}.py", "git status --short", f"rg total {path} | head -40")
        return {"command": commands[number % 3], "description": texts.of(40)}
    if tool == "Edit":
        return {"file_path": path, "old_string": texts.of(400), "new_string": texts.of(500), "replace_all": False}
    return {"file_path": path}


def _one_call(session: Session, texts: _Texts, number: int) -> None:
    tool = ("Bash", "Read", "Bash", "Edit")[number % 4]
    digits = owner_digits(session.name)
    if number % 2:
        session.say(texts.of(texts.long_tailed(700, 6000)))
    if number % 8 == 0:
        session.think(texts.of(600))
    call = session.call(tool, _arguments(texts, digits, tool, number))
    for kind in ("hook_progress", "bash_progress" if tool == "Bash" else "agent_progress")[: 1 + (number % 3 > 0)]:
        session.progress(call, texts.of(60 if kind == "hook_progress" else texts.long_tailed(1200, 20_000)), kind)
    if number % 16 == 3:
        refused = number % 64 == 19
        session.result(call, REJECTED if refused else f"Exit code {1 + number % 3}\n{texts.of(700)}", error=True)
    elif tool == "Edit":
        before = texts.of(texts.long_tailed(11_000, 50_000))
        details = {
            "filePath": f"{FOLDER}/shelf.py",
            "originalFile": before,
            "structuredPatch": [],
            "userModified": False,
        }
        session.result(call, "The file was changed.\n" + texts.of(300), details=details)
    else:
        session.result(call, texts.of(texts.long_tailed(1800, 25_000)))


def _working_session(seed: int) -> _Template:
    session, texts = Session(f"big {seed}", FOLDER, version="2.1.49", old=True), _Texts(seed)
    for number in range(TEMPLATE_CALLS):
        if number % 14 == 0:
            session.prompt(texts.of(200))
            session.snapshot().queue(texts.of(120)).title(texts.of(40))
        _one_call(session, texts, number)
        if number % 14 == 13:
            session.say(texts.of(900))
            session.turn_end().bookkeeping(1200)
    return _Template(session)


def _compaction(seed: int) -> _Template:
    session = Session(f"big compaction {seed}", FOLDER, version="2.1.49", old=True)
    session.compact()
    return _Template(session)


class _Supply:
    """Pieces of transcripts, each with ids that no other piece has."""

    def __init__(self, seed: int) -> None:
        self.seed = seed
        self.work, self.compaction = _working_session(seed), _compaction(seed)
        self.number = int(owner_digits(f"first number of {seed}"), 16)

    def pieces(self, session_id: str, size: int) -> Iterator[bytes]:
        """Pieces of one file until it has the size, but for less than a line."""
        written = repetitions = 0
        while not written or written < size:
            at_boundary = repetitions and repetitions % (TEMPLATES_PER_COMPACTION + 1) == 0
            template = self.compaction if at_boundary else self.work
            repetitions += 1
            if written and size - written < template.ends[0]:
                return
            piece = template.copy(self.number, session_id.encode(), size - written)
            self.number += 1
            written += len(piece)
            yield piece


def big_transcript(path: Path, size: int, seed: int = 0) -> None:
    """One session of about `size` bytes, never more; its id is the name of the file."""
    path.parent.mkdir(parents=True, exist_ok=True)
    with path.open("wb") as file:
        for piece in _Supply(seed).pieces(path.stem, size):
            file.write(piece)


def many_transcripts(root: Path, files: int, bytes_each: int, seed: int = 0) -> None:
    """So many sessions, a hundred to each project, laid out below `root` as below `projects`."""
    supply = _Supply(seed)
    for number in range(files):
        folder = root / slug(f"{FOLDER}-{number // 100}")
        folder.mkdir(parents=True, exist_ok=True)
        session_id = Session(f"one of many {seed} {number}").id
        with (folder / f"{session_id}.jsonl").open("wb") as file:
            file.writelines(supply.pieces(session_id, bytes_each))
