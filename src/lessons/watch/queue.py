"""The queue of files to read: each once, the last written first, with a maximum length."""

from collections.abc import Iterable


class FileQueue:
    """Bounded: drops what does not fit, oldest first; the next check of all files finds it again."""

    def __init__(self, limit: int) -> None:
        self._limit = limit
        self._paths: dict[str, None] = {}  # newest last
        self.has_dropped = False

    def __len__(self) -> int:
        return len(self._paths)

    def put(self, paths: Iterable[str]) -> None:
        """Later paths are newer; a file already queued moves to the front."""
        for path in paths:
            self._paths.pop(path, None)
            self._paths[path] = None
        while len(self._paths) > self._limit:
            del self._paths[next(iter(self._paths))]
            self.has_dropped = True

    def take(self, most: int) -> list[str]:
        """Removes and returns the newest paths, newest first."""
        return [self._paths.popitem()[0] for _ in range(min(most, len(self._paths)))]
