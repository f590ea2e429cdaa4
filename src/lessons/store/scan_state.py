"""The file `scan-state.json`: how far each transcript was read, exported from the history; nothing trusts it."""

import os
import time
from datetime import UTC, datetime
from typing import TYPE_CHECKING

import msgspec

from lessons import paths
from lessons.store import atomic

if TYPE_CHECKING:
    from lessons.store.history.history import History


def export(history: "History", scanned: bool = False) -> None:
    """Writes offsets as plain numbers, with the keys of the segments; only a scan changes the time of the last one."""
    last = time.time() if scanned else last_scan(history.home)
    document = {
        "files": history.sources.offsets(),
        "segments": history.sources.segment_keys(),
        "lastScanAt": _moment(last) if last else "",
        "lastFullScanAt": history.last_full_scan(),
    }
    path = paths.scan_state_file(history.home)
    atomic.write_bytes(path, msgspec.json.format(msgspec.json.encode(document), indent=2))
    os.utime(path, (last or 0, last or 0))


def touch(home: str) -> bool:
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


def was_full(history: "History") -> None:
    """Records that a scan has read everything."""
    history.full_scan_ended(_moment(time.time()))


def _moment(seconds: float) -> str:
    return f"{datetime.fromtimestamp(seconds, UTC):%Y-%m-%dT%H:%M:%SZ}"
