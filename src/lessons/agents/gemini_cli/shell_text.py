"""What Gemini CLI tells the model of a shell command: a frame of labels around what was printed."""

_OPENING, _CLOSING = "<untrusted_context>\n", "\n</untrusted_context>"
_COMMAND, _OUTPUT, _EXIT = "Command: ", "Output: ", "\nExit Code: "
# The labels behind the output, the last one first; any may be missing.
_LABELS = ("\nProcess Group PGID: ", "\nBackground PIDs: ", "\nSignal: ", _EXIT, "\nError: ")
_NOTHING = ("(none)", "(empty)", "")
_ENDED_EARLY = ("Command was cancelled by user", "Command was automatically cancelled", "Command timed out after ")


def taken_apart(text: str) -> "tuple[str, int | None] | None":
    """What was printed and the exit code, None where the command has none; nothing at all where it is no such text.

    An exit code of 0 is left out by newer clients. What hooks have added stands behind the frame.
    """
    if text.startswith(_ENDED_EARLY):
        return text, None
    body = text
    if text.startswith(_OPENING):
        end = text.rfind(_CLOSING)
        body = text[len(_OPENING) : end if end >= 0 else len(text)]
        if body.startswith(_ENDED_EARLY):
            return body, None
    start = body.find("\n" + _OUTPUT) + 1 if body.startswith(_COMMAND) else 0
    if not body.startswith(_OUTPUT, start):
        return None
    printed, found = body[start + len(_OUTPUT) :], {}
    for label in _LABELS:
        at = printed.rfind(label)
        if at >= 0:
            printed, found[label] = printed[:at], printed[at + len(label) :]
    code = found.get(_EXIT, "0").strip()
    parts = (printed, found.get("\nError: ", ""))
    said = "\n".join(part for part in parts if part not in _NOTHING)
    return said, int(code) if code.removeprefix("-").isdecimal() and len(code) < 12 else None
