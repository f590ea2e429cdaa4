"""Questions to the person that wait for an answer."""

from lessons.continuity.derive.texts import kept_line

_LONGEST_QUESTION = 300
_END_LOOKED_AT = 2_000
_MARKS = ("?", "？", "؟")


def asked_by(questions: list[str]) -> str:
    """The questions that a call puts to the person, on one line."""
    return kept_line(" / ".join(questions), _LONGEST_QUESTION)


def asked_in(text: str) -> str:
    """The question that a message ends with; empty if it ends otherwise."""
    lines = text[-_END_LOOKED_AT:].rstrip(" \t\n*_`\"')").splitlines()
    last = lines[-1].strip(" \t*_`\"'(#>-") if lines else ""
    return kept_line(last, _LONGEST_QUESTION) if last.endswith(_MARKS) else ""
