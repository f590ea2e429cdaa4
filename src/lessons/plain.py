"""Removes the characters that steer a terminal or hide what a text says."""

_CONTROL = {number: None for number in (*range(32), *range(127, 160)) if number not in (9, 10)}


def without_control(text: str) -> str:
    """Tabs and line ends stay."""
    return text.translate(_CONTROL)
