"""Measures what devices cost that are away, all at one hub through one relay. Prints one JSON object with the samples of each
figure.

Usage: away_devices.py HEARTH FOLDER DEVICES TAPS

The devices are Python's TLS in pipes of the relay, by Documentation/Relay.md and Documentation/HubProtocol.md alone."""

import asyncio, base64, json, os, pathlib, ssl, struct, sys, time
from cryptography.hazmat.primitives.asymmetric import mlkem
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from cryptography.hazmat.primitives.asymmetric.x25519 import X25519PrivateKey
import device_links as links
from device_links import Device, Session, add, end, free_port, processor_time, ready, resident, spawn, unix

hearth, folder, count, taps = sys.argv[1], pathlib.Path(sys.argv[2]), int(sys.argv[3]), int(sys.argv[4])
links.hearth = hearth
links.folder = folder
DEVICES_PER_GUEST, IDLE_SECONDS, AT_ONCE = 8, 10, 4
OPEN, ACCEPT, DATA, CREDIT, CLOSE = 2, 3, 4, 5, 6


def note(text):
    print(f"away: {text}", file=sys.stderr, flush=True)


def frame(kind, pipe, payload=b""):
    return struct.pack(">IBI", 5 + len(payload), kind, pipe) + payload


class Agent(Session):
    """The session of a device's agent itself, which gives the hub the device's keys."""

    def __init__(self, stream):
        super().__init__(stream, "hearth.agent")

    def call(self, method, parameters):
        if method == "session.hello":
            parameters = {**parameters, "agent": {"version": "", "platform": "bench"}}
        return super().call(method, parameters)


class Away:
    """A device's session through a pipe."""

    def __init__(self, device, relay, house, feed, key):
        self.file, self.relay, self.house, self.feed, self.key = device.file, relay, house, feed, key
        self.order, self.number, self.taken, self.buffer = 0, 0, 0, b""

    async def connection(self):
        host, port = self.relay.split(":")
        return await asyncio.open_connection(host, int(port), limit=1 << 22)

    async def ask(self, method, path, body=b"", headers=""):
        head = f"{method} {path} HTTP/1.1\r\nHost: {self.relay}\r\n{headers}Content-Length: {len(body)}\r\n\r\n"
        self.up[1].write(head.encode() + body)
        lines = (await self.up[0].readuntil(b"\r\n\r\n")).decode().lower().split("\r\n")
        fields = dict(line.split(": ", 1) for line in lines[1:] if line)
        answer = await self.up[0].readexactly(int(fields.get("content-length", 0)))
        if not lines[0].split()[1].startswith("2"):
            sys.exit(f"{method} {path}: {lines[0]} {answer[:200]}")
        return answer

    async def open(self):
        self.up, self.down = await self.connection(), await self.connection()
        now, nonce = int(time.time() * 1000), os.urandom(16)
        message = b"hearth relay session 1\0" + f"{self.relay}\n{now}\n".encode() + nonce
        code = lambda data: base64.b64encode(data).decode()
        proof = {"key": code(self.key.public_key().public_bytes_raw()), "time": now, "nonce": code(nonce), "signature": code(self.key.sign(message))}
        token = json.loads(await self.ask("POST", "/v1/session", json.dumps(proof).encode()))["token"]
        self.token = f"Authorization: Bearer {token}\r\n"
        path = f"/v1/houses/{self.house}/live"
        head = f"GET {path}?feed={self.feed}&pipes=1 HTTP/1.1\r\nHost: {self.relay}\r\n{self.token}\r\n"
        self.down[1].write(head.encode())
        lines = (await self.down[0].readuntil(b"\r\n\r\n")).decode().split("\r\n")
        if lines[0].split()[1] != "200":
            sys.exit(f"the stream: {lines[0]}")
        fields = dict(line.lower().split(": ", 1) for line in lines[1:] if line)
        self.path = f"{path}/{fields['hearth-stream'].upper()}"
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
        context.check_hostname, context.verify_mode = False, ssl.CERT_NONE
        context.load_cert_chain(self.file)
        context.set_alpn_protocols(["hearth/1"])
        self.incoming, self.outgoing = ssl.MemoryBIO(), ssl.MemoryBIO()
        self.tls = context.wrap_bio(self.incoming, self.outgoing)
        await self.send(frame(OPEN, 1))
        await self.until(self.tls.do_handshake)
        self.lines = b""
        welcome = await self.call("session.hello", {"version": links.PROTOCOL_VERSION, "app": "hearth.bench", "purpose": "To measure."})
        self.offset = welcome["clock"] - time.monotonic() * 1000

    async def send(self, frames):
        self.order += 1
        await self.ask("POST", self.path, frames, f"{self.token}Hearth-Order: {self.order}\r\n")

    async def flush(self):
        while data := self.outgoing.read(32 << 10):
            await self.send(frame(DATA, 1, data))

    async def until(self, work):
        """Does something with TLS as soon as there is enough to read."""
        while True:
            try:
                result = work()
                await self.flush()
                return result
            except ssl.SSLWantReadError:
                await self.flush()
                await self.receive()

    async def receive(self):
        """Reads the next chunk of the stream."""
        size = int(await self.down[0].readuntil(b"\r\n"), 16)
        self.buffer += (await self.down[0].readexactly(size + 2))[:-2]
        while len(self.buffer) >= 4 and len(self.buffer) >= 4 + struct.unpack(">I", self.buffer[:4])[0]:
            length = 4 + struct.unpack(">I", self.buffer[:4])[0]
            kind, payload = self.buffer[4], self.buffer[9:length]
            self.buffer = self.buffer[length:]
            if kind == CLOSE:
                sys.exit(f"the pipe has ended: {payload}")
            if kind == DATA:
                self.incoming.write(payload)
                self.taken += len(payload)
        if self.taken >= 64 << 10:
            taken, self.taken = self.taken, 0
            await self.send(frame(CREDIT, 1, struct.pack(">I", taken)))

    async def message(self):
        while b"\n" not in self.lines:
            self.lines += await self.until(lambda: self.tls.read(64 << 10))
        line, self.lines = self.lines.split(b"\n", 1)
        return json.loads(line)

    async def call(self, method, parameters):
        self.number += 1
        request = {"jsonrpc": "2.0", "id": self.number, "method": method, "params": parameters}
        if self.number > 1:
            request["until"] = int(self.offset + time.monotonic() * 1000) + 9_000
        line = json.dumps(request).encode() + b"\n"
        await self.until(lambda: self.tls.write(line))
        while (answer := await self.message()).get("id") != self.number:
            pass
        if "error" in answer:
            sys.exit(f"{method}: {answer['error']}")
        return answer["result"]


