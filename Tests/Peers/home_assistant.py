"""Home Assistant's homekit_controller, in a process of its own, with the accessories of a running simulator.

home_assistant.py CONTROL TABLE: the socket of the simulator's control, and what is expected (home_assistant.json).

Home Assistant finds the accessories by multicast DNS on the interface of this host, and pairs each through the flow that a
person goes through. For every device of the table it is checked which entities there are and what they show. Then the
steps are done: `call` is a service call in Home Assistant, `set` and `press` are a hand at the accessory. After each
step the accessory's values (`accessory`) and the entities (`home`) must become what the table says. What a hand does must
have come as an event of the accessory, not by a poll. At the end the structure of an accessory changes, and a pairing is removed.

An expectation is a value, or {"from": ..., "to": ...} for numbers that move by themselves.
"""

import asyncio
import json
import logging
import sys
import tempfile
import time
from pathlib import Path

from aiohomekit.controller.ip.pairing import IpPairing
from homeassistant import bootstrap, config, config_entries, core, loader
from homeassistant.const import __version__ as version
from homeassistant.exceptions import HomeAssistantError
from homeassistant.helpers import device_registry, entity_registry
from homeassistant.setup import async_setup_component

DOMAIN = "homekit_controller"
DEVICES = "homekit_controller-devices"
# Far more than any step takes; the longest, an alarm that is armed, takes 30 s.
LIMIT = 90


class Simulator:
    """The control of the simulator: JSON-RPC, a message a line."""

    async def connect(self, path):
        self.reader, self.writer = await asyncio.open_unix_connection(path, limit=1 << 24)
        self.turn = asyncio.Lock()

    async def ask(self, method, **fields):
        async with self.turn:
            request = {"jsonrpc": "2.0", "id": 1, "method": method, "params": fields}
            self.writer.write(json.dumps(request).encode() + b"\n")
            answer = json.loads(await self.reader.readline())
        if "error" in answer:
            raise AssertionError(f"{method} {fields}: {answer['error']['message']}")
        return answer["result"]

    async def value(self, accessory, path):
        service, _, characteristic = path.rpartition("/")
        fields = {"service": service} if service else {}
        return await self.ask("value.get", accessory=accessory, characteristic=characteristic, **fields)


class Home:
    """Home Assistant with what homekit_controller needs, as its own start makes it."""

    async def start(self, folder):
        self.hass = hass = core.HomeAssistant(folder)
        # Everything is installed already; nothing is fetched.
        hass.config.skip_pip = True
        loader.async_setup(hass)
        hass.config_entries = config_entries.ConfigEntries(hass, {})
        await bootstrap.async_load_base_functionality(hass)
        for domain in bootstrap.CORE_INTEGRATIONS:
            assert await async_setup_component(hass, domain, {}), domain
        await config.async_process_ha_core_config(hass, {})
        assert await async_setup_component(hass, "zeroconf", {})
        await hass.async_start()
        self.events = {}

    def flows(self):
        return {
            flow["context"]["unique_id"]: flow["flow_id"]
            for flow in self.hass.config_entries.flow.async_progress_by_handler(DOMAIN)
            if "unique_id" in flow["context"]
        }

    async def pair(self, id, code):
        """Adds a found accessory, as a person does. Gives what the flow says."""
        flow = self.hass.config_entries.flow
        form = await flow.async_configure(self.flows()[id])
        assert form["step_id"] == "pair" and not form["errors"], form
        return await flow.async_configure(form["flow_id"], {"pairing_code": code})

    async def reload(self):
        """Connects anew to all that is paired, as a start does.

        Right after a pairing Home Assistant reads the accessory's structure a second time, and its entities of a single
        characteristic show the values of the first reading from then on (home-assistant/core#177696). A start puts this right.
        """
        for entry in self.hass.config_entries.async_entries(DOMAIN):
            await self.hass.config_entries.async_reload(entry.entry_id)
        await self.hass.async_block_till_done()

    def listen(self):
        """Notes what the accessories tell by themselves, and what they have been asked to tell."""
        received, subscribe = IpPairing.event_received, IpPairing.subscribe
        self.heard, self.subscribed = {}, {}

        def event_received(pairing, event):
            heard = self.heard.setdefault(pairing.id.lower(), set())
            heard.update((entry["aid"], entry["iid"]) for entry in event["characteristics"])
            received(pairing, event)

        async def noted_subscribe(pairing, characteristics):
            await subscribe(pairing, characteristics)
            self.subscribed.setdefault(pairing, set()).update(characteristics)

        IpPairing.event_received, IpPairing.subscribe = event_received, noted_subscribe

    async def unsubscribed(self):
        return [
            f"no events were asked for of {device.unique_id}"
            for device in self.hass.data[DEVICES].values()
            if not device.watchable_characteristics <= self.subscribed.get(device.pairing, set())
        ]

    def entities(self):
        """The entities of each device: the state, and the attributes beside it."""
        devices = device_registry.async_get(self.hass)
        found = {}
        for entity in entity_registry.async_get(self.hass).entities.values():
            if entity.platform != DOMAIN:
                continue
            state = self.hass.states.get(entity.entity_id)
            shown = {} if state is None else json.loads(json.dumps(dict(state.attributes), default=str))
            shown["state"] = None if state is None else state.state
            found.setdefault(devices.async_get(entity.device_id).name, {})[entity.entity_id] = shown
        return found


