"""The rows of the construct table, one per line: ⏎ is a newline inside a row, ⇥ a tab."""


def rows(text: str) -> list[str]:
    return [row.replace("⏎", "\n").replace("⇥", "\t").replace("␍", "\r") for row in text.strip("\n").split("\n")]
