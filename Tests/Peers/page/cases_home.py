"""Scenes, automations, rooms, homes, sentences, files and people. Each function is one test."""

import json
import re
import time

from playwright.sync_api import expect

from scene import HeldAnswer, settle, switch_at_accessory, tile


def a_scene_runs_and_is_taken_back(scene):
    switch_at_accessory(scene, False)
    page = scene.window()
    expect(tile(page, "Ceiling Light").locator(".press")).to_have_attribute("aria-checked", "false")
    page.locator(".scene", has_text="Evening").click()
    expect(tile(page, "Ceiling Light").locator(".press")).to_have_attribute("aria-checked", "true")
    page.get_by_role("button", name="Undo").click()
    expect(tile(page, "Ceiling Light").locator(".press")).to_have_attribute("aria-checked", "false")


def a_scene_is_made_and_removed(scene):
    page = scene.window(path="/scene/new")
    page.get_by_label("Name").fill("Reading")
    page.get_by_role("dialog").get_by_role("button", name="Add an accessory").click()
    page.get_by_role("dialog").last.get_by_role("button", name=re.compile("Ceiling Light")).click()
    page.get_by_role("dialog").last.get_by_role("button", name="Done").click()
    page.get_by_role("dialog").get_by_role("button", name="Add", exact=True).click()
    row = page.locator("main li", has_text="Reading")
    expect(row).to_contain_text("Ceiling Light")
    row.get_by_role("link").click()
    page.get_by_role("dialog").get_by_role("button", name="More", exact=True).click()
    page.get_by_role("button", name="Remove scene").click()
    page.get_by_role("dialog").last.get_by_role("button", name="Remove").click()
    expect(page.locator("main li", has_text="Reading")).to_have_count(0)


def an_automation_is_made_of_buttons_and_tested(scene):
    page = scene.window(path="/automation/new")
    page.get_by_role("button", name="choose what starts it").click()
    page.get_by_role("button", name="A time of day").click()
    page.get_by_label("Time", exact=True).fill("07:15")
    page.get_by_role("button", name="Done").click()
    page.get_by_role("button", name="always").click()
    page.get_by_role("button", name="Who is home").click()
    page.get_by_role("button", name="nobody is home").click()
    page.get_by_role("dialog").get_by_role("button", name="Evening", exact=True).click()
    page.get_by_label("Name").fill("Morning Light")
    page.get_by_role("button", name="Add", exact=True).click()
    row = page.locator("main li", has_text="Morning Light")
    expect(row).to_contain_text("7:15")
    expect(row).to_contain_text("nobody is home")
    expect(row).to_contain_text("Next")
    row.get_by_role("link").click()
    expect(page.get_by_role("dialog")).to_contain_text("What would happen now?")
    page.get_by_role("dialog").get_by_role("button", name="More", exact=True).click()
    page.get_by_role("button", name="Remove automation").click()
    page.get_by_role("dialog").last.get_by_role("button", name="Remove").click()
    expect(page.locator("main li", has_text="Morning Light")).to_have_count(0)


def conditions_are_nested(scene):
    """“and” and “or” within each other, read again by the editor, and dissolved by removing a term."""
    page = scene.window(path="/automation/new")
    choose = lambda *names: [
        page.get_by_role("dialog").last.get_by_role("button", name=name, exact=True).click() for name in names
    ]
    choose("choose what starts it", "A time of day", "Done")
    choose("always", "it is dark")
    choose("it is dark", "Or another condition", "Who is home", "nobody is home")
    group = page.get_by_role("dialog").get_by_role("group", name="it is dark or nobody is home")
    expect(group).to_be_visible()
    choose("nobody is home", "And another condition", "Between two times", "Done")
    expect(page.get_by_role("group", name=re.compile("^nobody is home and it is between"))).to_be_visible()
    page.get_by_role("dialog").get_by_role("button", name="and if…", exact=True).last.click()
    choose("Who is home", "someone is home")
    choose("someone is home", "The opposite of this")
    choose("Evening")
    page.get_by_label("Name").fill("Nested")
    choose("Add")
    row = page.locator("main li", has_text="Nested")
    expect(row).to_contain_text(
        "if (it is dark or (nobody is home and it is between 22:00 and 6:00)) and not: someone is home"
    )
    row.get_by_role("link").click()
    expect(page.get_by_role("group", name=re.compile("^it is dark or \\("))).to_be_visible()
    scene.shoot(page, "nested-condition")
    choose("it is dark", "Remove")
    expect(page.get_by_role("dialog").get_by_role("group")).to_have_count(0)
    choose("Save")
    expect(row).to_contain_text("if nobody is home and it is between 22:00 and 6:00 and not: someone is home")
    scene.rig.run("automation", "remove", "Nested")


