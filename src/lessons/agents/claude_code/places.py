"""Where Claude Code leaves its transcripts, and how they are named."""

import os

SUFFIX = ".jsonl"
# What lies in there is the raw output of tools, no conversation.
SKIPPED_FOLDERS = frozenset(("tool-results",))


def roots() -> list[str]:
    """Every folder of projects that this person's clients may write to."""
    homes = [os.environ.get("CLAUDE_CONFIG_DIR", ""), "~/.claude", "~/.config/claude"]
    found = [os.path.join(os.path.realpath(os.path.expanduser(home)), "projects") for home in homes if home]
    return list(dict.fromkeys(found))


def stem(path: str) -> str:
    return os.path.basename(path).removesuffix(SUFFIX)
