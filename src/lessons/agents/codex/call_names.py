"""The name of a call: equal in hook payload and transcript, and unique in the history."""

# The service gives every call an id of 24 random letters. Local models number theirs, from 1 in each turn.
_SHORTEST_UNIQUE = 20


def call_name(call_id: str, turn_id: str) -> str:
    """Returns the id; a short one together with the turn, which is unique and unchanged in a copied transcript."""
    if not call_id or len(call_id) >= _SHORTEST_UNIQUE or not turn_id:
        return call_id
    return f"{call_id}@{turn_id}"