def a_room_is_added_renamed_and_removed(scene):
    page = scene.window(path="/settings")
    page.get_by_role("button", name=re.compile("^Rooms")).click()
    page.get_by_role("dialog").get_by_role("button", name="Add a room").click()
    name = page.get_by_role("dialog").last.get_by_label("Name")
    name.fill("<b>Attic</b>")
    expect(page.get_by_role("dialog").last).to_contain_text("Use only letters")
    name.fill("Attic")
    page.get_by_role("dialog").last.get_by_role("button", name="Add", exact=True).click()
    page.get_by_role("dialog").get_by_role("button", name=re.compile("^Attic")).click()
    page.get_by_role("button", name="Remove room").click()
    page.get_by_role("dialog").last.get_by_role("button", name="Remove").click()
    expect(page.get_by_role("dialog").get_by_role("button", name=re.compile("^Attic"))).to_have_count(0)


def an_app_asks_and_a_person_allows_it(scene):
    page = scene.window()
    app = scene.rig.app("com.example.lights", "Switches <b>lights</b>.")
    try:
        strip = page.locator(".strip", has_text="com.example.lights")
        strip.get_by_role("button", name="Answer").click()
        dialog = page.get_by_role("dialog")
        expect(dialog).to_contain_text("Switches <b>lights</b>.")
        dialog.get_by_role("button", name="Allow", exact=True).click()
        expect(dialog).to_have_count(0)
        expect(strip).to_have_count(0)
        answer = app.makefile()
        while "result" not in (message := json.loads(answer.readline())):
            assert "error" not in message, message
    finally:
        app.close()
        scene.rig.run("app", "forget", "com.example.lights")


def a_question_stays_though_an_older_list_arrives_later(scene):
    """The list of questions and the events travel apart: the list may be of before what an event has told."""
    page = scene.window()
    held = HeldAnswer(page, "question.list")
    page.reload()
    held.wait()
    app = scene.rig.app("com.example.late", "Switches lights.")
    try:
        strip = page.locator(".strip", has_text="com.example.late")
        expect(strip).to_be_visible()
        held.release()
        expect(strip).to_have_count(1)
    finally:
        app.close()
    # It ends with the app's connection.
    expect(strip).to_have_count(0)


def a_voice_satellites_question_is_asked_on_every_screen(scene):
    page = scene.window()
    satellite = scene.rig.speak("unlock the front door lock")
    try:
        strip = page.locator(".strip", has_text="Front Door")
        strip.get_by_role("button", name="Answer").click()
        dialog = page.get_by_role("dialog")
        dialog.get_by_role("button", name="No", exact=True).click()
        expect(strip).to_have_count(0)
        lock = page.locator('.tile:has(use[href="#i-lock"]), .tile:has(use[href="#i-unlock"])').first
        expect(lock).to_contain_text("Locked")
    finally:
        satellite.close()


def a_sentence_is_carried_out_and_a_dangerous_one_asks_back(scene):
    switch_at_accessory(scene, False)
    page = scene.window()
    page.get_by_role("link", name="Say something").click()
    dialog = page.get_by_role("dialog")
    dialog.get_by_label("Sentence").fill("turn on the ceiling light")
    dialog.get_by_role("button", name="Send").click()
    expect(dialog.locator(".said li")).to_have_count(2)
    expect(tile(page, "Ceiling Light").locator(".press")).to_have_attribute("aria-checked", "true")
    dialog.get_by_label("Sentence").fill("unlock the front door lock")
    dialog.get_by_role("button", name="Send").click()
    dialog.get_by_role("button", name="Yes").click()
    lock = page.locator('.tile:has(use[href="#i-lock"]), .tile:has(use[href="#i-unlock"])').first
    expect(lock).to_contain_text("Unlocked")
    dialog.get_by_label("Sentence").fill("lock the front door lock")
    dialog.get_by_role("button", name="Send").click()
    expect(lock).to_contain_text("Locked")


