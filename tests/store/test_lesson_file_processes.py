"""Several writers at once lose nothing, and one that is killed leaves a whole file."""

import json
import random
import signal
import subprocess
import sys
from pathlib import Path

from lessons.store import lesson_file

WRITER = """
import sys
from lessons.store import lesson_file

home, name, count = sys.argv[1], sys.argv[2], int(sys.argv[3])
for number in range(count):
    with lesson_file.change(home) as file:
        file.add({
            "id": f"{name}-{number}", "slug": f"{name}-{number}", "summary": "s" * 30,
            "problem": "p" * 2000, "solution": "s" * 2000, "writer": name,
        })
    print(number, flush=True)
"""


def writer(home: Path, name: str, count: int) -> "subprocess.Popen[str]":
    command = [sys.executable, "-c", WRITER, str(home), name, str(count)]
    return subprocess.Popen(command, stdout=subprocess.PIPE, text=True)


def test_eight_writers_lose_nothing(tmp_path: Path) -> None:
    writers = [writer(tmp_path, f"writer{number}", 10) for number in range(8)]
    for process in writers:
        process.communicate(timeout=120)
    assert [process.returncode for process in writers] == [0] * 8
    slugs = [lesson.slug for lesson in lesson_file.read(str(tmp_path)).lessons()]
    assert sorted(slugs) == sorted(f"writer{name}-{number}" for name in range(8) for number in range(10))


def test_a_killed_writer_leaves_a_whole_file_with_all_it_reported(tmp_path: Path) -> None:
    chance = random.Random(7)
    expected: set[str] = set()
    for round_number in range(12):
        name = f"round{round_number}"
        with writer(tmp_path, name, 1000) as process:
            assert process.stdout is not None
            reported = [process.stdout.readline().strip() for _ in range(chance.randint(1, 6))]
            process.send_signal(signal.SIGKILL)
        expected |= {f"{name}-{number}" for number in reported}
        document = json.loads((tmp_path / "lessons.json").read_text())
        assert expected <= {record["slug"] for record in document["lessons"]}
