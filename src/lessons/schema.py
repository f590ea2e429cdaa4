"""The JSON Schema of lessons.json, generated from the model; `python -m lessons.schema` prints it."""

import json

import msgspec

from lessons.model import Lesson

SCHEMA_NAME = "lesson.schema.json"


class LessonsDocument(msgspec.Struct, kw_only=True):
    """lessons.json: every lesson of a data home."""

    schema: str | None = msgspec.field(name="$schema", default=None)
    lessons: list[Lesson]


def schema_text() -> str:
    """Returns the schema, as checked in and stored beside lessons.json."""
    schema = {"$schema": "https://json-schema.org/draft/2020-12/schema"}
    schema |= msgspec.json.schema(LessonsDocument)
    return json.dumps(schema, indent=2, ensure_ascii=False) + "\n"


if __name__ == "__main__":
    print(schema_text(), end="")
