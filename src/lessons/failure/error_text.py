"""An error text, cleaned; its telling line; its normal form and fingerprint: one definition of "the same error"."""

import re
import unicodedata
from functools import lru_cache
from hashlib import blake2b

LONGEST_ERROR = 4096  # characters read of one error
COLOUR = re.compile(r"\x1b(?:\[[0-9;?]*[ -/]*[@-~]|\][^\x07\x1b]*(?:\x07|\x1b\\))|\[\d{1,2}(?:;\d{1,3})*m")
_BARE_COLOURS = ("[0m", "[2m", "[39m")  # left over where the escape character was lost
FRAME_START = "<tool_use_error>"  # marks messages of the client itself
_FRAMED_WITHIN = 200  # characters, including the exit code
_FRAME = re.compile(r"</?tool_use_error>")
# How a message of a shell starts.
SHELL = r"(?:\(eval\)(?::\d+)?: |(?:[\w.-]{0,30}/){0,5}(?:ba|z|da|k|fi)?sh:(?: ?(?:line )?\d+:)? )"
_EXIT_CODE = re.compile(r"\s*(?:(?:Error: )?Exit code -?\d+\b|Error\s*\Z)")


def is_of_client(error: str) -> bool:
    """Whether the agent's client wrote it, not a program that it ran."""
    return FRAME_START in error[:_FRAMED_WITHIN]


@lru_cache(maxsize=64)
def clean(error: str) -> str:
    """Returns the cleaned text; empty if a program failed without a message."""
    text = error[:LONGEST_ERROR]
    if "\x1b" in text or any(code in text for code in _BARE_COLOURS):
        text = COLOUR.sub("", text)
    if "\r" in text:
        text = text.replace("\r\n", "\n").replace("\r", "\n")
    return unframed(text).strip()


def unframed(text: str) -> str:
    """Removes what the client adds around and above the output of a program."""
    if "tool_use_error>" in text:
        text = _FRAME.sub("", text)
    heading = _EXIT_CODE.match(text)
    return text[heading.end() :] if heading else text


def one_line(text: str) -> str:
    """Joins to one line: single spaces, no control characters, no characters that change the writing direction."""
    text = " ".join(text.split())
    return text if text.isprintable() else " ".join("".join(map(_shown, text)).split())


def _shown(char: str) -> str:
    category = unicodedata.category(char)
    if category in ("Cc", "Zl", "Zp"):
        return " "
    return "" if category[0] == "C" else char  # format characters, private use, single surrogates


_LAYER = re.compile(r"[^:'\"`\s][^:'\"`]{1,80}: (?=\S)")
_LONGEST_LAYERED = 2000
_FEWEST_LAYERS = 3
_FEWEST_WORDS = 4  # of what is left


def innermost(line: str, longest: int) -> str:
    """Returns the line without the outer layers for which there is no room: the innermost one names the cause.

    Returns the line unchanged if it fits, or if it has too few layers. Of a very long line only the end is read.
    """
    if len(line) <= longest:
        return line
    if len(line) > _LONGEST_LAYERED:
        begin = line.find(": ", len(line) - _LONGEST_LAYERED)
        line = line if begin < 0 else line[begin + 2 :]
    starts = [0]
    while layer := _LAYER.match(line, starts[-1]):
        starts.append(layer.end())
    kept = [start for start in starts if len(line[start:].split()) >= _FEWEST_WORDS]
    if len(starts) <= _FEWEST_LAYERS or not kept:
        return line
    return line[next((start for start in kept if len(line) - start <= longest), kept[-1]) :]


