"""The rows of the construct table, one a line: ⏎ stands for the end of a line inside of a row, ⇥ for a tab."""


def rows(text: str) -> list[str]:
    return [row.replace("⏎", "\n").replace("⇥", "\t").replace("␍", "\r") for row in text.strip("\n").split("\n")]
