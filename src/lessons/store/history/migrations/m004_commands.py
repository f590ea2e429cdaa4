"""The lines of shells by themselves: a back-test reads them without the rows they stand in."""

SQL = """
CREATE INDEX calls_by_command ON calls (command) WHERE command <> '';
"""
