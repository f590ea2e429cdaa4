"""Stage 4: what each lesson did, and what should happen to it next.

The ledger moves the hook's log into the history and judges the outcome of each opportunity of a lesson. It runs at the
end of a scan, and every few minutes in a watcher (update.py). `fold` of `store.history.hook_log` renames
`injections.jsonl`, stores each line under a key made from it, and deletes the renamed file a day later: a hook that had
the file open can still write to it. Then every session with new data is judged for all lessons, and every changed
lesson for all sessions. The rows of `opportunities` depend only on calls, log and lessons, not on the order in which
these arrive.
"""
