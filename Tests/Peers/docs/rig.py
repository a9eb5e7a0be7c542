"""The machine on which the documentation's examples run: a network and folders of its own, with a hub, accessories and their users."""

import json
import os
import re
import shutil
import socket
import subprocess
import tempfile
import time

#: The seconds after which something hangs; nothing that works takes as long, even on a busy machine.
PATIENCE = 180
#: The address of the machine's network interface, as the pages name it.
ADDRESS = "192.168.1.20"


class Failure(Exception):
    """An example that doesn't do what its page says."""


def wait(is_done, what):
    """Waits for a condition."""
    end = time.monotonic() + PATIENCE
    while True:
        if result := is_done():
            return result
        if time.monotonic() > end:
            raise Failure(f"{what} did not happen within {PATIENCE} s")
        time.sleep(0.05)


def set_up_machine():
    """Gives this process's namespaces the interfaces and the users that the pages name. Run it only in namespaces of its own."""

    def run(*words):
        subprocess.run(words, check=True)

    run("ip", "link", "set", "lo", "up")
    for interface, peer in (("wlan0", "net0"), ("wlan1", "net1"), ("ap0", "net2")):
        run("ip", "link", "add", interface, "type", "veth", "peer", "name", peer)
        for each in (interface, peer):
            run("ip", "link", "set", each, "up")
    run("ip", "addr", "add", f"{ADDRESS}/24", "dev", "wlan0")
    run("ip", "addr", "add", "192.168.2.20/24", "dev", "wlan1")
    run("ip", "addr", "add", "192.168.3.20/24", "dev", "ap0")
    for folder in ("/run", "/srv", "/var/lib"):
        run("mount", "-t", "tmpfs", "tmpfs", folder)
    # The person at this machine is Ann, and there is a group for an app.
    for file, edit in (("/etc/passwd", lambda text: re.sub(r"^root:", "Ann:", text)), ("/etc/group", lambda text: text + "lights:x:4242:\n")):
        with open(file, encoding="utf-8") as source:
            text = source.read()
        changed = os.path.join("/run", os.path.basename(file))
        with open(changed, "w", encoding="utf-8") as out:
            out.write(edit(text))
        run("mount", "--bind", changed, file)


class Program:
    """A program that runs until it is ended, and what it has printed."""

    def __init__(self, words, folder, environment, text=None):
        self.words = words
        self.output = tempfile.TemporaryFile("w+", dir=folder)
        self.process = subprocess.Popen(
            words, cwd=folder, env=environment, stdin=subprocess.PIPE, stdout=self.output, stderr=subprocess.STDOUT, text=True
        )
        if text is not None:
            self.process.stdin.write(text)
        self.process.stdin.close()

    def printed(self):
        # The program writes at the file's end, so reading must not move the offset that both share.
        return os.pread(self.output.fileno(), 1 << 22, 0).decode(errors="replace")

    def wait_for(self, pattern):
        """Waits until it has printed something, and returns the match."""

        def look():
            match = re.search(pattern, self.printed(), re.MULTILINE)
            if not match and self.process.poll() is not None:
                raise Failure(f"{self.words} ended with {self.process.returncode}:\n{self.printed()}")
            return match

        return wait(look, f"{self.words} printing {pattern!r}")

    def end(self):
        if self.process.poll() is None:
            self.process.terminate()
        try:
            return self.process.wait(PATIENCE)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()
            raise Failure(f"{self.words} did not end") from None


