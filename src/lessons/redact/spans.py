"""Replaces each secret in a text with a marker."""

Span = tuple[int, int, str]


def without(text: str, spans: list[Span]) -> str:
    """Merges overlapping spans: from the first start to the last end, with the kind of the first."""
    if not spans:
        return text
    parts: list[str] = []
    position = 0
    for start, end, kind in sorted(spans):
        if start >= position:
            parts += (text[position:start], f"[redacted:{kind}]")
        position = max(position, end)
    parts.append(text[position:])
    return "".join(parts)
