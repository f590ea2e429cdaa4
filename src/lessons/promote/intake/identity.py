"""Ids, slugs and content hashes of lessons."""

import hashlib
import json
import re
import secrets
import time
import unicodedata
from collections.abc import Collection

_LONGEST_BASE = 40
_SUFFIX_LENGTH = 4
_BASE36 = "0123456789abcdefghijklmnopqrstuvwxyz"
_BASE32 = "0123456789ABCDEFGHJKMNPQRSTVWXYZ"
_RANDOM_BITS = 80


def new_id() -> str:
    """Returns a ULID: 48 bits of milliseconds, then 80 random bits. Sorts by creation time."""
    number = time.time_ns() // 1_000_000 << _RANDOM_BITS | secrets.randbits(_RANDOM_BITS)
    return "".join(_BASE32[number >> shift & 31] for shift in range(125, -1, -5))


def slug_for(summary: str, taken: Collection[str]) -> str:
    """Returns the summary in kebab-case with a random suffix, different from every name taken."""
    base = _kebab(summary)
    while True:
        slug = base + "-" + "".join(secrets.choice(_BASE36) for _ in range(_SUFFIX_LENGTH))
        if slug not in taken:
            return slug


def _kebab(summary: str) -> str:
    # Removes accents and drops apostrophes; a script without Latin letters leaves nothing.
    plain = unicodedata.normalize("NFKD", summary.casefold()).encode("ascii", "ignore").decode()
    words = re.findall(r"[a-z0-9]+", plain.replace("'", ""))
    base = "-".join(words)
    if len(base) > _LONGEST_BASE:
        cut = base[: _LONGEST_BASE + 1].rpartition("-")[0]
        base = cut or base[:_LONGEST_BASE]
    return base or "lesson"


def content_hash(problem: str, solution: str, triggers_document: dict[str, object]) -> str:
    """Returns the same hash for two lessons that teach the same thing at the same calls."""
    triggers = json.dumps(_without_empty(triggers_document), sort_keys=True, separators=(",", ":"), ensure_ascii=False)
    content = f"{problem}|{solution}|{triggers}".encode("utf-8", "surrogatepass")
    return "sha256:" + hashlib.sha256(content).hexdigest()


def _without_empty(value: object) -> object:
    if not isinstance(value, dict):
        return value
    kept = {key: _without_empty(member) for key, member in value.items()}
    return {key: member for key, member in kept.items() if not _is_empty(member)}


def _is_empty(value: object) -> bool:
    return value is None or value is False or value in ("", [], {})
