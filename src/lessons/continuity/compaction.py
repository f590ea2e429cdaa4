"""Texts and numbers for the hooks around a compaction, without any imports."""

# For the summariser of a compaction, which keeps decisions well but loses nearly every command. Plain ASCII: printed
# unchanged.
SUMMARISER_WORDS = (
    "Keep in the summary, word for word: the exact commands that were run with their exit codes, the paths of all"
    " files that were read or changed, the tasks that are still open, and open questions."
)
# Limit for the text added after a compaction, including its frame.
MOST_BYTES = 2_048
SAVED_RECORD = "Quoted from what `lessons` saved of this session"
# Warn the user after this many files read without a pause.
MANY_FILES = 15


def many_files(count: int) -> str:
    return f"{count} files were read since the last pause: the context may soon be compacted, and this is kept."
