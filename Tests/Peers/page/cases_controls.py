"""Signing in, and what tiles and details do. Each function is one test."""

import json
import math
import re

from playwright.sync_api import expect

from scene import LIBRARY, lock_front_door, press, settle, switch_at_accessory, tile, until, until_true


def a_wrong_code_is_told_and_a_right_one_signs_in(scene):
    page = scene.window(signs_in=False)
    page.get_by_label("Code", exact=True).fill("AAAAAAAA")
    page.get_by_role("button", name="Sign in").click()
    expect(page.get_by_role("alert")).to_contain_text("wrong")
    page.get_by_label("Code", exact=True).fill(scene.rig.code().lower())
    page.get_by_role("button", name="Sign in").click()
    expect(tile(page, "Ceiling Light")).to_be_visible()


def the_code_of_a_link_leaves_the_address(scene):
    page = scene.window()
    assert "code" not in page.url, page.url
    page.reload()
    expect(tile(page, "Ceiling Light")).to_be_visible()


def a_tap_switches_the_light_and_another_browser_sees_it(scene):
    switch_at_accessory(scene, False)
    one, two = scene.window(), scene.window(user="Ann")
    light = tile(one, "Ceiling Light").locator(".press")
    expect(light).to_have_attribute("aria-checked", "false")
    light.click()
    for page in (one, two):
        expect(tile(page, "Ceiling Light").locator(".press")).to_have_attribute("aria-checked", "true")
    expect(tile(one, "Ceiling Light")).not_to_have_class(re.compile("sending"))


def a_change_at_the_accessory_is_shown(scene):
    switch_at_accessory(scene, False)
    page = scene.window()
    for on in (True, False):
        switch_at_accessory(scene, on)
        expect(tile(page, "Ceiling Light").locator(".press")).to_have_attribute("aria-checked", str(on).lower())


def an_accessory_says_since_when_it_is_as_it_is(scene):
    """The hub knows it: a page that was opened later says the same."""
    switch_at_accessory(scene, True)
    page = scene.window()
    switch_at_accessory(scene, False)
    expect(tile(page, "Ceiling Light").locator(".press")).to_have_attribute("aria-checked", "false")
    tile(page, "Ceiling Light").get_by_role("button", name="More about").click()
    since = page.get_by_role("dialog").locator(".since")
    expect(since).to_have_text(re.compile(r"^Light, since \d?\d:\d\d$"))
    told = since.inner_text()
    later = scene.window(path=page.url.removeprefix(scene.front.url))
    expect(later.get_by_role("dialog").locator(".since")).to_have_text(told)


def unlocking_asks_first_and_locking_does_not(scene):
    page = scene.window()
    lock = page.locator('.tile:has(use[href="#i-lock"]), .tile:has(use[href="#i-unlock"])').first
    if "Unlocked" in lock.inner_text():
        lock.locator(".press").click()
    expect(lock).to_contain_text("Locked")
    lock.locator(".press").click()
    dialog = page.get_by_role("dialog")
    expect(dialog.get_by_role("button", name="Cancel")).to_be_focused()
    dialog.get_by_role("button", name="Cancel").click()
    expect(dialog).to_have_count(0)
    expect(lock).to_contain_text("Locked")
    lock.locator(".press").click()
    page.get_by_role("dialog").get_by_role("button", name="Unlock").click()
    expect(lock).to_contain_text("Unlocked")
    lock.locator(".press").click()
    expect(lock).to_contain_text("Locked")


def a_question_looks_the_same_before_the_rest_of_the_page_has_loaded(scene):
    page = scene.window()
    lock_front_door(page)

    def shape():
        press(page, "Front Door Lock")
        dialog = page.get_by_role("dialog")
        expect(dialog.get_by_role("button", name="Cancel")).to_be_focused()
        settle(page)
        shape = dialog.evaluate(
            "each => [each.getBoundingClientRect().toJSON(), ...['borderRadius', 'borderWidth', 'padding', 'backgroundColor', 'boxShadow'].map(name => getComputedStyle(each)[name])]"
        )
        dialog.get_by_role("button", name="Cancel").click()
        return shape

    until(page, "document.querySelector('link[href*=screens]')?.sheet != null")
    usual = shape()
    # On a slow network, the styles of the details take their time.
    page.route("**/screens.css", lambda route: None)
    page.reload()
    expect(tile(page, "Front Door Lock")).to_contain_text("Locked")
    assert shape() == usual


def a_slider_sets_the_brightness(scene):
    switch_at_accessory(scene, True)
    page = scene.window()
    tile(page, "Ceiling Light").get_by_role("button", name="More about").click()
    slider = page.get_by_role("slider", name="Brightness")
    slider.focus()
    page.keyboard.press("End")
    expect(page.locator(".headline")).to_contain_text("100%")
    page.keyboard.press("PageDown")
    expect(page.locator(".headline")).to_contain_text("90%")
    expect(tile(page, "Ceiling Light")).to_contain_text("90%")


def a_television_that_is_not_muted_has_sound(scene):
    page = scene.window()
    tile(page, "Television").get_by_role("button", name="More about").click()
    sound = page.get_by_role("dialog").get_by_role("switch", name="Sound")
    expect(sound).to_be_checked()
    sound.click()
    expect(sound).not_to_be_checked()
    name = list(scene.rig.accessories)[LIBRARY.index("television")]
    assert re.search(r"Mute .*  muted\b", scene.rig.sim("show", name)), scene.rig.sim("show", name)
    sound.click()
    expect(sound).to_be_checked()


