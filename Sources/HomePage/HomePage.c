// The files of the page. The compiler embeds them, and compiles this file again when one of them changes.
// To add a file, add it to the folder Files and to both lists below.

#include "HomePage.h"

#pragma clang diagnostic ignored "-Wc23-extensions"

static const unsigned char actions_js[] = {
#embed "Files/actions.js"
};
static const unsigned char activity_js[] = {
#embed "Files/activity.js"
};
static const unsigned char add_code_js[] = {
#embed "Files/add-code.js"
};
static const unsigned char add_details_js[] = {
#embed "Files/add-details.js"
};
static const unsigned char add_setup_js[] = {
#embed "Files/add-setup.js"
};
static const unsigned char add_js[] = {
#embed "Files/add.js"
};
static const unsigned char app_css[] = {
#embed "Files/app.css"
};
static const unsigned char app_js[] = {
#embed "Files/app.js"
};
static const unsigned char apps_js[] = {
#embed "Files/apps.js"
};
static const unsigned char automation_draft_js[] = {
#embed "Files/automation-draft.js"
};
static const unsigned char automation_parts_js[] = {
#embed "Files/automation-parts.js"
};
static const unsigned char automation_js[] = {
#embed "Files/automation.js"
};
static const unsigned char automations_js[] = {
#embed "Files/automations.js"
};
static const unsigned char chars_js[] = {
#embed "Files/chars.js"
};
static const unsigned char condition_js[] = {
#embed "Files/condition.js"
};
static const unsigned char connection_js[] = {
#embed "Files/connection.js"
};
static const unsigned char controls_js[] = {
#embed "Files/controls.js"
};
static const unsigned char detail_js[] = {
#embed "Files/detail.js"
};
static const unsigned char device_js[] = {
#embed "Files/device.js"
};
static const unsigned char devices_js[] = {
#embed "Files/devices.js"
};
static const unsigned char dom_js[] = {
#embed "Files/dom.js"
};
static const unsigned char files_js[] = {
#embed "Files/files.js"
};
static const unsigned char first_run_js[] = {
#embed "Files/first-run.js"
};
static const unsigned char forecast_js[] = {
#embed "Files/forecast.js"
};
static const unsigned char home_js[] = {
#embed "Files/home.js"
};
static const unsigned char icon_svg[] = {
#embed "Files/icon.svg"
};
static const unsigned char index_html[] = {
#embed "Files/index.html"
};
static const unsigned char journal_js[] = {
#embed "Files/journal.js"
};
static const unsigned char kinds_js[] = {
#embed "Files/kinds.js"
};
static const unsigned char maker_js[] = {
#embed "Files/maker.js"
};
static const unsigned char manifest_json[] = {
#embed "Files/manifest.json"
};
static const unsigned char model_js[] = {
#embed "Files/model.js"
};
static const unsigned char new_devices_js[] = {
#embed "Files/new-devices.js"
};
static const unsigned char now_playing_js[] = {
#embed "Files/now-playing.js"
};
static const unsigned char own_devices_js[] = {
#embed "Files/own-devices.js"
};
static const unsigned char people_js[] = {
#embed "Files/people.js"
};
static const unsigned char picker_js[] = {
#embed "Files/picker.js"
};
static const unsigned char plot_js[] = {
#embed "Files/plot.js"
};
static const unsigned char qr_bits_js[] = {
#embed "Files/qr-bits.js"
};
static const unsigned char qr_js[] = {
#embed "Files/qr.js"
};
static const unsigned char questions_js[] = {
#embed "Files/questions.js"
};
static const unsigned char rooms_js[] = {
#embed "Files/rooms.js"
};
static const unsigned char route_picker_js[] = {
#embed "Files/route-picker.js"
};
static const unsigned char router_js[] = {
#embed "Files/router.js"
};
static const unsigned char rows_js[] = {
#embed "Files/rows.js"
};
static const unsigned char say_js[] = {
#embed "Files/say.js"
};
static const unsigned char scenes_js[] = {
#embed "Files/scenes.js"
};
static const unsigned char screens_css[] = {
#embed "Files/screens.css"
};
static const unsigned char sentence_js[] = {
#embed "Files/sentence.js"
};
static const unsigned char settings_js[] = {
#embed "Files/settings.js"
};
static const unsigned char sign_in_js[] = {
#embed "Files/sign-in.js"
};
static const unsigned char simulator_add_js[] = {
#embed "Files/simulator-add.js"
};
static const unsigned char simulator_connection_js[] = {
#embed "Files/simulator-connection.js"
};
static const unsigned char simulator_device_js[] = {
#embed "Files/simulator-device.js"
};
static const unsigned char simulator_state_js[] = {
#embed "Files/simulator-state.js"
};
static const unsigned char simulator_thing_js[] = {
#embed "Files/simulator-thing.js"
};
static const unsigned char simulator_html[] = {
#embed "Files/simulator.html"
};
static const unsigned char simulator_js[] = {
#embed "Files/simulator.js"
};
static const unsigned char symbol_js[] = {
#embed "Files/symbol.js"
};
static const unsigned char tiles_js[] = {
#embed "Files/tiles.js"
};
static const unsigned char trust_css[] = {
#embed "Files/trust.css"
};
static const unsigned char wall_js[] = {
#embed "Files/wall.js"
};
static const unsigned char widgets_js[] = {
#embed "Files/widgets.js"
};
static const unsigned char words_ar_XB_js[] = {
#embed "Files/words-ar-XB.js"
};
static const unsigned char words_de_more_js[] = {
#embed "Files/words-de-more.js"
};
static const unsigned char words_de_js[] = {
#embed "Files/words-de.js"
};
static const unsigned char words_en_XA_js[] = {
#embed "Files/words-en-XA.js"
};
static const unsigned char words_en_more_js[] = {
#embed "Files/words-en-more.js"
};
static const unsigned char words_en_js[] = {
#embed "Files/words-en.js"
};
static const unsigned char words_ja_more_js[] = {
#embed "Files/words-ja-more.js"
};
static const unsigned char words_ja_js[] = {
#embed "Files/words-ja.js"
};
static const unsigned char words_ru_more_js[] = {
#embed "Files/words-ru-more.js"
};
static const unsigned char words_ru_js[] = {
#embed "Files/words-ru.js"
};
static const unsigned char words_zh_Hans_more_js[] = {
#embed "Files/words-zh-Hans-more.js"
};
static const unsigned char words_zh_Hans_js[] = {
#embed "Files/words-zh-Hans.js"
};
static const unsigned char words_js[] = {
#embed "Files/words.js"
};
static const unsigned char zones_js[] = {
#embed "Files/zones.js"
};

