"""A few lessons in the format of joeblackwaslike/lessons-learned, in our own words: its manifest and a record."""

import json
from pathlib import Path

MESSAGE = (
    "## Lesson: the test runner waits for a terminal\n"
    "Without a terminal the runner asks a question and waits for ever.\n"
    "**Fix**: Give it --batch and a time limit."
)
ENTRIES: dict[str, object] = {
    "01GUARD": {
        "slug": "runner-waits-ab12",
        "type": "guard",
        "priority": 8,
        "confidence": 0.9,
        "toolNames": ["Bash"],
        "commandRegexSources": [{"source": "\\bproverun\\b(?!.*--batch)", "flags": "i"}],
        "pathRegexSources": [],
        "tags": ["tool:proverun", "Not A Tag"],
        "summary": "the test runner waits for a terminal",
        "message": MESSAGE,
    },
    "01PATH": {
        "slug": "lock-files-cd34",
        "type": "hint",
        "toolNames": ["Edit", "Write"],
        "pathRegexSources": [{"source": "[^/]*\\.lock", "flags": "i"}],
        "summary": "Lock files are written by the package manager",
        "problem": "A lock file that was edited by hand breaks the next install.",
        "solution": "Run the package manager and let it write the file.",
    },
    "01START": {
        "slug": "answer-in-kind-ef56",
        "type": "directive",
        "toolNames": [],
        "summary": "Answer in the language of the question",
        "problem": "Every answer came in English, whatever had been asked.",
        "solution": "Look at the language of the question and write in that.",
    },
    "01SCOPED": {
        "slug": "of-one-author-gh78",
        "type": "hint",
        "scope": "Users-somebody-shop",
        "toolNames": ["Bash"],
        "commandRegexSources": [{"source": "npm", "flags": ""}],
        "summary": "The shop is built with make alone",
        "problem": "Nothing but make knows where the shop keeps its parts.",
        "solution": "Call make there, whatever package.json seems to offer.",
    },
    "01OFF": {"slug": "switched-off", "type": "hint", "disabled": True, "summary": "This one is switched off there"},
    "01SLOW": {
        "slug": "slow-pattern",
        "type": "hint",
        "toolNames": ["Bash"],
        "commandRegexSources": [{"source": "^(a+)+$", "flags": ""}],
        "summary": "A pattern that never comes to an end",
        "problem": "The regex tries each way to cut the text into pieces.",
        "solution": "Take the inner repetition out of the outer one.",
    },
    "01THIN": {
        "slug": "thin",
        "type": "hint",
        "toolNames": ["Bash"],
        "summary": "thin",
        "problem": "a",
        "solution": "b",
    },
    "01NONE": 7,
}


def manifest(path: Path) -> Path:
    document = {"type": "lessons-learned-manifest", "version": 1, "config": {}, "lessons": ENTRIES}
    path.write_text(json.dumps(document), encoding="utf-8")
    return path


def row(slug: str = "lock-files-cd34", **changes: object) -> dict[str, object]:
    """A record about lock files."""
    given: dict[str, object] = {
        "id": f"id-{slug}", "slug": slug, "status": "active", "type": "hint",
        "summary": "Lock files are written by the package manager",
        "problem": "A lock file that was edited by hand breaks the next install.",
        "solution": "Run the package manager and let it write the file.", "toolNames": ["Edit"],
        "commandPatterns": [], "pathPatterns": ["**/*.lock"], "modelPatterns": [], "tags": ["topic:locks"],
        "confidence": 0.8,
    }  # fmt: skip
    return {**given, **changes}
