"""Builds redacted rows of the tags in an assistant's text."""

from collections.abc import Callable, Iterator
from hashlib import blake2b

import msgspec

from lessons.agents.events import Wrote
from lessons.capture.tags import LONGEST_FIELD, LONGEST_TEXT, Cancel, Tag, tags_in
from lessons.redact.texts import redacted, redacted_start
from lessons.store.history.rows import Origin, TagRow

_TAG = "#lesson"


def has_tag(wrote: Wrote) -> bool:
    return "#" in wrote.text and _TAG in wrote.text.lower()


def tag_rows(wrote: Wrote, origin: Origin, block: int, key_of: Callable[[int], int]) -> Iterator[TagRow]:
    """`block` is the number of the text in its record."""
    for number, tag in enumerate(tags_in(wrote.text), 1000 * block):
        fields = _redacted_fields(tag) if isinstance(tag, Tag) else _cancelled(tag)
        mark = _same_tag(tag) if isinstance(tag, Tag) else ""
        yield TagRow(origin, key_of(number), wrote.message_id, number, fields, mark)


def _redacted_fields(tag: Tag) -> str:
    """Redacts before cutting: half a token at the cut would not be recognised."""
    limits = {"problem": LONGEST_TEXT, "solution": LONGEST_TEXT}
    fields: dict[str, object] = msgspec.structs.asdict(tag)
    for name, value in fields.items():
        if isinstance(value, str):
            fields[name] = redacted_start(value, limits.get(name, LONGEST_FIELD))
    fields["tags"] = [redacted_start(name, LONGEST_FIELD) for name in tag.tags]
    return msgspec.json.encode(fields).decode()


def _cancelled(cancel: Cancel) -> str:
    """Returns the problem of the tag to withdraw; empty for the previous tag."""
    problem = redacted_start(cancel.problem, LONGEST_FIELD)
    return msgspec.json.encode({"cancels": problem}).decode() if problem else ""


def _same_tag(tag: Tag) -> str:
    """Returns a key that is equal for the same report, ignoring spaces and case."""
    words = (" ".join(redacted(text).casefold().split()) for text in (tag.problem, tag.solution))
    return "tag-" + blake2b("|".join(words).encode(), digest_size=8).hexdigest()
