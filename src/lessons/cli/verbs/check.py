"""`lessons check`: applies lessons with content or path patterns to files."""

import os
from collections.abc import Iterable, Iterator, Sequence

import click
import msgspec

from lessons import paths
from lessons.cli import render
from lessons.cli.options import cwd_option, folder_of
from lessons.cli.render import many
from lessons.continuity import git
from lessons.errors import NotFound, Refused
from lessons.promote.team import shared_entries
from lessons.reviews.file_check import (
    MOST_BYTES,
    Checked,
    Content,
    FileRule,
    Finding,
    check,
    contents,
    file_rules,
    graduated,
    why_by_name,
)
from lessons.store import manifest
from lessons.store.state_paths import state_paths_of

_NO_LESSONS = "No lessons yet: `lessons add` makes one, `lessons check --shared` uses those of the project."
_NONE_ABOUT_FILES = "No lesson here looks at files: give one a --content-pattern or a --path-pattern."
_COLOURS = {"warn": "yellow", "fail": "red"}


@click.command("check", short_help="Check files against your lessons")
@click.argument("files", metavar="[FILE|DIR]...", nargs=-1)
@click.option("--staged", is_flag=True, help="Check what is staged for the next commit.")
@click.option("--diff", "base", metavar="BASE", help="Check the files that differ from the merge base with BASE.")
@click.option("--strict", is_flag=True, help="Fail at the first sighting. For CI, which remembers nothing.")
@click.option("--shared", is_flag=True, help="Use the lessons in the folder .lessons of the project, as CI does.")
@click.option(
    "--format", "form", type=click.Choice(("text", "github")), default="text", help="github: as annotations of its CI."
)
@cwd_option
@render.json_option
def command(
    files: tuple[str, ...], staged: bool, base: str | None, strict: bool, shared: bool, form: str, cwd: str | None
) -> int:
    """Check files against your lessons: active ones with content or path patterns. Exit code 1 if anything fails.

    Without FILE it checks all files of the project. The first sighting of a lesson in a file warns; the same again
    fails after 4 hours and in another session. To exclude a line from a lesson, add a comment there or on the line
    above: lessons: ignore SLUG because REASON
    """
    if sum((bool(files), staged, base is not None)) > 1:
        raise click.UsageError("Give files, --staged or --diff, only one of them.")
    place = state_paths_of(paths.data_home(), folder_of(cwd))
    rules = _rules(place.home, place.root, shared, strict)
    checked = check(place.root, _chosen(place.root, files, staged, base), rules)
    findings = graduated(place, checked, strict)
    if render.is_json() or form == "text":
        document = {
            "files": checked.files,
            "skipped": sum(checked.skipped.values()),
            "skippedBy": dict(sorted(checked.skipped.items())),
            "excluded": sum(each.level == "excluded" for each in checked.found),
            "findings": msgspec.to_builtins(findings),
        }
        render.emit(document, lambda: _print(checked, findings, len(rules)))
    else:
        for each in findings:
            level = {"warn": "warning", "fail": "error"}[each.level]
            # Printable first: that may bring line ends.
            file, title = (_escaped(render.printable(text), ":,") for text in (each.file, f"lessons: {each.slug}"))
            message = _escaped(render.printable(each.message))
            click.echo(f"::{level} file={file},line={each.line},title={title}::{message}")
    return 1 if any(each.level == "fail" for each in findings) else 0


def _rules(home: str, root: str, shared: bool, strict: bool) -> list[FileRule]:
    try:
        rules = file_rules(shared_entries(root) if shared else manifest.read(home)[1], root)
        if not rules:
            render.note(_NONE_ABOUT_FILES)
        return rules
    except manifest.UnusableManifest:
        if os.path.exists(paths.lessons_file(home)) or os.path.exists(paths.manifest_file(home)):
            unpublished = "No lessons are published here: run `lessons build`"
            raise Refused(f"{unpublished}, or check those of .lessons with --shared.") from None
        if strict:
            raise Refused(_NO_LESSONS) from None
        render.note(_NO_LESSONS)  # a commit by somebody without lessons must pass
        return []


def _print(checked: Checked, findings: Sequence[Finding], rules: int) -> None:
    for each in findings:
        level = click.style(each.level, fg=_COLOURS[each.level])
        click.echo(
            f"{render.for_log(each.file)}:{each.line}: {level}: {render.for_log(f'{each.message} [{each.slug}]')}"
        )
    skipped = ", ".join(f"{count} {reason}" for reason, count in sorted(checked.skipped.items()))
    fails = sum(each.level == "fail" for each in findings)
    render.note(
        f"{many(checked.files, 'file')}, {many(rules, 'lesson')}: {fails} failed, {len(findings) - fails} warned"
        + (f"; skipped {skipped}." if skipped else ".")
    )
    if len(findings) > fails:
        render.note("A warning fails if it is found again after 4 hours, in another session.")
    if findings:
        exclude = "comment `lessons: ignore SLUG because REASON`"
        render.note(f"`lessons show SLUG` shows a lesson. To exclude a line, {exclude}.")


def _escaped(text: str, also: str = "") -> str:
    """Escapes what would end a part of an annotation of GitHub Actions."""
    return "".join(f"%{ord(sign):02X}" if sign in f"%\r\n{also}" else sign for sign in text)


