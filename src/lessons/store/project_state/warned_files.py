"""`warned-files.json`: when a rule first warned about a file, by `<file>::<slug>`; decides what fails next time."""

from collections.abc import Callable

import msgspec

from lessons.store.project_state import documents, files
from lessons.store.project_state.files import Damaged
from lessons.store.project_state.state_files import warned_files
from lessons.store.project_state.state_lock import locked_state
from lessons.store.project_state.state_paths import StatePaths
from lessons.store.project_state.timestamps import seconds

# From file and slug to the time of the first warning.
Warned = dict[str, str]
MOST_KEPT = 5000

file_of = warned_files.file_of


def read(paths: StatePaths) -> Warned | None:
    """Returns None if the file is damaged: earlier warnings are then unknown."""
    try:
        content = files.read(paths, file_of(paths))
        found = msgspec.json.decode(content, type=Warned) if content is not None else {}
    except (Damaged, msgspec.MsgspecError, UnicodeDecodeError, RecursionError):
        return None
    return found if all(seconds(moment) for moment in found.values()) else None


def change(paths: StatePaths, changed: Callable[[Warned], Warned]) -> None:
    """Writes the result of the function; a damaged file is set aside and counts as empty."""
    with locked_state(paths) as here:
        before = read(here)
        after = changed(before or {})
        if before == after:
            return
        newest = sorted(after.items(), key=lambda item: (item[1], item[0]))[-MOST_KEPT:]
        files.make_folders(here, file_of(here))
        if before is None:
            files.set_aside(here, file_of(here), "is not what it should be")
        files.put(here, file_of(here), documents.encoded(dict[str, object](sorted(newest)), indent=2))
