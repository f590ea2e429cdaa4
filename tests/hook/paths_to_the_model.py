"""Source text in, what in it could reach a model without being made neutral out; read from the code itself."""

import ast
from collections.abc import Iterator
from pathlib import Path

import lessons
from lessons.agents.hook_event import Answer

ROOT = Path(lessons.__path__[0])
SLOTS = frozenset(Answer.__slots__)
# What an agent's `render` may put into its answer beside constants.
_ALLOWED = {*(f"answer.{slot}" for slot in SLOTS), "event.name", "event.kind"}


def functions(tree: ast.AST) -> dict[str, ast.FunctionDef]:
    return {node.name: node for node in ast.walk(tree) if isinstance(node, ast.FunctionDef)}


def fields_written(tree: ast.AST) -> Iterator[tuple[str, ast.expr]]:
    """Every name under which a value is put into a dictionary, and the value."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Dict):
            for key, value in zip(node.keys, node.values, strict=True):
                if isinstance(key, ast.Constant) and isinstance(key.value, str):
                    yield key.value, value
        if isinstance(node, ast.Assign):
            for target in node.targets:
                if isinstance(target, ast.Subscript) and isinstance(target.slice, ast.Constant):
                    yield str(target.slice.value), node.value


def _render(source: str) -> ast.FunctionDef:
    """Of a wire, or the form that several wires share."""
    found = functions(ast.parse(source))
    return found["specific_output"] if "specific_output" in found else found["render"]


def foreign_in_render(source: str) -> list[str]:
    """What `render` of a wire reads beside the answer and the event's own name."""
    render = _render(source)
    read = {ast.unparse(node) for node in ast.walk(render) if isinstance(node, ast.Attribute)}
    called = {ast.unparse(node.func) for node in ast.walk(render) if isinstance(node, ast.Call)}
    return sorted(each for each in read - called - _ALLOWED if each.partition(".")[0] in ("answer", "event", "payload"))


def fields_of_model(source: str) -> set[str]:
    """The names under which a wire sends words of the answer."""
    render = _render(source)
    return {name for name, value in fields_written(render) if ast.unparse(value) in _ALLOWED - {"event.name"}}


def raw_slots(source: str) -> list[str]:
    """The slots of Answer that are set to anything but what `neutral` returns."""
    [answer] = [
        node for node in ast.walk(ast.parse(source)) if isinstance(node, ast.ClassDef) and node.name == "Answer"
    ]
    values = {
        node.targets[0].attr: node.value
        for node in ast.walk(answer)
        if isinstance(node, ast.Assign) and isinstance(node.targets[0], ast.Attribute)
    }
    return sorted(slot for slot in SLOTS if not _is_neutral(values[slot]))


def _is_neutral(value: ast.expr) -> bool:
    if isinstance(value, ast.IfExp):
        return all(_is_neutral(each) for each in (value.body, value.orelse))
    if isinstance(value, ast.Constant):
        return value.value is None
    return isinstance(value, ast.Call) and ast.unparse(value.func) == "neutral"


def changed_answers(source: str) -> list[str]:
    """Where a slot of an answer is set from outside."""
    return [
        f"{node.lineno}: {ast.unparse(node)}"
        for node in ast.walk(ast.parse(source))
        if isinstance(node, ast.Attribute) and isinstance(node.ctx, ast.Store) and node.attr in SLOTS
        if not (isinstance(node.value, ast.Name) and node.value.id == "self")
    ]


def prints(source: str) -> bool:
    """Whether anything is written to stdout."""
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Call):
            name = ast.unparse(node.func)
            to_one = bool(node.args) and isinstance(node.args[0], ast.Constant) and node.args[0].value == 1
            if name == "print" or name.startswith("sys.stdout") or (name.endswith(".write") and to_one):
                return True
    return False


def imports_sdk(source: str) -> bool:
    """Whether the file imports the SDK of MCP, through which an agent could be told anything."""
    for node in ast.walk(ast.parse(source)):
        names = [alias.name for alias in node.names] if isinstance(node, ast.Import) else []
        names += [node.module or ""] if isinstance(node, ast.ImportFrom) else []
        if any(name.partition(".")[0] == "mcp" for name in names):
            return True
    return False


def unsaid_in_server(source: str) -> list[str]:
    """What the MCP server hands to the SDK without `cleaned`: texts returned or raised, tools and resources."""
    made = functions(ast.parse(source))
    returned = [node.value for node in ast.walk(made["_answer"]) if isinstance(node, ast.Return) and node.value]
    raised = [
        argument
        for node in ast.walk(made["_answer"])
        if isinstance(node, ast.Raise) and isinstance(node.exc, ast.Call)
        for argument in node.exc.args
    ]
    texts = [
        text for text in (*returned, *raised) if not isinstance(text, ast.Constant) and not _calls(text, "cleaned")
    ]
    texts += [
        node.value
        for node in ast.walk(made["called"])
        if isinstance(node, ast.Return) and node.value and not _calls(node.value, "_answer")
    ]
    handed = [node for node in ast.walk(made["server_for"]) if isinstance(node, ast.Call)]
    texts += [call.args[0] for call in handed if _calls(call, "server.add_tool") and not _calls(call.args[0], "_tool")]
    answers = {
        ast.unparse(node.targets[0])
        for node in ast.walk(made["server_for"])
        if isinstance(node, ast.Assign) and ast.unparse(node.value).startswith("functools.partial(_answer, ")
    }
    resources = [call for call in handed if _calls(call.func, "server.resource")]
    texts += [call.args[0] for call in resources if ast.unparse(call.args[0]) not in answers]
    return [ast.unparse(text) for text in texts]


def _calls(node: ast.expr, name: str) -> bool:
    return isinstance(node, ast.Call) and ast.unparse(node.func) == name
