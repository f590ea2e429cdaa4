"""What a line is made of: simple commands, and code that a shell will read."""

# How code is written that is not for a shell of Unix.
POWERSHELL = "powershell"
CMD = "cmd"

TYPE_CHECKING = False
if TYPE_CHECKING:
    # What a command reads: texts of the line itself, commands whose output comes through a pipe, code in `<(…)`.
    Input = list["str | Command | Code"]


class Values(dict[str, list[str]]):
    """What variables hold, as far as the line tells; also who writes into which file, and what functions run."""

    __slots__ = ("files", "functions")

    def __init__(self, before: "Values | None" = None) -> None:
        super().__init__({} if before is None else before)
        self.files: dict[str, list[Command]] = {} if before is None else {**before.files}
        self.functions: dict[str, list[Command]] = {} if before is None else {**before.functions}


class Command:
    """One simple command: its words as triggers see them, the same words with their real content, what it reads."""

    __slots__ = ("contents", "input", "output", "values", "words")

    def __init__(
        self, words: list[str], contents: list[str], read: "Input | None" = None, values: "Values | None" = None
    ) -> None:
        self.words = words
        self.contents = contents
        self.input = read  # None where that is not known
        self.values = values
        self.output: str | None = None  # what it writes, once somebody asked

    def behind(self, index: int) -> "Command":
        """The command that its words from `index` on are."""
        return Command(self.words[index:], self.contents[index:], self.input, self.values)

    def write_to(self, target: "tuple[str, list[Payload]]") -> None:
        """Lets its output go into a file, or to the commands that read it there, and no longer the usual way."""
        name, readers = target
        writer = Command(self.words, self.contents, self.input, self.values)
        feed(readers, [writer])
        if not readers and self.values is not None:
            self.values.files.setdefault(name.removeprefix("./"), []).append(writer)
        self.output = ""

    def code(self, text: str) -> "Code":
        """Code that it has a shell run, which reads what the command reads."""
        return Code(text, self.input, self.values)


class Code:
    """Code that a shell will read."""

    __slots__ = ("dialect", "input", "text", "values")

    def __init__(
        self, text: str, read: "Input | None" = None, values: "Values | None" = None, dialect: str = ""
    ) -> None:
        self.text = text
        self.dialect = dialect
        self.input = read
        self.values = values


def feed(readers: "list[Payload]", read: "Input") -> None:
    """Lets those of them read this that have no input of their own."""
    for reader in readers:
        if reader.input is None:
            reader.input = read


if TYPE_CHECKING:
    Payload = Code | Command
