"""Speaks to a Wyoming server with the protocol's own Python package, as Home Assistant does.

Usage: wyoming_client.py HOST PORT. Reads commands from standard input, one JSON object a line, and writes one JSON object
for each: the type and the data of the event that the server sent. Each command has a connection of its own, as in Home
Assistant, unless it has "keep".

    {"do": "describe"}    {"do": "ping", "text": "…"}    {"do": "say" | "recognize", "text": "…", "language"?, "conversation"?}
    {"do": "handle"}: sends the intent that was recognized last
"""

import asyncio
import json
import sys

from wyoming.asr import Transcript
from wyoming.client import AsyncTcpClient
from wyoming.handle import Handled, NotHandled
from wyoming.info import Describe, Info
from wyoming.intent import Intent, NotRecognized, Recognize
from wyoming.ping import Ping, Pong

READERS = (Info, Pong, Handled, NotHandled, Intent, NotRecognized)
recognized = None


def request(command):
    action = command["do"]
    if action == "describe":
        return Describe().event()
    if action == "ping":
        return Ping(command["text"]).event()
    context = {"conversation_id": command["conversation"]} if "conversation" in command else None
    if action == "say":
        return Transcript(command["text"], language=command.get("language"), context=context).event()
    if action == "recognize":
        return Recognize(command["text"], context=context).event()
    if action == "handle":
        return recognized
    raise SystemExit("unknown command %s" % action)


async def carry_out(client, command):
    global recognized
    await client.write_event(request(command))
    event = await client.read_event()
    if event is None:
        return {"type": "closed"}
    if Intent.is_type(event.type):
        recognized = event
    # The package's own classes must understand the event.
    for reader in READERS:
        if reader.is_type(event.type):
            return {"type": event.type, "data": reader.from_event(event).event().data}
    return {"type": event.type, "data": event.data}


async def main():
    host, port = sys.argv[1], int(sys.argv[2])
    kept = None
    while line := await asyncio.to_thread(sys.stdin.readline):
        command = json.loads(line)
        if command.get("keep"):
            if kept is None:
                kept = AsyncTcpClient(host, port)
                await kept.connect()
            answer = await carry_out(kept, command)
        else:
            async with AsyncTcpClient(host, port) as client:
                answer = await carry_out(client, command)
        print(json.dumps(answer), flush=True)


asyncio.run(main())
