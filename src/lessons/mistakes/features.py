"""The features of a call, and the words of an error: what they share with others. Counting them is all memory does.

A feature is a short text that begins with its family and is general: `option:git log --stat`, `kind:cat glob`. A family
is one line below; none of them names a program. A shell line is split quickly and roughly, for counting, not for
deciding what runs: the parser in `shell/` knows wrappers, payloads and values; this one knows words, quotes, operators
and heredocs, and never fails.
"""

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

_LONGEST_LINE = 8192
_KEYWORDS = frozenset("if then elif else fi for while until do done case esac time { } !".split())
_ENDS_TARGET = " \t\n;&|()<>"


class Command:
    """One simple command: its words after assignments, the names it assigns, and the text of its heredoc."""

    __slots__ = ("assigned", "heredoc", "words")

    def __init__(self) -> None:
        self.words: list[tuple[str, bool]] = []  # text, and whether any of it was quoted
        self.assigned: list[str] = []
        self.heredoc = ""

    def add(self, text: str, quoted: bool) -> None:
        if not self.words and not quoted:
            if text in _KEYWORDS:
                return
            name, equals, _ = text.partition("=")
            if equals and name.replace("_", "a").isalnum() and not name[0].isdigit():
                self.assigned.append(name)
                return
        self.words.append((text, quoted))


def commands_of(line: str) -> list[Command]:
    """Returns the commands of a line in order; of a very long line only those at its start."""
    return _Splitter(line[:_LONGEST_LINE]).commands


_SIGNS = frozenset("'\"\\ \t\r\n#<>&|;()$")


class _Splitter:
    def __init__(self, line: str) -> None:
        self.line = line
        self.commands: list[Command] = []
        self.command = Command()
        self.word = ""
        self.in_word = self.quoted = False
        self.heredocs: list[tuple[Command, str]] = []  # announced, with the mark that ends each
        place, end = 0, len(line)
        while place < end:
            if line[place] in _SIGNS:
                place = self._step(line[place], place)
                continue
            begin = place  # most of a line are letters that mean nothing else: all in a row at once
            while place < end and line[place] not in _SIGNS:
                place += 1
            self._add(line[begin:place])
        self._end_command()

    def _step(self, sign: str, place: int) -> int:
        """Reads what begins here; returns the place after it."""
        if sign in "'\"":
            return self._quoted(sign, place)
        if sign == "\\":
            if self.line[place + 1 : place + 2] == "\n":
                self._end_word()
            else:
                self._add(self.line[place : place + 2])
            return place + 2
        if sign in " \t\r":
            self._end_word()
            return place + 1
        if sign == "\n":
            self._end_command()
            return self._bodies(place + 1)
        if sign == "#" and not self.in_word:
            return self._find("\n", place)
        if sign in "<>":
            return self._redirection(place)
        if sign in "&|;()":
            if sign == "&" and self.line[place + 1 : place + 2] == ">":
                return self._redirection(place)
            self._end_command()
            return place + 1
        if sign == "$" and self.line[place + 1 : place + 2] == "(":
            self._add("$()")
            return self._closing(place + 1)
        self._add(sign)
        return place + 1

    def _add(self, text: str) -> None:
        self.word += text
        self.in_word = True

    def _quoted(self, sign: str, place: int) -> int:
        end = place + 1
        if sign == "'":
            end = self._find("'", end)
        else:
            while end < len(self.line) and self.line[end] != '"':
                end += 2 if self.line[end] == "\\" else 1
        self._add(self.line[place + 1 : end])
        self.quoted = True
        return end + 1

    def _redirection(self, place: int) -> int:
        """Skips an operator and its target; notes the mark of a heredoc."""
        if self.in_word and self.word.isdigit() and not self.quoted:
            self.word, self.in_word = "", False  # the number of a file: `2>`
        self._end_word()
        end = place
        while end < len(self.line) and self.line[end] in "<>&|-":
            end += 1
        operator = self.line[place:end]
        while self.line[end : end + 1] == " ":
            end += 1
        start = end
        while end < len(self.line) and self.line[end] not in _ENDS_TARGET:
            end += 1
        if operator in ("<<", "<<-"):
            self.heredocs.append((self.command, self.line[start:end].strip("'\"\\")))
        return max(end, place + 1)

    def _bodies(self, place: int) -> int:
        """Skips the heredocs that begin here."""
        for command, mark in self.heredocs:
            start = place
            while place < len(self.line):
                end = self._find("\n", place)
                text, next_line = self.line[place:end].strip(), end + 1
                if text == mark:
                    break
                place = next_line
            command.heredoc, place = self.line[start:place], min(len(self.line), self._find("\n", place) + 1)
        self.heredocs = []
        return place

    def _closing(self, place: int) -> int:
        """Returns the place after the parenthesis that closes the one here."""
        depth = 0
        while place < len(self.line):
            depth += {"(": 1, ")": -1}.get(self.line[place], 0)
            place += 1
            if not depth:
                break
        return place

    def _find(self, text: str, place: int) -> int:
        found = self.line.find(text, place)
        return len(self.line) if found < 0 else found

    def _end_word(self) -> None:
        if self.in_word:
            self.command.add(self.word, self.quoted)
        self.word, self.in_word, self.quoted = "", False, False

    def _end_command(self) -> None:
        self._end_word()
        if self.command.words or self.command.assigned:
            self.commands.append(self.command)
            self.command = Command()


