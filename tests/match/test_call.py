"""Tool inputs as triggers see them: wrong types become empty values, real ones command, paths and content."""

import re
import string
import sys

from hypothesis import given, settings
from hypothesis import strategies as st

from lessons.match.call import ToolCall, comparable, fold, folder_key, is_of_windows, normal_path
from tests.sizes import examples
from tests.tables import table

NONSENSE: list[object] = [None, True, 0, 1.5, "", "text", [], [1, None], ["a", 1], {}, {"command": {}}, {"a": [{}]}]
TOOLS = ["Bash", "PowerShell", "shell", "Edit", "Write", "NotebookEdit", "apply_patch", "Grep", "mcp__a__b", ""]
json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(st.characters()),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=9), inner, max_size=4),
    max_leaves=12,
)
argument_names = st.sampled_from(
    ["command", "cmd", "file_path", "path", "paths", "content", "edits", "new_string", "input", "patch", "x"]
)


@table("tool", TOOLS)
@table("value", NONSENSE)
def test_wrong_types_are_no_command_no_path_no_content(tool: str, value: object) -> None:
    whole = ToolCall(tool, value)
    assert whole.command is None
    assert whole.paths == ()
    assert whole.content is None
    assert whole.invocations() == []
    if isinstance(value, str) and value:
        return  # text is right where a text is asked for
    names = ("command", "cmd", "file_path", "notebook_path", "path", "content", "edits")
    each = ToolCall(tool, dict.fromkeys(names, value))
    assert not each.command
    assert each.paths == ()
    assert not each.content


@given(
    st.sampled_from(TOOLS), json_values | st.dictionaries(argument_names, json_values, max_size=5), st.text(max_size=9)
)
@settings(max_examples=examples(150), deadline=None)
def test_any_input_makes_a_call(tool: str, value: object, cwd: str) -> None:
    call = ToolCall(tool, value, cwd=cwd)
    assert call.command is None or call.is_shell
    assert all(isinstance(text, str) for text in (*call.paths, *call.strings, call.content or "", call.subject()))
    assert not (call.is_shell and call.strings)


@table(
    ("tool", "arguments"),
    [
        ("Edit", {"command": "git push"}),
        ("Grep", {"command": "git push"}),
        ("mcp__shell__run", {"command": "git push"}),
        ("apply_patch", {"command": "git push"}),
        ("BashOutput", {"command": "git push"}),
        ("Bash", {"description": "git push"}),
        ("Bash", {"command": []}),
        ("Bash", {"command": ["git", 1]}),
    ],
)
def test_no_command(tool: str, arguments: dict[str, object]) -> None:
    assert ToolCall(tool, arguments).command is None


@table(
    ("tool", "arguments", "command"),
    [
        ("Bash", {"command": "git push", "description": "step"}, "git push"),
        ("Bash", {"command": ""}, ""),
        ("PowerShell", {"command": "Get-ChildItem"}, "Get-ChildItem"),
        ("run_shell_command", {"command": "git push"}, "git push"),
        ("exec_command", {"cmd": "git push"}, "git push"),
        ("run_command", {"command_line": "git push"}, "git push"),
        ("shell", {"command": ["bash", "-lc", "git push && ls"]}, "git push && ls"),
        ("shell", {"command": ["/usr/bin/zsh", "-c", "git push"]}, "git push"),
        ("shell", {"command": ["git", "push"]}, "git push"),
        ("shell", {"command": ["git", "commit", "-m", "it's done"]}, "git commit -m 'it'\\''s done'"),
        ("shell", {"command": ["echo", ""]}, "echo ''"),
        ("shell", {"command": ["echo", "$HOME;rm"]}, "echo '$HOME;rm'"),
        ("local_shell", {"command": ["bash", "-lc", "a", "b"]}, "bash -lc a b"),
    ],
)
def test_the_command_of_a_shell(tool: str, arguments: dict[str, object], command: str) -> None:
    call = ToolCall(tool, arguments)
    assert call.is_shell
    assert call.command == command
    assert call.strings == ()


def test_words_given_one_by_one_stay_the_words_they_are() -> None:
    call = ToolCall("shell", {"command": ["git", "commit", "-m", "run pytest; rm -rf /"]})
    assert [texts[0] for texts in call.invocations()] == ['git commit -m ""']


