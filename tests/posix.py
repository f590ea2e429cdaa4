"""A test module's text in, what Windows lacks of it out: there the module is skipped for that reason."""

import os
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

HERE = os.name == "posix"
# Shells, terminals, rights, links and signals, and the builders of our own that work with them.
_NEEDS = re.compile(
    r"\b(?:fcntl|termios|pexpect|mkfifo|symlink\w*|chmod|get(?:e)?uid|S_IMODE|st_mode|SIG(?:KILL|INT|TERM)|unshare"
    r"|posix_spawn|setitimer|raise_signal|DataHome|CommandLine|Machine|PackageCopy|bash_oracle)\b"
    r"|/bin/sh|#!|import resource"
)


def needed_by(text: str) -> str:
    """The first thing that only POSIX systems have; empty where there is none."""
    found = _NEEDS.search(text)
    return found[0] if found else ""


class SkippedModule(pytest.Module):
    """A test module that is not even imported, but told of in the summary."""

    def collect(self) -> Iterator[pytest.Item | pytest.Collector]:
        needed = needed_by(self.path.read_text(encoding="utf-8"))
        pytest.skip(f"{self.path.name} needs POSIX ({needed})", allow_module_level=True)


def module_for(path: Path, parent: pytest.Collector) -> pytest.Module | None:
    """What stands in for the module on Windows; None where the module itself can be used."""
    if HERE or not needed_by(path.read_text(encoding="utf-8")):
        return None
    module: pytest.Module = SkippedModule.from_parent(parent, path=path)
    return module
