"""Which sentences of a file are rules: descriptions, questions and code are none."""

import time

from lessons.rules.files import LARGEST_FILE, RuleFile
from lessons.rules.sentences import MOST_RULES, sentences, written_rules
from tests.tables import table

NO_RULES = (
    "The server listens on port 80.",
    "Tests are in `tests/`.",
    "What should you do first?",
    "Follow these rules:",
    "```\nnever run this\n```",
    "    never run this either\n",
    "# Never",
    "---\nglobs: never\n---\n",
    "<!-- Never show this -->",
    "Use it.",
    "Never " + "ever " * 150,
)
RULES = (
    ("- Always use pnpm, never npm.", ["Always use pnpm, never npm."]),
    ("- **Never** run *this* `rm -rf`", ["Never run this `rm -rf`"]),
    ("- ❌ Do not edit `a.b`.", ["Do not edit `a.b`."]),
    ("- **Testing**: Run `make test` first.", ["Run `make test` first."]),
    (
        "1. Use [rg](x.md), e.g. here. It is fast. Never use `grep. It`!",
        ["Use rg, e.g. here.", "Never use `grep. It`!"],
    ),
    ("## Never\n- `git push --force`\n- Edit `dist/`", ["Never use `git push --force`", "Never edit `dist/`"]),
    ("Never run:\n\n- `npm publish`\n- `npm run`", ["Never run `npm publish`", "Never run `npm run`"]),
    ("## Local files (never commit)\n- `a.json`", ["Never commit `a.json`"]),
    ("## Don't\n- Use `any`", ["Never use `any`"]),
    ("You must not\nforce push.", ["You must not force push."]),
)


def rules_in(text: str) -> list[str]:
    return [each.text for each in written_rules([RuleFile("/w/CLAUDE.md", "/w", text)])]


@table("text", NO_RULES)
def test_what_is_no_rule(text: str) -> None:
    assert rules_in(text) == []


@table("text, found", RULES)
def test_what_is_a_rule(text: str, found: list[str]) -> None:
    assert rules_in(text) == found


def test_each_rule_has_its_place_and_a_name_that_lasts() -> None:
    text = "# A\n\n## Git\n\nSome text.\n\n- Never amend.\n  - Never rebase, please.\n"
    [first, second] = written_rules([RuleFile("/w/CLAUDE.md", "/w", text)])
    assert [(each.line, each.section) for each in (first, second)] == [(7, "Git"), (8, "Git")]
    [moved] = written_rules([RuleFile("/w/CLAUDE.md", "/w", "- Never amend.")])
    assert moved.id == first.id != second.id
    matter = "---\nglobs: '*.ts'\n---\n\n- Never amend.\n"
    assert [each.line for each in written_rules([RuleFile("/w/a.mdc", "/w", matter)])] == [5]


def test_a_sentence_of_two_files_counts_once_a_project() -> None:
    files = [RuleFile(f"/{name}/CLAUDE.md", name[:1], "- Never amend.") for name in ("w", "w2", "v")]
    assert [each.file.path for each in written_rules(files)] == ["/w/CLAUDE.md", "/v/CLAUDE.md"]


def test_code_is_never_split() -> None:
    assert sentences("Run `a. B` now. Then stop! (Really.) Yes") == [
        "Run `a. B` now.",
        "Then stop!",
        "(Really.)",
        "Yes",
    ]


def test_hostile_text_takes_no_time() -> None:
    start = time.process_time()
    for text in ("- " * 5_000, "> " * 5_000, "`" * 50_000, "[" * 20_000, "*_" * 20_000, "- Never run `a`. " * 20_000):
        assert len(rules_in(text)) <= MOST_RULES
    many = "\n".join(f"- Never run `a{number}`." for number in range(20_000))[:LARGEST_FILE]
    assert len(rules_in(many)) == MOST_RULES
    assert time.process_time() - start < 30
