"""Which texts of an assistant contain a lesson, and what is read from them."""

import time
from collections.abc import Callable
from pathlib import Path

import msgspec
from hypothesis import given
from hypothesis import strategies as st

from lessons.inject.notes import question
from lessons.inject.session_start import FULL_PROTOCOL as FULL
from lessons.inject.session_start import SHORT_PROTOCOL as SHORT
from lessons.scan.tags import LONGEST_DIAGNOSIS, LONGEST_FIELD, Cancel, Tag, first_sentences, tags_in
from lessons.store.history.rows import DiagnosisRow
from tests.builders.reading import Rows, rows_of
from tests.builders.transcript import Session
from tests.tables import table

PAIR = "problem: the flag is gone\nsolution: use the new flag"
BARE = Tag("the flag is gone", "use the new flag", "", "", [], "", "", 0.7)

# Written as an agent would repeat the instructions it was given, none of it filled in.
TEMPLATE = (
    "#lesson\ntool: <tool name>\ntrigger: <how the command begins>\nproblem: <what went wrong and why>\n"
    "solution: <what works instead>\ntags: tool:git, severity:error\n#/lesson"
)


QUESTION = question("Bash", "gh pr diff --stat", "unknown flag", "gh pr diff")


@table(
    "text",
    [
        "",
        "#lesson",
        "#lesson\n#/lesson",
        f"{PAIR}\n#/lesson",
        f"#lesson\n{PAIR}",
        f"#lesson learned\n{PAIR}\n#/lesson",
        f"#lessons\n{PAIR}\n#/lesson",
        f"I will write a #lesson\n{PAIR}\n#/lesson",
        f"Put `#lesson` before it\n{PAIR}\n#/lesson",
        f"#lesson {PAIR} #/lesson",
        f"// #lesson\n{PAIR}\n#/lesson",
        f"#lesson\n{PAIR}\nthen `#/lesson` ends it",
        "#lesson\nproblem: the flag is gone\n#/lesson",
        "#lesson\nsolution: use the new flag\n#/lesson",
        "#lesson\nproblem:\nsolution: use the new flag\n#/lesson",
        "#lesson\nproblem: \t \n\nsolution: use the new flag\n#/lesson",
        "#lesson\nproblems: a\nsolutions: b\n#/lesson",
        "#lesson\nthe problem: a\nthe solution: b\n#/lesson",
        FULL,
        SHORT,
        FULL.replace("<", "").replace(">", ""),
        SHORT.replace("<", "").replace(">", ""),
        FULL.replace("<", "*").replace(">", "*").upper(),
        FULL.replace("\n#/lesson", " #/lesson").replace("<", "").replace(">", ""),
        f"#lesson\n{PAIR} `#/lesson`",
        f"#lesson\n{PAIR}#/lesson",
        f"#lesson\n{PAIR} #/lesson ends it",
        "#lesson\nproblem: the flag is gone #/lesson",
        TEMPLATE,
        QUESTION,
        QUESTION.replace("<", "").replace(">", ""),
        f"```\n{TEMPLATE}\n```",
        TEMPLATE.replace("<", "`<").replace(">", ">`"),
        TEMPLATE.replace("<what went wrong and why>", "<what> ... <why>"),
        TEMPLATE.replace("<what works instead>", "it works"),
        "#lesson\nproblem: {{what went wrong}}\nsolution: {{the correction}}\n#/lesson",
        "#lesson\nproblem: [describe the error]\nsolution: [TODO]\n#/lesson",
        "#lesson\nproblem: ...\nsolution: …\n#/lesson",
        "#lesson\nproblem: TODO\nsolution: tbd\n#/lesson",
        "#lesson\nproblem: \0\x1b[31m\x07\nsolution: b\n#/lesson",
        "The line #lesson:cancel takes it back",
        "`#lesson:cancel` takes it back",
        f"#lesson\n{PAIR}\n#lesson:cancel\n#/lesson",
    ],
)
def test_no_tag(text: str) -> None:
    assert tags_in(text) == []
    assert tags_in(text.replace("\n", "\r\n")) == []


QUOTED = f"#lesson\n{PAIR}\n#/lesson"


