"""Lines made to take long: time and memory stay bounded, and what comes beside them is found."""

import resource
import subprocess
import sys

from lessons.shell.places import places
from lessons.shell.split import invocations
from tests.tables import table

HOSTILE = [
    "x='$x';" * 8 + "$x",
    "for x in " + "'$x' " * 8000 + "; do $x; done",
    "f0() { echo x; }; " + "".join(f"f{n + 1}() {{ {f'f{n}; ' * 10}}}; " for n in range(9)) + "f9 | bash",
    "echo a>f;" * 3300 + ". f;" * 8000,
    "f() { " + "a;" * 16000 + "};" + "f<<<x;" * 5000,
    "{ " + "a;" * 16000 + "}" + "<x" * 16000,
    "{ " + "a;" * 16000 + "}" + ">x" * 16000,
    "{ " + "a;" * 16000 + "} > >(" + "b;" * 16000 + ")",
    "(a;" * 16000 + ")" * 16000,
    "{ a;" * 8000 + "}>x;" * 8000,
    "tee " + "f " * 30000,
    "tee " + " ".join(f"f{number}" for number in range(8000)) + ";" + "bash f1;" * 2000,
    "x=" + "'a b'" * 10000 + ";" + "$x$x;" * 6000,
    "echo " + "a " * 10000 + "| cat " + "- " * 20000 + "| bash",
    "tee " + ">(bash) " * 8000,
    "cd a/b/c/..;" * 5000 + "bash x",
    "x=" + "a/" * 10000 + ";" + "cd $x;" * 7000,
    "time " * 13000,
    "find " + "-exec a \\; " * 6000,
]
# A machine under load takes more time, but not more of a processor: all together take about two seconds.
_SECONDS = 30
_BYTES = 2 << 30


def test_hostile_lines_take_bounded_time_and_memory() -> None:
    code = "import sys, tests.shell.test_hostile_lines as here; here.run_all()"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout) == (0, f"{len(HOSTILE)}\n"), done.stderr


def run_all() -> None:
    resource.setrlimit(resource.RLIMIT_CPU, (_SECONDS, _SECONDS))
    resource.setrlimit(resource.RLIMIT_AS, (_BYTES, _BYTES))
    print(sum(bool(invocations(line)) and isinstance(places(line, "/x"), list) for line in HOSTILE))


@table("line", HOSTILE)
def test_what_follows_a_hostile_line_is_found(line: str) -> None:
    assert ["pytest -q"] in invocations("pytest -q; " + line)
