"""A failure or a correction becomes a dossier, an agent answers it with a lesson, and the history tests the answer.

`sources` chooses what is asked about, `dossier` shows it, `answer` reads what came back, `words` and `gate` test it,
`accept` stores it, `ask` leads the conversation with an agent.
"""
