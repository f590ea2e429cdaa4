"""The name of a call: the same in a hook's payload and in the transcript, and of one call alone in the history."""

# The service gives every call an id of 24 random letters. Local models number theirs, from 1 in each turn.
_SHORTEST_UNIQUE = 20


def call_name(call_id: str, turn_id: str) -> str:
    """The id; a short one together with the turn, which is unique and stays the same in a copied transcript."""
    if not call_id or len(call_id) >= _SHORTEST_UNIQUE or not turn_id:
        return call_id
    return f"{call_id}@{turn_id}"
