"""Receives an AirPlay 2 stream in real time with pyatv's pairing and encryption, and stores its samples.

Usage: airplay2_receiver.py OUTPUT [--pin PIN] [--password PASSWORD] [--drop N] [--swap N] [--packets]

With --pin, senders pair with that PIN, and those that did prove it afterwards; otherwise they pair for one connection.
With --password, what senders ask after pairing needs a digest of it, as an Apple TV demands it.
With --drop N, every Nth packet is thrown away when it first arrives; with --swap N, every Nth is taken after its
successor. Missing packets are requested again. Prints JSON lines:

{"event": "ready", "port": ...}
{"event": "pair", "path": ..., "state": ...}       for each pairing message
{"event": "ended", "packets": ..., "lost": ..., "repaired": ..., "refused": ..., "timing": ..., "events": ...,
 "volume": ..., "title": ...}

The samples are as `hearth airplay receive` writes them: the least significant byte first. With --packets, the output has
the packets as they were sent instead, each after its length in four bytes, the most significant one first.
"""

import argparse
import asyncio
import binascii
import hashlib
import json
import plistlib
import re
import secrets
import struct

from cryptography.exceptions import InvalidSignature, InvalidTag
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey
from cryptography.hazmat.primitives.asymmetric.x25519 import X25519PublicKey
from cryptography.hazmat.primitives.ciphers.aead import ChaCha20Poly1305
from pyatv.auth.hap_session import HAPSession
from pyatv.auth.hap_srp import hkdf_expand
from pyatv.auth.hap_tlv8 import ErrorCode, TlvValue, read_tlv, write_tlv
from pyatv.protocols.airplay import server_auth
from pyatv.support import chacha20
from pyatv.support.http import HttpResponse, format_response, parse_request

paired = {}


def say(**line):
    print(json.dumps(line), flush=True)


class Pairing(server_auth.BaseAirPlayServerAuth):
    """pyatv's receiver side, which also checks the sender's signatures."""

    def __init__(self, pin):
        super().__init__("Peer", pin=pin or server_auth.PIN_CODE)
        self.pending = None
        self.client_key = None

    def enable_encryption(self, output_key, input_key):
        # The answer itself is still in the clear.
        self.pending = (output_key, input_key)

    def _m1_setup(self, pairing_data, transient):
        while True:
            reply = super()._m1_setup(pairing_data, transient)
            # srptools drops leading zero bytes.
            if len(self.salt) == 32 and len(self.session.public) == 768:
                return reply

    def _m3_setup(self, pairing_data, transient):
        reply = super()._m3_setup(pairing_data, transient)
        if TlvValue.Error in read_tlv(reply):
            self.pending = None
        return reply

    def _m5_setup(self, pairing_data, transient):
        secret = binascii.unhexlify(self.session.key)
        key = hkdf_expand("Pair-Setup-Encrypt-Salt", "Pair-Setup-Encrypt-Info", secret)
        cipher = chacha20.Chacha20Cipher8byteNonce(key, key)
        client = read_tlv(cipher.decrypt(pairing_data[TlvValue.EncryptedData], nonce=b"PS-Msg05"))
        prefix = hkdf_expand("Pair-Setup-Controller-Sign-Salt", "Pair-Setup-Controller-Sign-Info", secret)
        identifier, public = client[TlvValue.Identifier], client[TlvValue.PublicKey]
        Ed25519PublicKey.from_public_bytes(public).verify(client[TlvValue.Signature], prefix + identifier + public)
        paired[identifier] = public
        # pyatv's own derivation of the key for the signature, with the accessory's names.
        return super()._m5_setup(pairing_data, transient)

    def _m1_verify(self, pairing_data):
        self.client_key = pairing_data[TlvValue.PublicKey]
        return super()._m1_verify(pairing_data)

    def _m3_verify(self, pairing_data):
        key = hkdf_expand("Pair-Verify-Encrypt-Salt", "Pair-Verify-Encrypt-Info", self.shared_key)
        cipher = chacha20.Chacha20Cipher8byteNonce(key, key)
        client = read_tlv(cipher.decrypt(pairing_data[TlvValue.EncryptedData], nonce=b"PV-Msg03"))
        public = paired.get(client[TlvValue.Identifier])
        signed = self.client_key + client[TlvValue.Identifier] + self.keys.verify_pub.public_bytes_raw()
        try:
            if public is None:
                raise InvalidSignature
            Ed25519PublicKey.from_public_bytes(public).verify(client[TlvValue.Signature], signed)
        except InvalidSignature:
            return write_tlv({TlvValue.SeqNo: b"\x04", TlvValue.Error: bytes([ErrorCode.Authentication])})
        return super()._m3_verify(pairing_data)


class Datagrams(asyncio.DatagramProtocol):
    """A port."""

    def __init__(self, receive):
        self.receive = receive

    def datagram_received(self, data, addr):
        self.receive(data, addr)


async def open_port(receive):
    loop = asyncio.get_running_loop()
    transport, _ = await loop.create_datagram_endpoint(lambda: Datagrams(receive), local_addr=("127.0.0.1", 0))
    return transport, transport.get_extra_info("sockname")[1]


