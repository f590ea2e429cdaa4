"""What a person wants forgotten in, what tells whether a row, a folder or a line belongs to it out."""

import msgspec


class Wish(msgspec.Struct, frozen=True):
    """One of the three: a session, a project with all below it, or everything before a time."""

    session: str = ""
    folders: tuple[str, ...] = ()  # of a project: as it was written, and where links lead
    before: str = ""

    def condition(self, time: str = "time") -> tuple[str, list[object]]:
        """For every table whose rows name their session, project and time (in the column of that name)."""
        if self.session:
            return "session_id = ?", [self.session]
        if self.before:
            return f"({time} <> '' AND {time} < ?)", [self.before]
        return self.below("project")

    def below(self, expression: str) -> tuple[str, list[object]]:
        """Whether that is one of the folders or lies in one."""
        values: list[object] = []
        for folder in self.folders:
            inside = folder.rstrip("/") + "/"
            values += [folder, len(inside), inside]
        one = f"{expression} = ? OR substr({expression}, 1, ?) = ?"
        return f"({' OR '.join([one] * len(self.folders)) or '0'})", values

    def covers(self, session: str, folder: str, time: str) -> bool:
        """The same for what does not stand in a table."""
        if self.session:
            return session == self.session
        if self.before:
            return bool(time) and time < self.before
        return self.covers_folder(folder)

    def covers_folder(self, folder: str) -> bool:
        return any(folder == each or folder.startswith(each.rstrip("/") + "/") for each in self.folders)
