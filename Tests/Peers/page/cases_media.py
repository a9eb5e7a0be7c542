"""What plays on the hub's computer, and the picker of speakers. Each function is one test."""

import base64
import re
import uuid

from playwright.sync_api import expect

from cases_screens import AXE_TAGS
from scene import settle, until, until_true

#: One red pixel.
PICTURE = base64.b64decode(
    "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR4nGP4z8DwHwAFAAH/iZk9HQAAAABJRU5ErkJggg=="
)
HERE = "The hub's computer"


def now_playing(page):
    return page.get_by_role("region", name="Now playing")


def own_name(text):
    """A name that no receiver of another test on this machine has."""
    return f"{text} {uuid.uuid4().hex[:6]}"


def open_picker(page):
    now_playing(page).get_by_role("button", name=re.compile("Choose a speaker")).first.click()
    dialog = page.get_by_role("dialog", name="Play on")
    expect(dialog).to_be_visible()
    return dialog


def speaker(dialog, name):
    return dialog.get_by_role("button", name=re.compile(re.escape(name)))


def examine(scene, page, name):
    from axe_playwright_python.sync_playwright import Axe

    settle(page)
    found = Axe().run(page, options={"runOnly": AXE_TAGS}).response["violations"]
    assert not found, "\n".join(f"{name}: {each['id']} {each['nodes'][0]['html'][:160]}" for each in found)
    assert not page.evaluate("document.documentElement.scrollWidth > innerWidth"), f"{name} scrolls sideways"
    scene.shoot(page, name)


def what_plays_is_shown_paused_and_sent_to_a_speaker(scene):
    rig = scene.rig
    name = own_name("Parlor")
    receiver = rig.start_receiver(name)
    radio = rig.start_radio("Night Train", PICTURE)
    try:
        page = scene.window()
        card = now_playing(page).get_by_role("group", name="Night Train")
        expect(card).to_contain_text("A Band")
        expect(card).to_contain_text(" of 1:00")
        expect(card.get_by_role("progressbar", name="Progress")).to_be_visible()
        until(page, "document.querySelector('img.cover')?.naturalWidth === 1")
        expect(card.get_by_role("slider", name="Volume")).to_have_count(0)
        expect(card.get_by_role("button", name="Previous")).to_have_count(0)
        expect(card.get_by_role("button", name="Next")).to_be_enabled()
        card.get_by_role("button", name="Pause").click()
        expect(card.get_by_role("button", name="Play", exact=True)).to_be_visible()
        card.get_by_role("button", name="Play", exact=True).click()
        expect(card.get_by_role("button", name="Pause")).to_be_visible()
        # The picker, with the keyboard alone.
        button = card.get_by_role("button", name=f"Plays on {HERE}. Choose a speaker")
        button.focus()
        page.keyboard.press("Enter")
        dialog = page.get_by_role("dialog", name="Play on")
        rig.line(radio, "picker opened")
        expect(speaker(dialog, HERE)).to_have_attribute("aria-pressed", "true")
        expect(speaker(dialog, name)).to_have_attribute("aria-pressed", "false")
        expect(dialog.locator("ul")).to_have_attribute("data-state", "found")
        speaker(dialog, name).focus()
        page.keyboard.press("Enter")
        expect(speaker(dialog, name)).to_have_attribute("aria-pressed", "true")
        assert rig.chosen_receivers() == [name]
        rig.await_event(receiver, "started")
        expect(dialog.locator("ul")).to_have_attribute("data-state", "playing")
        examine(scene, page, "media-picker")
        page.keyboard.press("Escape")
        expect(dialog).to_have_count(0)
        rig.line(radio, "picker closed")
        button = card.get_by_role("button", name=f"Plays on {name}. Choose a speaker")
        expect(button).to_be_focused()
        volume = card.get_by_role("slider", name="Volume")
        expect(volume).to_be_visible()
        volume.focus()
        page.keyboard.press("Home")
        expect(volume).to_have_attribute("aria-valuetext", "0%")
        examine(scene, page, "media-card")
        # In a narrow window, in another language, in the dark.
        narrow = scene.window(viewport={"width": 320, "height": 6000}, language="ru-RU", color_scheme="dark")
        expect(narrow.get_by_role("region", name="Сейчас играет")).to_contain_text("Night Train")
        examine(scene, narrow, "media-card-ru")
        # What the command line chooses, the page shows.
        rig.choose_route()
        expect(card.get_by_role("button", name=f"Plays on {HERE}. Choose a speaker")).to_be_visible()
        rig.await_event(receiver, "ended")
        rig.end(radio)
        expect(now_playing(page)).to_have_count(0)
    finally:
        rig.choose_route()
        rig.end(radio)
        rig.end(receiver)


