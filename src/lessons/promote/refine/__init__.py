"""An agent or a person words the lesson of a candidate; the history decides whether it holds."""
