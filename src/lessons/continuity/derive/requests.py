"""What a person asked the agent for: the last request, and the one that a short one continues."""

from lessons.continuity.derive.texts import kept

_LONGEST_REQUEST = 500
_SHORTEST_TELLING = 24


def request_of(text: str) -> str:
    return kept(text, _LONGEST_REQUEST)


def is_telling(text: str) -> bool:
    """Whether it says what is wanted, as "continue" and "yes, 2" do not."""
    return len(text.strip()) >= _SHORTEST_TELLING


def after(last: str, earlier: str, text: str) -> tuple[str, str]:
    """The last request, and before a short one ("continue", "yes, 2") the last that says what is wanted."""
    request = request_of(text)
    if not request:
        return last, earlier
    if len(request) >= _SHORTEST_TELLING:
        return request, ""
    return request, last if len(last) >= _SHORTEST_TELLING else earlier
