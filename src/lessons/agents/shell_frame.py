"""What Gemini CLI and Qwen Code tell the model about a shell command: a frame of labels around the output."""

_OPENING, _CLOSING = "<untrusted_context>\n", "\n</untrusted_context>"
_COMMAND, _OUTPUT, _EXIT = "Command: ", "Output: ", "\nExit Code: "
# The labels after the output, last one first; any may be missing.
_LABELS = ("\nProcess Group PGID: ", "\nBackground PIDs: ", "\nSignal: ", _EXIT, "\nError: ")
_NOTHING = ("(none)", "(empty)", "")
_ENDED_EARLY = ("Command was cancelled by user", "Command was automatically cancelled", "Command timed out after ")


def taken_apart(text: str) -> "tuple[str, int | None] | None":
    """Returns the output and the exit code (None if the command has none); None if it is not such a text.

    Newer clients omit an exit code of 0. Text added by hooks follows the frame.
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
    output = "\n".join(part for part in parts if part not in _NOTHING)
    return output, int(code) if code.removeprefix("-").isdecimal() and len(code) < 12 else None
