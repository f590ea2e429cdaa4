"""A lesson and its examples in, whether it fires on each as it should out."""

from lessons.match.call import ToolCall
from lessons.match.rule import Rule, why_it_fires
from lessons.model import ExampleCall, Lesson, lesson_from_document, shown
from lessons.promote.publish.entry import entry_of
from lessons.store.published import PublishedLesson, compile_source


def fires(document: dict[str, object], example: str | dict[str, str]) -> bool:
    """Whether a lesson record fires on an example, wherever and whenever that would be."""
    return fires_on(rule_of_record(document), example)


def rule_of_record(document: dict[str, object]) -> Rule:
    """The rule to ask about many examples of one lesson record."""
    blank = {"id": "example", "slug": "example"}
    return rule_of(entry_of(lesson_from_document({**blank, **document})).entry)


def fires_on(rule: Rule, example: str | dict[str, str]) -> bool:
    return _fires(rule, ExampleCall(**example) if isinstance(example, dict) else example)


def failures(lesson: Lesson, entry: dict[str, object]) -> list[str]:
    """One sentence for each example that does not come out as the lesson says."""
    if lesson.examples is None:
        return []
    rule = rule_of(entry)
    wrong = [
        f"the example {_shown(example)} should fire and does not: correct the trigger or the example."
        for example in lesson.examples.fires
        if not _fires(rule, example)
    ]
    return wrong + [
        f"the example {_shown(example)} should be left alone and fires: correct the trigger or the example."
        for example in lesson.examples.quiet
        if _fires(rule, example)
    ]


def rule_of(entry: dict[str, object]) -> Rule:
    """The rule of an entry without its surroundings: an example is about the call alone."""
    rule = PublishedLesson("example", entry, compile_source).rule
    rule.when, rule.projects = {}, ()
    return rule


def call_of(example: str | ExampleCall) -> ToolCall:
    """The call an example stands for; without a tool it is a shell command, or an edit of a path."""
    if isinstance(example, str):
        return ToolCall("Bash", {"command": example})
    tool = example.tool or ("Bash" if example.command is not None or example.path is None else "Edit")
    arguments = {
        "command": example.command,
        "file_path": example.path,
        "content": example.content,
    }
    given = {key: value for key, value in arguments.items() if value is not None}
    return ToolCall(tool, given, error=example.error)


def _fires(rule: Rule, example: str | ExampleCall) -> bool:
    return why_it_fires(rule, call_of(example)) is not None


def _shown(example: str | ExampleCall) -> str:
    if isinstance(example, str):
        return shown(example)
    parts = {name: getattr(example, name) for name in ("tool", "command", "path", "content", "error")}
    return shown({name: value for name, value in parts.items() if value is not None})
