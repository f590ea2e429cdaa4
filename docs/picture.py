"""`make picture`: what `lessons demo` really prints in a terminal of 80 columns in, docs/demo.svg out."""

import io
import re
import sys
from pathlib import Path

import pexpect
from rich.console import Console
from rich.text import Text


def main() -> None:
    lessons = Path(sys.executable).with_name("lessons")
    shown, _ = pexpect.run(f"{lessons} demo", withexitstatus=True, dimensions=(60, 80), timeout=60)
    console = Console(record=True, width=92, file=io.StringIO())
    console.print(Text.from_ansi("$ lessons demo\n" + shown.decode().replace("\r\n", "\n").rstrip()))
    # Without the web fonts that rich would name: a picture should load nothing from anywhere.
    picture = re.sub(
        r"@font-face \{.*?\}\s*|<!--.*?-->\s*", "", console.export_svg(title="lessons demo"), flags=re.DOTALL
    )
    Path(__file__).with_name("demo.svg").write_text(picture, encoding="utf-8")


main()
