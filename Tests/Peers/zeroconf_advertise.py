"""Advertises a service with python-zeroconf and says what happens, one JSON object a line.

{"event": "registered", "name": ...}
{"event": "updated"}
{"event": "unregistered"}

Commands come on standard input, one JSON object a line:

{"command": "update", "txt": {...}}
{"command": "unregister"}

Ends when standard input does; a service that is still registered is then unregistered.
"""

import argparse
import json
import socket
import sys
import threading

from zeroconf import IPVersion, ServiceBrowser, ServiceInfo, ServiceStateChange, Zeroconf


def say(**fields):
    print(json.dumps(fields), flush=True)


def wait_for(service, type_, zeroconf):
    """Waits until zeroconf knows a service of another."""
    found = threading.Event()

    def note(name, state_change, **_):
        if state_change is ServiceStateChange.Added and name == service:
            found.set()

    browser = ServiceBrowser(zeroconf, type_, handlers=[note])
    found.wait()
    browser.cancel()


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("type", help="such as _hap._tcp")
    parser.add_argument("name")
    parser.add_argument("port", type=int)
    parser.add_argument("--txt", action="append", default=[], metavar="KEY=VALUE")
    parser.add_argument("--server", default=None, metavar="NAME.local.")
    parser.add_argument("--interface", default="127.0.0.1")
    parser.add_argument("--no-rename", action="store_true", help="fail on a conflict of names")
    parser.add_argument("--after", metavar="NAME", help="wait until another has a service of this name")
    arguments = parser.parse_args()

    type_ = f"{arguments.type}.local."

    def info(name, txt, server):
        return ServiceInfo(
            type_,
            name,
            port=arguments.port,
            addresses=[socket.inet_aton(arguments.interface)],
            properties=txt,
            server=server,
        )

    zeroconf = Zeroconf(interfaces=[arguments.interface], ip_version=IPVersion.V4Only)
    try:
        service = info(f"{arguments.name}.{type_}", dict(item.split("=", 1) for item in arguments.txt), arguments.server)
        if arguments.after:
            wait_for(f"{arguments.after}.{type_}", type_, zeroconf)
        zeroconf.register_service(service, allow_name_change=not arguments.no_rename)
        say(event="registered", name=service.name[: -len(type_) - 1])
        for line in sys.stdin:
            command = json.loads(line)
            if command["command"] == "update":
                service = info(service.name, command["txt"], service.server)
                zeroconf.update_service(service)
                say(event="updated")
            elif command["command"] == "unregister":
                zeroconf.unregister_service(service)
                say(event="unregistered")
    finally:
        zeroconf.close()


if __name__ == "__main__":
    main()
