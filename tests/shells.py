"""The shells that may be a machine's `sh`: every hook line is tested in each of them.

Run as a program it installs missing ones, as root on Debian; elsewhere it prints what will be skipped.
"""

import shutil
import sys

import pytest

from tests.programs import install_missing, packages
from tests.sizes import size

# Each shell and the Debian package it comes with.
SHELLS = {"dash": "dash", "bash": "bash", "busybox": "busybox", "zsh": "zsh", "yash": "yash"}


# What attacks on the installed hook are tried with: in `make stress` each of them, else the one of this machine.
TRIED = [*SHELLS] if size("EVERY_SHELL", 0) else ["sh"]


def program(shell: str) -> str:
    """The path of a shell, to be started under the name `sh`; the test is skipped where it is not installed."""
    found = "/bin/sh" if shell == "sh" else shutil.which(shell)
    if found is None:
        pytest.skip(f"NOT TESTED, {shell} as sh: {shell} is not installed (Debian package {SHELLS[shell]})")
    return found


def main() -> int:
    """Never fails: a test whose shell is missing is skipped, with its reason."""
    if missing := install_missing(SHELLS):
        print(f"shells: NOT TESTED: {', '.join(missing)}. Install {', '.join(packages(SHELLS))}.", file=sys.stderr)
    return 0


if __name__ == "__main__":
    sys.exit(main())
