"""A bridge made with HAP-python, as a foreign accessory for tests: a lamp, a lock, a temperature sensor, and more lamps.

It listens and advertises on 127.0.0.1 only, or does not advertise at all. Every line on standard output is a JSON object with a member "event":
  ready     port, code, deviceID, name: listening and advertised
  paired, unpaired   controllers: how many there are now
  set       name, char, value: a controller wrote
  prepared  pid: a controller announced a timed write
  written   pid: a write came; pid is null if it was not a timed one
  configured   number: the new configuration number
  done      command: a line from standard input was carried out
  error     message: a line from standard input was refused
Lines on standard input are JSON objects:
  {"set": NAME, "value": VALUE, "char": CHARACTERISTIC?}   the device changes by itself
  {"drop": true}                                           every connection is closed
  {"configuration": true}                                  the configuration number goes up by one
  {"add": NAME}                                            a lamp is added, and the configuration number goes up by one
  {"garble": true}                                         what it tells of itself makes no sense from then on
  {"lose": true, "end": true?}                             the next pairing is stored, but the connection closes before
                                                           the controller learns of it, and the bridge ends if it is told to
SIGTERM, SIGINT or the end of standard input end it with a goodbye on the network and exit code 0.
"""

import argparse
import asyncio
import json
import os
import signal
import sys

from pyhap.accessory import Accessory, Bridge
from pyhap.accessory_driver import AccessoryDriver
from pyhap.const import CATEGORY_DOOR_LOCK, CATEGORY_LIGHTBULB, CATEGORY_SENSOR
from pyhap.hap_server import HAPServer
from zeroconf.asyncio import AsyncZeroconf

LOOPBACK = "127.0.0.1"


def report(event, **members):
    print(json.dumps({"event": event, **members}), flush=True)


class Server(HAPServer):
    """A server that tells the driver which port it was given, so that port 0 can be asked for."""

    async def async_start(self, loop):
        await super().async_start(loop)
        self.accessory_handler.state.port = self.server.sockets[0].getsockname()[1]


class Driver(AccessoryDriver):
    """A driver that reports pairings once they are on disk, and writes."""

    loses_answer = False
    ends_then = False

    def pair(self, *controller):
        accepted = super().pair(*controller)
        self.persist()
        report("paired", controllers=len(self.state.paired_clients))
        if self.loses_answer:
            if self.ends_then:
                sys.stdout.flush()
                os._exit(0)
            self.loses_answer = False
            drop_connections(self)
        return accepted

    def prepare(self, query, client):
        report("prepared", pid=query.get("pid"))
        return super().prepare(query, client)

    def set_characteristics(self, query, client):
        report("written", pid=query.get("pid"))
        return super().set_characteristics(query, client)

    def unpair(self, controller):
        super().unpair(controller)
        self.persist()
        report("unpaired", controllers=len(self.state.paired_clients))


class Unheard(AsyncZeroconf):
    """Discovery that announces nothing."""

    async def async_register_service(self, *arguments, **options):
        pass

    async def async_update_service(self, *arguments, **options):
        pass

    async def async_unregister_service(self, *arguments, **options):
        pass


class QuietBridge(Bridge):
    """A bridge that prints no setup code: standard output is for JSON lines."""

    def setup_message(self):
        pass


class Device(Accessory):
    """A bridged accessory with one service."""

    def __init__(self, driver, name, category, service, characteristics):
        super().__init__(driver, name)
        self.category = category
        self.set_info_service("1.2.3", "Foreign Works", f"{name} One", f"{name}-0001")
        self.main = self.add_preload_service(service, chars=characteristics)
        for characteristic in self.main.characteristics:
            characteristic.setter_callback = self.reporter(characteristic.display_name)

    def reporter(self, characteristic):
        return lambda value: self.written(characteristic, value)

    def written(self, characteristic, value):
        report("set", name=self.display_name, char=characteristic, value=value)


class Lock(Device):
    """A lock whose bolt follows its target."""

    def written(self, characteristic, value):
        super().written(characteristic, value)
        if characteristic == "LockTargetState":
            self.main.get_characteristic("LockCurrentState").set_value(value)


