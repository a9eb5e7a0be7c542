"""Measures how a device reaches a hub from away: a tap until the accessory has it, with and without delay on the way, how soon
sessions go on after a cut, and how soon they go on through the relay once the hub's network is left. Prints one JSON object
with the samples of each figure.

Usage: away_reach.py HEARTH FOLDER TAPS

A proxy stands between the relay and everybody, and holds what passes for a time. The hub and the agent go through it, so
that one way from the device to the hub passes it twice. A device that leaves reaches the hub's own port through another one,
whose sockets the kernel drops everything for."""

import ctypes, heapq, json, pathlib, select, socket, struct, subprocess, sys, threading, time
import device_links as links
from device_links import Session, add, end, free_port, ready, spawn, unix

hearth, folder, taps = sys.argv[1], pathlib.Path(sys.argv[2]), int(sys.argv[3])
links.hearth = hearth
# Milliseconds from the device to the hub.
DELAY, CUT_SECONDS, CUTS, LEAVES, TAP_PAUSE = 20, 5, 3, 3, 0.05
# Of Linux: how to attach a filter to a socket, how to detach it, and the filter that lets no byte of a packet through.
ATTACH_FILTER, DETACH_FILTER, DROP = 26, 27, struct.pack("HBBI", 6, 0, 0, 0)


def note(text):
    print(f"away: {text}", file=sys.stderr, flush=True)


class Proxy:
    """Passes on what comes to a port, later by a delay. It can be cut: then nothing passes, and nobody is told."""

    def __init__(self, target):
        self.target, self.delay, self.is_cut = target, 0.0, False
        self.listener = socket.create_server(("127.0.0.1", 0))
        self.port = self.listener.getsockname()[1]
        threading.Thread(target=self.run, daemon=True).start()

    def run(self):
        peers, waiting, order = {}, [], 0
        while True:
            now = time.monotonic()
            while waiting and waiting[0][0] <= now and not self.is_cut:
                _, _, target, data = heapq.heappop(waiting)
                try:
                    target.sendall(data) if data else target.shutdown(socket.SHUT_WR)
                except OSError:
                    pass
            # While it is cut, it looks again soon.
            pause = 0.01 if self.is_cut else max(0, waiting[0][0] - now) if waiting else 1
            sockets = [] if self.is_cut else [self.listener, *peers]
            for source in select.select(sockets, [], [], min(pause, 1))[0]:
                if source is self.listener:
                    client = self.listener.accept()[0]
                    server = socket.create_connection(("127.0.0.1", self.target))
                    for each, other in ((client, server), (server, client)):
                        each.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
                        peers[each] = other
                    continue
                try:
                    data = source.recv(65536)
                except OSError:
                    data = b""
                order += 1
                heapq.heappush(waiting, (time.monotonic() + self.delay, order, peers[source], data))
                if not data:
                    del peers[source]


class NearWay:
    """The hub's network, which a device leaves: then its machine drops what comes, and nobody is told."""

    def __init__(self, target):
        self.target, self.streams = target, []
        self.listener = socket.create_server(("127.0.0.1", 0))
        self.port = self.listener.getsockname()[1]
        threading.Thread(target=self.run, daemon=True).start()

    def run(self):
        while True:
            device = self.listener.accept()[0]
            try:
                hub = socket.create_connection(("127.0.0.1", self.target))
            except OSError:
                device.close()
                continue
            self.streams.append(device)
            for source, sink in ((device, hub), (hub, device)):
                source.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
                threading.Thread(target=self.carry, args=(source, sink), daemon=True).start()

    def carry(self, source, sink):
        try:
            while data := source.recv(65536):
                sink.sendall(data)
        except OSError:
            pass
        for each in (source, sink):
            try:
                each.shutdown(socket.SHUT_RDWR)
            except OSError:
                pass

    def lose(self, is_reset):
        """Loses the way. The device's connections are reset, or stay and carry nothing."""
        self.drop(self.listener)
        streams, self.streams = self.streams, []
        for stream in streams:
            if is_reset:
                reset(stream)
            else:
                self.drop(stream)

    def mend(self):
        self.listener.setsockopt(socket.SOL_SOCKET, DETACH_FILTER, 0)

    def drop(self, each):
        code = ctypes.create_string_buffer(DROP)
        each.setsockopt(socket.SOL_SOCKET, ATTACH_FILTER, struct.pack("@HxxxxxxP", 1, ctypes.addressof(code)))


