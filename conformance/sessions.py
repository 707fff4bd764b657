"""The MCP client for Python against clew mcp and /mcp of a real clew serve, for two owners.

    python sessions.py CLEW
"""

import asyncio
import os
import re
import signal
import subprocess
import sys
import tempfile

from mcp import Client, StdioServerParameters
from mcp.client.streamable_http import create_mcp_http_client, streamable_http_client

clew = sys.argv[1]


def check(name, truth):
    print(("ok    " if truth else "FAILED") + " " + name, flush=True)
    if not truth:
        raise SystemExit(1)


async def call(client, tool, **arguments):
    result = await client.call_tool(tool, arguments)
    if result.is_error:
        raise RuntimeError(result.content[0].text)
    return result.structured_content  # which the client checks against the tool's schema


async def use(name, client):
    """Everything that an owner may do, and that she sees nothing of another's."""
    tools = {tool.name: tool for tool in (await client.list_tools()).tools}
    check(f"{name}: tools that read say so",
          tools["search_conversations"].annotations.read_only_hint
          and not tools["append_message"].annotations.read_only_hint)
    found = await call(client, "search_conversations", query="golden", since="2020-01-01", role="user")
    check(f"{name}: a search with filters", [hit["session_id"] for hit in found["hits"]] == ["trip"])
    read = await call(client, "get_conversation", session_id="trip", around=found["hits"][0]["position"])
    check(f"{name}: reading around a hit", "Golden Gate" in read["entries"][0]["text"])
    items = await call(client, "get_conversation", session_id="trip", format="items")
    check(f"{name}: reading items", items["entries"][0]["item"]["role"] == "user")
    facts = await call(client, "describe_conversation", session_id="trip")
    check(f"{name}: facts", facts["newest_answer"] == "San Francisco.")
    added = await call(client, "append_message", role="user", text=name, idempotency_key=name)
    again = await call(client, "append_message", role="user", text=name, idempotency_key=name)
    check(f"{name}: a message is added once", added == again)
    session = added["session_id"]
    await call(client, "rename_conversation", session_id=session, title=name)
    await call(client, "tag_conversation", session_id=session, add=["python"])
    await call(client, "fork_conversation", session_id=session)
    first = await call(client, "list_conversations", limit=1)
    check(f"{name}: a page says how to get the next", "next_cursor" in first["more"])
    rest = await call(client, "list_conversations", limit=1, cursor=first["next_cursor"])
    check(f"{name}: the next page", rest["conversations"] != first["conversations"])
    other = await client.call_tool("get_conversation", {"session_id": "his"})
    check(f"{name}: nothing of another owner", other.is_error and "no conversation" in other.content[0].text)
    contents = (await client.read_resource("clew://sessions/trip")).contents
    check(f"{name}: a resource", "San Francisco" in contents[0].text)
    check(f"{name}: templates", len((await client.list_resource_templates()).resource_templates) == 2)


def over_http(url, token):
    http = create_mcp_http_client(headers={"Authorization": "Bearer " + token})
    return streamable_http_client(url + "/mcp", http_client=http)


async def run(url, ann, bob, env):
    for mode in ["legacy", "2026-07-28", "auto"]:
        async with Client(over_http(url, ann), mode=mode) as client:
            await use(f"over HTTP, {mode}", client)
    process = StdioServerParameters(command=clew, args=["mcp", "--owner", "ann", "--write"], env=env)
    for mode in ["legacy", "2026-07-28"]:
        async with Client(process, mode=mode) as client:
            await use(f"over stdio, {mode}", client)
    async with Client(over_http(url, bob)) as client:
        names = {tool.name for tool in (await client.list_tools()).tools}
        check("a token that may only read has no tools that write", "append_message" not in names)
        listed = await call(client, "list_conversations")
        check("another owner sees his own", [c["session_id"] for c in listed["conversations"]] == ["his"])


def main():
    with tempfile.TemporaryDirectory() as folder:
        env = dict(os.environ, CLEW_STORE=f"sqlite:{folder}/clew.db")
        do = lambda *args: subprocess.run(
            [clew, *args], env=env, check=True, capture_output=True, text=True).stdout.strip()
        do("add", "--owner", "ann", "trip", "What city is the Golden Gate Bridge in?")
        do("add", "--owner", "ann", "trip", "--role", "assistant", "San Francisco.")
        do("add", "--owner", "bob", "his", "A golden secret.")
        ann = do("token", "create", "--owner", "ann")
        bob = do("token", "create", "--owner", "bob", "--scope", "read")
        server = subprocess.Popen(
            [clew, "serve", "--port", "0", "--model", "offline", "--log-format", "none"],
            env=env, stdout=subprocess.PIPE, text=True)
        try:
            url = ""
            for line in server.stdout:
                url = url or "".join(re.findall(r"OPENAI_BASE_URL=(\S+)/v1", line))
                if re.search("Ctrl-C", line):
                    break
            asyncio.run(run(url, ann, bob, env))
        finally:
            server.send_signal(signal.SIGTERM)
            server.wait()


main()
