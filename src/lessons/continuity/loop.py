"""Errors of a session in, one note out when the same one has come three times within a short while."""

from lessons.store import failures

_TIMES = 3
_EITHER_END = 4096  # characters that are read of a long error
_LONGEST_LINE = 400
_MOST_LINES = 5
_MOST_TELLING = 40
_QUOTED = 200
_NUMBERS = ("", "once", "twice", "three times", "four times", "five times")
_TELLING = (
    *("error", "fail", "fatal", "exception", "panic", "not found", "no such", "cannot", "can't", "could not"),
    *("unable", "unknown", "unexpected", "invalid", "illegal", "denied", "refused", "rejected", "not permitted"),
    *("not allowed", "missing", "required", "timed out", "timeout", "conflict", "already ", "does not", "is not"),
)
_DIGITS = frozenset("0123456789")
_IN_HEXADECIMAL = frozenset("0123456789abcdefABCDEF-")
_IN_MOMENTS = frozenset("0123456789:.,+-/%TZ")
_AROUND = "'\"`()[]{}<>,;:.!?*=‘’“”│|"


def note(home: str, session: str, agent_id: str, error: str, now: float, lesson: str = "") -> str:
    """What the agent is told after this failure; nothing most of the time, and once for each error that comes again."""
    normal = shape(error)
    if not session or not normal:
        return ""
    count = failures.noted(home, session, agent_id, normal, now)
    if count < _TIMES or not failures.claim(home, session, agent_id, normal):
        return ""
    began = failures.began(home, session, agent_id, normal, now)
    return words(error, count, max(1, round((now - began) / 60)), lesson)


def words(error: str, count: int, minutes: int, lesson: str = "") -> str:
    """The note itself; `lesson` is what is known about the error."""
    often = _NUMBERS[count] if count < len(_NUMBERS) else f"{count} times"
    told = (_telling_lines(error) or [""])[0].strip()[:_QUOTED]
    text = f"The same error has come {often} in {minutes} minute{'' if minutes == 1 else 's'}: {told}"
    text += (
        "\nWhat was tried in between has not changed it; another cause or another way is likelier than one more try."
    )
    return f"{text}\n{lesson}" if lesson else text


def shape(error: str) -> str:
    """What stays of an error when it comes again: its telling lines without numbers, hashes, paths and times."""
    lines: list[str] = []
    for line in _telling_lines(error):
        normal = _normal(line)
        if normal not in lines and any(character.isalpha() for character in normal):
            lines.append(normal)
        if len(lines) == _MOST_LINES:
            break
    return "\n".join(lines)


def _telling_lines(error: str) -> list[str]:
    """Those that say what went wrong, else the last few."""
    if len(error) > 2 * _EITHER_END:
        error = error[:_EITHER_END] + "\n" + error[-_EITHER_END:]
    lines = [_plain(line) for line in dict.fromkeys(line[:_LONGEST_LINE] for line in error.splitlines())]
    lines = [line for line in lines if line.strip() and not _is_exit_code(line)]
    telling = [line for line in lines if _is_telling(line.lower())]
    return telling[:_MOST_TELLING] or lines[-3:]


def _is_telling(line: str) -> bool:
    return any(word in line for word in _TELLING)


def _is_exit_code(line: str) -> bool:
    """The client's own heading, which says nothing of the error."""
    return line.lower().removeprefix("error: ").startswith("exit code ") and len(line) < 30


def _plain(line: str) -> str:
    """Without the sequences that colour a terminal, and other control characters."""
    if line.isprintable():
        return line
    first, *pieces = line.split("\x1b")
    for piece in pieces:
        end = next((place for place, character in enumerate(piece) if character.isalpha()), len(piece) - 1)
        first += piece[end + 1 :] if piece[:1] == "[" else piece
    return "".join(character if character.isprintable() else " " for character in first)


def _normal(line: str) -> str:
    kept: list[str] = []
    for word in line.split():
        normal = _word(word)
        if not kept or normal != kept[-1]:
            kept.append(normal)
    return " ".join(kept)


def _word(word: str) -> str:
    core = word.strip(_AROUND)
    if "/" in core or "\\" in core:
        _, separator, item = core.partition("::")  # a path, and perhaps what is meant in it
        return "<path>" + (separator + _without_digits(item) if separator else "")
    if not _DIGITS & set(core):
        return word
    if set(core) <= _IN_MOMENTS or (len(core) >= 7 and set(core) <= _IN_HEXADECIMAL) or core[:2] in ("0x", "0X"):
        return "#"
    normal = _without_digits(word)
    return "#" if core[0] in _DIGITS and sum(character.isalpha() for character in core) <= 2 else normal


def _without_digits(word: str) -> str:
    """Every run of digits, and of points between them, becomes one sign."""
    kept = ""
    for character in word:
        if character not in _DIGITS:
            kept += character
        elif not kept.endswith("#"):
            kept = kept[:-2] + "#" if kept.endswith(("#.", "#:")) else kept + "#"
    return kept
