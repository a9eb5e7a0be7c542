"""All screens: the wall tablet, languages, sizes, and what axe says. Each function is one test."""

import re

from playwright.sync_api import expect

from scene import HeldAnswer, lock_front_door, press, settle, switch_at_accessory, tile


def a_wall_tablet_keeps_what_happens_while_it_asks_what_happened(scene):
    switch_at_accessory(scene, False)
    page = scene.window(viewport={"width": 1280, "height": 800}, path="/settings")
    page.get_by_role("switch", name="Wall tablet").click()
    lately = page.locator(".lately li")
    expect(lately.first).to_be_visible()
    for is_on in (True, False):
        held = HeldAnswer(page, "journal.list")
        page.reload()
        held.wait()
        switch_at_accessory(scene, is_on)
        happened = f"Ceiling Light: {'On' if is_on else 'Off'}"
        expect(lately.first).to_contain_text(happened)
        held.release()
        expect(lately.first).to_contain_text(happened)
        expect(lately.nth(1)).to_be_visible()


def a_wall_tablet_shows_a_clock_and_the_first_touch_switches_nothing(scene):
    switch_at_accessory(scene, False)
    page = scene.window(viewport={"width": 1280, "height": 800}, path="/settings")
    page.get_by_role("switch", name="Wall tablet").click()
    expect(page.locator(".wall-clock").first).to_be_visible()
    expect(page.get_by_role("navigation", name="Navigation")).to_be_hidden()
    # What happens is told beside the home, with its cause, and not twice.
    lately = page.locator(".lately li")
    lock_front_door(page)
    press(page, "Front Door Lock")
    page.get_by_role("dialog").get_by_role("button", name="Unlock").click()
    expect(lately.first).to_contain_text("Front Door Lock: Unlocked")
    expect(lately.first).to_contain_text("By ")
    press(page, "Front Door Lock")
    expect(lately.first).to_contain_text("Front Door Lock: Locked")
    expect(tile(page, "Front Door Lock")).to_contain_text("Locked")
    expect(lately.nth(1)).to_contain_text("Front Door Lock: Unlocked")
    scene.shoot(page, "wall")
    page.evaluate(
        "const now = Date.now; Date.now = () => now() + 130_000; dispatchEvent(new Event('hearth-look')); document.dispatchEvent(new Event('visibilitychange'))"
    )
    expect(page.locator(".dim")).to_be_visible()
    scene.shoot(page, "wall-dimmed")
    box = tile(page, "Ceiling Light").bounding_box()
    page.mouse.click(box["x"] + 20, box["y"] + 80)
    expect(page.locator(".dim")).to_have_count(0)
    expect(tile(page, "Ceiling Light").locator(".press")).to_have_attribute("aria-checked", "false")
    page.mouse.click(box["x"] + 20, box["y"] + 80)
    expect(tile(page, "Ceiling Light").locator(".press")).to_have_attribute("aria-checked", "true")


def screens(page):
    """The name and the address of every screen of the home."""
    things = page.eval_on_selector_all(
        ".tile",
        "tiles => tiles.map(tile => [tile.querySelector('.name').textContent, '/accessory/' + tile.dataset.thing])",
    )
    room = page.eval_on_selector_all(".room .head a[href^='/room/']", "links => links[0].getAttribute('href')")
    fixed = [
        "/",
        "/category/lights",
        "/category/doors",
        "/attention",
        "/scenes",
        "/scene/new",
        "/automations",
        "/automation/new",
        "/activity",
        "/settings",
        "/people",
        "/zones",
        "/groups",
        "/apps",
        "/say",
        "/add",
        "/start",
        "/maker/hearth",
    ]
    return (
        [(path.strip("/").replace("/", "-") or "home", path) for path in fixed]
        + [("room", room)]
        + [(name.lower().replace(" ", "-"), path) for name, path in things]
    )


def visit(scene, page, path):
    page.goto(scene.front.url + path)
    is_sheet = any(part in path for part in ("/accessory/", "/scene/", "/automation/", "/say", "/add"))
    expect(page.locator("dialog .sheet-head" if is_sheet else "main > div:last-child > *").first).to_be_attached()
    settle(page)


#: The sheets, questions and menus that have no address of their own: where each is, and what to press for it, by role.
SHEETS = [
    ("rooms", "/settings", ["button: Rooms"]),
    ("room-menu", "/settings", ["button: Rooms", "button: Kitchen"]),
    ("signed-in-devices", "/settings", ["button: Signed-in devices"]),
    ("code", "/settings", ["button: Signed-in devices", "button: Show a code"]),
    ("place", "/settings", ["button: Place on the map"]),
    ("home-add", "/settings", ["button: Add a home"]),
    ("import", "/settings", ["button: Import"]),
    ("backup", "/settings", ["button: Back up"]),
    ("sign-out", "/settings", ["button: Sign out"]),
    ("person-menu", "/people", ["button: Ann"]),
    ("invitation", "/people", ["button: Ann", "button: Invite by link"]),
    ("person-remove", "/people", ["button: Ann", "button: Remove person"]),
    ("person-add", "/people", ["button: Add a person"]),
    ("device-menu", "/people", ["button: Chrome"]),
    ("device-rename", "/people", ["button: Chrome", "button: Rename"]),
    ("device-add", "/people", ["button: Add a device"]),
    ("zone-add", "/zones", ["button: Add a zone"]),
    ("group-add", "/groups", ["button: Add a group"]),
    ("scene", "/scenes", ["link: Evening"]),
    ("automation", "/automations", ["link: Evening Light"]),
    ("automation-menu", "/automations", ["link: Evening Light", "button: More"]),
    ("start-picker", "/automation/new", ["button: choose what starts it"]),
    ("time-picker", "/automation/new", ["button: choose what starts it", "button: A time of day"]),
    ("condition-picker", "/automation/new", ["button: always"]),
    ("accessory-menu", "/", ["button: More about Ceiling Light", "button: More"]),
    ("rename", "/", ["button: More about Ceiling Light", "button: More", "button: Rename"]),
    ("diagnosis", "/", ["button: More about Ceiling Light", "button: More", "button: Find out what is wrong"]),
    ("remove", "/", ["button: More about Ceiling Light", "button: More", "button: Remove accessory"]),
    ("unlock", "/", ["button: Front Door Lock"]),
]

