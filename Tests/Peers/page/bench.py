"""Measures how quickly the page starts and follows a home of 500 lamps, in a real browser against a real hub.

    .build/page/bin/python Tests/Peers/page/bench.py --hearth .build/release/hearth [--quick] [--json FILE]

Prints a line for each figure, with its aim. Times are this machine's: they are reported and never asserted.
"""

import argparse
import http.client
import json
import os
import socket
import statistics
import sys
import threading
import time

from playwright.sync_api import expect, sync_playwright

import home_assistant_page
from rig import Rig

#: Notes when the hub answered, when the first tile was painted, when a tap was made, when tiles changed, and long tasks.
PROBE = """
window.marks = {}; window.paints = 0; window.longTasks = []; window.taps = []; window.changes = [];
const ask = window.fetch;
window.fetch = async (...call) => {
  const reply = await ask(...call);
  if (String(call[0]).includes('/api/events')) window.marks.answered ??= performance.now();
  return reply;
};
new PerformanceObserver(list => { for (const each of list.getEntries()) window.longTasks.push(each.duration); }).observe({ type: 'longtask', buffered: true });
new MutationObserver(list => {
  if (!window.marks.first && document.querySelector('.tile')) requestAnimationFrame(() => setTimeout(() => { window.marks.first ??= performance.now(); window.marks.tiles = document.querySelectorAll('.tile').length; }));
  window.paints += list.filter(each => each.type === 'characterData').length;
  for (const each of list) if (each.attributeName === 'aria-checked') window.changes.push([performance.timeOrigin + performance.now(), each.target.closest('.tile')?.dataset.thing]);
}).observe(document, { subtree: true, childList: true, characterData: true, attributes: true, attributeFilter: ['aria-checked'] });
"""


#: A month of a large home: mostly values, and what happens besides, told to the page by its own reader of the stream, in pieces
#: as a network would bring them. The page paints in between, as often as it may.
MONTH = """
async (count) => {
  const files = new URL('.', document.querySelector('script[type=module]').src).href;
  const { readEvents } = await import(files + 'connection.js');
  const { model, receive } = await import(files + 'model.js');
  const here = [...model.homes.values()][0];
  const lamps = here.things.map(thing => ({ id: thing.accessory.id, on: thing.service.chars['25'].iid, level: thing.service.chars['8'].iid }));
  const scene = here.scenes[0];
  let position = window.lastPosition ?? 1e6;
  const event = () => {
    position += 1;
    const lamp = lamps[position % lamps.length];
    const tell = (name, data) => `event: ${name}\\nid: month.${position}\\ndata: ${JSON.stringify(data)}\\n\\n`;
    if (position % 1000 === 1) return tell('reachability', { reachability: [{ accessory: lamp.id, isReachable: position % 2000 !== 1, trouble: 'timedOut' }] });
    if (position % 1000 === 2) return tell('change', { home: here.id, lineage: here.lineage, revision: here.revision + 1, change: { effects: [{ put: { ...here.get(lamp.id), name: `Lamp ${position % 97}` } }] } });
    if (position % 1000 === 3) return tell('runs', { runs: [{ id: scene.id, isRunning: position % 2000 === 3 }] });
    if (position % 100 === 4) return tell('journal', { home: here.id, id: String(position), time: position, content: { value: { characteristic: {}, value: position } } });
    return tell('values', { values: [{ accessory: lamp.id, values: position % 2 ? { [lamp.on]: position % 3 > 0 } : { [lamp.level]: 1 + position % 100 } }] });
  };
  const bytes = new TextEncoder();
  let told = 0;
  const body = new ReadableStream({
    async pull(controller) {
      if (told >= count) return controller.close();
      let text = '';
      for (let at = 0; at < 500 && told < count; at++, told++) text += event();
      controller.enqueue(bytes.encode(text));
      if (told % 5000 === 0) await new Promise(requestAnimationFrame);
    },
  }, { highWaterMark: 1 });
  let heard = 0;
  await readEvents({ body }, new AbortController().signal, (each) => {
    if (!each) return;
    heard += 1;
    receive(each.name, each.value, position);
  });
  window.lastPosition = position;
  await new Promise(done => setTimeout(() => requestAnimationFrame(done), 1000));
  return heard;
}
"""