def a_refused_write_shows_what_is_known_and_says_so(scene):
    switch_at_accessory(scene, False)
    page = scene.window()
    light = list(scene.rig.accessories)[0]
    scene.rig.sim("fault", f"{light}/On", "status -70402 write")
    try:
        press(page, "Ceiling Light")
        expect(page.locator(".toast.error")).to_contain_text("Ceiling Light")
        expect(tile(page, "Ceiling Light").locator(".press")).to_have_attribute("aria-checked", "false")
    finally:
        scene.rig.sim("fault", "--clear")


def a_sensor_shows_its_day_as_a_curve_a_sentence_and_a_table(scene):
    page = scene.window()

    def samples(route):
        thing = page.url.split("/accessory/")[1].split("/")[0]
        home = json.loads(route.request.post_data)
        assert home["accessory"] == thing
        iid = page.evaluate(
            "(async () => { const { home } = await import(document.querySelector('script').src.replace('app.js', 'model.js')); return Object.values(home().thing(location.pathname.slice(11)).service.chars).find(each => each.type === '11').iid; })()"
        )
        now = page.evaluate("Date.now()")
        times = [now - minutes * 60_000 for minutes in range(1200, 0, -10)]
        values = [20 + 2 * math.sin(at / 12) for at in range(len(times))]
        route.fulfill(json={"result": {"series": [{"iid": iid, "times": times, "values": values}]}, "after": 0})

    page.route("**/api/journal.samples", samples)
    tile(page, "Temperature sensor").locator(".press").click()
    dialog = page.get_by_role("dialog")
    expect(dialog.get_by_role("img", name=re.compile("Lowest 18.*Highest 22"))).to_be_visible()
    expect(dialog.locator("figcaption")).to_contain_text("Lowest 18")
    dialog.get_by_text("As a table").click()
    expect(dialog.get_by_role("table").get_by_role("row")).not_to_have_count(0)
    scene.shoot(page, "plot")


CHARGE = "7E536242-341C-4862-BE90-272CE15BD633"


def a_makers_page_has_its_accessories_with_their_own_properties(scene):
    outlet = scene.rig.outlet
    definition = {
        "format": "int",
        "permissions": ["pr", "pw", "ev"],
        "description": "Charge Limit",
        "unit": "percentage",
        "min": 20,
        "max": 80,
        "step": 5,
        "value": 50,
    }
    scene.rig.sim("edit", outlet, "--manufacturer", "Oakum")
    scene.rig.sim("characteristic", "add", outlet, "Outlet", CHARGE, json.dumps(definition))
    scene.rig.run(
        "accessory",
        "add",
        "--code",
        scene.rig.outlet_code,
        "--id",
        scene.rig.accessories[list(scene.rig.accessories)[LIBRARY.index("outlet")]]["id"],
        "--room",
        "Office",
    )
    try:
        page = scene.window(path="/maker/oakum")
        expect(page.get_by_role("heading", level=1)).to_have_text("Oakum")
        expect(page.locator("main .tile")).to_have_count(1)
        page.locator("main .tile").get_by_role("button", name=re.compile("^More about")).click()
        dialog = page.get_by_role("dialog")
        limit = dialog.get_by_role("slider", name="Charge Limit")
        expect(limit).to_have_attribute("aria-valuetext", "50%")
        assert (limit.get_attribute("min"), limit.get_attribute("max"), limit.get_attribute("step")) == (
            "20",
            "80",
            "5",
        )
        limit.focus()
        page.keyboard.press("ArrowRight")
        expect(limit).to_have_attribute("aria-valuetext", "55%")
        until_true(lambda: "55" in scene.rig.sim("get", outlet, CHARGE))
        scene.rig.sim("set", outlet, CHARGE, "30")
        expect(limit).to_have_attribute("aria-valuetext", "30%")
    finally:
        scene.rig.run("accessory", "remove", outlet)
        scene.rig.sim("characteristic", "remove", outlet, "Outlet", CHARGE)
        scene.rig.sim("edit", outlet, "--manufacturer", "Hearth")


def favorites_are_kept_in_their_order(scene):
    page = scene.window()
    for name in ("Ceiling Light", "Thermostat"):
        scene.rig.run("favorite", "add", name)
    strip = page.locator("section", has=page.get_by_role("heading", name="Favorites"))
    expect(strip.locator(".name")).to_have_text(["Ceiling Light", "Thermostat"])
    strip.locator(".tile", has_text="Thermostat").locator(".press").click()
    page.get_by_role("dialog").get_by_role("button", name="More", exact=True).click()
    page.get_by_role("button", name="Earlier in favorites").click()
    page.keyboard.press("Escape")
    expect(strip.locator(".name")).to_have_text(["Thermostat", "Ceiling Light"])
    for name in ("Ceiling Light", "Thermostat"):
        scene.rig.run("favorite", "remove", name)
    expect(strip).to_have_count(0)


def the_keyboard_is_enough(scene):
    switch_at_accessory(scene, False)
    page = scene.window(viewport={"width": 1280, "height": 800})
    page.keyboard.press("Tab")
    expect(page.get_by_role("link", name="Skip to rooms")).to_be_focused()
    light = tile(page, "Ceiling Light").locator(".press")
    light.focus()
    page.keyboard.press("Enter")
    expect(light).to_have_attribute("aria-checked", "true")
    page.keyboard.press(".")
    expect(page.get_by_role("dialog")).to_be_visible()
    page.keyboard.press("Escape")
    expect(page.get_by_role("dialog")).to_have_count(0)
    light.focus()
    before = page.evaluate("document.activeElement.textContent")
    page.keyboard.press("Home")
    page.keyboard.press("End")
    assert page.evaluate("document.activeElement.classList.contains('press')")
    assert page.evaluate("document.activeElement.tabIndex") == 0 and before
