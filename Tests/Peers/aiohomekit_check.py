"""Drives aiohomekit in a scenario of `hearth check controller --exec`: pairs, lists the accessories, reads, subscribes,
switches the lamp on and off, and unpairs. A step that fails doesn't keep the next ones from being tried.
"""

import asyncio
import os
import sys

from aiohomekit_controller import Controller

ON = "00000025-0000-1000-8000-0026BB765291"
LIMIT = 30
TRIES = 20
PAUSE = 0.5


class Driven(Controller):
    def use(self, pairing):
        self.pairing = pairing


async def attempt(name, step, tries=TRIES):
    for number in range(tries):
        if number:
            # The library connects again by itself, which takes a moment.
            await asyncio.sleep(PAUSE)
        try:
            async with asyncio.timeout(LIMIT):
                return await step()
        except Exception as error:
            print(f"{name}: {type(error).__name__}: {error}", file=sys.stderr)
    return None


async def main():
    port = int(os.environ["HEARTH_CHECK_PORT"])
    controller = Driven()
    id, code = os.environ["HEARTH_CHECK_DEVICE_ID"], os.environ["HEARTH_CHECK_CODE"]
    await attempt("pair", lambda: controller.pair(port, id, code), tries=1)
    if controller.pairing:
        listed = await attempt("list", lambda: controller.list(), tries=1) or {"accessories": []}
        found = [
            (f"{accessory['aid']}.{characteristic['iid']}", characteristic)
            for accessory in listed["accessories"]
            for service in accessory["services"]
            for characteristic in service["characteristics"]
            if "ev" in characteristic["perms"]
        ]
        ids = [id for id, _ in found]
        lamps = [id for id, c in found if c["type"].upper() == ON and "pw" in c["perms"] and "tw" not in c["perms"]]
        if ids:
            await attempt("subscribe", lambda: controller.subscribe(ids))
            await attempt("read", lambda: controller.read(ids))
        for value in (True, False):
            if lamps:
                await attempt("write", lambda value=value: controller.write({id: value for id in lamps}))
        if ids:
            await attempt("read", lambda: controller.read(ids))
        await attempt("remove", lambda: controller.remove(), tries=TRIES if ids else 1)
    await controller.close()


asyncio.run(main())