class Control:
    """A connection to a socket of the simulator or of the hub. A class, because it owns it."""

    def __init__(self, path):
        self.socket = socket.socket(socket.AF_UNIX)
        self.socket.settimeout(180)
        self.socket.connect(path)
        self.file = self.socket.makefile()
        self.count = 0

    def call(self, method, **parameters):
        self.send(method, **parameters)
        return self.reply()

    def send(self, method, **parameters):
        self.count += 1
        self.socket.sendall(
            json.dumps({"jsonrpc": "2.0", "id": self.count, "method": method, "params": parameters}).encode() + b"\n"
        )

    def reply(self):
        while "id" not in (message := json.loads(self.file.readline())):
            self.event(message)
        if "error" in message:
            raise RuntimeError(message["error"]["message"])
        return message["result"]

    def event(self, message):
        """What comes besides replies."""


class Writer(Control):
    """Another client of the hub, which switches lamps: each write is an event for the page."""

    def __init__(self, path):
        super().__init__(path)
        self.levels = []
        self.call("session.hello", version=6, app="hearth.bench", purpose="Measures.")

    def event(self, message):
        if message["method"] != "reset":
            return
        for home, log in message["params"]["homes"].items():
            records = {record["id"]: record for record in log["records"]}
            for record in log["records"]:
                for service in records.get(record.get("shape"), {}).get("services", []):
                    self.levels += [
                        (home, {"accessory": record["id"], "iid": each["iid"]})
                        for each in service["characteristics"]
                        if each["type"] == "8"
                    ]

    def write(self, at, value):
        home, characteristic = self.levels[at % len(self.levels)]
        self.send("characteristic.write", home=home, writes=[{"characteristic": characteristic, "value": value}])


