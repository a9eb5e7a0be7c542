"""Has a port of 127.0.0.1 and answers every HTTP request there alike, as a program does that has taken an accessory's place.

{"event": "ready", "port": ...}
{"event": "asked", "path": ...}      a request came

Ends when standard input does.
"""

import argparse
import json
import sys
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer


def say(**fields):
    print(json.dumps(fields), flush=True)


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--port", type=int, default=0)
    parser.add_argument("--status", type=int, default=200)
    parser.add_argument("--type", default="text/plain")
    parser.add_argument("--body", default="", help="in hexadecimal digits")
    arguments = parser.parse_args()
    body = bytes.fromhex(arguments.body)

    class Answerer(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def answer(self):
            self.rfile.read(int(self.headers.get("Content-Length", 0)))
            say(event="asked", path=self.path)
            self.send_response(arguments.status)
            self.send_header("Content-Type", arguments.type)
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        do_GET = do_POST = do_PUT = answer

        def log_message(self, *_):
            pass

    server = ThreadingHTTPServer(("127.0.0.1", arguments.port), Answerer)
    server.daemon_threads = True
    threading.Thread(target=server.serve_forever, daemon=True).start()
    say(event="ready", port=server.server_address[1])
    sys.stdin.read()
    server.shutdown()


if __name__ == "__main__":
    main()
