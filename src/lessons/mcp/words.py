"""The only way for text of the server to reach a model: cleaned, and limited in length."""

from lessons.plain import framed, neutral

LONGEST_ANSWER = 24_000
_LONGEST_QUOTATION = 1_200


def cleaned(text: str) -> str:
    """Cleans and limits what a tool or a resource returns."""
    text = neutral(text[: 4 * LONGEST_ANSWER])
    return text if len(text) <= LONGEST_ANSWER else text[:LONGEST_ANSWER] + "\n[cut]"


def quotation(source: str, text: str) -> str:
    """Frames text of a transcript as quoted data, below a line that names its source."""
    cut = text if len(text) <= _LONGEST_QUOTATION else text[:_LONGEST_QUOTATION] + " [cut]"
    return framed(source, cut)