@table(
    ("path", "cwd", "expected"),
    [
        ("/a/b.py", "/c", "/a/b.py"),
        ("b.py", "", "b.py"),
        ("b.py", "/c", "/c/b.py"),
        ("./b.py", "/c", "/c/b.py"),
        ("../b.py", "/c/d", "/c/b.py"),
        ("/a/./b/../c//d.py", "", "/a/c/d.py"),
        ("/a/.env", "", "/a/.env"),
        ("/a/..b", "", "/a/..b"),
        ("../../b", "", "../../b"),
        ("/../b", "", "/../b"),
        ("~/b.py", "/c", "~/b.py"),
        ("C:\\shop\\src\\a.py", "", "C:/shop/src/a.py"),
        ("C:\\shop\\..\\a.py", "", "C:/a.py"),
        ("src\\a.py", "C:\\shop", "C:/shop/src/a.py"),
        ("a.py", "C:\\shop", "C:/shop/a.py"),
        ("C:/shop/a.py", "D:\\x", "C:/shop/a.py"),
        ("odd\\name/a.py", "/c", "/c/odd\\name/a.py"),
    ],
)
def test_normal_path(path: str, cwd: str, expected: str) -> None:
    assert normal_path(path, cwd) == expected


@table("path", ["", "/", "/a", "a/b", "/:a", "1:/a", "~/a", "odd\\name", "\\a", "/a\\b/"])
def test_a_path_that_is_not_of_windows_is_compared_as_it_is(path: str) -> None:
    assert not is_of_windows(path)
    assert comparable(path) == path
    assert folder_key(path) == path.rstrip("/") + "/"


@table(
    ("path", "key"),
    [
        ("C:\\Users\\Me\\shop", "c:/Users/Me/shop/"),
        ("c:/Users/Me/shop/", "c:/Users/Me/shop/"),
        ("C:\\", "c:/"),
        ("\\\\server\\share\\shop", "//server/share/shop/"),
    ],
)
def test_a_folder_of_windows_has_one_key(path: str, key: str) -> None:
    assert is_of_windows(path)
    assert folder_key(path) == key


def test_an_error_has_the_line_ends_that_patterns_expect() -> None:
    assert ToolCall("Bash", {}, error="Exit code 1\r\nno rule\r\n").error == "Exit code 1\nno rule\n"
    assert ToolCall("Bash", {}, error="$'\r': command not found").error == "$'\r': command not found"


@table(
    ("tool", "arguments", "paths"),
    [
        ("Read", {"file_path": "/a/b.py"}, ("/a/b.py",)),
        ("Read", {"file_path": "b.py"}, ("/shop/b.py",)),
        ("NotebookEdit", {"notebook_path": "/a/b.ipynb", "new_source": "x"}, ("/a/b.ipynb",)),
        ("Grep", {"pattern": "x", "path": "src"}, ("/shop/src",)),
        ("Glob", {"pattern": "**/*.py"}, ()),
        ("edit", {"filePath": "/a/b.py", "newString": "x"}, ("/a/b.py",)),
        ("read_file", {"absolute_path": "/a/b.py"}, ("/a/b.py",)),
        ("read_many_files", {"paths": ["a.py", 3, "", "/b.py"]}, ("/shop/a.py", "/b.py")),
        ("Edit", {"file_path": "C:\\a\\b.py"}, ("C:/a/b.py",)),
    ],
)
def test_the_paths_of_a_call(tool: str, arguments: dict[str, object], paths: tuple[str, ...]) -> None:
    assert ToolCall(tool, arguments, cwd="/shop").paths == paths


@table(
    ("tool", "arguments", "content"),
    [
        ("Read", {"file_path": "/a"}, None),
        ("Edit", {"file_path": "/a", "old_string": "secret", "new_string": "new"}, "new"),
        ("Write", {"file_path": "/a", "content": "text"}, "text"),
        ("Write", {"file_path": "/a", "content": ""}, ""),
        ("NotebookEdit", {"notebook_path": "/a", "new_source": "x = 1"}, "x = 1"),
        ("MultiEdit", {"edits": [{"old_string": "o", "new_string": "a"}, 4, {"new_string": "b"}]}, "a\nb"),
        ("edit", {"oldString": "o", "newString": "n"}, "n"),
        ("create", {"path": "/a", "file_text": "t"}, "t"),
    ],
)
def test_the_content_that_would_be_written(tool: str, arguments: dict[str, object], content: str | None) -> None:
    assert ToolCall(tool, arguments).content == content


