"""A number in, a payload that no client would send out: always the same for the same number."""

import copy
import json
import random
from collections.abc import Callable
from typing import NamedTuple

from lessons.agents.table import AGENTS

MEGABYTE = 1 << 20
BRACKETS = 100_000
EVENTS = tuple(AGENTS["claude-code"].events)

HOSTILE_NAMES = (
    "../../escaped", "/etc/passwd", "a/../b", "..", ".", "", "../" * 40 + "escaped", "x" * 5000, "..\\..\\escaped",
    "%2e%2e%2fescaped", "escaped\0.txt", "a\nb", "~/escaped", "$HOME/escaped", "$(touch escaped)", "`touch escaped`",
    "; touch escaped", "' ; touch escaped ; '", "-rf", "CON", "é" * 300, "\ud800", "\u202e", "main", "model",
)  # fmt: skip
WRONG_VALUES: tuple[object, ...] = (
    None, True, False, 0, -1, 3.5, 10**30, "", " ", "null", [], {}, [None], [[]], [1, "a", {}], {"command": {}},
    {"": ""}, ["git", 5], ["bash", "-c", "git stash"], [""] * 2000, {"a": {"b": {"c": [{"d": None}]}}},
)  # fmt: skip
LONG_TEXTS = ("a", " ", "\n", "'", '"', "$(", "`", "((", "{", "\\", "a b ", "git stash; ", "é", "<<E\n", "|", "x=1 ")


class Mutation(NamedTuple):
    """What is sent to which hook, and the name of what was done to it."""

    kind: str
    event: str
    data: bytes


Document = dict[str, object]
Mutate = Callable[[random.Random, Document], bytes]


def payloads(work: str) -> list[Document]:
    """Realistic payloads of all events; lessons fire on most of them."""
    common: Document = {
        "session_id": "0a8d2efb-e1c1-40d5-b121-bc7287d951f4",
        "transcript_path": "/home/dev/.claude/projects/-project/0a8d2efb-e1c1-40d5-b121-bc7287d951f4.jsonl",
        "cwd": work,
    }
    call: Document = {**common, "permission_mode": "default", "effort": {"level": "medium"}, "tool_use_id": "toolu_01"}
    before: Document = {**call, "hook_event_name": "PreToolUse"}
    failed: Document = {**call, "hook_event_name": "PostToolUseFailure", "is_interrupt": False, "duration_ms": 15}
    tools: list[tuple[str, Document]] = [
        ("Bash", {"command": "cd sub && git stash", "description": "a step"}),
        ("Bash", {"command": "git push --force origin main", "timeout": 5000}),
        ("Bash", {"command": "FOO=1 pytest -q 'tests'"}),
        ("Edit", {"file_path": f"{work}/a.py", "old_string": "x = 1", "new_string": "print(1)", "replace_all": False}),
        ("Write", {"file_path": "sub/settings.json", "content": "{}\n"}),
        ("Grep", {"pattern": "git stash", "path": work, "-n": True}),
        ("mcp__rig__echo", {"text": "hi", "deep": {"list": ["git stash", 1, None]}}),
    ]
    found = [{**before, "tool_name": name, "tool_input": given} for name, given in tools]
    found += [{**found[0], "agent_id": "a7a6540f1856ccda9", "agent_type": "general-purpose"}]
    error = "Exit code 1\nzsh: no matches found: *.txt"
    found += [{**failed, "tool_name": name, "tool_input": given, "error": error} for name, given in tools[::3]]
    start = {**common, "hook_event_name": "SessionStart"}
    sources = ("startup", "resume", "fork", "clear", "compact")
    found += [{**start, "source": source, "model": "claude-opus-5-5"} for source in sources]
    found += [{**common, "hook_event_name": "SubagentStart", "agent_id": "a7", "agent_type": "Explore"}]
    committed = {"command": "git add -A && git commit -m 'Mend it'"}
    pauses: dict[str, Document] = {
        "PreCompact": {"trigger": "auto", "custom_instructions": ""},
        "Stop": {"permission_mode": "default", "stop_hook_active": False, "last_assistant_message": "Done."},
        "SessionEnd": {"reason": "prompt_input_exit"},
        "PostToolUse": {"tool_name": "Bash", "tool_input": committed, "tool_response": {"stdout": ""}},
    }
    return [*found, *({**common, "hook_event_name": event, **fields} for event, fields in pauses.items())]


def mutation(number: int, seed: str, work: str) -> Mutation:
    """The mutation of that number: every kind comes up in turn."""
    chance = random.Random(f"{seed} {number}")
    kinds = list(KINDS)
    kind = kinds[number % len(kinds)]
    document = json.loads(json.dumps(chance.choice(payloads(work))))
    event = chance.choice(EVENTS) if chance.random() < 0.1 else str(document["hook_event_name"])
    return Mutation(kind, event, KINDS[kind](chance, document))


