"""Questions in, the answers of the real server out, through the SDK's own client."""

import asyncio
from collections.abc import Awaitable, Callable
from typing import NamedTuple, TypeVar

from mcp import Client, StdioServerParameters, stdio_client
from mcp.types import Implementation, TextContent, TextResourceContents

from lessons.mcp.server import server_for
from tests.cli.command_line import LESSONS, CommandLine

SECONDS = 120
_Result = TypeVar("_Result")


class Said(NamedTuple):
    """What a tool answered."""

    text: str
    is_error: bool


class Connected:
    """A client that is connected to `lessons mcp`, for the length of one conversation."""

    def __init__(self, client: Client) -> None:
        self.client = client

    async def tools(self) -> dict[str, str]:
        return {tool.name: tool.description or "" for tool in (await self.client.list_tools()).tools}

    async def ask(self, tool: str, **arguments: object) -> Said:
        result = await self.client.call_tool(tool, arguments)
        texts = [part.text for part in result.content if isinstance(part, TextContent)]
        return Said("\n".join(texts), bool(result.is_error))

    async def read(self, address: str) -> str:
        contents = (await self.client.read_resource(address)).contents
        return "\n".join(part.text for part in contents if isinstance(part, TextResourceContents))


def talk(
    lessons: CommandLine, conversation: Callable[[Connected], Awaitable[_Result]], *, in_process: bool = True
) -> _Result:
    """One server for one conversation, in the folder of the test; else the installed command over stdio."""

    async def run() -> _Result:
        command = StdioServerParameters(command=LESSONS, args=["mcp"], env=lessons.environment(), cwd=str(lessons.work))
        server = server_for(str(lessons.home), str(lessons.work)) if in_process else stdio_client(command)
        about = Implementation(name="a-client", version="1")
        async with asyncio.timeout(SECONDS), Client(server, client_info=about) as client:
            return await conversation(Connected(client))

    return asyncio.run(run())