def what_plays_is_the_hubs_own_users_only(scene):
    rig = scene.rig
    radio = rig.start_radio("Night Train", PICTURE)
    try:
        expect(now_playing(scene.window())).to_be_visible()
        page = scene.window(user="Ann")
        refusal = page.evaluate("""async () => {
          const files = new URL('.', document.querySelector('script[type=module]').src).href;
          const { model } = await import(files + 'model.js');
          const { hub } = await import(files + 'actions.js');
          const codes = [];
          for (const method of ['follow', 'startBrowsing', 'choose', 'command', 'setVolume', 'artwork']) {
            await hub.request(`media.${method}`, {}).catch((error) => codes.push(error.code));
          }
          return [codes, model.media];
        }""")
        assert refusal == [["insufficientPrivileges"] * 6, None], refusal
        expect(now_playing(page)).to_have_count(0)
        page.goto(f"{scene.front.url}/settings")
        expect(page.get_by_role("heading", name="This device")).to_be_visible()
        expect(page.get_by_role("button", name=re.compile("^Play on"))).to_have_count(0)
    finally:
        rig.end(radio)


def speakers_with_video_come_first_if_an_app_asks(scene):
    rig = scene.rig
    first, last = own_name("A Speaker"), own_name("Z Cinema")
    receivers = [rig.start_receiver(first), rig.start_receiver(last, "--player", "sleep 1")]
    radio = rig.start_radio("Night Train", PICTURE)
    try:
        page = scene.window()
        dialog = open_picker(page)
        expect(speaker(dialog, first)).to_be_visible()
        expect(speaker(dialog, last)).to_contain_text("Plays video")
        names = lambda: [
            each for each in dialog.locator("li .what").all_inner_texts() if each.startswith((first, last))
        ]
        assert names() == [last, first], names()
        # Without the app that asks for it, they are by name.
        page.keyboard.press("Escape")
        rig.end(radio)
        expect(now_playing(page)).to_have_count(0)
        page.goto(f"{scene.front.url}/settings")
        page.get_by_role("button", name=re.compile("^Play on")).click()
        dialog = page.get_by_role("dialog", name="Play on")
        expect(speaker(dialog, first)).to_be_visible()
        expect(speaker(dialog, last)).to_be_visible()
        assert names() == [first, last], names()
    finally:
        for process in [radio, *receivers]:
            rig.end(process)


def a_speakers_password_is_asked(scene):
    rig = scene.rig
    name = own_name("Den")
    receiver = rig.start_receiver(name, "--password", "secret")
    try:
        page = scene.window(path="/settings")
        page.get_by_role("button", name=re.compile("^Play on")).click()
        dialog = page.get_by_role("dialog", name="Play on")
        expect(speaker(dialog, name)).to_contain_text("Needs a password")
        speaker(dialog, name).click()
        question = page.get_by_role("dialog", name=f"Password of {name}")
        question.get_by_label("Password", exact=True).fill("wrong")
        page.keyboard.press("Enter")
        expect(question.get_by_role("alert")).to_have_text("That is not its password. 2 tries are left.")
        assert not rig.chosen_receivers()
        question.get_by_label("Password", exact=True).fill("secret")
        page.keyboard.press("Enter")
        expect(question).to_have_count(0)
        expect(speaker(dialog, name)).to_have_attribute("aria-pressed", "true")
        choice = rig.chosen_route()
        assert rig.chosen_receivers() == [name], choice
        assert choice["passwords"] == [{"receiver": name, "password": "secret"}], choice
        assert choice["interfaces"] == ["127.0.0.1"], choice
        # A speaker that is gone stays chosen, and the list says so.
        rig.end(receiver)
        expect(speaker(dialog, name)).to_contain_text("Not found at the moment")
        speaker(dialog, HERE).click()
        expect(speaker(dialog, HERE)).to_have_attribute("aria-pressed", "true")
        until_true(lambda: not rig.chosen_receivers())
    finally:
        rig.choose_route()
        rig.end(receiver)


