"""What each page of the documentation needs so that its examples run, and what they must do beyond succeeding."""

import importlib.machinery
import importlib.util
import json
import os
import re
import signal
import subprocess
import sys
import textwrap
import urllib.error
import urllib.request

import yaml

import pattern
from rig import ADDRESS, PATIENCE, Connection, Failure, wait

CODE = "482-11-957"
#: What a program answers in place of a person: what its page says is asked for.
PASSPHRASE = "correct horse battery staple"


def lamp(name, number, **more):
    return {"name": name, "serialNumber": f"LAMP-{number}", "services": [{"type": "Lightbulb", "characteristics": {"On": False, "Brightness": 40}}], **more}


def accessory(description, **more):
    """An accessory file."""
    return {"format": 1, "manufacturer": "Hearth", "model": "Example", "setupCode": CODE, **description, **more}


def bridge(*accessories):
    return accessory({"name": "Bridge", "serialNumber": "BRIDGE-1", "accessories": list(accessories)})


def steady(text):
    """A text without what differs from run to run: times and dates."""
    text = re.sub(r"\d{4}-\d\d-\d\d", "DATE", text.strip())
    return re.sub(r"\d\d:\d\d(:\d\d)?", "TIME", text)


class Page:
    """The examples of a page. A block is run by the method that has its language's name."""

    def __init__(self, machine):
        self.machine = machine

    def prepare(self):
        """Makes what the page takes for granted."""

    def finish(self):
        """Checks what the page says of what comes after its last example."""

    def replaced(self, line):
        """The line as it is run: with a value in place of what only a reader knows."""
        return line

    def run(self, block):
        getattr(self, block.language)(block)

    def command(self, line):
        """Runs a line of shell. A hub or a simulator runs on until the end of the page."""
        if re.match(r"hearth hub\b", line):
            self.machine.start_hub(line.removeprefix("hearth hub").strip())
        elif re.match(r"hearth simulator\b", line):
            self.machine.start_simulator(line.removeprefix("hearth simulator").strip())
        else:
            return self.machine.run(line)
        return ""

    def sh(self, block):
        for line in re.sub(r"\\\n\s*", "", block.text).split("\n"):
            self.command(self.replaced(line))

    def console(self, block):
        """Runs a session: what follows a command is what it prints."""
        for part in re.split(r"^\$ ", block.text, flags=re.MULTILINE)[1:]:
            line, _, expected = part.partition("\n")
            printed = self.command(self.replaced(line))
            if steady(printed) != steady(expected):
                raise Failure(f"{line}\nprinted:\n{printed}\nthe page says:\n{expected}")

    def json(self, block):
        json.loads(block.text)

    def start_home(self, *accessories, options=""):
        """A hub with a home, and a simulated bridge with accessories, one of which can be named to be in a room: (room, accessory)."""
        machine = self.machine
        self.hub = machine.start_hub(options)
        machine.run("hearth home add 'My Home'")
        if accessories:
            machine.write("bridge.json", bridge(*[each[1] for each in accessories]))
            self.simulator = machine.start_simulator("bridge.json --data bridge")
            machine.environment["HEARTH_SIMULATOR"] = machine.path("bridge/.control/socket")
            machine.add("Bridge")
            for room in dict.fromkeys(each[0] for each in accessories):
                machine.run(f"hearth room add '{room}'")
            for room, each in accessories:
                machine.run(f"hearth accessory move '{each['name']}' '{room}'")

    def request(self, path, body, token=None, port=8080):
        """Sends a request over HTTP, and returns its response as JSON, also that of an error."""
        headers = {"Content-Type": "application/json", **({"Authorization": f"Bearer {token}"} if token else {})}
        request = urllib.request.Request(f"http://127.0.0.1:{port}{path}", json.dumps(body).encode(), headers)
        try:
            with urllib.request.urlopen(request, timeout=PATIENCE) as response:
                return json.load(response)
        except urllib.error.HTTPError as error:
            return json.load(error)

    def sign_in(self, user=None):
        """Signs in over HTTP and returns the token."""
        code = self.machine.json("hearth login --json" + (f" --user {user}" if user else ""))["code"]
        return self.request("/login", {"code": code, "name": "Test"})["token"]