#define PAGE_FILE(name, bytes) { name, bytes, sizeof(bytes) }

static const struct home_page_file files[] = {
    PAGE_FILE("actions.js", actions_js),
    PAGE_FILE("activity.js", activity_js),
    PAGE_FILE("add-code.js", add_code_js),
    PAGE_FILE("add-details.js", add_details_js),
    PAGE_FILE("add-setup.js", add_setup_js),
    PAGE_FILE("add.js", add_js),
    PAGE_FILE("app.css", app_css),
    PAGE_FILE("app.js", app_js),
    PAGE_FILE("apps.js", apps_js),
    PAGE_FILE("automation-draft.js", automation_draft_js),
    PAGE_FILE("automation-parts.js", automation_parts_js),
    PAGE_FILE("automation.js", automation_js),
    PAGE_FILE("automations.js", automations_js),
    PAGE_FILE("chars.js", chars_js),
    PAGE_FILE("condition.js", condition_js),
    PAGE_FILE("connection.js", connection_js),
    PAGE_FILE("controls.js", controls_js),
    PAGE_FILE("detail.js", detail_js),
    PAGE_FILE("device.js", device_js),
    PAGE_FILE("devices.js", devices_js),
    PAGE_FILE("dom.js", dom_js),
    PAGE_FILE("files.js", files_js),
    PAGE_FILE("first-run.js", first_run_js),
    PAGE_FILE("forecast.js", forecast_js),
    PAGE_FILE("home.js", home_js),
    PAGE_FILE("icon.svg", icon_svg),
    PAGE_FILE("index.html", index_html),
    PAGE_FILE("journal.js", journal_js),
    PAGE_FILE("kinds.js", kinds_js),
    PAGE_FILE("maker.js", maker_js),
    PAGE_FILE("manifest.json", manifest_json),
    PAGE_FILE("model.js", model_js),
    PAGE_FILE("new-devices.js", new_devices_js),
    PAGE_FILE("now-playing.js", now_playing_js),
    PAGE_FILE("own-devices.js", own_devices_js),
    PAGE_FILE("people.js", people_js),
    PAGE_FILE("picker.js", picker_js),
    PAGE_FILE("plot.js", plot_js),
    PAGE_FILE("qr-bits.js", qr_bits_js),
    PAGE_FILE("qr.js", qr_js),
    PAGE_FILE("questions.js", questions_js),
    PAGE_FILE("rooms.js", rooms_js),
    PAGE_FILE("route-picker.js", route_picker_js),
    PAGE_FILE("router.js", router_js),
    PAGE_FILE("rows.js", rows_js),
    PAGE_FILE("say.js", say_js),
    PAGE_FILE("scenes.js", scenes_js),
    PAGE_FILE("screens.css", screens_css),
    PAGE_FILE("sentence.js", sentence_js),
    PAGE_FILE("settings.js", settings_js),
    PAGE_FILE("sign-in.js", sign_in_js),
    PAGE_FILE("simulator-add.js", simulator_add_js),
    PAGE_FILE("simulator-connection.js", simulator_connection_js),
    PAGE_FILE("simulator-device.js", simulator_device_js),
    PAGE_FILE("simulator-state.js", simulator_state_js),
    PAGE_FILE("simulator-thing.js", simulator_thing_js),
    PAGE_FILE("simulator.html", simulator_html),
    PAGE_FILE("simulator.js", simulator_js),
    PAGE_FILE("symbol.js", symbol_js),
    PAGE_FILE("tiles.js", tiles_js),
    PAGE_FILE("trust.css", trust_css),
    PAGE_FILE("wall.js", wall_js),
    PAGE_FILE("widgets.js", widgets_js),
    PAGE_FILE("words-ar-XB.js", words_ar_XB_js),
    PAGE_FILE("words-de-more.js", words_de_more_js),
    PAGE_FILE("words-de.js", words_de_js),
    PAGE_FILE("words-en-XA.js", words_en_XA_js),
    PAGE_FILE("words-en-more.js", words_en_more_js),
    PAGE_FILE("words-en.js", words_en_js),
    PAGE_FILE("words-ja-more.js", words_ja_more_js),
    PAGE_FILE("words-ja.js", words_ja_js),
    PAGE_FILE("words-ru-more.js", words_ru_more_js),
    PAGE_FILE("words-ru.js", words_ru_js),
    PAGE_FILE("words-zh-Hans-more.js", words_zh_Hans_more_js),
    PAGE_FILE("words-zh-Hans.js", words_zh_Hans_js),
    PAGE_FILE("words.js", words_js),
    PAGE_FILE("zones.js", zones_js),
};

const size_t home_page_file_count = sizeof(files) / sizeof(files[0]);

struct home_page_file home_page_file_at(size_t index) {
    return files[index];
}
