"""What a line is made of: simple commands, and code that a shell will read."""

# How code is written that is not for a shell of Unix.
POWERSHELL = "powershell"
CMD = "cmd"

TYPE_CHECKING = False
if TYPE_CHECKING:
    # What a command reads: texts of the line itself, commands whose output comes through a pipe, code in `<(…)`.
    Input = list["str | Command | Code"]


_MOST_EFFORT = 131_072
LONGEST_PATH = 1024  # nobody writes longer ones, and a line could make the hook slow with them
_AT_THE_END = 1 << 40  # the order of commands that may run after all others


class Effort:
    """What may still be spent on following what a line computes, for all scripts of the line together."""

    __slots__ = ("left",)

    def __init__(self) -> None:
        self.left = _MOST_EFFORT

    def spend(self, amount: int) -> bool:
        """Takes the amount, about a character or a command each; False where nothing is left."""
        self.left -= amount
        return self.left >= 0


class Values(dict[str, list[str]]):
    """What variables hold, as far as the line tells; also who writes into which file, and what functions run."""

    __slots__ = ("effort", "files", "folder", "functions", "order")

    def __init__(self, before: "Values | None" = None, order: int = _AT_THE_END) -> None:
        """A copy for a script that begins in this order, in which no later command has written yet."""
        super().__init__()
        self.effort: Effort = Effort() if before is None else before.effort
        self.files: dict[str, list[Written]] = {}
        self.functions: dict[str, Function] = {}
        self.folder = ""  # where the next command runs, seen from where the line begins
        self.order = 0  # how many commands there were
        if before is not None:
            self.folder = before.folder
            self.order = before.order
            if self.effort.spend(len(before) + len(before.files) + len(before.functions)):
                self.update(before)
                self.functions.update(before.functions)
                for name, writers in before.files.items():
                    self.files[name] = [written for written in writers if written[0] < order]

    def write(self, name: str, writer: "Command", replaces: bool) -> None:
        """Notes that a command writes into a file; `replaces` where nothing of what was in it is left."""
        self.files.setdefault(located(name, writer.folder), []).append((self.order, replaces, writer))


def located(name: str, folder: str) -> str:
    """The file that a name means in a folder: the same for every way to write it."""
    for here in ("$PWD/", "${PWD}/", "$(pwd)/"):
        name = name.removeprefix(here)
    if folder and name[:1] not in ("/", "~", "$"):
        name = f"{folder}/{name}"
    if len(name) > LONGEST_PATH or ("." not in name and "//" not in name):
        return name
    kept: list[str] = []
    for part in name.split("/"):
        if part == ".." and kept and kept[-1] not in ("", ".."):
            kept.pop()
        elif part != "." and (part or not kept):
            kept.append(part)
    return "/".join(kept)


class Command:
    """One simple command: its words as triggers see them, the same words with their real content, what it reads."""

    __slots__ = ("contents", "folder", "input", "is_quoted", "order", "output", "values", "words")

    def __init__(
        self, words: list[str], contents: list[str], read: "Input | None" = None, values: "Values | None" = None
    ) -> None:
        self.words = words
        self.contents = contents
        self.input = read  # None where that is not known
        self.values = values
        self.output: str | None = None  # what it writes, once somebody asked
        self.order = _AT_THE_END  # how many commands run before it
        self.folder = ""  # where it runs
        self.is_quoted = False  # whether its name is, and therefore no alias

    def behind(self, index: int) -> "Command":
        """The command that its words from `index` on are."""
        return self.with_words(self.words[index:], self.contents[index:])

    def with_words(self, words: list[str], contents: list[str]) -> "Command":
        """A command of these words in its place."""
        command = Command(words, contents, self.input, self.values)
        command.order, command.folder = self.order, self.folder
        return command

    def runs_in(self, values: "Values", at_the_end: bool) -> None:
        """Notes when and where it runs."""
        values.order += 1
        self.order = _AT_THE_END if at_the_end else values.order
        self.folder = values.folder

    def redirected(self) -> "Command":
        """The command as it writes elsewhere; nothing of that goes the usual way any more."""
        writer = self.behind(0)
        self.output = ""
        return writer

    def code(self, text: str) -> "Code":
        """Code that it has a shell run, which reads what the command reads."""
        code = Code(text, self.input, self.values)
        code.order, code.folder = self.order, self.folder
        return code


class Code:
    """Code that a shell will read."""

    __slots__ = ("dialect", "folder", "input", "order", "text", "values")

    def __init__(
        self, text: str, read: "Input | None" = None, values: "Values | None" = None, dialect: str = ""
    ) -> None:
        self.text = text
        self.dialect = dialect
        self.input = read
        self.values = values
        self.order = _AT_THE_END
        self.folder: str | None = None  # None where it runs where the commands around it do


def feed(readers: "list[Payload]", read: "Input") -> None:
    """Lets those of them read this that have no input of their own."""
    for reader in readers:
        if reader.input is None:
            reader.input = read


if TYPE_CHECKING:
    Payload = Code | Command
    Written = tuple[int, bool, Command]  # its order, whether it replaces what was in the file, who writes
    Function = tuple[list[Command], Input]  # what it runs, and what that reads
