"""One task of the bench in, its cost as JSON out; a process of its own."""

import time

_BEGAN = time.perf_counter()

import json  # noqa: E402
import os  # noqa: E402
import resource  # noqa: E402
import sys  # noqa: E402
import tempfile  # noqa: E402
from collections.abc import Callable  # noqa: E402
from contextlib import suppress  # noqa: E402
from pathlib import Path  # noqa: E402


def main(task: str, folder: str, home: str, processes: int) -> None:
    tasks: dict[str, Callable[[], dict[str, float]]] = {
        "decode": lambda: decode(folder),
        "look": lambda: look(folder),
        "scan": lambda: warm_up() | scan(folder, home, processes),
        "again": lambda: scan(folder, home, processes),
        "steps": lambda: warm_up() and steps(folder, home),
    }
    found = tasks[task]()
    seconds = found.pop("seconds")
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    found["whole"] = time.perf_counter() - _BEGAN
    processor = found.pop("processor", 0.0)
    print(json.dumps({"seconds": seconds, "processor": processor, "megabytes": peak, "steps": found}))


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
    began, worked = time.perf_counter(), time.process_time()
    for path in paths:
        if path.endswith(".jsonl"):
            with open(path, "rb") as file:
                for line in file:
                    try:
                        read(line)
                    except msgspec.MsgspecError:
                        pass
    return {"seconds": time.perf_counter() - began, "processor": time.process_time() - worked}


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


def warm_up() -> dict[str, float]:
    """Scans some made sessions: modules and patterns that a scan loads late are a part of its start, which does not
    count. Worker processes start anew in every scan, and that counts.
    """
    from tests.builders.promotable import TAG, write_mistakes

    with tempfile.TemporaryDirectory(prefix="lessons-bench-") as folder:
        write_mistakes(Path(folder) / "t", tag=TAG)
        cost = scan(os.path.join(folder, "t"), os.path.join(folder, "home"), 1)
    return {"warm-up": cost["seconds"]}


def scan(folder: str, home: str, processes: int) -> dict[str, float]:
    from lessons.scan.run import Options, run

    began, worked = time.perf_counter(), _processor_seconds()
    run(home, Options([folder], processes=processes or None))
    return {"seconds": time.perf_counter() - began, "processor": _processor_seconds() - worked}


def _processor_seconds() -> float:
    """CPU time of this process and of its workers that have ended."""
    workers = resource.getrusage(resource.RUSAGE_CHILDREN)
    return time.process_time() + workers.ru_utime + workers.ru_stime


def steps(folder: str, home: str) -> dict[str, float]:
    """The parts of a scan, measured from outside; what is left is the making of rows."""
    from lessons.agents.claude_code.transcript import Transcripts
    from lessons.scan import extract, mine, rows
    from lessons.store.history import write

    spent: dict[str, float] = {}

    def watch(place: object, name: str, step: str) -> None:
        """Does not see calls inside compiled modules, which do not look names up."""
        function = getattr(place, name)

        def watched(*arguments: object, **named: object) -> object:
            began = time.perf_counter()
            try:
                return function(*arguments, **named)
            finally:
                spent[step] = spent.get(step, 0.0) + time.perf_counter() - began

        with suppress(TypeError):  # attributes of a compiled class are read-only
            setattr(place, name, watched)

    watch(Transcripts, "sound_records", "decoding and events")
    watch(write, "write", "writing")
    watch(mine, "mine", "mining")
    for module, name in ((rows, "is_plain"), (rows, "redacted_value"), (extract, "redacted_start")):
        watch(module, name, "redaction")
    watch(rows, "_start_and_end", "redaction")
    watch(rows, "program_of", "shell lines")
    watch(rows, "hides_exit", "shell lines")
    whole = scan(folder, home, 1)
    return {**whole, **spent, "rest": whole["seconds"] - sum(spent.values())}


if __name__ == "__main__":
    main(sys.argv[1], sys.argv[2], sys.argv[3], int(sys.argv[4]))
