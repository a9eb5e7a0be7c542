"""Both sides of the configuration of an accessory that isn't on the network yet, written from its description alone.

Reads a JSON object per line and writes one in reply. Bytes are in hex.
"""

import hashlib
import json
import sys

from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives import serialization
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey, Ed25519PublicKey
from cryptography.hazmat.primitives.asymmetric.x25519 import X25519PrivateKey, X25519PublicKey
from cryptography.hazmat.primitives.ciphers import Cipher, algorithms, modes


def raw(key):
    return key.public_bytes(serialization.Encoding.Raw, serialization.PublicFormat.Raw)


def stream(secret):
    key = hashlib.sha1(b"AES-KEY" + secret).digest()[:16]
    counter = hashlib.sha1(b"AES-IV" + secret).digest()[:16]
    return Cipher(algorithms.AES(key), modes.CTR(counter)).encryptor()


def elements(data):
    found = {}
    while data:
        kind, length = data[0], data[1]
        found[kind] = data[2 : 2 + length].decode()
        data = data[2 + length :]
    return found


def encoded(values):
    return b"".join(bytes([kind, len(text.encode())]) + text.encode() for kind, text in values)


class Accessory:
    def __init__(self):
        self.signer = Ed25519PrivateKey.generate()

    def exchange(self, body):
        assert body[0] == 1 and len(body) == 33
        key = X25519PrivateKey.generate()
        own = raw(key.public_key())
        self.cipher = stream(key.exchange(X25519PublicKey.from_public_bytes(body[1:])))
        certificate = raw(self.signer.public_key())
        signature = self.cipher.update(self.signer.sign(own + body[1:]))
        parts = (certificate, signature)
        return own + b"".join(len(part).to_bytes(4, "big") + part for part in parts)

    def configure(self, body, reply):
        found = elements(self.cipher.update(body))
        return found, self.cipher.update(encoded(reply))


class Controller:
    def request(self):
        self.key = X25519PrivateKey.generate()
        self.own = raw(self.key.public_key())
        return b"\x01" + self.own

    def configuration(self, reply, values):
        peer, rest = reply[:32], reply[32:]
        parts = []
        for _ in range(2):
            length = int.from_bytes(rest[:4], "big")
            parts.append(rest[4 : 4 + length])
            rest = rest[4 + length :]
        assert not rest
        self.cipher = stream(self.key.exchange(X25519PublicKey.from_public_bytes(peer)))
        signature = self.cipher.update(parts[1])
        try:
            Ed25519PublicKey.from_public_bytes(parts[0]).verify(signature, peer + self.own)
        except InvalidSignature:
            return None
        return self.cipher.update(encoded(values))


accessory, controller = Accessory(), Controller()
for line in sys.stdin:
    command = json.loads(line)
    match command["do"]:
        case "answer exchange":
            result = {"body": accessory.exchange(bytes.fromhex(command["body"])).hex()}
        case "answer configuration":
            values = [(0x05, "Maker"), (0x07, "Model 1"), (0x08, "Lamp")]
            found, reply = accessory.configure(bytes.fromhex(command["body"]), values)
            result = {"body": reply.hex(), "name": found.get(0x08), "network": found[0x0C], "passphrase": found[0x0B]}
        case "exchange":
            result = {"body": controller.request().hex()}
        case "configure":
            values = [(0x08, "Desk"), (0x0B, command["passphrase"]), (0x0C, command["network"])]
            result = {"body": controller.configuration(bytes.fromhex(command["body"]), values).hex()}
        case "read":
            found = elements(controller.cipher.update(bytes.fromhex(command["body"])))
            result = {"name": found.get(0x08), "manufacturer": found.get(0x05), "serialNumber": found.get(0x0A)}
        case "vector":
            # A fixed exchange, from which the test's vector was made.
            mine, theirs = (X25519PrivateKey.from_private_bytes(bytes([byte]) * 32) for byte in (1, 2))
            cipher = stream(mine.exchange(theirs.public_key()))
            result = {"body": cipher.update(bytes(96)).hex()}
    print(json.dumps(result), flush=True)
