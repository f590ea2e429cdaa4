"""The words of an error, normalised, so that the same mistake has the same words another time."""

_READ_AT_EACH_END = 3000
_LONGEST_WORD = 24
_MOST_WORDS = 400


def error_words(error: str, exit_code: "int | None", program: str) -> "set[str]":
    """Returns single words and neighbouring pairs in lower case, the exit code and the program.

    Numbers and signs separate words and are left out: counts, line numbers and hashes differ every time.
    """
    if len(error) > 2 * _READ_AT_EACH_END:
        error = f"{error[:_READ_AT_EACH_END]}\n{error[-_READ_AT_EACH_END:]}"
    found: set[str] = set()
    before = ""
    for word in _words(error):
        if not 2 <= len(word) <= _LONGEST_WORD:
            before = ""
            continue
        found.add(word)
        if before:
            found.add(f"{before} {word}")
        before = word
        if len(found) >= _MOST_WORDS:
            break
    if exit_code is not None:
        found.discard("exit code")
        found.add(f"=exit {exit_code}")
    if program:
        found.add(f"=program {program}")
    if len(found) <= 2:
        found.add("=silent")
    return found


def _words(text: str) -> "list[str]":
    """Splits at everything that is no letter; an underscore belongs to its word."""
    others = {ord(sign): " " for sign in set(text) if not (sign.isalpha() or sign == "_")}
    return text.translate(others).lower().split()
