"""Every path in the data home, one function each; creates nothing."""

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


def lessons_file(home: str) -> str:
    return home + "/lessons.json"


def config_file(home: str) -> str:
    return home + "/config.json"


def manifest_file(home: str) -> str:
    return home + "/lesson-manifest.json"


def hook_index_file(home: str) -> str:
    return home + "/hook-index"


def injections_file(home: str) -> str:
    return home + "/injections.jsonl"


def decisions_file(home: str) -> str:
    return home + "/decisions.jsonl"


def unfinished_file(home: str) -> str:
    return home + "/unfinished-decision.json"


def listing_file(home: str) -> str:
    return home + "/last-listing.json"


def faults_file(home: str) -> str:
    return home + "/faults.log"


def fired_folder(home: str) -> str:
    return home + "/fired"


def person_lines_file(home: str) -> str:
    return home + "/person-lines.json"


def passes_file(home: str) -> str:
    return home + "/passes.json"


def trusted_file(home: str) -> str:
    return home + "/trusted.json"


def backups_folder(home: str) -> str:
    return home + "/backups"


def history_file(home: str) -> str:
    return home + "/history.db"


def scan_state_file(home: str) -> str:
    return home + "/scan-state.json"


def candidates_file(home: str) -> str:
    return home + "/cross-project-candidates.json"


def scan_lock_file(home: str) -> str:
    return home + "/scan"


def scan_log_file(home: str) -> str:
    return home + "/scan.log"


def report_file(home: str) -> str:
    return home + "/report.html"


def watch_lock_file(home: str) -> str:
    return home + "/watch"


def watch_status_file(home: str) -> str:
    return home + "/watch-status.json"


def watch_log_file(home: str) -> str:
    return home + "/watch.log"


def review_state_file(home: str) -> str:
    return home + "/review-state.json"


def compiled_lessons_file(home: str) -> str:
    return home + "/compiled-lessons"


def slow_patterns_file(home: str) -> str:
    return home + "/slow-patterns.json"


def warm_folder(home: str) -> str:
    return home + "/warm"


def warm_file(home: str, client: int) -> str:
    """Names the process that answers for the client with this process id."""
    return f"{warm_folder(home)}/{client}"


def warm_settings_file(home: str) -> str:
    return home + "/warm-settings.json"


def projects_folder(home: str) -> str:
    return home + "/projects"
