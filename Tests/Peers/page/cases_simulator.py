"""The simulator's page. Each function is one test."""

import re

from playwright.sync_api import expect

from scene import section, switch_at_accessory, tile, until


def the_home_and_the_simulator_show_each_other_at_once(scene):
    switch_at_accessory(scene, False)
    home, simulator = scene.window(), scene.simulator()
    there = section(simulator, list(scene.rig.accessories)[0]).locator(".tile .press").first
    here = tile(home, "Ceiling Light").locator(".press")
    expect(there).to_have_attribute("aria-checked", "false")
    assert "token" not in simulator.url, simulator.url
    there.click()
    expect(here).to_have_attribute("aria-checked", "true")
    here.click()
    expect(there).to_have_attribute("aria-checked", "false")
    # What apps can only read, a person at the accessory changes.
    section(simulator, "Climate Sensor").locator(".tile .press").first.click()
    slider = simulator.get_by_role("slider", name="Temperature")
    slider.focus()
    simulator.keyboard.press("End")
    until_text = tile(home, "Temperature sensor").locator(".state")
    before = until_text.inner_text()
    simulator.keyboard.press("Home")
    expect(until_text).not_to_have_text(before)
    # Nothing asks at the accessory: it is the door itself.
    simulator.keyboard.press("Escape")
    lock = section(simulator, "Front Door Lock").locator(".tile").first
    word = lock.locator(".state").inner_text()
    lock.locator(".press").click()
    expect(lock.locator(".state")).not_to_have_text(word)
    lock.locator(".press").click()
    expect(lock.locator(".state")).to_have_text(word)
    assert simulator.get_by_role("dialog").count() == 0


def a_fault_of_the_simulator_is_seen_at_home(scene):
    home, simulator = scene.window(), scene.simulator()
    light = list(scene.rig.accessories)[0]
    simulator.get_by_role("button", name=f"More about {light}", exact=True).first.click()
    dialog = simulator.get_by_role("dialog")
    dialog.get_by_role("button", name="Let something go wrong").click()
    simulator.get_by_role("button", name="Is cut from the network").click()
    expect(tile(home, "Ceiling Light")).to_have_class(re.compile("gone"))
    dialog.get_by_role("button", name="End").click()
    expect(dialog.get_by_role("button", name="End")).to_have_count(0)
    expect(tile(home, "Ceiling Light")).not_to_have_class(re.compile("gone"))


def an_accessory_is_made_in_the_simulator_and_its_code_is_scanned_at_home(scene):
    simulator = scene.simulator()
    simulator.get_by_role("button", name="Add an accessory").click()
    simulator.get_by_role("dialog").get_by_role("button", name="Fan", exact=True).click()
    fan = section(simulator, "Fan")
    expect(fan).to_be_visible()
    fan.get_by_role("button", name="Code of Fan").click()
    symbol = simulator.get_by_role("dialog").get_by_role("img", name="Code of Fan")
    expect(symbol).to_be_visible()
    picture = symbol.screenshot()
    home = scene.window(path="/add")
    home.locator("input[type=file]").set_input_files({"name": "code.png", "mimeType": "image/png", "buffer": picture})
    dialog = home.get_by_role("dialog")
    dialog.get_by_role("button", name="Add anyway").click()
    dialog.get_by_label("Room").first.select_option(label="Office")
    dialog.get_by_role("button", name="Add", exact=True).click()
    expect(dialog).to_contain_text("It was added.")
    # The simulator knows at once that it has a home, and shows its code no longer.
    expect(simulator.get_by_role("dialog")).to_contain_text("In a home")
    dialog.get_by_role("button", name="Done").click()
    simulator.get_by_role("dialog").get_by_role("button", name="Name and details").click()
    simulator.get_by_role("dialog").last.get_by_label("Name").fill("Breeze")
    simulator.get_by_role("dialog").last.get_by_role("button", name="Save").click()
    expect(simulator.get_by_role("dialog").get_by_role("heading", name="Breeze")).to_be_visible()
    simulator.get_by_role("dialog").get_by_role("button", name="Remove from the simulator").click()
    expect(simulator.get_by_role("dialog").last).to_contain_text("Breeze")
    simulator.get_by_role("dialog").last.get_by_role("button", name="Remove from the simulator").click()
    expect(section(simulator, "Breeze")).to_have_count(0)
    scene.rig.run("accessory", "remove", "Fan")


def every_screen_of_the_simulator_passes_axe(scene):
    from axe_playwright_python.sync_playwright import Axe

    axe = Axe()
    problems = []
    for look in ("light", "dark"):
        page = scene.simulator(color_scheme=look, viewport={"width": 390, "height": 3000})
        opened = {
            "home": lambda: None,
            "thing": lambda: (
                section(page, list(scene.rig.accessories)[0])
                .get_by_role("button", name=re.compile("^More about"))
                .last.click()
            ),
            "device": lambda: (
                section(page, scene.rig.outlet)
                .get_by_role("button", name=f"More about {scene.rig.outlet}")
                .first.click()
            ),
            "add": lambda: page.get_by_role("button", name="Add an accessory").click(),
        }
        for name, show in opened.items():
            show()
            if name != "home":
                expect(page.get_by_role("dialog")).to_be_visible()
                expect(page.get_by_role("dialog").get_by_role("status")).to_have_count(0)
            until(page, "document.getAnimations().every(each => each.playState !== 'running')")
            results = axe.run(
                page, options={"runOnly": ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"]}
            )
            problems += [
                f"{look} {name}: {each['id']} {each['nodes'][0]['html'][:160]}"
                for each in results.response["violations"]
            ]
            if page.evaluate("document.documentElement.scrollWidth > innerWidth"):
                problems.append(f"{look} {name} scrolls sideways")
            scene.shoot(page, f"simulator-{look}-{name}")
            page.keyboard.press("Escape")
            expect(page.get_by_role("dialog")).to_have_count(0)
    assert not problems, "\n".join(problems)
