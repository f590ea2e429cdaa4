"""Finds template words that were not filled in."""

import re

PROTOCOL_NAMES = frozenset(
    {
        "what_went_wrong",
        "tool_name",
        "the_correction",
        "the_fix",
        "what_fixed_it",
        "root_cause",
        "command_or_action",
        "category_value_tags",
        "one_line_summary",
    }
)

# The words of the protocol's template, for texts from which only the brackets were removed.
_TEMPLATE = frozenset({"tool name", "how the command or path begins", "what went wrong and why", "what works instead"})

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
    """Returns the first placeholder in a text: of the protocol's template, or by the rule of prose.

    `{{words}}` and instructions such as `[describe the error]` or `[TODO]` count outside backticks; inside them they
    are code, like `${{ github.ref }}` and `{{.Names}}`.
    """
    prose = _CODE.sub("", text)
    unfilled = _BRACES.search(prose) or _INSTRUCTION.search(prose)
    return find_template(text) or (unfilled[0] if unfilled else None)


def find_template(text: str) -> str | None:
    """Returns the first template word that nobody filled in, by three rules; patterns must follow them too.

    The words of the protocol's template count if they are the whole text.
    A name of the lesson protocol counts anywhere: `<what_went_wrong>`, `{{the correction}}`.
    `<lower case words>` count if they are more than half of the text: `git switch <branch>` is not a template.
    """
    if " ".join(re.findall(r"\w+", text.lower())) in _TEMPLATE:
        return text.strip()
    for bracketed in _BRACKETED.finditer(text):
        name = "_".join(re.findall(r"[a-z]+", "".join(bracketed.groups("")).lower()))
        if name in PROTOCOL_NAMES:
            return bracketed[0]
    angles: list[str] = _ANGLES.findall(text)
    return angles[0] if 2 * sum(map(len, angles)) > len(text.strip()) else None
