"""A folder of transcripts in, the candidates that the command line shows of them out."""

import os
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import NamedTuple

import msgspec

from lessons.agents.table import DEFAULT_AGENT


class Evidence(msgspec.Struct, rename="camel", frozen=True):
    """One occurrence; tags and corrections have no call."""

    tool_use_id: str | None = None
    uuid: str | None = None


class Found(msgspec.Struct, rename="camel", frozen=True):
    """What the figures need of a candidate."""

    index: int
    tier: int
    kind: str
    fingerprint: str = ""
    problem: str = ""
    solution: str = ""
    evidence: list[Evidence] = []
    proposed_trigger: dict[str, object] | None = None
    no_trigger: str | None = None

    @property
    def calls(self) -> list[str]:
        """Every failed call that it rests on, once."""
        return list(dict.fromkeys(each.tool_use_id for each in self.evidence if each.tool_use_id))


class Document(msgspec.Struct, frozen=True):
    """What `lessons candidates --json` prints."""

    candidates: list[Found]


class Mined(NamedTuple):
    """A data home and its queue in ranked order."""

    home: str
    candidates: list[Found]


@contextmanager
def mined(transcripts: Path, agent: str = DEFAULT_AGENT) -> Iterator[Mined]:
    """A home of its own with the settings as they come, gone at the end."""
    with TemporaryDirectory(prefix="lessons-eval-") as folder:
        home = os.path.join(folder, "data")
        _lessons(folder, "scan", "--agent", agent, "--path", str(transcripts), "--json")
        document = msgspec.json.decode(_lessons(folder, "candidates", "--all", "--json"), type=Document)
        yield Mined(home, document.candidates)


def _lessons(folder: str, *arguments: str) -> bytes:
    kept = {name: value for name, value in os.environ.items() if not name.startswith("LESSONS_")}
    surroundings = {**kept, "HOME": folder, "LESSONS_HOME": os.path.join(folder, "data")}
    ended = subprocess.run([sys.executable, "-m", "lessons", *arguments], env=surroundings, stdout=subprocess.PIPE)
    if ended.returncode:
        raise SystemExit(f"`lessons {' '.join(arguments)}` ended with {ended.returncode}.")
    return ended.stdout
