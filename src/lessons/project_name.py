"""The short name of a project folder, for lists and sentences."""

_WORKTREES = (".worktrees", "worktrees")
_SHORTEST_NAME = 3  # characters; shorter ones, such as 1, say nothing without the folder above


def project_name(path: str) -> str:
    """Returns `shop` for /home/ada/shop, and `shop/1` for /home/ada/shop/.worktrees/1 or /home/ada/shop/1."""
    parts = [part for part in path.replace("\\", "/").split("/") if part]
    if not parts:
        return path
    *above, name = parts
    is_worktree = bool(above) and above[-1] in _WORKTREES
    above = above[:-1] if is_worktree else above
    is_short = len(name) < _SHORTEST_NAME or name.isdecimal()
    return f"{above[-1]}/{name}" if above and (is_worktree or is_short) else name