def several_speakers_play_in_step(scene):
    rig = scene.rig
    names = [own_name("Den"), own_name("Loft")]
    receivers = [rig.start_receiver(name) for name in names]
    radio = rig.start_radio("Night Train", PICTURE)
    try:
        page = scene.window()
        dialog = open_picker(page)
        # With the keyboard alone: each press adds a speaker, or takes it away.
        for name, receiver in zip(names, receivers):
            speaker(dialog, name).focus()
            page.keyboard.press("Enter")
            expect(speaker(dialog, name)).to_have_attribute("aria-pressed", "true")
            expect(speaker(dialog, name)).to_be_focused()
            rig.await_event(receiver, "started")
        assert rig.chosen_receivers() == names, rig.chosen_route()
        expect(speaker(dialog, HERE)).to_have_attribute("aria-pressed", "false")
        expect(dialog.locator("button[aria-pressed=true]")).to_have_count(2)
        examine(scene, page, "media-picker-several")
        page.keyboard.press("Escape")
        both = f"Plays on {names[0]} and {names[1]}. Choose a speaker"
        expect(now_playing(page).get_by_role("button", name=both)).to_be_visible()
        dialog = open_picker(page)
        speaker(dialog, names[0]).click()
        expect(speaker(dialog, names[0])).to_have_attribute("aria-pressed", "false")
        expect(speaker(dialog, names[1])).to_have_attribute("aria-pressed", "true")
        rig.await_event(receivers[0], "ended")
        assert rig.chosen_receivers() == names[1:], rig.chosen_route()
        # Another window shows the same.
        other = open_picker(scene.window())
        speaker(other, names[0]).click()
        expect(speaker(dialog, names[0])).to_have_attribute("aria-pressed", "true")
        speaker(dialog, HERE).click()
        expect(speaker(dialog, HERE)).to_have_attribute("aria-pressed", "true")
        expect(dialog.locator("button[aria-pressed=true]")).to_have_count(1)
        until_true(lambda: not rig.chosen_receivers())
    finally:
        rig.choose_route()
        for process in [radio, *receivers]:
            rig.end(process)


def a_speakers_pin_is_asked(scene):
    rig = scene.rig
    name = own_name("Cellar")
    receiver = rig.start_receiver(name, "--pin", "1234")
    try:
        page = scene.window(path="/settings")
        page.get_by_role("button", name=re.compile("^Play on")).click()
        dialog = page.get_by_role("dialog", name="Play on")
        expect(speaker(dialog, name)).to_contain_text("Needs a PIN once")
        question = page.get_by_role("dialog", name=f"PIN of {name}")
        field = question.get_by_role("textbox", name="PIN")
        # Who closes the question chooses nothing.
        speaker(dialog, name).click()
        expect(field).to_be_focused()
        page.keyboard.press("Escape")
        expect(question).to_have_count(0)
        expect(speaker(dialog, name)).to_contain_text("Needs a PIN once")
        assert not rig.chosen_receivers()
        speaker(dialog, name).focus()
        page.keyboard.press("Enter")
        expect(field).to_be_focused()
        examine(scene, page, "media-pin")
        page.keyboard.type("9999")
        page.keyboard.press("Enter")
        expect(question.get_by_role("alert")).to_have_text("That is not its PIN. 2 tries are left.")
        expect(field).to_be_focused()
        page.keyboard.type("1234")
        page.keyboard.press("Enter")
        expect(question).to_have_count(0)
        expect(speaker(dialog, name)).to_have_attribute("aria-pressed", "true")
        assert rig.chosen_receivers() == [name]
        # It knows the hub's user now.
        for state in ["false", "true"]:
            speaker(dialog, name).click()
            expect(speaker(dialog, name)).to_have_attribute("aria-pressed", state)
        expect(question).to_have_count(0)
    finally:
        rig.choose_route()
        rig.end(receiver)


def the_picker_knows_its_states(scene):
    page = scene.window()
    states = page.evaluate("""async () => {
      const files = new URL('.', document.querySelector('script[type=module]').src).href;
      const { model } = await import(files + 'model.js');
      const { orderedReceivers, routeState } = await import(files + 'route-picker.js');
      const player = { isPlaying: true, isRouted: true };
      const receivers = [{ id: '1', name: 'A', playsVideo: false }, { id: '2', name: 'B', playsVideo: true }];
      const former = model.media;
      const state = (media) => {
        model.media = media && { players: [], routes: [], ...media };
        return routeState();
      };
      const result = [
        state(null), state({}), state({ receivers: [] }), state({ receivers }), state({ receivers, routes: ['A'] }),
        state({ receivers, players: [player] }), state({ receivers, routes: ['A'], players: [player] }),
        state({ routes: ['A'], players: [{ ...player, isPlaying: false }] }),
        orderedReceivers(receivers, false).map(each => each.name).join(''),
        orderedReceivers(receivers, true).map(each => each.name).join(''),
      ];
      model.media = former;
      return result;
    }""")
    assert states == ["none", "none", "none", "found", "found", "found", "playing", "none", "AB", "BA"], states
