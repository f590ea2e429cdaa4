"""The nouns of a shell line: a simple command, code that a shell will read, and the known variables."""

# Dialects of code that is not for a Unix shell.
POWERSHELL = "powershell"
CMD = "cmd"

TYPE_CHECKING = False
if TYPE_CHECKING:
    # What a command reads: literal text of the line, commands that write to its pipe, code in `<(…)`.
    Input = list["str | Command | Code"]

LONGEST_PATH = 1024  # real paths are shorter; the limit keeps a hostile line from slowing the hook
_MOST_WRITERS = 32  # of one file
AT_THE_END = 1 << 40  # order of commands that may run after all others


class Command:
    """A simple command of a line."""

    __slots__ = (
        "alters", "begin", "contents", "end", "folder", "hides_errors", "inner", "input", "is_nested", "is_odd",
        "operator", "order", "output", "redirections", "texts", "values", "words",
    )  # fmt: skip

    def __init__(
        self, words: list[str], contents: list[str], read: "Input | None" = None, values: "Values | None" = None
    ) -> None:
        self.words = words  # as triggers see them
        self.contents = contents  # the same words with their real content
        self.texts: list[str] = []  # as written, and again after each wrapper, once computed
        self.inner: list[str] = []  # the scripts of `bash -c`, `eval` and the like, once computed
        self.redirections: list[str] = []  # without blanks, as `2>/dev/null`
        self.operator = ""  # that ends it
        self.begin = self.end = 0  # in the line
        self.is_nested = False  # inside `$(…)`
        self.is_odd = False  # part of a compound command, or after one
        self.alters = False  # it writes to a file, or contains a substitution
        self.hides_errors = False
        self.folder = ""  # where it runs
        self.order = AT_THE_END  # how many commands run before it
        self.input = read  # None if unknown
        self.output: str | None = None  # what it writes; None until computed
        self.values = values

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
        command = Command(words, contents, self.input, self.values)
        command.order, command.folder = self.order, self.folder
        return command

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
        self.order = AT_THE_END
        self.folder: str | None = None  # None: the same folder as the commands around it


class Values(dict[str, list[str]]):
    """The known values of variables, and which command writes to which file."""

    __slots__ = ("files", "folder", "order")

    def __init__(self, before: "Values | None" = None, order: int = AT_THE_END) -> None:
        """Copies `before` for a script that starts at `order`: later writes are left out."""
        super().__init__(before or {})
        self.files: dict[str, list[Written]] = {}
        self.folder = ""  # relative to where the line starts
        self.order = 0  # how many commands there were so far
        if before is not None:
            self.folder, self.order = before.folder, before.order
            for name, writers in before.files.items():
                self.files[name] = [written for written in writers if written[0] < order]

    def write(self, name: str, writer: Command, replaces: bool) -> None:
        """Records that a command writes to a file; `replaces` if the old content is gone."""
        writers = self.files.setdefault(located(name, writer.folder), [])
        if len(writers) < _MOST_WRITERS:
            writers.append((self.order, replaces, writer))


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


if TYPE_CHECKING:
    Payload = Code | Command
    Written = tuple[int, bool, Command]  # order, whether it replaces the content of the file, the writing command
