"""The exports for outside programs: `cross-project-candidates.json` and `scan-state.json`.

The first has the candidates, the second how far each transcript was read and, by its time, when the last scan ended.
"""

import os
import time
from contextlib import suppress
from datetime import UTC, datetime
from hashlib import sha256
from typing import TYPE_CHECKING

import msgspec

from lessons import paths
from lessons.store import files

if TYPE_CHECKING:
    from lessons.store.history.history import History


_LAST_FULL_SCAN = "lastFullScanAt"


def write_candidates(home: str, candidates: list[dict[str, object]], now: float | None = None) -> bool:
    """Writes the file only if anything but the time would change; returns whether it did."""
    path = paths.candidates_file(home)
    moment = datetime.fromtimestamp(time.time() if now is None else now, UTC)
    document = {"generatedAt": f"{moment:%Y-%m-%dT%H:%M:%SZ}", "candidates": candidates}
    content = msgspec.json.format(msgspec.json.encode(document), indent=2) + b"\n"
    with suppress(OSError), open(path, "rb") as file:
        # The second line has the time.
        if file.read().split(b"\n", 2)[-1] == content.split(b"\n", 2)[-1]:
            return False
    return files.write_bytes(path, content)


def texts(home: str) -> dict[str, str] | None:
    """Returns the candidates of the file in its order, each with a digest of its text; None without a usable file."""
    try:
        with open(paths.candidates_file(home), "rb") as file:
            found = msgspec.json.decode(file.read())["candidates"]
        return {each["fingerprint"]: digest(each["problem"], each["solution"]) for each in found}
    except (OSError, msgspec.DecodeError, LookupError, TypeError, AttributeError):
        return None


def digest(problem: str, solution: str) -> str:
    return sha256(f"{problem}\n{solution}".encode("utf-8", "replace")).hexdigest()[:16]


def remove_candidates(home: str) -> None:
    """Deletes the file, because data was forgotten or is stale; the next scan writes it again."""
    with suppress(FileNotFoundError):
        os.unlink(paths.candidates_file(home))


def write_scan_state(history: "History", scanned: bool = False) -> None:
    """Writes offsets as plain numbers, with the keys of the segments; only a scan changes the time of the last one."""
    last = time.time() if scanned else last_scan(history.home)
    document = {
        "files": history.sources.offsets(),
        "segments": history.sources.segment_keys(),
        "lastScanAt": _moment(last) if last else "",
        "lastFullScanAt": history.fact(_LAST_FULL_SCAN),
    }
    path = paths.scan_state_file(history.home)
    files.write_bytes(path, msgspec.json.format(msgspec.json.encode(document), indent=2))
    os.utime(path, (last or 0, last or 0))


def touch_scan_state(home: str) -> bool:
    """Records that a scan found nothing new, by the time of the file; returns False if there is none."""
    try:
        os.utime(paths.scan_state_file(home))
    except FileNotFoundError:
        return False
    return True


def last_scan(home: str) -> float | None:
    """Returns when the last scan ended, in seconds since 1970."""
    try:
        return os.stat(paths.scan_state_file(home)).st_mtime or None
    except OSError:
        return None


def record_full_scan(history: "History") -> None:
    history.put_fact(_LAST_FULL_SCAN, _moment(time.time()))


def _moment(seconds: float) -> str:
    return f"{datetime.fromtimestamp(seconds, UTC):%Y-%m-%dT%H:%M:%SZ}"
