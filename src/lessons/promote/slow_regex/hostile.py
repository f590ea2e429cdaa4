"""Kinds of text that could keep a regex busy for long, made from its own repetitions."""

from collections.abc import Iterator
from functools import lru_cache
from typing import Any, NamedTuple

from lessons.promote.regex_tree import name_of, parts_of

# A repetition of fewer times than this, and fewer choices than that, cannot make a search noticeably slower.
_FEW_TIMES = 4
_FEW_CHOICES = 6
_MOST_SHAPES = 60
_LONGEST_SAMPLE = 200
# What a command may hold at most, in characters: the same thing over and over without a break, texts that nearly
# match one after the other, and all of it with its lines.
_LONGEST_RUN = 1_000
_LONGEST_OF_NEAR_MATCHES = 600
_LONGEST_COMMAND = 5_000
_VARIANTS = range(6)
_FAVOURITES = "a0 -_/.=:,;\"'\\\n\t!Aé"
_REPEATS = ("MAX_REPEAT", "MIN_REPEAT", "POSSESSIVE_REPEAT")
# Parts with nothing inside, as most are.
_SINGLE = ("LITERAL", "AT", "IN", "ANY", "NOT_LITERAL")
# No name, no blank line and no end of text goes on after it, so what was matched before is tried again and again.
_STOPPER = "!\n\n\0"