@table(
    "text",
    [
        f"```\n{QUOTED}\n```",
        f"```text\n{QUOTED}\n```",
        f"~~~\n{QUOTED}\n~~~",
        f"The README says:\n\n````markdown\n```\n{QUOTED}\n```\n````",
        f"~~~\n```\n~~~~ no end\n{QUOTED}",
        f"An end that never comes:\n```\n{QUOTED}",
        f"- ```\n  {QUOTED}\n  ```",
        f"- an item\n\n  ```\n{QUOTED}\n  ```",
        f"```\n#lesson\nproblem: a\n```\n```\n{QUOTED}\n```",
        f"#lesson\nproblem: never closed\n```\n{QUOTED.replace('#/lesson', '')}\n```",
        f"<pre>\n{QUOTED}\n</pre>",
        f"<blockquote>\n{QUOTED}\n</blockquote>",
        f"<pre><code>\n{QUOTED}\n</code></pre>",
        *(
            "\n".join(margin + line for line in QUOTED.split("\n"))
            for margin in ("> ", ">", "> > ", "    ", "\t", "  ", " ", "  > ", "- > ")
        ),
        f"`#lesson`\n{PAIR}\n`#/lesson`",
        f"**`#lesson`**\n{PAIR}\n#/lesson",
        f"  - #lesson\n{PAIR}\n#/lesson",
        "> #lesson:cancel",
        "    #lesson:cancel",
        "```\n#lesson:cancel\n```",
        "`#lesson:cancel`",
    ],
)
def test_what_is_quoted_fenced_or_indented_is_no_tag(text: str) -> None:
    for each in (text, text.replace("\n", "\r\n")):
        assert [tag for tag in tags_in(each) if isinstance(tag, Cancel) or not tag.fenced] == []


@table(
    "text",
    [
        f"The README says:\n\n````markdown\n```\n{QUOTED}\n```\n````",
        f"An end that never comes:\n```\n{QUOTED}",
        f"> ```\n> {QUOTED}\n> ```",
        f"    ```\n    {QUOTED}\n    ```",
        f"<pre>\n{QUOTED}\n</pre>",
        f"```\n{TEMPLATE}\n```",
        f"```\n{QUESTION}\n```",
        "```\n#lesson:cancel\n```",
    ],
)
def test_no_tag_in_a_code_block_either(text: str) -> None:
    assert tags_in(text) == []


@table(
    "text",
    [
        f"```\n{QUOTED}\n```",
        f"Done.\n\n~~~text\n{QUOTED}\n~~~  \nMore.",
        f"```\n#lesson\nproblem: a\n```\n```\n{QUOTED}\n```",
        f"- ```\n{QUOTED}\n```",
    ],
)
def test_a_tag_in_a_code_block_says_so(text: str) -> None:
    assert tags_in(text) == [msgspec.structs.replace(BARE, fenced=True)]


@table(
    "text",
    [
        f"#lesson\n{PAIR}\n#/lesson",
        f"Before.\n\n#lesson  \n{PAIR}\n\t#/lesson\nAfter.",
        f"```\nsome code\n```\n#lesson\n{PAIR}\n#/lesson",
        f"````\n```\n#lesson\n````\n#lesson\n{PAIR}\n#/lesson",
        f"> quoted\n\n#lesson\n{PAIR}\n#/lesson",
        f"<pre>code</pre>\n#lesson\n{PAIR}\n#/lesson",
        f"Run ``` inline ```.\n#lesson\n{PAIR}\n#/lesson",
        f"#lesson\n```\n{PAIR}\n```\n#/lesson",
        f"#lesson\n~~~yaml\n{PAIR}\n~~~\n#/lesson",
        f"**#lesson**\n{PAIR}\n**#/lesson**",
        f"- #lesson\n{PAIR}\n- #/lesson",
        f"1. #lesson\n{PAIR}\n2) #/lesson",
        "#lesson\nmistake: the flag is gone\nfix: use the new flag\n#/lesson",
        "#lesson\nPROBLEM : the flag is gone\nSolution:use the new flag\n#/lesson",
        "#lesson\n**problem:** the flag is gone\n**solution**: use the new flag\n#/lesson",
        "#lesson\n__problem:__ the flag is gone\n`solution`: use the new flag\n#/lesson",
        "#lesson\n**problem: the flag is gone**\n`solution: use the new flag`\n#/lesson",
        "#lesson\n- problem: the flag is gone\n* **solution:** use the new flag\n#/lesson",
        "#lesson\n  problem:\n    the flag is gone\n  solution:\n\n    use the new flag\n\n#/lesson",
        "#lesson\nsolution: use the new flag\nproblem: the flag is gone\n#/lesson",
        "#lesson\nproblem: the \0flag is \x1b[1mgone\x1b[0m\nsolution: use\x07 the\x85 new flag\n#/lesson",
        "#lesson\nproblem: never closed\nsolution: lost\n\n" + f"#lesson\n{PAIR}\n#/lesson",
        f"#lesson\n{PAIR}\ntool: <tool name>\ntrigger: TBD\ntags: none\n#/lesson",
        f"#/lesson\n#lesson\n{PAIR}\n#/lesson\n#/lesson",
        f"{TEMPLATE}\n#lesson\n{PAIR}\n#/lesson",
    ],
)
def test_one_tag(text: str) -> None:
    assert tags_in(text) == [BARE]
    assert tags_in(text.replace("\n", "\r\n")) == [BARE]


