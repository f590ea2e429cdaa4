"""The published settings and the lessons that fire on a call: from the index, else from the manifest."""

from lessons.hook_paths import hook_index_file
from lessons.store.hook_index import HookIndex
from lessons.store.manifest_stamp import stamp as manifest_stamp
from lessons.system import environment

TYPE_CHECKING = False
if TYPE_CHECKING:
    from lessons.match.call import ToolCall
    from lessons.match.state import Probe
    from lessons.store.published import PublishedLesson

    Config = dict[str, object]
    Match = tuple[PublishedLesson, str]


# Settings used at a call, each with its environment variable (which wins) and its default.
_SETTINGS = {
    "injectionBudgetBytes": ("LESSONS_INJECTION_BUDGET_BYTES", 4096),
    "maxLessonsPerInjection": ("LESSONS_MAX_LESSONS_PER_INJECTION", 3),
    "compactionReinjectionThreshold": ("LESSONS_COMPACTION_REINJECTION_THRESHOLD", 7),
    "autoScanIntervalHours": ("LESSONS_AUTO_SCAN_INTERVAL_HOURS", 24),
    "dedupScope": ("LESSONS_DEDUP_SCOPE", "context"),
    "lessonProtocol": ("LESSONS_LESSON_PROTOCOL", True),
    "repeatLine": ("LESSONS_REPEAT_LINE", False),
    "tendLine": ("LESSONS_TEND_LINE", True),
    "holdoutRate": ("LESSONS_HOLDOUT_RATE", 0),
    "weeklyLine": ("LESSONS_WEEKLY_LINE", True),
    "memory": ("LESSONS_MEMORY", True),
}


def setting(config: "Config", key: str) -> str:
    """Returns a setting as text: from the environment, else from the manifest, else its default."""
    variable, default = _SETTINGS[key]
    return environment(variable) or str(config.get(key, default))


def number(config: "Config", key: str) -> int:
    """Returns a setting as a whole number; the default if invalid."""
    try:
        return max(0, int(float(setting(config, key))))
    except (ValueError, OverflowError):
        default = _SETTINGS[key][1]
        assert isinstance(default, int)
        return default


def share(config: "Config", key: str) -> float:
    """Returns a setting as a number from 0 to 1; 0 if invalid."""
    try:
        return min(1.0, max(0.0, float(setting(config, key))))
    except ValueError:
        return 0.0


def switch(config: "Config", key: str) -> bool:
    """Returns a setting as yes or no; yes if invalid."""
    return setting(config, key).lower() not in ("false", "0", "no", "off")


def matching(home: str, event: str, call: "ToolCall") -> "tuple[Config, list[Match]]":
    """Returns every lesson that fires; skips and logs a lesson that is unreadable or too slow."""
    config, lessons = _possible_matches(home, event, call)
    if not lessons:
        return config, []
    from lessons.hook.deadline import Deadline, TooSlow

    if any("models" in lesson.rule.when for lesson in lessons):
        call.model = call.model or _remembered_model(home, call)
    look_at_state(call, lessons)
    deadline = Deadline()
    matches = []
    # Blocking lessons first: slow lessons cannot use up their time.
    for lesson in sorted(lessons, key=lambda lesson: (lesson.kind != "block", -lesson.priority, lesson.slug)):
        if deadline.is_over():
            _note(home, event, f"lesson {lesson.slug} and those after it: not looked at, others were too slow")
            break
        try:
            why = deadline.run(lambda one=lesson: _fired(one, call))  # type: ignore[misc]
        except TooSlow:
            _note(home, event, f"lesson {lesson.slug}: its pattern is too slow, not matched")
            continue
        except Exception as fault:  # one broken lesson must not suppress the others
            _note(home, event, f"lesson {lesson.slug}: not matched ({type(fault).__name__})")
            continue
        if why is not None:
            matches.append((lesson, why))
    if matches:
        call.model = call.model or _remembered_model(home, call)
    return config, matches


def look_at_state(call: "ToolCall", lessons: "list[PublishedLesson]") -> None:
    """Lets the call answer about this machine, if a lesson asks."""
    if any(lesson.rule.has_state for lesson in lessons):
        call.make_probe = _file_system


def _file_system() -> "Probe":
    from lessons.hook.file_system import FileSystem  # few patterns match

    return FileSystem()


def _fired(lesson: "PublishedLesson", call: "ToolCall") -> str | None:
    """Returns why it fires; sets the values for the names in its texts."""
    from lessons.match.rule import why_it_fires

    if not lesson.rule.has_state:
        return why_it_fires(lesson.rule, call)
    from lessons.match.state import judge

    verdict = judge(lesson.rule, call, only_certain=True)
    lesson.values = verdict.values
    return verdict.why


def _remembered_model(home: str, call: "ToolCall") -> str:
    if call.agent_id:
        return ""  # a subagent may run on another model than its session
    from lessons.store.claims.session_facts import model_of

    return model_of(home, call.session)


def _note(home: str, event: str, what: str) -> None:
    from lessons.store import faults

    faults.record(home, event, what)


def session_start_lessons(home: str) -> "tuple[Config, list[PublishedLesson]]":
    """Returns the lessons that are shown at session start."""
    stamp = manifest_stamp(home)
    if stamp is None:
        return {}, []
    try:
        index = HookIndex(hook_index_file(home), stamp)
        return index.config, [index.lesson(each) for each in index.session_start()]
    except Exception:  # whatever is wrong with the index, the manifest has the same lessons
        from lessons.hook import fallback

        return fallback.session_start_lessons(home)


def _possible_matches(home: str, event: str, call: "ToolCall") -> "tuple[Config, list[PublishedLesson]]":
    stamp = manifest_stamp(home)
    if stamp is None:
        return {}, []
    try:
        index = HookIndex(hook_index_file(home), stamp)
        return index.config, [index.lesson(each) for each in index.possible_matches(call)]
    except Exception:  # whatever is wrong with the index, the manifest has the same lessons
        from lessons.hook import fallback

        return fallback.possible_matches(home, event, call)