class Stream:
    """The packets of a stream."""

    def __init__(self, options):
        self.options = options
        self.start, self.setup, self.key, self.sender = None, None, None, None
        self.packets, self.asked, self.held = {}, set(), None
        self.counts = {"lost": 0, "repaired": 0, "refused": 0, "timing": 0, "events": 0}
        self.arrived = 0
        self.nonces = set()

    async def open(self):
        self.data, self.data_port = await open_port(lambda data, addr: self.receive(data))
        self.control, self.control_port = await open_port(lambda data, addr: self.receive_control(data))
        self.timing, self.timing_port = await open_port(lambda data, addr: self.receive_timing(data))

    def receive_timing(self, data):
        if len(data) == 32 and data[1] == 0xD3 and data[8:16] == b"\0\0\0\1\0\0\0\2":
            self.counts["timing"] += 1

    def ask_time(self, host, port):
        self.timing.sendto(b"\x80\xd2\0\x07" + bytes(20) + b"\0\0\0\1\0\0\0\2", (host, port))

    def receive(self, data):
        self.arrived += 1
        drop, swap = self.options.drop, self.options.swap
        if drop and self.arrived % drop == 1:
            return
        if swap and self.arrived % swap == 2:
            self.held = data
            return
        self.take(data)
        if self.held:
            self.take(self.held)
            self.held = None

    def receive_control(self, data):
        if data[1] == 0xD6 and self.take(data[4:]):
            self.counts["repaired"] += 1

    def take(self, data):
        sequence, = struct.unpack_from(">H", data, 2)
        if sequence in self.packets:
            return False
        nonce = data[-8:]
        try:
            audio = ChaCha20Poly1305(self.key).decrypt(bytes(4) + nonce, data[12:-8], data[4:12])
        except InvalidTag:
            self.counts["refused"] += 1
            return False
        assert nonce not in self.nonces, "a nonce is used twice"
        self.nonces.add(nonce)
        self.packets[sequence] = self.samples(audio)
        return True

    def samples(self, audio):
        if self.options.packets:
            return struct.pack(">I", len(audio)) + audio
        if self.setup["ct"] == 1:
            big = audio
        else:
            # Apple Lossless without compression: 23 bits, the number of frames in a short packet, and the samples.
            bits = int.from_bytes(audio, "big")
            length = len(audio) * 8
            short = bits >> (length - 20) & 1
            assert bits >> (length - 23) & 1, "only packets without compression are read"
            frames = bits >> (length - 55) & 0xFFFFFFFF if short else self.setup["spf"]
            end = length - (55 if short else 23) - frames * 32
            big = (bits >> end & ((1 << frames * 32) - 1)).to_bytes(frames * 4, "big")
        return struct.pack(f"<{len(big) // 2}H", *struct.unpack(f">{len(big) // 2}H", big))

    def order(self):
        """The sequence numbers from the first to the last packet."""
        if self.start is None or not self.packets:
            return []
        last = max((number - self.start) % 65536 for number in self.packets)
        return [(self.start + offset) % 65536 for offset in range(last + 1)]

    async def repair(self):
        while True:
            await asyncio.sleep(0.1)
            for number in self.order():
                if number not in self.packets:
                    request = b"\x80\xd5\0\1" + struct.pack(">HH", number, 1)
                    self.control.sendto(request, (self.sender, self.setup["controlPort"]))

    def finish(self):
        order = self.order()
        self.counts["lost"] = sum(number not in self.packets for number in order)
        with open(self.options.output, "wb") as file:
            for number in order:
                file.write(self.packets.get(number, bytes(4 if self.options.packets else 352 * 4)))
        return {"packets": len(order), **self.counts}


class Events(asyncio.Protocol):
    """The event channel."""

    def __init__(self, pairing, stream):
        self.stream = stream
        self.session = HAPSession()
        self.session.enable(
            hkdf_expand("Events-Salt", "Events-Write-Encryption-Key", pairing.shared_key),
            hkdf_expand("Events-Salt", "Events-Read-Encryption-Key", pairing.shared_key),
        )

    def connection_made(self, transport):
        body = plistlib.dumps({"type": "updateInfo"}, fmt=plistlib.FMT_BINARY)
        head = f"POST /command RTSP/1.0\r\nCSeq: 7\r\nContent-Length: {len(body)}\r\n\r\n"
        transport.write(self.session.encrypt(head.encode() + body))

    def data_received(self, data):
        answer = self.session.decrypt(data)
        if answer.startswith(b"RTSP/1.0 200") and b"CSeq: 7" in answer:
            self.stream.counts["events"] += 1


