"""What goes wrong: connections, accessories, names with markup, and what somebody forges. Each function is one test."""

import json
import re

from playwright.sync_api import expect

from cases_screens import SHEETS, open_sheet, screens, visit
from scene import lock_front_door, press, settle, switch_at_accessory, tile


def a_cut_connection_is_told_and_comes_back(scene):
    switch_at_accessory(scene, False)
    page = scene.window()
    expect(tile(page, "Ceiling Light").locator(".press")).to_have_attribute("aria-checked", "false")
    scene.front.cut()
    expect(page.locator(".strip")).to_be_visible()
    expect(tile(page, "Ceiling Light").locator(".press")).to_have_attribute("aria-disabled", "true")
    expect(page.locator(".strip")).to_contain_text("Not connected")
    switch_at_accessory(scene, True)
    scene.front.restore()
    page.get_by_role("button", name="Try now").click()
    expect(page.locator(".strip")).to_have_count(0)
    expect(tile(page, "Ceiling Light").locator(".press")).to_have_attribute("aria-checked", "true")


def a_frozen_connection_is_replaced_when_the_page_wakes(scene):
    switch_at_accessory(scene, False)
    page = scene.window()
    scene.front.freeze()
    switch_at_accessory(scene, True)
    scene.front.restore()
    page.evaluate("dispatchEvent(new Event('online'))")
    expect(tile(page, "Ceiling Light").locator(".press")).to_have_attribute("aria-checked", "true")


def a_page_that_slept_connects_at_once(scene):
    """A device that slept for an hour has a connection that looks open and is dead."""
    switch_at_accessory(scene, False)
    page = scene.window()
    expect(tile(page, "Ceiling Light").locator(".press")).to_have_attribute("aria-checked", "false")
    page.evaluate(
        "Object.defineProperty(document, 'visibilityState', { get: () => 'hidden', configurable: true }); document.dispatchEvent(new Event('visibilitychange'))"
    )
    scene.front.freeze()
    switch_at_accessory(scene, True)
    scene.front.restore(drops=False)
    scene.front.requests.clear()
    page.evaluate(
        "const now = Date.now; Date.now = () => now() + 3_600_000; delete document.visibilityState; document.dispatchEvent(new Event('visibilitychange'))"
    )
    expect(tile(page, "Ceiling Light").locator(".press")).to_have_attribute("aria-checked", "true")
    assert ("POST", "/api/events") in scene.front.requests, scene.front.requests


def a_hub_that_restarts_is_found_again(scene):
    page = scene.window()
    scene.rig.kill_hub()
    expect(page.locator(".strip")).to_be_visible()
    scene.rig.start_hub()
    expect(page.locator(".strip")).to_have_count(0)
    expect(tile(page, "Ceiling Light").locator(".press")).not_to_have_attribute("aria-disabled", "true")
    switch_at_accessory(scene, False)
    expect(tile(page, "Ceiling Light").locator(".press")).to_have_attribute("aria-checked", "false")


def a_lost_accessory_says_so_and_comes_back(scene):
    switch_at_accessory(scene, False)
    page = scene.window()
    light = list(scene.rig.accessories)[0]
    expect(tile(page, "Ceiling Light")).to_contain_text("Off")
    scene.rig.sim("fault", light, "refuse")
    try:
        expect(tile(page, "Ceiling Light")).to_have_class(re.compile("gone"))
        press(page, "Ceiling Light")
        dialog = page.get_by_role("dialog")
        expect(dialog.get_by_role("button", name="Find out what is wrong")).to_be_visible()
        expect(dialog.get_by_role("switch", name="Power")).to_be_disabled()
    finally:
        scene.rig.sim("fault", "--clear")
    expect(page.get_by_role("dialog").get_by_role("switch", name="Power")).to_be_enabled()
    page.keyboard.press("Escape")
    expect(tile(page, "Ceiling Light")).not_to_have_class(re.compile("gone"))


