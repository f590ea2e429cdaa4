"""What a lesson from outside may not hold: characters that nobody sees, or that nobody can know."""

import unicodedata

from lessons.promote.intake import hidden_problems
from tests.builders.shared import hinting
from tests.tables import table

ORDINARY = [
    "plain words, `code <div>` and a && b",
    "two lines\n\tand a tab",
    "Grüße, 日本語, العربية, עברית, हिन्दी, ไทย",
    "⚠️ mind the gap → ❤️",
    "from Windows\r\nand on",
    "½ ≤ ∞ — “so” …",
]
HIDDEN = {
    "\x00": "U+0000",
    "\x1b": "U+001B",
    "\r": "U+000D",
    "\x7f": "U+007F",
    "\x9b": "U+009B",
    "\xad": "U+00AD SOFT HYPHEN",
    "\u034f": "U+034F COMBINING GRAPHEME JOINER",
    "\u061c": "U+061C ARABIC LETTER MARK",
    "\u200b": "U+200B ZERO WIDTH SPACE",
    "\u200d": "U+200D ZERO WIDTH JOINER",
    "\u202e": "U+202E RIGHT-TO-LEFT OVERRIDE",
    "\u2028": "U+2028 LINE SEPARATOR",
    "\u2066": "U+2066 LEFT-TO-RIGHT ISOLATE",
    "\u3164": "U+3164 HANGUL FILLER",
    "\ufe05": "U+FE05 VARIATION SELECTOR-6",
    "\ufeff": "U+FEFF ZERO WIDTH NO-BREAK SPACE",
    "\ue000": "U+E000",
    "\uf8ff": "U+F8FF",
    "\U000e0041": "U+E0041 TAG LATIN CAPITAL LETTER A",
    "\U000e0100": "U+E0100 VARIATION SELECTOR-17",
    "\U000f0000": "U+F0000",
    "\u0378": "U+0378",
    "\ufffe": "U+FFFE",
    "\ud800": "U+D800",
}


@table("text", ORDINARY)
def test_what_people_write_is_let_in(text: str) -> None:
    assert list(hidden_problems(hinting(problem=text, tags=[text]))) == []


@table(("sign", "name"), HIDDEN.items())
def test_what_nobody_sees_is_named(sign: str, name: str) -> None:
    assert list(hidden_problems(hinting(solution=f"a{sign}b{sign}"))) == [
        f"solution has {name}, a hidden or unassigned character: remove it."
    ]


@table(
    ("changes", "field"),
    [
        ({"summary": "a\u200b"}, "summary"),
        ({"problem": "a\u200b"}, "problem"),
        ({"injection": "a\u200b"}, "injection"),
        ({"blockReason": "a\u200b"}, "blockReason"),
        ({"slug": "a\u200b"}, "slug"),
        ({"tags": ["tool:npm", "tool:\u200b"]}, "tags"),
        ({"triggers": {"commandPatterns": ["npm", "n\u200bpm"]}}, "triggers.commandPatterns"),
        ({"triggers": {"when": {"models": ["\u200b"]}}}, "triggers.when.models"),
        ({"examples": {"fires": [{"tool": "Bash", "command": "\u200b"}]}}, "examples.fires.command"),
        ({"a field that nobody knows": {"deep": ["\u200b"]}}, "a field that nobody knows.deep"),
    ],
)
def test_wherever_it_stands(changes: dict[str, object], field: str) -> None:
    [sentence] = hidden_problems({**hinting(), **changes})
    assert sentence.startswith(f"{field} has U+200B ZERO WIDTH SPACE")


def test_a_text_full_of_them_is_refused_in_a_few_sentences() -> None:
    sentences = list(hidden_problems({"problem": "".join(map(chr, range(0xE000, 0xF000)))}))
    assert len(sentences) == 6
    assert sentences[-1] == "There are 4,091 more such characters: remove them."


def test_in_the_name_of_a_field_too() -> None:
    [sentence] = hidden_problems({"pro\u200bblem": "text"})
    assert "U+200B" in sentence


def test_every_kind_that_unicode_has_for_them() -> None:
    kinds = ("Cc", "Cf", "Co", "Cn", "Cs", "Zl", "Zp")
    let_in = [
        hex(number)
        for number in (*range(0x3000), *range(0xD800, 0x11000, 7), *range(0xE0000, 0xE0200), 0x10FFFF)
        if unicodedata.category(chr(number)) in kinds and not list(hidden_problems({"problem": chr(number)}))
    ]
    assert let_in == ["0x9", "0xa"]
