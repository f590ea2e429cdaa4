"""The nouns of a shell line: a simple command, code that a shell will read, and what the line has set before them."""

from lessons.shell.fast import after_assignments, is_assignment

# Dialects of code that is not for a Unix shell.
POWERSHELL = "powershell"
CMD = "cmd"

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import TypeAlias

    # What a command reads: texts of the line itself, or the command before it in the pipe; None if unknown.
    Input: TypeAlias = "list[str] | Command | None"

# Limits far beyond what people write, so that no line can slow the hook.
LONGEST_PATH = 1024
LONGEST_SCRIPT = 65_536  # characters read of one script, without heredoc bodies
_LONGEST_VALUE = 4096
_MOST_NAMES = 64
_MOST_WRITERS = 32  # of one file
_CHANGE_FOLDER = ("cd", "pushd", "popd")
_DECLARING = ("export", "local", "readonly", "declare", "typeset")


class Known:
    """What a line has shown so far: the values of simple variables, and which commands wrote to which file.

    A change makes new mappings, so that every command keeps what was known before it.
    """

    __slots__ = ("files", "variables")

    def __init__(self, before: "Known | None" = None) -> None:
        self.variables: dict[str, str] = before.variables if before else {}
        self.files: dict[str, list[Command]] = before.files if before else {}

    def record(self, command: "Command", replaces: bool) -> None:
        """Records what a command assigns and which files it writes."""
        words = command.contents
        if command.target:
            self.write(command.target, [command], replaces)
        if words[0] in _CHANGE_FOLDER:
            self.files = {name: writers for name, writers in self.files.items() if name[:1] in "/~$"}
        elif words[0] in _DECLARING:
            self.assign([word for word in words[1:] if is_assignment(word)])
        elif words[0] in ("unset", "read"):
            self.variables = {name: value for name, value in self.variables.items() if name not in words}
        elif "=" in words[0]:
            if after_assignments(words, 0) == len(words):  # otherwise they apply to the command alone
                self.assign(words)
        elif words[0] == "tee" or (words[0] == "sudo" and "tee" in words):
            replaces = "-a" not in words and "--append" not in words
            for word in words[words.index("tee") + 1 :][:_MOST_NAMES]:
                if word[:1] not in "->":
                    self.write(word, [command], replaces)

    def assign(self, assignments: list[str]) -> None:
        for assignment in assignments:
            name, _, value = assignment.partition("=")
            if name[-1:] == "+":
                name = name[:-1]
                value = self.variables.get(name, "") + value
            if len(value) <= _LONGEST_VALUE and (name in self.variables or len(self.variables) < _MOST_NAMES):
                self.variables = {**self.variables, name: value}

    def write(self, name: str, writers: "list[Command]", replaces: bool) -> None:
        name = self.located(name)
        before = [] if replaces else self.files.get(name, [])
        if len(before) < _MOST_WRITERS and (name in self.files or len(self.files) < _MOST_NAMES):
            self.files = {**self.files, name: [*before, *writers]}

    def writers_of(self, name: str) -> "list[Command]":
        return self.files.get(self.located(name), []) if self.files else []

    def located(self, name: str) -> str:
        """Returns the same path for every spelling of it."""
        name = self.expanded(name) or name
        for here in ("$PWD/", "${PWD}/", "$(pwd)/", "./"):
            name = name.removeprefix(here)
        return name[:LONGEST_PATH]

    def expanded(self, word: str) -> str:
        """Returns the value of letters and variables, such as `$name` or `a${b:-c}`; empty if a part is unknown."""
        if "$" not in word:
            return word
        text, *pieces = word.split("$")
        for piece in pieces:
            end = piece.find("}") + 1 if piece[:1] == "{" else _name_end(piece)
            value = self._value(piece[1 : end - 1] if piece[:1] == "{" else piece[:end])
            if not value or len(text) > _LONGEST_VALUE:
                return ""
            text += value + piece[end:]
        return text

    def _value(self, name: str) -> str:
        """Returns the value of a variable, or its default in `x:-make`."""
        for sign in (":-", ":=", "-", "="):
            before, found, default = name.partition(sign)
            if found:
                return self.variables.get(before) or default.strip("\"'")
        return self.variables.get(name, "")


def _name_end(text: str) -> int:
    end = 0
    while end < len(text) and (text[end].isalnum() or text[end] == "_"):
        end += 1
    return end


class Command:
    """A simple command of a line."""

    __slots__ = (
        "alters", "begin", "contents", "end", "folder", "hides_errors", "inner", "input", "is_odd", "known",
        "operator", "output", "redirections", "target", "texts", "words",
    )  # fmt: skip

    def __init__(self, words: list[str], contents: list[str], read: "Input" = None, known: Known | None = None) -> None:
        self.words = words  # as triggers see them
        self.contents = contents  # the same words with their real content
        self.texts: list[str] = []  # as written, and again after each wrapper, once computed
        self.inner: list[str] = []  # the scripts of `bash -c`, `eval` and the like, once computed
        self.redirections: list[str] = []  # without blanks, as `2>/dev/null`
        self.target = ""  # the file to which its output goes
        self.operator = ""  # that ends it
        self.begin = self.end = 0  # in the line
        self.is_odd = False  # part of a compound command, or after one
        self.alters = False  # it writes to a file, or contains a substitution
        self.hides_errors = False
        self.folder = ""  # where it runs, once computed
        self.input = read
        self.output: str | None = None  # what it writes, once computed
        self.known = known or Known()  # before it

    @property
    def program(self) -> str:
        """The program behind all wrappers."""
        return self.texts[-1].partition(" ")[0]

    @property
    def arguments(self) -> list[str]:
        """The real content of its words, from the program on."""
        return self.contents[-1 - self.texts[-1].count(" ") :]

    def behind(self, index: int) -> "Command":
        """Returns the command formed by its words from `index` on."""
        return self.with_words(self.words[index:], self.contents[index:])

    def with_words(self, words: list[str], contents: list[str]) -> "Command":
        """Returns a command of these words that runs in the same place."""
        return Command(words, contents, self.input, self.known)

    def code(self, text: str, dialect: str = "") -> "Code":
        """Returns code that this command passes to a shell, with the same input."""
        return Code(text, self.input, self.known, dialect)


class Code:
    """Code that a shell will read."""

    __slots__ = ("dialect", "input", "known", "text")

    def __init__(self, text: str, read: "Input" = None, known: Known | None = None, dialect: str = "") -> None:
        self.text = text
        self.dialect = dialect
        self.input = read
        self.known = known or Known()


if TYPE_CHECKING:
    Payload = Code | Command
