"""`python -m lessons`: the same as the command `lessons`."""

from lessons.cli.main import main

main()
