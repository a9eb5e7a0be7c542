"""Asks one plain DNS question by unicast, as any DNS client would, and prints the reply as JSON.

Usage: dns_query.py ADDRESS PORT NAME TYPE
"""

import json
import socket
import struct
import sys


def read_name(packet, offset):
    labels, after = [], None
    while packet[offset]:
        if packet[offset] & 0xC0 == 0xC0:
            after = after or offset + 2
            offset = struct.unpack_from("!H", packet, offset)[0] & 0x3FFF
            continue
        labels.append(packet[offset + 1 : offset + 1 + packet[offset]].decode())
        offset += 1 + packet[offset]
    return ".".join(labels), after or offset + 1


def main():
    address, port, name, kind = sys.argv[1], int(sys.argv[2]), sys.argv[3], int(sys.argv[4])
    labels = b"".join(bytes([len(label.encode())]) + label.encode() for label in name.split("."))
    query = struct.pack("!HHHHHH", 4711, 0, 1, 0, 0, 0) + labels + b"\0" + struct.pack("!HH", kind, 1)
    endpoint = socket.getaddrinfo(address, port, type=socket.SOCK_DGRAM)[0]
    with socket.socket(endpoint[0], socket.SOCK_DGRAM) as client:
        client.settimeout(120)
        client.sendto(query, endpoint[4])
        packet, _ = client.recvfrom(9000)
    identity, flags, questions, answers, _, _ = struct.unpack_from("!HHHHHH", packet)
    offset = 12
    asked = []
    for _ in range(questions):
        asked_name, offset = read_name(packet, offset)
        asked.append(asked_name)
        offset += 4
    records = []
    for _ in range(answers):
        owner, offset = read_name(packet, offset)
        record_type, record_class, ttl, size = struct.unpack_from("!HHIH", packet, offset)
        records.append({"name": owner, "type": record_type, "class": record_class, "ttl": ttl})
        offset += 10 + size
    reply = {"id": identity, "flags": flags, "questions": asked, "answers": records}
    print(json.dumps(reply), flush=True)


main()
