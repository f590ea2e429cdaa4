"""The suite on Windows: what needs POSIX is reported and not imported, everything else can be collected."""

from pathlib import Path

from tests.posix import needed_by
from tests.tables import table

ROOT = Path(__file__).parents[1]


@table("name", ["match/test_glob.py", "shell/test_split.py", "inject/test_budget.py", "test_paths.py"])
def test_what_is_plain_python_is_not_skipped(name: str) -> None:
    assert needed_by((ROOT / "tests" / name).read_text(encoding="utf-8")) == ""


@table(
    ("text", "needed"),
    [
        ("import fcntl", "fcntl"),
        ('["/bin/sh", "-c", line]', "/bin/sh"),
        ("file.chmod(0o755)", "chmod"),
        ("os.geteuid() == 0", "geteuid"),
        ("process.send_signal(signal.SIGKILL)", "SIGKILL"),
        ("def test(lessons: CommandLine) -> None: ...", "CommandLine"),
    ],
)
def test_what_needs_posix(text: str, needed: str) -> None:
    assert needed_by(text) == needed
