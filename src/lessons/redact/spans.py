"""Puts a marker into a text in each place of a secret."""

Span = tuple[int, int, str]


def without(text: str, spans: list[Span]) -> str:
    """Overlapping places become one: from the first start to the last end, named after the first."""
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
