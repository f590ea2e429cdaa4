"""A text or a required literal in, the form in which both are compared out."""


def fold(text: str) -> str:
    """Lower-cases, and turns every character that IGNORECASE equates with an ASCII letter into that letter."""
    if text.isascii():
        return text.lower()
    # Before lower(): it would turn the dotted capital I into two characters and leave the other two unchanged. The
    # fourth such character, the Kelvin sign, already has k as its lower case.
    return text.replace("\u0130", "i").replace("\u0131", "i").replace("\u017f", "s").lower()
