"""Streams a WAV file to a receiver with pyatv.

Usage: pyatv_sender.py HOST PORT FILE [--title T --artist A --album L --art FILE --password P --drop N --swap N]

With --drop N, every Nth packet isn't sent; with --swap N, every Nth is sent after its successor. Lost packets are sent
when the receiver asks for them. Prints "done" at the end, or "failed: REASON".
"""

import argparse
import asyncio
import sys
from ipaddress import IPv4Address
from pathlib import Path

import pyatv
from pyatv.conf import AppleTV, ManualService
from pyatv.const import Protocol
from pyatv.interface import MediaMetadata
from pyatv.protocols.raop.protocols.airplayv1 import AirPlayV1


def make_lossy(drop, swap):
    """Replaces pyatv's sending of audio packets."""
    state = {"count": 0, "held": None}

    async def send_audio_packet(self, transport, rtp_header, audio):
        packet = rtp_header + audio
        state["count"] += 1
        if drop and state["count"] % drop == 1:
            pass
        elif swap and state["count"] % swap == 2:
            state["held"] = packet
        else:
            transport.sendto(packet)
            if state["held"]:
                transport.sendto(state["held"])
                state["held"] = None
        return self.context.rtpseq, packet

    AirPlayV1.send_audio_packet = send_audio_packet


async def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("host")
    parser.add_argument("port", type=int)
    parser.add_argument("file")
    for name in ("title", "artist", "album", "art", "password"):
        parser.add_argument(f"--{name}")
    parser.add_argument("--drop", type=int)
    parser.add_argument("--swap", type=int)
    options = parser.parse_args()
    if options.drop or options.swap:
        make_lossy(options.drop, options.swap)
    properties = {"cn": "0,1", "et": "0", "md": "0,1,2", "ch": "2", "sr": "44100", "ss": "16", "tp": "UDP"}
    if options.password:
        properties["pw"] = "true"
    device = AppleTV(IPv4Address(options.host), "Receiver")
    device.add_service(
        ManualService("001122334455", Protocol.RAOP, options.port, properties, password=options.password)
    )
    artwork = Path(options.art).read_bytes() if options.art else None
    metadata = MediaMetadata(options.title, options.artist, options.album, artwork)
    connection = await pyatv.connect(device, asyncio.get_event_loop())
    try:
        await connection.stream.stream_file(options.file, metadata)
        print("done", flush=True)
    except Exception as error:  # pylint: disable=broad-except
        print(f"failed: {type(error).__name__}: {error}", flush=True)
        return 1
    finally:
        await asyncio.gather(*connection.close())
    return 0


sys.exit(asyncio.run(main()))
