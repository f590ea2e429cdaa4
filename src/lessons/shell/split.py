"""A shell line in, what it would start out: each invocation as written and again after every wrapper."""

from lessons.shell.words import Words
from lessons.shell.wrappers import after_assignments, payloads, unwrap

TYPE_CHECKING = False
if TYPE_CHECKING:
    from lessons.shell.wrappers import Payload

# What nobody writes by hand is not followed to its end, so that no line can make the hook slow.
_SCRIPT_LIMIT = 65_536  # characters that are read of one script, heredoc bodies not counted
_WORK_LIMIT = 4 * _SCRIPT_LIMIT  # characters of the line and of all scripts inside its arguments
_SCRIPT_COST = 256  # characters that a script counts for beyond its own: many tiny ones take time too
_PAYLOAD_DEPTH = 8  # scripts inside the arguments of scripts
_WRAPPERS_IN_A_ROW = 16

_HEADINGS = ("for", "select", "case", "function")
KEYWORDS = frozenset(
    (
        "if",
        "then",
        "elif",
        "else",
        "fi",
        "while",
        "until",
        "do",
        "done",
        "esac",
        "!",
        "{",
        "}",
        "coproc",
        *_HEADINGS,
    )
)


def invocations(command: str) -> list[list[str]]:
    """One list of texts for every simple command that running this line would start; never raises."""
    result: list[list[str]] = []
    queue: list[tuple[Payload, int]] = [(command, 0)]
    work = 0
    for payload, depth in queue:  # grows while it is walked: what a command runs is queued behind it
        if depth > _PAYLOAD_DEPTH:
            continue
        if isinstance(payload, str):
            work += min(len(payload), _SCRIPT_LIMIT) + _SCRIPT_COST
            if work <= _WORK_LIMIT:
                queue += [(found, depth + isinstance(found, str)) for found in _commands(payload)]
        else:
            texts, inner = command_texts(*payload)
            result.append(texts)
            queue += [(found, depth + 1) for found in inner]
    return result


def command_texts(words: list[str], contents: list[str]) -> "tuple[list[str], list[Payload]]":
    """The texts of one command, and what its arguments would start."""
    texts = [" ".join(words)]
    inner: list[Payload] = []
    start = after_assignments(words, 0)
    if 0 < start < len(words):
        texts.append(" ".join(words[start:]))
    for _ in range(_WRAPPERS_IN_A_ROW):
        if start >= len(words):
            break
        if "/" in contents[start] and (name := _base_name(contents[start])):
            words[start] = name
            texts.append(" ".join(words[start:]))
        inner += payloads(words, contents, start)
        start = unwrap(words, start)
        if not start:
            break
        texts.append(" ".join(words[start:]))
    return texts, inner


def _base_name(path: str) -> str:
    """The program that a path names; nothing where the last part is no plain name, as in `${x/a/b}`."""
    name = path.rpartition("/")[2]
    return "" if any(char in name for char in " \t\n)}`") else name


def _commands(script: str) -> "list[Payload]":
    """The simple commands of a script, inner ones before the one they are part of; backticks as scripts."""
    if "\r" in script:
        script = script.replace("\r\n", "\n")
    found: list[Payload] = []
    Script(script, 0, min(len(script), _SCRIPT_LIMIT), found).read()
    return found


