"""A hub and simulated accessories on the loopback interface, for the tests of the page."""

import json
import os
import queue
import socket
import subprocess
import tempfile
import threading
import time
import wave

#: The seconds after which something hangs; nothing that works takes as long, even on a busy machine.
PATIENCE = 180


class Rig:
    """Owns the processes; they end with it. The hub can be killed and started again at the same port."""

    def __init__(self, hearth, library, lamps=0):
        self.hearth = hearth
        self.folder = tempfile.TemporaryDirectory(prefix="hearth-page-")
        self.socket = os.path.join(self.folder.name, "hub.sock")
        self.simulator_data = os.path.join(self.folder.name, "simulator")
        #: The choice of a receiver, of this hub and its user's apps only.
        self.route = os.path.join(self.folder.name, "route.json")
        self.choose_route()
        self.processes = []
        self.lines = {}
        self.port = 0
        self.accessories = self._start_simulator(library, lamps)
        self.hub = None
        self.start_hub()

    def _spawn(self, *arguments):
        log = open(os.path.join(self.folder.name, f"log-{len(self.processes)}"), "w+")
        return self._start([self.hearth, *arguments], log)

    def _start(self, command, log):
        environment = {**os.environ, "HEARTH_AIRPLAY_ROUTE": self.route}
        process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=log, text=True, env=environment)
        self.processes.append(process)
        return self._follow(process)

    def choose_route(self):
        """Keeps audio on this computer; apps look for receivers on the loopback interface."""
        with open(self.route, "w") as file:
            json.dump({"receivers": [], "interfaces": ["127.0.0.1"]}, file)

    def chosen_route(self):
        with open(self.route) as file:
            return json.load(file)

    def chosen_receivers(self):
        return [receiver["name"] for receiver in self.chosen_route()["receivers"]]

    def start_radio(self, title, picture, seconds=600):
        """An app that plays silence, with a title and a picture."""
        sound = os.path.join(self.folder.name, "silence.wav")
        with wave.open(sound, "wb") as file:
            file.setnchannels(1)
            file.setsampwidth(2)
            file.setframerate(44_100)
            file.writeframes(bytes(2 * 44_100 * seconds))
        cover = os.path.join(self.folder.name, "cover.png")
        with open(cover, "wb") as file:
            file.write(picture)
        log = open(os.path.join(self.folder.name, "log-radio"), "w+")
        program = os.path.join(os.path.dirname(self.hearth), "radio-app")
        return self._start([program, title, cover, sound], log)

    def line(self, process, wanted):
        """Waits until a process prints a line."""
        end = time.monotonic() + PATIENCE
        while (line := self.lines[process.pid].get(timeout=max(0.1, end - time.monotonic()))) is not None:
            if line.strip() == wanted:
                return
        raise RuntimeError(f"it ended without saying {wanted}")

    def start_receiver(self, name, *options):
        """A receiver on the loopback interface."""
        process = self._spawn(
            "airplay", "receive", "--name", name, "--bind", "127.0.0.1", "--mdns-interface", "127.0.0.1",
            "--pcm", "/dev/null", "--json", *options,
        )  # fmt: skip
        self._event(process, lambda event: event.get("event") == "ready")
        return process

    def await_event(self, process, name):
        """Waits until a process reports an event."""
        return self._event(process, lambda event: event.get("event") == name)

    def end(self, process):
        self._end(process)

    def _follow(self, process):
        """Reads what a process prints as long as it runs: a full pipe would stop it."""
        lines = self.lines[process.pid] = queue.Queue()

        def read():
            for line in process.stdout:
                lines.put(line)
            lines.put(None)

        threading.Thread(target=read, daemon=True).start()
        return process

    def _event(self, process, is_wanted):
        """Waits for an event that a process prints."""
        end = time.monotonic() + PATIENCE
        while True:
            try:
                line = self.lines[process.pid].get(timeout=max(0.1, end - time.monotonic()))
            except queue.Empty:
                raise RuntimeError(f"{process.args[1]}: nothing for {PATIENCE} s") from None
            if line is None:
                raise RuntimeError(f"{process.args[1]} ended")
            event = json.loads(line) if line.startswith("{") else {}
            if is_wanted(event):
                return event

    def _end(self, process):
        """Ends a process, gently first."""
        if process.poll() is None:
            process.terminate()
        try:
            process.wait(20)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait(20)

    def _start_simulator(self, library, lamps):
        names = [part for name in library for part in ("--library", name)] + (["--lights", str(lamps)] if lamps else [])
        # A bridge has at most 149 accessories behind it.
        count = len(library) + -(-lamps // 149)
        process = self._spawn(
            "simulator",
            *names,
            "--data",
            self.simulator_data,
            "--bind",
            "127.0.0.1",
            "--mdns-interface",
            "127.0.0.1",
            "--http",
            "127.0.0.1:0",
            "--json",
        )
        ready = {}
        #: The link of the simulator's page, with its token.
        self.simulator_url = None
        while len(ready) < count or not self.simulator_url:
            event = self._event(process, lambda event: event.get("event") in ("page", "ready"))
            if event.get("event") == "page":
                self.simulator_url = event["url"]
            if event.get("event") == "ready" and "setupCode" in event:
                ready[event["name"]] = event
        return ready

    def start_hub(self):
        self.hub = self._spawn(
            "hub",
            "--data",
            os.path.join(self.folder.name, "hub"),
            "--socket",
            self.socket,
            "--mdns-interface",
            "127.0.0.1",
            "--http",
            f"127.0.0.1:{self.port}",
            "--wyoming",
            "127.0.0.1:0",
            "--ask-apps",
            "--json",
        )
        event = self._event(self.hub, lambda event: event.get("event") == "ready")
        self.wyoming_port = int(event["wyoming"].rsplit(":", 1)[1])
        if not self.port:
            link = self.login()
            self.port = int(link.split("127.0.0.1:")[1].split("/")[0])

    def other_hub(self, *options):
        """Starts another hub, with no home, and returns its port."""
        folder = tempfile.mkdtemp(prefix="other-", dir=self.folder.name)
        self.other_socket = os.path.join(folder, "hub.sock")
        self.other = self._spawn(
            "hub",
            "--data",
            os.path.join(folder, "data"),
            "--socket",
            self.other_socket,
            "--mdns-interface",
            "127.0.0.1",
            "--http",
            "127.0.0.1:0",
            *options,
            "--json",
        )
        event = self._event(self.other, lambda event: event.get("event") == "ready")
        return int(event["http"].rsplit(":", 1)[1].strip("/"))

    def end_other_hub(self):
        self._end(self.other)

    def start_unconfigured(self, name, network):
        """An accessory that is in no network yet; the loopback interface stands in for its own one. Returns what it said."""
        data = tempfile.mkdtemp(prefix="unconfigured-", dir=self.folder.name)
        passphrase = ["--network", network, "--passphrase", "correct horse"]
        self.unconfigured = self._spawn(
            "simulator",
            "--library",
            name,
            "--data",
            data,
            "--bind",
            "127.0.0.1",
            "--mdns-interface",
            "127.0.0.1",
            "--setup-interface",
            "127.0.0.1",
            *passphrase,
            "--json",
        )
        return self._event(self.unconfigured, lambda event: event.get("event") == "unconfigured")

    def end_unconfigured(self):
        self._end(self.unconfigured)

    def kill_hub(self):
        self.hub.kill()
        self.hub.wait(20)

    def login(self, user=None, socket=None):
        """The link with a fresh code, of this hub or of that at another socket."""
        arguments = ["login", "--json"] + (["--user", user] if user else []) + (["--socket", socket] if socket else [])
        reply = json.loads(self.run(*arguments))
        return (reply.get("links") or reply.get("addresses"))[0]

    def code(self, user=None, socket=None):
        return self.login(user, socket).split("#code=")[1]

    def run(self, *arguments, tries=60):
        """Runs a command against the hub. What the hub is not ready for yet is tried again."""
        for attempt in range(tries):
            result = subprocess.run(
                [self.hearth, *arguments],
                env={
                    **os.environ,
                    "HEARTH_SOCKET": self.socket,
                    "HEARTH_SIMULATOR": os.path.join(self.simulator_data, ".control", "socket"),
                },
                capture_output=True,
                text=True,
                timeout=PATIENCE,
            )
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
                return self.run(
                    "accessory", "add", "--code", accessory["setupCode"], "--id", accessory["id"], "--room", room
                )
            except RuntimeError as error:
                # The hub may not have heard of it yet.
                if (
                    attempt == 19
                    or "isn't on" not in str(error)
                    and "not found" not in str(error)
                    and "notDiscovered" not in str(error)
                ):
                    raise
                time.sleep(0.5)

    def sim(self, *arguments):
        return self.run("sim", *arguments)

    def app(self, identifier, purpose):
        """The socket of an app that has introduced itself, and whose first request waits for permission."""
        connection = socket.socket(socket.AF_UNIX)
        connection.settimeout(60)
        connection.connect(self.socket)
        hello = {
            "jsonrpc": "2.0",
            "id": 1,
            "method": "session.hello",
            "params": {"version": 7, "app": identifier, "purpose": purpose},
        }
        connection.sendall(json.dumps(hello).encode() + b"\n")
        return connection

    def speak(self, sentence):
        """Says a sentence as a voice satellite does, and returns the connection."""
        connection = socket.create_connection(("127.0.0.1", self.wyoming_port), 60)
        event = {"type": "transcript", "data": {"text": sentence, "language": "en"}}
        connection.sendall(json.dumps(event).encode() + b"\n")
        return connection

    def start_peer(self):
        """A bridge made with HAP-python, with a lamp, a lock and a sensor: its process and what it said when it was ready."""
        peers = os.path.join(os.path.dirname(__file__), "..")
        python = os.path.join(peers, "..", "..", ".build", "peers", "bin", "python")
        log = open(os.path.join(self.folder.name, "log-peer"), "w+")
        process = subprocess.Popen(
            [
                python,
                os.path.join(peers, "hap_python_bridge.py"),
                "--code",
                "031-45-154",
                "--state",
                os.path.join(self.folder.name, "peer.state"),
            ],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=log,
            text=True,
        )
        self.processes.append(process)
        self._follow(process)
        return process, self.peer_event(process, "ready")

    def peer_event(self, process, wanted):
        return self._event(process, lambda event: event.get("event") == wanted)

    def stop(self):
        for process in reversed(self.processes):
            if process.poll() is None:
                process.terminate()
        for process in self.processes:
            self._end(process)
        self.folder.cleanup()
