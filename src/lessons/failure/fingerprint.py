"""The text of an error in, what stays the same when the same mistake is made elsewhere out."""

import re
from hashlib import blake2b

_READ = 4096
_LINE = 400  # characters of one line
_SIGNATURE = 200
_FEW_WORDS = 4  # a line with fewer says too little alone: `npm ERR! code E404`

_COLOUR = re.compile(r"\x1b(?:\[[0-9;?]*[ -/]*[@-~]|\][^\x07\x1b]*(?:\x07|\x1b\\))")
_EXIT_CODE = re.compile(r"(?:Error: )?Exit code -?\d+\s*")
# What a program shows of its own command and of somebody's code, never what it says itself.
_SHOWN = re.compile(r"^(?:[$>] .*|[ \t>]*\d+ ?[│|].*)\n?", re.MULTILINE)
_TRACEBACK = "Traceback (most recent call last)"

# The first line with one of the first group is the telling one, else the first with one of the second group.
_SURE = (
    *("fatal:", "error:", "error[", "error ts", "error (", "err!", "npm error", "exception:", "panicked at", "panic:"),
    *("command not found", "no such file or directory", "permission denied"),
)
_LIKELY = (
    *(
        "not found",
        "no such ",
        "cannot ",
        "can't ",
        "could not ",
        "couldn't ",
        "unable to ",
        "unknown ",
        "unrecognized",
    ),
    *("invalid", "illegal ", "denied", "not permitted", "not allowed", "refused", "rejected", "does not ", "doesn't "),
    *("already ", "failed", "failure", "timed out", "timeout", "missing", "required", "unexpected", "no matches"),
    *("conflict", "not a ", "must ", "has not ", "is not ", " error", "\nerror", "blocked", "× ", "✖ ", "✗ ", "⨯ "),
)

_FILE_ENDINGS = (
    "py|pyi|ipynb|[cm]?[jt]sx?|json[lc5]?|md|mdx|ya?ml|toml|txt|rs|go|cc?|cpp|hh?|hpp|java|kts?|rb|php|sh|bash|zsh|s?css"
    "|html?|xml|sql|lock|log|csv|tsv|ini|cfg|conf|env|swift|vue|svelte|zig|lua|exs?|sol|proto|tf|db|sqlite|png|jpe?g|svg|pdf"
    "|gz|zip|tar|whl|so|dll|exe|diff|patch|gradle|properties|dart|scala|clj|hs|ml|nix|plist|tmpl|snap"
)
_CHANGING = re.compile(
    r"(?P<kept>\b(?:HTTP|status(?: code)?)[ :/]{1,2}[1-5]\d\d\b)"
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
_WORDS = re.compile(r"(?<![<\w])[A-Za-z]{2,}(?![>\w])")


def fingerprint(error: str) -> str:
    """Sixteen hexadecimal digits that are the same for the same mistake; nothing where there is no text."""
    text = signature(error)
    return blake2b(text.encode("utf-8", "replace"), digest_size=8).hexdigest() if text else ""


def signature(error: str) -> str:
    """The telling line of the error, with a placeholder for whatever changes from one time to the next."""
    text = error[:_READ]
    if "\x1b" in text:
        text = _COLOUR.sub("", text)
    if "<tool_use_error>" in text:
        text = text.replace("<tool_use_error>", "").replace("</tool_use_error>", "")
    heading = _EXIT_CODE.match(text)
    if heading is not None:
        text = text[heading.end() :]
    if "│" in text or " |" in text or text[:2] in ("$ ", "> "):
        text = _SHOWN.sub("", text).lstrip() or text
    start = _telling(text)
    line, end = _line_at(text, start)
    result = _normal(line)
    if len(_WORDS.findall(result)) < _FEW_WORDS:
        following = text[end:].lstrip()
        if following:
            result += " " + _normal(_line_at(following, 0)[0])
    return result[:_SIGNATURE].strip()


def _telling(text: str) -> int:
    """Where the line that says what went wrong begins."""
    if _TRACEBACK in text and (frame := text.rfind("\n  File ")) >= 0:
        found = re.compile(r"\n(?=\S)").search(text, frame + 1)
        if found is not None:
            return found.end()
    lowered = text.lower()
    for group in (_SURE, _LIKELY):
        places = [place for word in group if (place := lowered.find(word)) >= 0]
        if places:
            place = min(min(places), len(text))  # lower case can be longer
            return max(text.rfind("\n", 0, place) + 1, place - _LINE // 2)
    return len(text) - len(text.lstrip())


def _line_at(text: str, start: int) -> tuple[str, int]:
    end = text.find("\n", start)
    end = len(text) if end < 0 else end
    return text[start : min(end, start + _LINE)], end


def _normal(line: str) -> str:
    line = " ".join(_CHANGING.sub(_placeholder, line).split())
    return _REPEATED.sub(r"\1", line) if line.count("<") > 1 else line


def _placeholder(found: re.Match[str]) -> str:
    return found[0] if found.lastgroup == "kept" else f"<{found.lastgroup}>"
