"""Writes files as other controllers do: controller_files.py FORM FILE, where FORM is

  aiohomekit       aiohomekit's own pairing file, by its own `Controller.save_data`
  home-assistant   Home Assistant's .storage/core.config_entries: each member that Home Assistant 2024.3 writes. Beside it the
                   registries of devices and areas: the first pairing's accessory is “Lampe” in the area “Küche”, the second
                   has an accessory 2 in it, without a name
  single           one pairing, as Home Assistant wrote .homekit/hk-... up to 0.84

Tells each pairing by a line {"event": "pairing", "name", "id", "accessoryKey", "controller", "controllerKey", "hosts", "port"} on
standard output, then {"event": "written"}.
"""

import asyncio
import json
import os
import secrets
import sys
import uuid

from aiohomekit.characteristic_cache import CharacteristicCacheMemory
from aiohomekit.controller import Controller
from aiohomekit.controller.abstract import TransportType
from aiohomekit.controller.ip.controller import IpController
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from cryptography.hazmat.primitives.serialization import Encoding, NoEncryption, PrivateFormat, PublicFormat


def key_pair():
    key = Ed25519PrivateKey.generate()
    secret = key.private_bytes(Encoding.Raw, PrivateFormat.Raw, NoEncryption()).hex()
    return secret, key.public_key().public_bytes(Encoding.Raw, PublicFormat.Raw).hex()


def pairing(number):
    # The members that aiohomekit's pair-setup gives, in its order, and those that its IP discovery adds.
    secret, public = key_pair()
    return {
        "AccessoryPairingID": ":".join(f"{byte:02X}" for byte in secrets.token_bytes(6)),
        "AccessoryLTPK": key_pair()[1],
        "iOSPairingId": str(uuid.uuid4()),
        "iOSDeviceLTSK": secret,
        "iOSDeviceLTPK": public,
        "AccessoryIP": f"192.0.2.{number}",
        "AccessoryIPs": [f"192.0.2.{number}", f"2001:db8::{number}"],
        "AccessoryPort": 50000 + number,
        "Connection": "IP",
    }


def config_entry(title, data, domain="homekit_controller", source="zeroconf"):
    unique_id = data.get("AccessoryPairingID", "00:00:00:00:00:00").lower()
    return {
        "entry_id": secrets.token_hex(16),
        "version": 1,
        "minor_version": 1,
        "domain": domain,
        "title": title,
        "data": data,
        "options": {},
        "pref_disable_new_entities": False,
        "pref_disable_polling": False,
        "source": source,
        "unique_id": unique_id,
        "disabled_by": None,
    }


def device(server, aid, name, area):
    return {
        "area_id": area,
        "config_entries": [secrets.token_hex(16)],
        "configuration_url": None,
        "connections": [],
        "disabled_by": None,
        "entry_type": None,
        "hw_version": "",
        "id": secrets.token_hex(16),
        "identifiers": [["homekit_controller:accessory-id", f"{server}:aid:{aid}"]],
        "labels": [],
        "manufacturer": "Maker",
        "model": "Model",
        "name_by_user": name,
        "name": "Lamp",
        "serial_number": None,
        "sw_version": "1.0",
        "via_device_id": None,
    }


def area(id, name):
    return {"aliases": [], "floor_id": None, "icon": None, "id": id, "labels": [], "name": name, "picture": None}


def store(key, data):
    return {"version": 1, "minor_version": 1, "key": key, "data": data}


def write_store(folder, key, data):
    with open(os.path.join(folder, key), "w", encoding="utf-8") as output:
        json.dump(store(key, data), output, indent=2, ensure_ascii=False)


async def main():
    form, file = sys.argv[1:]
    pairings = {"Kitchen Lamp": pairing(1), "Küche „2“": pairing(2)}
    if form == "single":
        pairings = {name: data for name, data in list(pairings.items())[:1]}
        del pairings["Kitchen Lamp"]["Connection"], pairings["Kitchen Lamp"]["AccessoryIPs"]
    for name, data in pairings.items():
        print(
            json.dumps(
                {
                    "event": "pairing",
                    "name": data["AccessoryPairingID"] if form == "single" else name,
                    "id": data["AccessoryPairingID"],
                    "accessoryKey": data["AccessoryLTPK"],
                    "controller": data["iOSPairingId"],
                    "controllerKey": data["iOSDeviceLTPK"],
                    "hosts": data.get("AccessoryIPs", [data["AccessoryIP"]]),
                    "port": data["AccessoryPort"],
                }
            ),
            flush=True,
        )
    if form == "aiohomekit":
        controller = Controller(char_cache=CharacteristicCacheMemory())
        controller.transports[TransportType.IP] = IpController(CharacteristicCacheMemory(), None)
        for name, data in pairings.items():
            controller.load_pairing(name, data)
        controller.save_data(file)
    elif form == "home-assistant":
        entries = [config_entry("Sun", {}, domain="sun", source="import")]
        entries += [config_entry(name, data) for name, data in pairings.items()]
        entries += [config_entry("Ignored", {}, source="ignore")]
        first, second = (data["AccessoryPairingID"] for data in pairings.values())
        devices = [device(first, 1, "Lampe", "kuche"), device(second, 1, None, None), device(second, 2, None, "kuche")]
        devices[1]["identifiers"] = [["sun", "sun", "sun"], ["hue", "x"]] + devices[1]["identifiers"]
        folder, name = os.path.split(file)
        write_store(folder, "core.device_registry", {"devices": devices, "deleted_devices": []})
        write_store(folder, "core.area_registry", {"areas": [area("kuche", "Küche"), area("bad", "Bad")]})
        write_store(folder, name, {"entries": entries})
    else:
        with open(file, "w", encoding="utf-8") as output:
            json.dump(next(iter(pairings.values())), output)
    print(json.dumps({"event": "written"}), flush=True)


asyncio.run(main())
