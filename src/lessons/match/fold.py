"""A text or a required literal in, the form in which the two are compared out."""


def fold(text: str) -> str:
    """Lower case, with every character that IGNORECASE takes for an ASCII letter turned into that letter."""
    if text.isascii():
        return text.lower()
    # Before lower(): it would make two characters of the dotted capital I, and leave the other two as they are.
    # The fourth of the kind, the Kelvin sign, has k as its lower case already.
    return text.replace("\u0130", "i").replace("\u0131", "i").replace("\u017f", "s").lower()
