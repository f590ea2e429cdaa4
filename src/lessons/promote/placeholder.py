"""A text in, the template words that nobody filled in out."""

import re

PROTOCOL_NAMES = frozenset(
    {
        "what_went_wrong",
        "the_correction",
        "the_fix",
        "what_fixed_it",
        "root_cause",
        "command_or_action",
        "category_value_tags",
        "one_line_summary",
    }
)

_BRACKETED = re.compile(r"<([^<>\n]{1,60})>|\{\{([^{}\n]{1,60})\}\}")
_CODE = re.compile(r"`[^`]*`")
_BRACES = re.compile(r"(?<!\$)\{\{\s*[A-Za-z][A-Za-z_ -]*\}\}")
_INSTRUCTION = re.compile(
    r"\[(?:TODO|FIXME|TBD)\b[^\[\]]*\](?!\()"
    r"|\[(?:describe|insert|explain|fill in|write|enter|your)\s[^\[\]]+\](?!\()",
    re.IGNORECASE,
)
_ANGLES = re.compile(r"<[a-z][a-z0-9]*(?:[_ -][a-z0-9]+)*>")


def find_placeholder(text: str) -> str | None:
    """The first placeholder that is still in the text, by three rules.

    A name of the lesson protocol counts wherever it stands: `<what_went_wrong>`, `{{the correction}}`.
    `{{words}}` and instructions such as `[describe the error]` or `[TODO]` count outside backticks; inside
    them they are code, as `${{ github.ref }}` and `{{.Names}}` are everywhere.
    `<lower case words>` count when they are more than half of the text: `git switch <branch>` is no template.
    """
    for bracketed in _BRACKETED.finditer(text):
        name = "_".join(re.findall(r"[a-z]+", "".join(bracketed.groups("")).lower()))
        if name in PROTOCOL_NAMES:
            return bracketed[0]
    prose = _CODE.sub("", text)
    unfilled = _BRACES.search(prose) or _INSTRUCTION.search(prose)
    if unfilled:
        return unfilled[0]
    angles: list[str] = _ANGLES.findall(text)
    return angles[0] if 2 * sum(map(len, angles)) > len(text.strip()) else None