_MOST_COMMANDS = 12
_MOST_FEATURES = 160
_MOST_NAMES = 40  # identifiers of quoted text
_LONGEST_WORD = 24
_LONGEST_VALUE = 32
_LONGEST_TEXT = 3000
_TEMPORARY = ("/tmp", "/private/tmp", "/var/folders", "/var/tmp")
_HOMES = ("~", "/home/", "/Users/", "/root")
_PRIME = (1 << 61) - 1


def features_of(tool: str, arguments: object, command: "str | None", cwd: str) -> "set[str]":
    """Returns the features of a call; `command` is the line of a shell, None for any other tool."""
    found: set[str] = set()
    for feature in _of_line(command, cwd) if command is not None else _of_tool(tool, arguments):
        if len(found) == _MOST_FEATURES:
            break
        found.add(feature)
    return found


def key_of(feature: str) -> int:
    """Returns a number below 2**32 that stands for a feature, the same on every machine and never 0."""
    return 1 + (int.from_bytes(feature.encode("utf-8", "replace") + b"\1", "little") % _PRIME) % 0xFFFFFFFE


def family_of(feature: str) -> str:
    return feature.partition(":")[0]


def program_of(word: str) -> str:
    """Returns the name of a program without its folder: `pytest` for `.venv/bin/pytest`."""
    return word.replace("\\", "/").rstrip("/").rpartition("/")[2].lower() or word


def _of_line(line: str, cwd: str) -> "Iterator[str]":
    folder = _last_part(cwd)
    for command in commands_of(line)[:_MOST_COMMANDS]:
        for name in command.assigned:
            yield f"assigned:{name}"
        if command.words:
            yield from _of_command(command.words, command.heredoc, folder)


def _of_command(words: "list[tuple[str, bool]]", heredoc: str, folder: str) -> "Iterator[str]":
    program, arguments = program_of(words[0][0]), words[1:]
    yield f"program:{program}"
    if "/" in words[0][0] or "\\" in words[0][0]:
        yield f"place:{program} {kind_of(words[0][0], False)}"
    heads = [program]
    for word in heads_of(words)[1:]:
        heads.append(f"{heads[-1]} {word}")
        yield f"words:{heads[-1]}"
    # The first word is the sub-command of many programs; a second one is too narrow to count by.
    heads = heads[:2]
    options = sorted({word.partition("=")[0][:_LONGEST_WORD] for word, _ in arguments if _is_option(word)})
    values = [(word, quoted) for word, quoted in arguments if not _is_option(word)]
    kinds = sorted({kind_of(word, quoted) for word, quoted in values})
    for head in heads:
        yield from (f"option:{head} {option}" for option in options)
        yield from (f"kind:{head} {kind}" for kind in kinds)
        if folder:
            yield f"folder:{head} {folder}"
    yield from _pairs(heads[-1], options[:4], kinds)
    for word, quoted in values[len(heads) - 1 :]:
        yield from _of_value(program, heads[-1], word, quoted)
    yield from (f"module:{program} {name}" for name in _modules(heredoc))


