"""What the agent wrote after a failed call: finds the failed calls before a text, and its first sentences."""

import re
from functools import lru_cache
from zlib import crc32

from lessons.capture.memory import LastCall
from lessons.capture.quotation import Quotation

LONGEST_DIAGNOSIS = 400
_MOST_SENTENCES = 2
_MOST_THREADS = 16  # subagents with lines in one file; the most recent ones
_ENDS = re.compile(r"(?:(?<=[.!?…])|(?<=[.!?…][\"')\]*_`]))\s+(?=\S)")
_ABBREVIATED = re.compile(r"(?:\b(?:e\.g|i\.e|cf|vs|etc|approx|resp|no|incl)\.|\b[A-Z]\.)\Z", re.IGNORECASE)
_COLOUR = re.compile(r"\x1b\[[0-9;?]*[ -/]*[@-~]")
_MARKUP = re.compile(r"\A(?:#{1,6} |[-*+•] |\d{1,2}[.)] )")


@lru_cache(maxsize=64)
def thread_of(session_id: str, agent_id: str, sidechain: bool) -> int:
    return crc32(f"{session_id} {agent_id} {sidechain}".encode())


def called(threads: list[LastCall], thread: int, message_id: str) -> None:
    """Records a call; calls of one message run together, so none of them answers another's failure."""
    last = _last_call(threads, thread)
    if last and last.message_id == message_id != "":
        return
    if last:
        threads.remove(last)
    threads.append(LastCall(thread, message_id))
    del threads[:-_MOST_THREADS]


def failed(threads: list[LastCall], thread: int, tool_use_id: str) -> None:
    last = _last_call(threads, thread)
    if last is None:
        called(threads, thread, "")
        last = threads[-1]
    if tool_use_id not in last.failed:
        last.failed.append(tool_use_id)


def answered(threads: list[LastCall], thread: int) -> None:
    """Records that a person typed something: the agent's next text answers that."""
    last = _last_call(threads, thread)
    if last:
        threads.remove(last)


def said(threads: list[LastCall], thread: int, message_id: str) -> list[str]:
    """Returns the failed calls before a text of this message; none if it was written together with them."""
    last = _last_call(threads, thread)
    if last is None or last.message_id == message_id != "":
        return []
    return list(last.failed)


def _last_call(threads: list[LastCall], thread: int) -> LastCall | None:
    return next((last for last in threads if last.thread == thread), None)


def first_sentences(text: str) -> str:
    """Returns the first two sentences in one line; skips code and quotations, and cuts long text."""
    quotation, found = Quotation(), list[str]()
    for line in text.splitlines():
        words = "" if quotation.covers(line) else _MARKUP.sub("", " ".join(_printable(line).split()))
        found += _sentences(words) if words else []
        if len(found) >= _MOST_SENTENCES:
            break
    joined = " ".join(found[:_MOST_SENTENCES])
    return joined if len(joined) <= LONGEST_DIAGNOSIS else joined[: LONGEST_DIAGNOSIS - 1].rstrip() + "…"


def _sentences(words: str) -> list[str]:
    """Splits one line; an abbreviation does not end a sentence."""
    found: list[str] = []
    for part in _ENDS.split(words):
        if found and _ABBREVIATED.search(found[-1]):
            found[-1] += f" {part}"
        else:
            found.append(part)
    return found


def _printable(line: str) -> str:
    plain = _COLOUR.sub("", line)
    return plain if plain.isprintable() else "".join(letter if letter.isprintable() else " " for letter in plain)
