"""Node.js, which reads the regexes of a manifest as another program would.

Run as a program it installs Debian's package if possible; otherwise the tests are skipped, with the reason.
"""

import json
import shutil
import subprocess
import sys
from collections.abc import Sequence
from typing import NamedTuple

import pytest

from tests.programs import install_missing

PROGRAMS = {"node": "nodejs"}
# One line of output: for each case a list of booleans, or the text of an error.
_SCRIPT = """
const cases = JSON.parse(require("fs").readFileSync(0, "utf8"));
console.log(JSON.stringify(cases.map(([source, flags, texts]) => {
  try { return texts.map(text => new RegExp(source, flags).test(text)); } catch (error) { return String(error); }
})));
"""


class Case(NamedTuple):
    source: str
    flags: str
    texts: list[str]


def decisions(cases: Sequence[Case]) -> list[list[bool] | str]:
    """Returns for each regex whether it is found in each of its texts, or why it is none."""
    node = shutil.which("node")
    if node is None:
        pytest.skip("NOT TESTED in JavaScript: node is not installed (`make javascript`, Debian package nodejs)")
    done = subprocess.run([node, "-e", _SCRIPT], input=json.dumps(cases), capture_output=True, text=True, check=True)
    found: list[list[bool] | str] = json.loads(done.stdout)
    return found


def main() -> int:
    """Never fails: without it the tests are skipped."""
    if install_missing(PROGRAMS):
        print("javascript: NOT TESTED. Install nodejs.", file=sys.stderr)
    return 0


if __name__ == "__main__":
    sys.exit(main())