class Readme(Page):
    def prepare(self):
        demo = self.machine.start("hearth demo --files Examples/DemoHome", r"In a browser:")
        self.machine.environment["HEARTH_SOCKET"] = re.search(r"export HEARTH_SOCKET=(\S+)", demo.printed())[1]

    def sh(self, block):
        if block.text.startswith("hearth hub"):
            # “Without the demo's HEARTH_SOCKET.”
            del self.machine.environment["HEARTH_SOCKET"]
        super().sh(block)

    def command(self, line):
        if line == "hearth accessory add":
            return self.add_in_dialogue()
        return super().command(line)

    def add_in_dialogue(self):
        """Answers on a terminal what the page says the command asks for."""
        code = re.search(r"code (\d{3}-\d\d-\d{3})", self.machine.programs[-1].printed())[1]
        rules = [
            {"prompt": "Name of the home", "send": ""},
            {"prompt": "Latitude", "send": ""},
            {"prompt": "Accessory", "send": "Thermostat", "seen": "Thermostat", "otherwise": "Look Again"},
            {"prompt": "Setup code", "send": code},
            {"prompt": "Answer", "send": "add anyway"},
            {"prompt": "Name", "send": ""},
            {"prompt": "Room", "send": ""},
            {"prompt": "Favorite", "send": ""},
        ]
        hearth = os.path.join(self.machine.path("bin"), "hearth")
        terminal = os.path.join(self.machine.root, "Tests/Peers/terminal.py")
        result = json.loads(subprocess.run(
            [sys.executable, "-B", terminal, json.dumps(rules), hearth, "accessory", "add"],
            env=self.machine.environment, capture_output=True, text=True, timeout=PATIENCE, check=True,
        ).stdout)
        if result["status"] or "Added Thermostat" not in result["text"]:
            raise Failure(result["text"])
        return result["text"]


class AccessoryFiles(Page):
    """Each block is a file, or a part of one, that a simulator runs."""

    def prepare(self):
        self.files = []

    def json(self, block):
        name = f"file{len(self.files)}.json"
        if block.text.startswith('"'):
            described = lamp("Lamp", 1)
            described["services"][0]["characteristics"].update(json.loads("{" + block.text + "}"))
            content = accessory(described, category="Lightbulb")
        else:
            content = json.loads(block.text)
            if "format" in content:
                self.example = block.text
            else:
                content = accessory({"name": f"Example {len(self.files)}", "category": "Other", "services": [content]})
        self.machine.write(name, {**content, "serialNumber": name})
        self.files.append(name)

    def text(self, block):
        self.machine.write("lamp.json", self.example.replace("40", "101"))
        printed = self.machine.run("hearth simulator lamp.json --data lamp", status=1)
        if block.text not in printed:
            raise Failure(f"printed:\n{printed}\nthe page says:\n{block.text}")

    def finish(self):
        simulator = self.machine.start_simulator(f"{' '.join(self.files)} --data examples")
        for _ in self.files:
            wait(lambda: len(re.findall(r"  id \S+  port", simulator.printed())) == len(self.files), "starting all files")


class AirPlay(Page):
    """Plays two seconds to receivers."""

    READY = r"^Kitchen"

    def prepare(self):
        self.machine.run("ffmpeg -v error -f lavfi -i sine=duration=2 song.mp3; ffmpeg -v error -f lavfi -i color -frames:v 1 cover.jpg")
        self.machine.run("ffmpeg -v error -i song.mp3 -ar 44100 -c:a pcm_s16le song.wav")
        self.receiver = self.machine.start("hearth airplay receive --name Kitchen --pcm first.pcm --meta song.json", self.READY)
        self.machine.start("hearth airplay receive --name Bath --pcm bath.pcm", "^Bath")

    def command(self, line):
        if line.startswith("hearth airplay receive"):
            self.machine.stop(self.receiver)
            self.receiver = self.machine.start(line, self.READY)
            return ""
        return super().command(line.replace("ffmpeg", "ffmpeg -v error -y", 1))

    def json(self, block):
        with open(self.machine.path("song.json"), encoding="utf-8") as file:
            written = json.load(file)
        if not written.keys() <= json.loads(block.text).keys():
            raise Failure(f"the receiver wrote {written}")


