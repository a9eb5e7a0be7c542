"""Carries frames between two interfaces of its network namespace, both ways, and loses some of the packets.

With --loss and --seed, some mDNS packets are lost. Which ones is drawn from the seed, for each direction on its own. With
--drop-audio N, every Nth packet of RTP audio is lost when it is sent first; with --swap-audio N, every Nth is carried
after its successor. All other frames (neighbour discovery, ARP) are carried. Prints one JSON object a line:

{"event": "ready"}
{"event": "end", "carried": ..., "lost": ..., "swapped": ...}

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
UDP_HEADER_LENGTH = 8
# Version 2 and the payload type 96, with or without the marker bit.
RTP_AUDIO = (b"\x80\x60", b"\x80\xe0")


def udp_start(frame):
    """Where the UDP header of an Ethernet frame begins, or None if it holds no UDP datagram over IPv4 or IPv6."""
    if len(frame) < 14:
        return None
    (kind,) = struct.unpack_from("!H", frame, 12)
    if kind == 0x0800 and len(frame) >= 34 and frame[23] == 17:
        start = 14 + (frame[14] & 0x0F) * 4
    elif kind == 0x86DD and len(frame) >= 54 and frame[20] == 17:
        start = 54
    else:
        return None
    return start if len(frame) >= start + UDP_HEADER_LENGTH else None


def is_mdns(frame):
    """Whether an Ethernet frame holds a datagram for port 5353."""
    start = udp_start(frame)
    return start is not None and struct.unpack_from("!H", frame, start + 2)[0] == MDNS_PORT


def is_audio(frame):
    """Whether an Ethernet frame holds a packet of RTP audio that is sent for the first time."""
    start = udp_start(frame)
    return start is not None and frame[start + UDP_HEADER_LENGTH :].startswith(RTP_AUDIO)


class AudioFault:
    """Loses and swaps packets of audio."""

    def __init__(self, drop, swap, counts):
        self.drop, self.swap, self.counts = drop, swap, counts
        self.number, self.held = 0, None

    def carry(self, frame, send):
        self.number += 1
        if self.drop and self.number % self.drop == 0:
            self.counts["lost"] += 1
        elif self.swap and self.number % self.swap == 1:
            self.held = frame
        else:
            send(frame)
            if self.held is not None:
                send(self.held)
                self.held = None
                self.counts["swapped"] += 1


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("interfaces", nargs=2)
    parser.add_argument("--loss", type=int, default=0, metavar="PERCENT")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--drop-audio", type=int, default=0, metavar="N")
    parser.add_argument("--swap-audio", type=int, default=0, metavar="N")
    arguments = parser.parse_args()

    ends = []
    for name in arguments.interfaces:
        end = socket.socket(socket.AF_PACKET, socket.SOCK_RAW, socket.htons(ETH_P_ALL))
        end.setsockopt(SOL_PACKET, PACKET_VNET_HDR, 1)
        end.bind((name, 0))
        ends.append(end)
    chances = [random.Random(arguments.seed * 2 + index) for index in range(2)]
    counts = {"carried": 0, "lost": 0, "swapped": 0}
    faults = [AudioFault(arguments.drop_audio, arguments.swap_audio, counts) for _ in range(2)]

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
            elif is_audio(frame[VNET_HEADER_SIZE:]):
                faults[key.data].carry(frame, ends[1 - key.data].send)
                continue
            ends[1 - key.data].send(frame)


if __name__ == "__main__":
    main()
