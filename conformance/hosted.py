"""The Agents SDK for Python with hosted MCP tools, against a real clew serve.

The MCP server is the same server's own /mcp, so nothing else is needed.

    python hosted.py CLEW
"""

import asyncio
import os
import re
import signal
import socket
import subprocess
import sys
import tempfile

from agents import Agent, HostedMCPTool, Runner, set_default_openai_client, set_tracing_disabled
from openai import AsyncOpenAI

clew = sys.argv[1]
asked = "search conversations for bridge"


def free_port():
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


def check(name, truth):
    print(("ok    " if truth else "FAILED") + " " + name, flush=True)
    if not truth:
        raise SystemExit(1)


def tool(url, token, approval, **more):
    return HostedMCPTool(
        tool_config={
            "type": "mcp",
            "server_label": "notes",
            "server_url": url,
            "authorization": token,
            "allowed_tools": ["search_conversations"],
            "require_approval": approval,
        },
        **more,
    )


def outputs(result):
    return [item.raw_item.output for item in result.new_items
            if getattr(item.raw_item, "type", "") == "mcp_call"]


async def streamed(agent):
    result = Runner.run_streamed(agent, asked)
    async for _ in result.stream_events():
        pass
    return result


async def run(url, token):
    set_default_openai_client(AsyncOpenAI(base_url=url + "/v1", api_key=token, max_retries=0))
    set_tracing_disabled(True)

    def agent(*tools):
        return Agent(name="Assistant", model="offline", tools=list(tools))

    mcp = url + "/mcp"
    result = await Runner.run(agent(tool(mcp, token, "never")), asked)
    check("a hosted tool is called", any("San Francisco" in text for text in outputs(result)))
    again = await Runner.run(
        agent(tool(mcp, token, "never")),
        result.to_input_list() + [{"role": "user", "content": "hello"}],
    )
    check("the history can be sent again", bool(again.final_output))
    result = await streamed(agent(tool(mcp, token, "never")))
    check("and streamed", any("San Francisco" in text for text in outputs(result)))

    decided = []

    def decide(approve):
        def callback(request):
            decided.append(request.data.name)
            return {"approve": approve, "reason": None if approve else "not now"}
        return callback

    result = await Runner.run(
        agent(tool(mcp, token, "always", on_approval_request=decide(True))), asked)
    check("an approved call is done", any("San Francisco" in text for text in outputs(result)))
    result = await Runner.run(
        agent(tool(mcp, token, "always", on_approval_request=decide(False))), asked)
    check("a rejected call is not", not outputs(result))
    check("a person was asked", set(decided) == {"search_conversations"} and len(decided) >= 2)


def main():
    with tempfile.TemporaryDirectory() as folder:
        port = free_port()
        url = f"http://127.0.0.1:{port}"
        env = dict(os.environ, CLEW_STORE=f"sqlite:{folder}/clew.db")
        do = lambda *args: subprocess.run(
            [clew, *args], env=env, check=True, capture_output=True, text=True).stdout.strip()
        do("add", "--owner", "ann", "trip", "Whoever must search conversations for a bridge looks in San Francisco.")
        token = do("token", "create", "--owner", "ann")
        server = subprocess.Popen(
            [clew, "serve", "--port", str(port), "--model", "offline",
             "--log-format", "none", "--mcp-allow-private", url + "/mcp"],
            env=env, stdout=subprocess.PIPE, text=True)
        try:
            for line in server.stdout:
                if re.search("Ctrl-C", line):
                    break
            asyncio.run(run(url, token))
        finally:
            server.send_signal(signal.SIGTERM)
            server.wait()


main()
