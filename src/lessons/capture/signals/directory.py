"""Finds whether the same command worked in another folder."""

from lessons.capture.signals.difference import shortened, similarity
from lessons.capture.signals.pair import Command, Pair
from lessons.episode import Change

_FOLDER_OPTIONS = frozenset(("-C", "--prefix", "--cwd", "--dir", "--directory", "--project-dir", "--chdir"))
_SAME = 0.8


def change(pair: Pair) -> Change | None:
    """Detects the same words after `cd`, without a `cd`, or with an option that names the folder."""
    before, after = pair.before.words, pair.after.words
    if not before and not after:
        return _only_cd(pair)
    if not before or not after or before[0] != after[0]:
        return None
    if similarity(before, after) >= _SAME and pair.before.outer[:3] == pair.after.outer[:3]:
        one, other = _folder(pair.folder, pair.before), _folder(pair.fixed_folder, pair.after)
        if one != other and other and pair.after.outer.startswith("ssh"):
            return Change("wrong-path", shortened(one), shortened(other))  # this shell did not move
        if one != other and other:
            return Change("wrong-path", shortened(one), shortened(f"cd {other}"))
    option = _folder_option(before, after)
    return Change("wrong-path", "", shortened(option)) if option else None


def _only_cd(pair: Pair) -> Change | None:
    """Detects `cd web` → `cd ../web`, with nothing else on the lines."""
    one, other = ("".join(line.folders[-1:]).rstrip("/") for line in (pair.failed, pair.fixed))
    same = one != other and one.rpartition("/")[2] == other.rpartition("/")[2] != ""
    return Change("wrong-path", shortened(one), shortened(f"cd {other}")) if same and not pair.fixed.commands else None


def _folder(cwd: str, command: Command) -> str:
    """Returns where the command ran, as far as known."""
    if command.outer.startswith("ssh"):
        cwd = ""
    for folder in command.folders:
        cwd = folder if folder.startswith(("/", "~", "$")) or not cwd else f"{cwd.rstrip('/')}/{folder}"
    return _without_dots(cwd.rstrip("/"))


def _without_dots(path: str) -> str:
    kept: list[str] = []
    for name in path.split("/"):
        if name == ".." and kept and kept[-1] not in ("", "..", "~"):
            kept.pop()
        elif name != ".":
            kept.append(name)
    return "/".join(kept)


def _folder_option(before: tuple[str, ...], after: tuple[str, ...]) -> str:
    """Returns `-C folder` or `--prefix=folder` if everything else is unchanged."""
    for place, word in enumerate(after):
        size = 2 if word in _FOLDER_OPTIONS else 1 if word.partition("=")[0] in _FOLDER_OPTIONS else 0
        if size and after[:place] + after[place + size :] == before:
            return " ".join(after[place : place + size])
    return ""
