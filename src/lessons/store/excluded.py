"""Compares the setting excludeProjects with the folder of a call or a session; the hook uses it too."""

from lessons.match.call import comparable, folder_key
from lessons.store.json_text import decode
from lessons.store.project_state.state_paths import root_of
from lessons.system import O_BINARY, environment, system

_VARIABLE = "LESSONS_EXCLUDE_PROJECTS"
_SEPARATOR = ":" if hasattr(system, "getuid") else ";"
_WORK_TREES = "/.git/worktrees/"
_LARGEST_MARK = 4096


def is_excluded(patterns: "list[str] | tuple[str, ...]", cwd: str) -> bool:
    """Whether the user excluded the folder, or the repository of which it is a work tree."""
    if not patterns:
        return False
    folders = (cwd, repository_of(cwd))
    return any(covers(pattern, folder) for pattern in patterns for folder in folders if folder)


def published_patterns(config: dict[str, object]) -> list[str]:
    """Returns the setting as the hook sees it: the agent's environment overrides the published value."""
    text = environment(_VARIABLE)
    if not text:
        published = config.get("excludeProjects")
        return published if isinstance(published, list) else []
    try:
        listed = decode(text) if text.startswith("[") else text.split(_SEPARATOR)
    except (ValueError, RecursionError):
        listed = [text]
    words = [word for word in listed if isinstance(word, str) and word] if isinstance(listed, list) else []
    home = environment("HOME") or environment("USERPROFILE")
    full = [home + word[1:] if word[:2] in ("~", "~/", "~\\") else word for word in words]
    return [comparable(word).rstrip("/") or "/" for word in full]


def covers(pattern: str, folder: str) -> bool:
    """A path covers everything below it, a name every folder of that name, a pattern what it matches and all below."""
    folder = comparable(folder)
    if is_pattern(pattern):
        from fnmatch import fnmatchcase  # imported late: it takes time, and few people write patterns

        return fnmatchcase(folder, pattern) or fnmatchcase(folder, pattern + "/*")
    if "/" not in pattern:
        return pattern in folder.split("/")
    return folder_key(folder).startswith(folder_key(pattern))


def is_pattern(text: str) -> bool:
    return any(sign in text for sign in "*?[")


def repository_of(cwd: str) -> str:
    """Returns the main folder of the repository that a folder is in, also for a linked work tree."""
    root = root_of(cwd)
    try:
        file = system.open(root + "/.git", system.O_RDONLY | O_BINARY | getattr(system, "O_NONBLOCK", 0))
    except (OSError, ValueError):
        return root
    try:
        git_folder = system.read(file, _LARGEST_MARK).decode("utf-8", "replace").partition("gitdir:")[2].strip()
    except OSError:  # an ordinary repository has a folder here
        return root
    finally:
        system.close(file)
    main, is_work_tree, _ = git_folder.replace("\\", "/").partition(_WORK_TREES)
    return main if is_work_tree and (main.startswith("/") or main[1:2] == ":") else root
