"""Appends turns for some seconds with the statements of the OpenAI Agents SDK's SQLiteSession.

usage: writer.py FILE SESSION SECONDS; says "ready", waits for a line, then prints name=value lines.
"""
import json
import sqlite3
import sys
import time

path, session, seconds = sys.argv[1], sys.argv[2], float(sys.argv[3])
db = sqlite3.connect(path, check_same_thread=False)
db.execute("PRAGMA journal_mode=WAL")


def append(turn):
    text = "turn %07d " % turn + "lorem ipsum dolor sit amet " * 7
    items = [{"role": "user", "content": text}, {"role": "assistant", "content": text}] * 2
    db.execute("INSERT OR IGNORE INTO agent_sessions (session_id) VALUES (?)", (session,))
    db.executemany(
        "INSERT INTO agent_messages (session_id, message_data) VALUES (?, ?)",
        [(session, json.dumps(item)) for item in items],
    )
    db.execute(
        "UPDATE agent_sessions SET updated_at = CURRENT_TIMESTAMP WHERE session_id = ?", (session,)
    )
    db.commit()


print("ready", flush=True)
sys.stdin.readline()
turns, refused, worst, end = 0, 0, 0, time.monotonic() + seconds
while time.monotonic() < end:
    start = time.monotonic_ns()
    try:
        append(turns)
        turns += 1
    except sqlite3.OperationalError:  # the database is locked
        db.rollback()
        refused += 1
    worst = max(worst, time.monotonic_ns() - start)
print("turns=%d" % turns)
print("refused=%d" % refused)
print("worst=%d" % worst)
db.close()