class Control(asyncio.Protocol):
    """A control connection."""

    def __init__(self, options):
        self.options = options
        self.pairing = Pairing(options.pin)
        self.session = HAPSession()
        self.buffer = b""
        self.stream = None
        self.state = {"volume": None, "title": None}
        self.nonce = secrets.token_hex(16)
        self.queue = asyncio.Queue()
        self.tasks = [asyncio.ensure_future(self.run())]

    def connection_made(self, transport):
        self.transport = transport

    def data_received(self, data):
        self.queue.put_nowait(data)

    def connection_lost(self, exc):
        for task in self.tasks:
            task.cancel()

    async def run(self):
        while True:
            self.buffer += self.session.decrypt(await self.queue.get())
            while self.buffer:
                request, self.buffer = parse_request(self.buffer)
                if request is None:
                    break
                try:
                    response = await self.answer(request)
                except Exception as error:  # pylint: disable=broad-except
                    say(event="error", reason=f"{type(error).__name__}: {error}")
                    self.transport.close()
                    return
                headers = {"CSeq": request.headers.get("CSeq", "0"), **response.headers}
                response = response._replace(protocol="RTSP", version="1.0", headers=headers)
                self.transport.write(self.session.encrypt(format_response(response)))
                if self.pairing.pending:
                    self.session.enable(*self.pairing.pending)
                    self.pairing.pending = None

    @staticmethod
    def ok(body=b"", kind="application/x-apple-binary-plist"):
        if isinstance(body, dict):
            body = plistlib.dumps(body, fmt=plistlib.FMT_BINARY)
        return HttpResponse("RTSP", "1.0", 200, "OK", {"Content-Type": kind} if body else {}, body)

    @staticmethod
    def refuse(code):
        return HttpResponse("RTSP", "1.0", code, "Refused", {}, b"")

    async def answer(self, request):
        path = request.path
        if path.startswith("/pair-"):
            state = read_tlv(request.body)[TlvValue.SeqNo][0] if request.body else 0
            say(event="pair", path=path, state=state)
            kind = request.headers.get("X-Apple-HKP")
            if kind != ("3" if self.options.pin else "4"):
                return self.refuse(470)
            return self.pairing.handle_request(request)
        if self.session.chacha20 is None:
            return self.refuse(470)
        if self.options.password and not self.proves(request):
            challenge = f'Digest realm="airplay", nonce="{self.nonce}"'
            return HttpResponse("RTSP", "1.0", 401, "Unauthorized", {"WWW-Authenticate": challenge}, b"")
        if request.method == "SETUP":
            return await self.set_up(plistlib.loads(request.body))
        if request.method in ("RECORD", "FLUSH"):
            self.stream.start = int(request.headers["RTP-Info"].split(";")[0].split("=")[1])
            return self.ok()
        if request.method == "SET_PARAMETER":
            self.set(request)
            return self.ok()
        if request.method == "TEARDOWN":
            say(event="ended", **self.stream.finish(), **self.state)
            return self.ok()
        return self.ok() if path == "/feedback" else self.refuse(404)

    def proves(self, request):
        """Whether a request has the digest of the password (RFC 2617 without qop)."""
        proof = dict(re.findall(r'(\w+)="([^"]*)"', request.headers.get("Authorization", "")))
        md5 = lambda *parts: hashlib.md5(":".join(parts).encode()).hexdigest()
        secret = md5(proof.get("username", ""), "airplay", self.options.password)
        expected = md5(secret, self.nonce, md5(request.method, proof.get("uri", "")))
        return proof.get("nonce") == self.nonce and proof.get("response") == expected

    def set(self, request):
        kind = request.headers.get("Content-Type", "")
        body = request.body.encode() if isinstance(request.body, str) else request.body
        if kind == "text/parameters" and body.startswith(b"volume: "):
            self.state["volume"] = float(body.split()[1])
        elif kind == "application/x-dmap-tagged" and b"minm" in body:
            start = body.index(b"minm") + 8
            length, = struct.unpack_from(">I", body, start - 4)
            self.state["title"] = body[start : start + length].decode()

    async def set_up(self, body):
        if "streams" in body:
            setup = body["streams"][0]
            assert setup["type"] == 96 and setup["audioFormat"] == {1: 0x800, 2: 0x40000}[setup["ct"]]
            self.stream.setup, self.stream.key = setup, setup["shk"]
            self.stream.sender = self.transport.get_extra_info("peername")[0]
            self.tasks.append(asyncio.ensure_future(self.stream.repair()))
            ports = {"type": 96, "dataPort": self.stream.data_port, "controlPort": self.stream.control_port}
            return self.ok({"streams": [ports]})
        assert body["timingProtocol"] == "NTP" and body["sessionUUID"]
        self.stream = Stream(self.options)
        await self.stream.open()
        self.stream.ask_time(self.transport.get_extra_info("peername")[0], body["timingPort"])
        loop = asyncio.get_running_loop()
        server = await loop.create_server(lambda: Events(self.pairing, self.stream), "127.0.0.1", 0)
        port = server.sockets[0].getsockname()[1]
        return self.ok({"eventPort": port, "timingPort": self.stream.timing_port})


async def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("output")
    parser.add_argument("--pin")
    parser.add_argument("--password")
    parser.add_argument("--drop", type=int)
    parser.add_argument("--swap", type=int)
    parser.add_argument("--packets", action="store_true")
    options = parser.parse_args()
    server = await asyncio.get_running_loop().create_server(lambda: Control(options), "127.0.0.1", 0)
    say(event="ready", port=server.sockets[0].getsockname()[1])
    await server.serve_forever()


asyncio.run(main())
