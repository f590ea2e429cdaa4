"""Every path in the data home, one function each; creates nothing."""

from lessons.hook_paths import data_home as data_home
from lessons.hook_paths import fired_folder as fired_folder
from lessons.hook_paths import hook_index_file as hook_index_file
from lessons.hook_paths import manifest_file as manifest_file


def lessons_file(home: str) -> str:
    return home + "/lessons.json"


def config_file(home: str) -> str:
    return home + "/config.json"


def injections_file(home: str) -> str:
    return home + "/injections.jsonl"


def decisions_file(home: str) -> str:
    return home + "/decisions.jsonl"


def faults_file(home: str) -> str:
    return home + "/faults.log"


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


def watch_log_file(home: str) -> str:
    return home + "/watch.log"


def compiled_lessons_file(home: str) -> str:
    return home + "/compiled-lessons"


def warm_folder(home: str) -> str:
    return home + "/warm"


def warm_file(home: str, client: int) -> str:
    """Names the process that answers for the client with this process id."""
    return f"{warm_folder(home)}/{client}"


def projects_folder(home: str) -> str:
    return home + "/projects"
