"""Has a receiver play an address with pyatv, and waits for its end. Prints "done", or "failed: REASON".

Usage: pyatv_play_url.py HOST PORT ADDRESS
"""

import asyncio
import sys
from ipaddress import IPv4Address

import pyatv
from pyatv.conf import AppleTV, ManualService
from pyatv.const import Protocol


async def main():
    host, port, address = sys.argv[1:]
    device = AppleTV(IPv4Address(host), "Receiver")
    device.add_service(ManualService("00:11:22:33:44:55", Protocol.AirPlay, int(port), {"features": "0x11"}))
    connection = await pyatv.connect(device, asyncio.get_event_loop())
    try:
        await connection.stream.play_url(address)
        print("done", flush=True)
    except Exception as error:  # pylint: disable=broad-except
        print(f"failed: {type(error).__name__}: {error}", flush=True)
        return 1
    finally:
        await asyncio.gather(*connection.close())
    return 0


sys.exit(asyncio.run(main()))