def test_every_field_is_read() -> None:
    text = (
        "#lesson\ntool: Bash\ntrigger: `git stash`\nproblem: new files stay behind\nsolution: add `-u`\n"
        "tags: tool:git, severity: data-loss, tool:git, [lang:python] , silent failure\nscope: project\n"
        "summary: stash leaves new files\nerror: `did not match any`\nunless: --include-untracked\n#/lesson"
    )
    names = ["tool:git", "severity:data-loss", "lang:python", "silent-failure"]
    texts = ("new files stay behind", "add `-u`", "Bash", "git stash", names, "project", "stash leaves new files", 1.0)
    assert tags_in(text) == [Tag(*texts, error="did not match any", unless="--include-untracked")]


@table(
    ("fields", "confidence"),
    [
        ("", 0.7),
        ("scope: project\nsummary: short\n", 0.7),
        ("tool: Bash\n", 0.8),
        ("tool: <tool name>\n", 0.7),
        ("tool: Bash\ntrigger: git\n", 0.9),
        ("trigger: git\ntags: a:b c:d\n", 0.9),
        ("tool: Bash\ntrigger: git\ntags: a:b\n", 1.0),
    ],
)
def test_confidence_grows_with_the_fields_that_help(fields: str, confidence: float) -> None:
    (tag,) = tags_in(f"#lesson\n{fields}{PAIR}\n#/lesson")
    assert isinstance(tag, Tag)
    assert tag.confidence == confidence


def test_values_run_to_the_next_key_and_keep_code() -> None:
    text = (
        "#lesson\nproblem: two lines\nand a note: inside\nsolution: write\n```yaml\n"
        "tool: none of ours\n  deep: 1\n```\nand run\ntool: Bash\n#/lesson"
    )
    (tag,) = tags_in(text)
    assert isinstance(tag, Tag)
    assert tag.problem == "two lines\nand a note: inside"
    assert tag.solution == "write\n```yaml\ntool: none of ours\n  deep: 1\n```\nand run"
    assert tag.tool == "Bash"


def test_a_key_that_comes_again_is_text() -> None:
    (tag,) = tags_in(f"#lesson\n{PAIR}\nfix: the commit was called so\n#/lesson")
    assert isinstance(tag, Tag)
    assert tag.solution == "use the new flag\nfix: the commit was called so"


def test_lone_surrogates_do_not_survive() -> None:
    (tag,) = tags_in("#lesson\nproblem: a\ud800b\nsolution: c\n#/lesson")
    assert isinstance(tag, Tag)
    assert tag.problem == "a?b"


def test_order_and_cancellation() -> None:
    tag = f"#lesson\n{PAIR}\n#/lesson\n"
    assert tags_in("#lesson:cancel") == [Cancel()]
    assert tags_in(f"{tag}Not so.\n**#lesson:cancel**\n{tag}") == [BARE, Cancel(), BARE]
    assert tags_in("#lesson\n#lesson:cancel") == [Cancel()]


@given(
    st.text()
    | st.lists(st.sampled_from([*"#*>`:-\n\r\t <[{", "#lesson\n", "#/lesson\n", "fix:", "problem:"])).map("".join)
)
def test_no_text_raises(text: str) -> None:
    for item in tags_in(f"#lesson\n{text}") + tags_in(text):
        assert isinstance(item, Cancel) or (item.problem and item.solution)


