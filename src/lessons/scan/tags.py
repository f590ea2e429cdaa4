"""Decides for each line of a Markdown text whether it is in a code block or a quotation."""

import re
from collections.abc import Callable, Iterable, Iterator
from hashlib import blake2b

import msgspec

from lessons.agents.events import Wrote
from lessons.plain import without_hidden
from lessons.redact.texts import redacted, redacted_start
from lessons.store.history.rows import RecordOrigin, TagRow

# Backticks closed on the same line are a word of a sentence.
_FENCE = re.compile(r"(?:(?:[-*+•]|\d{1,2}[.)])[ \t]+)?(`{3,}(?=[^`]*$)|~{3,})")
_ELEMENT = re.compile(r"<(pre|blockquote|code)\b", re.IGNORECASE)


class Quotation:
    """Tracks the fences and elements that a text opens; an unclosed one extends to the end."""

    __slots__ = ("_end",)

    def __init__(self) -> None:
        self._end = ""  # what closes the open one

    def covers(self, line: str) -> bool:
        """Whether the line opens, continues or closes one, or is itself quoted or indented."""
        words = line.strip(" \t")
        if self._end:
            if self._is_closed_by(words):
                self._end = ""
            return True
        if words.startswith((">", "<", "`", "~")) or "```" in words or "~~~" in words:
            self._open(words)
        return bool(self._end) or line.startswith((" ", "\t", ">"))

    def _open(self, words: str) -> None:
        if fence := _FENCE.match(words):
            self._end = fence[1]
        elif (element := _ELEMENT.match(words)) and f"</{element[1].lower()}" not in words.lower():
            self._end = f"</{element[1].lower()}"

    def _is_closed_by(self, words: str) -> bool:
        if self._end.startswith("<"):
            return self._end in words.lower()
        return words.startswith(self._end) and not words.strip(self._end[0])


def fenced_parts(lines: Iterable[str]) -> Iterator[list[str]]:
    """Yields the lines of each closed code block that is not itself quoted or indented."""
    end, part = "", list[str]()
    for line in lines:
        if not end:
            fence = _FENCE.match(line)
            end, part = (fence[1] if fence else ""), []
        elif line.startswith(end) and not line.strip(" \t" + end[0]):
            yield part
            end = ""
        else:
            part.append(line)


# Limits after redaction; more is read before it, because a cut splits a secret in two.
LONGEST_TEXT = 2000  # problem and solution
LONGEST_FIELD = 500
_BEYOND = 8_192

# Even a tag with only problem and solution is more certain than anything mined from errors.
_LEAST_CONFIDENCE = 0.7
_CONFIDENCE_PER_FIELD = 0.1  # for each of tool, trigger and tags

_FIELD_OF_KEY = {
    "problem": "problem",
    "mistake": "problem",
    "solution": "solution",
    "fix": "solution",
    "tool": "tool",
    "trigger": "trigger",
    "error": "error",
    "unless": "unless",
    "tags": "tags",
    "scope": "scope",
    "summary": "summary",
}
_LIST_MARKER = r"(?:(?:[-*+•]|\d{1,2}[.)])[ \t]+)?"
_OPENING = re.compile(rf"{_LIST_MARKER}[*_]{{0,3}}#lesson[*_]{{0,3}}[ \t]*", re.IGNORECASE)
_CANCEL = re.compile(rf"{_LIST_MARKER}[*_]{{0,3}}#lesson:cancel[*_]{{0,3}}[ \t]*(problem[ \t]*:.*)?", re.IGNORECASE)
_END = re.compile(rf"[ \t>]*{_LIST_MARKER}[*_`]{{0,3}}#/lesson[*_`]{{0,3}}[ \t]*", re.IGNORECASE)
# The end of a tag on the line of its last field.
_CLOSED_THERE = re.compile(r"(.*\S)[ \t]+[*_]{0,3}#/lesson[*_]{0,3}[ \t]*", re.IGNORECASE)
# `problem:`, `**problem:**` and `**problem**:`, and a line that is bold as a whole.
_KEY = re.compile(
    rf"[ \t>]*{_LIST_MARKER}([*_`]{{0,3}})({'|'.join(_FIELD_OF_KEY)})(?:\1[ \t]*:|[ \t]*:\1|[ \t]*:)[ \t]*(.*)",
    re.IGNORECASE,
)
_FENCES = ("```", "~~~")
_COLOUR = re.compile(r"\x1b\[[0-9;?]*[ -/]*[@-~]")

# Placeholders: a value with nothing besides these and punctuation was not filled in.
_PLACEHOLDER = re.compile(
    r"<[^<>\n]*>|\{\{[^{}\n]*\}\}|\[[a-z][^\[\]\n]*\]|\b(?:TODO|TBD|FIXME|N/A|none)\b", re.IGNORECASE
)
# The words of the instructions, if an agent repeats them without their brackets.
_INSTRUCTIONS = (
    *("tool name", "how the command or path begins", "how the call begins", "words of the error"),
    *("what went wrong and why", "what went wrong, why", "what works instead"),
)
_ANY_LETTER = re.compile(r"[^\W_]")


