"""Masks everything in a line that could be a secret, quickly: for the few words that the hook keeps of a failed call.

`texts.py` knows what a secret is, and takes longer to load than the hook may run. This only knows what is none: plain
words, paths of plain words and names of options. Everything else becomes `…`.
"""

# Close to one of these, a plain word may be a secret too.
_ANNOUNCING = (
    "pass", "pwd", "secret", "token", "key", "cred", "auth", "cookie", "login", "bearer", "private", "identified by",
)  # fmt: skip
_AROUND = "\"'`()[]{}<>|&,;:.!?“”‘’"
_LONGEST_PART, _LONGEST_CAPITALS, _LONGEST_WITH_DIGITS = 20, 12, 10
_LONGEST_WORD = 60
_LONGEST_CLUSTER = 3  # of letters, such as `-rf`: behind a longer one may be a value
_READ_BEYOND = 600
MASK = "…"


def masked(text: str, longest: int) -> str:
    """Returns the beginning of a text on one line: words that can hold no secret, and `…` for all others."""
    beginning = text[: longest + _READ_BEYOND]
    first, _, rest = beginning.lstrip().partition(" ")
    program = first if _is_plain(first) or (first.isalnum() and len(first) <= _LONGEST_WITH_DIGITS) else ""
    low = beginning.lower()
    if any(sign in low for sign in _ANNOUNCING) or ("@" in low and "://" in low):
        return f"{program} {MASK}" if program.isalpha() else MASK
    found = [program] if program else []
    before = ""
    for word in (rest if program else beginning).split():
        # Behind a letter such as `-p` is a value.
        shown = MASK if before[:1] == "-" and before[1:2] != "-" and word[:1] not in "-|&;" else _shown(word)
        before = word
        if shown != MASK or found[-1:] != [MASK]:
            found.append(shown)
        if sum(map(len, found)) + len(found) > longest:
            break
    line = " ".join(found)
    return line if len(line) <= longest else line[: longest - 1] + MASK


def _shown(word: str) -> str:
    core = word.strip(_AROUND)
    name, equals, _ = core.partition("=")
    if core.startswith("-"):
        letters = name.removeprefix("--")
        is_long = name.startswith("--")
        if not _is_plain(letters.removeprefix("-")) or (not is_long and len(letters) > _LONGEST_CLUSTER):
            return MASK
        return f"{name}={MASK}" if equals else word
    if not core:
        return word if len(word) <= _LONGEST_CLUSTER else MASK
    parts = core.replace(".", "/").split("/")
    is_plain = len(core) <= _LONGEST_WORD and all(_is_plain(part) for part in parts if part)
    return word if is_plain and len(word) <= len(core) + _LONGEST_CLUSTER else MASK


def _is_plain(part: str) -> bool:
    """Whether it has letters only, in words of a length that people write, all small or as a name."""
    if len(part) > _LONGEST_PART or not part.replace("-", "").replace("_", "").isalpha():
        return False
    return sum(sign.isupper() for sign in part[1:]) <= 2 or (part.isupper() and len(part) <= _LONGEST_CAPITALS)