class Bench:
    """The figures, and what they are measured with."""

    def __init__(self, arguments, rig, browser):
        self.arguments, self.rig, self.browser, self.figures = arguments, rig, browser, []
        self.url = f"http://127.0.0.1:{rig.port}"
        self.control = os.path.join(rig.simulator_data, ".control", "socket")
        self.writer = Writer(rig.socket)
        self.poured = self.posted = 0

    def report(self, name, value, unit, aim=None):
        self.figures.append({"name": name, "value": value, "unit": unit, "aim": aim})
        print(f"{name:58} {value:>10,.1f} {unit:8}{f' aim {aim:,} {unit}' if aim else ''}", flush=True)

    def window(self, is_watched=True):
        """A signed-in page; one whose memory counts isn't watched, since the notes would grow."""
        context = self.browser.new_context(viewport={"width": 390, "height": 844}, locale="en-GB")
        if is_watched:
            context.add_init_script(PROBE)
        page = context.new_page()
        page.goto(f"{self.url}/#code={self.rig.code()}")
        expect(page.locator(".tile").first).to_be_visible()
        return page

    def metric(self, session, name):
        return next(each["value"] for each in session.send("Performance.getMetrics")["metrics"] if each["name"] == name)

    def memory(self, pid, name="VmRSS"):
        with open(f"/proc/{pid}/status") as file:
            return next(int(line.split()[1]) / 1024 for line in file if line.startswith(name))

    def cpu(self, pid):
        with open(f"/proc/{pid}/stat") as file:
            parts = file.read().rsplit(")", 1)[1].split()
        return (int(parts[11]) + int(parts[12])) / os.sysconf("SC_CLK_TCK")

    # What a browser loads, and how soon it shows something.

    def start(self, label, most):
        page = self.window()
        waits, times = [], []
        size = files = 0
        for attempt in range(3 if self.arguments.quick else 7):
            session = page.context.new_cdp_session(page)
            session.send("Network.enable")
            session.send("Network.setCacheDisabled", {"cacheDisabled": True})
            loaded, names = [], {}
            session.on(
                "Network.requestWillBeSent",
                lambda event: names.__setitem__(event["requestId"], event["request"]["url"]),
            )
            session.on(
                "Network.loadingFinished",
                lambda event: loaded.append((names.get(event["requestId"], ""), event["encodedDataLength"])),
            )
            page.reload()
            expect(page.locator(".tile").first).to_be_visible()
            while not page.evaluate("window.marks.first"):
                page.wait_for_timeout(20)
            mine = [(name, length) for name, length in loaded if "/api/" not in name and not name.startswith("data:")]
            size, files = sum(length for _, length in mine), len(mine)
            marks = page.evaluate("window.marks")
            waits.append(marks["first"] - marks["answered"])
            times.append(marks["first"])
            session.detach()
        self.report(f"{label}: first tile after the hub's answer, median", statistics.median(waits), "ms", most)
        self.report(f"{label}: the same, worst of {len(waits)}", max(waits), "ms")
        self.report(f"{label}: first tile after the address, median", statistics.median(times), "ms")
        self.report(f"{label}: tiles", page.evaluate("document.querySelectorAll('.tile').length"), "")
        if label == "small home":
            self.report("first page on the wire, with headers", size / 1000, "kB", 60)
            self.report("first page, files", files, "", 14)
        page.context.close()

    # Events, and the tasks and the memory that they cost.

    def events(self, seconds, rate=100):
        page = self.window()
        session = page.context.new_cdp_session(page)
        session.send("Performance.enable")
        page.wait_for_timeout(1500)
        page.evaluate("window.longTasks.length = 0")
        before = {
            each: self.metric(session, each) for each in ("TaskDuration", "LayoutDuration", "RecalcStyleDuration")
        }
        page.evaluate("window.changes.length = 0")
        reached = self.pour(seconds * rate, rate)
        page.wait_for_timeout(500)
        tasks = page.evaluate("window.longTasks")
        self.report("events a second that the hub passed on", reached, "")
        self.report("the same: changes of tiles that were painted", page.evaluate("window.paints"), "")
        self.report(f"{rate} events a second for {seconds} s: tasks over 50 ms", len(tasks), "", None)
        self.report("the same: longest task", max(tasks, default=0), "ms", 50)
        layout = sum(self.metric(session, each) - before[each] for each in ("LayoutDuration", "RecalcStyleDuration"))
        self.report("the same: layout and style for each second", layout / seconds * 1000, "ms", 100)
        page.context.close()

    def pour(self, count, rate=None):
        """Another client changes one lamp after the other. Returns how many a second it were."""
        started = time.monotonic()
        sent = received = 0
        while received < count:
            # Without a rate, some requests are on their way at any time.
            while sent < count and (sent - received < 16 if not rate else sent <= (time.monotonic() - started) * rate):
                self.writer.write(sent, 1 + (self.poured + sent) % 100)
                sent += 1
            if sent > received:
                self.writer.reply()
                received += 1
            else:
                time.sleep(0.001)
        self.poured += count + 7
        return count / (time.monotonic() - started)

    def used(self, session):
        """The heap that is in use, in MB, and the nodes of the document, after everything that nobody needs is gone."""
        for _ in range(3):
            session.send("HeapProfiler.collectGarbage")
        return session.send("Runtime.getHeapUsage")["usedSize"] / 1e6, session.send("Memory.getDOMCounters")["nodes"]

    def grown(self, label, before, after):
        self.report(f"{label}: heap before", before[0], "MB")
        self.report(f"{label}: heap after", after[0], "MB")
        self.report(f"{label}: growth", (after[0] / before[0] - 1) * 100, "%", 10)
        self.report(f"{label}: growth of the document's nodes", (after[1] / before[1] - 1) * 100, "%")

    def heap(self, count):
        page = self.window(is_watched=False)
        session = page.context.new_cdp_session(page)
        # Everything has changed once before it counts, and the functions that are called often are compiled.
        page.evaluate(MONTH, 50_000)
        before = self.used(session)
        started = time.monotonic()
        heard = page.evaluate(MONTH, count)
        if heard != count:
            raise RuntimeError(f"the page heard {heard} of {count} events")
        label = f"{count:,} events in a page with 500 lamps"
        self.report(f"{label}: events a second", count / (time.monotonic() - started), "")
        self.grown(label, before, self.used(session))
        page.context.close()

    def visits(self, count):
        """A person who opens and closes details, and goes from screen to screen."""
        page = self.window(is_watched=False)
        session = page.context.new_cdp_session(page)

        def visit(rounds):
            for at in range(rounds):
                page.locator(".tile .details").nth(at % 20).click()
                expect(page.locator("dialog .headline")).to_be_visible()
                page.keyboard.press("Escape")
                expect(page.locator("dialog")).to_have_count(0)
                if at % 5 == 0:
                    for href in ("/scenes", "/activity", "/settings", "/"):
                        page.locator(f"nav a[href='{href}']").first.click()
                        page.wait_for_url(f"**{href}")
                    expect(page.locator(".tile").first).to_be_visible()

        visit(20)
        before = self.used(session)
        visit(count)
        self.grown(f"{count} details and {count // 5} rounds through the screens", before, self.used(session))
        page.context.close()

    # A tap.

    def taps(self, count):
        one, two = self.window(), self.window()
        thing = one.locator(".tile").first.get_attribute("data-thing")
        written = []
        listener = Control(self.control)
        at = listener.call("event.next")["next"]
        ends = threading.Event()

        def listen(after):
            while not ends.is_set():
                try:
                    reply = listener.call("event.next", after=after)
                except (RuntimeError, OSError, ValueError):
                    return
                now = time.time() * 1000
                written.extend(
                    now
                    for event in reply["events"]
                    if event["event"] == "value" and event.get("characteristic") == "On" and event.get("controller")
                )
                after = reply["next"]

        thread = threading.Thread(target=listen, args=(at,), daemon=True)
        thread.start()
        to_wire, to_other = [], []
        for _ in range(count):
            before = len(written)
            two.evaluate("window.changes.length = 0")
            tapped = one.evaluate(
                "thing => { const at = performance.timeOrigin + performance.now(); document.querySelector(`[data-thing='${thing}'] .press`).click(); return at; }",
                thing,
            )
            deadline = time.monotonic() + 30
            while (len(written) == before or not two.evaluate("window.changes.length")) and time.monotonic() < deadline:
                time.sleep(0.002)
            to_wire.append(written[before] - tapped)
            to_other.append(two.evaluate("window.changes[0][0]") - tapped)
        ends.set()
        for label, found, most in (("a tap at the accessory", to_wire, 20), ("a tap in another browser", to_other, 50)):
            found.sort()
            self.report(f"{label}, median of {count}", statistics.median(found), "ms")
            self.report(f"{label}, 99th percentile", found[min(len(found) - 1, int(len(found) * 0.99))], "ms", most)
        one.context.close()
        two.context.close()

    # Many pages.

    def pages(self, count):
        pid = self.rig.hub.pid

        def cost(rounds=500):
            before = self.cpu(pid)
            self.pour(rounds, 50)
            time.sleep(0.5)
            return (self.cpu(pid) - before) / rounds * 1000

        streams = [self.open_page()]
        time.sleep(1)
        one, before = cost(), self.memory(pid)
        token = None
        for at in range(1, count):
            # A device can have three streams over HTTP/1.1.
            streams.append(self.open_page(token if at % 3 else None))
            token = streams[-1][1]
        time.sleep(2)
        many, after = cost(), self.memory(pid)
        self.report(f"{count} open pages: memory of the hub", after - before, "MB", 60)
        self.report("hub's CPU for an event with 1 page", one, "ms")
        self.report(f"hub's CPU for an event with {count} pages", many, "ms", None)
        self.report("ratio", many / max(one, 1e-9), "x", 2)
        for stream, _, thread in streams:
            stream.close()

    def post(self, path, body, token=None, stream=None):
        headers = {
            "Content-Type": "application/json",
            **({"Authorization": f"Bearer {token}"} if token else {}),
            **({"Hearth-Stream": stream} if stream else {}),
        }
        # Connections of an address are limited; a home's devices have an address each.
        self.posted += 1
        connection = http.client.HTTPConnection(
            "127.0.0.1", self.rig.port, timeout=60, source_address=(f"127.0.1.{1 + self.posted // 16}", 0)
        )
        connection.request("POST", path, json.dumps(body), headers)
        return connection.getresponse()

    def open_page(self, token=None):
        if not token:
            token = json.load(self.post("/login", {"code": self.rig.code(), "name": "Bench"}))["token"]
        stream = self.post("/api/events", {}, token)
        identifier, home = None, None
        while not (identifier and home):
            line = stream.readline().decode()
            if line.startswith("data:"):
                data = json.loads(line[5:])
                identifier = identifier or data.get("stream")
                home = home or next(iter(data.get("homes", {})), None)
        json.load(self.post("/api/characteristic.notify", {"home": home, "enabled": True}, token, identifier))

        def drain():
            try:
                while stream.readline():
                    pass
            except (OSError, ValueError, AttributeError):
                pass

        thread = threading.Thread(target=drain, daemon=True)
        thread.start()
        return stream, token, thread


