"""An agent that nobody uses, as its folder beside the others would be: the test puts it into a copy of the package."""
