"""`lessons check` over many files, against one pass of a compiled alternation of all patterns over the same bytes."""

import re
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import NamedTuple

from tests.builders.checked_tree import rule_lessons, write_tree
from tests.builders.home import DataHome


class Checked(NamedTuple):
    """Seconds of both, and how many bytes there were."""

    verb: float
    floor: float
    size: int

    @property
    def ratio(self) -> float:
        return self.verb / self.floor


def over(files: int = 10_000, rules: int = 100, lines: int = 60) -> Checked:
    """The whole process with its start and the reading of files, against a search in memory."""
    with tempfile.TemporaryDirectory() as folder:
        home, root = DataHome(Path(folder)), Path(folder) / "tree"
        lessons = rule_lessons(rules)
        home.publish(*lessons)
        size = write_tree(root, files, lines)
        texts = [path.read_text("utf-8") for path in sorted(root.rglob("*.py"))]
        alternation = re.compile(
            "|".join(f"(?:{each['triggers']['contentPatterns'][0]})" for each in lessons), re.ASCII
        )
        begin = time.perf_counter()
        hits = sum(1 for text in texts for _ in alternation.finditer(text))
        floor = time.perf_counter() - begin
        command = [sys.executable, "-m", "lessons", "check", "--json", "--cwd", str(root)]
        begin = time.perf_counter()
        ended = subprocess.run(command, env=home.environment(LESSONS_HOME=home.path), capture_output=True, text=True)
        verb = time.perf_counter() - begin
    assert ended.stdout.count('"slug"') == hits, (ended.stderr, hits)
    return Checked(verb, floor, size)
