"""The data home and the few paths in it that every tool call needs; `paths.py` has them all."""

from lessons.system import environment


def data_home() -> str:
    """Returns LESSONS_HOME if it is an absolute path, else the platform's data directory."""
    chosen = environment("LESSONS_HOME")
    if chosen:
        if not chosen.startswith(("/", "\\\\")) and chosen[1:3] not in (":/", ":\\"):
            from lessons.errors import Refused

            raise Refused(f"LESSONS_HOME is {chosen!r}, a relative path: set it to an absolute one.")
        return chosen.rstrip("/" if chosen.startswith("/") else "/\\") or "/"
    # Only the command line gets here: the installed hook command always sets the home.
    import platformdirs

    return platformdirs.user_data_dir("lessons", appauthor=False)


def manifest_file(home: str) -> str:
    return home + "/lesson-manifest.json"


def hook_index_file(home: str) -> str:
    return home + "/hook-index"


def memory_index_file(home: str) -> str:
    return home + "/memory-index"


def fired_folder(home: str) -> str:
    return home + "/fired"


def recovery_file(home: str, session: str) -> str:
    """Returns the file of failed calls that wait for their fix; empty for a session without a plain name."""
    letters = session.replace("-", "").replace("_", "")
    is_plain = letters.isalnum() and letters.isascii() and len(session) <= 100
    return f"{home}/seen/session-{session}/recovery" if is_plain else ""
