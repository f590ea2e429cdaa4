"""What the first screen of `lessons init` waits for."""

import subprocess
import sys

LATER = (
    "lessons.ledger.tend",
    "lessons.replay.report",
    "lessons.promote.proposals",
)
LOADED = f"""
import sys
import lessons.cli.verbs.init
from lessons.ledger import after_scan
print(*(name for name in {LATER!r} if name in sys.modules))
"""


def test_what_the_end_needs_is_not_loaded() -> None:
    found = subprocess.run([sys.executable, "-c", LOADED], check=True, capture_output=True, text=True)
    assert found.stdout.split() == []
