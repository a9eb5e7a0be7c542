"""Streams a WAV file to a receiver with pyatv.

Usage: pyatv_sender.py HOST PORT FILE [--title T --artist A --album L --art FILE --password P --drop N --swap N]
                       [--features F] [--pin PIN] [--codec escape|alac]

With --features that have AirPlay 2, it is used, and the password is proved there, too, which pyatv leaves out. With --pin,
the receiver is paired first; with --pin -, the PIN is read from standard input once the receiver was asked to show it.

pyatv itself sends PCM. With --codec, its packets are Apple Lossless: unchanged samples (escape), or compressed by FFmpeg.

With --drop N, every Nth packet isn't sent; with --swap N, every Nth is sent after its successor. Lost packets are sent
when the receiver asks for them. Prints "done" at the end, or "failed: REASON".
"""

import argparse
import asyncio
import re
import subprocess
import sys
import tempfile
import wave
from ipaddress import IPv4Address
from pathlib import Path

import pyatv
from pyatv.conf import AppleTV, ManualService
from pyatv.const import Protocol
from pyatv.interface import MediaMetadata
from pyatv.protocols.raop.protocols.airplayv1 import AirPlayV1
from pyatv.protocols.raop.protocols.airplayv2 import AirPlayV2
from pyatv.support import http, rtsp
from pyatv.support.rtsp import FRAMES_PER_PACKET, DigestInfo, RtspSession

PACKET_LENGTH = FRAMES_PER_PACKET * 4
# On a busy machine, a receiver takes longer to answer than the four seconds that pyatv waits.
PATIENCE = 15


def patient(module):
    """Has a module of pyatv wait longer."""
    plain = module.async_timeout
    module.async_timeout = lambda seconds: plain(seconds * PATIENCE)


patient(http)
patient(rtsp)


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


def escape(pcm):
    """A packet of Apple Lossless with unchanged samples."""
    bits = f"{1:03b}{0:016b}{0:01b}{0:02b}{1:01b}" + f"{int.from_bytes(pcm, 'big'):0{len(pcm) * 8}b}" + f"{7:03b}"
    bits += "0" * (-len(bits) % 8)
    return int(bits, 2).to_bytes(len(bits) // 8, "big")


def compress(chunks):
    """The packets of Apple Lossless that FFmpeg makes of chunks of PCM.

    Its encoder has a fixed number of frames in a packet, except for a stream's last one: so each chunk is a stream.
    """
    numbers = range(len(chunks))
    graph = f"asplit={len(chunks)}" + "".join(f"[a{n}]" for n in numbers)
    for n in numbers:
        start = n * FRAMES_PER_PACKET
        graph += f";[a{n}]atrim=start_sample={start}:end_sample={start + FRAMES_PER_PACKET},asetpts=N[b{n}]"
    maps = [word for n in numbers for word in ("-map", f"[b{n}]")]
    with tempfile.TemporaryDirectory() as folder:
        pcm, script, movie = (Path(folder) / name for name in ("pcm", "graph", "out.mov"))
        pcm.write_bytes(b"".join(chunks))
        script.write_text(graph)
        read = ["-nostdin", "-v", "error", "-f", "s16be", "-ar", "44100", "-ac", "2", "-i", pcm]
        subprocess.run(["ffmpeg", *read, "-filter_complex_script", script, *maps, "-c:a", "alac", movie], check=True)
        show = ["-v", "error", "-show_entries", "packet=stream_index,pos,size", "-of", "csv=p=0", movie]
        rows = subprocess.run(["ffprobe", *show], check=True, capture_output=True, text=True).stdout.split()
        data = movie.read_bytes()
    packets = {}
    for row in rows:
        stream, size, position = (int(number) for number in row.split(",")[:3])
        assert stream not in packets, "a chunk is one packet"
        packets[stream] = data[position : position + size]
    return [packets[n] for n in numbers]


def make_lossless(protocol, file, codec):
    """Has pyatv announce and send Apple Lossless."""
    with wave.open(file) as samples:
        pcm = bytearray(samples.readframes(samples.getnframes()))
    pcm[0::2], pcm[1::2] = pcm[1::2], pcm[0::2]
    chunks = [bytes(pcm[start : start + PACKET_LENGTH]) for start in range(0, len(pcm), PACKET_LENGTH)]
    # pyatv fills the last packet, and adds silence.
    chunks = list(dict.fromkeys(chunk.ljust(PACKET_LENGTH, b"\0") for chunk in [*chunks, b""]))
    packets = dict(zip(chunks, [escape(chunk) for chunk in chunks] if codec == "escape" else compress(chunks)))
    print(f"packets of {min(map(len, packets.values()))} to {max(map(len, packets.values()))} bytes", flush=True)
    send = protocol.send_audio_packet

    async def send_audio_packet(self, transport, rtp_header, audio):
        return await send(self, transport, rtp_header, packets[audio])

    protocol.send_audio_packet = send_audio_packet
    rtsp.ANNOUNCE_PAYLOAD = rtsp.ANNOUNCE_PAYLOAD.replace("L16/44100/2", "AppleLossless")


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
    parser.add_argument("--codec", choices=["escape", "alac"])
    options = parser.parse_args()
    if options.drop or options.swap:
        for protocol in (AirPlayV1, AirPlayV2):
            make_lossy(protocol, options.drop, options.swap)
    if options.codec:
        make_lossless(AirPlayV1, options.file, options.codec)
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
