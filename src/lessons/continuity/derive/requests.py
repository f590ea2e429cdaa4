"""What a person wrote to the agent in, the request as it is kept, and the one it goes on with, out."""

from lessons.continuity.derive.texts import kept

_LONGEST = 500
_TELLING = 24


def request_of(text: str) -> str:
    return kept(text, _LONGEST)


def is_telling(text: str) -> bool:
    """Whether it says what is wanted, as "continue" and "yes, 2" do not."""
    return len(text.strip()) >= _TELLING


def after(last: str, earlier: str, text: str) -> tuple[str, str]:
    """The last request, and before a short one ("continue", "yes, 2") the last that says what is wanted."""
    request = request_of(text)
    if not request:
        return last, earlier
    if len(request) >= _TELLING:
        return request, ""
    return request, last if len(last) >= _TELLING else earlier
