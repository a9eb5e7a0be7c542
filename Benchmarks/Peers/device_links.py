"""Measures how the devices of people reach a hub: TLS next to the Unix socket, the agent, removal, and what idle devices
cost. Prints one JSON object with the samples of each figure.

Usage: device_links.py HEARTH FOLDER ACCESSORIES ROUNDS
"""

import base64, contextlib, datetime, hashlib, itertools, json, os, pathlib, selectors, signal, socket, ssl, subprocess, sys, time
from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from cryptography.hazmat.primitives.ciphers.aead import ChaCha20Poly1305
from cryptography.hazmat.primitives.kdf.hkdf import HKDF
from srptools import SRPClientSession, SRPContext, constants

is_run = len(sys.argv) > 4 and not sys.argv[1].startswith("--")
hearth, folder, accessories, rounds = (*sys.argv[1:3], *map(int, sys.argv[3:5])) if is_run else (None,) * 4
REQUESTS, EVENTS, LISTENERS, HANDSHAKES = 500, 100, 20, 40
DEVICES, APPS, DEVICES_PER_GUEST, REMOVED = 50, 4, 8, 200
FLOOD_RATE, TAPS, HALF_HANDSHAKES = 1000, 300, 1000
PROTOCOL_VERSION = 7
figures, processes = {}, []


def add(figure, value):
    figures.setdefault(figure, []).append(value)


def note(text):
    print(f"devices: {text}", file=sys.stderr, flush=True)


# Processes


def spawn(*arguments, environment=None):
    process = subprocess.Popen(
        [hearth, *map(str, arguments)],
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        text=True,
        env={**os.environ, **(environment or {})},
    )
    processes.append(process)
    return process


def ready(process):
    for line in process.stdout:
        if line.startswith("{") and (event := json.loads(line)).get("event") == "ready":
            return event
    sys.exit("a process ended before it was ready")


def end(process):
    process.terminate()
    process.wait()
    processes.remove(process)


def processor_time(pid):
    """The processor time of a process in seconds, once it has become idle."""
    clock = (~pid << 3) | 2
    last = time.clock_gettime(clock)
    while True:
        time.sleep(0.02)
        now = time.clock_gettime(clock)
        if now - last < 0.0002:
            return now
        last = now


def measured(pid, work):
    """The processor time that a process needs for some work, in microseconds."""
    before = processor_time(pid)
    work()
    return (processor_time(pid) - before) * 1e6


@contextlib.contextmanager
def shared_core(*programs):
    """Lets this program and others share one core while processor time is counted, as the other measurements do: to wake a program
    on another core takes an interrupt, which in a virtual machine can cost more than the rest of the work."""
    cores = os.sched_getaffinity(0)

    def move(to):
        for program in [os.getpid(), *(each.pid for each in programs)]:
            for thread in os.listdir(f"/proc/{program}/task"):
                os.sched_setaffinity(int(thread), to)

    move({max(cores)})
    try:
        yield
    finally:
        move(cores)


# Connections


class Session:
    """A connection to a hub that has greeted it."""

    def __init__(self, stream, app="hearth.bench"):
        self.stream, self.lines, self.number = stream, stream.makefile("rb"), 0
        self.state, self.standing = None, None
        self.call("session.hello", {"version": PROTOCOL_VERSION, "app": app, "purpose": "To measure."})

    def send(self, method, parameters):
        self.number += 1
        message = {"jsonrpc": "2.0", "id": self.number, "method": method, "params": parameters}
        self.stream.sendall(json.dumps(message).encode() + b"\n")

    def call(self, method, parameters):
        self.send(method, parameters)
        while True:
            message = json.loads(self.lines.readline())
            if message.get("method") == "reset":
                self.state = message["params"]
            if message.get("method") == "standing":
                self.standing = message["params"]["state"]
            if message.get("id") == self.number:
                if "error" in message:
                    sys.exit(f"{method}: {message['error']}")
                return message["result"]

    def close(self):
        self.lines.close()
        self.stream.close()


def unix(path):
    stream = socket.socket(socket.AF_UNIX)
    stream.connect(str(path))
    return stream