PATCH = """\
*** Begin Patch
*** Update File: src/a.py
@@ def total():
-    return 1
+    return 2
 *** Add File: not/this.py
+*** Add File: nor/this.py
*** Move to: src/b.py
*** Add File: /abs/new.txt
+hello
*** Delete File: old.txt
*** End Patch
"""


@table("name", ["command", "input", "patch"])
def test_a_patch_has_paths_and_the_lines_it_adds(name: str) -> None:
    call = ToolCall("apply_patch", {name: PATCH}, cwd="/shop")
    assert call.paths == ("/shop/src/a.py", "/shop/src/b.py", "/abs/new.txt", "/shop/old.txt")
    assert call.content == "    return 2\n*** Add File: nor/this.py\nhello"
    assert not call.is_shell


def test_strings_of_a_servers_tool_come_in_order_however_nested() -> None:
    arguments = {"title": "a", "labels": ["b", 3, ["c"]], "more": {"text": "d", "none": None}, "last": "e"}
    assert ToolCall("mcp__t__c", arguments).strings == ("a", "b", "c", "d", "e")


def test_a_hostile_input_is_read_in_bounds() -> None:
    assert len(ToolCall("mcp__t__c", {"many": ["x"] * 100_000}).strings) <= 500
    deep: object = "bottom"
    for _ in range(10_000):
        deep = [deep]
    assert ToolCall("mcp__t__c", {"deep": deep, "next": "y"}).strings == ("y",)


@table(
    ("tool", "arguments", "subject"),
    [
        ("Bash", {"command": "git push"}, "git push"),
        ("Edit", {"file_path": "/a/b.py", "new_string": "x"}, "/a/b.py"),
        ("mcp__t__c", {"title": "x"}, "mcp__t__c"),
        ("run_shell_command", {"command": None}, "run_shell_command"),
        ("WebFetch", {"url": "https://shop.example"}, "WebFetch"),
    ],
)
def test_the_subject_names_the_call(tool: str, arguments: dict[str, object], subject: str) -> None:
    assert ToolCall(tool, arguments).subject() == subject


EVERY_CHARACTER = "".join(map(chr, range(sys.maxunicode + 1)))
ASCII = "".join(map(chr, range(128)))


@table("text", ["", "abc", "a-b /c", "日本語", "é"])
def test_leaves_alone(text: str) -> None:
    assert fold(text) == text


def test_folds() -> None:
    assert fold("GIT Push") == "git push"
    assert fold("PYTE\u017fT \u0130\u0131 \u212a") == "pytest ii k"
    assert fold("ÉΣ") == "éς"


@table("char", list(ASCII))
def test_whatever_ignorecase_takes_for_an_ascii_character_folds_to_it(char: str) -> None:
    alike = re.findall(re.escape(char), EVERY_CHARACTER, re.IGNORECASE)
    assert {fold(one) for one in alike} == {fold(char)}


@table(("low", "high"), [("a", "z"), ("A", "Z"), ("Z", "a"), ("h", "l"), ("R", "T"), ("\0", "\x7f")])
def test_the_same_for_ranges(low: str, high: str) -> None:
    alike = re.findall(f"[{re.escape(low)}-{re.escape(high)}]", EVERY_CHARACTER, re.IGNORECASE)
    members = {fold(chr(number)) for number in range(ord(low), ord(high) + 1)}
    assert {fold(one) for one in alike} == members


def test_a_character_folds_to_ascii_only_where_ignorecase_agrees() -> None:
    folded_to_ascii = {one for one in EVERY_CHARACTER if not one.isascii() and fold(one).isascii()}
    assert folded_to_ascii == set(re.findall(f"[{string.ascii_letters}]", EVERY_CHARACTER, re.I)) - set(ASCII)


def test_every_character_stays_one_character() -> None:
    assert all(len(fold(one)) == 1 for one in EVERY_CHARACTER)


@given(st.text(), st.text())
def test_a_text_folds_piece_by_piece_but_for_the_final_sigma(left: str, right: str) -> None:
    assert fold(left + right).replace("ς", "σ") == (fold(left) + fold(right)).replace("ς", "σ")


@given(st.text())
def test_folding_twice_changes_nothing_more(text: str) -> None:
    assert fold(fold(text)).replace("ς", "σ") == fold(text).replace("ς", "σ")
