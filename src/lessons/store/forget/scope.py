"""What the user wants forgotten, and which rows, folders and lines belong to it."""

import msgspec

from lessons.match.call import folder_key, is_of_windows


class ForgetScope(msgspec.Struct, frozen=True):
    """One of three: a session, a project with everything below it, or everything before a time."""

    session: str = ""
    folders: tuple[str, ...] = ()  # of a project: as written, and where its links lead
    before: str = ""

    def condition(self, time: str = "time") -> tuple[str, list[object]]:
        """Returns the SQL condition for every table with columns for session, project and time."""
        if self.session:
            return "session_id = ?", [self.session]
        if self.before:
            return f"({time} <> '' AND {time} < ?)", [self.before]
        return self.below("project")

    def below(self, expression: str) -> tuple[str, list[object]]:
        """Returns the SQL condition that the expression is one of the folders or inside one."""
        parts = [lies_in(folder, expression) for folder in self.folders]
        conditions = " OR ".join(condition for condition, _ in parts)
        return f"({conditions or '0'})", [value for _, values in parts for value in values]

    def covers(self, session: str, folder: str, time: str) -> bool:
        """Returns the same for data outside the tables."""
        if self.session:
            return session == self.session
        if self.before:
            return bool(time) and time < self.before
        return self.covers_folder(folder)

    def covers_folder(self, folder: str) -> bool:
        return any(folder_key(folder).startswith(folder_key(each)) for each in self.folders)


def lies_in(folder: str, expression: str) -> tuple[str, list[object]]:
    """Returns the SQL condition that the expression is this folder or inside it; equivalent to comparing their keys."""
    if is_of_windows(folder):
        expression = rf"replace(lower(substr({expression}, 1, 1)) || substr({expression}, 2), '\', '/')"
    return f"substr({expression} || '/', 1, ?) = ?", [len(folder_key(folder)), folder_key(folder)]
