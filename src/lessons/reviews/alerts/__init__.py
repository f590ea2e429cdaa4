"""What a person should act on: one file per kind of alert, and the rules of how often each is shown."""