class Device:
    """A device's key and certificate, and its connections."""

    def __init__(self, name, port):
        self.port = port
        # The hub limits handshakes by address, and each device has its own.
        self.address = f"127.0.1.{1 + sum(name.encode()) % 250}"
        self.key, self.file = Ed25519PrivateKey.generate(), folder / f"{name}.pem"
        self.file.write_bytes(certificate(self.key))

    def stream(self, protocol, port=None):
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
        context.check_hostname, context.verify_mode = False, ssl.CERT_NONE
        context.load_cert_chain(self.file)
        context.set_alpn_protocols([protocol])
        plain = socket.create_connection(("127.0.0.1", port or self.port), source_address=(self.address, 0))
        plain.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        return context.wrap_socket(plain)

    def session(self):
        return Session(self.stream("hearth/1"))

    def join(self, code):
        """Joins with an invitation's code. A hub lets few devices join at once, and says when to come again."""
        while retry := self.try_to_join(code):
            time.sleep(retry)

    def try_to_join(self, code):
        """Joins, or returns the seconds after which the hub lets it try again."""
        stream = self.stream("hearth-join/1")
        lines = stream.makefile("rwb", buffering=0)
        hub = x509.load_der_x509_certificate(stream.getpeercert(True)).public_key().public_bytes_raw()
        hello = b'{"version":1}\n'
        lines.write(hello)
        line = lines.readline()
        challenge = json.loads(line)
        if "retryAfter" in challenge:
            return challenge["retryAfter"]
        group = dict(prime=constants.PRIME_3072, generator=constants.PRIME_3072_GEN, hash_func=hashlib.sha512)
        srp = SRPClientSession(SRPContext("Hearth-Join", code, **group))
        srp.process(*(base64.b64decode(challenge[each]).hex() for each in ("key", "salt")))
        public, proof = bytes.fromhex(srp.public.zfill(768)), bytes.fromhex(srp.key_proof.decode())
        secret = bytes.fromhex(srp.key.decode())
        seen = b"hearth join 1\0" + hello + line + public + proof + hub + self.key.public_key().public_bytes_raw()
        key = HKDF(hashes.SHA512(), 32, b"Hearth-Join-Salt", b"request").derive(secret)
        plain = json.dumps({"name": self.file.stem, "kind": "agent"}).encode()
        request = ChaCha20Poly1305(key).encrypt(bytes(12), plain, hashlib.sha256(seen).digest())
        answer = {"key": public, "proof": proof, "request": request}
        answer = {each: base64.b64encode(content).decode() for each, content in answer.items()}
        lines.write(json.dumps(answer).encode() + b"\n")
        result = json.loads(lines.readline())
        stream.close()
        if "error" in result:
            sys.exit(f"{self.file.stem} could not join: {result}")


def certificate(key):
    name = x509.Name([])
    dates = datetime.datetime(2020, 1, 1), datetime.datetime(9999, 12, 31)
    signed = x509.CertificateBuilder(name, name, key.public_key(), 1, *dates).sign(key, None)
    form = serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption()
    return key.private_bytes(*form) + signed.public_bytes(serialization.Encoding.PEM)


# Figures


