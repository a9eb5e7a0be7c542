"""A HAP-python bridge with lamps, to compare with `hearth simulator --lights`.

Listens and advertises on 127.0.0.1 only. Reports "ready" like the tests' bridge and prints nothing afterwards, so that only
HAP-python's own work is measured. Exits on SIGTERM or at the end of standard input.
"""

import argparse
import asyncio
import pathlib
import signal
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "Tests" / "Peers"))

from hap_python_bridge import LOOPBACK, QuietBridge, Server, report  # noqa: E402
from pyhap.accessory import Accessory  # noqa: E402
from pyhap.accessory_driver import AccessoryDriver  # noqa: E402
from pyhap.const import CATEGORY_LIGHTBULB  # noqa: E402
from zeroconf.asyncio import AsyncZeroconf  # noqa: E402


class Lamp(Accessory):
    """A lamp with the same characteristics as the simulator's lamps."""

    category = CATEGORY_LIGHTBULB

    def __init__(self, driver, number):
        super().__init__(driver, f"Lamp {number}")
        self.set_info_service("1.0.0", "HAP-python", "Measured Light", f"LAMP-{number}")
        self.add_preload_service("Lightbulb", chars=["On", "Brightness"])


async def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--lights", type=int, required=True)
    parser.add_argument("--port", type=int, default=0)
    parser.add_argument("--code", required=True)
    parser.add_argument("--state", required=True)
    arguments = parser.parse_args()

    loop = asyncio.get_running_loop()
    stopped = asyncio.Event()
    for number in (signal.SIGTERM, signal.SIGINT):
        loop.add_signal_handler(number, stopped.set)
    loop.add_reader(sys.stdin, stopped.set)

    driver = AccessoryDriver(
        address=LOOPBACK,
        advertised_address=LOOPBACK,
        persist_file=arguments.state,
        pincode=arguments.code.encode(),
        loop=loop,
        async_zeroconf_instance=AsyncZeroconf(interfaces=[LOOPBACK]),
    )
    driver.http_server = Server((LOOPBACK, arguments.port), driver)
    bridge = QuietBridge(driver, "Light Bridge")
    for number in range(1, arguments.lights + 1):
        bridge.add_accessory(Lamp(driver, number))
    driver.add_accessory(bridge)
    await driver.async_start()
    report("ready", port=driver.state.port, setupCode=arguments.code)
    await stopped.wait()
    await driver.async_stop()


if __name__ == "__main__":
    asyncio.run(main())
