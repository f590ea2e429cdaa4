"""Questions to the user that wait for an answer."""

from lessons.continuity.derive.texts import kept_line

_LONGEST_QUESTION = 300
_END_LOOKED_AT = 2_000
_MARKS = ("?", "？", "؟")


def asked_by(questions: list[str]) -> str:
    """Returns the questions of a call to the user, on one line."""
    return kept_line(" / ".join(questions), _LONGEST_QUESTION)


def asked_in(text: str) -> str:
    """Returns the question at the end of a message; empty if there is none."""
    lines = text[-_END_LOOKED_AT:].rstrip(" \t\n*_`\"')").splitlines()
    last = lines[-1].strip(" \t*_`\"'(#>-") if lines else ""
    return kept_line(last, _LONGEST_QUESTION) if last.endswith(_MARKS) else ""
