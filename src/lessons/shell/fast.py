"""Splits shell lines that consist of words and operators only: most lines are like this, and need no parser."""

TYPE_CHECKING = False
if TYPE_CHECKING:
    # The words of a command, its start and end in the line, and the operator after it.
    SimpleCommand = tuple[list[str], int, int, str]

# A line without these has only words and operators, and needs no reading by character.
_NOT_SIMPLE = frozenset("'\"\\`$<>(){}!#;&| \t\n\r\v\f\0")
_KEYWORDS = frozenset("if then elif else fi while until for do done case esac select function coproc time".split())
_OPERATORS = ("&&", "||", "|", ";", "&")
_LONGEST_LINE = 65_536


def after_assignments(words: list[str], start: int) -> int:
    """Returns the index of the first word from `start` on that is not `NAME=value`."""
    while start < len(words) and is_assignment(words[start]):
        start += 1
    return start


def is_assignment(word: str) -> bool:
    equals = word.find("=")
    if equals < 1:
        return False
    name = word[:equals]
    if name[-1] == "+":
        name = name[:-1]
    return name.partition("[")[0].isidentifier()


def simple_invocations(command: str) -> list[list[str]] | None:
    """Returns the same as split.invocations for a simple line; None for any other."""
    if len(command) > _LONGEST_LINE:
        return None
    found = simple_commands(command)
    if found is None or any(_may_start_another(words) for words, *_ in found):
        return None
    return [[" ".join(words)] for words, *_ in found]


def _may_start_another(words: list[str]) -> bool:
    """Also true if the program is not given by its plain name."""
    from lessons.shell.tables import NAMES, PYTHONS, SHELLS, SPECIAL, STARTERS

    program = words[0]
    if program in STARTERS or program in SPECIAL or program in SHELLS or any(sign in program for sign in "=/."):
        return True
    if program.rstrip("0123456789") in PYTHONS:  # `python3`
        return True
    if len(words) == 1 or f"\n{program} " not in NAMES:
        return False
    start = f"\n{program} {words[1]}"
    return words[1][:1] == "-" or f"{start}\n" in NAMES or f"{start} " in NAMES


def simple_commands(command: str) -> "list[SimpleCommand] | None":
    """Returns the commands of a line of words, operators and `2>&1` only; None for any other."""
    tokens = _tokens(command)
    signs = [sign for token, _ in tokens if token not in _OPERATORS for sign in token or " "]
    if "[[" in command or not _NOT_SIMPLE.isdisjoint(signs):
        return None
    found: list[SimpleCommand] = []
    words: list[str] = []
    begin = 0
    for token, position in [*tokens, ("", len(command))]:
        if token and token not in _OPERATORS:
            begin = begin if words else position
            if not words and token in _KEYWORDS:
                return None
            words.append(token)
        elif words:
            found.append((words, begin, position, token))
            words = []
        elif token:
            return None  # an operator with no command before it
    return found


def _tokens(command: str) -> list[tuple[str, int]]:
    """Returns words and operators with their positions; an empty word where two blanks follow each other."""
    tokens: list[tuple[str, int]] = []
    position = 0
    for token in command.split(" "):
        if token[-1:] == ";" and len(token) > 1:
            tokens += [(token[:-1], position), (";", position + len(token) - 1)]
        elif token != "2>&1":
            tokens.append((token, position))
        position += len(token) + 1
    return tokens
