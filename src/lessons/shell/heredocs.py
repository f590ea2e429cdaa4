"""Heredoc bodies: where one ends, and the text that a command reads from it."""


def end_of_body(text: str, position: int, delimiter: str, tabs: bool) -> tuple[int, int]:
    """Returns where the body starting at `position` ends, and where the line after its delimiter starts."""
    while position < len(text):
        match = text.find(delimiter, position)
        if match < 0:
            break
        begin = text.rfind("\n", position, match) + 1 or position
        newline = text.find("\n", match)
        end = len(text) if newline < 0 else newline
        line = text[begin:end]
        if (line.lstrip("\t") if tabs else line) == delimiter:
            return begin, end + 1
        position = end + 1
    return len(text), len(text)


def body_text(body: str, tabs: bool, literal: bool) -> str:
    if tabs and "\t" in body:
        body = "\n".join(line.lstrip("\t") for line in body.split("\n"))
    if not literal and "\\" in body:
        body = body.replace("\\\n", "").replace("\\$", "$").replace("\\`", "`")
    return body
