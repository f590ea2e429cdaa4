"""Cleans `decisions.jsonl` and its copies: decisions stay, texts in them that belong to a scope to forget go."""

import json
import os
from collections.abc import Mapping

from lessons import paths
from lessons.store import atomic
from lessons.store.decisions import BEGINNING
from lessons.store.forget.lessons import clean_evidence
from lessons.store.forget.traces import Traces
from lessons.store.home_files import existing
from lessons.store.lock import locked

Line = dict[str, object]


def copies(home: str) -> list[str]:
    return [path for path in existing(home, "decisions") if os.path.dirname(path) != home.rstrip("/")]


def survey(home: str, traces: Traces, digests: Mapping[str, str], kept: frozenset[str]) -> int:
    """Returns how many lines would be changed."""
    return _clean_file(paths.decisions_file(home), traces, digests, kept, act=False)


def clean(home: str, traces: Traces, digests: Mapping[str, str], kept: frozenset[str]) -> int:
    """Returns how many lines were changed. `digests`: present digests of lessons; `kept`: names of existing lessons."""
    with locked(paths.decisions_file(home)):
        return _clean_file(paths.decisions_file(home), traces, digests, kept, act=True)


def clean_copies(home: str, traces: Traces, digests: Mapping[str, str], kept: frozenset[str]) -> None:
    """Cleans the copies; the caller holds the lock of the backups."""
    for path in copies(home):
        _clean_file(path, traces, digests, kept, act=True)


def _clean_file(path: str, traces: Traces, digests: Mapping[str, str], kept: frozenset[str], act: bool) -> int:
    try:
        with open(path, "rb") as file:
            content = file.read()
    except FileNotFoundError:
        return 0
    before = content.splitlines()
    unknown = _slugs_of_what_is_gone(before, traces) - kept
    after = [_cleaned(line, traces, digests, unknown) for line in before]
    if act and before != after:
        atomic.write_bytes(path, b"".join(line + b"\n" for line in after if line is not None))
    return sum(_decoded(one) != (_decoded(other) if other else None) for one, other in zip(before, after, strict=True))


def _cleaned(line: bytes, traces: Traces, digests: Mapping[str, str], unknown: set[str]) -> bytes | None:
    """Returns the cleaned line; None if nothing of it stays. Drops damaged lines, which may contain anything."""
    decision = _decoded(line)
    if decision is None:
        return None
    cleaned: Line = json.loads(json.dumps(decision))
    if isinstance(evidence := cleaned.get("before"), dict):
        clean_evidence(evidence, traces)
    if str(cleaned.get("digest")) in digests:
        cleaned["digest"] = digests[str(cleaned["digest"])]
    name = str(cleaned.get("fingerprint", ""))
    # A reason may be about any occurrence of the candidate; one about a lesson is about the time of the line.
    if name in traces.deleted.candidates or (not name and str(cleaned.get("time", "")) < traces.scope.before):
        cleaned.pop("reason", None)
    if cleaned.get("slug") in unknown:
        if not name:
            return None
        del cleaned["slug"]
    if cleaned == decision:
        return line[max(line.rfind(BEGINNING), 0) :]
    return json.dumps(cleaned, ensure_ascii=False, separators=(",", ":")).encode("utf-8", "replace")


def _slugs_of_what_is_gone(lines: list[bytes], traces: Traces) -> set[str]:
    """Returns the slugs of lessons without evidence left: a slug is made of the words of its lesson."""
    decided = filter(None, map(_decoded, lines))
    return {str(each["slug"]) for each in decided if each.get("slug") and each.get("fingerprint") in traces.unsupported}


def _decoded(line: bytes) -> Line | None:
    try:
        value = json.loads(line[max(line.rfind(BEGINNING), 0) :])
    except (ValueError, RecursionError):
        return None
    return value if isinstance(value, dict) else None