@table(
    "piece",
    ["#lesson\n", "#lesson\nproblem: a\n", " ", ">", "- ", "<", "[a", "{{", "```\n", "*", "fix: b\n", ": ", "#", "\r"],
)
def test_a_hostile_text_is_read_in_linear_time(piece: str) -> None:
    start = time.process_time()
    tags_in("#lesson\nproblem: a\nfix: b\ntags: " + piece * (200_000 // len(piece)) + "\n#/lesson")
    tags_in(piece * (200_000 // len(piece)) + "#lesson")
    assert time.process_time() - start < 2


word = st.text("abcdefgäß漢.,()/'\"-", min_size=1, max_size=9).map(lambda text: "x" + text)
line = st.lists(word, min_size=1, max_size=6).map(" ".join)
value = st.lists(line, min_size=1, max_size=3).map("\n".join)
name = st.from_regex(r"[a-z]{1,5}:[a-z]{1,5}", fullmatch=True)
reports = st.fixed_dictionaries(
    {"problem": value, "solution": value},
    optional={"tool": line, "trigger": line, "scope": line, "summary": value, "tags": st.lists(name, unique=True)},
)


@given(
    reports,
    st.sampled_from(["{}: ", "**{}:** ", "**{}**: ", "- {}: ", "* **{}:** "]),
    st.sampled_from(["{}", "```\ncode\n```\n{}", "Text.\n\n{}\n\nText."]),
    st.sampled_from(["\n", "\r\n"]),
)
def test_what_was_written_is_read(report: dict[str, str | list[str]], key: str, around: str, end: str) -> None:
    fields = {field: ", ".join(text) if isinstance(text, list) else text for field, text in report.items()}
    body = "\n".join(["#lesson", *(key.format(field) + text for field, text in fields.items()), "#/lesson"])
    text = around.format(body)
    (tag,) = tags_in(text.replace("\n", end))
    assert isinstance(tag, Tag)
    for field, wanted in report.items():
        assert getattr(tag, field) == wanted


@table(
    "text",
    [
        f"#lesson\n{PAIR} #/lesson",
        f"#lesson\n{PAIR} **#/lesson** \nThat is all.",
        f"#Lesson\n{PAIR}\n#/LESSON",
        f"#LESSON\n{PAIR} #/Lesson",
    ],
)
def test_an_end_behind_the_last_field_and_markers_in_any_case_are_read(text: str) -> None:
    assert tags_in(text) == [BARE]
    assert tags_in(f"{text}\n\n{text}") == [BARE, BARE]


def test_a_tag_with_its_end_behind_a_field_can_be_taken_back() -> None:
    assert tags_in(f"#lesson\n{PAIR} #/lesson\n#Lesson:Cancel") == []
    assert tags_in("#LESSON:cancel") == [Cancel()]


@table(
    ("text", "problem"),
    [
        ("#lesson:cancel", ""),
        ("#lesson:cancel\n\nThe problem: it was wrong", ""),
        ("#lesson:cancel\nsolution: use it", ""),
        ("#lesson:cancel\nBy the way.\nproblem: the flag is gone", ""),
        ("#lesson:cancel\nproblem:", ""),
        ("#lesson:cancel\n```\nproblem: the flag is gone\n```", ""),
        ("#lesson:cancel\nproblem: the flag is gone", "the flag is gone"),
        ("#lesson:cancel\n\n**problem:** the flag\n#/lesson", "the flag"),
        ("#lesson:cancel\nmistake: the flag", "the flag"),
        ("#lesson:cancel problem: the flag", "the flag"),
        ("**#lesson:cancel** problem: the flag", "the flag"),
        ("#lesson:cancel\nproblem: " + "x" * 9000, "x" * LONGEST_FIELD),
    ],
)
def test_a_cancellation_may_name_its_tag(text: str, problem: str) -> None:
    assert tags_in(text) == [Cancel(problem)]


WORDS = "The flag does not exist."


def fails(session: Session, command: str = "make ship", same_message: bool = False) -> str:
    call = session.call("Bash", {"command": command}, same_message)
    session.result(call, "Exit code 1\nunknown flag", error=True)
    return call


def works(session: Session) -> None:
    session.result(session.call("Bash", {"command": "ls"}), "a.py")


def says_in_another_thread(session: Session) -> None:
    agent = session.subagent("ab12")
    agent.say(WORDS)
    session.lines += agent.lines


def is_rejected(session: Session) -> None:
    session.result(session.call("Bash", {"command": "make ship"}), "The user doesn't want it.", denial="user-rejected")


STEPS: dict[str, Callable[[Session], object]] = {
    "fails": fails,
    "works": works,
    "says": lambda session: session.say(WORDS),
    # Written before anybody knew that the call would fail, however the lines are ordered.
    "says with it": lambda session: session.say(WORDS, same_message=True),
    "says elsewhere": says_in_another_thread,
    "says code": lambda session: session.say(f"```\n{WORDS}\n```"),
    "thinks": lambda session: session.think(WORDS),
    "is asked": lambda session: session.prompt("What does the flag do?"),
    "is rejected": is_rejected,
}


@table(
    "steps",
    [
        "says, fails",
        "works, says",
        "fails, works, says",
        "fails, is asked, says",
        "fails, thinks",
        "fails, says with it",
        "fails, says elsewhere",
        "fails, says code",
        "is rejected, says",
    ],
)
def test_what_is_no_diagnosis(steps: str, tmp_path: Path) -> None:
    session = Session()
    for step in steps.split(", "):
        STEPS[step](session)
    assert written(tmp_path, session) == []


def test_what_stands_between_the_failed_call_and_the_next(tmp_path: Path) -> None:
    session = Session()
    call = fails(session)
    session.think("What now?")
    session.say(f"{WORDS} It is called `--all`. Let me try that.")
    works(session)
    assert written(tmp_path, session) == [(call, f"{WORDS} It is called `--all`.")]


def test_calls_of_one_message_are_answered_together(tmp_path: Path) -> None:
    """The client runs them as they arrive: the result of the first may stand before the second call."""
    session = Session()
    first = fails(session)
    second = fails(session, "make sell", same_message=True)
    session.say(WORDS)
    assert written(tmp_path, session) == [(first, WORDS), (second, WORDS)]


def test_a_tag_may_stand_in_it(tmp_path: Path) -> None:
    session = Session()
    call = fails(session)
    session.say(f"{WORDS}\nIt is --all.\n\n#lesson\nproblem: p is not there\nsolution: s\n#/lesson")
    rows = rows_of(tmp_path / "s.jsonl", session.data())
    assert sorted(kind for kind, _ in rows.named) == ["diagnosis", "tag"]
    assert written(tmp_path, session) == [(call, f"{WORDS} It is --all.")]


def test_secrets_are_taken_out(tmp_path: Path) -> None:
    session = Session()
    call = fails(session)
    token = "ghp_" + "a1B2" * 9
    session.say(f"The token {token} has expired. I take another one.")
    assert written(tmp_path, session) == [(call, "The token [redacted:github-token] has expired. I take another one.")]


def written(folder: Path, session: Session) -> list[tuple[str, str]]:
    return diagnoses(rows_of(folder / "session.jsonl", session.data()))


def diagnoses(rows: Rows) -> list[tuple[str, str]]:
    """The failed call and the words, in the order of the file."""
    return [(row.tool_use_id, row.text) for row in rows.named.values() if isinstance(row, DiagnosisRow)]


@table(
    ("text", "sentences"),
    [
        ("", ""),
        ("   \n\n", ""),
        ("```\nmake: no rule\n```", ""),
        ("> quoted from a file", ""),
        ("    indented code", ""),
        ("\x1b[2J\u202e", ""),
        ("One. Two. Three.", "One. Two."),
        ("The module is missing, e.g. on macOS. I use another one! And more.", None),
        ("Let me fix this:\n\n- first\n- second", "Let me fix this: first"),
        ("## What went wrong\nThe file `a.py` is not here. So I look.", "What went wrong The file `a.py` is not here."),
        ('I see (it is "old".) Next? Never.', 'I see (it is "old".) Next?'),
        ("Version 1.2.3 of foo.py fails\nbecause of J. Doe's edit. Then.", None),
        ("word " * 500, None),
    ],
)
def test_the_first_two_sentences(text: str, sentences: str | None) -> None:
    found = first_sentences(text)
    if sentences is not None:
        assert found == sentences
    assert len(found) <= LONGEST_DIAGNOSIS and "\n" not in found