class Apps(Page):
    def prepare(self):
        self.start_home()

    def sh(self, block):
        if block.text.startswith("HEARTH_SOCKET="):
            expected = re.sub(r"UID=\d+", "UID=0", block.text)
            if expected not in self.printed:
                raise Failure(f"printed:\n{self.printed}\nthe page says:\n{block.text}")
        else:
            super().sh(block)

    def command(self, line):
        self.printed = super().command(line)
        return self.printed


class Assistants(Page):
    INITIALIZE = {
        "jsonrpc": "2.0", "id": 1, "method": "initialize",
        "params": {"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": {"name": "Claude", "version": "1"}},
    }

    def prepare(self):
        self.start_home(options="--http 8080 --ask-apps")

    def json(self, block):
        server = json.loads(block.text)["mcpServers"]["home"]
        if "command" in server:
            line = " ".join([server["command"], *server["args"]])
            tools = {"jsonrpc": "2.0", "id": 2, "method": "tools/list"}
            sent = "".join(json.dumps(each) + "\n" for each in (self.INITIALIZE, {"jsonrpc": "2.0", "method": "notifications/initialized"}, tools))
            printed = self.machine.run(line, text=sent)
            if '"list_homes"' not in printed:
                raise Failure(f"{line} answered:\n{printed}")
        else:
            headers = {name: value.replace("TOKEN", self.sign_in()) for name, value in server["headers"].items()}
            headers.update({"Content-Type": "application/json", "Accept": "application/json, text/event-stream"})
            request = urllib.request.Request(server["url"], json.dumps(self.INITIALIZE).encode(), headers)
            with urllib.request.urlopen(request, timeout=PATIENCE) as response:
                if b'"serverInfo"' not in response.read():
                    raise Failure("no answer from the hub's /mcp")


class Automations(Page):
    def prepare(self):
        self.start_home(("Study", lamp("Desk Lamp", 1)), options="--clock manual")
        self.machine.run("hearth home place 48.1 11.6; hearth presence set me away")


class Backups(Page):
    def prepare(self):
        data = "--data ~/.local/state/hearth"
        self.start_home(options=data)
        # The hub makes the day's copy when it starts.
        self.machine.stop(self.hub)
        self.hub = self.machine.start_hub(data)
        copies = self.machine.path(".local/state/hearth/copies")
        wait(lambda: os.path.isdir(copies) and any(each.endswith(".sqlite") for each in os.listdir(copies)), "the day's copy")

    def replaced(self, line):
        if line.startswith("hearth restore"):
            copies = self.machine.path("hearth-before/copies")
            if os.path.isdir(copies):
                # A copy is a day's; the page names one.
                line = re.sub(r"~\S*/hearth-[\d-]+\.sqlite", lambda _: os.path.join(copies, sorted(os.listdir(copies))[0]), line)
            else:
                # “Stop the old hub for good.”
                self.machine.stop(self.hub)
                os.rename(self.machine.path(".local/state/hearth"), self.machine.path("hearth-before"))
        return f"echo '{PASSPHRASE}' | {line} --passphrase-fd 0" if "home.age" in line else line


class Checks(Page):
    def prepare(self):
        description = accessory(lamp("Lamp", 1), category="Lightbulb")
        self.machine.write("lamp.json", description)
        self.machine.start_simulator("lamp.json --data lamp --port 51826")


