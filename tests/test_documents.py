"""Every file that a document names exists."""

import re
from pathlib import Path

from tests.tables import table

ROOT = Path(__file__).parents[1]
DOCUMENTS = [
    *("README.md", "CONTRIBUTING.md", "AGENTS.md", "SECURITY.md", "plugin/README.md"),
    *(f"docs/{path.name}" for path in sorted((ROOT / "docs").glob("*.md"))),
]
_LINK = re.compile(r"\]\((?!https?:|#)([^)#\s]+)")
_SOURCE = re.compile(r"`((?:[\w.-]+/)*[\w-]+\.(?:py|sh|toml)|(?:src|tests|docs|bench|evals|plugin)/[\w./-]*)`")
_MADE_UP = ("NAME", "*", "…")  # placeholders
_BESIDE = ("", "src/lessons/", "tests/", "docs/", "plugin/")


def missing_from(document: str) -> list[str]:
    text = (ROOT / document).read_text("utf-8")
    links = [name for name in _LINK.findall(text) if not (ROOT / document).parent.joinpath(name).exists()]
    named = [name for name in _SOURCE.findall(text) if not any(mark in name for mark in _MADE_UP)]
    return links + [name for name in named if not _exists(name)]


def _exists(name: str) -> bool:
    """Accepts a path from the root or a package, and the bare name of a file of ours."""
    if any((ROOT / folder / name).exists() for folder in _BESIDE):
        return True
    return "/" not in name and any((ROOT / "src").rglob(name))


@table("document", DOCUMENTS)
def test_every_file_that_it_names_exists(document: str) -> None:
    assert missing_from(document) == []
