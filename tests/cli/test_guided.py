"""A lesson by answering questions: asked again where an answer will not do, stored at the end and not before."""

import json

from tests.cli.command_line import CommandLine, finish

SUMMARY = "git stash leaves untracked files behind"
PROBLEM = "Plain git stash stashes tracked files only."
SOLUTION = "Use git stash -u when new files matter."


def test_leaving_in_the_middle_stores_nothing(lessons: CommandLine) -> None:
    for leave in ("\x03", "\x04"):
        terminal = lessons.terminal("add")
        terminal.expect("In one line, what goes wrong?")
        terminal.sendline(SUMMARY)
        terminal.expect("Why does it go wrong?")
        terminal.send(leave)
        code, lines = finish(terminal)
        assert (code, lines[-1]) == (130, "Interrupted.")
    assert not (lessons.home / "lessons.json").exists()


def test_a_person_is_asked_until_the_answer_will_do(lessons: CommandLine) -> None:
    terminal = lessons.terminal("add")
    for question, answer in (
        ("In one line, what goes wrong", "too short"),
        ("summary is .*write at least 20", "It goes wrong when the files are..."),
        ("cut off: write a whole sentence", SUMMARY),
        ("Why does it go wrong", "<what_went_wrong> and nothing more"),
        ("problem has the placeholder", PROBLEM),
        ("What works instead", SOLUTION),
        ("Fires on .command, path, error", "call"),
        ("is not one of", "command"),
        ("How does the command start", "git (stash"),
        ("not a valid regex", "git stash$"),
        ("Stop the first such call", "y"),
        ("Fires where. .everywhere, project", "there"),
        ("is not one of", "everywhere"),
        ("Tags, separated by spaces", "git"),
        ("write category:value", "tool:git severity:data-loss"),
    ):
        terminal.expect(question)
        terminal.sendline(answer)
    code, lines = finish(terminal)
    assert (code, "(stop once). It fires from the next call on." in " ".join(lines)) == (0, True)
    [record] = json.loads((lessons.home / "lessons.json").read_text(encoding="utf-8"))["lessons"]
    assert (record["summary"], record["problem"], record["solution"]) == (SUMMARY, PROBLEM, SOLUTION)
    assert (record["stopOnce"], record["tags"]) == (True, ["tool:git", "severity:data-loss"])
    assert record["triggers"]["commandPatterns"] == ["git stash$"]
    assert record["triggers"]["matchOn"] == "invocation"


def test_a_path_and_an_error_are_triggers_too(lessons: CommandLine) -> None:
    for kind, question, pattern, problem, solution in (
        ("path", "Which files", "src/**/*.lock", PROBLEM, SOLUTION),
        ("error", "What does the error", "EADDR", "The port is held by a server.", "End that server before the start."),
    ):
        terminal = lessons.terminal("add")
        for answer in (SUMMARY, problem, solution, kind):
            terminal.expect(": $")
            terminal.sendline(answer)
        terminal.expect(question)
        terminal.sendline(pattern)
        if kind == "path":
            terminal.expect("Stop the first")
            terminal.sendline("n")
        terminal.expect("This project is .*Fires where")
        terminal.sendline("project" if kind == "path" else "")
        terminal.expect("Tags")
        terminal.sendline("")
        assert finish(terminal)[0] == 0
    path, error = json.loads((lessons.home / "lessons.json").read_text(encoding="utf-8"))["lessons"]
    assert (path["triggers"]["pathPatterns"], path["tags"]) == (["src/**/*.lock"], [])
    assert error["triggers"]["errorPatterns"] == ["EADDR"]
    assert path["scope"] == {"type": "project", "path": str(lessons.work)}
    assert error["scope"] == {"type": "global"}