def box():
    """The public half of an X-Wing key."""
    lattice, curve = mlkem.MLKEM768PrivateKey.generate(), X25519PrivateKey.generate()
    return lattice.public_key().public_bytes_raw() + curve.public_key().public_bytes_raw()


def joined(owner, home, port):
    """Lets devices of guests join at home, who may be away from then on. Returns each with its feed and its key there."""
    devices, guest = [], None
    while len(devices) < count:
        if len(devices) % DEVICES_PER_GUEST == 0:
            name = f"Guest {len(devices) // DEVICES_PER_GUEST}"
            guest = owner.call("user.add", {"home": home, "name": name, "role": "guest"})["id"]
            owner.call("user.setAway", {"home": home, "id": guest, "isAllowed": True})
        device, key = Device(f"device {len(devices)}", port), Ed25519PrivateKey.generate()
        device.join(owner.call("invitation.create", {"user": {"home": home, "id": guest}, "kind": "code"})["code"])
        keys = {"box": base64.b64encode(box()).decode(), "relayKey": base64.b64encode(key.public_key().public_bytes_raw()).decode()}
        session = Agent(device.stream("hearth/1"))
        while "feed" not in (location := session.call("feed.open", keys).get("location") or {}):
            time.sleep(0.05)
        session.close()
        devices.append((device, location, key))
    return devices


async def measure(devices, relay, hub, relay_process, owner, home):
    before = {name: resident(each.pid) for name, each in (("hub", hub), ("relay", relay_process))}
    cpu = {name: processor_time(each.pid) for name, each in (("hub", hub), ("relay", relay_process))}
    away = [Away(device, relay, place["house"], place["feed"], key) for device, place, key in devices]
    gate = asyncio.Semaphore(AT_ONCE)

    async def opened(each):
        async with gate:
            start = time.perf_counter()
            await each.open()
            add("away connect", (time.perf_counter() - start) * 1000)

    await asyncio.gather(*(opened(each) for each in away))
    note(f"{len(away)} devices")
    for name, each in (("hub", hub), ("relay", relay_process)):
        add(f"away {name} cpu", (processor_time(each.pid) - cpu[name]) * 1e3 / len(away))
        add(f"away {name} memory", (resident(each.pid) - before[name]) * 1000 / len(away))
    for each in (hub, relay_process):
        cpu[each.pid] = processor_time(each.pid)
    await asyncio.sleep(IDLE_SECONDS)
    for name, each in (("hub", hub), ("relay", relay_process)):
        add(f"away {name} idle", (processor_time(each.pid) - cpu[each.pid]) / IDLE_SECONDS * 100)
    for number in range(taps):
        start = time.perf_counter()
        await away[number % len(away)].call("question.list", {})
        add("away request", (time.perf_counter() - start) * 1000)
    note("requests")
    # One change is told to all.
    for number in range(5):
        name = f"Room {number}"

        async def hears(each):
            while True:
                if name.encode() in json.dumps(await each.message()).encode():
                    return

        start = time.perf_counter()
        waiting = [asyncio.create_task(hears(each)) for each in away]
        await asyncio.to_thread(owner.call, "room.add", {"home": home, "name": name})
        await asyncio.gather(*waiting)
        add("away last of all", (time.perf_counter() - start) * 1000)
    note("one change told to all")


def run():
    relay_port, port = free_port(), free_port()
    address = f"127.0.0.1:{relay_port}"
    relay = spawn("relay", "--data", folder / "relay", "--http", address, "--open", "--json")
    ready(relay)
    hub_path = folder / "hub.sock"
    hub = spawn("hub", "--data", folder / "hub", "--socket", hub_path, "--network", f"127.0.0.1:{port}", "--mdns-interface", "127.0.0.1", "--json")
    ready(hub)
    owner = Session(unix(hub_path), "hearth")
    home = owner.call("home.add", {"name": "Villa"})["id"]
    owner.call("sync.enable", {"relay": f"http://{address}"})
    devices = joined(owner, home, port)
    note("joined")
    # The relay learns of a device's right just after it has given its keys.
    time.sleep(2)
    asyncio.run(measure(devices, address, hub, relay, owner, home))


if __name__ == "__main__":
    try:
        run()
    finally:
        for process in list(links.processes):
            end(process)
    print(json.dumps(links.figures))
