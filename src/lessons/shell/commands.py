"""The parts of a line: simple commands, and code that a shell will read."""

# Dialects of code that is not for a Unix shell.
POWERSHELL = "powershell"
CMD = "cmd"

TYPE_CHECKING = False
if TYPE_CHECKING:
    # What a command reads: literal text of the line, commands that write to its pipe, code in `<(…)`.
    Input = list["str | Command | Code"]


_MOST_EFFORT = 131_072
LONGEST_PATH = 1024  # real paths are shorter; the limit keeps a hostile line from slowing the hook
_AT_THE_END = 1 << 40  # order of commands that may run after all others


class Effort:
    """The effort left for following what a line computes, shared by all scripts of the line."""

    __slots__ = ("left",)

    def __init__(self) -> None:
        self.left = _MOST_EFFORT

    def spend(self, amount: int) -> bool:
        """Subtracts the amount, about one per character or command; returns False once nothing is left."""
        self.left -= amount
        return self.left >= 0


class Values(dict[str, list[str]]):
    """The known values of variables, which command writes to which file, and what functions run."""

    __slots__ = ("effort", "files", "folder", "functions", "order")

    def __init__(self, before: "Values | None" = None, order: int = _AT_THE_END) -> None:
        """Copies `before` for a script that starts at `order`: later writes are left out."""
        super().__init__()
        self.effort: Effort = Effort() if before is None else before.effort
        self.files: dict[str, list[Written]] = {}
        self.functions: dict[str, Function] = {}
        self.folder = ""  # where the next command runs, relative to where the line starts
        self.order = 0  # how many commands there were so far
        if before is not None:
            self.folder = before.folder
            self.order = before.order
            if self.effort.spend(len(before) + len(before.files) + len(before.functions)):
                self.update(before)
                self.functions.update(before.functions)
                for name, writers in before.files.items():
                    self.files[name] = [written for written in writers if written[0] < order]

    def write(self, name: str, writer: "Command", replaces: bool) -> None:
        """Records that a command writes to a file; `replaces` if the old content is gone."""
        self.files.setdefault(located(name, writer.folder), []).append((self.order, replaces, writer))


def located(name: str, folder: str) -> str:
    """Returns the normalised path of a name in a folder, the same for every spelling."""
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
    """A simple command: its words as triggers see them, the same words with their real content, and its input."""

    __slots__ = ("contents", "folder", "input", "is_quoted", "order", "output", "values", "words")

    def __init__(
        self, words: list[str], contents: list[str], read: "Input | None" = None, values: "Values | None" = None
    ) -> None:
        self.words = words
        self.contents = contents
        self.input = read  # None if unknown
        self.values = values
        self.output: str | None = None  # what it writes; None until computed
        self.order = _AT_THE_END  # how many commands run before it
        self.folder = ""  # where it runs
        self.is_quoted = False  # whether its name is quoted and therefore not an alias

    def behind(self, index: int) -> "Command":
        """Returns the command formed by its words from `index` on."""
        return self.with_words(self.words[index:], self.contents[index:])

    def with_words(self, words: list[str], contents: list[str]) -> "Command":
        """Returns a command of these words that runs in the same place."""
        command = Command(words, contents, self.input, self.values)
        command.order, command.folder = self.order, self.folder
        return command

    def runs_in(self, values: "Values", at_the_end: bool) -> None:
        """Records when and where it runs."""
        values.order += 1
        self.order = _AT_THE_END if at_the_end else values.order
        self.folder = values.folder

    def redirected(self) -> "Command":
        """Returns the command that writes elsewhere; this one writes nothing to the usual output any more."""
        writer = self.behind(0)
        self.output = ""
        return writer

    def code(self, text: str) -> "Code":
        """Returns code that this command passes to a shell, with the same input."""
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
        self.folder: str | None = None  # None: the same folder as the commands around it


def feed(readers: "list[Payload]", read: "Input") -> None:
    """Sets the input of all readers that have none of their own."""
    for reader in readers:
        if reader.input is None:
            reader.input = read


if TYPE_CHECKING:
    Payload = Code | Command
    Written = tuple[int, bool, Command]  # order, whether it replaces the content of the file, the writing command
    Function = tuple[list[Command], Input]  # the commands it runs, and their input
