"""Controls one accessory server with homekit, an older controller whose pair-setup is method 1, and ends.

    homekit_controller.py PORT DEVICE-ID SETUP-CODE AID.IID VALUE...

Pairs, writes the values to one characteristic in one request, reads it, and lists the pairings. Prints one JSON object:
{"written": {"AID.IID": status, if the accessory doesn't answer with 204}, "value": ..., "pairings": their number}, or
{"error": the exception's class, "message": ...}.
"""

import json
import sys
import types
import uuid

from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric import ed25519 as keys

HOST = "127.0.0.1"
# In bytes: the generator, a salt, a digest and a public key of pair-setup.
SRP_WIDTHS = (1, 16, 64, 384)


# The package `ed25519`, which homekit uses, is C code that newer versions of Python don't build. This is its interface
# as far as homekit needs it.
class SigningKey:
    def __init__(self, seed):
        self.key = keys.Ed25519PrivateKey.from_private_bytes(bytes(seed)[:32])

    def sign(self, message):
        return self.key.sign(bytes(message))

    def to_ascii(self, encoding):
        assert encoding == "hex"
        return self.key.private_bytes_raw().hex().encode()


class VerifyingKey:
    def __init__(self, key):
        self.key = keys.Ed25519PublicKey.from_public_bytes(bytes(key))

    def verify(self, signature, message):
        self.key.verify(bytes(signature), bytes(message))

    def to_bytes(self):
        return self.key.public_bytes_raw()


def create_keypair():
    key = keys.Ed25519PrivateKey.generate()
    return SigningKey(key.private_bytes_raw()), VerifyingKey(key.public_key().public_bytes_raw())


module = types.ModuleType("ed25519")
module.SigningKey, module.VerifyingKey, module.create_keypair = SigningKey, VerifyingKey, create_keypair
module.BadSignatureError = InvalidSignature
sys.modules["ed25519"] = module

from homekit.controller.ip_implementation import IpPairing  # noqa: E402
from homekit.crypto.srp import Srp  # noqa: E402
from homekit.http_impl import HomeKitHTTPConnection  # noqa: E402
from homekit.protocol import (  # noqa: E402
    create_ip_pair_setup_write,
    perform_pair_setup_part1,
    perform_pair_setup_part2,
)

# homekit hashes values without their leading zeros, so that one of some sixty pairings fails. With their widths, each
# is hashed as it was sent.
Srp.to_byte_array = staticmethod(
    lambda value: bytearray(value.to_bytes(next(width for width in SRP_WIDTHS if value < 256**width), "big"))
)


def run(exchange, write):
    request, expected = exchange.send(None)
    while True:
        try:
            request, expected = exchange.send(write(request, expected))
        except StopIteration as end:
            return end.value


def control(port, device_id, code, characteristic, values):
    connection = HomeKitHTTPConnection(HOST, port=port)
    write = create_ip_pair_setup_write(connection)
    salt, public_key = run(perform_pair_setup_part1(), write)
    data = run(perform_pair_setup_part2(code, str(uuid.uuid4()), salt, public_key), write)
    connection.close()
    assert data["AccessoryPairingID"] == device_id, data["AccessoryPairingID"]
    pairing = IpPairing({**data, "AccessoryIP": HOST, "AccessoryPort": port, "Connection": "IP"})
    aid, iid = characteristic
    written = pairing.put_characteristics([(aid, iid, value) for value in values])
    value = pairing.get_characteristics([characteristic])[characteristic]["value"]
    pairings = len(pairing.list_pairings())
    pairing.close()
    return {
        "written": {f"{key[0]}.{key[1]}": outcome["status"] for key, outcome in written.items()},
        "value": value,
        "pairings": pairings,
    }


try:
    port, device_id, code, characteristic, *values = sys.argv[1:]
    aid, iid = (int(part) for part in characteristic.split("."))
    print(json.dumps(control(int(port), device_id, code, (aid, iid), [json.loads(value) for value in values])))
except Exception as error:
    print(json.dumps({"error": type(error).__name__, "message": str(error)}))
