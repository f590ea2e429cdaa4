"""Names in braces, such as `{root}` or `{1}`, in a text."""

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping

# Names that every call has; all others are groups of the pattern that matched, by number or by name.
FOLDER = "folder"
ROOT = "root"
ABOVE = "above"
OF_EVERY_CALL = (FOLDER, ROOT, ABOVE)


def names_in(text: str) -> list[str]:
    """The names in the order in which they stand; other braces are plain text."""
    return [
        name for name in (piece.partition("}")[0] for piece in text.split("{")[1:] if "}" in piece) if _is_name(name)
    ]


def filled(text: str, values: "Mapping[str, str]") -> str:
    """The text with each known name replaced by its value, in which nothing is replaced again."""
    first, *pieces = text.split("{")
    found = [first]
    for piece in pieces:
        name, brace, rest = piece.partition("}")
        found.append(values[name] + rest if brace and name in values else "{" + piece)
    return "".join(found)


def _is_name(text: str) -> bool:
    return text.isidentifier() or (text.isascii() and text.isdigit())
