"""Problems that the user should act on: one file per kind of alert, and the rules of how often each is shown."""
