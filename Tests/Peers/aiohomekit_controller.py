"""Controls one accessory server with aiohomekit. Commands are JSON objects on standard input, one a line, each answered
by one on standard output:

{"command": "pair", "port": ..., "id": ..., "code": ...}            {"event": "reply"}
{"command": "reconnect", "port": ...}                               {"event": "reply"}
{"command": "identify-unpaired", "port": ..., "id": ...}            {"event": "reply"}
{"command": "list"}                                                 {"event": "reply", "accessories": [...]}
{"command": "read", "ids": ["1.9", ...]}                            {"event": "reply", "results": {"1.9": {...}}}
{"command": "write", "values": {"1.9": value}}                      {"event": "reply", "results": {...}}
{"command": "subscribe" | "unsubscribe", "ids": [...]}              {"event": "reply", "results": {...}}
{"command": "pairings"}                                             {"event": "reply", "pairings": [...]}
{"command": "remove"}                                               {"event": "reply"}
{"command": "add-pairing", "name": ..., "permissions": "User"|"Admin"}  {"event": "reply", "data": "{...}"}
{"command": "load", "port": ..., "data": {...}}                     {"event": "reply"}
{"command": "remove-pairing", "name": ...}                          {"event": "reply"}
{"command": "save", "file": ..., "alias": ...}                      {"event": "reply"}
{"command": "identify"}                                             {"event": "reply", "done": ...}
{"command": "timed-write", "ttl": ..., "pid": ..., "values": {...}} {"event": "reply", "results": {...}}

A command that fails is answered by {"event": "error", "error": the exception's class, "message": ...}. What the
accessory tells by itself is {"event": "changed", "values": {"1.9": value}}. Ends when standard input does.
"""

import asyncio
import json
import sys

from aiohomekit.characteristic_cache import CharacteristicCacheMemory
from aiohomekit.controller import Controller as AnyController
from aiohomekit.controller.ip.controller import IpController
from aiohomekit.controller.ip.discovery import IpDiscovery
from aiohomekit.model.categories import Categories
from aiohomekit.model.feature_flags import FeatureFlags
from aiohomekit.model.status_flags import StatusFlags
from aiohomekit.zeroconf import HAP_TYPE_TCP, HomeKitService
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from cryptography.hazmat.primitives.serialization import Encoding, NoEncryption, PrivateFormat, PublicFormat

HOST = "127.0.0.1"


def say(**fields):
    print(json.dumps(fields, default=str), flush=True)


def parsed(texts):
    return [tuple(int(part) for part in text.split(".")) for text in texts]


def keyed(results):
    return {f"{aid}.{iid}": result for (aid, iid), result in (results or {}).items()}


class Controller:
    def __init__(self):
        self.controller = IpController(CharacteristicCacheMemory(), None)
        self.pairing = None

    def discovery(self, port, id):
        # What mDNS would have told.
        service = HomeKitService(
            name="accessory",
            id=id.lower(),
            model="",
            feature_flags=FeatureFlags(0),
            status_flags=StatusFlags.UNPAIRED,
            config_num=1,
            state_num=1,
            category=Categories.OTHER,
            protocol_version="1.1",
            type=HAP_TYPE_TCP,
            address=HOST,
            addresses=[HOST],
            port=port,
        )
        return IpDiscovery(self.controller, service)

    def use(self, pairing):
        self.pairing = pairing
        # Events of the accessory only: listeners also hear of the controller's own writes.
        received = pairing.event_received

        def event_received(event):
            values = {f"{c['aid']}.{c['iid']}": c.get("value") for c in event["characteristics"]}
            say(event="changed", values=values)
            received(event)

        pairing.event_received = event_received

    async def pair(self, port, id, code):
        discovery = self.discovery(port, id)
        try:
            finish = await discovery.async_start_pairing("alias")
            self.use(await finish(code))
        finally:
            await discovery.close()
        return {}

    async def reconnect(self, port):
        # As after a restart of the controller: nothing is left but the pairing, and mDNS tells the port.
        await self.pairing.close()
        data = {**self.pairing.pairing_data, "AccessoryPort": port}
        self.use(self.controller.load_pairing("alias", data))
        return {}

    async def identify_unpaired(self, port, id):
        discovery = self.discovery(port, id)
        try:
            await discovery.async_identify()
        finally:
            await discovery.close()
        return {}

    async def list(self):
        return {"accessories": await self.pairing.list_accessories_and_characteristics()}

    async def read(self, ids):
        return {"results": keyed(await self.pairing.get_characteristics(parsed(ids)))}

    async def write(self, values):
        triples = [(*parsed([id])[0], value) for id, value in values.items()]
        return {"results": keyed(await self.pairing.put_characteristics(triples))}

    async def subscribe(self, ids):
        return {"results": keyed(await self.pairing.subscribe(parsed(ids)))}

    async def unsubscribe(self, ids):
        return {"results": keyed(await self.pairing.unsubscribe(parsed(ids)))}

    async def pairings(self):
        return {"pairings": await self.pairing.list_pairings()}

    async def add_pairing(self, name, permissions):
        # What the other controller needs to be given: the accessory's half of our pairing and keys of its own.
        key = Ed25519PrivateKey.generate()
        public = key.public_key().public_bytes(Encoding.Raw, PublicFormat.Raw).hex()
        await self.pairing.add_pairing(name, public, permissions)
        secret = key.private_bytes(Encoding.Raw, PrivateFormat.Raw, NoEncryption()).hex()
        identity = {"iOSPairingId": name, "iOSDeviceLTSK": secret, "iOSDeviceLTPK": public}
        return {"data": json.dumps({**self.pairing.pairing_data, **identity})}

    async def load(self, port, data):
        self.use(self.controller.load_pairing("alias", {**data, "AccessoryPort": port}))
        return {}

    async def save(self, file, alias):
        # As its command line does after pairing.
        controller = AnyController(char_cache=CharacteristicCacheMemory())
        controller.aliases[alias] = self.pairing
        controller.save_data(file)
        return {}

    async def remove_pairing(self, name):
        await self.pairing.remove_pairing(name)
        return {}

    async def identify(self):
        return {"done": await self.pairing.identify()}

    async def timed_write(self, ttl, pid, values):
        # The library has no call for it.
        await self.pairing.get_characteristics(parsed(values))
        connection = self.pairing.connection
        prepared = await connection.put_json("/prepare", {"ttl": ttl, "pid": pid})
        if prepared != {"status": 0}:
            raise ValueError(prepared)
        entries = [{"aid": a, "iid": i, "value": v} for (a, i), v in zip(parsed(values), values.values())]
        response = await connection.put_json("/characteristics", {"characteristics": entries, "pid": pid})
        failed = response.get("characteristics", [])
        return {"results": keyed({(c["aid"], c["iid"]): {"status": c["status"]} for c in failed})}

    async def remove(self):
        await self.pairing.remove_pairing(self.pairing.pairing_data["iOSPairingId"])
        await self.pairing.close()
        return {}

    async def close(self):
        if self.pairing:
            await self.pairing.close()


async def main():
    controller = Controller()
    loop = asyncio.get_running_loop()
    try:
        while line := await loop.run_in_executor(None, sys.stdin.readline):
            command = json.loads(line)
            name = command.pop("command")
            try:
                reply = await getattr(controller, name.replace("-", "_"))(**command)
                say(event="reply", command=name, **reply)
            except Exception as error:
                say(event="error", command=name, error=type(error).__name__, message=str(error))
    finally:
        await controller.close()


if __name__ == "__main__":
    asyncio.run(main())