class CheckingInCI(Page):
    """Runs the steps of the jobs, with a simulator as the accessory."""

    def prepare(self):
        machine = self.machine
        machine.write("lamp.json", accessory(lamp("Lamp", 1), category="Lightbulb"))
        self.script("my-accessory", 'exec hearth simulator lamp.json --data lamp --port "$2"')
        # The packages' tools, which must be asked for a package that is there.
        self.script("bin/sudo", 'exec "$@"')
        self.script("bin/apt-get", 'for word in "$@"; do case $word in ./*) test -s "$word" ;; esac; done')
        machine.write("package", "package")
        machine.write("hearth.deb", "package")
        machine.environment.update(HEARTH_PACKAGE=f"file://{machine.path('package')}", GITHUB_STEP_SUMMARY=machine.path("summary.md"))

    def script(self, name, text):
        self.machine.write(name, f"#!/bin/bash\n{text}\n")
        os.chmod(self.machine.path(name), 0o755)

    def yaml(self, block):
        jobs = yaml.safe_load(block.text)
        if "jobs" in jobs:
            steps = jobs["jobs"]["check"]["steps"]
            scripts = [each["run"] for each in steps if "run" in each]
            published = steps[-1]["with"]["path"].split()
        else:
            # One shell runs the job of GitLab. Its checks are those of the other job.
            scripts = ["\n".join(jobs["hap"]["script"]).replace("--junit", "--only advertising --only pair-setup --junit")]
            published = [jobs["hap"]["artifacts"]["reports"]["junit"]]
        for name in published:
            self.machine.run(f"rm -rf {name}")
        job = self.machine.path("job")
        try:
            for script in scripts:
                self.machine.run(re.sub(r"(my-accessory .*&)$", rf"\1\necho $! >{job}", script, flags=re.MULTILINE))
        finally:
            # The accessory runs until the end of the job, and is this process's child: it is the namespace's first.
            with open(job, encoding="utf-8") as file:
                accessory_process = int(file.read())
            os.kill(accessory_process, signal.SIGTERM)
            os.waitpid(accessory_process, 0)
        for name in published:
            if not os.path.exists(self.machine.path(name)):
                raise Failure(f"the job makes no {name}")

    def finish(self):
        with open(self.machine.path("summary.md"), encoding="utf-8") as file:
            summary = file.read()
        if not re.match(r"## HAP checks\n```\n", summary) or not re.search(r"\d+ passed, 0 failed, 0 warnings, \d+ skipped\n```\n$", summary):
            raise Failure(f"the summary is:\n{summary}")


class ControllerChecks(Page):
    """Tests the hub in the first scenario. The command may not end with success, but each check must pass."""

    def prepare(self):
        self.start_home()
        drive = """
            import os, subprocess
            place = ["--host", os.environ["HEARTH_CHECK_HOST"], "--port", os.environ["HEARTH_CHECK_PORT"]]
            add = ["hearth", "accessory", "add", *place, "--code", "-"]
            subprocess.run(add, input=os.environ["HEARTH_CHECK_CODE"], text=True, check=True)
            for words in (["set", "Lamp", "On", "true"], ["accessory", "remove", os.environ["HEARTH_CHECK_NAME"]]):
                subprocess.run(["hearth", *words], check=True)
        """
        self.machine.write("drive.py", textwrap.dedent(drive))

    def replaced(self, line):
        return line + " --scenario plain"

    def yaml(self, block):
        steps = yaml.safe_load(block.text)
        self.machine.run(self.replaced(steps[0]["run"]))
        if not os.path.exists(self.machine.path(steps[-1]["with"]["path"])):
            raise Failure("the job makes no report")


class DuplicateHubs(Page):
    def prepare(self):
        hub = self.machine.start_hub()
        self.machine.run("hearth home add 'My Home'")
        self.machine.stop(hub)


class ExportAndImport(Page):
    def prepare(self):
        self.start_home(("Study", lamp("Desk Lamp", 1)))


class Faults(Page):
    def prepare(self):
        self.machine.write("lamp.json", accessory(lamp("Hall Lamp", 1), category="Lightbulb"))
        self.machine.start_simulator("lamp.json --data lamp")
        self.machine.environment["HEARTH_SIMULATOR"] = self.machine.path("lamp/.control/socket")

    def text(self, block):
        self.machine.run(f"hearth sim fault 'Hall Lamp' '{block.text}'")