class Script(Words):
    """Reads one list of commands from left to right and adds each of them to `found` when it ends."""

    __slots__ = ("brackets", "cases", "contents", "heading", "heredocs", "words")

    def __init__(self, text: str, position: int, end: int, found: "list[Payload]") -> None:
        super().__init__(text, position, end, found)
        self.heredocs: list[tuple[str, bool]] = []  # delimiters of bodies that follow the line; True: after tabs too
        self.words: list[str] = []
        self.contents: list[str] = []
        self.heading = ""  # the keyword whose words are no command, as in `for x in a b`
        self.brackets = 0
        self.cases = 0

    def read(self) -> None:
        """To the end, or to the bracket that closes the substitution this is a part of."""
        text = self.text
        while self.position < self.end:
            char = text[self.position]
            if char in " \t":
                self.position += 1
            elif char == "\\" and text.startswith("\n", self.position + 1):
                self.position += 2
            elif char not in "\n;&|()<>#":
                self.add_word()
            elif char == ")" and self.nesting and not self.brackets:
                break
            else:
                self.operator(char)
        self.finish()

    def substitution(self) -> None:
        inner = Script(self.text, self.position, self.end, self.found)
        inner.nesting = self.nesting
        inner.heredocs = self.heredocs
        inner.arithmetic = self.arithmetic
        inner.read()
        self.position = inner.position + 1
        self.end = inner.end
        self.arithmetic = inner.arithmetic

    def finish(self) -> None:
        self.heading = ""
        if self.words:
            self.found.append((self.words, self.contents))
            self.words = []
            self.contents = []

    def operator(self, char: str) -> None:
        following = self.text[self.position + 1 : self.position + 2]
        if char == "#":
            self.skip_to("\n")
        elif char in "<>" and following == "(":
            self.add_word()
        elif char in "&|()<>" and self.words and self.words[0] == "[[" and self.words[-1] != "]]":
            sign = char * 2 if following == char else char
            self.add(sign, sign)
            self.position += len(sign)
        elif char in "<>" or (char == "&" and following == ">"):
            self.redirection(self.position)
        elif char == "(":
            self.opening_bracket()
        else:
            self.finish()
            self.position += 1
            if char == "\n":
                self.skip_heredocs()
            elif char == ")":
                self.brackets -= self.brackets > 0
            elif char == ";" and self.cases and following in (";", "&"):
                self.position += 1
                self.pattern()

    def opening_bracket(self) -> None:
        if not self.words and self.skip_arithmetic(self.position):
            return
        if len(self.words) == 1 and self.text[self.position + 1 : self.position + 9].lstrip()[:1] == ")":
            self.drop()  # the name of a function
        self.finish()
        self.brackets += 1
        self.position += 1

    def add(self, shown: str, content: str) -> None:
        self.words.append(shown)
        self.contents.append(content)

    def drop(self) -> None:
        self.words.clear()
        self.contents.clear()

    def add_word(self) -> None:
        start = self.position
        shown, content = self.word()
        if self.heading:
            self.heading_word(shown)
        elif shown in KEYWORDS and (not self.words or self.words == ["time"]):
            self.drop()
            if shown in _HEADINGS:
                self.heading = shown
            elif shown == "esac":
                self.cases -= self.cases > 0
        elif self.position < self.end and self.text[self.position] in "<>" and _is_descriptor(shown):
            self.redirection(start)
        else:
            self.words.append(shown)
            self.contents.append(content)

    def heading_word(self, word: str) -> None:
        if self.heading == "function":
            self.heading = ""
        elif self.heading == "case" and word == "in":
            self.heading = ""
            self.cases += 1
            self.pattern()

    def pattern(self) -> None:
        """Skips the pattern of a `case` branch with its bracket, or the `esac` in its place."""
        while self.position < self.end:
            char = self.text[self.position]
            if char == ")":
                self.position += 1
                return
            if char == "#":
                self.skip_to("\n")
            elif char in " \t\n;&|<>(":
                self.position += 1
            elif self.word()[0] == "esac":
                self.cases -= 1
                return

    def redirection(self, start: int) -> None:
        text = self.text
        begin = position = self.position + (text[self.position] == "&")
        while position < self.end and text[position] in "<>" and position - begin < 3:
            position += 1
        sign = text[begin:position]
        tabs = sign == "<<" and text.startswith("-", position)
        if tabs or (sign in ("<", ">") and text[position : position + 1] in ("&", "|")):
            position += 1
        shown = text[start:position]
        self.position = position
        self.skip_blanks()
        target = self.position
        word, content = self.word()
        if sign == "<<" and self.position > target:
            self.heredocs.append((content, tabs))
        self.redirected([shown, word], [shown, content], target > position)

    def redirected(self, shown: list[str], contents: list[str], apart: bool) -> None:
        """What is done with a redirection, sign and target; it is no part of what a trigger sees."""

    def skip_blanks(self) -> None:
        while self.position < self.end and self.text[self.position] in " \t":
            self.position += 1

    def skip_heredocs(self) -> None:
        begin = self.position
        for delimiter, tabs in self.heredocs:
            self.position = _after_heredoc(self.text, self.position, delimiter, tabs)
        self.heredocs.clear()
        self.end = min(len(self.text), self.end + self.position - begin)


def _is_descriptor(word: str) -> bool:
    """Whether a word right before a redirection belongs to it: `2>` or `{log}>`."""
    return word.isdigit() or (word[:1] == "{" and word[-1:] == "}" and word[1:-1].isidentifier())


def _after_heredoc(text: str, position: int, delimiter: str, tabs: bool) -> int:
    """Where the line after a heredoc begins, whose body begins at `position`."""
    while position < len(text):
        match = text.find(delimiter, position)
        if match < 0:
            break
        begin = text.rfind("\n", position, match) + 1 or position
        newline = text.find("\n", match)
        end = len(text) if newline < 0 else newline
        line = text[begin:end]
        if (line.lstrip("\t") if tabs else line) == delimiter:
            return end + 1
        position = end + 1
    return len(text)
