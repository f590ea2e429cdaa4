"""The text of an error in, the line that tells what was wrong and what the error itself proposes out."""

import re
from functools import lru_cache

from lessons.capture.wording.text import cut, plain, unticked, with_short_homes

_READ = 8192
_LINES = 80
_TOLD = 500  # characters of a line by which it is judged
_HEADING = re.compile(r"(?:Error: )?Exit code -?\d+\s*")
_FRAME = re.compile(r"</?tool_use_error>")
_BOX = re.compile(r"[ \t]*[│┃╷╵╭╰║▌]+[─━]*[ \t]*")  # drawn around or beside a message
_SHOWN_CODE = re.compile(r"[$>] |[ \t>]*\d+ ?[│|]|[\s~^│|]*$|\s*(?:at|File) ")
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
)
_MESSAGE = re.compile(r'"message" ?: ?"((?:[^"\\]|\\.){3,400})"')
_PREFIX = re.compile(
    r"(?:\([\w-]+\):\d+: |(?:/\S+/)?(?:ba|z|da|k)?sh:(?: line)? ?\d*:? )?"
    r"(?:npm (?:error|err!) |(?:fatal|error)(?:\[\w+\])?: *)*",
    re.IGNORECASE,
)
_LONG_PATH = re.compile(
    r"(?<![\w/.~@-])(?:~|[A-Za-z]:)?[\w.@+-]*(?:/[\w.@+*-]+){1,20}?(/[\w.@+*-]+/[\w.@+*-]+)(?![\w/.@+*-])"
)
_FEW_WORDS = 4
_NOT_THERE = re.compile(
    r"command not found: ([^\s:]{1,60})"
    r"|(?:^(?:/\S{1,60}/)?(?:ba|z|da|k)?sh:(?: (?:line )?\d+:)? |(?=[^\s:]{1,60}: command ))"
    r"([^\s:]{1,60}): (?:command )?not found$"
)

_MEANT = re.compile(
    r"(?:did you mean|you (?:probably )?meant|similar (?:command|name|option)s? (?:is|are|exists?))", re.I
)
_QUOTED = re.compile(r"['\"`‘“]([^'\"`‘’“”]{1,80})['\"`’”]|(?:[:,]|^) *([^\s?:'\"`‘“]\S{0,79}?)\??$")
_ADVICE = re.compile(
    r"(?:^|[.;,!?(] ?|\b(?:please|hint:|help:|tip:|or|to|you can|instead,?) )"
    r"(?:re-?run|run|use|try|pass|add|install|specify|provide|set)\b"
    r"|\binstead\b|\b(?:only|must) be (?:used|called|run)\b|\bit first\b"
    r"|\ballowed (?:values|roots|choices)\b|\bexpected one of\b|\bvalid \w+ are\b",
    re.IGNORECASE,
)
# Advice about something else: where help is, how to hide the message, how to get round the check.
_NO_ADVICE = re.compile(
    r"help\b|more information|this message|advice\.|skip (?:this|the)|not recommended|no-verify|report|debug|verbose"
    r"|\(use \"git|log of|--force|--hard|really want|(?:at|own) (?:the |your )?risk|break-system|insecure|override",
    re.IGNORECASE,
)
_HINT = re.compile(r"hint: *", re.IGNORECASE)
_USAGE = re.compile(r"\s*usage: *(\S.{3,})", re.IGNORECASE)


def lines_of(error: str) -> list[str]:
    """What the error says, without the exit code, the lines that show a command or code, and repetitions."""
    text = _FRAME.sub("", error[:_READ])
    heading = _HEADING.match(text)
    text = text[heading.end() :] if heading else text
    lines = text.split("\n")[:_LINES]
    shown = [line for line in lines if not _SHOWN_CODE.match(line)] or lines
    return list(dict.fromkeys(line for line in (plain(_unboxed(line)) for line in shown) if line))


def _unboxed(line: str) -> str:
    box = _BOX.match(line)
    return line[box.end() :] if box else line


@lru_cache(maxsize=256)
def telling_of(error: str) -> str:
    """The telling line of a whole error, long enough to compare it with others."""
    return telling_line(lines_of(error), _TOLD)


def telling_line(lines: list[str], limit: int) -> str:
    """The line that says what was wrong, with the next one where it says too little alone; may be empty."""
    if not lines:
        return ""
    place = max(range(len(lines)), key=lambda number: (_telling(lines[number]), -number))
    line = lines[place]
    found = _MESSAGE.search(line) or (_MESSAGE.search(" ".join(lines)) if line[-1] in "[{" else None)
    if found is not None:
        line = plain(found[1].replace("\\n", " ").replace('\\"', '"'))
    elif place + 1 < len(lines) and (line.endswith(":") or len(line.split()) < _FEW_WORDS - 1):
        line = f"{line} {lines[place + 1]}"
    return cut(line, limit)


def spoken(line: str, limit: int) -> str:
    """The telling line as the end of a sentence: no `error:` before it, long paths by their ends, no backticks."""
    bare = _PREFIX.sub("", line, count=1) or line
    if bare.lower().strip("!. ") in ("error", "failed", "failure"):
        return ""
    return cut(_LONG_PATH.sub(r"…\1", with_short_homes(unticked(bare))), limit).rstrip(" .:")


def missing_program(line: str) -> str:
    """The program that a shell did not find; empty if the line is about something else."""
    found = _NOT_THERE.search(line)
    return unticked(found[1] or found[2]) if found else ""


def proposal(lines: list[str], limit: int) -> tuple[str, str]:
    """(`meant`, a name), (`advice`, a sentence), (`usage`, how it is called), or two empty texts."""
    following = [*lines, ""][1:]
    for kind, find in (("meant", _meant), ("advice", _advice), ("usage", _usage)):
        for line, next_line in zip(lines, following, strict=True):
            if text := find(line, next_line):
                return kind, cut(unticked(text), limit)
    return "", ""


def _meant(line: str, next_line: str) -> str:
    heading = _MEANT.search(line)
    if heading is None:
        return ""
    found = _QUOTED.search(line[heading.end() :]) or _QUOTED.search(next_line)
    return found[1] or found[2] if found else ""


def _advice(line: str, next_line: str) -> str:
    """From the beginning of the sentence that has it."""
    found = _ADVICE.search(line)
    if found is None or _NO_ADVICE.search(line):
        return ""
    said = line[line.rfind(". ", 0, found.start() + 1) + 1 :].strip()
    return _HINT.sub("", f"{said} {next_line}" if said.endswith(":") else said)


def _usage(line: str, next_line: str) -> str:
    found = _USAGE.match(line)
    return found[1] if found else ""


def _telling(line: str) -> int:
    low = line[:_TOLD].lower()
    score = 3 * bool(_STRONG.search(low)) + bool(_LIKELY.search(low)) - (len(line.split()) < _FEW_WORDS)
    return score - 4 * bool(_SIDE.match(low))