class Shape(NamedTuple):
    """Texts that begin with the head, go on with the pump over and over, and end in the tail."""

    head: str
    pump: str
    tail: str
    longest: int = _LONGEST_RUN

    def text(self, length: int) -> str:
        times = max(_FEW_TIMES, (length - len(self.head)) // len(self.pump))
        return self.head + self.pump * times + self.tail

    def __str__(self) -> str:
        opening = f"{self.head[:40]!r} and then " if self.head else ""
        return f"{opening}{self.pump[:40]!r} over and over"


_COMMAND = (
    "cd /srv/app && FOO=1 timeout 60 python3 -m pytest -x 'unit tests' --maxfail=1 -k \"not slow\" | tee log.txt; "
    "git commit -am 'Fix the login page' && git push origin HEAD:refs/heads/main --force-with-lease; "
    "curl -sSL https://example.org/a/b.tar.gz?x=1&y=2 | tar xz -C /tmp; for f in *.py; do echo $f >> out; done\n"
)
_SCRIPT = "def handler(event, context):\n    value = event['key'].get(\"name\", None)  # why\n\treturn value + 1\n\n"
EVERYDAY = (
    Shape("", _COMMAND, "", _LONGEST_COMMAND),
    Shape("python3 - <<'EOF'\n", _SCRIPT, "EOF", _LONGEST_COMMAND),
    *(Shape("", pump, "!") for pump in ("a", " ", "/", "-", "0", "a ", "/a", "a-", "a.b ", "\n", "é")),
)


def can_be_slow(items: Any) -> bool:
    """Whether there is a repetition or so many choices that trying it out is worth the time."""
    choices = 0
    for operation, argument in _everything(items):
        if operation in _REPEATS:
            if argument[1] >= _FEW_TIMES:
                return True
            choices += argument[0] != argument[1]
        elif operation == "BRANCH":
            choices += 1
    return choices > _FEW_CHOICES


def shapes(items: Any) -> list[Shape]:
    """The shapes for this regex, without repeats, short ones of its own first."""
    found: dict[Shape, None] = {}
    for shape in _own_shapes(items):
        found[shape] = None
        if len(found) >= _MOST_SHAPES:
            break
    return [*found, *EVERYDAY]


def _own_shapes(items: Any) -> Iterator[Shape]:
    for variant in _VARIANTS[:2]:
        almost = _sample(items, variant)[:-1]
        if almost:
            yield Shape(almost, "!", "")
            yield Shape("", almost, "", _LONGEST_OF_NEAR_MATCHES)
    for head, body in _repetitions(items, ""):
        ending = _sample(body, 1)[-1:] * 2
        for pump in dict.fromkeys(_sample(body, variant) for variant in _VARIANTS):
            if pump:
                yield Shape(head, pump, _STOPPER)
                yield Shape(head, pump, "")
                yield Shape(head, pump, ending)


def _repetitions(items: Any, head: str) -> Iterator[tuple[str, Any]]:
    """The body of each long repetition, with a text that leads there."""
    for item in parts_of(items):
        operation, argument = name_of(item[0]), item[1]
        if operation in _REPEATS and argument[1] >= _FEW_TIMES:
            yield head, argument[2]
        if operation not in _SINGLE:
            for inner in _inside(operation, argument):
                yield from _repetitions(inner, head)
        head = (head + (chr(argument) if operation == "LITERAL" else _sample([item], 0)))[-_LONGEST_SAMPLE:]


def _everything(items: Any) -> Iterator[tuple[str, Any]]:
    for operation, argument in parts_of(items):
        name = name_of(operation)
        yield name, argument
        if name not in _SINGLE:
            for inner in _inside(name, argument):
                yield from _everything(inner)


def _inside(operation: str, argument: Any) -> list[Any]:
    """The sequences that a part is made of."""
    if operation in _REPEATS:
        return [argument[2]]
    match operation:
        case "SUBPATTERN":
            return [argument[3]]
        case "ATOMIC_GROUP":
            return [argument]
        case "BRANCH":
            return list(argument[1])
        case "ASSERT" | "ASSERT_NOT":
            return [argument[1]]
        case "GROUPREF_EXISTS":
            return [inner for inner in argument[1:] if inner is not None]
    return []


def _sample(items: Any, variant: int) -> str:
    """A text that the items match, nearly always; the variant decides at every choice."""
    text = ""
    for position, (operation, argument) in enumerate(parts_of(items)):
        name = name_of(operation)
        text += chr(argument) if name == "LITERAL" else _sample_part(name, argument, variant, position)
    return text[:_LONGEST_SAMPLE]


def _sample_part(operation: str, argument: Any, variant: int, position: int) -> str:
    if operation in _REPEATS:
        least, _, body = argument
        # Variant 0: as few as possible, 1: everything once, the others: every second optional part.
        wanted = (0, 1, position % 2, (position + 1) % 2, 0, 1)[variant]
        times = min(max(int(least), wanted), _LONGEST_SAMPLE)
        return (_sample(body, variant) * times)[:_LONGEST_SAMPLE]
    match operation:
        case "ANY":
            return _FAVOURITES[variant % 3]
        case "NOT_LITERAL":
            return _member([("NEGATE", None), ("LITERAL", argument)], variant)
        case "IN":
            return _member(argument, variant)
        case "BRANCH":
            return _sample(argument[1][variant % len(argument[1])], variant)
        case "SUBPATTERN" | "ATOMIC_GROUP" | "GROUPREF_EXISTS":
            return _sample(_inside(operation, argument)[0], variant)
    return ""


def _member(members: list[tuple[Any, Any]], variant: int) -> str:
    fitting = _members(tuple(members))
    return fitting[variant % len(fitting)]


@lru_cache(maxsize=1_000)
def _members(members: tuple[tuple[Any, Any], ...]) -> list[str]:
    """Characters of a class: of those that people use most, else some that the class names."""
    fitting = [char for char in _FAVOURITES if _is_member(char, members)][:3]
    if not fitting:
        named = [argument if str(kind) == "LITERAL" else argument[0] for kind, argument in members if _names(kind)]
        fitting = [chr(number) for number in named[:3]] or ["a"]
    return fitting


def _names(kind: Any) -> bool:
    return str(kind) in ("LITERAL", "RANGE")


def _is_member(char: str, members: tuple[tuple[Any, Any], ...]) -> bool:
    number = ord(char)
    negated = False
    inside = False
    for kind, argument in members:
        match str(kind):
            case "NEGATE":
                negated = True
            case "LITERAL":
                inside |= number == argument
            case "RANGE":
                inside |= argument[0] <= number <= argument[1]
            case "CATEGORY":
                inside |= _is_in_category(char, str(argument))
    return inside != negated


def _is_in_category(char: str, category: str) -> bool:
    if category.endswith("DIGIT"):
        inside = char.isdigit()
    elif category.endswith("SPACE"):
        inside = char.isspace()
    else:
        inside = char.isalnum() or char == "_"
    return inside != ("_NOT_" in category)