def the_cause_of_silence_is_told_in_the_language_of_the_page(scene):
    page = scene.window(language="de-DE")
    light = list(scene.rig.accessories)[0]
    scene.rig.sim("fault", light, "refuse")
    try:
        expect(tile(page, "Ceiling Light")).to_have_class(re.compile("gone"))
        tile(page, "Ceiling Light").locator(".press").click()
        dialog = page.get_by_role("dialog")
        expect(dialog.locator(".card").first).to_be_visible()
        expect(dialog.locator(".card [lang=en]")).to_have_count(0)
        expect(dialog.locator(".card p").first).to_have_text(re.compile("^(Es|Das|Die|Sein) "))
        dialog.get_by_role("button", name="Herausfinden, was los ist").click()
        found = page.get_by_role("dialog").last.locator(".card")
        expect(found.first).to_be_visible()
        expect(found.locator("[lang=en]")).to_have_count(0)
    finally:
        scene.rig.sim("fault", "--clear")


MARKUP = "<img src=x onerror=alert(1)>"


def markup_in_a_name_is_shown_as_text(scene):
    """Names come from accessories, devices, apps and files; those that people give have letters and digits only."""
    outlet = scene.rig.outlet
    scene.rig.sim("edit", outlet, "--name", MARKUP, "--manufacturer", MARKUP, "--model", MARKUP)
    try:
        page = scene.window(path="/add")
        expect(page.get_by_role("dialog")).to_contain_text("onerror")
        page.get_by_role("dialog").get_by_role("button", name=MARKUP).first.click()
        expect(page.get_by_role("dialog")).to_contain_text(f"Type the code of {MARKUP}")
        # Adding it names it again, in the form and in the progress.
        page.get_by_role("dialog").get_by_label("Setup code").fill(scene.rig.outlet_code)
        page.get_by_role("dialog").get_by_role("button", name="Next").click()
        page.get_by_role("dialog").get_by_role("button", name="Add anyway").click()
        dialog = page.get_by_role("dialog")
        expect(dialog).to_contain_text("What is it called")
        assert page.locator("img, dialog img").count() == 0
        for field in dialog.get_by_role("textbox").all():
            field.fill("Strange")
        dialog.get_by_label("Room").first.select_option(label="Office")
        dialog.get_by_role("button", name="Add", exact=True).click()
        expect(dialog).to_contain_text("It was added.")
        dialog.get_by_role("button", name="Done").click()
        tile(page, "Strange").get_by_role("button", name="More about").click()
        page.get_by_role("dialog").get_by_text("About this accessory").click()
        expect(page.get_by_role("dialog").locator(".facts")).to_contain_text(MARKUP)
        page.goto(
            f"{scene.front.url}/maker/{MARKUP.replace('<', '%3C').replace('>', '%3E').replace(' ', '%20').replace('/', '%2F')}"
        )
        expect(page.get_by_role("heading", level=1)).to_contain_text("onerror")
        assert page.locator("img").count() == 0
        scene.rig.run("accessory", "remove", "Strange")
    finally:
        scene.rig.sim("edit", MARKUP, "--name", outlet, "--manufacturer", "Hearth", "--model", "Metered Outlet")


#: Adds markup to whatever is a name or a text for people in what the hub tells, and to values that are texts.
MARK_ALL = """
const parse = JSON.parse;
const names = new Set(['name', 'manufacturer', 'model', 'serialNumber', 'firmware', 'description', 'purpose', 'text', 'heard', 'said', 'reason', 'cause', 'detail', 'advice', 'message', 'app']);
const mark = (key, value) => typeof value === 'string' && value && (names.has(key) || /^[0-9]+$/.test(key)) ? `${value} MARKUP` : value;
JSON.parse = text => parse(text, mark);
Response.prototype.json = async function () { return JSON.parse(await this.text()); };
""".replace("MARKUP", MARKUP.replace("1", "window.isBroken=true"))


#: Screens that show no name of a thing of the home.
NAMELESS = {"scene-new", "automation-new", "groups", "apps", "say", "start", "attention", "settings", "category-lights"}


