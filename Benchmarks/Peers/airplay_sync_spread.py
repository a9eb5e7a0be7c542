"""Reads the sync packets of one sender off the loopback interface, and prints how far apart its receivers would play a frame.

    airplay_sync_spread.py RECEIVERS SECONDS

A sync packet says which frame is due when. The time at which one frame is due is calculated from every packet; the spread is from the
earliest to the latest, over all receivers and the whole time. Needs root, for the packets of others.
"""

import json
import socket
import struct
import sys
import time

RATE = 44_100
ALL_PACKETS = 3
UDP = 17
SYNC = 0x54


def sync_packets(interface):
    """The receiver's port, the frame that is due, and when, of each sync packet."""
    interface.settimeout(1)
    while True:
        try:
            frame = interface.recv(2048)
        except TimeoutError:
            yield None
            continue
        header = frame[14:]
        if len(header) < 20 or header[0] >> 4 != 4 or header[9] != UDP:
            continue
        datagram = header[(header[0] & 15) * 4 :]
        payload = datagram[8:]
        if len(payload) == 20 and payload[1] & 0x7F == SYNC:
            due, ntp = struct.unpack(">IQ", payload[4:16])
            yield struct.unpack(">H", datagram[2:4])[0], due, ntp / 2**32


def main():
    wanted, seconds = int(sys.argv[1]), float(sys.argv[2])
    interface = socket.socket(socket.AF_PACKET, socket.SOCK_RAW, socket.htons(ALL_PACKETS))
    interface.bind(("lo", 0))
    print("listening", flush=True)
    reference, times, end = None, {}, None
    for packet in sync_packets(interface):
        if end and time.monotonic() > end:
            break
        if not packet:
            continue
        port, due, when = packet
        reference = reference or (due, when)
        end = end or time.monotonic() + seconds
        # Numbers of frames have 32 bits and wrap.
        since = (reference[0] - due + 2**31) % 2**32 - 2**31
        times.setdefault(port, []).append(when + since / RATE - reference[1])
    if len(times) != wanted:
        sys.exit(f"{len(times)} receivers got sync packets, not {wanted}")
    all_times = [each for one in times.values() for each in one]
    spread = (max(all_times) - min(all_times)) * 1000
    print(json.dumps({"event": "spread", "milliseconds": spread, "packets": len(all_times)}), flush=True)


if __name__ == "__main__":
    main()