def agrees(expected, actual):
    if isinstance(expected, dict):
        try:
            return expected["from"] <= float(actual) <= expected["to"]
        except (TypeError, ValueError):
            return False
    return expected == actual


def differences(expected, shown):
    return [
        f"{entity}: {key} is {shown.get(entity, {}).get(key)!r}, not {value!r}"
        for entity, values in expected.items()
        for key, value in values.items()
        if not agrees(value, shown.get(entity, {}).get(key))
    ]


async def until(problems):
    """Waits until nothing is wrong. What then still is, it gives back."""
    end = time.monotonic() + LIMIT
    while found := await problems():
        if time.monotonic() > end:
            return found
        await asyncio.sleep(0.02)
    return []


async def carry_out(home, simulator, device, id, step):
    """Does one step with one device. Gives what is not as expected."""
    heard = home.heard.setdefault(id, set())
    moved = set()
    what = f"{device}, {step.get('call') or step.get('set') or step.get('press')}"
    if "call" in step:
        domain, service = step["call"].split(".")
        try:
            await home.hass.services.async_call(domain, service, step["data"], blocking=True)
        except HomeAssistantError as error:
            return [f"{what}: {error}"]
    elif "set" in step:
        for path in step["set"]:
            moved.add(path)
        shown = await simulator.ask("accessory.show", accessory=device)
        ids = {
            path: (shown["aid"], characteristic["iid"])
            for service in shown["services"]
            for characteristic in service["characteristics"]
            for path in (characteristic["name"], f"{service['key']}/{characteristic['name']}")
        }
        heard.difference_update(ids[path] for path in moved)
        for path, value in step["set"].items():
            service, _, characteristic = path.rpartition("/")
            fields = {"service": service} if service else {}
            await simulator.ask("value.set", accessory=device, characteristic=characteristic, value=value, **fields)
    else:
        service, press = step["press"]
        await simulator.ask("button.press", accessory=device, service=service, press=press)

    async def problems():
        found = differences(step.get("home", {}), home.entities().get(device, {}))
        for path, value in step.get("accessory", {}).items():
            actual = (await simulator.value(device, path))["value"]
            if not agrees(value, actual):
                found.append(f"{path} of the accessory is {actual!r}, not {value!r}")
        found += [f"no event of {path} has come" for path in moved if ids[path] not in heard]
        return found

    return [f"{what}: {problem}" for problem in await until(problems)]


async def check(home, simulator, device, id, expected):
    shown = {}

    async def problems():
        shown.update(home.entities().get(device, {}))
        missing = sorted(set(expected["entities"]) - set(shown))
        more = sorted(set(shown) - set(expected["entities"]))
        return (
            [f"{entity} is missing" for entity in missing]
            + [f"{entity} is more than expected" for entity in more]
            + differences(expected["entities"], shown)
        )

    found = [f"{device}: {problem}" for problem in await until(problems)]
    for step in expected["steps"]:
        if not found:
            found = await carry_out(home, simulator, device, id, step)
    return found


