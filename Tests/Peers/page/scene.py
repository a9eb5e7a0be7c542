"""What the tests share: the home, a test's windows, and how one waits."""

import os
import re
import time

from playwright.sync_api import expect

from rig import PATIENCE

LIBRARY = [
    "lightbulb",
    "door-lock",
    "garage-door",
    "thermostat",
    "climate-sensor",
    "outlet",
    "window-covering",
    "television",
]


#: Accessories that are in the home from the start; the outlet is left for the tests of adding.
FURNITURE = {
    "lightbulb": "Kitchen",
    "door-lock": "Hall",
    "garage-door": "Garage",
    "thermostat": "Kitchen",
    "climate-sensor": "Hall",
    "window-covering": "Kitchen",
    "television": "Office",
}


def furnish(rig):
    """Makes a home with rooms, a zone, a scene, an automation and a guest."""
    rig.run("home", "add", "Maple Street")
    for room in ("Kitchen", "Hall", "Garage", "Office"):
        rig.run("room", "add", room)
    names = list(rig.accessories)
    for key, room in FURNITURE.items():
        rig.add(names[LIBRARY.index(key)], room)
    # Other tests may run accessories of the same names on this machine.
    outlet = names[LIBRARY.index("outlet")]
    rig.outlet = f"Outlet {rig.accessories[outlet]['id'].replace(':', '')[-6:]}"
    rig.outlet_code = rig.accessories[outlet]["setupCode"]
    rig.sim("edit", outlet, "--name", rig.outlet)
    rig.run("zone", "add", "Downstairs")
    rig.run("user", "add", "Ann")
    light = names[0]
    rig.run("accessory", "rename", light, "Ceiling Light")
    rig.run("scene", "add", "Evening")
    rig.run("scene", "set", "Evening", "Ceiling Light", "On", "on")
    rig.run("automation", "add", "Evening Light", "at 19:00", "--scene", "Evening")


class Scene:
    """A test's browser windows, and what must not happen in any of them. A class, because it owns them."""

    def __init__(self, rig, front, browser, screens):
        self.rig, self.front, self.browser, self.screens = rig, front, browser, screens
        self.contexts, self.pages, self.found = [], [], []

    def window(self, user=None, path="/", signs_in=True, language="en-GB", **options):
        """Opens a window, signed in as a person, and collects errors and requests to anybody else."""
        context = self.browser.new_context(
            viewport=options.pop("viewport", {"width": 390, "height": 844}), locale=language, **options
        )
        self.contexts.append(context)
        page = context.new_page()
        self.pages.append(page)
        page.on("console", lambda message: self.hear(message.type, message.text))
        page.on("pageerror", lambda error: self.found.append(f"error in the page: {error} {error.stack}"))
        page.on("request", lambda request: self.check(request.url))
        page.goto(f"{self.front.url}{path}{f'#code={self.rig.code(user)}' if signs_in else ''}")
        if signs_in:
            expect(page.locator("main .tile" if path == "/" else "main, dialog").first).to_be_visible()
            expect(page.locator("#code")).to_have_count(0)
        return page

    def simulator(self, **options):
        """Opens the simulator's page."""
        context = self.browser.new_context(
            viewport=options.pop("viewport", {"width": 390, "height": 844}), locale="en-GB", **options
        )
        self.contexts.append(context)
        page = context.new_page()
        page.on("console", lambda message: self.hear(message.type, message.text))
        page.on("pageerror", lambda error: self.found.append(f"error in the simulator's page: {error} {error.stack}"))
        page.on("request", lambda request: self.check(request.url, self.rig.simulator_url.split("#")[0]))
        page.goto(self.rig.simulator_url)
        expect(page.locator("main .tile").first).to_be_visible()
        return page

    def hear(self, kind, text):
        # A refused or lost request is part of some tests, and not an error of the page.
        if kind == "error" and "Failed to load resource" not in text:
            self.found.append(f"console: {text}")

    def check(self, url, origin=None):
        if not url.startswith((origin or self.front.url, "data:", "blob:")):
            self.found.append(f"request to {url}")

    def problems(self):
        return self.found

    def shoot(self, page, name):
        if self.screens:
            settle(page)
            os.makedirs(self.screens, exist_ok=True)
            page.screenshot(path=os.path.join(self.screens, f"{name}.png"))

    def keep_failure(self, name):
        for at, page in enumerate(self.pages):
            try:
                self.shoot(page, f"failed-{name}-{at}")
            except Exception:
                pass

    def close(self):
        self.front.assets = None
        self.front.restore()
        # A person can have only so many devices. A page whose loading was cut has nothing to evaluate in, and `evaluate` of a page
        # would wait for it without end.
        for page in self.pages:
            try:
                page.locator("html").evaluate(
                    "() => fetch('/logout', { method: 'POST', headers: { Authorization: `Bearer ${sessionStorage.getItem('hearth.token')}`, 'Content-Type': 'application/json' }, body: '{}', signal: AbortSignal.timeout(10000) })",
                    timeout=10_000,
                )
            except Exception:
                pass
        for context in self.contexts:
            context.close()


class HeldAnswer:
    """The hub's answer to a page's next request of a method. The page gets it when the test says so."""

    def __init__(self, page, method):
        self.page, self.url, self.answer = page, f"**/api/{method}", None
        page.route(self.url, self._hold, times=1)

    def _hold(self, route):
        self.answer = route, route.fetch()

    def wait(self):
        """Waits until the hub has answered."""
        end = time.monotonic() + PATIENCE
        while not self.answer:
            assert time.monotonic() < end, f"the page did not ask for {self.url}"
            self.page.wait_for_timeout(20)

    def release(self):
        """Gives the page the answer, and waits until it has painted what that changes."""
        route, answer = self.answer
        with self.page.expect_response(self.url) as response:
            route.fulfill(response=answer)
        response.value.finished()
        self.page.evaluate("new Promise((done) => setTimeout(() => requestAnimationFrame(done)))")


def tile(page, name):
    return page.locator(".tile").filter(has=page.locator(".name", has_text=re.compile(f"^{re.escape(name)}$"))).first


def press(page, name):
    tile(page, name).locator(".press").click()


def lock_front_door(page):
    door = tile(page, "Front Door Lock")
    if "Unlocked" in door.inner_text():
        door.locator(".press").click()
    expect(door).to_contain_text("Locked")


def switch_at_accessory(scene, on):
    scene.rig.sim("set", list(scene.rig.accessories)[0], "On", "on" if on else "off")


def until(page, condition):
    """Waits until an expression is true. The page's policy forbids `wait_for_function`, which evaluates text within the page."""
    for attempt in range(600):
        if page.evaluate(condition):
            return
        page.wait_for_timeout(100)
    raise AssertionError(f"not true: {condition}")


def until_true(condition):
    """Waits until a condition outside the page is true."""
    end = time.monotonic() + PATIENCE
    while not condition():
        assert time.monotonic() < end, "it did not become true"
        time.sleep(0.1)


def settle(page):
    """Waits until whatever fades in has arrived."""
    until(
        page,
        "document.getAnimations().every(each => each.playState !== 'running' || each.effect.getTiming().iterations === Infinity)",
    )


def section(page, name):
    return page.locator("section", has=page.get_by_role("heading", name=name, exact=True))
