"""Recognises an identical error, when nothing has changed since it last occurred.

Narrower than a fingerprint, which is equal for the same mistake elsewhere: here another file, another count of failed
tests or another port makes another error. The hook computes it and has no time to load regular expressions.
"""

_READ_AT_EACH_END = 4096  # characters read at each end of a long error
_LONGEST_LINE = 400
_MOST_LINES = 5
_MOST_TELLING_LINES = 40
_TELLING = (
    *("error", "fail", "fatal", "exception", "panic", "not found", "no such", "cannot", "can't", "could not"),
    *("unable", "unknown", "unexpected", "invalid", "illegal", "denied", "refused", "rejected", "not permitted"),
    *("not allowed", "missing", "required", "timed out", "timeout", "conflict", "already ", "does not", "is not"),
)
_DIGITS = frozenset("0123456789")
_IN_HEXADECIMAL = frozenset("0123456789abcdefABCDEF-")
_IN_MOMENTS = frozenset("0123456789:.,+-/%TZ")
_IN_NUMBERS = frozenset("0123456789.")
_UNITS = ("s", "ms", "us", "µs", "ns", "m", "h", "hm", "hms", "min", "sec", "secs", "mins")
_UNIT_WORDS = (*_UNITS, "second", "seconds", "minute", "minutes", "hour", "hours", "milliseconds", "millis")
# A number after one of these is a position or a process, not part of the error.
_COUNTED = ("line", "lines", "column", "col", "char", "character", "offset", "pid", "process", "ppid", "thread", "tid")
_AROUND = "'\"`()[]{}<>,;:.!?*=‘’“”│|"


def repeated_form(error: str) -> str:
    """Returns the telling lines of an error without positions, hashes, folders and times."""
    lines: list[str] = []
    for line in telling_lines(error):
        normal = _normal(line)
        if normal not in lines and any(character.isalpha() for character in normal):
            lines.append(normal)
        if len(lines) == _MOST_LINES:
            break
    return "\n".join(lines)


def telling_lines(error: str) -> list[str]:
    """Returns the lines that say what went wrong, else the last three."""
    if len(error) > 2 * _READ_AT_EACH_END:
        error = error[:_READ_AT_EACH_END] + "\n" + error[-_READ_AT_EACH_END:]
    lines = [_plain(line) for line in dict.fromkeys(line[:_LONGEST_LINE] for line in error.splitlines())]
    lines = [line for line in lines if line.strip() and not _is_exit_code(line)]
    telling = [line for line in lines if _is_telling(line.lower())]
    return telling[:_MOST_TELLING_LINES] or lines[-3:]


def _is_telling(line: str) -> bool:
    return any(word in line for word in _TELLING)


def _is_exit_code(line: str) -> bool:
    """Whether this is the client's own heading, which says nothing about the error."""
    return line.lower().removeprefix("error: ").startswith("exit code ") and len(line) < 30


def _plain(line: str) -> str:
    """Removes terminal colours and other control characters."""
    if line.isprintable():
        return line
    first, *pieces = line.split("\x1b")
    for piece in pieces:
        end = next((place for place, character in enumerate(piece) if character.isalpha()), len(piece) - 1)
        first += piece[end + 1 :] if piece[:1] == "[" else piece
    return "".join(character if character.isprintable() else " " for character in first)


def _normal(line: str) -> str:
    kept: list[str] = []
    words = line.split()
    for number, word in enumerate(words):
        before = words[number - 1].strip(_AROUND).lower() if number else ""
        after = words[number + 1].strip(_AROUND).lower() if number + 1 < len(words) else ""
        is_noise = (before in _COUNTED or after in _UNIT_WORDS) and _is_number(word.strip(_AROUND))
        normal = "#" if is_noise else _word(word)
        if not kept or normal != kept[-1]:
            kept.append(normal)
    return " ".join(kept)


def _word(word: str) -> str:
    """Keeps names, counts and codes; removes positions, times and random names."""
    core = word.strip(_AROUND)
    name, equals, value = core.partition("=")
    if equals and value and name.isidentifier():
        return f"{name}={'#' if name.lower() in _COUNTED and _is_number(value) else _word(value)}"
    if "/" not in core and "\\" not in core and not _DIGITS & set(core):
        return word
    if _is_moment(core) or _is_random(core):
        return "#"
    if "/" in core or "\\" in core:
        return _path(core)
    if word.endswith("]:") and _is_number(core.rpartition("[")[2]):
        return core.rpartition("[")[0]  # a program and its process: `sshd[77]:`
    without = _without_place(core)
    return word if without == core else without


def _path(core: str) -> str:
    """Returns the last part of a path, and the item after `::`."""
    path, separator, item = core.partition("::")
    path = _without_place(path.replace("\\", "/").rstrip("/"))
    folder, _, name = path.rpartition("/")
    if _is_random(name) or _is_temporary(name, folder.rpartition("/")[2]):
        name = "<temporary>"
    return name + separator + item


def _without_place(name: str) -> str:
    """Removes line and column from a file name: `a.py:12:5`, `a.ts(1,3)`."""
    start, _, inside = name.rpartition("(")
    if "." in start and _is_number(inside.removesuffix(")").replace(",", "")):
        return start
    file, parts = name, 0
    while parts < 2 and ":" in file and _is_number(file.rpartition(":")[2]):
        file, parts = file.rpartition(":")[0], parts + 1
    is_address = not any(character.isalpha() for character in file) or file.lower().endswith("localhost")
    is_file = parts == 2 or "." in file or "/" in file or file.lower().endswith("file")
    return file if parts and is_file and not is_address else name


def _is_number(text: str) -> bool:
    return bool(text) and set(text) <= _IN_NUMBERS and bool(_DIGITS & set(text))


def _is_moment(core: str) -> bool:
    """Whether it is a time, date, duration (`0.12s`, `1m2s`), position in a file (`12:5`) or progress (`10%`)."""
    if core[0] not in _DIGITS:
        return False
    if set(core) <= _IN_MOMENTS:
        has_clock = ":" in core and core.count(".") < 2  # addresses have more dots
        return has_clock or core[-1] in "%Z" or core.count("-") == 2 or core.count("/") == 2
    return "".join(character for character in core if character not in _IN_NUMBERS) in _UNITS


def _is_random(name: str) -> bool:
    """Whether it is a memory address, a hash, a uuid, or a number too long to be a count."""
    if name[:2] in ("0x", "0X"):
        return True
    return len(name) >= 7 and set(name) <= _IN_HEXADECIMAL and bool(_DIGITS & set(name))


def _is_temporary(name: str, folder: str) -> bool:
    """Whether it is a generated temporary name: `tmpab12cd`, and in a temporary folder also `Xa8sK2`."""
    lower = name.lower()
    if lower.startswith(("tmp", "temp")) and len(name) >= 7 and not lower.startswith("templ"):
        return True
    stem = name.partition(".")[0]
    kinds = [character in _DIGITS for character in stem]
    changes = sum(kinds[place] != kinds[place - 1] for place in range(1, len(kinds)))
    return folder.lower() in ("tmp", "temp", "t") and len(stem) >= 6 and changes >= 2
