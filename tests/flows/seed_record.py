"""The example record of the data model: same triggers, same effects, in our own words."""

SLUG = "pytest-tty-hanging-k9m2"
PATTERN = r"\bpytest\b(?!.*(--no-header|-p no:faulthandler))"
REASON = "This pytest lacks two flags. Rerun as: {command} --no-header -p no:faulthandler"

RECORD: dict[str, object] = {
    "id": "01JQSEED00000000000000001",
    "slug": SLUG,
    "summary": "pytest waits for a terminal where there is none",
    "problem": "A bare `pytest` looks for a terminal and waits, because a tool call has none.",
    "solution": "Run `python -m pytest --no-header -p no:faulthandler` with the same arguments.",
    "injection": "## Flags that pytest needs here\nAdd `--no-header -p no:faulthandler`.",
    "block": True,
    "blockReason": REASON,
    "triggers": {
        "toolNames": ["Bash"],
        "commandPatterns": [PATTERN],
        "pathPatterns": [],
        "contentPatterns": [],
        "sessionStart": False,
    },
    "scope": {"type": "global"},
    "priority": 8,
    "confidence": 0.95,
    "needsReview": False,
    "tags": ["lang:python", "tool:pytest", "severity:hang"],
    "sourceSessionIds": [],
    "occurrenceCount": 0,
    "createdAt": "2026-03-29T00:00:00Z",
    "updatedAt": "2026-03-29T00:00:00Z",
    "contentHash": "sha256:...",
}