def a_guest_controls_and_edits_nothing(scene):
    page = scene.window(user="Ann")
    expect(page.get_by_role("link", name="Add an accessory")).to_have_count(0)
    page.goto(f"{scene.front.url}/automations")
    expect(page.locator("main")).to_contain_text("Evening Light")
    expect(page.get_by_role("switch").first).to_be_disabled()
    page.goto(f"{scene.front.url}/settings")
    expect(page.get_by_role("heading", name="This device")).to_be_visible()
    expect(page.get_by_role("button", name=re.compile("^Rooms"))).to_have_count(0)


def a_guest_who_enters_an_editors_address_is_told_and_changes_nothing(scene):
    page = scene.window(user="Ann")
    # The hub refuses what the page doesn't offer, and says why.
    refusal = page.evaluate("""async () => {
      const files = new URL('.', document.querySelector('script[type=module]').src).href;
      const { model } = await import(files + 'model.js');
      const { hub, words } = await import(files + 'actions.js');
      try {
        return await hub.request('room.add', { home: [...model.homes.keys()][0], name: 'Forged' });
      } catch (error) {
        return [error.code, words(error)];
      }
    }""")
    assert refusal == [
        "insufficientPrivileges",
        "You can look and control, but not change this home. Ask an administrator.",
    ], refusal
    assert "Forged" not in scene.rig.run("room", "list")
    for path in ("/add", "/scene/new", "/automation/new", "/people", "/zones", "/apps"):
        page.goto(scene.front.url + path)
        expect(page.locator("main > div:last-child > *, dialog .sheet-head").first).to_be_attached()
        settle(page)
        for button in ("Add", "Save", "Next", "Add a person", "Add a zone"):
            expect(page.get_by_role("button", name=button, exact=True)).to_have_count(0)
        if path in ("/add", "/scene/new", "/automation/new"):
            expect(page.get_by_role("dialog")).to_contain_text("Ask an administrator")


def a_backup_and_an_export_are_saved_and_an_import_is_shown_first(scene):
    page = scene.window(path="/settings", viewport={"width": 390, "height": 2000})
    page.get_by_role("button", name=re.compile("^Back up")).click()
    dialog = page.get_by_role("dialog")
    dialog.get_by_label("Passphrase", exact=True).fill("correct horse")
    dialog.get_by_label("The same passphrase again").fill("correct house")
    dialog.get_by_role("button", name="Save backup").click()
    expect(dialog.get_by_role("alert")).to_contain_text("not the same")
    dialog.get_by_label("The same passphrase again").fill("correct horse")
    with page.expect_download(timeout=60_000) as download:
        dialog.get_by_role("button", name="Save backup").click()
    with open(download.value.path(), "rb") as file:
        assert file.read(21) == b"age-encryption.org/v1", "this is no age file"
    expect(dialog).to_contain_text("hearth restore")
    dialog.get_by_role("button", name="Done").click()
    with page.expect_download(timeout=60_000) as download:
        page.get_by_role("button", name=re.compile("^Export this home")).click()
    with open(download.value.path()) as file:
        export = file.read()
    assert "Ceiling Light" in export
    page.get_by_role("button", name=re.compile("^Import")).click()
    dialog = page.get_by_role("dialog")
    dialog.locator("input[type=file]").set_input_files(
        {"name": "home.jsonl", "mimeType": "application/jsonl", "buffer": b"no export"}
    )
    expect(dialog.get_by_role("alert")).not_to_be_empty()
    dialog.locator("input[type=file]").set_input_files(
        {"name": "home.jsonl", "mimeType": "application/jsonl", "buffer": export.encode()}
    )
    expect(dialog.get_by_role("heading", name="Maple Street")).to_be_visible()
    expect(dialog.get_by_role("alert")).to_be_empty()