def no_screen_takes_a_name_for_markup(scene):
    """Whatever the hub names may come from a device, another program or a file, so no screen may trust it."""
    page = scene.window()
    lock_front_door(page)
    page.context.add_init_script(MARK_ALL)
    page.reload()
    expect(page.locator(".tile").first).to_contain_text("onerror")
    seen = set()
    for name, path in screens(page):
        visit(scene, page, path)
        # What is folded away is there, too.
        page.evaluate("document.querySelectorAll('details').forEach(each => { each.open = true; })")
        settle(page)
        assert page.locator("img, [onerror]").count() == 0, name
        if "onerror" in page.locator("body").inner_text():
            seen.add(name)
    for name, path, presses in SHEETS:
        open_sheet(scene, page, path, presses)
        assert page.locator("img, [onerror]").count() == 0, name
    assert not page.evaluate("window.isBroken")
    missing = {name.split(" <")[0] for name, _ in screens(page) if name not in seen} - NAMELESS
    assert not missing, f"no name was shown on {sorted(missing)}"


def markup_of_devices_and_apps_is_shown_as_text(scene):
    page = scene.window(signs_in=False)
    page.get_by_label("Code", exact=True).fill(scene.rig.code())
    page.get_by_label("Name of this device").fill(MARKUP)
    page.get_by_role("button", name="Sign in").click()
    expect(tile(page, "Ceiling Light")).to_be_visible()
    page.goto(f"{scene.front.url}/settings")
    page.get_by_role("button", name=re.compile("^Signed-in devices")).click()
    expect(page.get_by_role("dialog")).to_contain_text(MARKUP)
    assert page.locator("img").count() == 0
    page.keyboard.press("Escape")
    app = scene.rig.app(MARKUP, MARKUP)
    try:
        strip = page.locator(".strip", has_text=MARKUP)
        strip.get_by_role("button", name="Answer").click()
        expect(page.get_by_role("dialog")).to_contain_text(MARKUP)
        assert page.locator("img").count() == 0
        page.get_by_role("dialog").get_by_role("button", name="Deny").click()
        expect(strip).to_have_count(0)
    finally:
        app.close()
        scene.rig.run("app", "forget", MARKUP)


def a_removed_device_is_signed_out_at_once_and_says_so(scene):
    page, other = scene.window(), scene.window(user="Ann")
    devices = json.loads(scene.rig.run("device", "list", "--json"))
    mine = [each["name"] for each in devices if each["isConnected"]]
    for name in set(mine):
        scene.rig.run("device", "remove", name)
    expect(page.get_by_role("alert")).to_contain_text("signed out")
    expect(page.get_by_label("Code", exact=True)).to_be_visible()
    # Ann's device is her own, and stays.
    press(other, "Ceiling Light")
    expect(tile(other, "Ceiling Light")).not_to_have_class(re.compile("sending"))
    expect(other.get_by_label("Code", exact=True)).to_have_count(0)


def a_page_older_than_the_hub_loads_itself_anew(scene):
    """The hub says in its greeting which files it has. The page waits for a moment at which nobody looks."""
    page = scene.window()
    page.evaluate("window.isOld = true")
    scene.front.assets = b"0123456789abcdef"
    scene.front.cut()
    expect(page.locator(".strip")).to_be_visible()
    scene.front.restore()
    page.evaluate("dispatchEvent(new Event('online'))")
    expect(page.locator(".strip")).to_have_count(0)
    # Somebody looks at it: nothing happens. Then it is put aside.
    assert page.evaluate("window.isOld")
    with page.expect_event("load", timeout=60_000):
        page.evaluate("Object.defineProperty(document, 'visibilityState', { get: () => 'hidden', configurable: true })")
    expect(tile(page, "Ceiling Light")).to_be_visible()
    assert not page.evaluate("window.isOld")


def another_hub_at_the_same_address_is_not_mistaken(scene):
    """A credential of one hub means nothing to another; the page asks to sign in, and shows nothing of the former home."""
    page = scene.window()
    other = scene.rig.other_hub()
    try:
        scene.front.hub_port = str(other)
        scene.front.restore()
        expect(page.get_by_label("Code", exact=True)).to_be_visible()
        expect(page.locator(".tile")).to_have_count(0)
    finally:
        scene.front.hub_port = str(scene.rig.port)
        scene.rig.end_other_hub()
