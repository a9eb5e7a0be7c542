"""Streams a WAV file to a receiver with pyatv.

Usage: pyatv_sender.py HOST PORT FILE [--title T --artist A --album L --art FILE --password P --drop N --swap N]
                       [--features F] [--pin PIN]

With --features that have AirPlay 2, it is used, and the password is proved there, too, which pyatv leaves out. With --pin, the receiver is paired first; with --pin -, the PIN is read
from standard input once the receiver was asked to show it.

With --drop N, every Nth packet isn't sent; with --swap N, every Nth is sent after its successor. Lost packets are sent
when the receiver asks for them. Prints "done" at the end, or "failed: REASON".
"""

import argparse
import asyncio
import re
import sys
from ipaddress import IPv4Address
from pathlib import Path

import pyatv
from pyatv.conf import AppleTV, ManualService
from pyatv.const import Protocol
from pyatv.interface import MediaMetadata
from pyatv.protocols.raop.protocols.airplayv1 import AirPlayV1
from pyatv.protocols.raop.protocols.airplayv2 import AirPlayV2
from pyatv.support.rtsp import DigestInfo, RtspSession


class LossyTransport:
    """A transport that loses and swaps packets."""

    def __init__(self, transport, state, drop, swap):
        self.transport, self.state, self.drop, self.swap = transport, state, drop, swap

    def sendto(self, packet):
        state = self.state
        state["count"] += 1
        if self.drop and state["count"] % self.drop == 1:
            pass
        elif self.swap and state["count"] % self.swap == 2:
            state["held"] = packet
        else:
            self.transport.sendto(packet)
            if state["held"]:
                self.transport.sendto(state["held"])
                state["held"] = None


def make_lossy(protocol, drop, swap):
    """Replaces the transport with which pyatv sends audio packets."""
    state = {"count": 0, "held": None}
    send = protocol.send_audio_packet

    async def send_audio_packet(self, transport, rtp_header, audio):
        return await send(self, LossyTransport(transport, state, drop, swap), rtp_header, audio)

    protocol.send_audio_packet = send_audio_packet


def prove_in_setup(password):
    """Has pyatv answer a demand for the password at the first request after pairing."""
    plain_setup = RtspSession.setup

    async def setup(self, headers=None, body=None):
        if self.digest_info is None:
            response = await self.exchange("SETUP", headers=headers, body=body, allow_error=True)
            if response.code != 401:
                return response
            fields = dict(re.findall(r'(\w+)="([^"]*)"', response.headers["www-authenticate"]))
            self.digest_info = DigestInfo("pyatv", fields["realm"], password, fields["nonce"])
        return await plain_setup(self, headers, body)

    RtspSession.setup = setup


async def pair(device, pin):
    """Pairs with the receiver. The credentials are then part of the device's service."""
    loop = asyncio.get_event_loop()
    pairing = await pyatv.pair(device, Protocol.RAOP, loop)
    try:
        await pairing.begin()
        if pin == "-":
            print("pin", flush=True)
            pin = (await loop.run_in_executor(None, sys.stdin.readline)).strip()
        pairing.pin(int(pin))
        await pairing.finish()
        if not pairing.has_paired:
            raise RuntimeError("not paired")
        device.get_service(Protocol.RAOP).credentials = pairing.service.credentials
    finally:
        await pairing.close()


async def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("host")
    parser.add_argument("port", type=int)
    parser.add_argument("file")
    for name in ("title", "artist", "album", "art", "password", "features", "pin"):
        parser.add_argument(f"--{name}")
    parser.add_argument("--drop", type=int)
    parser.add_argument("--swap", type=int)
    options = parser.parse_args()
    if options.drop or options.swap:
        for protocol in (AirPlayV1, AirPlayV2):
            make_lossy(protocol, options.drop, options.swap)
    properties = {"cn": "0,1", "et": "0", "md": "0,1,2", "ch": "2", "sr": "44100", "ss": "16", "tp": "UDP"}
    if options.password:
        properties["pw"] = "true"
        if options.features:
            prove_in_setup(options.password)
    if options.features:
        properties["ft"] = options.features
    device = AppleTV(IPv4Address(options.host), "Receiver")
    device.add_service(
        ManualService("001122334455", Protocol.RAOP, options.port, properties, password=options.password)
    )
    artwork = Path(options.art).read_bytes() if options.art else None
    metadata = MediaMetadata(options.title, options.artist, options.album, artwork)
    if options.pin:
        try:
            await pair(device, options.pin)
        except Exception as error:  # pylint: disable=broad-except
            print(f"failed: {type(error).__name__}: {error}", flush=True)
            return 1
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