#: What is measured with a home of three accessories, and with one of 500 lamps.
SMALL = ("start", "taps", "pages", "home-assistant")
LARGE = ("start", "events", "heap", "visits")


def furnish(rig):
    rig.run("home", "add", "Bench")
    for at in range(25):
        rig.run("room", "add", f"Room {at + 1}")
    rig.run("scene", "add", "Evening")
    for at, name in enumerate(rig.accessories):
        rig.add(name, f"Room {at + 1}")
    control = Control(os.path.join(rig.simulator_data, ".control", "socket"))
    # What changes is to be seen: a lamp that is off shows no brightness.
    for each in control.call("accessory.list")["accessories"]:
        for service in control.call("accessory.show", accessory=each["serialNumber"])["services"]:
            if service["type"] == "Lightbulb":
                control.call("value.set", accessory=each["serialNumber"], characteristic="On", value=True)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--hearth", required=True)
    parser.add_argument("--browser", default="/usr/bin/chromium")
    parser.add_argument("--quick", action="store_true", help="fewer repetitions")
    parser.add_argument("--json", help="also write the figures to this file")
    parser.add_argument("--only", choices=[*SMALL, *LARGE], help="measure only this")
    parser.add_argument(
        "--home-assistant", metavar="WHEEL", help="the package of Home Assistant's frontend, to compare"
    )
    arguments = parser.parse_args()
    wanted = lambda name: not arguments.only or arguments.only == name
    expect.set_options(timeout=60_000)
    figures = []
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=arguments.browser, args=["--disable-dev-shm-usage"])
        if arguments.home_assistant and wanted("home-assistant"):
            size, files = home_assistant_page.measure(browser, arguments.home_assistant, 3)
            for name, value, unit in (("on the wire, with headers", size / 1000, "kB"), ("files", files, "")):
                figures.append(
                    {
                        "name": f"Home Assistant's frontend, first page: {name}",
                        "value": value,
                        "unit": unit,
                        "aim": None,
                    }
                )
                print(f"{figures[-1]['name']:58} {value:>10,.1f} {unit}", flush=True)
        for label, lamps, most in (("small home", 0, 300), ("500 lamps", 500, 600)):
            if not any(wanted(each) for each in (LARGE if lamps else SMALL) if each != "home-assistant"):
                continue
            rig = Rig(
                os.path.abspath(arguments.hearth), ["lightbulb", "thermostat", "door-lock"] if not lamps else [], lamps
            )
            try:
                furnish(rig)
                bench = Bench(arguments, rig, browser)
                if wanted("start"):
                    bench.start(label, most)
                if not lamps and wanted("taps"):
                    bench.taps(50 if arguments.quick else 200)
                if lamps and wanted("events"):
                    bench.events(3 if arguments.quick else 10)
                if lamps and wanted("heap"):
                    bench.heap(50_000 if arguments.quick else 1_000_000)
                if lamps and wanted("visits"):
                    bench.visits(20 if arguments.quick else 200)
                if not lamps and wanted("pages"):
                    bench.pages(10 if arguments.quick else 100)
                figures += bench.figures
            finally:
                rig.stop()
        browser.close()
    if arguments.json:
        with open(arguments.json, "w") as file:
            json.dump(figures, file, indent=1)
    sys.exit(0)


if __name__ == "__main__":
    main()
