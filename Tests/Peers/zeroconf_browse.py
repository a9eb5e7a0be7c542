"""Browses a service type with python-zeroconf and prints what it sees, one JSON object a line.

{"event": "ready"}
{"event": "add" | "update", "name": ..., "port": ..., "server": ..., "addresses": [...], "txt": {...}}
{"event": "remove", "name": ...}

Ends when standard input does.
"""

import argparse
import json
import sys
import threading

from zeroconf import IPVersion, ServiceBrowser, ServiceInfo, ServiceListener, Zeroconf


def say(**fields):
    # In one piece: several threads write.
    sys.stdout.write(json.dumps(fields) + "\n")
    sys.stdout.flush()


def text(value):
    return None if value is None else value.decode("utf-8", "replace")


class Printer(ServiceListener):
    def describe(self, event, zeroconf, type_, name):
        info = ServiceInfo(type_, name)
        if info.load_from_cache(zeroconf):
            self.tell(event, info, type_, name)
        else:
            # To ask takes seconds where the service has gone meanwhile. Other news are not to wait for that.
            threading.Thread(target=self.resolve, args=(event, zeroconf, type_, name), daemon=True).start()

    def resolve(self, event, zeroconf, type_, name):
        info = zeroconf.get_service_info(type_, name, timeout=120000)
        if info is None:
            say(event="unresolved", name=name)
        else:
            self.tell(event, info, type_, name)

    def tell(self, event, info, type_, name):
        say(
            event=event,
            name=name[: -len(type_) - 1],
            port=info.port,
            server=info.server,
            addresses=info.parsed_addresses(),
            txt={text(key): text(value) for key, value in info.properties.items()},
        )

    def add_service(self, zc, type_, name):
        self.describe("add", zc, type_, name)

    def update_service(self, zc, type_, name):
        self.describe("update", zc, type_, name)

    def remove_service(self, zc, type_, name):
        say(event="remove", name=name[: -len(type_) - 1])


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("type", help="such as _hap._tcp")
    parser.add_argument("--interface", default="127.0.0.1")
    arguments = parser.parse_args()
    zeroconf = Zeroconf(interfaces=[arguments.interface], ip_version=IPVersion.V4Only)
    try:
        ServiceBrowser(zeroconf, f"{arguments.type}.local.", Printer())
        say(event="ready")
        sys.stdin.read()
    finally:
        zeroconf.close()


if __name__ == "__main__":
    main()