def make_lamp(driver, name):
    return Device(driver, name, CATEGORY_LIGHTBULB, "Lightbulb", ["On", "Brightness"]), "On"


def make_devices(driver, lamps):
    return [
        make_lamp(driver, "Lamp"),
        (Lock(driver, "Lock", CATEGORY_DOOR_LOCK, "LockMechanism", None), "LockTargetState"),
        (Device(driver, "Sensor", CATEGORY_SENSOR, "TemperatureSensor", None), "CurrentTemperature"),
    ] + [make_lamp(driver, f"Lamp {number}") for number in range(1, lamps + 1)]


def drop_connections(driver):
    for connection in list(driver.http_server.connections.values()):
        connection.transport.abort()


def raise_configuration(driver):
    driver.config_changed()
    report("configured", number=driver.state.config_version)


def carry_out(line, driver, devices):
    command = json.loads(line)
    if "set" in command:
        device, characteristic = devices[command["set"]]
        device.main.get_characteristic(command.get("char", characteristic)).set_value(command["value"])
    elif command.get("drop"):
        drop_connections(driver)
    elif command.get("configuration"):
        raise_configuration(driver)
    elif "add" in command:
        device, characteristic = make_lamp(driver, command["add"])
        driver.accessory.add_accessory(device)
        devices[device.display_name] = (device, characteristic)
        raise_configuration(driver)
    elif command.get("garble"):
        driver.get_accessories = lambda: {"accessories": "none"}
    elif command.get("lose"):
        driver.loses_answer = True
        driver.ends_then = command.get("end", False)
    else:
        raise ValueError("unknown command")
    report("done", command=command)


async def follow_standard_input(stopped, *arguments):
    reader = asyncio.StreamReader()
    await asyncio.get_running_loop().connect_read_pipe(lambda: asyncio.StreamReaderProtocol(reader), sys.stdin)
    while line := await reader.readline():
        try:
            carry_out(line, *arguments)
        except Exception as error:  # whatever is wrong with a command, the bridge goes on
            report("error", message=f"{type(error).__name__}: {error}")
    stopped.set()


async def main():
    parser = argparse.ArgumentParser(description="A foreign HAP bridge for tests")
    parser.add_argument("--port", type=int, default=0, help="0 takes any free one")
    parser.add_argument("--code", required=True, help="setup code, ddd-dd-ddd")
    parser.add_argument("--state", required=True, help="file that keeps keys and pairings")
    parser.add_argument("--name", default="Foreign Bridge")
    parser.add_argument("--lamps", type=int, default=0, help="how many lamps to bridge besides the three devices")
    parser.add_argument("--quiet", action="store_true", help="announce nothing on the network")
    arguments = parser.parse_args()

    loop = asyncio.get_running_loop()
    stopped = asyncio.Event()
    for number in (signal.SIGTERM, signal.SIGINT):
        loop.add_signal_handler(number, stopped.set)

    driver = Driver(
        address=LOOPBACK,
        advertised_address=LOOPBACK,
        persist_file=arguments.state,
        pincode=arguments.code.encode(),
        loop=loop,
        async_zeroconf_instance=(Unheard if arguments.quiet else AsyncZeroconf)(interfaces=[LOOPBACK]),
    )
    driver.http_server = Server((LOOPBACK, arguments.port), driver)
    bridge = QuietBridge(driver, arguments.name)
    devices = {}
    for device, characteristic in make_devices(driver, arguments.lamps):
        bridge.add_accessory(device)
        devices[device.display_name] = (device, characteristic)
    driver.add_accessory(bridge)
    await driver.async_start()
    report(
        "ready",
        port=driver.state.port,
        code=arguments.code,
        deviceID=driver.state.mac,
        name=arguments.name,
    )

    commands = asyncio.create_task(follow_standard_input(stopped, driver, devices))
    await stopped.wait()
    commands.cancel()
    await driver.async_stop()


if __name__ == "__main__":
    asyncio.run(main())
