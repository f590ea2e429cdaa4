"""Code without its literals, and what its names mean."""

from lessons.failure.script_code import code_of, node_names, python_names
from tests.tables import table


@table(
    ("script", "code"),
    [
        ('a.login(\'bob\', "ti\\"ger", b=1)', 'a.login("…", "…", b=1)'),
        ("a = '''bob;\ntiger''' + b", 'a = "…" + b'),
        ("a = `bob\n${tiger}`; b", 'a = "…"; b'),
        ("a('bob; tiger'); b", 'a("…"); b'),
        ("a('bob\nb", 'a("…"\nb'),  # it is not closed
        ("# bob's\na()  # tiger\nb", "\na()  \nb"),
        ("a(); // tiger\nb", "a(); \nb"),
        ("a(20260131, 42)", "a(…, 42)"),
    ],
)
def test_literals_are_blanked(script: str, code: str) -> None:
    assert code_of(script) == code


@table(
    ("code", "names"),
    [
        ("print(1)", {}),
        ("import fs from 'fs'", {}),  # another language
        ("import os, numpy as np; import a.b", {"os": "os", "np": "numpy", "a.b": "a.b"}),
        ("from os import walk, path as p", {"walk": "os.walk", "p": "os.path"}),
        ("try:\n  from a.b import (\n    c,\n    d as e,\n  )\nexcept E: pass", {"c": "a.b.c", "e": "a.b.d"}),
    ],
)
def test_names_of_python(code: str, names: dict[str, str]) -> None:
    assert python_names(code) == names


@table(
    ("script", "names"),
    [
        ("const a = require('./b').c; const {d} = require('e')", {}),
        ("const a = require('b'); import * as c from 'd'", {"a": "b", "c": "d"}),
        ("const a = await import('node:fs'); import e from \"f\"", {"a": "node:fs", "e": "f"}),
    ],
)
def test_names_of_node(script: str, names: dict[str, str]) -> None:
    assert node_names(script) == names
