"""Code in a command line: its text without literals, and the names that it gets from modules."""

import re

_LONGEST_SCRIPT = 4096  # characters read
_BLANK = '"…"'
# A literal that is not closed ends with its line; an apostrophe in a comment begins one too.
_LITERAL = re.compile(
    r'"""[\s\S]*?(?:"""|\Z)'
    r"|'''[\s\S]*?(?:'''|\Z)"
    r"|`[^`]*(?:`|\Z)"
    r'|"(?:\\[\s\S]|[^"\\\n])*(?:"|\\?$)'
    r"|'(?:\\[\s\S]|[^'\\\n])*(?:'|\\?$)",
    re.MULTILINE,
)
_COMMENT = re.compile(r"(?:^|(?<=\s))(?:#|//).*", re.MULTILINE)
_LONG_NUMBER = re.compile(r"\b\d{5,}\b")  # an id, a date
_IMPORT = re.compile(r"(?:^|[;:])[ \t]*import[ \t]+([\w., \t]{1,300})", re.MULTILINE)
_FROM = re.compile(
    r"(?:^|[;:])[ \t]*from[ \t]+([\w.]{1,100})[ \t]+import[ \t]*(\([\w\s,]{0,600}|[\w., \t*]{1,300})", re.MULTILINE
)
_REQUIRED = re.compile(
    r"\b(?:const|let|var)[ \t]+(\w{1,60})[ \t]*=[ \t]*(?:await[ \t]+)?(?:require|import)"
    r"\([\"']([^\"'\n]{1,100})[\"']\)(?![ \t]*[.\[(])"
    r"|\bimport[ \t]+(?:\*[ \t]+as[ \t]+)?(\w{1,60})[ \t]+from[ \t]+[\"']([^\"'\n]{1,100})[\"']"
)


def code_of(script: str) -> str:
    """Returns the beginning of a script without comments, and with every literal text and long number blanked."""
    code = _LITERAL.sub(_BLANK, script[:_LONGEST_SCRIPT])
    return _LONG_NUMBER.sub("…", _COMMENT.sub("", code))


def python_names(code: str) -> dict[str, str]:
    """Returns what names mean that code imports: `{"np": "numpy", "walk": "os.walk"}`."""
    names = {}
    for found in _IMPORT.finditer(code):
        for module, name in _imported(found[1]):
            names[name or module] = module
    for found in _FROM.finditer(code):
        for thing, name in _imported(found[2].lstrip("(")):
            names[name or thing] = f"{found[1]}.{thing}"
    return names


def node_names(script: str) -> dict[str, str]:
    """Returns the packages that a script assigns to names: `{"fs": "node:fs"}`."""
    found = _REQUIRED.finditer(script[:_LONGEST_SCRIPT])
    return {one[1] or one[3]: one[2] or one[4] for one in found}


def _imported(text: str) -> list[tuple[str, str]]:
    """Returns each thing of an import, and the name it is given."""
    things = [part.split() for part in text.split(",")]
    plain = [(words[0], "") for words in things if len(words) == 1]
    return plain + [(words[0], words[2]) for words in things if len(words) == 3 and words[1] == "as"]
