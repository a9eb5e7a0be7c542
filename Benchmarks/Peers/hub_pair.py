"""Measures two hubs with a relay: what a change takes at the hub that leads and through the other one, next to bare commits on the
same disk, and how soon the other hub goes on when the one that leads is killed. Prints one JSON object with the samples of each
figure.

Usage: hub_pair.py HEARTH FOLDER CHANGES TAKEOVERS

The folder must be on a disk. Both hubs and the relay share it, which two machines would not."""

import json, math, pathlib, sqlite3, subprocess, sys, time
import device_links as links
from device_links import Session, add, end, figures, processor_time, ready, spawn, unix

hearth, folder, changes, takeovers = sys.argv[1], pathlib.Path(sys.argv[2]), *map(int, sys.argv[3:5])
links.hearth = hearth
# A change comes alone: what the one before left to do is done.
PAUSE = 0.03
COMMIT_BYTES = 1_000


def note(text):
    print(f"two hubs: {text}", file=sys.stderr, flush=True)


class Hub:
    def __init__(self, name):
        self.data, self.socket = folder / name, folder / f"{name}.sock"

    def start(self):
        place = ["--data", self.data, "--socket", self.socket, "--network", "127.0.0.1:0"]
        self.process = spawn("hub", *place, "--mdns-interface", "127.0.0.1", "--json")
        ready(self.process)

    def kill(self):
        self.process.kill()
        self.process.wait()
        links.processes.remove(self.process)

    def session(self):
        return Session(unix(self.socket), "hearth")

    def join(self, other):
        """Joins the other hub's homes, as its owner says."""
        socket = ["--socket", str(other.socket), "--json"]
        invitation = subprocess.run([hearth, "hub", "invite", *socket], check=True, capture_output=True, text=True)
        link, owner = json.loads(invitation.stdout)["link"], other.session()
        command = [hearth, "hub", "join", link, "--data", str(self.data), "--json"]
        joining = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
        links.processes.append(joining)
        for line in joining.stdout:
            if json.loads(line).get("event") == "waiting":
                break
        while not (questions := owner.call("question.list", {})["questions"]):
            time.sleep(0.05)
        owner.call("question.answer", {"id": questions[0]["id"], "answer": "yes"})
        if joining.wait() != 0:
            sys.exit("the second hub couldn't join")
        links.processes.remove(joining)
        owner.close()


class Bare:
    """Commits as a program without anything else would."""

    def __init__(self):
        self.database = sqlite3.connect(folder / "bare.sqlite", isolation_level=None)
        self.database.executescript("PRAGMA journal_mode=WAL; PRAGMA synchronous=FULL; CREATE TABLE batch (bytes BLOB)")

    def commit(self):
        start = time.perf_counter()
        self.database.execute("INSERT INTO batch VALUES (?)", (bytes(COMMIT_BYTES),))
        return (time.perf_counter() - start) * 1e3


def rename(session, home, room, number):
    start = time.perf_counter()
    session.call("room.rename", {"home": home, "id": room, "name": f"Room {number}"})
    return (time.perf_counter() - start) * 1e3


def agree(hubs):
    """Waits until both hubs are connected and have everything. Returns the one that leads, and the other."""
    while True:
        states = [hub.session() for hub in hubs]
        lists = [state.call("hub.list", {}) for state in states]
        for state in states:
            state.close()
        leading = [any(each["isOwn"] and each["isLeading"] for each in listed["hubs"]) for listed in lists]
        whole = all(each["isConnected"] for listed in lists for each in listed["hubs"])
        if whole and sum(leading) == 1:
            return hubs if leading[0] else hubs[::-1]
        time.sleep(0.1)


def measure_changes(hubs, home, room, bare):
    leader, other = agree(hubs)
    at_leader, at_other = leader.session(), other.session()
    for number in range(changes):
        commit = bare.commit()
        time.sleep(PAUSE)
        change = rename(at_leader, home, room, f"L{number}")
        time.sleep(PAUSE)
        add("bare commit", commit)
        add("change", change)
        add("change beyond", change - 2 * commit)
        add("change through the other", rename(at_other, home, room, f"O{number}"))
        time.sleep(PAUSE)
    before = [processor_time(hub.process.pid) for hub in (leader, other)]
    for number in range(changes):
        rename(at_leader, home, room, f"C{number}")
        time.sleep(PAUSE)
    after = [processor_time(hub.process.pid) for hub in (leader, other)]
    for figure, start, stop in zip(("leader cpu", "other cpu"), before, after):
        add(figure, (stop - start) * 1e6 / changes)


def take_over(hubs, home, room, number):
    """Kills the hub that leads. Returns the seconds until the other one has carried out a change."""
    leader, other = agree(hubs)
    time.sleep(1)
    session = other.session()
    leader.kill()
    start = time.perf_counter()
    while True:
        try:
            rename(session, home, room, f"T{number}")
            break
        except (OSError, SystemExit):  # It doesn't lead yet.
            time.sleep(0.02)
    taken = time.perf_counter() - start
    session.close()
    leader.start()
    return taken


def run():
    links.folder = folder
    relay = spawn("relay", "--data", folder / "relay", "--http", "127.0.0.1:0", "--open", "--json")
    url = ready(relay)["url"]
    hubs = [Hub("first"), Hub("second")]
    hubs[0].start()
    owner = hubs[0].session()
    home = owner.call("home.add", {"name": "Villa"})["id"]
    room = owner.call("room.add", {"home": home, "name": "Room"})["id"]
    bare = Bare()
    for number in range(changes):
        add("change alone", rename(owner, home, room, f"A{number}"))
        time.sleep(PAUSE)
    owner.call("sync.enable", {"relay": url})
    hubs[1].join(hubs[0])
    hubs[1].start()
    measure_changes(hubs, home, room, bare)
    note("changes")
    if takeovers:
        times = sorted(take_over(hubs, home, room, number) for number in range(takeovers))
        figures["takeover"] = times
        add("takeover p90", times[math.ceil(takeovers * 0.9) - 1])
    note("takeovers")


if __name__ == "__main__":
    try:
        run()
    finally:
        for process in list(links.processes):
            end(process)
    print(json.dumps(links.figures))
