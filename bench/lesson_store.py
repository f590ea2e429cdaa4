"""`python -m bench.lesson_store [NUMBER…]`: the time and memory of each verb with so many lessons, as a table."""

import json
import os
import subprocess
import sys
import tempfile
from pathlib import Path

from bench.made import lessons
from bench.process_cost import Cost, cost
from lessons import json_document, paths
from lessons.model import document_from_lesson

SIZES = (100, 1_000)
_STAMP = "2026-01-01T00:00:00Z"
_NEW = {
    "summary": "terraform apply without a plan file asks a question nobody answers",
    "problem": "`terraform apply` without a saved plan waits for an answer on a terminal that is not there.",
    "solution": "Save a plan first with `terraform plan -out tf.plan`, then run `terraform apply tf.plan`.",
    "triggers": {"commandPatterns": ["terraform apply$"], "matchOn": "invocation"},
}


def write(home: str, count: int) -> None:
    """A lessons.json as `add` would have written it."""
    records = [
        {**document_from_lesson(lesson), "createdAt": _STAMP, "updatedAt": _STAMP, "contentHash": ""}
        for lesson in lessons(count)
    ]
    document: dict[str, object] = {"$schema": "./lesson.schema.json", "lessons": records}
    os.makedirs(home, mode=0o700, exist_ok=True)
    with open(os.path.join(home, "lessons.json"), "w", encoding="utf-8") as file:
        file.write(json_document.render(document, json_document.Style()))


def measure(count: int) -> dict[str, Cost]:
    """Each verb in a process of its own; the first build has nothing to start from."""
    program = [sys.executable, "-m", "lessons"]
    with tempfile.TemporaryDirectory(prefix="lessons-bench-") as folder:
        home = os.path.join(folder, "data")
        # In a process of its own: what this one holds would count as memory of those that it starts.
        made = f"from bench.lesson_store import write; write({home!r}, {count})"
        subprocess.run([sys.executable, "-c", made], check=True)
        found = {"start of Python": cost([sys.executable, "-c", "pass"], home)}
        found["start of lessons"] = cost([*program, "mute", "--list"], home)
        found["build, the first"] = cost([*program, "build", "--quiet"], home)
        new = json.dumps(_NEW).encode()
        # The first change of a day makes a copy.
        cost([*program, "edit", "git-stash-untracked", "--priority", "6"], home)
        found["add"] = cost([*program, "add", "--from", "-"], home, new)
        found["edit"] = cost([*program, "edit", "git-stash-untracked", "--priority", "7"], home)
        found["archive"] = cost([*program, "archive", "git-stash-untracked"], home)
        found["list"] = cost([*program, "list"], home)
        found["list --json"] = cost([*program, "list", "--json"], home)
        found["show"] = cost([*program, "show", "git-stash-untracked"], home)
        found["try, a lesson fires"] = cost([*program, "try", "terraform", "apply"], home)
        found["try, none fires"] = cost([*program, "try", "ls"], home)
        found["build"] = cost([*program, "build", "--quiet"], home)
        _log(home)
        found["log"] = cost([*program, "log"], home)
        found["doctor"] = cost([*program, "doctor"], home, codes=(0, 1))  # no hook is installed here, and it says so
    return found


def _log(home: str) -> None:
    """As the hook writes it: one lesson fired a thousand times."""
    line = {
        "time": _STAMP,
        "session": "s1",
        "slug": "git-stash-untracked",
        "decision": "hint",
        "why": "commandPatterns",
    }
    lines = (json.dumps({**line, "toolUseId": f"t{number}"}) + "\n" for number in range(1_000))
    Path(paths.injections_file(home)).write_text("".join(lines), encoding="utf-8")


def main() -> None:
    sizes = [int(word) for word in sys.argv[1:]] or SIZES
    for size in sizes:
        print(f"\n{size:,} lessons: seconds by the clock, of the processor, × the start of Python, peak memory")
        found = measure(size)
        floor = found["start of Python"].processor_seconds
        for name, each in found.items():
            ratio = each.processor_seconds / floor
            times = f"{each.seconds:8.2f} s {each.processor_seconds:8.2f} s {ratio:8.1f} ×"
            print(f"{name:<22} {times} {each.megabytes:7.0f} MB", flush=True)


if __name__ == "__main__":
    main()
