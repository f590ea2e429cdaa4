"""The error of a call as it is stored in, what the programs wrote out: without codes of exits, colours and tags."""

import re
from functools import lru_cache

_READ = 4096
_COLOUR = re.compile(r"\x1b(?:\[[0-9;?]*[ -/]*[@-~]|\][^\x07\x1b]*(?:\x07|\x1b\\))|\[\d{1,2}(?:;\d{1,3})*m")
_HEADING = re.compile(r"\s*(?:<tool_use_error>)?(?:Error(?:: ?|\s*\Z))?(?:Exit code -?\d+\s*)?")


@lru_cache(maxsize=64)
def written(error: str) -> str:
    """Empty where a program failed without a word."""
    text = error[:_READ]
    if "\x1b" in text or "[2m" in text or "[0m" in text or "[39m" in text:
        text = _COLOUR.sub("", text)
    if "\r" in text:
        text = text.replace("\r\n", "\n").replace("\r", "\n")
    heading = _HEADING.match(text)
    text = text[heading.end() :] if heading else text
    return text.removesuffix("</tool_use_error>").strip()