_MOST_LINES = 80
_LONGEST_LINE = 500
_BOX = re.compile(r"[ \t]*[│┃╷╵╭╰║▌]+[─━]*[ \t]*")  # drawn around or beside a message
_SHOWN_CODE = re.compile(r"[$>] |[ \t>]*(?:\d+[ \t]+)?\d+[ \t]*[│|]|[ \t·]*·[ \t]*│|[\s~^│|]*$|\s*(?:at|File|throw) ")
# Of a listing of files, and what ssh says before it starts.
_NO_MESSAGE = re.compile(
    r"[bcdlps-](?:[r-][w-][xsStT-]){3}[@+.]? |total \d+$|Warning: Permanently added |Pseudo-terminal will not be "
    r"|\*\* (?:WARNING: connection is not|This session may be|The server may need)"
)
_STRONG = re.compile(
    r"\b(?:error|fatal|err!|panic|exception)\w*(?:\[\w+\]|\(\w+\))?:|\w(?:error|exception): |command not found"
    r"|no such file|permission denied|unknown |unrecogni[sz]ed |(?:illegal|invalid|unexpected) (?:option|argument|flag)"
)
_LIKELY = re.compile(
    r"not found|no such |no matches|cannot |can't |could not |couldn't |unable |unknown |invalid|illegal"
    r"|unexpected|denied|\bnot (?:an?|allowed|permitted|staged)\b|refused|reject|does not |doesn't |did not |must "
    r"|required|missing|already|conflict|ignored|blocked|outside|overwritten|failed|fail "
)
_SIDE = re.compile(
    r"\s*(?:warning|note|hint|info|usage|for more|see |\d+ )"
    r"|npm (?:error|err!) (?:code|errno|syscall|path) \S+$|\W*(?:failure: )?build failed\b"
    r"|.{0,20}\bwarn(?:ing)?\b|.*(?:script failed|exit(?:ed)? (?:code|with|status)|complete log)"
    r"|.*\bwill be ignored\b|(?:error: )?found \d+ errors?$"
    r"|\+ (?:categoryinfo|fullyqualifiederrorid) |at line:\d+ char:\d+$"  # PowerShell, below its message
)
_MESSAGE = re.compile(r'"message" ?: ?"((?:[^"\\]|\\.){3,400})"')
_SHELL_MESSAGE = re.compile(SHELL)  # each of its lines is complete
_FEW_WORDS = 4
_LOWEST, _HIGHEST = -5, 4  # scores
_WORDS = re.compile(
    _LIKELY.pattern + r"|not defined|error|fatal|fail|exception|panic|could not|is not|unrecogni|requires |needs an"
    r"|unterminated|unmatched|problem|deprecated|more than one|ambiguous|too many"
)


def lines_of(error: str) -> list[str]:
    """Returns the lines of the error without listings, shown commands, shown code and repetitions."""
    lines = [line for line in clean(error).split("\n")[:_MOST_LINES] if not _NO_MESSAGE.match(line)]
    shown = [line for line in lines if not _SHOWN_CODE.match(line)] or lines
    return list(dict.fromkeys(line for line in (one_line(_unboxed(line)) for line in shown) if line))


def _unboxed(line: str) -> str:
    box = _BOX.match(line)
    return line[box.end() :].rstrip("│┃║▐ \t") if box else line


@lru_cache(maxsize=512)
def telling_line(error: str) -> str:
    """Returns the telling line, joined with the next one if it is too short; empty for an empty error."""
    lines = lines_of(error)
    if not lines:
        return ""
    place = _place(lines)
    line = lines[place]
    found = _MESSAGE.search(line) or (_MESSAGE.search(" ".join(lines)) if line[-1] in "[{" else None)
    if found is not None:
        line = one_line(found[1].replace("\\n", " ").replace('\\"', '"'))
    elif place + 1 < len(lines) and _is_unfinished(line):
        line = f"{line} {lines[place + 1]}"
    return innermost(line, _LONGEST_LINE)[:_LONGEST_LINE]


def _is_unfinished(line: str) -> bool:
    says_little = line.endswith(":") or len(line.split()) < _FEW_WORDS - 1
    return says_little and not _SHELL_MESSAGE.match(line)


def is_telling(line: str) -> bool:
    """Whether a line has words that programs use for errors."""
    return _WORDS.search(line[:_LONGEST_LINE].lower()) is not None


def _place(lines: list[str]) -> int:
    """Returns the index of the first line with the best score."""
    best, place = _score(lines[0], _LOWEST), 0
    for number in range(1, len(lines)):
        if best == _HIGHEST:
            break
        score = _score(lines[number], best)
        if score > best:
            best, place = score, number
    return place


def _score(line: str, least: int) -> int:
    """Scores how informative the line is; returns `least` early if the score cannot exceed it."""
    low = line[:_LONGEST_LINE].lower()
    score = 3 * (_STRONG.search(low) is not None) - (len(line.split()) < _FEW_WORDS)
    if score + 1 > least:
        score += _LIKELY.search(low) is not None
    if score <= least:
        return least
    return score - 4 * (_SIDE.match(low) is not None)


_LONGEST_NORMALISED = 400
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
    line = " ".join(_CHANGING.sub(_placeholder, telling_line(error)[:_LONGEST_NORMALISED]).split())
    return (_REPEATED.sub(r"\1", line) if line.count("<") > 1 else line)[:_LONGEST_SIGNATURE].strip()


def _placeholder(found: re.Match[str]) -> str:
    return found[0] if found.lastgroup == "kept" else f"<{found.lastgroup}>"
