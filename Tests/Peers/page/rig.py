"""A hub and simulated accessories on the loopback interface, for the tests of the page."""

import json
import os
import socket
import subprocess
import tempfile
import time


class Rig:
    """Owns the processes; they end with it. The hub can be killed and started again at the same port."""

    def __init__(self, hearth, library, lamps=0):
        self.hearth = hearth
        self.folder = tempfile.TemporaryDirectory(prefix="hearth-page-")
        self.socket = os.path.join(self.folder.name, "hub.sock")
        self.simulator_data = os.path.join(self.folder.name, "simulator")
        self.processes = []
        self.port = 0
        self.accessories = self._start_simulator(library, lamps)
        self.hub = None
        self.start_hub()

    def _spawn(self, *arguments):
        log = open(os.path.join(self.folder.name, f"log-{len(self.processes)}"), "w+")
        process = subprocess.Popen([self.hearth, *arguments], stdout=subprocess.PIPE, stderr=log, text=True)
        self.processes.append(process)
        return process

    def _start_simulator(self, library, lamps):
        names = [part for name in library for part in ("--library", name)] + (["--lights", str(lamps)] if lamps else [])
        # A bridge has at most 149 accessories behind it.
        count = len(library) + -(-lamps // 149)
        process = self._spawn("simulator", *names, "--data", self.simulator_data, "--bind", "127.0.0.1", "--mdns-interface", "127.0.0.1", "--http", "127.0.0.1:0", "--json")
        ready = {}
        #: The link of the simulator's page, with its token.
        self.simulator_url = None
        while len(ready) < count or not self.simulator_url:
            line = process.stdout.readline()
            if not line:
                raise RuntimeError("the simulator ended")
            event = json.loads(line)
            if event.get("event") == "page":
                self.simulator_url = event["url"]
            if event.get("event") == "ready" and "setupCode" in event:
                ready[event["name"]] = event
        return ready

    def start_hub(self):
        self.hub = self._spawn("hub", "--data", os.path.join(self.folder.name, "hub"), "--socket", self.socket, "--mdns-interface", "127.0.0.1", "--http", f"127.0.0.1:{self.port}", "--ask-apps", "--json")
        while line := self.hub.stdout.readline():
            event = json.loads(line) if line.startswith("{") else {}
            if event.get("event") == "ready":
                break
        if not self.port:
            link = self.login()
            self.port = int(link.split("127.0.0.1:")[1].split("/")[0])

    def other_hub(self):
        """Starts another hub, with no home, and returns its port."""
        folder = os.path.join(self.folder.name, "other")
        self.other = self._spawn("hub", "--data", folder, "--socket", f"{folder}.sock", "--mdns-interface", "127.0.0.1", "--http", "127.0.0.1:0", "--json")
        while line := self.other.stdout.readline():
            event = json.loads(line) if line.startswith("{") else {}
            if event.get("event") == "ready":
                return int(event["http"].rsplit(":", 1)[1].strip("/"))
        raise RuntimeError("the other hub ended")

    def end_other_hub(self):
        self.other.terminate()
        self.other.wait(60)

    def kill_hub(self):
        self.hub.kill()
        self.hub.wait()

    def login(self, user=None):
        """The link with a fresh code."""
        arguments = ["login", "--json"] + (["--user", user] if user else [])
        reply = json.loads(self.run(*arguments))
        return (reply.get("links") or reply.get("addresses"))[0]

    def code(self, user=None):
        return self.login(user).split("#code=")[1]

    def run(self, *arguments, tries=60):
        """Runs a command against the hub. What the hub is not ready for yet is tried again."""
        for attempt in range(tries):
            result = subprocess.run([self.hearth, *arguments], env={**os.environ, "HEARTH_SOCKET": self.socket, "HEARTH_SIMULATOR": os.path.join(self.simulator_data, ".control", "socket")}, capture_output=True, text=True)
            if result.returncode == 0:
                return result.stdout
            if result.returncode != 3:
                break
            time.sleep(0.5)
        raise RuntimeError(f"hearth {' '.join(arguments)}: {result.stderr}")

    def add(self, name, room):
        accessory = self.accessories[name]
        for attempt in range(20):
            try:
                return self.run("accessory", "add", "--code", accessory["setupCode"], "--id", accessory["id"], "--room", room)
            except RuntimeError as error:
                # The hub may not have heard of it yet.
                if attempt == 19 or "isn't on" not in str(error) and "not found" not in str(error) and "notDiscovered" not in str(error):
                    raise
                time.sleep(0.5)

    def sim(self, *arguments):
        return self.run("sim", *arguments)

    def app(self, identifier, purpose):
        """The socket of an app that has introduced itself, and whose first request waits for permission."""
        connection = socket.socket(socket.AF_UNIX)
        connection.settimeout(60)
        connection.connect(self.socket)
        hello = {"jsonrpc": "2.0", "id": 1, "method": "session.hello", "params": {"version": 6, "app": identifier, "purpose": purpose}}
        connection.sendall(json.dumps(hello).encode() + b"\n")
        return connection

    def start_peer(self):
        """A bridge made with HAP-python, with a lamp, a lock and a sensor: its process and what it said when it was ready."""
        peers = os.path.join(os.path.dirname(__file__), "..")
        python = os.path.join(peers, "..", "..", ".build", "peers", "bin", "python")
        log = open(os.path.join(self.folder.name, "log-peer"), "w+")
        process = subprocess.Popen([python, os.path.join(peers, "hap_python_bridge.py"), "--code", "031-45-154", "--state", os.path.join(self.folder.name, "peer.state")], stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=log, text=True)
        self.processes.append(process)
        return process, self.peer_event(process, "ready")

    def peer_event(self, process, wanted):
        while line := process.stdout.readline():
            event = json.loads(line)
            if event["event"] == wanted:
                return event
        raise RuntimeError(f"the bridge ended before it said {wanted}")

    def stop(self):
        for process in reversed(self.processes):
            if process.poll() is None:
                process.terminate()
        for process in self.processes:
            try:
                process.wait(20)
            except subprocess.TimeoutExpired:
                process.kill()
        self.folder.cleanup()