def an_invited_person_signs_in_by_the_link_and_only_once(scene):
    page = scene.window(path="/people")
    page.get_by_role("button", name=re.compile("^Ann")).click()
    page.get_by_role("button", name="Invite by link").click()
    dialog = page.get_by_role("dialog")
    link = dialog.locator(".link-text").inner_text()
    expect(dialog).to_contain_text(re.compile(r"until \w+ \d+ \w+, \d"))
    dialog.get_by_role("button", name="Done").click()
    expect(page.get_by_role("heading", name="Open invitations")).to_be_visible()
    code = link.split("#")[1]
    ann = scene.window(signs_in=False)
    ann.goto("about:blank")
    ann.goto(f"{scene.front.url}/#{code}")
    expect(tile(ann, "Ceiling Light")).to_be_visible()
    expect(ann.get_by_role("link", name="Add an accessory")).to_have_count(0)
    other = scene.window(signs_in=False)
    other.goto("about:blank")
    other.goto(f"{scene.front.url}/#{code}")
    expect(other.get_by_role("alert")).to_contain_text("wrong")


def until(page, condition):
    """Waits in Python, because the page's policy lets nothing else evaluate text."""
    deadline = time.monotonic() + 60
    while not page.evaluate(condition):
        assert time.monotonic() < deadline, condition
        time.sleep(0.05)


def a_device_that_joined_is_told_to_the_others(scene):
    """Also to a browser that was closed meanwhile, and once."""
    first = scene.window()
    until(first, "localStorage.getItem('hearth.devices.seen') !== null")
    toast = first.get_by_role("status").filter(has_text="is now one of your devices")
    second = scene.window()
    expect(toast).to_be_visible()
    toast.get_by_role("button", name="Your devices").click()
    expect(first.get_by_role("heading", name="Your devices")).to_be_visible()
    until(second, "localStorage.getItem('hearth.devices.seen') !== null")
    first.goto("about:blank")
    scene.window()
    expect(second.get_by_role("status").filter(has_text="is now one of your devices")).to_be_visible()
    first.goto(scene.front.url)
    expect(toast).to_be_visible()
    first.reload()
    until(first, "performance.getEntriesByType('resource').some((each) => each.name.endsWith('new-devices.js'))")
    expect(toast).to_have_count(0)


def a_device_of_ones_own_is_renamed_and_removed_as_stolen(scene):
    """What came from it is shown, and is taken back."""
    phone, page = scene.window(path="/people"), scene.window(path="/people")
    devices = phone.locator("section").filter(has=phone.get_by_role("heading", name="Your devices"))
    devices.get_by_role("button", name=re.compile("This device")).click()
    # The device at hand is named, and not removed from itself.
    expect(phone.get_by_role("button", name="Remove device")).to_have_count(0)
    phone.get_by_role("button", name="Rename").click()
    phone.get_by_role("dialog").get_by_label("Name").fill("Old Phone")
    phone.get_by_role("dialog").get_by_role("button", name="Save").click()
    expect(devices.get_by_role("button", name=re.compile("^Old Phone.*This device"))).to_be_visible()
    assert "Old Phone" in scene.rig.run("device", "list")
    # The thief adds somebody.
    phone.get_by_role("button", name="Add a person").click()
    phone.get_by_role("dialog").get_by_label("Name").fill("Mallory")
    phone.get_by_role("dialog").get_by_role("button", name="Add", exact=True).click()
    phone.get_by_role("dialog").get_by_role("button", name="Done").click()
    page.reload()
    page.get_by_role("button", name=re.compile("^Old Phone.*Browser.*Connected now")).click()
    page.get_by_role("button", name="It was stolen or lost").click()
    page.get_by_role("dialog").get_by_role("button", name="Remove", exact=True).click()
    expect(phone.locator("#code")).to_be_visible()
    sheet = page.get_by_role("dialog")
    expect(sheet.get_by_role("heading", name="What came from “Old Phone”")).to_be_visible()
    row = sheet.get_by_role("listitem").filter(has_text="Added Mallory")
    row.get_by_role("button", name="Take back").click()
    expect(row).to_contain_text("Done")
    sheet.get_by_role("button", name="Done").click()
    expect(page.get_by_role("button", name=re.compile("^Mallory"))).to_have_count(0)
    expect(page.get_by_role("button", name=re.compile("^Old Phone"))).to_have_count(0)
    assert "Mallory" not in scene.rig.run("user", "list")