class Machine:
    """The folders, programs and environment of one page's examples."""

    def __init__(self, root, hearth):
        self.root = root
        # A socket's path is short.
        self.folder = tempfile.mkdtemp(prefix="docs-", dir="/run")
        self.programs = []
        links = self.path("bin")
        os.mkdir(links)
        os.symlink(os.path.abspath(hearth), os.path.join(links, "hearth"))
        os.symlink(os.path.join(root, "Examples"), self.path("Examples"))
        os.mkdir(self.path("run"), 0o700)
        kept = {name: value for name, value in os.environ.items() if not name.startswith(("HEARTH", "XDG"))}
        self.environment = {
            **kept, "PATH": f"{links}:{os.environ['PATH']}", "HOME": self.folder, "XDG_RUNTIME_DIR": self.path("run"),
            "XDG_STATE_HOME": self.path(".local/state"), "TZ": "Europe/Berlin", "LANG": "C.UTF-8", "NO_COLOR": "1",
        }

    def path(self, name):
        return os.path.join(self.folder, name)

    def write(self, name, content):
        os.makedirs(os.path.dirname(self.path(name)), exist_ok=True)
        with open(self.path(name), "w", encoding="utf-8") as file:
            file.write(content if isinstance(content, str) else json.dumps(content, indent=2))

    def start(self, line, ready, text=None):
        """Starts a program that runs on, and waits until it says that it is ready."""
        program = Program(["bash", "-c", f"exec {line}"], self.folder, self.environment, text)
        self.programs.append(program)
        program.wait_for(ready)
        return program

    def run(self, line, status=0, text=""):
        """Runs a line of shell, keeps the variables that it exports, and returns what it prints."""
        kept = self.path("environment")
        script = f"set -eo pipefail\n{line}\nenv -0 >{kept}"
        # A file rather than a pipe, which a program that the line leaves running would keep open.
        with tempfile.TemporaryFile("w+", dir=self.folder) as output, tempfile.TemporaryFile("w+", dir=self.folder) as given:
            given.write(text)
            given.seek(0)
            result = subprocess.run(
                ["bash", "-c", script], cwd=self.folder, env=self.environment, stdin=given, stdout=output, stderr=output, timeout=PATIENCE
            )
            output.seek(0)
            printed = output.read()
        if result.returncode != status:
            raise Failure(f"{line}\nended with {result.returncode}:\n{printed}")
        if status == 0:
            with open(kept, encoding="utf-8") as file:
                self.environment = dict(each.split("=", 1) for each in file.read().split("\0") if "=" in each)
            self.environment.pop("_", None)
        return printed

    def json(self, line):
        return json.loads(self.run(line))

    def start_hub(self, options=""):
        return self.start(f"hearth hub {options}", r"^The hub is ready at")

    def start_simulator(self, options):
        return self.start(f"hearth simulator {options}", r"^\S.*  id \S+  port \d+|not on the network|waits")

    def stop(self, program):
        """Ends a program before the end of the page."""
        self.programs.remove(program)
        if status := program.end():
            raise Failure(f"{program.words[-1]} ended with {status}")

    def add(self, name, room=None):
        """Adds an accessory that a simulator of this machine runs, as soon as the hub has discovered it."""
        where = f" --room '{room}'" if room else ""
        device = wait(lambda: self.found(name), f"discovering {name}")
        return self.run(f"echo 482-11-957 | hearth accessory add --code - --id {device}{where}")

    def found(self, name):
        for line in self.run("hearth accessory browse --for 1").splitlines():
            if match := re.match(r"((?:[0-9A-F]{2}:){5}[0-9A-F]{2})\s+(.*?)(?:  |$)", line):
                if match[2] == name:
                    return match[1]
        return None

    def end(self):
        """Ends what runs, and removes the folder."""
        failed = []
        for program in reversed(self.programs):
            if status := program.end():
                failed.append(f"{program.words[-1]} ended with {status}:\n{program.printed()[-2000:]}")
        shutil.rmtree(self.folder, ignore_errors=True)
        for folder in ("/srv/hearth", "/run/lights", "/var/lib/hearth"):
            shutil.rmtree(folder, ignore_errors=True)
        if failed:
            raise Failure("\n".join(failed))


class Connection:
    """A connection that carries JSON-RPC, a message a line."""

    def __init__(self, path):
        self.socket = socket.socket(socket.AF_UNIX)
        self.socket.settimeout(PATIENCE)
        self.socket.connect(path)
        self.reader = self.socket.makefile("r", encoding="utf-8")

    def send(self, message):
        self.socket.sendall((json.dumps(message) + "\n").encode())

    def receive(self):
        try:
            line = self.reader.readline()
        except TimeoutError:
            raise Failure(f"no message within {PATIENCE} s") from None
        if not line:
            raise Failure("the connection ended")
        return json.loads(line)

    def call(self, identifier, method, parameters):
        """Sends a request and returns its reply, skipping what comes before it."""
        self.send({"jsonrpc": "2.0", "id": identifier, "method": method, "params": parameters})
        while (message := self.receive()).get("id") != identifier or "method" in message:
            pass
        return message

    def close(self):
        self.reader.close()
        self.socket.close()