class HTTP(Page):
    def prepare(self):
        self.names, self.replies = {}, []

    def replaced(self, line):
        if "7K3M-Q9TX" in line:
            line = line.replace("7K3M-Q9TX", self.machine.json("hearth login --json")["code"])
        return line

    def command(self, line):
        printed = super().command(line)
        if line.startswith("curl"):
            reply = json.loads(printed)
            self.replies.append(reply)
            if "token" in reply:
                self.machine.environment["TOKEN"] = reply["token"]
        return printed

    def json(self, block):
        token = self.machine.environment["TOKEN"]
        if "error" in block.text[:10]:
            self.replies.append(self.request("/api/home.add", {"name": "Villa"}, token))
        pattern.match(pattern.parse(block.text.replace("\n", "")), self.replies[-1], self.names)

    def xml(self, block):
        token = self.machine.environment["TOKEN"]
        symbol = self.request("/api/login.create", {}, token)["result"]["links"][0]["symbol"]
        size = symbol["side"] + 8
        made = f'<svg viewBox="-4 -4 {size} {size}"><rect x="-4" y="-4" width="{size}" height="{size}" fill="white"/><path d="{symbol["path"]}"/></svg>'
        start, _, end = block.text.partition("…")
        if not (made.startswith(start) and made.endswith(end)):
            raise Failure(f"a symbol is:\n{made[:200]}")

    def http(self, block):
        head, _, body = block.text.partition("\n\n")
        method, path = head.split("\n")[0].split(" ")
        headers = dict(line.split(": ", 1) for line in head.split("\n")[1:])
        headers["Authorization"] = headers["Authorization"].replace("…", self.machine.environment["TOKEN"])
        # What the client has seen: nothing of this hub.
        seen = {"account": {"lineage": "6B0E4B53-8A4C-4C9C-9C6B-3F2B3D6E8F10", "revision": 0}, "homes": {}}
        data = json.dumps({**pattern.parse(body), "seen": seen}).encode()
        request = urllib.request.Request(f"http://127.0.0.1:8080{path}", data, headers, method=method)
        self.stream = urllib.request.urlopen(request, timeout=PATIENCE)

    def text(self, block):
        for shown in block.text.split("\n\n"):
            actual = self.event()
            shown = dict(line.split(": ", 1) for line in shown.split("\n"))
            for name, value in shown.items():
                if name == "data":
                    pattern.match(pattern.parse(value), json.loads(actual[name]), self.names)
                elif name == "id":
                    if not re.fullmatch(r"[\w-]+\.\d+", actual[name]):
                        raise Failure(f"the event's ID is {actual[name]}")
                elif actual.get(name) != value:
                    raise Failure(f"the event is {actual}")

    def event(self):
        lines = {}
        while True:
            line = self.stream.readline().decode().rstrip("\n")
            if not line and lines.get("event"):
                return lines
            name, _, value = line.partition(": ")
            if name:
                lines[name] = value

    def finish(self):
        self.stream.close()


