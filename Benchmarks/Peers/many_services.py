"""Answers multicast DNS on 127.0.0.1 for many services, as their hosts would, with python-zeroconf's codec.

Usage: many_services.py TYPE COUNT

Reads commands from standard input and writes events to standard output, one JSON object per line:

                                {"event": "ready"}
{"do": "appear", "name": ...}   {"event": "sent", "name": ..., "at": nanoseconds on the monotonic clock}
{"do": "count"}                 {"event": "count", "queries": ..., "answers": ...}

Exits at the end of standard input.
"""

import json
import selectors
import socket
import struct
import sys
import time

from zeroconf import DNSAddress, DNSIncoming, DNSOutgoing, DNSPointer, DNSService, DNSText
from zeroconf.const import _CLASS_IN, _CLASS_UNIQUE, _FLAGS_AA, _FLAGS_QR_RESPONSE, _TYPE_A, _TYPE_PTR, _TYPE_SRV, _TYPE_TXT

GROUP, PORT = "224.0.0.251", 5353
HOST_TTL, OTHER_TTL = 120, 4500


class Lamp:
    """A service on its own host."""

    def __init__(self, type_, name, number):
        instance, host = f"{name}.{type_}", f"{name.replace(' ', '-').lower()}.local."
        text = b"".join(
            bytes([len(entry)]) + entry
            for entry in (b"c#=1", b"ff=0", b"id=%012X" % number, b"md=Lamp", b"pv=1.1", b"s#=1", b"sf=0", b"ci=5")
        )
        unique = _CLASS_IN | _CLASS_UNIQUE
        self.pointer = DNSPointer(type_, _TYPE_PTR, _CLASS_IN, OTHER_TTL, instance)
        self.others = [
            DNSService(instance, _TYPE_SRV, unique, HOST_TTL, 0, 0, 5000, host),
            DNSText(instance, _TYPE_TXT, unique, OTHER_TTL, text),
            DNSAddress(host, _TYPE_A, unique, HOST_TTL, socket.inet_aton(f"10.{number >> 16}.{number >> 8 & 255}.{number & 255}")),
        ]


class Network:
    def __init__(self, type_, count):
        self.type = type_
        self.lamps = []
        self.answering = {}
        self.counts = {"queries": 0, "answers": 0}
        for number in range(count):
            self.add(f"Lamp {number}")
        self.socket = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
        self.socket.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        self.socket.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEPORT, 1)
        self.socket.bind((GROUP, PORT))
        loopback = socket.inet_aton("127.0.0.1")
        self.socket.setsockopt(socket.IPPROTO_IP, socket.IP_ADD_MEMBERSHIP, socket.inet_aton(GROUP) + loopback)
        self.socket.setsockopt(socket.IPPROTO_IP, socket.IP_MULTICAST_IF, loopback)
        self.socket.setsockopt(socket.IPPROTO_IP, socket.IP_MULTICAST_TTL, 255)

    def add(self, name):
        lamp = Lamp(self.type, name, len(self.lamps))
        self.lamps.append(lamp)
        for record in lamp.others:
            self.answering.setdefault((record.name.lower(), record.type), []).append(record)
        return lamp

    def send(self, records):
        """Sends records in as few packets as possible, with the cache-flush bit for unique records."""
        out = DNSOutgoing(_FLAGS_QR_RESPONSE | _FLAGS_AA)
        for record in records:
            out.add_answer_at_time(record, 0)
        for packet in out.packets():
            self.socket.sendto(packet, (GROUP, PORT))
            self.counts["answers"] += 1

    def receive(self):
        data, source = self.socket.recvfrom(65535)
        message = DNSIncoming(data, source)
        if not message.valid or message.is_response():
            return
        self.counts["queries"] += 1
        # Suppress known answers with at least half their TTL left. Further packets continue a truncated list.
        known = {(record.name.lower(), record.alias.lower()) for record in message.answers() if record.type == _TYPE_PTR}
        for question in message.questions:
            if question.type == _TYPE_PTR and question.name.lower() == self.type:
                new = [lamp for lamp in self.lamps if (self.type, lamp.pointer.alias.lower()) not in known]
                if len(new) == len(self.lamps) or not message.truncated:
                    for lamp in new:
                        self.send([lamp.pointer] + lamp.others)
            else:
                self.send(self.answering.get((question.name.lower(), question.type), []))


def say(**fields):
    print(json.dumps(fields), flush=True)


def main():
    network = Network(f"{sys.argv[1]}.local.", int(sys.argv[2]))
    selector = selectors.DefaultSelector()
    selector.register(network.socket, selectors.EVENT_READ, "packet")
    selector.register(sys.stdin, selectors.EVENT_READ, "command")
    say(event="ready")
    while True:
        for key, _ in selector.select():
            if key.data == "packet":
                network.receive()
                continue
            line = sys.stdin.readline()
            if not line:
                return
            command = json.loads(line)
            if command["do"] == "appear":
                lamp = network.add(command["name"])
                at = time.monotonic_ns()
                network.send([lamp.pointer] + lamp.others)
                say(event="sent", name=command["name"], at=at)
            else:
                say(event="count", **network.counts)


if __name__ == "__main__":
    main()