def reset(stream):
    """Resets a connection, also while another thread reads it."""
    ctypes.CDLL(None).connect(stream.fileno(), bytes(16), 16)


class Lamp:
    """The accessory: says when it was switched."""

    def __init__(self, data):
        self.process = subprocess.Popen(
            [hearth, "sim", "watch", "--data", str(data), "--json"], stdout=subprocess.PIPE, text=True
        )
        links.processes.append(self.process)
        self.process.stdout.readline()
        self.changed = threading.Event()
        threading.Thread(target=self.read, daemon=True).start()

    def read(self):
        for _ in self.process.stdout:
            self.time = time.perf_counter()
            self.changed.set()


def tap(session, lamp, write, is_on):
    """Switches the lamp. Returns the milliseconds until the accessory had it; nothing if the hub wasn't reached."""
    lamp.changed.clear()
    start = time.perf_counter()
    session.send("characteristic.write", write(is_on))
    while True:
        message = json.loads(session.lines.readline())
        if message.get("id") == session.number:
            break
    if "error" in message:
        return None
    return (lamp.time - start) * 1000 if lamp.changed.wait(10) else None


def measure(figure, path, lamp, write):
    session = Session(unix(path), "hearth")
    for number in range(taps):
        took = tap(session, lamp, write, number % 2 == 0)
        if took is None:
            sys.exit(f"{figure}: a tap failed")
        add(figure, took)
        time.sleep(TAP_PAUSE)
    session.close()
    note(figure)


def until(path, condition):
    """Waits until the agent stands to its hub as is wanted. Returns how long that took, in milliseconds.

    It asks on one session, because each has a pipe through the relay, which limits how many are begun."""
    start, session = time.perf_counter(), Session(unix(path), "hearth")
    while True:
        try:
            hubs = session.call("agent.hubs", {})["hubs"]
        except (OSError, ValueError):
            session = Session(unix(path), "hearth")
            continue
        if hubs and condition(hubs[0]):
            session.close()
            return (time.perf_counter() - start) * 1000
        time.sleep(0.02)


def is_near(hub):
    return hub["standing"]["state"] == "near" and not hub["standing"].get("isRelayed")


def is_relayed(hub):
    return hub["standing"]["state"] == "near" and hub["standing"].get("isRelayed") is True


def feed_is_known(hub):
    return hub.get("feed") is not None


def leave(way, path, lamp, write, is_reset):
    """Leaves the hub's network and switches the lamp at once, again and again on the same session until it is done. A session
    that ends is opened again, as an app's is. Returns the milliseconds from the loss to the reply."""
    session = Session(unix(path), "hearth")
    lamp.changed.clear()
    start = time.perf_counter()
    way.lose(is_reset)
    while True:
        try:
            session.send("characteristic.write", write(True))
            message = {}
            while message.get("id") != session.number:
                message = json.loads(session.lines.readline())
            if "error" not in message:
                took = (time.perf_counter() - start) * 1000
                if not lamp.changed.wait(10):
                    sys.exit("the lamp was not switched")
                session.call("characteristic.write", write(False))
                session.close()
                return took
            time.sleep(0.02)
        except (OSError, ValueError):
            session = Session(unix(path), "hearth")


def measure_leaving(owner, port, lamp, write):
    """Measures how soon sessions go on through the relay once the near way is lost."""
    way, path = NearWay(port), folder / "leaving.sock"
    # It looks nowhere for hubs, so that it knows of no other way to this one's port.
    ready(spawn("agent", "--data", folder / "leaving", "--socket", path, "--mdns-interface", "127.0.0.2", "--json"))
    join(owner, path, way.port)
    until(path, is_near)
    until(path, feed_is_known)
    for figure, is_reset in (("left with a reset", True), ("left silently", False)):
        for _ in range(LEAVES):
            add(figure, leave(way, path, lamp, write, is_reset))
            until(path, is_relayed)
            way.mend()
            until(path, is_near)
        note(figure)
    for _ in range(LEAVES):
        way.lose(False)
        add("opened after a silent loss", until(path, is_relayed))
        way.mend()
        until(path, is_near)
    note("opened after a silent loss")


