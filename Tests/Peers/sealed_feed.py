"""A reader of feeds, written from the description of their bytes in Documentation/Sync.md alone.

Reads a JSON object per line and writes one in reply. Bytes are in hex. X-Wing comes from kyber-py and cryptography, HPKE from RFC 9180.
"""

import base64
import hashlib
import hmac
import json
import sys
import uuid

from cryptography.exceptions import InvalidSignature, InvalidTag
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey
from cryptography.hazmat.primitives.asymmetric.x25519 import X25519PrivateKey, X25519PublicKey
from cryptography.hazmat.primitives.ciphers.aead import AESGCM, ChaCha20Poly1305
from cryptography.hazmat.primitives.kdf.hkdf import HKDF
from kyber_py.ml_kem import ML_KEM_768

MLKEM_CIPHERTEXT = 1088


class XWing:
    """X-Wing (draft-connolly-cfrg-xwing-kem): ML-KEM-768 and X25519."""

    def __init__(self, seed):
        expanded = hashlib.shake_256(seed).digest(96)
        self.encapsulation, self.decapsulation = ML_KEM_768.key_derive(expanded[:64])
        self.secret = X25519PrivateKey.from_private_bytes(expanded[64:])
        self.point = self.secret.public_key().public_bytes(serialization.Encoding.Raw, serialization.PublicFormat.Raw)

    def public(self):
        return self.encapsulation + self.point

    def decapsulate(self, encapsulated):
        ciphertext, point = encapsulated[:MLKEM_CIPHERTEXT], encapsulated[MLKEM_CIPHERTEXT:]
        first = ML_KEM_768.decaps(self.decapsulation, ciphertext)
        second = self.secret.exchange(X25519PublicKey.from_public_bytes(point))
        return hashlib.sha3_256(first + second + point + self.point + rb"\.//^\ "[:6]).digest()


SUITE = b"HPKE" + (0x647A).to_bytes(2, "big") + (1).to_bytes(2, "big") + (2).to_bytes(2, "big")


def extract(salt, label, secret):
    return hmac.new(salt or bytes(32), b"HPKE-v1" + SUITE + label + secret, hashlib.sha256).digest()


def expand(secret, label, info, length):
    info = length.to_bytes(2, "big") + b"HPKE-v1" + SUITE + label + info
    return hmac.new(secret, info + b"\x01", hashlib.sha256).digest()[:length]


def hpke_open(box, encapsulated, ciphertext, info, data):
    """The base mode of RFC 9180, for the first message."""
    context = b"\x00" + extract(b"", b"psk_id_hash", b"") + extract(b"", b"info_hash", info)
    secret = extract(box.decapsulate(encapsulated), b"secret", b"")
    key = expand(secret, b"key", context, 32)
    nonce = expand(secret, b"base_nonce", context, 12)
    return AESGCM(key).decrypt(nonce, ciphertext, data)


def signed(data, hub, context):
    """Returns the first line and the bytes after the second one, which is the signature."""
    line, signature, rest = data.split(b"\n", 2)
    message = context + b"\x00" + line + b"\n" + rest
    Ed25519PublicKey.from_public_bytes(hub).verify(base64.b64decode(signature, validate=True), message)
    return line, rest


def open_envelope(data, hub, seed):
    line, rest = signed(data, hub, b"hearth envelope 1")
    assert rest == b""
    fields = json.loads(line)
    assert fields["version"] == 1 and fields["suite"] == "xwing-sha256-aes256gcm"
    info = b"hearth envelope 1\x00" + bytes.fromhex(fields["house"]) + bytes.fromhex(fields["feed"])
    info += fields["gen"].to_bytes(8, "big") + uuid.UUID(fields["to"]).bytes
    key = hpke_open(XWing(seed), base64.b64decode(fields["enc"]), base64.b64decode(fields["ct"]), info, hub)
    return key, fields