def heads_of(words: "list[tuple[str, bool]]") -> list[str]:
    """Returns the program of a command and at most two plain words after it: its sub-commands, if it has any."""
    heads = [program_of(words[0][0])]
    for word, quoted in words[1:3]:
        if quoted or not _is_word(word):
            break
        heads.append(word)
    return heads


def _pairs(head: str, options: "list[str]", kinds: "list[str]") -> "Iterator[str]":
    for number, option in enumerate(options):
        yield from (f"options:{head} {option} {other}" for other in options[number + 1 :])
        yield from (f"option-kind:{head} {option} {kind}" for kind in kinds)


def _of_value(program: str, head: str, word: str, quoted: bool) -> "Iterator[str]":
    if _is_word(word):
        yield f"word:{head} {word}"
    elif "/" in word and "://" not in word and " " not in word:
        parts = ["#" if part.isdigit() else part for part in word.strip("/").split("/")]
        if "#" in parts:
            yield f"path-shape:{program} {'/'.join(parts[-4:])}"
        if word[0] not in "/~$":
            yield f"path:{head} {parts[0]}/"
            if len(parts) > 2:
                yield f"path:{head} {parts[0]}/{parts[1]}/"
    if quoted and len(word) > 3:
        text = word[:_LONGEST_TEXT]
        yield from (f"escape:{head} {sign}" for sign in _escapes(text))
        yield from (f"module:{program} {name}" for name in _modules(text))
        yield from (f"name:{head} {name}" for name in names_in(text))


def kind_of(word: str, quoted: bool) -> str:
    """Returns the kind of an argument: `relative`, `temporary`, `glob`, `url`, …"""
    if not word:
        return "empty"
    if word[0] == "$":
        return "variable"
    if "\n" in word:
        return "lines"
    if " " in word:
        return "text"
    if "://" in word:
        return "url"
    if word.startswith(_TEMPORARY):
        return "temporary"
    if word.startswith(_HOMES):
        return "home"
    if word[1:3] in (":/", ":\\"):
        return "drive"
    if word[0] == "/":
        return "drive-mount" if word[2:3] == "/" and word[1].isalpha() else "absolute"
    if not quoted and ("*" in word or "?" in word):
        return "glob"
    if not quoted and "[" in word:
        return "bracket"
    if word.lstrip("-").replace(".", "").isdigit():
        return "number"
    if word.startswith(".."):
        return "above"
    if "/" in word:
        return "relative"
    if "=" in word:
        return "pair"
    return "file" if "." in word else "word"


def names_in(text: str) -> "list[str]":
    """Returns identifiers of quoted text or code, sorted; they count only where an error names them."""
    found: set[str] = set()
    word = ""
    for sign in f"{text} ":
        if sign.isalnum() or sign == "_":
            word += sign
            continue
        if 3 <= len(word) <= _LONGEST_VALUE and not word[0].isdigit():
            found.add(word)
        word = ""
    return sorted(found)[:_MOST_NAMES]


def _modules(code: str) -> "set[str]":
    """Returns what code imports; the first words of a line tell in most languages."""
    found: set[str] = set()
    for line in code[:_LONGEST_TEXT].replace(";", "\n").split("\n"):
        words = line.replace(",", " ").split(None, 2)
        if len(words) > 1 and words[0] in ("import", "from"):
            found.add(words[1].strip("'\"").partition(".")[0])
        start = line.find("require(")
        if start >= 0:
            name = line[start + 8 :].lstrip("'\"")
            found.add(name[: min(name.find(sign) % 40 for sign in "'\")")])
    return {name for name in found if 0 < len(name) <= _LONGEST_VALUE}


