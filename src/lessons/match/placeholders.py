"""Names in braces, such as `{root}` or `{1}`, in a text."""

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping

# Names available at every call; all others are groups of the matched pattern, by number or by name.
FOLDER = "folder"
ROOT = "root"
ABOVE = "above"
OF_EVERY_CALL = (FOLDER, ROOT, ABOVE)


def names_in(text: str) -> list[str]:
    """Returns the names in order; other braces are plain text."""
    return [
        name for name in (piece.partition("}")[0] for piece in text.split("{")[1:] if "}" in piece) if _is_name(name)
    ]


def filled(text: str, values: "Mapping[str, str]") -> str:
    """Replaces each known name by its value; names inside values are not replaced again."""
    first, *pieces = text.split("{")
    found = [first]
    for piece in pieces:
        name, brace, rest = piece.partition("}")
        found.append(values[name] + rest if brace and name in values else "{" + piece)
    return "".join(found)


def _is_name(text: str) -> bool:
    return text.isidentifier() or (text.isascii() and text.isdigit())
