"""A healthy transcript in, a damaged one out, with the records that must still be readable."""

import json
import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any

from tests.builders.client_lines import encode
from tests.builders.transcript import Session

Damage = Callable[[bytes], bytes]

# The first byte of a text that somebody said or that a tool printed.
_TEXT = re.compile(rb'"(?:text|content|thinking)":"')


def _nothing(count: int) -> set[int]:
    return set()


def _middle(count: int) -> set[int]:
    return {count // 2}


def _last(count: int) -> set[int]:
    return {count - 1}


@dataclass(frozen=True)
class Accident:
    """`lost`: the lines, of so many, that nobody can read any more. All others survive, each counted once;
    `repeated`: so many of its records stand there twice. What the accident adds may be read or counted as malformed."""

    damage: Damage
    lost: Callable[[int], set[int]] = _nothing
    repeated: Callable[[bytes], int] = lambda data: 0

    def __call__(self, data: bytes) -> bytes:
        return self.damage(data)

    def survivors(self, data: bytes) -> list[dict[str, Any]]:
        """The records of the healthy transcript that must be read from the damaged one, in their order; where the
        accident changed a text, the text alone may differ."""
        lines = lines_of(data)
        lost = self.lost(len(lines))
        return [json.loads(line) for number, line in enumerate(lines) if number not in lost]


def lines_of(data: bytes) -> list[bytes]:
    return data.removesuffix(b"\n").split(b"\n")


def _joined(lines: Iterable[bytes]) -> bytes:
    return b"\n".join(lines) + b"\n"


def _with_middle(data: bytes, change: Callable[[bytes], bytes]) -> bytes:
    lines = lines_of(data)
    number = len(lines) // 2
    lines[number] = change(lines[number])
    return _joined(lines)


def insert(data: bytes, *added: bytes) -> bytes:
    """The lines put in before the middle one."""
    lines = lines_of(data)
    number = len(lines) // 2
    return _joined([*lines[:number], *added, *lines[number:]])


def into_texts(data: bytes, added: bytes) -> bytes:
    """The bytes put at the start of the first text of every line that has one."""
    return _joined(_TEXT.sub(lambda match: match.group() + added, line, count=1) for line in lines_of(data))


def two_on_one_line(data: bytes) -> bytes:
    lines = lines_of(data)
    number = len(lines) // 2
    return _joined([*lines[: number - 1], lines[number - 1] + lines[number], *lines[number + 1 :]])


def truncated_then_next(data: bytes) -> bytes:
    """The middle record breaks off within a text and the next one follows on the same line."""
    lines = lines_of(data)
    number = len(lines) // 2
    broken = lines[number][: len(lines[number]) * 2 // 3]
    return _joined([*lines[:number], broken + lines[number + 1], *lines[number + 2 :]])


def overwritten_with_nuls(data: bytes) -> bytes:
    """The end of the middle record and its line end became NULs; the next record follows."""
    lines = lines_of(data)
    number = len(lines) // 2
    half = len(lines[number]) // 2
    broken = lines[number][:half] + b"\0" * (len(lines[number]) - half + 1)
    return _joined([*lines[:number], broken + lines[number + 1], *lines[number + 2 :]])


def appended_again(data: bytes) -> bytes:
    """A second compaction, after which the client writes all rows that have a uuid once more."""
    first = json.loads(lines_of(data)[0])
    second = Session("second compaction")
    second.id = str(first.get("sessionId", second.id))
    second.compact()
    return data + second.data() + _joined(_rows(data))


def _rows(data: bytes) -> list[bytes]:
    return [line for line in lines_of(data) if b'"uuid":' in line]


def long_line(data: bytes, size: int) -> bytes:
    """One more record of about so many bytes, the output of a call."""
    session = Session("long line")
    session.result(session.call("Bash", {"command": "yes"}), "y" * (size // 2))
    return insert(data, *lines_of(session.data()))


def _odd_result(value: str) -> bytes:
    """A call whose result has this JSON text where details belong."""
    session = Session("odd result " + value[:20])
    session.result(session.call("Bash", {"command": "true"}), "fine", details="PLACE")
    return session.data().replace(b'"PLACE"', value.encode()).removesuffix(b"\n")


def _blocks(line: dict[str, Any]) -> list[dict[str, Any]]:
    content = line["message"]["content"]
    return content if isinstance(content, list) else []


def _odd_lines(field: str, places: Callable[[dict[str, Any]], list[dict[str, Any]]]) -> Damage:
    """More prompts, calls and results, the field missing in some and of a type it never has in the others."""

    def damage(data: bytes) -> bytes:
        added = []
        for number, value in enumerate((..., 7, None, True, "odd", [], ["odd"], {}, {"odd": 1}, 1.5, -1, 10**30)):
            session = Session(f"odd {field} {number}")
            session.prompt("say something")
            session.result(session.call("Bash", {"command": "true"}), "Exit code 1\nno", error=True)
            for line in session.lines:
                for place in places(line):
                    place[field] = value
                    if value is ...:
                        del place[field]
                added.append(encode(line))
        return insert(data, *added)

    return damage


def _wrong_types() -> dict[str, Accident]:
    whole = {f"wrong {field}": _odd_lines(field, lambda line: [line]) for field in (*ENVELOPE, *OPTIONAL)}
    message = {f"wrong message.{field}": _odd_lines(field, lambda line: [line["message"]]) for field in MESSAGE}
    block = {f"wrong block.{field}": _odd_lines(field, _blocks) for field in BLOCK}
    return {name: Accident(damage) for name, damage in (whole | message | block).items()}


ENVELOPE = "type uuid parentUuid sessionId timestamp version cwd gitBranch isSidechain agentId message".split()
OPTIONAL = (
    "toolUseResult permissionDecision toolDenialKind isCompactSummary isMeta origin promptSource attachment".split()
)
MESSAGE = "content id model role usage".split()
BLOCK = "type id name input tool_use_id content is_error text".split()
NO_OBJECTS = (b"null", b"[]", b"[{}]", b"42", b'"x"', b"true", b"{}", b"{", b"}", b"not json at all")
BOOKKEEPING = b'{"type":"api-request","sessionId":"s","body":{"system":"long"}}'
UNKNOWN = (b'{"type":"moon-phase","sessionId":"s","phase":3}', b'{"type":"moon-phase"}', b'{"type":"","x":1}')

ACCIDENTS: dict[str, Accident] = {
    "nothing": Accident(lambda data: data),
    "two objects on one line": Accident(two_on_one_line),
    "all objects on one line": Accident(lambda data: b"".join(lines_of(data)) + b"\n"),
    "records behind bookkeeping": Accident(lambda data: _joined(BOOKKEEPING + line for line in lines_of(data))),
    "truncated record before the next": Accident(truncated_then_next, _middle),
    "NULs between lines": Accident(lambda data: insert(data, b"\0" * 4096)),
    "NULs before a record": Accident(lambda data: _with_middle(data, lambda line: b"\0" * 512 + line)),
    "NULs after a record": Accident(lambda data: _with_middle(data, lambda line: line + b"\0" * 512)),
    "NULs in texts": Accident(lambda data: into_texts(data, b"\0\0\0")),
    "NULs over the end of a record": Accident(overwritten_with_nuls, _middle),
    "NULs at the end": Accident(lambda data: data + b"\0" * 4096),
    "invalid UTF-8 in texts": Accident(lambda data: into_texts(data, b"\xff\xfe\xc3(\xed\xa0\xbd")),
    "lone surrogates in texts": Accident(lambda data: into_texts(data, rb"\ud83d \udc00 \udc00\ud83d")),
    "CRLF": Accident(lambda data: data.replace(b"\n", b"\r\n")),
    "byte order mark": Accident(lambda data: b"\xef\xbb\xbf" + data),
    "line separators in texts": Accident(lambda data: into_texts(data, "\u2028\u2029\u0085".encode())),
    "appended again": Accident(appended_again, repeated=lambda data: len(_rows(data))),
    "last line without its end": Accident(lambda data: data.removesuffix(b"\n")),
    "half a last line": Accident(lambda data: data[: -(len(lines_of(data)[-1]) // 2 + 1)], _last),
    "long line": Accident(lambda data: long_line(data, 2_000_000)),
    "deep nesting": Accident(lambda data: insert(data, _odd_result("[" * 100_000 + "]" * 100_000))),
    "nesting never closed": Accident(lambda data: insert(data, b'{"type":"user","message":' + b'{"a":[' * 50_000)),
    "integer of 5,000 digits": Accident(lambda data: insert(data, _odd_result("9" * 5000))),
    "numbers that JSON does not have": Accident(
        lambda data: insert(data, _odd_result("[NaN,Infinity,-Infinity,1e999]"))
    ),
    "unknown types": Accident(lambda data: insert(data, *UNKNOWN)),
    "empty lines": Accident(lambda data: data.replace(b"\n", b"\n\n\n")),
    "lines of spaces": Accident(lambda data: insert(data, b"   ", b"\t", b"\r", b" " * 10_000)),
    "lines that are no objects": Accident(lambda data: insert(data, *NO_OBJECTS)),
    "a key twice": Accident(
        lambda data: insert(data, b'{"type":"user","type":7,"uuid":"k","uuid":"k2","message":1,"message":{}}')
    ),
    **_wrong_types(),
}
