"""Measures feeds: what a change costs the hub with one person's feed, next to the same change without one, and how soon a new device
has a home from the relay alone. Prints one JSON object with the samples of each figure.

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
loopback = ["--mdns-interface", "127.0.0.1", "--json"]


def note(text):
    print(f"feeds: {text}", file=sys.stderr, flush=True)


def rename(owner, home, room, text):
    """Changes the home some times. Returns the hub's processor time for one change, in microseconds."""
    start = processor_time(hub.pid)
    for number in range(changes):
        owner.call("room.rename", {"home": home, "id": room, "name": f"{text} {number}"})
        time.sleep(PAUSE)
    return (processor_time(hub.pid) - start) * 1e6 / changes


def entries(owner):
    """The number of entries of the owner's feed, once the relay has all of them."""
    while True:
        status = owner.call("sync.status", {})
        if status["feeds"] and all(feed["state"] == "current" for feed in status["feeds"]):
            return status["feeds"][0]["entries"]
        time.sleep(0.05)


def measure_changes(figure, owner, home, room, url):
    """What a feed adds to a change. The relay limits how often it is begun, so the rounds without one come first."""
    owner.call("sync.disable", {})
    plain = [rename(owner, home, room, f"Off {number}") for number in range(rounds)]
    owner.call("sync.enable", {"relay": url})
    for number in range(rounds):
        before = entries(owner)
        with_feed = rename(owner, home, room, f"On {number}")
        count = entries(owner) - before
        if count < changes * 0.9:
            note(f"{count} entries for {changes} changes: several share one")
        add(f"{figure} alone", plain[number])
        add(figure, with_feed - plain[number])


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


def run():
    global hub
    links.folder = folder
    relay = spawn("relay", "--data", folder / "relay", "--http", "127.0.0.1:0", "--open", "--json")
    url = ready(relay)["url"]
    hub_path, agent_path, port = folder / "hub.sock", folder / "agent.sock", free_port()
    hub = spawn("hub", "--data", folder / "hub", "--socket", hub_path, "--network", f"127.0.0.1:{port}", *loopback)
    ready(hub)
    owner = Session(unix(hub_path), "hearth")
    home = owner.call("home.add", {"name": "Villa"})["id"]
    room = owner.call("room.add", {"home": home, "name": "Room"})["id"]
    owner.call("sync.enable", {"relay": url})

    def start_agent():
        return spawn("agent", "--data", folder / "agent", "--socket", agent_path, *loopback)

    agent = start_agent()
    ready(agent)
    code = owner.call("device.add", {"kind": "code"})["code"]
    joining = ["--host", "127.0.0.1", "--port", str(port), "--socket", str(agent_path)]
    subprocess.run([hearth, "join", code, *joining], check=True, stdout=subprocess.DEVNULL)
    entries(owner)
    # The device is away from now on: the hub writes for it, and tells it nothing itself.
    end(agent)
    with shared_core(hub, relay):
        measure_changes("publish", owner, home, room, url)
    note("changes in a small home")

    for number in range(bridges):
        data = folder / f"simulator-{number}"
        simulator = spawn("simulator", "--lights", LAMPS, "--data", data, "--bind", "127.0.0.1", *loopback)
        bridge = ready(simulator)
        owner.call("accessory.add", {"home": home, "deviceID": bridge["id"], "code": bridge["setupCode"]})
    count = bridges * (LAMPS + 1)
    note(f"{count} accessories")
    with shared_core(hub, relay):
        measure_changes("publish large", owner, home, room, url)
    add("accessories", count)
    # The agent learns where the feed is now.
    agent = start_agent()
    ready(agent)
    agent_has(agent_path, count)
    time.sleep(2)
    end(agent)
    entries(owner)
    owner.close()
    end(hub)
    for _ in range(rounds):
        # A device that has keys and no copy, and no hub in reach.
        for file in (folder / "agent").glob("**/copy.sqlite*"):
            file.unlink()
        start = time.perf_counter()
        agent = start_agent()
        agent_has(agent_path, count)
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
