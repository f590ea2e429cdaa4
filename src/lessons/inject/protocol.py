"""The text that tells an agent how to report a mistake it has understood."""

FULL = """\
The user keeps notes on mistakes with `lessons`. When a tool call failed or misled you and you then found what \
works, a short report in your answer helps the next session; the user reviews each report before it is used. It \
is read from plain lines, not from a code block or a quotation:

#lesson
tool: <tool name>
trigger: <how the command or path begins>
problem: <what went wrong and why>
solution: <what works instead>
tags: tool:git, severity:error
#/lesson

Only for mistakes that another session would make again: not for findings about the code under work, and not \
twice for the same thing."""

SHORT = """\
The user keeps notes on mistakes with `lessons`: where a tool call failed for a reason that would catch another \
session too, report it between the lines `#lesson` and `#/lesson` with the fields tool, trigger, problem, \
solution and tags (category:value), one per line, not in a code block or a quotation."""
