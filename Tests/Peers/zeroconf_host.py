"""python-zeroconf on all interfaces of a host, with IPv4 and IPv6, for tests on hosts of their own.

Commands come on standard input, one JSON object a line; events go to standard output likewise:

{"do": "register", "name", "type", "port", "txt", "addresses"}
                                                    {"event": "registered", "name"}
{"do": "update", "name", "txt"}                     {"event": "updated", "name"}
{"do": "unregister", "name"}                        {"event": "unregistered", "name"}
{"do": "browse", "type"}                            {"event": "add" | "update", "name", "port", "server", "addresses", "txt"}
                                                    {"event": "remove", "name"}

A type may be a subtype, such as _printer._sub._http._tcp; what is registered with one is found only by it. A service whose
name is taken gets another one.
Ends when standard input does, and unregisters what is still registered.
"""

import json
import socket
import sys
import threading

from zeroconf import InterfaceChoice, IPVersion, ServiceBrowser, ServiceInfo, ServiceListener, Zeroconf

speaking = threading.Lock()


def say(**fields):
    with speaking:
        print(json.dumps(fields), flush=True)


def text(value):
    return None if value is None else value.decode("utf-8", "replace")


def packed(address):
    return socket.inet_pton(socket.AF_INET6 if ":" in address else socket.AF_INET, address)


class Printer(ServiceListener):
    def describe(self, event, zeroconf, type_, name):
        # To ask takes long where the service has gone meanwhile. Other news are not to wait for that.
        threading.Thread(target=self.resolve, args=(event, zeroconf, type_, name), daemon=True).start()

    def resolve(self, event, zeroconf, type_, name):
        label = name[: -len(type_.split("._sub.")[-1]) - 1]
        info = zeroconf.get_service_info(type_, name, timeout=120000)
        if info is None:
            say(event="unresolved", name=label)
            return
        say(
            event=event,
            name=label,
            port=info.port,
            server=info.server,
            addresses=info.parsed_scoped_addresses(),
            txt={text(key): text(value) for key, value in info.properties.items()},
        )

    def add_service(self, zc, type_, name):
        self.describe("add", zc, type_, name)

    def update_service(self, zc, type_, name):
        self.describe("update", zc, type_, name)

    def remove_service(self, zc, type_, name):
        say(event="remove", name=name[: -len(type_.split("._sub.")[-1]) - 1])


def main():
    zeroconf = Zeroconf(interfaces=InterfaceChoice.All, ip_version=IPVersion.All)
    say(event="ready")
    registered = {}

    def info(command, name):
        type_ = f"{command['type']}.local."
        return ServiceInfo(
            type_,
            f"{name}.{type_.split('._sub.')[-1]}",
            port=command["port"],
            addresses=[packed(address) for address in command["addresses"]],
            properties=command["txt"],
            server=f"{socket.gethostname()}.local.",
        )

    try:
        for line in sys.stdin:
            command = json.loads(line)
            if command["do"] == "register":
                service = info(command, command["name"])
                zeroconf.register_service(service, allow_name_change=True)
                name = service.name[: -len(command["type"].split("._sub.")[-1]) - len("..local.")]
                registered[name] = (command, service)
                say(event="registered", name=name)
            elif command["do"] == "update":
                former, _ = registered[command["name"]]
                changed = {**former, "txt": command["txt"]}
                service = info(changed, command["name"])
                zeroconf.update_service(service)
                registered[command["name"]] = (changed, service)
                say(event="updated", name=command["name"])
            elif command["do"] == "unregister":
                zeroconf.unregister_service(registered.pop(command["name"])[1])
                say(event="unregistered", name=command["name"])
            elif command["do"] == "browse":
                ServiceBrowser(zeroconf, f"{command['type']}.local.", Printer())
    finally:
        zeroconf.close()


if __name__ == "__main__":
    main()
