"""How a tool call of Gemini CLI ended, according to its session."""

from lessons.agents.gemini_cli.shell_text import taken_apart
from lessons.agents.object_lines import Fields, inner, objects, text
from lessons.agents.outcomes import DENIED_BY_HOOK, Verdict

_BY_HOOK = "Tool execution blocked: "
_BY_POLICY = "Tool execution denied by policy"
_BY_PERSON = ("User did not allow tool call", "User denied execution", "User cancelled tool execution")
_STOPPED = "Command was cancelled by user"
_ENDED = ("success", "error", "cancelled")


def ended(call: Fields) -> tuple[Verdict, str] | None:
    """Returns the verdict and the output; None while the call runs."""
    status, output = text(call, "status"), _output(call)
    if status not in _ENDED:
        return None
    if status == "cancelled":
        return Verdict("refused" if any(each in output for each in _BY_PERSON) else "interrupted", None), output
    if status == "error" and output.startswith(_BY_HOOK):
        return DENIED_BY_HOOK, output.removeprefix(_BY_HOOK)
    shell = taken_apart(output)
    printed, code = shell if shell else (output, 0 if status == "success" else None)
    if status == "error":
        return Verdict("refused" if output.startswith(_BY_POLICY) else "failed", code or None), printed
    if printed.startswith(_STOPPED):
        return Verdict("interrupted", None), printed
    if shell is None:
        return Verdict("ok", None), printed
    return Verdict("ok" if code == 0 else "failed", code), printed


def _output(call: Fields) -> str:
    """Returns the text that the model got."""
    texts = []
    for part in objects(call, "result"):
        response = inner(inner(part, "functionResponse"), "response")
        texts.append(text(response, "error") or text(response, "output"))
    shown = call.get("resultDisplay")
    return "\n".join(each for each in texts if each) or (shown if isinstance(shown, str) else "")
