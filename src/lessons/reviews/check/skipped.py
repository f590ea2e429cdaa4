"""Why a file is not checked, by its name and content."""

import re
from typing import Literal

Reason = Literal["binary", "large", "generated", "unreadable"]
MOST_BYTES = 1024 * 1024
_HEAD = 2048
_NAMES = re.compile(
    r"(?:^|/)(?:package-lock\.json|npm-shrinkwrap\.json|pnpm-lock\.yaml|yarn\.lock|poetry\.lock|uv\.lock|Pipfile\.lock"
    r"|Cargo\.lock|Gemfile\.lock|composer\.lock|go\.sum|flake\.lock)$"
    r"|\.min\.(?:js|css)$|\.map$|_pb2(?:_grpc)?\.py$|\.pb\.go$|\.g\.dart$|(?:^|/)(?:node_modules|vendor|third_party)/"
)
# In the first lines, as linters and GitHub recognise them.
_MARKS = re.compile(
    rb"@generated\b|Code generated .{0,200}DO NOT EDIT|automatically generated[^\n]{0,200}(?:do not edit)", re.I
)


def why_by_name(path: str) -> Reason | None:
    return "generated" if _NAMES.search(path) else None


def why_by_content(content: bytes) -> Reason | None:
    if len(content) > MOST_BYTES:
        return "large"
    if b"\0" in content[: 4 * _HEAD]:
        return "binary"
    head = content[:_HEAD]
    # The plain word first: a case-insensitive search takes longer than all rules together.
    return "generated" if b"generated" in head.lower() and _MARKS.search(head) else None
