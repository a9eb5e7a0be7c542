"""A hub and simulated accessories, for scripts that use them by commands."""

import json
import os
import subprocess
import time

ROOMS = {"Desk Lamp": "Study", "Floor Lamp": "Study", "Kitchen Light": "Kitchen", "Coffee Maker": "Kitchen"}


class Home:
    """A hub and simulated accessories, and the commands that use them."""

    def __init__(self, hearth, bridge, folder):
        self.hearth = hearth
        self.environment = dict(os.environ, HEARTH_SOCKET=os.path.join(folder, "hub.sock"), LC_ALL="C.UTF-8")
        lo = ["--mdns-interface", "127.0.0.1", "--json"]
        self.processes = [
            self.start("simulator", bridge, "--data", folder + "/accessories", "--bind", "127.0.0.1", *lo),
            self.start("hub", "--data", folder + "/hub", "--http", "127.0.0.1:0", *lo),
        ]
        ready = [self.ready(process) for process in self.processes]
        self.page = ready[1]["http"]
        self.run("home", "add", "Villa")
        for _ in range(100):
            added = self.run("accessory", "add", "--id", ready[0]["id"], "--code", ready[0]["setupCode"], check=False)
            if added.returncode == 0:
                break
            time.sleep(0.2)
        else:
            raise SystemExit("error: the accessories could not be added: " + added.stderr)
        for room in sorted(set(ROOMS.values())):
            self.run("room", "add", room)
        for accessory, room in ROOMS.items():
            self.run("accessory", "move", accessory, room)
        self.run("scene", "add", "Movie Night")
        self.run("scene", "set", "Movie Night", "Desk Lamp", "Brightness", "5")
        self.run("scene", "set", "Movie Night", "Ceiling Fan", "On", "true")

    def start(self, *arguments):
        return subprocess.Popen(
            [self.hearth, *arguments], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True, env=self.environment
        )

    @staticmethod
    def ready(process):
        for line in process.stdout:
            event = json.loads(line)
            if event.get("event") == "ready":
                return event
        raise SystemExit("error: a program did not start")

    def run(self, *arguments, check=True):
        result = subprocess.run(
            [self.hearth, *arguments], capture_output=True, text=True, env=self.environment, stdin=subprocess.DEVNULL
        )
        if check and result.returncode != 0:
            raise SystemExit("error: hearth %s: %s" % (" ".join(arguments), result.stderr))
        return result

    def value(self, name, characteristic):
        """Returns a value as the accessory reports it."""
        return json.loads(self.run("get", name, characteristic, "--json").stdout)[0]["value"]

    def stop(self):
        for process in reversed(self.processes):
            process.terminate()
        for process in self.processes:
            process.wait()