def join(owner, path, port):
    """Lets an agent join at a port of the hub's."""
    code = owner.call("device.add", {"kind": "code"})["code"]
    subprocess.run(
        [hearth, "join", code, "--host", "127.0.0.1", "--port", str(port), "--socket", str(path)],
        check=True,
        stdout=subprocess.DEVNULL,
    )


def run():
    links.folder = folder
    loopback = ["--mdns-interface", "127.0.0.1", "--json"]
    simulator = spawn("simulator", "--lights", 1, "--data", folder / "simulator", "--bind", "127.0.0.1", *loopback)
    bridge = ready(simulator)
    port = free_port()
    # The relay is known by the proxy's address, to everybody.
    relay_port = free_port()
    proxy = Proxy(relay_port)
    url = f"http://127.0.0.1:{proxy.port}"
    relay = spawn(
        "relay", "--data", folder / "relay", "--http", f"127.0.0.1:{relay_port}", "--url", url, "--open", "--json"
    )
    ready(relay)
    hub_path, agent_path = folder / "hub.sock", folder / "agent.sock"

    def start_hub(network):
        hub = spawn("hub", "--data", folder / "hub", "--socket", hub_path, "--network", network, *loopback)
        ready(hub)
        return hub

    near = f"127.0.0.1:{port}"
    hub = start_hub(near)
    owner = Session(unix(hub_path), "hearth")
    home = owner.call("home.add", {"name": "Villa"})["id"]
    owner.call("accessory.add", {"home": home, "deviceID": bridge["id"], "code": bridge["setupCode"]})
    owner.call("sync.enable", {"relay": url})
    agent = spawn("agent", "--data", folder / "agent", "--socket", agent_path, *loopback)
    ready(agent)
    join(owner, agent_path, port)
    state = Session(unix(hub_path), "hearth").state
    write = lamp_write(home, state)
    lamp = Lamp(folder / "simulator")
    # Where the feed is, the agent learns just after it has joined.
    until(agent_path, is_near)
    until(agent_path, feed_is_known)
    measure("tap near", agent_path, lamp, write)
    proxy.delay = DELAY / 2 / 1000
    measure_leaving(owner, port, lamp, write)
    proxy.delay = 0

    end(hub)
    hub = start_hub("off")
    until(agent_path, is_relayed)
    measure("tap away", agent_path, lamp, write)
    proxy.delay = DELAY / 2 / 1000
    measure("tap away delayed", agent_path, lamp, write)
    ordered = sorted(links.figures["tap away"])
    add("tap ratio", ordered[len(ordered) // 2] / sorted(links.figures["tap near"])[len(ordered) // 2])
    delayed = sorted(links.figures["tap away delayed"])
    add("tap over path p50", delayed[len(delayed) // 2] - DELAY)
    add("tap over path p99", delayed[len(delayed) * 99 // 100] - DELAY)

    # Each tap changes the lamp, or else its accessory has nothing to say.
    is_on = taps % 2 == 1
    for _ in range(CUTS):
        proxy.is_cut = True
        time.sleep(CUT_SECONDS)
        proxy.is_cut = False
        start = time.perf_counter()
        while True:
            session = Session(unix(agent_path), "hearth")
            took = tap(session, lamp, write, not is_on)
            session.close()
            if took is not None:
                is_on = not is_on
                break
            time.sleep(0.02)
        add("resumed after a cut", (time.perf_counter() - start) * 1000)
    note("cuts")
    for _ in range(CUTS):
        end(hub)
        hub = start_hub(near)
        add("near again", until(agent_path, is_near))
        end(hub)
        hub = start_hub("off")
        until(agent_path, is_relayed)
    note("near again")


def lamp_write(home, state):
    """Returns what writes the lamp's switch."""
    records = state["homes"][home]["records"]
    for lamp in [each for each in records if "shape" in each]:
        shape = next(each for each in records if each["id"] == lamp["shape"])
        for characteristic in [each for service in shape["services"] for each in service["characteristics"]]:
            if characteristic["type"] == "25":
                reference = {"accessory": lamp["id"], "iid": characteristic["iid"]}
                return lambda is_on: {"home": home, "writes": [{"characteristic": reference, "value": is_on}]}
    sys.exit("the home has no lamp")


if __name__ == "__main__":
    try:
        run()
    finally:
        for process in list(links.processes):
            end(process)
    print(json.dumps(links.figures))
