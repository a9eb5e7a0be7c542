"""Counts what a browser loads of Home Assistant's frontend until it shows a home, for comparison with the page.

The files are those of its package on PyPI, served as it ships them, compressed with Brotli. Its server is not: a stand-in answers
the requests of the socket with a home of as many lamps as wanted, in areas, so that the overview is shown.
"""

import http.server
import json
import mimetypes
import re
import threading
import time
import zipfile

ROOT = "hass_frontend"
#: The seconds without a file after which nothing more is loaded.
QUIET = 3


class Handler(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def log_message(self, *arguments):
        pass

    def do_GET(self):
        path = self.path.split("?")[0]
        names = self.server.names
        if f"{ROOT}{path}.br" in names:
            name, encoding = f"{ROOT}{path}.br", "br"
        elif f"{ROOT}{path}" in names and not path.endswith("/"):
            name, encoding = f"{ROOT}{path}", None
        elif path == "/manifest.json" or path.startswith(("/api/", "/auth/")):
            return self.answer(404, b"", "text/plain")
        else:
            return self.answer(200, self.server.index, "text/html")
        kind = mimetypes.guess_type(path)[0] or "application/octet-stream"
        self.answer(200, self.server.archive.read(name), kind, encoding)

    def answer(self, status, body, kind, encoding=None):
        self.send_response(status)
        self.send_header("Content-Type", kind)
        self.send_header("Content-Length", str(len(body)))
        self.send_header("Cache-Control", "public, max-age=2678400")
        if encoding:
            self.send_header("Content-Encoding", encoding)
        self.end_headers()
        self.wfile.write(body)


class Server(http.server.ThreadingHTTPServer):
    daemon_threads = True

    def __init__(self, package):
        super().__init__(("127.0.0.1", 0), Handler)
        self.archive = zipfile.ZipFile(package)
        self.names = set(self.archive.namelist())
        text = self.archive.read(f"{ROOT}/index.html").decode()
        text = re.sub(r"\{%.*?%\}.*?\{%-? *endfor *-?%\}", "", text, flags=re.DOTALL)
        self.index = text.replace("{{ theme_color }}", "#18bcf2").encode()


def home(lamps):
    """What the frontend asks its server for, by the type of the request."""
    lights = [f"light.lamp_{at}" for at in range(lamps)]
    areas = [
        {
            "area_id": f"room_{at}",
            "name": f"Room {at + 1}",
            "aliases": [],
            "floor_id": None,
            "icon": None,
            "labels": [],
            "picture": None,
            "temperature_entity_id": None,
            "humidity_entity_id": None,
        }
        for at in range(max(1, lamps // 20))
    ]
    entities = [
        {"ei": light, "ai": areas[at % len(areas)]["area_id"], "lb": [], "pl": "demo"}
        for at, light in enumerate(lights)
    ]
    config = {
        "components": ["frontend", "lovelace", "light", "config", "history", "logbook"],
        "config_source": "storage",
        "country": "GB",
        "currency": "GBP",
        "elevation": 0,
        "language": "en",
        "latitude": 0,
        "longitude": 0,
        "location_name": "Bench",
        "recovery_mode": False,
        "safe_mode": False,
        "state": "RUNNING",
        "time_zone": "UTC",
        "unit_system": {
            "length": "km",
            "mass": "g",
            "temperature": "°C",
            "volume": "L",
            "pressure": "Pa",
            "wind_speed": "m/s",
            "accumulated_precipitation": "mm",
            "area": "m²",
        },
        "version": "2026.11.0",
        "internal_url": None,
        "external_url": None,
        "allowlist_external_dirs": [],
        "allowlist_external_urls": [],
        "whitelist_external_dirs": [],
        "radius": 100,
    }
    panel = {
        "component_name": "lovelace",
        "icon": None,
        "title": None,
        "config": {"mode": "storage"},
        "url_path": "lovelace",
        "require_admin": False,
        "config_panel_domain": None,
        "show_in_sidebar": True,
        "default_visible": True,
    }
    answers = {
        "get_config": config,
        "get_services": {
            "light": {"turn_on": {"fields": {}}, "turn_off": {"fields": {}}, "toggle": {"fields": {}}},
            "homeassistant": {},
        },
        "get_panels": {"lovelace": panel, "home": {**panel, "component_name": "home", "url_path": "home"}},
        "auth/current_user": {
            "id": "1",
            "name": "Bench",
            "is_owner": True,
            "is_admin": True,
            "credentials": [],
            "mfa_modules": [],
        },
        "frontend/get_user_data": {"value": None},
        "frontend/get_system_data": {"value": None},
        "frontend/get_themes": {"themes": {}, "default_theme": "default", "default_dark_theme": None},
        "frontend/get_translations": {"resources": {}},
        "frontend/get_icons": {"resources": {}},
        "config/area_registry/list": areas,
        "config/floor_registry/list": [],
        "config/device_registry/list": [],
        "config/label_registry/list": [],
        "config/entity_registry/list_for_display": {
            "entity_categories": {"0": "config", "1": "diagnostic"},
            "entities": entities,
        },
        "config/entity_registry/list": [],
        "lovelace/resources": [],
        "lovelace/dashboards/list": [],
        "lovelace/info": {"resource_mode": "storage"},
        "persistent_notification/get": [],
        "http/config": {},
        "repairs/list_issues": {"issues": []},
        "energy/info": {"cost_sensors": {}, "solar_forecast_domains": []},
        "recorder/info": {
            "backlog": 0,
            "max_backlog": 1,
            "migration_in_progress": False,
            "recording": True,
            "thread_running": True,
        },
    }
    state = {
        "a": {"supported_color_modes": ["brightness"], "color_mode": "brightness", "brightness": 128},
        "c": "1",
        "lc": 1.0,
        "s": "on",
    }
    states = {
        light: {**state, "a": {**state["a"], "friendly_name": f"Lamp {at + 1}"}} for at, light in enumerate(lights)
    }
    return answers, states


def answer(socket, message, answers, states):
    """Answers a request of the frontend, as its server would."""
    number, kind = message["id"], message["type"]
    reply = {"id": number, "type": "result", "success": True, "result": answers.get(kind)}
    if kind == "ping":
        reply = {"id": number, "type": "pong"}
    elif kind == "lovelace/config":
        reply = {
            "id": number,
            "type": "result",
            "success": False,
            "error": {"code": "config_not_found", "message": "No config found."},
        }
    socket.send(json.dumps(reply))
    if kind == "subscribe_entities":
        socket.send(json.dumps({"id": number, "type": "event", "event": {"a": states}}))
    elif kind.startswith("frontend/subscribe_"):
        socket.send(json.dumps({"id": number, "type": "event", "event": {"value": None}}))


def measure(browser, package, lamps):
    """The bytes and the files that a browser loads until the overview is shown and nothing more is fetched."""
    server = Server(package)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    origin = f"http://127.0.0.1:{server.server_address[1]}"
    answers, states = home(lamps)
    context = browser.new_context(viewport={"width": 390, "height": 844}, locale="en-GB", service_workers="block")
    tokens = {
        "hassUrl": origin,
        "clientId": f"{origin}/",
        "access_token": "a",
        "refresh_token": "r",
        "token_type": "Bearer",
        "expires_in": 1800,
        "expires": int(time.time() * 1000) + 1_800_000,
    }
    context.add_init_script(f"localStorage.setItem('hassTokens', {json.dumps(json.dumps(tokens))})")
    page = context.new_page()

    def connect(socket):
        def hear(text):
            messages = json.loads(text)
            for message in messages if isinstance(messages, list) else [messages]:
                if message["type"] == "auth":
                    socket.send(json.dumps({"type": "auth_ok", "ha_version": "2026.11.0"}))
                else:
                    answer(socket, message, answers, states)

        socket.on_message(hear)
        socket.send(json.dumps({"type": "auth_required", "ha_version": "2026.11.0"}))

    page.route_web_socket(re.compile("/api/websocket"), connect)
    session = context.new_cdp_session(page)
    session.send("Network.enable")
    loaded, names, last = [], {}, [time.monotonic()]
    session.on(
        "Network.requestWillBeSent", lambda event: names.__setitem__(event["requestId"], event["request"]["url"])
    )

    def finished(event):
        last[0] = time.monotonic()
        loaded.append((names.get(event["requestId"], ""), event["encodedDataLength"]))

    session.on("Network.loadingFinished", finished)
    try:
        page.goto(f"{origin}/")
        # Its overview shows the areas.
        page.get_by_text("Room 1", exact=True).first.wait_for(timeout=60_000)
        while time.monotonic() - last[0] < QUIET:
            page.wait_for_timeout(100)
        files = [(name, size) for name, size in loaded if name.startswith(origin)]
        return sum(size for _, size in files), len(files)
    finally:
        context.close()
        server.shutdown()
        server.server_close()