AXE_TAGS = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"]


def open_sheet(scene, page, path, presses):
    visit(scene, page, path)
    layer = page.locator("dialog[open], [popover]:popover-open").last
    within = page
    for each in presses:
        role, label = each.split(": ")
        # A state may follow the name.
        within.get_by_role(role, name=re.compile(f"^{re.escape(label)}")).first.click()
        within = layer
    expect(layer).to_be_visible()
    settle(page)


def every_sheet_passes_axe(scene):
    from axe_playwright_python.sync_playwright import Axe

    axe = Axe()
    problems = []

    def examine(page, name):
        # A menu covers parts of what is behind it.
        context = "[popover]" if name.endswith("-menu") else None
        results = axe.run(page, context, {"runOnly": AXE_TAGS})
        found = results.response["violations"]
        problems.extend(f"{name}: {each['id']} {each['nodes'][0]['html'][:160]}" for each in found)
        scene.shoot(page, name)

    for look in ("light", "dark"):
        stranger = scene.window(signs_in=False, color_scheme=look)
        expect(stranger.get_by_label("Code", exact=True)).to_be_visible()
        settle(stranger)
        examine(stranger, f"{look}-sign-in")
        page = scene.window(color_scheme=look)
        lock_front_door(page)
        for name, path, presses in SHEETS:
            open_sheet(scene, page, path, presses)
            examine(page, f"{look}-sheet-{name}")
    assert not problems, "\n".join(problems)


def every_screen_passes_axe(scene):
    from axe_playwright_python.sync_playwright import Axe

    axe = Axe()
    problems = []
    for look in ("light", "dark"):
        page = scene.window(color_scheme=look, viewport={"width": 390, "height": 6000})
        for name, path in screens(page):
            visit(scene, page, path)
            results = axe.run(page, options={"runOnly": AXE_TAGS})
            problems += [
                f"{look} {name}: {each['id']} {each['nodes'][0]['html'][:160]}"
                for each in results.response["violations"]
            ]
            scene.shoot(page, f"{look}-{name}")
    assert not problems, "\n".join(problems)


def no_screen_scrolls_sideways(scene):
    problems = []
    modes = {
        "320": ({"width": 320, "height": 800}, None, ""),
        "tablet": ({"width": 1280, "height": 800}, None, ""),
        "large": ({"width": 390, "height": 844}, None, "200%"),
        "long": ({"width": 320, "height": 800}, "en-XA", ""),
        "right-to-left": ({"width": 390, "height": 844}, "ar-XB", ""),
        "ru": ({"width": 320, "height": 800}, "ru", ""),
    }
    for mode, (size, language, text) in modes.items():
        page = scene.window(viewport=size)
        if language:
            page.context.add_init_script(f"localStorage.setItem('hearth.language', '{language}')")
        if text:
            page.context.add_init_script(
                f"document.addEventListener('DOMContentLoaded', () => document.documentElement.style.fontSize = '{text}')"
            )
        for name, path in screens(page):
            visit(scene, page, path)
            wide = page.evaluate("""[...document.querySelectorAll('main *, dialog *, header *')].filter(each => {
                const box = each.getBoundingClientRect();
                return box.width > 0 && (box.right > innerWidth + 1 || box.left < -1) && !each.closest('.unseen, .skip');
            }).slice(0, 2).map(each => each.outerHTML.slice(0, 120))""")
            if wide or page.evaluate("document.documentElement.scrollWidth > innerWidth"):
                problems.append(f"{mode} {name}: {wide}")
            scene.shoot(page, f"{mode}-{name}")
    assert not problems, "\n".join(problems)


def every_language_is_spoken(scene):
    for language, word in {
        "en": "Settings",
        "de": "Einstellungen",
        "zh-Hans": "设置",
        "ja": "設定",
        "ru": "Настройки",
    }.items():
        page = scene.window()
        page.context.add_init_script(f"localStorage.setItem('hearth.language', '{language}')")
        page.reload()
        expect(page.get_by_role("link", name=word)).to_be_visible()
        assert page.evaluate("document.documentElement.lang") == language


def the_first_page_is_small(scene):
    """At most 14 files before the first tile; the details are fetched when they are needed."""
    page = scene.window()
    scene.front.requests.clear()
    before = scene.front.sent
    page.reload()
    expect(page.locator(".tile").first).to_be_visible()
    files = [path for method, path in scene.front.requests if method == "GET"]
    assert len(files) <= 14, files
    assert scene.front.sent - before < 150_000