class HubProtocol(Page):
    """Sends the requests of the page, and looks for the messages that it shows in what comes."""

    def prepare(self):
        self.start_home(("Study", lamp("Desk Lamp", 1)), options="--http 8080")
        self.machine.run("hearth user add Ben")
        self.path = os.path.join(self.machine.path("run"), "hearth/hub.sock")
        self.names = {"0B5E…": "0B5E8A4C-6B0E-4B53-9C6B-3F2B3D6E8F10"}
        connection, state = self.connect({})
        home = next(iter(state["homes"]))
        connection.close()
        records = state["homes"][home]["records"]
        desk_lamp = next(each for each in records if each.get("name") == "Desk Lamp")
        self.names.update({"6F0C…": home, "3D21…": desk_lamp["id"]})
        shape = next(each for each in records if each["id"] == desk_lamp["shape"])
        #: The instance ID of the lamp's On.
        self.power = next(each["iid"] for service in shape["services"] for each in service["characteristics"] if each["type"] == "25")

    def connect(self, more):
        """Connects as the page's app, and returns the connection with its state."""
        connection = Connection(self.path)
        connection.send({"jsonrpc": "2.0", "id": 0, "method": "session.hello", "params": {"version": 7, "app": "com.example.lights", "purpose": "Switches lights.", **more}})
        state = connection.receive()["params"]
        while connection.receive().get("id") != 0:
            pass
        return connection, state

    def text(self, block):
        getattr(self, "at_" + re.sub(r"\W+", "_", block.section.lower()), self.exchange)(block)

    def exchange(self, block, act=None):
        """Sends and receives what a block shows. `act` makes happen what the block's messages report."""
        lines = re.sub(r"\n\s+", "", block.text).split("\n")
        connection = Connection(self.path) if "session.hello" in lines[0] else self.connect({})[0]
        waiting = None
        for line in lines:
            message = pattern.parse(line[2:])
            if line.startswith("→"):
                if message["method"] == "session.hello":
                    message["params"].setdefault("app", "com.example.lights")
                    message["params"].setdefault("purpose", "Switches lights.")
                connection.send(pattern.filled(message, self.names))
                waiting = message["id"]
                if act:
                    while connection.receive().get("id") != waiting:
                        pass
                    act()
                    act = waiting = None
            else:
                self.expect(connection, message)
                waiting = None if message.get("id") == waiting else waiting
        # What the page doesn't show is the reply to its last request.
        while waiting is not None:
            reply = connection.receive()
            if reply.get("id") == waiting:
                if "error" in reply:
                    raise Failure(f"the hub replied: {reply}")
                waiting = None
        connection.close()

    def expect(self, connection, shown):
        """Waits for the message that the page shows."""
        while True:
            actual = connection.receive()
            if actual.get("method") == shown.get("method") and actual.get("id") == shown.get("id"):
                pattern.match(shown, actual, self.names)
                return

    def at_follow_values(self, block):
        values, reachability = block.text.split("\n")
        home, lamp_id = self.names["6F0C…"], self.names["3D21…"]
        connection, _ = self.connect({"subscriptions": {home: {lamp_id: [self.power]}}})
        self.machine.run("hearth set 'Desk Lamp' On on")
        self.expect(connection, pattern.parse(values[2:]))
        # Nothing listens any more.
        self.machine.stop(self.simulator)
        self.expect(connection, pattern.parse(reachability[2:]))
        connection.close()
        self.simulator = self.machine.start_simulator("bridge.json --data bridge")

    def at_retry_a_request(self, block):
        self.machine.run("hearth room remove Kitchen")
        self.exchange(block)

    def at_resume(self, block):
        if "subscriptions" in block.text:
            return self.exchange(block)
        connection, state = self.connect({})
        seen = {"account": position(state["account"]), "homes": {id: position(each) for id, each in state["homes"].items()}}
        connection.close()
        self.machine.run("hearth room add Hall")
        lines = block.text.split("\n")
        shown = pattern.parse(lines[0][2:])
        same_shape(shown["params"]["seen"], {"account": seen["account"], "homes": {"6F0C…": seen["homes"][self.names["6F0C…"]]}})
        connection = Connection(self.path)
        shown["params"].update(seen=seen, app="com.example.lights", purpose="Switches lights.")
        connection.send(shown)
        for line in lines[1:]:
            self.expect(connection, pattern.parse(line[2:]))
        connection.close()

    def at_answer_questions(self, block):
        self.machine.write("porch.json", accessory(lamp("Porch Lamp", 2), category="Lightbulb"))
        self.machine.start_simulator("porch.json --data porch")
        device = wait(lambda: self.machine.found("Porch Lamp"), "discovering the lamp")
        adding = []

        def start_adding():
            # A client is told of questions that are asked after it listed them.
            adding.append(self.machine.start(f"hearth accessory add --id {device}", ""))

        self.exchange(block, start_adding)
        adding[0].wait_for("Added Porch Lamp")
        adding[0].process.wait(PATIENCE)

    def at_access_and_identity(self, block):
        """A guest may not change the home."""
        reply = self.request("/api/room.add", {"home": self.names["6F0C…"], "name": "Attic"}, self.sign_in("Ben"))
        shown = pattern.parse(block.text[2:])["error"]
        if reply["error"]["code"] != shown["data"]["code"]:
            raise Failure(f"a guest gets {reply}")
        connection, _ = self.connect({})
        actual = connection.call(9, "room.add", {"home": self.names["6F0C…"], "name": "Kitchen"})
        connection.close()
        shown["data"]["code"] = actual["error"]["data"]["code"]
        pattern.match(shown, actual["error"], self.names)

    def at_errors(self, block):
        connection, _ = self.connect({})
        actual = connection.call(3, "room.add", {"home": self.names["6F0C…"], "name": "Kitchen"})
        connection.close()
        pattern.match(pattern.parse(re.sub(r"\n\s+", "", block.text)[2:]), actual, self.names)


def position(log):
    return {"lineage": log["lineage"], "revision": log["revision"]}


