"""What went wrong in a call: its features, its error's words, its fix, how much it weighs, and what memory recalls.

Everything is counted, nothing is explained: no module here names a tool, a flag or a repository. `features`, `recall`,
`places` and `failed_call` are hot: the hook loads them, so they import next to nothing.
"""
