"""`make picture`: what `lessons demo` really prints in a terminal of 80 columns in, docs/demo.svg out."""

import io
import sys
from pathlib import Path

import pexpect
from rich.console import Console
from rich.text import Text


def main() -> None:
    lessons = Path(sys.executable).with_name("lessons")
    shown, _ = pexpect.run(f"{lessons} demo", withexitstatus=True, dimensions=(50, 80), timeout=60)
    console = Console(record=True, width=92, file=io.StringIO())
    console.print(Text.from_ansi("$ lessons demo\n" + shown.decode().replace("\r\n", "\n").rstrip()))
    console.save_svg(str(Path(__file__).with_name("demo.svg")), title="lessons demo")


main()
