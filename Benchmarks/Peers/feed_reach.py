"""Measures feeds: what a change costs a hub with one person's feed, next to the same change at a hub without one, in turns, and how
soon a new device has a home from the relay alone. Prints one JSON object with the samples of each figure.

Usage: feed_reach.py HEARTH FOLDER BRIDGES CHANGES ROUNDS

Each bridge has 143 lamps: seven and their bridges are a home of more than 1,000 accessories."""

import json, pathlib, subprocess, sys, time
import device_links as links
from device_links import Session, add, end, free_port, processor_time, ready, shared_core, spawn, unix

hearth, folder, bridges, changes, rounds = sys.argv[1], pathlib.Path(sys.argv[2]), *map(int, sys.argv[3:6])
links.hearth = hearth
LAMPS = 143
# Changes that come slowly enough that each is an entry of its own.
PAUSE = 0.02
# How many changes a hub makes in turn.
TURN = 10
loopback = ["--mdns-interface", "127.0.0.1", "--json"]


def note(text):
    print(f"feeds: {text}", file=sys.stderr, flush=True)


class House:
    """A hub with a home, and a device that has joined and is away: the hub writes for it, and tells it nothing itself."""

    def __init__(self, name, relay=None):
        self.folder, self.port = folder / name, free_port()
        self.folder.mkdir(mode=0o700)
        path = self.folder / "hub.sock"
        network = ["--network", f"127.0.0.1:{self.port}"]
        self.hub = spawn("hub", "--data", self.folder / "hub", "--socket", path, *network, *loopback)
        ready(self.hub)
        self.owner = Session(unix(path), "hearth")
        self.home = self.owner.call("home.add", {"name": "Villa"})["id"]
        self.room = self.owner.call("room.add", {"home": self.home, "name": "Room"})["id"]
        if relay:
            self.owner.call("sync.enable", {"relay": relay})
        agent = self.start_agent()
        code = self.owner.call("device.add", {"kind": "code"})["code"]
        joining = ["--host", "127.0.0.1", "--port", str(self.port), "--socket", str(self.agent_path)]
        subprocess.run([hearth, "join", code, *joining], check=True, stdout=subprocess.DEVNULL)
        if relay:
            self.entries()
        end(agent)

    @property
    def agent_path(self):
        return self.folder / "agent.sock"

    def start_agent(self):
        agent = spawn("agent", "--data", self.folder / "agent", "--socket", self.agent_path, *loopback)
        ready(agent)
        return agent

    def rename(self, text):
        self.owner.call("room.rename", {"home": self.home, "id": self.room, "name": text})
        time.sleep(PAUSE)

    def entries(self):
        """The number of entries of the owner's feed, once the relay has all of them."""
        while True:
            status = self.owner.call("sync.status", {})
            if status["feeds"] and all(feed["state"] == "current" for feed in status["feeds"]):
                return status["feeds"][0]["entries"]
            time.sleep(0.05)

    def add_accessories(self, bridges):
        for number in range(bridges):
            data = self.folder / f"simulator-{number}"
            simulator = spawn("simulator", "--lights", LAMPS, "--data", data, "--bind", "127.0.0.1", *loopback)
            bridge = ready(simulator)
            self.owner.call("accessory.add", {"home": self.home, "deviceID": bridge["id"], "code": bridge["setupCode"]})


def measure_changes(figure, plain, fed):
    """What a feed adds to a change, in microseconds. The hubs take turns after a few changes, so that a machine that is slower for
    a while is so for both, and each finds in the processor's caches what it has left there."""
    for number in range(rounds):
        before = fed.entries()
        start = [processor_time(each.hub.pid) for each in (plain, fed)]
        for first in range(0, changes, TURN):
            for each in (plain, fed):
                for change in range(first, min(first + TURN, changes)):
                    each.rename(f"Room {number} {change}")
        alone, with_feed = (
            (processor_time(each.hub.pid) - began) * 1e6 / changes for each, began in zip((plain, fed), start)
        )
        count = fed.entries() - before
        if count < changes * 0.9:
            sys.exit(f"{count} entries for {changes} changes: several share one, maybe because the relay takes no more writes")
        add(f"{figure} alone", alone)
        add(figure, with_feed - alone)


def agent_has(path, count):
    """Waits until the agent shows so many accessories."""
    while True:
        try:
            session = Session(unix(path), "hearth")
        except OSError:
            time.sleep(0.005)
            continue
        state = session.state
        session.close()
        if state and sum("shape" in each for home in state["homes"].values() for each in home["records"]) >= count:
            return
        time.sleep(0.02)


def start_relay(name):
    relay = spawn("relay", "--data", folder / name, "--http", "127.0.0.1:0", "--open", "--json")
    return relay, ready(relay)["url"]


def run():
    links.folder = folder
    relay, url = start_relay("relay")
    plain, fed = House("plain"), House("fed", url)
    with shared_core(plain.hub, fed.hub, relay):
        measure_changes("publish", plain, fed)
    note("changes in a small home")

    for each in (plain, fed):
        each.add_accessories(bridges)
    count = bridges * (LAMPS + 1)
    note(f"{count} accessories")
    # A relay takes 600 writes of a house, and then one a second.
    relay, url = start_relay("other relay")
    fed.owner.call("sync.enable", {"relay": url})
    with shared_core(plain.hub, fed.hub, relay):
        measure_changes("publish large", plain, fed)
    add("accessories", count)
    # The agent learns where the feed is.
    agent = fed.start_agent()
    agent_has(fed.agent_path, count)
    time.sleep(2)
    end(agent)
    fed.entries()
    for each in (plain, fed):
        each.owner.close()
        end(each.hub)
    for _ in range(rounds):
        # A device that has keys and no copy, and no hub in reach.
        for file in (fed.folder / "agent").glob("**/copy.sqlite*"):
            file.unlink()
        start = time.perf_counter()
        agent = fed.start_agent()
        agent_has(fed.agent_path, count)
        add("new device", (time.perf_counter() - start) * 1e3)
        add("new device cpu", processor_time(agent.pid) * 1e3)
        end(agent)
    note("new devices")


if __name__ == "__main__":
    try:
        run()
    finally:
        for process in list(links.processes):
            end(process)
    print(json.dumps(links.figures))
