"""Changes in, a complete lesson record of lessons.json out."""

from hashlib import sha256

Document = dict[str, object]


def lesson(slug: str = "stash-leaves-files", **changes: object) -> Document:
    """A lesson that hints at `git stash` until told otherwise; each slug has an id of its own."""
    document: Document = {
        "id": f"id-{slug}", "slug": slug, "summary": f"A lesson named {slug} for the tests",
        "problem": "Plain git stash leaves the untracked files where they are.",
        "solution": "Stash with -u, so that the untracked files go along.",
        "triggers": {"commandPatterns": ["git stash"]}, "priority": 5, "confidence": 0.9, "needsReview": False,
        "tags": ["tool:git"],
    }  # fmt: skip
    return {**document, **changes}


def blocking(slug: str = "no-force-push", **changes: object) -> Document:
    """A lesson that denies `git push --force`."""
    given: Document = {
        "block": True,
        "blockReason": "The branch is shared. This was: {command}",
        "triggers": {"commandPatterns": ["git push .*--force"]},
    }
    return lesson(slug, **{**given, **changes})


def stopping(slug: str = "think-before-reset", **changes: object) -> Document:
    """A lesson that denies the first `git reset --hard` of a context."""
    given: Document = {"stopOnce": True, "triggers": {"commandPatterns": ["git reset --hard"]}}
    return lesson(slug, **{**given, **changes})


def in_own_words(document: Document) -> Document:
    """The same lesson with a problem and a solution that no other one is like."""
    name = str(document["slug"])
    said = {field: " ".join(_words(f"{field} of {name}")) for field in ("problem", "solution")}
    return {**document, **said}


def _words(seed: str) -> list[str]:
    digest = sha256(seed.encode()).hexdigest()
    return [digest[start : start + 6] for start in range(0, 60, 6)]