class Tag(msgspec.Struct, frozen=True, gc=False):
    """A mistake and what works instead, as reported by the assistant."""

    problem: str
    solution: str
    tool: str
    trigger: str
    tags: list[str]
    scope: str
    summary: str
    confidence: float
    error: str = ""  # words of the error
    unless: str = ""  # what a call has that is meant otherwise
    fenced: bool = False


class Cancel(msgspec.Struct, frozen=True, gc=False):
    """The assistant withdrew a tag: the one whose problem starts like this, or the previous one."""

    problem: str = ""


def tags_in(text: str) -> list[Tag | Cancel]:
    """Returns every complete tag of the text, then those in code blocks."""
    if "#lesson" not in text.lower():
        return []
    lines = _clean(text).split("\n")
    fenced = (tag for part in fenced_parts(lines) for tag in _tags(part) if isinstance(tag, Tag))
    return _tags(lines) + [msgspec.structs.replace(tag, fenced=True) for tag in fenced]


def _tags(lines: list[str]) -> list[Tag | Cancel]:
    """Drops an unclosed one and continues with the next."""
    found: list[Tag | Cancel] = []
    block: _Block | None = None
    quotation = Quotation()
    names_tag = False  # whether the last non-empty line withdrew a tag
    for line in lines:
        is_quoted = quotation.covers(line)
        marker = "#" in line
        if names_tag and line.strip():
            names_tag = False
            found[-1] = Cancel("" if is_quoted else _problem(line))
        if marker and not is_quoted and _OPENING.fullmatch(line):
            found += _closed_early(block)
            block = _Block()
        elif marker and _END.fullmatch(line):
            tag = block.tag() if block is not None else None
            found += [tag] if tag is not None else []
            block = None
        elif marker and not is_quoted and (cancel := _CANCEL.fullmatch(line)):
            if block is None or not block.lines_of:  # inside an open tag it cancels that one
                found.append(Cancel(_problem(cancel[1] or "")))
                names_tag = not cancel[1]
            block = None
        elif block is not None:
            block.add(line)
    return found + _closed_early(block)


def _problem(line: str) -> str:
    """Returns the problem that the line names; empty if it has another field."""
    key = _KEY.fullmatch(line)
    if key is None or _FIELD_OF_KEY[key[2].lower()] != "problem":
        return ""
    return _without_closing(key[1], key[3]).strip()[:LONGEST_FIELD]


def _closed_early(block: "_Block | None") -> list[Tag | Cancel]:
    """Returns a tag whose end is only after its last field."""
    return [block.early] if block is not None and block.early is not None else []


def _clean(text: str) -> str:
    text = text.replace("\r\n", "\n").replace("\r", "\n")
    text = _COLOUR.sub("", text) if "\x1b" in text else text
    return without_hidden(text).encode("utf-8", "replace").decode("utf-8")


class _Block:
    """The lines between `#lesson` and `#/lesson`, by field."""

    __slots__ = ("early", "field", "in_code", "lines_of")

    def __init__(self) -> None:
        self.field = ""
        self.in_code = False  # inside a fence that a value opened: its lines are not keys
        self.lines_of: dict[str, list[str]] = {}
        self.early: Tag | None = None  # the tag when its end followed a field: a value may only mention it

    def add(self, line: str) -> None:
        closed = _CLOSED_THERE.fullmatch(line) if "#/" in line and not self.in_code and self.early is None else None
        if closed is not None:
            before = {field: list(lines) for field, lines in self.lines_of.items()}, self.field, self.in_code
            self.add_line(closed[1])
            self.early = self.tag()
            self.lines_of, self.field, self.in_code = before
        self.add_line(line)

    def add_line(self, line: str) -> None:
        key = None if self.in_code or ":" not in line else _KEY.fullmatch(line)
        field = _FIELD_OF_KEY[key[2].lower()] if key is not None else ""
        if key is not None and field not in self.lines_of:  # a repeated key is part of the value it is in
            self.field = field
            self.lines_of[field] = [_without_closing(key[1], key[3])]
        elif self.field:
            self.in_code ^= line.lstrip().startswith(_FENCES)
            self.lines_of[self.field].append(line)

    def tag(self) -> Tag | None:
        """Returns the tag of the lines, None if problem or solution is missing."""
        if self.in_code and self.field:
            self.drop_open_fence()
        values = {field: _value(field, lines) for field, lines in self.lines_of.items()}
        problem, solution = values.get("problem"), values.get("solution")
        if not problem or not solution:
            return None
        tool, trigger = values.get("tool", "").strip("`"), values.get("trigger", "").strip("`")
        tags = _tag_names(values.get("tags", ""))
        return Tag(
            problem=problem,
            solution=solution,
            tool=tool,
            trigger=trigger,
            tags=tags,
            scope=values.get("scope", "").strip("`"),
            summary=values.get("summary", ""),
            error=values.get("error", "").strip("`"),
            unless=values.get("unless", "").strip("`"),
            confidence=round(_LEAST_CONFIDENCE + _CONFIDENCE_PER_FIELD * sum(map(bool, (tool, trigger, tags))), 1),
        )

    def drop_open_fence(self) -> None:
        """Removes the end of a fence around all keys from the last value."""
        lines = self.lines_of[self.field]
        last = max(index for index, line in enumerate(lines) if line.lstrip().startswith(_FENCES))
        if not "".join(lines[last + 1 :]).strip():
            del lines[last:]


