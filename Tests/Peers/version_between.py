"""Stands between clients and a hub and has each tell the other a version of its own, with what a later one may add:
version_between.py LISTEN HUB CLIENT-VERSION HUB-VERSION."""

import json
import socket
import sys
import threading

listen, hub, client_version, hub_version = sys.argv[1], sys.argv[2], int(sys.argv[3]), int(sys.argv[4])


def from_client(message):
    if message.get("method") == "session.hello":
        message["params"].update(version=client_version, colour="blue")
    yield message


def from_hub(message):
    result = message.get("result")
    if isinstance(result, dict) and "run" in result:
        yield {"jsonrpc": "2.0", "method": "weather", "params": {"isRaining": True}}
        result.update(version=hub_version, colour="blue")
    yield message


def pass_on(source, target, change):
    try:
        with source.makefile("rb") as lines:
            for line in lines:
                for message in change(json.loads(line)):
                    target.sendall(json.dumps(message).encode() + b"\n")
        target.shutdown(socket.SHUT_WR)
    except OSError:
        # Whoever lets go of one connection lets go of both.
        for end in (source, target):
            end.close()


with socket.socket(socket.AF_UNIX) as listener:
    listener.bind(listen)
    listener.listen()
    print(json.dumps({"event": "ready"}), flush=True)
    while True:
        client = listener.accept()[0]
        server = socket.socket(socket.AF_UNIX)
        server.connect(hub)
        for ends in ((client, server, from_client), (server, client, from_hub)):
            threading.Thread(target=pass_on, args=ends, daemon=True).start()
