"""Lessons in, a project that shares them in its folder `.lessons` out."""

import json
from pathlib import Path

from tests.builders.lessons import Document


def shared(slug: str = "no-force-push", **changes: object) -> Document:
    """A lesson as a project shares it: it denies `git push --force`."""
    document: Document = {
        "slug": slug, "summary": f"Force pushes lose commits, says {slug}",
        "problem": "A forced push replaces what others have pushed to the branch meanwhile.",
        "solution": "Push with --force-with-lease, or ask whoever shares the branch.", "block": True,
        "blockReason": "The branch is shared. This was: {command}",
        "triggers": {"toolNames": ["Bash"], "commandPatterns": ["git push .*--force\\b"]},
    }  # fmt: skip
    return {**document, **changes}


def hinting(slug: str = "use-pnpm", **changes: object) -> Document:
    """One that says something else, and only hints."""
    document: Document = {
        "slug": slug, "summary": "This workspace is installed with pnpm",
        "problem": "npm writes a second lock file, and the two drift apart.",
        "solution": "Call pnpm install; every script of package.json runs with pnpm too.",
        "triggers": {"commandPatterns": ["npm install"], "matchOn": "invocation"},
        "examples": {"fires": ["npm install left-pad"], "quiet": ["pnpm install", "cat npm-install.log"]},
        "tags": ["tool:npm"],
    }  # fmt: skip
    return {**document, **changes}


class Project:
    """A repository with lessons of its own."""

    def __init__(self, root: Path, *lessons: Document) -> None:
        self.root = root
        self.folder = root / ".lessons"
        (root / ".git").mkdir(parents=True)
        self.folder.mkdir()
        for lesson in lessons:
            self.write(lesson)

    @property
    def path(self) -> str:
        return str(self.root)

    def write(self, lesson: Document, name: str = "") -> Path:
        file = self.folder / (name or f"{lesson['slug']}.json")
        file.write_text(json.dumps(lesson), encoding="utf-8")
        return file
