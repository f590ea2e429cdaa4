"""Every path in the data home; creates nothing. Hot: every hook imports it."""

from lessons.system import environment

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable


def data_home() -> str:
    """Returns LESSONS_HOME if it is an absolute path, else the platform's data directory."""
    chosen = environment("LESSONS_HOME")
    if chosen:
        wrong = ""
        if not chosen.startswith(("/", "\\\\")) and chosen[1:3] not in (":/", ":\\"):
            wrong = "a relative path: set it to an absolute one."
        elif "\n" in chosen or "\r" in chosen:  # it is a part of command lines and scripts
            wrong = "with a line break: choose another folder."
        if wrong:
            from lessons.errors import Refused

            raise Refused(f"LESSONS_HOME is {chosen!r}, {wrong}")
        return chosen.rstrip("/" if chosen.startswith("/") else "/\\") or "/"
    # Only the command line gets here: the installed hook command always sets the home.
    import platformdirs

    return platformdirs.user_data_dir("lessons", appauthor=False)


def _in_home(name: str) -> "Callable[[str], str]":
    def path(home: str) -> str:
        return f"{home}/{name}"

    return path


manifest_file = _in_home("lesson-manifest.json")
hook_index_file = _in_home("hook-index")
memory_index_file = _in_home("memory-index")
fired_folder = _in_home("fired")
lessons_file = _in_home("lessons.json")
config_file = _in_home("config.json")
injections_file = _in_home("injections.jsonl")
decisions_file = _in_home("decisions.jsonl")
faults_file = _in_home("faults.log")
person_lines_file = _in_home("person-lines.json")
passes_file = _in_home("passes.json")
trusted_file = _in_home("trusted.json")
backups_folder = _in_home("backups")
history_file = _in_home("history.db")
scan_state_file = _in_home("scan-state.json")
candidates_file = _in_home("cross-project-candidates.json")
scan_lock_file = _in_home("scan")
scan_log_file = _in_home("scan.log")
report_file = _in_home("report.html")
watch_lock_file = _in_home("watch")
watch_log_file = _in_home("watch.log")
warm_folder = _in_home("warm")
projects_folder = _in_home("projects")


def warm_file(home: str, client: int) -> str:
    """Names the process that answers for the client with this process id."""
    return f"{warm_folder(home)}/{client}"


def recovery_file(home: str, session: str) -> str:
    """Returns the file of failed calls that wait for their fix; empty for a session without a plain name."""
    letters = session.replace("-", "").replace("_", "")
    is_plain = letters.isalnum() and letters.isascii() and len(session) <= 100
    return f"{home}/seen/session-{session}/recovery" if is_plain else ""
