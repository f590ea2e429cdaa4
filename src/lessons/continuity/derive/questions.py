"""What the agent asked in, the questions that wait for an answer out."""

from lessons.continuity.derive.texts import kept_line, text_at

TOOL = "AskUserQuestion"
_LONGEST = 300
_LOOKED_AT = 2_000
_MARKS = ("?", "？", "؟")


def asked_by(arguments: dict[object, object]) -> str:
    """The questions of a call that puts them to the person."""
    given = arguments.get("questions")
    parts = given[:10] if isinstance(given, list) else []
    questions = [text_at(each, "question") for each in parts if isinstance(each, dict)]
    return kept_line(" / ".join(filter(None, questions)) or text_at(arguments, "question"), _LONGEST)


def asked_in(text: str) -> str:
    """The question that a message ends with; empty where it ends otherwise."""
    lines = text[-_LOOKED_AT:].rstrip(" \t\n*_`\"')").splitlines()
    last = lines[-1].strip(" \t*_`\"'(#>-") if lines else ""
    return kept_line(last, _LONGEST) if last.endswith(_MARKS) else ""