async def run(control, table, folder):
    begin = time.monotonic()
    simulator, home = Simulator(), Home()
    await simulator.connect(control)
    accessories = (await simulator.ask("accessory.list"))["accessories"]
    hosts = {accessory["id"].lower(): accessory for accessory in accessories if "id" in accessory}
    serials = {accessory["serialNumber"]: id for id, accessory in hosts.items()}
    hosting = {
        accessory["name"]: serials[accessory.get("bridge", accessory["serialNumber"])] for accessory in accessories
    }
    if set(hosting) != set(table):
        return [f"the table and the simulator differ in {sorted(set(hosting) ^ set(table))}"]

    home.listen()
    await home.start(folder)

    async def undiscovered():
        return [f"{hosts[id]['name']} was not found" for id in hosts if id not in home.flows()]

    if found := await until(undiscovered):
        return found
    print(f"Home Assistant {version} found {len(hosts)} accessories after {time.monotonic() - begin:.1f} s")

    # One wrong code, as a person types it. The right one is taken after it.
    id, host = next(iter(hosts.items()))
    refused = await home.pair(id, "111-22-333")
    if refused.get("errors") != {"pairing_code": "authentication_error"}:
        return [f"a wrong set-up code was answered by {refused}"]
    for id, host in hosts.items():
        added = await home.pair(id, host["setupCode"])
        if added["type"] != "create_entry":
            return [f"{host['name']} was not added: {added}"]
    await home.hass.async_block_till_done()

    async def not_refreshed():
        devices = home.hass.data[DEVICES].values()
        return [f"{device.unique_id} was not read again" for device in devices if device.config_num == 0]

    if found := await until(not_refreshed):
        return found
    await home.reload()
    if found := await until(home.unsubscribed):
        return found
    print(f"all are paired after {time.monotonic() - begin:.1f} s")

    results = await asyncio.gather(
        *(check(home, simulator, device, hosting[device], expected) for device, expected in table.items())
    )
    problems = [problem for result in results for problem in result]
    if problems:
        return problems
    shown = home.entities()
    steps = sum(len(expected["steps"]) for expected in table.values())
    print(f"{sum(map(len, shown.values()))} entities, {steps} steps after {time.monotonic() - begin:.1f} s")

    # Identify: a button in Home Assistant, a blink of the accessory.
    position = (await simulator.ask("event.next"))["next"]
    for device in table:
        button = next(entity for entity in shown[device] if entity.startswith("button."))
        await home.hass.services.async_call("button", "press", {"entity_id": button}, blocking=True)
    events = (await simulator.ask("event.next", after=position))["events"]
    blinked = {event["accessory"] for event in events if event["event"] == "identify"}
    problems += [f"{device} was not identified" for device in sorted(set(table) - blinked)]

    # A service more, while Home Assistant is connected: it learns of it by the configuration number.
    await simulator.ask("service.add", accessory="Switch", service={"type": "MotionSensor", "name": "Presence"})

    async def unnoticed():
        new = [entity for entity in home.entities()["Switch"] if entity.startswith("binary_sensor.")]
        return [] if new else ["the switch's new motion sensor was not noticed"]

    problems += await until(unnoticed)

    # Its entry is removed: so is the pairing, and the accessory can be found anew. It restarts for that: what it tells while
    # Home Assistant is still removing the entry goes unheard there.
    outlet = hosting["Outlet"]
    entry = next(entry for entry in home.hass.config_entries.async_entries(DOMAIN) if entry.unique_id == outlet)
    await home.hass.config_entries.async_remove(entry.entry_id)
    listed = (await simulator.ask("accessory.list"))["accessories"]
    if next(accessory["isPaired"] for accessory in listed if accessory["name"] == "Outlet"):
        problems.append("the outlet is paired, though its entry was removed")
    await simulator.ask("fault.inject", accessory="Outlet", fault="restart")

    async def lost():
        return [] if outlet in home.flows() else ["the outlet was not found anew"]

    problems += await until(lost)
    await home.hass.async_stop()
    print(f"ended after {time.monotonic() - begin:.1f} s")
    return problems


def main():
    control, table = sys.argv[1:]
    logging.basicConfig(level=logging.ERROR)
    with tempfile.TemporaryDirectory() as folder:
        problems = asyncio.run(run(control, json.loads(Path(table).read_text(encoding="utf-8")), folder))
    for problem in problems:
        print(f"error: {problem}", file=sys.stderr)
    sys.exit(1 if problems else 0)


main()
