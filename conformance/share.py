"""The OpenAI Agents SDK and Clew on one file; see run.sh.

usage: share.py WORK_FOLDER COMMAND…   where COMMAND runs JavaSide
"""

import asyncio
import json
import os
import sqlite3
import subprocess
import sys

from agents import SQLiteSession

TURNS = 150
WRITERS = 3

work, java = sys.argv[1], sys.argv[2:]
failed = 0


def run_java(command, *args):
    done = subprocess.run([*java, command, *args], stdout=subprocess.PIPE, check=True)
    return [json.loads(line) for line in done.stdout.decode("utf-8").splitlines()]


def check(what, holds):
    global failed
    print(("ok    " if holds else "FAILS ") + what, flush=True)
    failed += not holds


def text(item):
    content = item["content"]
    return content if isinstance(content, str) else content[0]["text"]


def turn(writer, number):
    said = f"{writer} {number}"
    return [
        {"role": "user", "content": said + " 你好"},
        {"role": "assistant", "content": said + " 😀"},
    ]


def in_order(items, writers):
    """Every writer's items are all there, once, in its order, and no turn is torn."""
    texts = [text(item) for item in items]
    for writer in writers:
        mine = [t for t in texts if t.startswith(writer + " ")]
        if mine != [text(item) for n in range(TURNS) for item in turn(writer, n)]:
            return False
    pairs = zip(texts[::2], texts[1::2])
    return all(a.rsplit(" ", 1)[0] == b.rsplit(" ", 1)[0] for a, b in pairs)


async def write(open_session, path, name):
    session = open_session(name="both", path=path)
    for number in range(TURNS):
        await session.add_items(turn(name, number))
    await close(session)


async def close(session):
    closing = session.close()
    if asyncio.iscoroutine(closing):
        await closing


async def both_at_once(kind, open_session):
    path = os.path.join(work, kind + "-both.db")
    loop = asyncio.get_running_loop()
    names = [f"python-{n}" for n in range(WRITERS)]
    java_side = loop.run_in_executor(
        None, run_java, "write", path, "both", str(WRITERS), str(TURNS)
    )
    await asyncio.gather(java_side, *(write(open_session, path, name) for name in names))

    session = open_session(name="both", path=path)
    theirs = await session.get_items()
    ours = run_java("dump", path, "both")
    check(f"{kind}: both see the same {len(ours)} items", theirs == ours)
    writers = names + [f"java-{n}" for n in range(WRITERS)]
    check(
        f"{kind}: nothing lost, twice, torn or out of order",
        len(ours) == 2 * TURNS * 2 * WRITERS and in_order(ours, writers),
    )
    check(f"{kind}: the newest 20 are the same", await session.get_items(20) == ours[-20:])

    run_java("compact", path, "both")
    short = await session.get_items()
    check(
        f"{kind}: after a compaction the SDK sees the new history",
        len(short) == 2 and text(short[0]) == "in short" and short[1] == ours[-1],
    )
    await session.clear_session()
    check(f"{kind}: its clear is honoured", run_java("dump", path, "both") == [])
    await close(session)


async def pops(kind, open_session):
    path = os.path.join(work, kind + "-pops.db")
    session = open_session(name="pops", path=path)
    items = [{"role": "user", "content": f"item {n}"} for n in range(600)]
    await session.add_items(items)
    check(f"{kind}: a file of the SDK reads the same here", run_java("dump", path, "pops") == items)

    loop = asyncio.get_running_loop()
    java_side = loop.run_in_executor(None, run_java, "pop", path, "pops")
    mine = []
    while True:
        item = await session.pop_item()
        if item is None:
            break
        mine.append(item)
        await asyncio.sleep(0.005)  # so that both get some
    ours = await java_side
    got = sorted(text(item) for item in mine + ours)
    check(
        f"{kind}: of {len(items)} items the SDK popped {len(mine)} and Clew {len(ours)}, none twice",
        got == sorted(text(item) for item in items),
    )
    await close(session)


async def main():
    print(f"Python {sys.version.split()[0]}, SQLite {sqlite3.sqlite_version}")
    kinds = {"SQLiteSession": lambda name, path: SQLiteSession(name, path)}
    try:
        from agents.extensions.memory import AsyncSQLiteSession

        kinds["AsyncSQLiteSession"] = lambda name, path: AsyncSQLiteSession(name, path)
    except ImportError as error:
        print(f"AsyncSQLiteSession is left out: {error}; pip install aiosqlite")
    for kind, open_session in kinds.items():
        await both_at_once(kind, open_session)
        await pops(kind, open_session)


asyncio.run(main())
sys.exit(1 if failed else 0)
