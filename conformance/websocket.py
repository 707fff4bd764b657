"""The official Python clients over the WebSocket of a real server; see run.sh.

usage: websocket.py BASE_URL KEY OTHER_KEY   the keys of two owners, with the offline model behind
"""

import asyncio
import sys

import openai
from agents import Agent, function_tool, set_tracing_disabled
from agents.responses_websocket_session import responses_websocket_session

url, key, other_key = sys.argv[1:]
MODEL = "offline"
ENDS = {"response.completed", "response.failed", "response.incomplete", "error"}
failed = 0


def check(what, holds):
    global failed
    print(("ok    " if holds else "FAILS ") + what, flush=True)
    failed += not holds


def ask(connection, **request):
    """Sends one request; its events up to the last."""
    connection.response.create(model=MODEL, **request)
    events = []
    for event in connection:
        events.append(event)
        if event.type in ENDS:
            return events
    return events


def client():
    ours = openai.OpenAI(base_url=url, api_key=key)
    with ours.responses.connect() as connection:
        events = ask(connection, input="hello")
        last = events[-1]
        check(f"openai {openai.__version__}: a response in {len(events)} events", last.type == "response.completed")
        check("openai: which is stored", ours.responses.retrieve(last.response.id).output_text == last.response.output_text)
        first = ask(connection, input="one", store=False)[-1].response.id
        second = ask(connection, input="two", store=False, previous_response_id=first)[-1]
        check("openai: an unstored one is followed", second.response.previous_response_id == first)
        unknown = ask(connection, input="x", store=False, previous_response_id=first)[-1]
        check("openai: but only the newest", unknown.error.code == "previous_response_not_found")
        check("openai: and the connection goes on", ask(connection, input="x")[-1].type == "response.completed")
        mine = last.response.id
    with openai.OpenAI(base_url=url, api_key=other_key).responses.connect() as connection:
        theirs = ask(connection, input="x", previous_response_id=mine)[-1]
        check("openai: nobody follows a response of another owner", theirs.type == "error")
    try:
        with openai.OpenAI(base_url=url, api_key="clew_wrong").responses.connect():
            check("openai: a wrong key opens nothing", False)
    except Exception as error:
        check("openai: a wrong key opens nothing", "401" in str(error))


@function_tool
def get_weather(city: str) -> str:
    """The weather of a place."""
    return f"sunny in {city}"


async def agents():
    set_tracing_disabled(True)
    agent = Agent(name="Assistant", instructions="Help.", model=MODEL, tools=[get_weather])
    async with responses_websocket_session(api_key=key, base_url=url) as session:
        first = await session.run(agent, "What is the weather in Paris?")
        called = [item.type for item in first.new_items]
        check("agents: a tool is called over the WebSocket", "tool_call_output_item" in called and bool(first.final_output))
        streamed = session.run_streamed(agent, "Hello again", previous_response_id=first.last_response_id)
        kinds = [event.type async for event in streamed.stream_events()]
        check(f"agents: a streamed turn in {len(kinds)} events follows it", bool(streamed.final_output))
        try:
            await session.run(agent, "x", previous_response_id="resp_nope")
            check("agents: an unknown response is an error", False)
        except Exception as error:
            check("agents: an unknown response is an error", "resp_nope" in str(error))
        again = await session.run(agent, "And now?")
        check("agents: and the next run works", bool(again.final_output))


client()
asyncio.run(agents())
sys.exit(1 if failed else 0)
