"""The part of an error that stays the same when the same mistake is made elsewhere."""

import re
from hashlib import blake2b

from lessons.failure.telling_line import telling_line

_LONGEST_LINE = 400
_LONGEST_SIGNATURE = 200

_FILE_ENDINGS = (
    "py|pyi|ipynb|[cm]?[jt]sx?|json[lc5]?|md|mdx|ya?ml|toml|txt|rs|go|cc?|cpp|hh?|hpp|java|kts?|rb|php|sh|bash|zsh|s?css"
    "|html?|xml|sql|lock|log|csv|tsv|ini|cfg|conf|env|swift|vue|svelte|zig|lua|exs?|sol|proto|tf|db|sqlite|png|jpe?g|svg|pdf"
    "|gz|zip|tar|whl|so|dll|exe|diff|patch|gradle|properties|dart|scala|clj|hs|ml|nix|plist|tmpl|snap"
)
_CHANGING = re.compile(
    r"(?P<kept>\b(?:HTTP|status(?: code)?)[ :/]{1,2}[1-5]\d\d\b)"
    r"|(?P<glob>(?<=no matches found: )\S+)"
    r"|(?P<url>\b[a-z][a-z0-9+.-]{1,20}://[^\s'\"<>)\]`]+)"
    r"|(?<!\w)(?P<name>'(?!-|[A-Z_]{3,}')[^'\s]{1,150}'(?!\w)|\"(?!-|[A-Z_]{3,}\")[^\"\s]{1,150}\"(?!\s*:)|`(?!-)[^`\s]{1,150}`"
    r"|‘(?!-)[^’\s]{1,150}’|“(?!-)[^”\s]{1,150}”|\btmp[._-]?\w*\d\w*)"
    r"|(?<![\w/.~@-])(?P<path>(?:[A-Za-z]:)?[\w.~@%+$-]*(?:[/\\][\w.~@%+=*$-]+)+[/\\]?|~?/(?=[\s:]|$)"
    rf"|[\w@+-][\w.@+-]{{0,80}}\.(?:{_FILE_ENDINGS})\b|\.(?:env|gitignore|git|npmrc)\b)"
    r"|(?<![A-Za-z0-9_])(?P<hex>[0-9a-fA-F]{8}(?:-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}|0x[0-9a-fA-F]+"
    r"|(?=[a-f]*\d)(?=\d*[a-f])[0-9a-f]{7,64}|[0-9a-f]{40,64})(?![A-Za-z0-9_])"
    r"|(?<![A-Za-z0-9_])(?P<n>v?\d+(?:(?:[.:,T+/-]|[dhm](?=\d))\d+)*(?:-(?:alpha|beta|rc|dev)[.\d]*|[a-zA-Zµ]{1,2}\b|%)?)(?![A-Za-z])"
)
_REPEATED = re.compile(r"(<\w+>)(?:[,:; ]+\1)+")


def fingerprint(error: str) -> str:
    """Returns 16 hexadecimal digits, equal for the same mistake; empty if there is no text."""
    text = signature(error)
    return blake2b(text.encode("utf-8", "replace"), digest_size=8).hexdigest() if text else ""


def signature(error: str) -> str:
    """Returns the telling line of the error, with placeholders for all parts that vary."""
    line = " ".join(_CHANGING.sub(_placeholder, telling_line(error)[:_LONGEST_LINE]).split())
    return (_REPEATED.sub(r"\1", line) if line.count("<") > 1 else line)[:_LONGEST_SIGNATURE].strip()


def _placeholder(found: re.Match[str]) -> str:
    return found[0] if found.lastgroup == "kept" else f"<{found.lastgroup}>"