def measure_requests(hub, ways):
    """The hub's processor time for a small request, by each way in turns."""

    def requests(session):
        for _ in range(REQUESTS):
            start = time.perf_counter()
            session.call("question.list", {})
            times.append(time.perf_counter() - start)

    for _ in range(rounds):
        costs = {}
        for way, session in ways.items():
            times = []
            costs[way] = measured(hub.pid, lambda: requests(session)) / REQUESTS
            add(f"request {way}", costs[way])
            add(f"latency {way}", sorted(times)[len(times) // 2] * 1000)
        add("request ratio", costs["tls"] / costs["unix"])
        if "agent" in ways:
            add("agent adds", figures["latency agent"][-1] - figures["latency tls"][-1])
        # A device may send 200 requests a second.
        time.sleep(REQUESTS / 200)


def measure_events(hub, home, connect):
    """The hub's processor time for an event to one more connection, by each way in turns."""

    def rename(names):
        for name in names:
            owner.call("home.rename", {"home": home, "id": home, "name": name})

    for number in range(rounds):
        names = [f"Villa {number} {each}" for each in range(EVENTS)]
        alone = measured(hub.pid, lambda: rename(names))
        costs = {}
        for way in ("unix", "tls"):
            listeners = [connect[way]() for _ in range(LISTENERS)]
            names = [f"{way} {number} {each}" for each in range(EVENTS)]
            cost = measured(hub.pid, lambda: rename(names)) - alone
            costs[way] = cost / EVENTS / LISTENERS
            add(f"event {way}", costs[way])
            for each in listeners:
                each.close()
            pause(LISTENERS)
        add("event ratio", costs["tls"] / costs["unix"])


def measure_resets(connect):
    """The time from greeting the hub until the whole state is there, by each way in turns."""
    for _ in range(rounds):
        times = {}
        for way, opened in connect.items():
            stream = opened()
            start = time.perf_counter()
            Session(stream).close()
            times[way] = (time.perf_counter() - start) * 1000
            add(f"reset {way}", times[way])
        add("reset ratio", times["tls"] / times["unix"])


def measure_handshakes(hub, device):
    """The processor time of a handshake in the hub and in a bare server with Python's OpenSSL."""
    bare = subprocess.Popen([sys.executable, "-B", __file__, "--bare-tls", str(device.file)], stdout=subprocess.PIPE)
    processes.append(bare)
    port = int(bare.stdout.readline())

    def handshakes(port):
        for _ in range(HANDSHAKES):
            stream = device.stream("hearth/1", port)
            # The server has finished its side once it answers or ends the connection.
            stream.close()
            time.sleep(0.05)

    for _ in range(rounds):
        ours, theirs = (measured(pid, lambda: handshakes(to)) / HANDSHAKES for pid, to in ((hub.pid, device.port), (bare.pid, port)))
        add("handshake", ours)
        add("handshake bare", theirs)
        add("handshake ratio", ours / theirs)
    end(bare)


def measure_floods(port, session):
    """How long a device waits for a reply, alone, while another one sends too many requests, and while strangers begin
    handshakes and don't end them."""

    def taps():
        times = []
        for _ in range(TAPS):
            start = time.perf_counter()
            session.call("question.list", {})
            times.append((time.perf_counter() - start) * 1000)
            time.sleep(0.005)
        return sorted(times)[len(times) * 99 // 100]

    loud = Device("loud", port)
    loud.join(owner.call("device.add", {"kind": "code"})["code"])
    floods = {"requests": ["--flood", str(loud.file), loud.address], "handshakes": ["--half-handshakes"]}
    for _ in range(rounds):
        add("tap alone p99", taps())
        for name, arguments in floods.items():
            flood = subprocess.Popen(
                [sys.executable, "-B", __file__, *arguments, str(port)], stdout=subprocess.PIPE, text=True
            )
            processes.append(flood)
            flood.stdout.readline()
            add(f"tap beside {name} p99", taps())
            if flood.poll() is not None:
                sys.exit(f"the flood of {name} ended by itself")
            end(flood)


class BareServer:
    """A server that only sends a line to all of its connections, without TLS or with a device's certificate at both ends."""

    def __init__(self, connections, device=None):
        arguments = ["--bare-fan-out"] + ([str(device.file)] if device else [])
        self.process = subprocess.Popen(
            [sys.executable, "-B", __file__, *arguments], stdin=subprocess.PIPE, stdout=subprocess.PIPE
        )
        processes.append(self.process)
        port = int(self.process.stdout.readline())
        self.streams = [
            device.stream("hearth/1", port) if device else socket.create_connection(("127.0.0.1", port))
            for _ in range(connections)
        ]
        self.process.stdout.readline()

    def send(self):
        self.process.stdin.write(b"x")
        self.process.stdin.flush()

    def end(self):
        for each in self.streams:
            each.close()
        end(self.process)


def measure_fan_out(hub, home, sessions, device):
    """The time from a request until the last of all connections has its event, next to bare servers."""
    plain, encrypted = BareServer(len(sessions)), BareServer(len(sessions), device)

    def drain(stream):
        try:
            while stream.recv(65536):
                pass
        except (BlockingIOError, ssl.SSLWantReadError):
            pass

    def last_of(streams, send):
        selector = selectors.DefaultSelector()
        for stream in streams:
            stream.setblocking(False)
            drain(stream)
            selector.register(stream, selectors.EVENT_READ)
        start, waiting = time.perf_counter(), len(streams)
        send()
        while waiting:
            for key, _ in selector.select(10):
                try:
                    while chunk := key.fileobj.recv(65536):
                        if chunk.endswith(b"\n"):
                            selector.unregister(key.fileobj)
                            waiting -= 1
                            break
                except (BlockingIOError, ssl.SSLWantReadError):
                    pass
        took = (time.perf_counter() - start) * 1000
        selector.close()
        return took

    streams = [each.stream for each in sessions]
    room = owner.call("room.add", {"home": home, "name": "Room"})["id"]
    for number in range(20 * rounds):
        parameters = {"home": home, "id": room, "name": f"Room {number}"}
        add("all told", last_of(streams, lambda: owner.call("room.rename", parameters)))
        add("all told bare", last_of(plain.streams, plain.send))
        add("all told bare tls", last_of(encrypted.streams, encrypted.send))
    for each in (plain, encrypted):
        each.end()
    for each in streams:
        each.setblocking(True)


def measure_removal(home, guest, sessions):
    """The time from a request until the last connection of a person has ended."""
    start = time.perf_counter()
    owner.call("user.remove", {"home": home, "id": guest})
    for each in sessions:
        try:
            while each.stream.recv(65536):
                pass
        except (ssl.SSLError, ConnectionError):
            pass
    add("removal", (time.perf_counter() - start) * 1000)


def measure_idle(figure, process, seconds, connections=1):
    """The share of a core that a process needs for each connected device that does nothing."""
    before = processor_time(process.pid)
    time.sleep(seconds)
    clock = (~process.pid << 3) | 2
    add(figure, (time.clock_gettime(clock) - before) / seconds * 100 / connections)


def resident(pid, kind="VmRSS"):
    status = pathlib.Path(f"/proc/{pid}/status").read_text()
    return next(int(line.split()[1]) / 1000 for line in status.splitlines() if line.startswith(kind))


def free_port():
    with socket.create_server(("127.0.0.1", 0)) as listener:
        return listener.getsockname()[1]


def pause(handshakes):
    """Waits until the hub takes as many handshakes from one address again."""
    time.sleep(handshakes / 20)


# Bare servers


def bare_tls(file):
    context = server_context(file)
    listener = socket.create_server(("127.0.0.1", 0))
    print(listener.getsockname()[1], flush=True)
    while True:
        plain, _ = listener.accept()
        try:
            with context.wrap_socket(plain, server_side=True) as stream:
                stream.recv(1)
        except (OSError, ssl.SSLError):
            pass


def flood(file, address, port):
    """Sends requests at a steady rate, and reads what comes back."""
    global folder
    folder = pathlib.Path(file).parent
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
    context.check_hostname, context.verify_mode = False, ssl.CERT_NONE
    context.load_cert_chain(file)
    context.set_alpn_protocols(["hearth/1"])
    stream = context.wrap_socket(socket.create_connection(("127.0.0.1", port), source_address=(address, 0)))
    session, number, begun = Session(stream), 0, time.monotonic()
    stream.setblocking(False)
    print("flooding", flush=True)
    while True:
        while number < (time.monotonic() - begun) * FLOOD_RATE:
            number += 1
            message = {"jsonrpc": "2.0", "id": number + 10, "method": "question.list", "params": {}}
            try:
                stream.send(json.dumps(message).encode() + b"\n")
            except (BlockingIOError, ssl.SSLWantWriteError):
                break
        try:
            while stream.recv(65536):
                pass
        except (BlockingIOError, ssl.SSLWantReadError):
            pass
        time.sleep(0.005)


def half_handshakes(port):
    """Begins handshakes from many addresses, and begins them again when the hub gives them up."""
    print("flooding", flush=True)
    streams = []
    for number in itertools.count():
        try:
            source = (f"127.0.3.{1 + number % 250}", 0)
            stream = socket.create_connection(("127.0.0.1", port), timeout=1, source_address=source)
            stream.sendall(bytes.fromhex("16030100ff010000fb0303"))
            streams.append(stream)
        except OSError:
            pass
        if len(streams) > HALF_HANDSHAKES:
            streams.pop(0).close()
        time.sleep(0.001)


def server_context(file):
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.minimum_version = ssl.TLSVersion.TLSv1_3
    context.num_tickets = 0
    context.load_cert_chain(file)
    context.load_verify_locations(file)
    context.verify_mode = ssl.CERT_REQUIRED
    context.set_alpn_protocols(["hearth/1"])
    return context


def bare_fan_out(file=None):
    listener = socket.create_server(("127.0.0.1", 0), backlog=DEVICES * APPS)
    print(listener.getsockname()[1], flush=True)
    streams, context = [], server_context(file) if file else None
    for _ in range(DEVICES * APPS):
        stream = listener.accept()[0]
        stream.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        streams.append(context.wrap_socket(stream, server_side=True) if context else stream)
    print("all", flush=True)
    while sys.stdin.buffer.raw.read(1):
        for stream in streams:
            stream.sendall(b"x" * 400 + b"\n")


# The run


def run():
    global owner, folder
    folder = pathlib.Path(folder)
    socket_path = folder / "hub.sock"
    loopback = ["--mdns-interface", "127.0.0.1", "--json"]
    simulator = spawn("simulator", "--lights", accessories, "--data", folder / "simulator", "--bind", "127.0.0.1", *loopback)
    bridges = [ready(simulator) for _ in range(-(-accessories // 149))]
    port = free_port()
    hub = spawn("hub", "--data", folder / "hub", "--socket", socket_path, "--network", f"127.0.0.1:{port}", *loopback)
    ready(hub)
    owner = Session(unix(socket_path))
    home = owner.call("home.add", {"name": "Villa"})["id"]
    for bridge in bridges:
        owner.call("accessory.add", {"home": home, "deviceID": bridge["id"], "code": bridge["setupCode"]})
    note("home")

    device = Device("laptop", port)
    device.join(owner.call("device.add", {"kind": "code"})["code"])
    agent_path = folder / "agent.sock"
    # As the agent's unit and "hearth join" start it.
    setting = {"MALLOC_ARENA_MAX": "1"}
    agent = spawn("agent", "--data", folder / "agent", "--socket", agent_path, *loopback, environment=setting)
    ready(agent)
    code = owner.call("device.add", {"kind": "code"})["code"]
    arguments = ["join", code, "--host", "127.0.0.1", "--port", str(port), "--socket", str(agent_path), "--name", "agent"]
    subprocess.run([hearth, *arguments], check=True, stdout=subprocess.DEVNULL)
    note("joined")

    connect = {"unix": lambda: unix(socket_path), "tls": lambda: device.stream("hearth/1")}
    measure_requests(hub, {way: Session(opened()) for way, opened in (connect | {"agent": lambda: unix(agent_path)}).items()})
    note("requests")
    measure_events(hub, home, {way: (lambda opened=opened: Session(opened())) for way, opened in connect.items()})
    note("events")
    measure_resets(connect)
    note("resets")
    measure_handshakes(hub, device)
    note("handshakes")
    measure_floods(port, device.session())
    note("floods")
    devices, sessions, guests = connect_many(home, port)
    note("many devices")
    measure_fan_out(hub, home, sessions, device)
    note("one change told to all")
    measure_idle("idle hub", hub, 5 * rounds, len(devices))
    note("idle devices")
    own = sessions[: DEVICES_PER_GUEST * APPS]
    own += [each.session() for each in devices[:DEVICES_PER_GUEST] for _ in range(REMOVED // DEVICES_PER_GUEST - APPS)]
    measure_removal(home, guests[0], own)
    note("removal")
    for each in sessions:
        each.close()
    measure_copy(hub, agent, socket_path, agent_path)
    note("the agent's copy")


def connect_many(home, port):
    """Connects the apps of many devices of guests, each of whom has as many as possible."""
    devices, sessions, guests = [], [], []
    while len(devices) < DEVICES:
        if len(devices) % DEVICES_PER_GUEST == 0:
            guests.append(owner.call("user.add", {"home": home, "name": f"Guest {len(guests)}", "role": "guest"})["id"])
        name = f"device {len(devices)}"
        user = {"home": home, "id": guests[-1]}
        device = Device(name, port)
        device.join(owner.call("invitation.create", {"user": user, "kind": "code"})["code"])
        devices.append(device)
        sessions += [device.session() for _ in range(APPS)]
    return devices, sessions, guests


def measure_copy(hub, agent, socket_path, agent_path):
    """The agent's memory with ten apps, and the time from an app's greeting until it has its homes, from hub and copy."""
    apps = [Session(unix(agent_path)) for _ in range(10)]
    add("agent memory", resident(agent.pid))
    add("agent memory private", resident(agent.pid, "RssAnon"))
    measure_idle("idle agent", agent, 5 * rounds)
    for each in apps:
        each.close()
    for _ in range(rounds):
        start = time.perf_counter()
        Session(unix(socket_path)).close()
        add("start from hub", (time.perf_counter() - start) * 1000)
    end(hub)
    while Session(unix(agent_path)).standing in (None, "near"):
        time.sleep(0.1)
    for number in range(rounds):
        start = time.perf_counter()
        Session(unix(agent_path)).close()
        add("start from copy", (time.perf_counter() - start) * 1000)
        add("start ratio", figures["start from copy"][-1] / figures["start from hub"][number])


if __name__ == "__main__":
    if sys.argv[1] == "--bare-tls":
        bare_tls(sys.argv[2])
    elif sys.argv[1] == "--flood":
        flood(sys.argv[2], sys.argv[3], int(sys.argv[4]))
    elif sys.argv[1] == "--half-handshakes":
        half_handshakes(int(sys.argv[2]))
    elif sys.argv[1] == "--bare-fan-out":
        bare_fan_out(*sys.argv[2:3])
    else:
        try:
            run()
        finally:
            for process in list(processes):
                end(process)
        print(json.dumps(figures))