_RAW = ("--raw", "--no-abbrev")
_CHANGED = ("-z", "--diff-filter=ACMRT", "--no-renames", "--no-ext-diff")
_SECONDS = 30.0
_SECONDS_OF_READING = 60.0
_LINK = "120000"
_FILES_AT_ONCE = 100
_LEFT_OUT = frozenset((".git", ".hg", ".svn", ".venv", "venv", "node_modules", "__pycache__", ".tox", ".mypy_cache"))


def _chosen(root: str, files: Sequence[str], staged: bool, base: str | None) -> Iterable[Content]:
    """Yields the chosen files. Staged files are read from the index, because a commit would contain that version."""
    if staged:
        return _staged(root, _changed(root, "diff", "--cached", *_RAW, *_CHANGED, index=_index_of_commit(root)))
    if base is not None:
        if base.startswith("-"):
            raise Refused(f"--diff {base!r} is not a commit: give a branch, a tag or a hash.")
        common = (git.run(root, "merge-base", base, "HEAD", seconds=_SECONDS) or "").strip()
        if not git.is_hash(common):
            raise NotFound(f"No common commit of {base} and HEAD in {root}: fetch it, or give another one to --diff.")
        return contents(root, _changed(root, "diff", "--name-only", *_CHANGED, common))
    if files:
        return contents(root, [_relative(root, file) for each in files for file in _below(each)])
    answer = git.run_bytes(root, "ls-files", "-z", "--cached", "--others", "--exclude-standard", seconds=_SECONDS)
    if answer is None:
        return contents(root, [_relative(root, file) for file in _below(root)])
    return contents(root, dict.fromkeys(name for name in _names(answer) if os.path.lexists(f"{root}/{name}")))


def _changed(root: str, *arguments: str, index: str = "") -> list[str]:
    unfiltered = git.without_filters(root)
    answer = None if unfiltered is None else git.run_bytes(root, *unfiltered, *arguments, seconds=_SECONDS, index=index)
    if answer is None:
        raise Refused(f"git cannot tell what has changed in {root}: name the files instead.")
    return _names(answer)


def _names(answer: bytes) -> list[str]:
    return [os.fsdecode(name) for name in answer.split(b"\0") if name]


def _index_of_commit(root: str) -> str:
    """Returns the temporary index of `git commit -a` or `git commit FILE`, which git gives its hooks; else empty."""
    index = os.environ.get("GIT_INDEX_FILE", "")
    own = (git.run(root, "rev-parse", "--absolute-git-dir") or "").rstrip("\n")
    whole = os.path.realpath(os.path.join(root, index))
    return whole if index and own and os.path.dirname(whole) == os.path.realpath(own) else ""


def _staged(root: str, listed: Sequence[str]) -> Iterator[Content]:
    """Yields the staged contents; links, submodules and objects that git cannot read are unreadable, as on disk.

    `listed` has two texts for each file: `:MODE MODE OBJECT OBJECT STATUS`, each before and after, and its path.
    """
    objects = {}
    for about, path in zip(listed[::2], listed[1::2], strict=True):
        _, mode, _, name, _ = about.split(" ")
        objects[path] = name if git.is_hash(name) and mode != _LINK else ""
    sizes = {}
    for line in (_ask_git(root, "--batch-check", objects.values()) or b"").splitlines():
        name, *answer = line.decode("ascii", "replace").split(" ")
        if len(answer) == 2 and answer[0] == "blob":
            sizes[name] = int(answer[1])
    readable = []
    for path, name in objects.items():
        size = sizes.get(name)
        if size is None or why_by_name(path):
            yield Content(path, None if size is None else b"")
        elif size > MOST_BYTES:
            yield Content(path, b"", "large")
        else:
            readable.append(path)
    for start in range(0, len(readable), _FILES_AT_ONCE):
        batch = readable[start : start + _FILES_AT_ONCE]
        text, position = _ask_git(root, "--batch", map(objects.__getitem__, batch)), 0
        for path in batch:
            name = objects[path]
            position += len(f"{name} blob {sizes[name]}\n")
            end = position + sizes[name]
            yield Content(path, None if text is None else text[position:end])
            position = end + len("\n")


def _ask_git(root: str, how: str, names: Iterable[str]) -> bytes | None:
    sent = "".join(f"{name}\n" for name in names if name).encode()
    return git.run_bytes(root, "cat-file", how, seconds=_SECONDS_OF_READING, sent=sent)


def _below(path: str) -> Iterator[str]:
    """Yields the file itself, or every file in the folder."""
    if not os.path.isdir(path) or os.path.islink(path):
        if not os.path.lexists(path):
            raise NotFound(f"No file {path}.")
        yield path
        return
    for folder, folders, names in os.walk(path):
        folders[:] = sorted(each for each in folders if each not in _LEFT_OUT)
        yield from (os.path.join(folder, name) for name in sorted(names))


def _relative(root: str, path: str) -> str:
    relative = os.path.relpath(os.path.abspath(path), root).replace(os.sep, "/")
    if relative.startswith("../"):
        raise Refused(f"{path} is not in {root}: run `lessons check` in its project, or give --cwd.")
    return relative
