"""One task of the bench in, its cost as JSON out; a process of its own."""

import time

_BEGAN = time.perf_counter()

import json  # noqa: E402
import os  # noqa: E402
import resource  # noqa: E402
import sys  # noqa: E402
from collections.abc import Callable  # noqa: E402


def main(task: str, folder: str, home: str, processes: int) -> None:
    tasks: dict[str, Callable[[], dict[str, float]]] = {
        "decode": lambda: decode(folder),
        "look": lambda: look(folder),
        "scan": lambda: scan(folder, home, processes),
        "again": lambda: scan(folder, home, processes),
        "steps": lambda: steps(folder, home),
    }
    found = tasks[task]()
    seconds = found.pop("seconds")
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    found["whole"] = time.perf_counter() - _BEGAN
    print(json.dumps({"seconds": seconds, "megabytes": peak, "steps": found}))


def decode(folder: str) -> dict[str, float]:
    """The floor of a scan: every line into a typed struct whose content stays as it is."""
    import msgspec

    class Message(msgspec.Struct):
        role: str | None = None
        content: msgspec.Raw = msgspec.Raw()

    class Line(msgspec.Struct):
        type: str | None = None
        uuid: str | None = None
        sessionId: str | None = None  # noqa: N815
        timestamp: str | None = None
        cwd: str | None = None
        message: Message | None = None

    read = msgspec.json.Decoder(Line).decode
    paths = [os.path.join(base, name) for base, _, names in os.walk(folder) for name in names]
    began = time.perf_counter()
    for path in paths:
        if path.endswith(".jsonl"):
            with open(path, "rb") as file:
                for line in file:
                    try:
                        read(line)
                    except msgspec.MsgspecError:
                        pass
    return {"seconds": time.perf_counter() - began}


def look(folder: str) -> dict[str, float]:
    """The floor of a scan with nothing new: every file looked at."""
    began = time.perf_counter()
    waiting = [folder]
    while waiting:
        for entry in os.scandir(waiting.pop()):
            if entry.is_dir(follow_symlinks=False):
                waiting.append(entry.path)
            else:
                entry.stat()
    return {"seconds": time.perf_counter() - began}


def scan(folder: str, home: str, processes: int) -> dict[str, float]:
    from lessons.capture.run import Options, run

    began = time.perf_counter()
    run(home, Options([folder], processes=processes))
    return {"seconds": time.perf_counter() - began}


def steps(folder: str, home: str) -> dict[str, float]:
    """The parts of a scan: each run does one step more than the one before."""
    from lessons.agents.readers import READERS
    from lessons.capture import call_row, extract
    from lessons.capture.consent import Consent
    from lessons.capture.jobs import Job, Known
    from lessons.capture.lines import blocks_of
    from lessons.capture.work import in_this_process

    reader = READERS["claude-code"]
    paths = [os.path.join(base, name) for base, _, names in os.walk(folder) for name in names]
    paths = [path for path in paths if path.endswith(".jsonl")]

    def lines(look: Callable[[bytes, int], object]) -> None:
        for path in paths:
            descriptor = os.open(path, os.O_RDONLY)
            for position, data, _, _ in blocks_of(descriptor, 0, os.fstat(descriptor).st_size):
                look(data or b"", position)
            os.close(descriptor)

    def rows() -> None:
        for _ in in_this_process([Job("claude-code", path, Known()) for path in paths], Consent()):
            pass

    split = _timed(lambda: lines(lambda data, position: None))
    events = _timed(lambda: lines(lambda data, position: reader.sound_records(data, position)))
    all_rows = _timed(rows)
    for module in (call_row, extract):
        module.redacted_start = lambda text, limit: text[:limit]  # type: ignore[attr-defined]
    extract.redacted = lambda text: text  # type: ignore[attr-defined]
    without_redaction = _timed(rows)
    return {
        "seconds": all_rows,
        "lines": split,
        "events": events - split,
        "rows": without_redaction - events,
        "redaction": all_rows - without_redaction,
    }


def _timed(work: Callable[[], None]) -> float:
    began = time.perf_counter()
    work()
    return time.perf_counter() - began


if __name__ == "__main__":
    main(sys.argv[1], sys.argv[2], sys.argv[3], int(sys.argv[4]))
