"""A proxy between the browser and the hub: passes, freezes or cuts what runs through it, and can serve the page's files from a folder.

The tests use it to lose connections as networks do. During development, it shows an edited page without a build:
    python3 front.py --hub 127.0.0.1:8080 --files Sources/HomePage/Files
"""

import argparse
import asyncio
import os
import re
import threading

POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' blob: data:; media-src 'self' blob:; connect-src 'self'; "
    "manifest-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'; require-trusted-types-for 'script'; trusted-types 'none'"
)
TYPES = {
    ".js": "text/javascript; charset=utf-8",
    ".css": "text/css; charset=utf-8",
    ".html": "text/html; charset=utf-8",
    ".svg": "image/svg+xml",
    ".json": "application/manifest+json",
}


class Front:
    """Runs in a thread of its own, so that a test can change it while the browser waits."""

    def __init__(self, hub, files=None, port=0):
        self.host, self.hub_port = hub.rsplit(":", 1)
        self.files = files
        self.is_frozen = False
        self.is_cut = False
        self.requests = []
        #: The name of the set of files that the hub is made to announce, if any.
        self.assets = None
        self.sent = 0
        self.pipes = set()
        self.loop = asyncio.new_event_loop()
        started = threading.Event()
        self.thread = threading.Thread(target=self._run, args=(port, started), daemon=True)
        self.thread.start()
        started.wait(30)

    @property
    def url(self):
        return f"http://127.0.0.1:{self.port}"

    def freeze(self):
        """Keeps connections open and passes nothing, as a phone that left the Wi-Fi."""
        self.is_frozen = True

    def cut(self):
        """Ends all connections and refuses new ones."""
        self.is_cut = True
        self.loop.call_soon_threadsafe(self._end_all)

    def restore(self, drops=True):
        """Passes again. Frozen connections stay dead, unless `drops` is false."""
        self.is_cut = self.is_frozen = False
        if drops:
            self.loop.call_soon_threadsafe(self._end_all)

    def stop(self):
        self.loop.call_soon_threadsafe(self.loop.stop)
        self.thread.join(10)

    def _end_all(self):
        for writer in list(self.pipes):
            writer.close()

    def _run(self, port, started):
        asyncio.set_event_loop(self.loop)

        async def start():
            server = await asyncio.start_server(self._serve, "127.0.0.1", port)
            self.port = server.sockets[0].getsockname()[1]
            started.set()

        self.loop.run_until_complete(start())
        self.loop.run_forever()

    async def _serve(self, reader, writer):
        self.pipes.add(writer)
        try:
            while not self.is_cut and (request := await self._request(reader)):
                method, path, headers, body = request
                self.requests.append((method, path))
                if self.files and method == "GET" and not path.startswith("/api"):
                    await self._file(writer, path.split("?")[0])
                else:
                    await self._pass(reader, writer, method, path, headers, body)
                    break
        except (ConnectionError, asyncio.IncompleteReadError, ValueError):
            pass
        finally:
            self.pipes.discard(writer)
            writer.close()

    async def _request(self, reader):
        line = await reader.readline()
        if not line:
            return None
        method, path, _ = line.decode("latin-1").split(" ", 2)
        headers = {}
        while text := (await reader.readline()).decode("latin-1").strip():
            name, value = text.split(":", 1)
            headers[name.lower()] = value.strip()
        body = await reader.readexactly(int(headers.get("content-length", 0)))
        return method, path, headers, body

    async def _file(self, writer, path):
        is_asset = path.startswith("/assets/")
        name = os.path.join(self.files, os.path.basename(path) if is_asset else "index.html")
        status, content = 200, b""
        if os.path.exists(name):
            with open(name, "rb") as file:
                content = file.read().replace(b"@ASSETS@", await self._assets())
        else:
            status = 404
        head = {
            "Content-Type": TYPES.get(os.path.splitext(name)[1], "text/plain"),
            "Content-Length": len(content),
            "Cache-Control": "no-store",
        }
        if not is_asset:
            head["Content-Security-Policy"] = POLICY
        writer.write(
            (
                f"HTTP/1.1 {status} OK\r\n" + "".join(f"{key}: {value}\r\n" for key, value in head.items()) + "\r\n"
            ).encode()
            + content
        )
        await writer.drain()

    async def _assets(self):
        """The name of the hub's own set of files: a page of another set would load itself anew."""
        reader, writer = await asyncio.open_connection(self.host, int(self.hub_port))
        writer.write(f"GET / HTTP/1.1\r\nHost: {self.host}:{self.hub_port}\r\nConnection: close\r\n\r\n".encode())
        index = await reader.read()
        writer.close()
        match = re.search(rb"/assets/([^/]+)/", index)
        return match[1] if match else b"front"

    async def _pass(self, reader, writer, method, path, headers, body):
        """Forwards one request as the hub expects it, and its reply as it comes."""
        hub_reader, hub_writer = await asyncio.open_connection(self.host, int(self.hub_port))
        headers["host"] = f"{self.host}:{self.hub_port}"
        if headers.get("origin") == self.url:
            headers["origin"] = f"http://{self.host}:{self.hub_port}"
        headers["connection"] = "close"
        hub_writer.write(
            (
                f"{method} {path} HTTP/1.1\r\n"
                + "".join(f"{key}: {value}\r\n" for key, value in headers.items())
                + "\r\n"
            ).encode()
            + body
        )

        async def hang_up():
            while await reader.read(1024):
                pass
            hub_writer.close()

        watcher = asyncio.ensure_future(hang_up())
        try:
            while data := await hub_reader.read(65536):
                while self.is_frozen:
                    await asyncio.sleep(0.05)
                self.sent += len(data)
                if self.assets:
                    data = re.sub(rb'("assets":")[^"]*', rb"\g<1>" + self.assets, data)
                writer.write(data)
                await writer.drain()
        finally:
            watcher.cancel()
            hub_writer.close()


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--hub", required=True)
    parser.add_argument("--files")
    parser.add_argument("--port", type=int, default=0)
    arguments = parser.parse_args()
    front = Front(arguments.hub, arguments.files, arguments.port)
    print(front.url, flush=True)
    front.thread.join()