def text_of(document: object) -> bytes:
    return json.dumps(document).encode()


def places(value: object) -> list[tuple[Document | list[object], str | int]]:
    """Every place in a document, as the holder and the key or position in it."""
    found: list[tuple[Document | list[object], str | int]] = []
    if isinstance(value, dict):
        for key, member in value.items():
            found += [(value, key), *places(member)]
    elif isinstance(value, list):
        for position, member in enumerate(value):
            found += [(value, position), *places(member)]
    return found


def put(chance: random.Random, document: Document, value: object) -> None:
    holder, key = chance.choice(places(document))
    holder[key] = copy.deepcopy(value)  # type: ignore[index]


def truncated(chance: random.Random, document: Document) -> bytes:
    data = text_of(document)
    return data[: chance.randrange(len(data))]


def wrong_type(chance: random.Random, document: Document) -> bytes:
    for _ in range(chance.choice((1, 1, 1, 2, 5))):
        put(chance, document, chance.choice(WRONG_VALUES))
    return text_of(document)


def no_object(chance: random.Random, document: Document) -> bytes:
    return text_of(chance.choice([*WRONG_VALUES, [document], json.dumps(document)]))


def missing_fields(chance: random.Random, document: Document) -> bytes:
    for key in chance.sample(list(document), chance.randint(1, len(document))):
        del document[key]
    return text_of(document)


def long_text(chance: random.Random, document: Document) -> bytes:
    piece = chance.choice(LONG_TEXTS)
    put(chance, document, piece * (MEGABYTE // len(piece)))
    return text_of(document)


def deep(chance: random.Random, document: Document) -> bytes:
    opening, middle, closing = chance.choice([("[", "", "]"), ('{"a":', "1", "}"), ('[{"":', "[]", "}]")])
    depth = chance.choice((50, 900, BRACKETS))
    nested = opening * depth + middle + (closing * depth if chance.random() < 0.7 else "")
    if chance.random() < 0.3:
        return nested.encode()
    put(chance, document, "HERE")
    return text_of(document).replace(b'"HERE"', nested.encode(), 1)


def surrogates(chance: random.Random, document: Document) -> bytes:
    half = chance.choice(("\ud800", "\udfff", "\udc00\ud800", "a\ud83d", "git stash \udcff"))
    for _ in range(chance.randint(1, 4)):
        put(chance, document, half * chance.choice((1, 1, 200)))
    return text_of(document)


def nul(chance: random.Random, document: Document) -> bytes:
    if chance.random() < 0.5:
        put(chance, document, "a\0b" + "\0" * chance.randrange(50))
        return text_of(document)
    return inserted(chance, text_of(document), b"\0" * chance.randint(1, 9))


def not_utf8(chance: random.Random, document: Document) -> bytes:
    bad = chance.choice((b"\xff", b"\xfe\xff", b"\xc0\x80", b"\xed\xa0\x80", b"\xf8\x88\x80\x80\x80", b"\x80" * 30))
    return inserted(chance, text_of(document), bad)


def inserted(chance: random.Random, data: bytes, piece: bytes) -> bytes:
    position = chance.randrange(len(data) + 1)
    return data[:position] + piece + data[position:]


def hostile_name(chance: random.Random, document: Document) -> bytes:
    keys = ["session_id", "agent_id", "tool_name", "tool_use_id", "transcript_path", "cwd", "model", "source"]
    for key in chance.sample(keys, chance.choice((1, 1, 2, len(keys)))):
        document[key] = chance.choice(HOSTILE_NAMES)
    return text_of(document)


def odd_number(chance: random.Random, document: Document) -> bytes:
    put(chance, document, "HERE")
    numbers = (b"NaN", b"-Infinity", b"1e999", b"-0", b"9" * 5000, b"01", b"1.", b"0x1", b"1e")
    return text_of(document).replace(b'"HERE"', chance.choice(numbers))


def flipped(chance: random.Random, document: Document) -> bytes:
    data = bytearray(text_of(document))
    for _ in range(chance.choice((1, 1, 3, 20))):
        data[chance.randrange(len(data))] ^= 1 << chance.randrange(8)
    return bytes(data)


def noise(chance: random.Random, document: Document) -> bytes:
    return chance.randbytes(chance.randrange(1, 4000))


KINDS: dict[str, Mutate] = {
    mutate.__name__: mutate
    for mutate in (
        truncated, wrong_type, hostile_name, missing_fields, surrogates, nul, not_utf8,
        flipped, wrong_type, odd_number, no_object, noise, deep, long_text,
    )
}  # fmt: skip
