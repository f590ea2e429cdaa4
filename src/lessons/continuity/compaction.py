"""Nothing but words and numbers that the hooks around a compaction need, without anything to be loaded for them."""

# For the summariser of a compaction, which keeps decisions well and loses nearly every command. Plain ASCII: it is
# printed as it stands.
SUMMARISER_WORDS = (
    "Keep in the summary, word for word: the exact commands that were run with their exit codes, the paths of all"
    " files that were read or changed, the tasks that are still open, and open questions."
)
# What goes into the context after a compaction, with the line above it.
MOST_BYTES = 2_048
SAVED_RECORD = "Quoted from what `lessons` saved of this session"
# So many files read without a pause are worth a word to the person.
MANY_FILES = 15


def many_files(count: int) -> str:
    return f"{count} files were read since the last pause: the context may soon be compacted, and this is kept."
