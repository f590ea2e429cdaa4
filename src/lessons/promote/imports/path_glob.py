"""Converts a regex on paths to globs that match the same or less; None if there are none."""

import re

_PIECE = re.compile(
    r"(?P<start>\(\^\|/\)|\(\?:\^\|/\))|(?P<any>\.\*)|(?P<name>\[\^/\][*+])|(?P<one>\[\^/\])"
    r"|\((?:\?:)?(?P<either>[\w.|-]+)\)|(?P<plain>[\w/ @~-]|\\[./_-])(?P<maybe>\??)"
)


def globs_of(source: str, whole: bool = False) -> list[str] | None:
    """Returns one glob per alternative of the regex: `a|b$` fires if either does; None if one has no glob."""
    globs = [glob_of(part, whole) for part in _alternatives(source)]
    known = [glob for glob in globs if glob is not None]
    return known if len(known) == len(globs) else None


def _alternatives(source: str) -> list[str]:
    """Returns the parts between the `|` outside groups and classes."""
    parts, depth, in_class, position = [""], 0, False, 0
    while position < len(source):
        sign = source[position : position + (2 if source[position] == "\\" else 1)]
        position += len(sign)
        if sign == "|" and not depth and not in_class:
            parts.append("")
            continue
        in_class = sign == "[" or (in_class and sign != "]")
        depth += 0 if in_class else {"(": 1, ")": -1}.get(sign, 0)
        parts[-1] += sign
    return parts


def glob_of(source: str, whole: bool = False) -> str | None:
    """Returns a glob. With `whole` the regex was made from a glob; else it may match anywhere in a path."""
    at_end = source.endswith("$") and not source.endswith("\\$")
    source = source[:-1] if at_end else source
    at_start = source.startswith("^")
    source = source[1:] if at_start else source
    if at_start and not source.startswith(("/", ".*")):
        return None
    pieces = _pieces(source, whole)
    if not pieces:
        return None
    if not (whole or at_start) and pieces[0] not in ("", "**") and not pieces[0].startswith(("*", "/")):
        pieces.insert(0, "*")
    glob = "".join(pieces)
    if not (whole or at_end) and not glob.endswith(("*", "/")):
        glob += "*"
    if glob.startswith("/") and not at_start:
        glob = "**" + glob
    if "//" in glob or (at_end and glob.endswith("/")):
        return None
    return glob if glob.strip("*/?") else None


def _pieces(source: str, whole: bool) -> list[str] | None:
    """Returns the pieces of the glob; None at the first element that globs do not support."""
    pieces: list[str] = []
    position = 0
    while position < len(source):
        found = _PIECE.match(source, position)
        if found is None or (found["start"] and position):
            return None
        if found["maybe"] and ("".join(pieces) or "/").endswith("/"):
            return None  # a name must not be empty
        if (found["any"] or found["name"]) and pieces and pieces[-1].endswith("*"):
            return None  # two in a row: no glob can say where one ends
        position = found.end()
        if found["start"]:
            pieces.append("")
        elif found["any"]:
            piece = _any(pieces, source[position : position + 1], whole)
            if piece is None:
                return None
            pieces.append(piece)
        elif found["name"]:
            pieces.append("*" if found["name"].endswith("*") else "?*")
        elif found["one"]:
            pieces.append("?")
        elif found["either"]:
            pieces.append(_either(found["either"]))
        else:
            character = found["plain"].lstrip("\\")
            pieces.append(f"{{{character},}}" if found["maybe"] else character)
    return pieces


def _any(before: list[str], following: str, whole: bool) -> str | None:
    """Translates `.*`, which crosses folders; `*` does not. Needs a folder between two slashes unless `whole`."""
    if not before or before == [""]:
        return "**" if following in ("/", "") else "*"
    opens, closes = before[-1].endswith("/"), following in ("/", "")
    if opens and following == "/" and not whole:
        return "*/**"
    if opens:
        return "**" if closes else "**/*"
    return ("*/**" if following == "/" else "*") if closes else None


def _either(text: str) -> str:
    parts = [part.replace("\\", "") for part in text.split("|")]
    return parts[0] if len(parts) == 1 else "{" + ",".join(parts) + "}"
