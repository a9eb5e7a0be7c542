"""Sends two requests to a relay on one connection: one at once, and one when a line comes. Says when the second one is sent, and
when there is an answer to it or it is given up.

Usage: kept_connection.py HOST PORT SECONDS"""

import http.client, ssl, sys

host, port, seconds = sys.argv[1], int(sys.argv[2]), float(sys.argv[3])
connection = http.client.HTTPSConnection(host, port, timeout=seconds, context=ssl._create_unverified_context())
connection.request("GET", "/v1")
connection.getresponse().read()
print("kept", flush=True)
sys.stdin.readline()
connection.request("GET", "/v1")
print("sent", flush=True)
try:
    connection.getresponse().read()
    print("answered", flush=True)
except OSError as error:
    print(f"given up: {error}", flush=True)
sys.stdin.read()