def _without_closing(decoration: str, value: str) -> str:
    """Removes stars or backticks opened before the key and closed at the end of the line."""
    odd = decoration != "" and value.count(decoration) % 2 == 1
    return value.rstrip().removesuffix(decoration) if odd else value


def _value(field: str, lines: list[str]) -> str:
    value = "\n".join(line.rstrip() for line in lines).strip()
    value = value[: _BEYOND + (LONGEST_TEXT if field in ("problem", "solution") else LONGEST_FIELD)].rstrip()
    if value.strip(" .`*_\"'").lower() in _INSTRUCTIONS:
        return ""
    return value if _ANY_LETTER.search(_PLACEHOLDER.sub("", value)) else ""


def _tag_names(value: str) -> list[str]:
    """Parses `tool:git, severity: error`, `[a, b]`, one per line or in sequence: each once, in order."""
    names: dict[str, None] = {}
    for part in re.split(r"[,;\n]", re.sub(r":[ \t]+", ":", value)):
        words = part.strip(" \t-*+•[]`\"'#").split()
        for name in words if all(":" in word for word in words) else ["-".join(words)]:
            names[name.strip("`\"'")] = None
    names.pop("", None)
    return list(names)


_TAG = "#lesson"


def has_tag(wrote: Wrote) -> bool:
    return "#" in wrote.text and _TAG in wrote.text.lower()


def tag_rows(wrote: Wrote, origin: RecordOrigin, block: int, key_of: Callable[[int], int]) -> Iterator[TagRow]:
    """`block` is the number of the text in its record."""
    for number, tag in enumerate(tags_in(wrote.text), 1000 * block):
        fields = _redacted_fields(tag) if isinstance(tag, Tag) else _cancelled(tag)
        mark = _same_tag(tag) if isinstance(tag, Tag) else ""
        yield TagRow(origin, key_of(number), wrote.message_id, number, fields, mark)


def _redacted_fields(tag: Tag) -> str:
    """Redacts before cutting: half a token at the cut would not be recognised."""
    limits = {"problem": LONGEST_TEXT, "solution": LONGEST_TEXT}
    fields: dict[str, object] = msgspec.structs.asdict(tag)
    for name, value in fields.items():
        if isinstance(value, str):
            fields[name] = redacted_start(value, limits.get(name, LONGEST_FIELD))
    fields["tags"] = [redacted_start(name, LONGEST_FIELD) for name in tag.tags]
    return msgspec.json.encode(fields).decode()


def _cancelled(cancel: Cancel) -> str:
    """Returns the problem of the tag to withdraw; empty for the previous tag."""
    problem = redacted_start(cancel.problem, LONGEST_FIELD)
    return msgspec.json.encode({"cancels": problem}).decode() if problem else ""


def _same_tag(tag: Tag) -> str:
    """Returns a key that is equal for the same report, ignoring spaces and case."""
    words = (" ".join(redacted(text).casefold().split()) for text in (tag.problem, tag.solution))
    return "tag-" + blake2b("|".join(words).encode(), digest_size=8).hexdigest()


LONGEST_DIAGNOSIS = 400
_MOST_SENTENCES = 2
_MOST_THREADS = 16  # subagents with lines in one file; the most recent ones
_ENDS = re.compile(r"(?:(?<=[.!?…])|(?<=[.!?…][\"')\]*_`]))\s+(?=\S)")
_ABBREVIATED = re.compile(r"(?:\b(?:e\.g|i\.e|cf|vs|etc|approx|resp|no|incl)\.|\b[A-Z]\.)\Z", re.IGNORECASE)
_MARKUP = re.compile(r"\A(?:#{1,6} |[-*+•] |\d{1,2}[.)] )")


def first_sentences(text: str) -> str:
    """Returns the first two sentences in one line; skips code and quotations, and cuts long text."""
    quotation, found = Quotation(), list[str]()
    for line in text.splitlines():
        words = "" if quotation.covers(line) else _MARKUP.sub("", " ".join(_printable(line).split()))
        found += _sentences(words) if words else []
        if len(found) >= _MOST_SENTENCES:
            break
    joined = " ".join(found[:_MOST_SENTENCES])
    return joined if len(joined) <= LONGEST_DIAGNOSIS else joined[: LONGEST_DIAGNOSIS - 1].rstrip() + "…"


def _sentences(words: str) -> list[str]:
    """Splits one line; an abbreviation does not end a sentence."""
    found: list[str] = []
    for part in _ENDS.split(words):
        if found and _ABBREVIATED.search(found[-1]):
            found[-1] += f" {part}"
        else:
            found.append(part)
    return found


def _printable(line: str) -> str:
    plain = _COLOUR.sub("", line)
    return plain if plain.isprintable() else "".join(letter if letter.isprintable() else " " for letter in plain)