def somebody_new_begins_with_a_home_its_rooms_and_people(scene):
    """What was typed stays, also if it was wrong; nothing that was chosen is lost by “Later”; whoever is added is invited at once."""
    port = scene.rig.other_hub()
    try:
        scene.front.hub_port = str(port)
        page = scene.window(signs_in=False)
        page.get_by_label("Code", exact=True).fill(scene.rig.code(socket=scene.rig.other_socket))
        page.get_by_role("button", name="Sign in").click()
        for name in ("Automations", "Scenes", "Activity"):
            page.get_by_role("link", name=name).click()
            expect(page.locator("main")).to_contain_text("You have no home yet.")
        page.get_by_role("link", name="Add a home").click()
        page.get_by_label("Name").fill("Our Home!")
        page.get_by_role("button", name="Next").click()
        expect(page.get_by_role("alert")).to_contain_text("Use only letters")
        expect(page.get_by_label("Name")).to_have_value("Our Home!")
        page.get_by_label("Name").fill("Our Home")
        page.get_by_role("button", name="Next").click()
        page.get_by_role("button", name="Kitchen").click()
        page.get_by_role("button", name="Another room").click()
        page.get_by_role("dialog").get_by_label("Name").fill("Observatory")
        page.get_by_role("dialog").get_by_role("button", name="Add").click()
        expect(page.get_by_role("button", name="Observatory")).to_have_attribute("aria-pressed", "true")
        page.get_by_role("button", name="Later").click()
        expect(page.get_by_role("heading", level=1)).to_have_text("Our Home")
        rooms = scene.rig.run("room", "list", "--socket", scene.rig.other_socket)
        assert "Kitchen" in rooms and "Observatory" in rooms, rooms
        page.get_by_role("link", name="Settings").click()
        page.get_by_role("link", name=re.compile("^People")).click()
        page.get_by_role("button", name="Add a person").click()
        page.get_by_role("dialog").get_by_label("Name").fill("Ben")
        page.get_by_role("dialog").get_by_role("button", name="Add", exact=True).click()
        expect(page.get_by_role("dialog").locator(".link-text")).to_contain_text("#code=")
        # A rule about the sun says what it lacks.
        page.goto(f"{scene.front.url}/automation/new")
        page.get_by_role("button", name="always").click()
        page.get_by_role("button", name="it is dark").click()
        expect(page.get_by_role("dialog")).to_contain_text("set the place of the home")
    finally:
        scene.front.hub_port = str(scene.rig.port)
        scene.rig.end_other_hub()


def another_home_has_an_address_of_its_own(scene):
    scene.rig.run("home", "add", "Cabin")
    try:
        page = scene.window()
        page.get_by_role("button", name="Maple Street").click()
        page.get_by_role("button", name="Cabin").click()
        expect(page.get_by_role("heading", level=1)).to_contain_text("Cabin")
        expect(page.get_by_role("link", name="Add an accessory").last).to_be_visible()
        expect(page.locator("main .tile")).to_have_count(0)
        assert "home=" in page.url, page.url
        page.reload()
        expect(page.get_by_role("heading", level=1)).to_contain_text("Cabin")
        page.get_by_role("link", name="Settings").click()
        expect(page.get_by_role("heading", level=1)).to_have_text("Settings")
        page.get_by_role("button", name=re.compile("^Cabin")).click()
        page.get_by_role("button", name="Remove home").click()
        dialog = page.get_by_role("dialog")
        dialog.get_by_role("textbox").fill("cabin")
        dialog.get_by_role("button", name="Remove").click()
        expect(dialog).to_contain_text("That is not its name.")
        dialog.get_by_role("textbox").fill("Cabin")
        dialog.get_by_role("button", name="Remove").click()
        expect(page.get_by_role("heading", level=1)).to_contain_text("Maple Street")
        expect(tile(page, "Ceiling Light")).to_be_visible()
    finally:
        if "Cabin" in scene.rig.run("home", "list"):
            scene.rig.run("home", "remove", "Cabin")
