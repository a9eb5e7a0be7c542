// English, the reference: every other language has the same keys, placeholders and its own plural forms. This is what the first
// page needs; the rest is in words-en-more.js.

export default {
  // The frame
  home: "Home", scenes: "Scenes", automations: "Automations", activity: "Activity", settings: "Settings", attention: "Attention", categories: "Categories", navigation: "Navigation",
  skip: "Skip to rooms", back: "Back", close: "Close", cancel: "Cancel", save: "Save", add: "Add", remove: "Remove", rename: "Rename", edit: "Edit", undo: "Undo", run: "Run", more: "More", name: "Name",
  in: "in", gone: "This is no longer here.", "more.about": "More about {name}",
  "more.n": { one: "{n} more", other: "{n} more" },
  "day.today": "Today", "day.yesterday": "Yesterday", "day.tomorrow": "Tomorrow", "day.at": "{day}, {time}",
  "unit.lx": "{v} lx", "unit.deg": "{v}°", "unit.ug": "{v} µg/m³", "unit.ppm": "{v} ppm", "unit.k": "{v} K", "unit.s": "{v} s", "unit.min": "{v} min", "unit.h": "{v} h", "unit.d": "{v} d",
  "name.empty": "Enter a name.", "name.long": "A name can have at most 64 characters.", "name.characters": "Use only letters, digits, spaces and apostrophes.", "name.ends": "Begin and end with a letter or digit.",
  "rename.title": "Rename “{name}”", renamed: "Renamed: {name}", "remove.title": "Remove “{name}”?",

  // The connection and signing in
  "net.connecting": "Connecting…", "net.cannot": "Looking for the hub…", "net.lost": "Not connected, as of {time}", "net.try": "Try now", "net.superseded": "This page was continued in another window.", "net.here": "Continue here",
  "sign.title": "Sign in", "sign.text": "On the computer that runs your hub, type this. It shows a code that is valid for 60 seconds.", "sign.code": "Code", "sign.device": "Name of this device", "sign.stay": "Stay signed in on this device", "sign.in": "Sign in",
  "sign.short": "The code has eight letters and digits.", "sign.wrong": "That code is wrong, or its time is over. Ask for another one.", "sign.wait": "Too many tries. Wait a minute.", "sign.out": "This device was signed out. Sign in again.",

  // States
  "s.none": "–", "s.unknown": "not known yet", "s.off": "Off", "s.on": "On", "s.onAt": "On, {v}", "s.onInUse": "On, in use", "s.auto": "Auto", "s.resting": "On, resting", "s.idle": "Idle", "s.idleAt": "Idle, {v}",
  "s.heatingTo": "Heating to {v}", "s.coolingTo": "Cooling to {v}", "s.reached": "{v}, reached", "s.autoRange": "Auto {a}–{b}", "s.autoTo": "Auto {v}", "s.humidifyingTo": "Humidifying to {v}", "s.dryingTo": "Drying to {v}",
  "s.opening": "Opening…", "s.closing": "Closing…", "s.openAt": "{v} open",
  "s.locking": "Locking…", "s.unlocking": "Unlocking…", "s.arming": "Arming…", "s.disarming": "Turning off…",
  "s.notConfigured": "Not in use here", "s.waiting": "Waiting", "s.onLeft": "On, {v} left", "s.watering": "Watering", "s.wateringLeft": "Watering, {v} left", "s.running": "Running",
  "s.noPicture": "No picture here", "s.ready": "Ready", "s.pressedAt": "{what}, {time}", "s.rangAt": "Rang {time}", "s.noRing": "No ring yet", "s.two": "{a} · {b}",
  "a.water": "Water is low", "a.cameraOff": "Camera is off", "a.battery": "Battery low, {v}", "a.bridge": { one: "{text}, {n} accessory behind it", other: "{text}, {n} accessories behind it" },
  "attention.none": "All well, {time}",
  "trouble.connecting": "Connecting…", "trouble.noAnswer": "No answer", "trouble.outOfRange": "Out of range", "trouble.missingOnBridge": "Gone from its bridge", "trouble.wasReset": "Was reset", "trouble.notTrusted": "Not trusted", "trouble.blocked": "Blocked", "trouble.busy": "Busy", "trouble.faulty": "Faulty",

  // Values
  "v.off": "Off", "v.on": "On", "v.notInUse": "Not in use", "v.inUse": "In use", "v.clockwise": "Clockwise", "v.counterclockwise": "Counterclockwise", "v.swingOff": "Still", "v.swingOn": "Swinging", "v.idle": "Idle", "v.manual": "Manual", "v.auto": "Auto",
  "v.locked": "Locked", "v.unlocked": "Unlocked", "v.jammed": "Jammed", "v.notKnown": "Not known", "v.heating": "Heating", "v.cooling": "Cooling", "v.heat": "Heat", "v.cool": "Cool", "v.celsius": "°C", "v.fahrenheit": "°F",
  "v.humidifying": "Humidifying", "v.drying": "Drying", "v.humidify": "Humidify", "v.dry": "Dry", "v.purifying": "Purifying", "v.closing": "Closing", "v.opening": "Opening", "v.stopped": "Stopped", "v.clear": "Clear", "v.blocked": "Blocked",
  "v.open": "Open", "v.closed": "Closed", "v.home": "Home", "v.away": "Away", "v.night": "Night", "v.disarmed": "Off", "v.alarm": "Alarm", "v.scheduled": "Scheduled", "v.scheduledOver": "Scheduled, changed by hand", "v.fixed": "Fixed", "v.swinging": "Swinging",
  "v.soundOn": "Sound on", "v.muted": "Muted", "v.playing": "Playing", "v.paused": "Paused", "v.loading": "Loading", "v.interrupted": "Interrupted", "v.single": "Pressed", "v.double": "Pressed twice", "v.long": "Held", "v.stateOne": "State 1", "v.stateTwo": "State 2",
  "v.noMotion": "No motion", "v.motion": "Motion", "v.nobody": "Nobody", "v.someone": "Someone here", "v.noLeak": "Dry", "v.leak": "Water!", "v.noSmoke": "No smoke", "v.smoke": "Smoke!", "v.normal": "Normal", "v.carbonMonoxide": "Carbon monoxide!", "v.high": "High",
  "v.excellent": "Excellent", "v.good": "Good", "v.fair": "Fair", "v.inferior": "Inferior", "v.poor": "Poor", "v.batteryFine": "Battery fine", "v.batteryLow": "Battery low", "v.charging": "Charging", "v.notCharging": "Not charging", "v.notChargeable": "Not chargeable",
  "v.works": "Works", "v.faulty": "Fault", "v.untouched": "Not tampered with", "v.tampered": "Tampered with", "v.measuring": "Measuring", "v.notMeasuring": "Not measuring", "v.filterFine": "Filter fine", "v.filterChange": "Change filter",
  "v.inside": "From inside", "v.outside": "From outside", "v.keypad": "By keypad", "v.remote": "From afar", "v.timeout": "By itself", "v.valve": "Valve", "v.sprinkler": "Sprinkler", "v.shower": "Shower", "v.tap": "Tap",
  "v.notReady": "Not ready", "v.ready": "Ready", "v.connected": "Connected", "v.notConnected": "Not connected", "v.shown": "Shown", "v.hidden": "Hidden", "v.data": "Data",

  // Kinds
  "k.light": "Light", "k.switch": "Switch", "k.outlet": "Outlet", "k.fan": "Fan", "k.thermostat": "Thermostat", "k.airConditioner": "Air conditioner", "k.humidifier": "Humidifier", "k.purifier": "Air purifier", "k.blinds": "Blinds", "k.window": "Window", "k.door": "Door",
  "k.garage": "Garage door", "k.lock": "Lock", "k.security": "Security system", "k.valve": "Valve", "k.sprinklers": "Sprinklers", "k.tap": "Tap", "k.slats": "Slats", "k.television": "Television", "k.speaker": "Speaker", "k.camera": "Camera", "k.doorbell": "Doorbell",
  "k.button": "Button", "k.stateButton": "Button", "k.temperature": "Temperature sensor", "k.humidity": "Humidity sensor", "k.lightLevel": "Light sensor", "k.motion": "Motion sensor", "k.presence": "Presence sensor", "k.contact": "Door or window sensor", "k.leak": "Leak sensor", "k.smoke": "Smoke sensor",
  "k.carbonMonoxide": "Carbon monoxide sensor", "k.carbonDioxide": "CO₂ sensor", "k.airQuality": "Air quality sensor", "k.router": "Router", "k.satellite": "Satellite", "k.custom": "Accessory", "k.bridge": "Bridge", "k.sensor": "Sensor",
  "group.lights": "Lights", "group.climate": "Climate", "group.doors": "Doors and locks", "group.security": "Security", "group.water": "Water", "group.media": "Media", "group.other": "Other",

  // Home
  "chip.lights": { one: "Lights: {n} on", other: "Lights: {n} on" }, "chip.lightsOff": "Lights off", "chip.climate": "Climate: {v}", "chip.climateRange": "Climate: {a} to {b}", "chip.doors": "Doors and locks: all closed", "chip.doorsOpen": { one: "Doors and locks: {n} open", other: "Doors and locks: {n} open" },
  "lights.on": { one: "{n} of {all} lights on", other: "{n} of {all} lights on" }, "lights.off": "All lights off", "lights.allOn": "All lights on", "lights.allOff": "All lights off",
  "all.on": "Lights on: {name}", "all.off": "Lights off: {name}", "all.failed": "Not all changed. No answer: {names}",
  "home.none": "You have no home yet.", "home.add": "Add a home", "home.empty": "Nothing has been added to this home yet.",
  "first.accessory": "Add your first accessory", "first.accessory.text": "You need its eight-digit code. It is on the accessory or on its box.", "first.room": "Add your rooms", "first.room.text": "Accessories are easier to find, and to speak of, in a room.", "first.scene": "Make a scene", "first.scene.text": "One tap for several accessories, such as all that you turn off at night.",
  "room.default": "Default Room", "room.default.text": "Choose a room for these accessories, so that you can say where they are.", "room.add": "Add a room", "room.suggestions": "Living Room, Kitchen, Bedroom, Bathroom, Hallway, Office, Kids' Room, Garden, Garage, Basement", "room.empty": "Nothing here yet. Add or move an accessory.", "room.remove": "Remove room",
  "room.remove.text": { one: "{n} accessory moves to the default room.", other: "{n} accessories move to the default room." }, "room.remove.empty": "Nothing is in this room.", "zone.choose": "Zones", "zone.empty": "No rooms in this zone yet.", "category.empty": "Nothing of this kind yet.",

  // Guards
  "guard.unlock": "Unlock “{name}”?", "guard.unlock.do": "Unlock", "guard.open": "Open “{name}”?", "guard.open.do": "Open", "guard.close": "Close “{name}”?", "guard.close.do": "Close", "guard.disarm": "Turn off “{name}”?", "guard.disarm.do": "Turn off", "guard.turnOn": "Turn on “{name}”?", "guard.turnOn.do": "Turn on", "guard.turnOff": "Turn off “{name}”?", "guard.turnOff.do": "Turn off", "guard.where": "{kind} in {room}",

  // Failures
  "e.of": "{name}: {text}", "e.notConnected": "Not connected to the hub. Whether it was done is not known.", "e.hubFailure": "The hub could not do that.",

  // Scenes, shared
  "scene.add": "Add a scene", "scene.ask": "Run “{name}”?", "scene.danger": "It unlocks, opens or disarms: {names}", "scene.ran": "“{name}” ran", "scene.partly": "“{name}”: {done} of {all} done. Not done: {names}", "scene.active": "on",
  "auto.add": "Add an automation", "add.title": "Add an accessory",

  // Detail
  place: "Place", device: "About this accessory",
  "guard.reset": "Reset the filter of “{name}”?", "guard.reset.do": "I changed it",
  loading: "Loading…", someone: "someone", true: "true", false: "not true",

  // Settings
  rooms: "Rooms", room: "Room", "group.add": "Add a group", "group.removeText": "Its accessories stay.", "group.empty": "Nothing in it yet", "group.choose": "Choose accessories",
  wall: "Wall tablet",
  "wall.touch": "Touch to wake",

  // Adding
  favorites: "Favorites", hidden: "Hidden: {name}", "order.earlier": "Earlier", "order.later": "Later in the list",

  // Questions and sentences
  "say.title": "Say something",
};