def open_lists(data, seed, device):
    """Returns the lists of hubs, each with its hubs, its line and its signature."""
    line, ciphertext = data.split(b"\n", 1)
    fields = json.loads(line)
    assert fields["version"] == 1 and fields["suite"] == "xwing-sha256-aes256gcm"
    assert line == json.dumps(fields, sort_keys=True, separators=(",", ":")).encode()
    assert uuid.UUID(fields["to"]) == device
    info = b"hearth hub lists 1\x00" + bytes.fromhex(fields["house"]) + bytes.fromhex(fields["feed"])
    info += fields["gen"].to_bytes(8, "big") + device.bytes
    chain = json.loads(hpke_open(XWing(seed), base64.b64decode(fields["enc"]), ciphertext, info, b""))
    lists = []
    for entry in chain["lists"]:
        hubs = [chain["hubs"][index] for index in entry["hubs"]]
        content = {"hubs": hubs, "seq": entry["seq"], "version": 1}
        text = json.dumps(content, sort_keys=True, separators=(",", ":")).encode()
        lists.append((entry["seq"], hubs, text + b"\n", base64.b64decode(entry["signature"])))
    return lists


def is_signed(message, signature, hub):
    try:
        Ed25519PublicKey.from_public_bytes(hub).verify(signature, b"hearth hubs 1\x00" + message)
        return True
    except InvalidSignature:
        return False


def follow(lists, known):
    """Returns the keys of the hubs that a device believes, which knows some and has no list."""
    number = 0
    for sequence, hubs, message, signature in lists:
        if sequence <= number or not any(is_signed(message, signature, key) for key in known):
            continue
        keys = [base64.b64decode(hub["key"]) for hub in hubs]
        assert any(key in known for key in keys), "the list replaces every hub"
        number, known = sequence, keys
    assert number == lists[-1][0], "the newest list isn't reached"
    return known


def open_entry(data, hub, key):
    line, body = signed(data, hub, b"hearth feed entry 1")
    header = json.loads(line)
    assert header["version"] == 1
    salt = base64.b64decode(header["salt"])
    derived = HKDF(hashes.SHA256(), 44, salt, b"hearth feed entry 1").derive(key)
    plaintext = ChaCha20Poly1305(derived[:32]).decrypt(derived[32:], body, line)
    length = int.from_bytes(plaintext[:4], "big")
    piece, padding = plaintext[4 : 4 + length], plaintext[4 + length :]
    assert padding.strip(b"\x00") == b"" and len(plaintext) & (len(plaintext) - 1) == 0 and len(plaintext) >= 512
    return header, piece


def read(command):
    hub, seed = bytes.fromhex(command["hub"]), bytes.fromhex(command["seed"])
    key, envelope = open_envelope(bytes.fromhex(command["envelope"]), hub, seed)
    previous, content, headers = None, b"", []
    for text in command["entries"]:
        entry = bytes.fromhex(text)
        header, piece = open_entry(entry, hub, key)
        for name in ("house", "feed", "gen", "hub"):
            assert header[name] == envelope[name], name
        if previous is not None:
            assert header["prev"] == previous and header["seq"] == headers[-1]["seq"] + 1
        previous = hashlib.sha256(entry).hexdigest()
        headers.append(header)
        content += piece
    seen, *events = content.decode().rstrip("\n").split("\n")
    signed_beat, rest = signed(bytes.fromhex(command["beat"]), hub, b"hearth beat 1")
    beat = json.loads(signed_beat)
    assert rest == b"" and beat["seq"] == headers[-1]["seq"] and beat["head"] == previous
    return {
        "box": XWing(seed).public().hex(),
        "seen": json.loads(seen)["seen"],
        "events": events,
        "parts": [header["part"][0] for header in headers],
        "isBase": headers[0]["base"],
        "time": beat["time"],
    }


def read_lists(command):
    device = uuid.UUID(command["device"])
    lists = open_lists(bytes.fromhex(command["lists"]), bytes.fromhex(command["seed"]), device)
    recipient = uuid.UUID(bytes=bytes(byte ^ 0xFF for byte in device.bytes))
    known = follow(lists, [bytes.fromhex(command["hub"])])
    return {"hubs": [key.hex() for key in known], "recipient": str(recipient).upper()}


for text in sys.stdin:
    try:
        command = json.loads(text)
        reply = read_lists(command) if "lists" in command else read(command)
    except (InvalidSignature, InvalidTag, AssertionError, ValueError) as error:
        reply = {"error": type(error).__name__}
    print(json.dumps(reply), flush=True)