def _escapes(text: str) -> "set[str]":
    """Returns the signs that stand behind a backslash, letters and digits apart."""
    found: set[str] = set()
    place = text.find("\\")
    while place >= 0:
        sign = text[place + 1 : place + 2]
        if sign and not sign.isalnum() and sign not in '"\\ \n':
            found.add(sign)
        place = text.find("\\", place + 2)
    return found


def _is_option(word: str) -> bool:
    return (
        word[0:1] == "-"
        and word[1:2] not in ("", "0", "1", "2", "3", "4", "5", "6", "7", "8", "9")
        and "\n" not in word
    )


def _is_word(word: str) -> bool:
    plain = word.replace("-", "").replace("_", "").replace(":", "")
    return word[:1].isalpha() and plain.isalnum() and len(word) <= _LONGEST_WORD


def _last_part(path: str) -> str:
    return path.replace("\\", "/").rstrip("/").rpartition("/")[2]


def _of_tool(tool: str, arguments: object) -> "Iterator[str]":
    """Returns the shape of a tool's input, its short values and the folders of its paths."""
    yield f"tool:{tool}"
    if not isinstance(arguments, dict):
        return
    yield f"shape:{tool} {_shape(arguments)[:200]}"
    for name, value in arguments.items():
        yield f"argument:{tool} {name}"
        if not isinstance(value, str):
            yield f"argument-shape:{tool} {name} {_shape(value)[:80]}"
            continue
        if len(value) <= _LONGEST_VALUE and "\n" not in value:
            yield f"value:{tool} {name}={value}"
        if value[:1] in "/~" or value[1:2] == ":":
            path = value.replace("\\", "/")
            yield f"value-kind:{tool} {name} {kind_of(path, True)}"
            yield f"value-folder:{tool} {name} {path.rpartition('/')[0][-60:]}"


def _shape(value: object, depth: int = 0) -> str:
    if isinstance(value, dict):
        inner = (f"{name}:{_shape(each, depth + 1)}" for name, each in sorted(value.items(), key=_name))
        return "{" + ",".join(inner) + "}" if depth < 3 else "{}"
    if isinstance(value, list):
        return f"[{_shape(value[0], depth + 1)}]" if value and depth < 3 else "[]"
    if isinstance(value, bool):
        return "bool"
    if isinstance(value, int | float):
        return "number"
    return "null" if value is None else "string"


def _name(item: "tuple[object, object]") -> str:
    return str(item[0])


def keys_of(features: "Iterable[str]") -> "list[int]":
    """Returns the numbers of features, sorted."""
    return sorted({key_of(feature) for feature in features})


_READ_AT_EACH_END = 3000
_MOST_WORDS = 400


def error_words(error: str, exit_code: "int | None", program: str) -> "set[str]":
    """Returns single words and neighbouring pairs in lower case, the exit code and the program.

    Numbers and signs separate words and are left out: counts, line numbers and hashes differ every time. So is the line
    of the exit code, which some clients write above the output.
    """
    if exit_code is not None:
        error = error.removeprefix("Error: ").removeprefix(f"Exit code {exit_code}")
    if len(error) > 2 * _READ_AT_EACH_END:
        error = f"{error[:_READ_AT_EACH_END]}\n{error[-_READ_AT_EACH_END:]}"
    found: set[str] = set()
    before = ""
    for word in words_in(error):
        if not 2 <= len(word) <= _LONGEST_WORD:
            before = ""
            continue
        found.add(word)
        if before:
            found.add(f"{before} {word}")
        before = word
        if len(found) >= _MOST_WORDS:
            break
    if exit_code is not None:
        found.add(f"=exit {exit_code}")
    if program:
        found.add(f"=program {program}")
    if len(found) <= 2:
        found.add("=silent")
    return found


def words_in(text: str) -> "list[str]":
    """Splits at everything that is no letter; an underscore belongs to its word."""
    others = {ord(sign): " " for sign in set(text) if not (sign.isalpha() or sign == "_")}
    return text.translate(others).lower().split()
