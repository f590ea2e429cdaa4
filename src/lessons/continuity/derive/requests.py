"""What the user asked the agent for: the last request, and the one that a short request continues."""

from lessons.continuity.derive.texts import kept

_LONGEST_REQUEST = 500
_SHORTEST_TELLING = 24


def request_of(text: str) -> str:
    return kept(text, _LONGEST_REQUEST)


def is_telling(text: str) -> bool:
    """Whether it says what is wanted, unlike "continue" and "yes, 2"."""
    return len(text.strip()) >= _SHORTEST_TELLING


def after(last: str, earlier: str, text: str) -> tuple[str, str]:
    """Returns the last request and, if it is short ("continue", "yes, 2"), the last earlier one that says what is
    wanted.
    """
    request = request_of(text)
    if not request:
        return last, earlier
    if len(request) >= _SHORTEST_TELLING:
        return request, ""
    return request, last if len(last) >= _SHORTEST_TELLING else earlier
