"""Carries frames between two interfaces of its network namespace, both ways, and loses some of the mDNS packets.

Which packets are lost is drawn from a seed, for each direction on its own. All other frames (neighbour discovery, ARP)
are carried, so that what a test sees is the loss of mDNS alone. Prints one JSON object a line:

{"event": "ready"}
{"event": "end", "carried": ..., "lost": ...}

Ends when standard input does.
"""

import argparse
import json
import random
import selectors
import socket
import struct
import sys

ETH_P_ALL = 3
PACKET_OUTGOING = 4
SOL_PACKET = 263
# Each frame comes and goes with a header that says, among others, that its checksum is yet to be filled in.
PACKET_VNET_HDR = 15
VNET_HEADER_SIZE = 10
MDNS_PORT = 5353


def is_mdns(frame):
    """Whether an Ethernet frame holds a UDP datagram for port 5353 over IPv4 or IPv6."""
    if len(frame) < 14:
        return False
    (kind,) = struct.unpack_from("!H", frame, 12)
    if kind == 0x0800 and len(frame) >= 34 and frame[23] == 17:
        start = 14 + (frame[14] & 0x0F) * 4
    elif kind == 0x86DD and len(frame) >= 54 and frame[20] == 17:
        start = 54
    else:
        return False
    return len(frame) >= start + 4 and struct.unpack_from("!H", frame, start + 2)[0] == MDNS_PORT


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("interfaces", nargs=2)
    parser.add_argument("--loss", type=int, required=True, metavar="PERCENT")
    parser.add_argument("--seed", type=int, required=True)
    arguments = parser.parse_args()

    ends = []
    for name in arguments.interfaces:
        end = socket.socket(socket.AF_PACKET, socket.SOCK_RAW, socket.htons(ETH_P_ALL))
        end.setsockopt(SOL_PACKET, PACKET_VNET_HDR, 1)
        end.bind((name, 0))
        ends.append(end)
    chances = [random.Random(arguments.seed * 2 + index) for index in range(2)]
    counts = {"carried": 0, "lost": 0}

    selector = selectors.DefaultSelector()
    for index, end in enumerate(ends):
        selector.register(end, selectors.EVENT_READ, index)
    selector.register(sys.stdin, selectors.EVENT_READ, None)
    print(json.dumps({"event": "ready"}), flush=True)
    while True:
        for key, _ in selector.select():
            if key.data is None:
                if not sys.stdin.buffer.read1(4096):
                    print(json.dumps({"event": "end", **counts}), flush=True)
                    return
                continue
            frame, address = ends[key.data].recvfrom(65535)
            if address[2] == PACKET_OUTGOING:
                continue
            if is_mdns(frame[VNET_HEADER_SIZE:]):
                if chances[key.data].randrange(100) < arguments.loss:
                    counts["lost"] += 1
                    continue
                counts["carried"] += 1
            ends[1 - key.data].send(frame)


if __name__ == "__main__":
    main()