def same_shape(shown, actual):
    if isinstance(shown, dict):
        if set(shown) != set(actual):
            raise Failure(f"{set(shown)} on the page, {set(actual)} is right")
        for key, value in shown.items():
            same_shape(value, actual[key])


class Journal(Page):
    def prepare(self):
        closed = {"CurrentDoorState": "Closed", "TargetDoorState": "Closed"}
        garage = {"name": "Garage Door", "serialNumber": "GARAGE-1", "services": [{"type": "GarageDoorOpener", "characteristics": closed}]}
        self.start_home(("Study", lamp("Desk Lamp", 1)), ("Garage", garage), options="--clock manual")
        # The next day begins.
        hours, minutes, seconds = map(int, re.search(r"(\d\d):(\d\d):(\d\d)", self.machine.run("hearth clock show")).groups())
        self.machine.run(f"hearth clock advance {23 - hours}h{59 - minutes}m{60 - seconds}s")
        self.machine.run("hearth home place 48.1 11.6; hearth presence set me home; hearth scene add Evening; hearth scene set Evening 'Desk Lamp' On on")

    def replaced(self, line):
        run = self.machine.run
        if line == 'hearth why "Desk Lamp"':
            run("hearth automation add 'Evening Lights' '15 minutes after sunset if Ann is home' --scene Evening")
            run("hearth clock advance 20h")
        elif line == 'hearth why "Garage Door"':
            run("hearth sim set 'Garage Door' CurrentDoorState Open")
            wait(lambda: "opened" in run("hearth why 'Garage Door'"), "the door's report")
        elif line == 'hearth why "Evening Lights"':
            run("hearth automation edit 'Evening Lights' 'at 08:00 if it is after sunset'; hearth clock advance 20h")
        elif line.startswith("hearth log"):
            run("hearth set 'Desk Lamp' On off; hearth automation edit 'Evening Lights' '15 minutes after sunset'; hearth clock advance 1d; hearth set 'Desk Lamp' On off")
        return line


class Monitoring(Page):
    def prepare(self):
        self.start_home(("Study", lamp("Desk Lamp", 1)), options="--data DIR")

    def text(self, block):
        self.machine.stop(self.simulator)
        shown = re.fullmatch(r"\S+ (\w+) ([^=]+\.) (.*)", block.text)
        line = self.hub.wait_for(rf"^\d{{4}}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{{3}}Z {shown[1]} {re.escape(shown[2])} (.*)$")
        names = [re.findall(r"(\w+)=(?:\"[^\"]*\"|\S+)", each) for each in (shown[3], line[1])]
        if names[0] != names[1]:
            raise Failure(f"the log's line is: {line[0]}")
        self.machine.stop(self.hub)

    def yaml(self, block):
        content = yaml.safe_load(block.text)
        if isinstance(content, dict):
            self.target = content["scrape_configs"][0]["static_configs"][0]["targets"][0]
            return
        with urllib.request.urlopen(f"http://{self.target}/metrics", timeout=PATIENCE) as response:
            metrics = response.read().decode()
        name, _, value = content[0]["expr"].partition(" == ")
        if not re.search(rf"^{name}\{{.*\}} {value}", metrics, re.MULTILINE):
            raise Failure(f"{content[0]['expr']} finds nothing in:\n{metrics}")


class Onboarding(Page):
    DEVICE = "3C:5A:B4:01:02:03"

    def prepare(self):
        self.machine.write("lamp.json", accessory(lamp("Lamp", 1), category="Lightbulb", deviceID=self.DEVICE))
        self.simulate("lamp.json --data first --setup-interface wlan1 --mdns-interface wlan0 --network 'My Wi-Fi' --passphrase -")

    def simulate(self, options):
        return self.machine.start(f"hearth simulator {options}", r"Lamp", text=f"{PASSPHRASE}\n")

    def command(self, line):
        if line.startswith("hearth simulator"):
            return self.simulate(line.removeprefix("hearth simulator "))
        if line.startswith("hearth hub"):
            super().command(line)
            return self.machine.run("hearth home add 'My Home'")
        if line == "hearth accessory configure":
            return wait(lambda: "Lamp" in super(Onboarding, self).command(line), "the lamp")
        if "--network" in line:
            return self.machine.run(f"{line} --passphrase -", text=f"{PASSPHRASE}\n")
        return self.machine.run(f"{line} --code -", text=f"{CODE}\n")


