"""The published settings and the lessons that fire on a call: from the index, else from the manifest."""

from lessons.paths import hook_index_file
from lessons.store.hook_index import HookIndex
from lessons.store.hook_index import manifest_stamp as manifest_stamp
from lessons.system import environment

TYPE_CHECKING = False
if TYPE_CHECKING:
    import signal as _signal
    from collections.abc import Callable
    from types import FrameType
    from typing import TypeVar

    from lessons.match.call import ToolCall
    from lessons.match.state import Probe
    from lessons.store.manifest import PublishedLesson

    Config = dict[str, object]
    Match = tuple[PublishedLesson, str]
    Result = TypeVar("Result")
else:
    try:
        import _signal
    except ImportError:  # another interpreter
        _signal = None

# Limits of matching.
ONE_LESSON_SECONDS = 0.05
# All slow lessons of a call together; each further one gets half of the rest, so that a valid one still acts.
ALL_LESSONS_SECONDS = 0.2
_LEAST_SECONDS = 0.004


def wants_nothing_kept(config: "Config", cwd: str) -> bool:
    """Whether the user excluded the project."""
    if not config.get("excludeProjects") and not environment("LESSONS_EXCLUDE_PROJECTS"):
        return False  # the usual case: skip loading the exclusion rules
    from lessons.store.state_paths import is_excluded, published_patterns

    return is_excluded(published_patterns(config), cwd)


def matching(home: str, event: str, call: "ToolCall") -> "tuple[Config, list[Match]]":
    """Returns every lesson that fires; skips and logs a lesson that is unreadable or too slow."""
    config, lessons = _possible_matches(home, event, call)
    if not lessons:
        return config, []
    if any("models" in lesson.rule.when for lesson in lessons):
        call.model = call.model or _remembered_model(home, call)
    look_at_state(call, lessons)
    deadline = Deadline()
    matches = []
    # Blocking lessons first: slow lessons cannot use up their time.
    for lesson in sorted(lessons, key=lambda lesson: (lesson.kind != "block", -lesson.priority, lesson.slug)):
        if deadline.is_over():
            note_fault(home, event, f"lesson {lesson.slug} and those after it: not looked at, others were too slow")
            break
        try:
            why = deadline.run(lambda one=lesson: _fired(one, call))  # type: ignore[misc]
        except TooSlow:
            note_fault(home, event, f"lesson {lesson.slug}: its pattern is too slow, not matched")
            continue
        except Exception as fault:  # one broken lesson must not suppress the others
            note_fault(home, event, f"lesson {lesson.slug}: not matched ({type(fault).__name__})")
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
    from lessons.store.claims import remembered

    return remembered(home, call.session, "model")


def note_fault(home: str, event: str, what: "str | BaseException") -> None:
    from lessons.store import logs

    logs.record_fault(home, event, what if isinstance(what, str) else logs.describe_fault(what))


def guarded(home: str, event: str, ask: "Callable[[], Result]") -> "Result | None":
    """Returns nothing after a fault, which is logged: whatever else the hook does is more important."""
    try:
        return ask()
    except Exception as fault:
        note_fault(home, event, fault)
        return None


def session_start_lessons(home: str) -> "tuple[Config, list[PublishedLesson]]":
    """Returns the lessons that are shown at session start."""
    stamp = manifest_stamp(home)
    if stamp is None:
        return {}, []
    try:
        index = HookIndex(hook_index_file(home), stamp)
        return index.config, [index.lesson(each) for each in index.session_start()]
    except Exception:  # whatever is wrong with the index, the manifest has the same lessons
        return _from_manifest(home, "SessionStart", lambda entry: entry.get("sessionStart") is True)


def _possible_matches(home: str, event: str, call: "ToolCall") -> "tuple[Config, list[PublishedLesson]]":
    stamp = manifest_stamp(home)
    if stamp is None:
        return {}, []
    try:
        index = HookIndex(hook_index_file(home), stamp)
        return index.config, [index.lesson(each) for each in index.possible_matches(call)]
    except Exception:  # whatever is wrong with the index, the manifest has the same lessons
        from lessons.match.call import fold
        from lessons.store import manifest
        from lessons.store.hook_index import texts_of

        folded = fold("\n".join(text for texts in texts_of(call).values() for text in texts))
        try:
            return _from_manifest(home, event, lambda entry: _may_fire(entry, call, folded))
        except manifest.UnusableManifest as fault:
            note_fault(home, event, f"lesson-manifest.json is unusable ({fault}); run `lessons build`")
            return {}, []


def _from_manifest(
    home: str, event: str, is_wanted: "Callable[[dict[str, object]], bool]"
) -> "tuple[Config, list[PublishedLesson]]":
    from lessons.store import manifest
    from lessons.store.manifest import PublishedLesson, compile_source

    config, entries = manifest.read(home)
    lessons = []
    for identifier, entry in entries.items():
        if entry.get("stage") == "retired" or not is_wanted(entry):
            continue
        try:
            lessons.append(PublishedLesson(identifier, entry, compile_source))
        except Exception as fault:  # a bad pattern: re.error, ValueError, RecursionError …
            note_fault(home, event, f"lesson {entry.get('slug', identifier)}: left out ({type(fault).__name__})")
    return config, lessons


def _may_fire(entry: "dict[str, object]", call: "ToolCall", folded: str) -> bool:
    """A cheap check before compiling a pattern; returns False only for a lesson that certainly does not fire."""
    from lessons.store.manifest import tools_of

    if call.error is not None and not entry.get("errorRegexSources"):
        return False
    tools = tools_of(entry)
    if tools and not any(name in tools for name in call.names):
        return False
    literals = entry.get("literals")
    return not isinstance(literals, list) or any(str(literal) in folded for literal in literals)


class TooSlow(Exception):
    """Matching took longer than any valid pattern needs."""


class Deadline:
    """The time limit for all lessons of one call: no pattern can hang the agent.

    The limit is CPU time, so that a busy machine does not suppress a valid lesson. CPython's `re` checks for signals
    while it matches. On a system without such a timer, the check at publishing is the only protection.
    """

    def __init__(self) -> None:
        self._left = ALL_LESSONS_SECONDS
        self._armed = False
        self._usable = hasattr(_signal, "setitimer")
        if self._usable:
            try:
                _signal.signal(_signal.SIGVTALRM, self._ring)
                # A parent may have passed it on blocked.
                _signal.pthread_sigmask(_signal.SIG_UNBLOCK, (_signal.SIGVTALRM,))
            except ValueError:  # not the main thread
                self._usable = False

    def is_over(self) -> bool:
        """Whether slow lessons have used up the total time."""
        return self._limit() < _LEAST_SECONDS

    def run(self, function: "Callable[[], str | None]") -> str | None:
        if not self._usable:
            return function()
        limit = self._limit()
        self._armed = True
        _signal.setitimer(_signal.ITIMER_VIRTUAL, limit)
        try:
            return function()
        except TooSlow:
            self._left -= limit
            raise
        finally:
            self._armed = False
            _signal.setitimer(_signal.ITIMER_VIRTUAL, 0)

    def _limit(self) -> float:
        return min(ONE_LESSON_SECONDS, self._left / 2)

    def _ring(self, number: int, frame: "FrameType | None") -> None:
        if self._armed:
            raise TooSlow
