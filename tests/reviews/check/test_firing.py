"""Rules checked together find what each finds alone, whatever their patterns and the length of the text."""

from lessons.model import lesson_from_document
from lessons.promote.publish.entry import entry_of
from lessons.reviews.check.file_rules import FileRule, file_rules
from lessons.reviews.check.firing import FiringRules
from tests.builders.lessons import lesson
from tests.tables import table

CONTENT = [
    r"\beval\(",
    r"(?i)Forbidden_Name",
    r"(?i)forbidden_word|eval",
    r"(?s)BEGIN.*END",
    r"^import os$",
    r"(?m)^import os$",
    r"(\w)\1\1\1",
    r"(?P<quote>['\"])secret(?P=quote)",
    r"(?P<quote>['\"])other(?P=quote)",
    r"(a)?b(?(1)c|d)e",
    r"\w+_suffix\b",
    r"price\w*7x",
    r"price\w*8x",
    r"a(?#comment)z9",
    r"[|]{3}",
]
LONG = "filler line = 1\n" * 2000  # of more than one piece
TEXTS = [
    "",
    "x = eval(y)",
    "FORBIDDEN_NAME",
    "a forbidden_Word",
    "BEGIN" + LONG + "END",
    "import os",
    "x\nimport os\ny",
    "aaaa",
    "'secret'",
    "\"other'",
    "bde abce bce",
    "my_suffix",
    "prices_7x price8x",
    "az9 |||",
    LONG,
    LONG + "x = eval(y)" + LONG,
    LONG + "my_suffix prices7x" + LONG,
    "größe ſuffix my_suffix İ",
]


def rules() -> list[FileRule]:
    """Those with content patterns, one behind a path pattern, and one with a path pattern alone."""
    triggers: list[dict[str, object]] = [{"contentPatterns": [pattern]} for pattern in CONTENT]
    triggers += [{"contentPatterns": ["eval"], "pathPatterns": ["**/*.md"]}, {"pathPatterns": ["**/b.py"]}]
    triggers.append({"contentPatterns": CONTENT[:4]})
    triggers.append({"toolNames": ["Write"], "commandPatterns": ["eval"], "pathPatterns": ["**/c.py"]})
    entries = {}
    for number, each in enumerate(triggers):
        made = lesson_from_document(lesson(f"rule-{number}", triggers=each))
        entries[str(number)] = entry_of(made).entry
    return file_rules(entries, "/shop")


@table("text", TEXTS)
def test_both_ways_find_the_same(text: str) -> None:
    found = FiringRules(rules())
    for path in ("a.py", "a.md", "b.py"):
        alone = [rule.lesson.slug for rule in found._one_by_one("/shop", path, text)]
        together = [rule.lesson.slug for rule in found._together("/shop", path, text)]
        assert alone == together


def test_they_find_something() -> None:
    found = FiringRules(rules())
    calls = [(path, text) for text in TEXTS for path in ("a.py", "b.py", "a.md")]
    fired = {rule.lesson.slug for path, text in calls for rule in found.on("/shop", path, text)}
    assert len(fired) >= 15


def test_after_the_trial_the_faster_way_is_taken() -> None:
    found = FiringRules(rules())
    for _ in range(10):
        assert [rule.lesson.slug for rule in found.on("/shop", "a.md", LONG + "x = eval(y)")] != []
    taken: list[int] = []

    def noted(number: int) -> list[FileRule]:
        taken.append(number)
        return []

    found._ways = [lambda *_: noted(0), lambda *_: noted(1)]
    for seconds in ([0.0, 1.0], [1.0, 0.0]):
        found._seconds = seconds
        found.on("/shop", "a.py", "x")
    assert taken == [0, 1]