class People(Page):
    """Ann's hub, with a phone that is signed in to the page."""

    def prepare(self):
        self.start_home(("Study", lamp("Desk Lamp", 1)), options="--http 8080")
        code = self.machine.json("hearth login --json")["code"]
        self.request("/login", {"code": code, "name": "Ann's Phone", "staySignedIn": True})

    def finish(self):
        names = [each["name"] for each in self.machine.json("hearth device list --json")]
        if "Ann's Phone" in names:
            raise Failure(f"the stolen phone is still there: {names}")
        users = self.machine.json("hearth user list --json")
        if [each["role"] for each in users] != ["owner", "guest"]:
            raise Failure(f"the users are {users}")


class Scenarios(Page):
    def json(self, block):
        self.machine.write("lamp.json", accessory(lamp("Hall Lamp", 1), category="Lightbulb"))
        sensor = {"name": "Motion Sensor", "serialNumber": "MOTION-1", "services": [{"type": "MotionSensor", "characteristics": {"MotionDetected": False}}]}
        self.machine.write("motion-sensor.json", accessory(sensor, category="Sensor"))
        self.machine.write("scenario.json", block.text)
        self.machine.run("hearth sim run scenario.json")


class Simulator(Page):
    def prepare(self):
        self.machine.write("garage.json", bridge(lamp("Floor Lamp", 1), lamp("Hall Lamp", 2)))

    def text(self, block):
        connection = Connection(self.machine.path("data/.control/socket"))
        request = json.loads(block.text[2:])
        reply = connection.call(request["id"], request["method"], request["params"])
        connection.close()
        if "error" in reply:
            raise Failure(f"the simulator replied: {reply}")


class Troubleshooting(Page):
    def prepare(self):
        self.start_home(("Porch", lamp("Porch Lamp", 1)))


class Voice(Page):
    def command(self, line):
        printed = super().command(line)
        if line.startswith("hearth hub"):
            self.machine.run("hearth home add 'My Home'; hearth room add Kitchen")
        return printed

    def text(self, block):
        path = os.path.join(self.machine.root, "Tools/generate-languages")
        loader = importlib.machinery.SourceFileLoader("generate_languages", path)
        module = importlib.util.module_from_spec(importlib.util.spec_from_loader(loader.name, loader))
        loader.exec_module(module)
        known = module.meanings()
        for line in block.text.split("\n"):
            meaning, _, phrases = line.partition(": ")
            kind, _, value = meaning.partition(".")
            if kind in known and value not in known[kind] or kind not in (*known, "filler", "number"):
                raise Failure(f"no such meaning: {meaning}")
            for phrase in phrases.split(" | "):
                module.expand(phrase.strip(), {})


class Examples(Page):
    """A page whose examples only have to run."""


PAGES = {
    "README.md": Readme,
    "Documentation/AccessoryFiles.md": AccessoryFiles,
    "Documentation/AirPlay.md": AirPlay,
    "Documentation/Apps.md": Apps,
    "Documentation/Assistants.md": Assistants,
    "Documentation/Automations.md": Automations,
    "Documentation/Backups.md": Backups,
    "Documentation/CheckingInCI.md": CheckingInCI,
    "Documentation/Checks.md": Checks,
    "Documentation/ControllerChecks.md": ControllerChecks,
    "Documentation/DuplicateHubs.md": DuplicateHubs,
    "Documentation/ExportAndImport.md": ExportAndImport,
    "Documentation/Faults.md": Faults,
    "Documentation/HTTP.md": HTTP,
    "Documentation/HubProtocol.md": HubProtocol,
    "Documentation/Journal.md": Journal,
    "Documentation/Monitoring.md": Monitoring,
    "Documentation/Onboarding.md": Onboarding,
    "Documentation/People.md": People,
    "Documentation/Scenarios.md": Scenarios,
    "Documentation/Simulator.md": Simulator,
    "Documentation/Troubleshooting.md": Troubleshooting,
    "Documentation/Voice.md": Voice,
}
